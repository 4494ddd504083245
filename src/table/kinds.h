// Kinds: what a column is taken for when nothing is said, from the fields of the first rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// Whether a field of a number or date column is a hole: empty, NA, N/A, nan, null, none, ?, - (any case), or one of
/// `words`.
bool is_hole(std::string_view field, std::span<const std::string> words);

struct FoundKind {
  enum class What { kNumber, kCategory, kText, kDate, kId, kNothing };  ///< kNothing: every field is a hole
  What what = What::kCategory;
  std::string reason;  ///< for the account, where it isn't obvious
};

/// By the first rule that holds for all fields that aren't holes: numbers, none of them like 007; ISO dates; texts (3
/// words or more on average, over half of them distinct); ids (one word each, all distinct, 100 rows or more);
/// categories. `is_number` decides with the file's decimal sign.
FoundKind find_kind(std::span<const std::string_view> fields, std::span<const std::string> missing_words,
                    const std::function<bool(std::string_view)>& is_number);

}  // namespace linsep
