// Kinds: what a column is taken for when nothing is said, from the fields of the first rows.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// The words that always stand for a missing number or date, in small letters: NA, N/A, nan, null, none, ?, -.
std::span<const std::string_view> missing_words();
/// Whether a field of a number or date column is a hole: empty, one of `missing_words()` in any case, or one of
/// `words`.
bool is_hole(std::string_view field, std::span<const std::string> words);

/// 007, 01234: a zero that a number wouldn't have.
bool is_code(std::string_view field);

struct FoundKind {
  enum class What { kNumber, kCategory, kText, kDate, kId, kNothing };  ///< kNothing: every field is a hole
  What what = What::kCategory;
  std::string reason;            ///< for the account, where it isn't obvious
  std::string format = {};       ///< kDate: see parse_date; kNumber: the text of its NumberStyle, "" if plain
  std::vector<std::size_t> odd;  ///< fields that are no number or date, though at least nine in ten are
  std::size_t values = 0;        ///< fields that aren't holes
  /// What can be read in two ways: a field, and what it may be (of a number its plain decimals, of a date its formats).
  struct Doubt {
    std::string_view field;
    std::string first, second;
  };
  std::optional<Doubt> doubt;
};

/// How the numbers of a file are read.
struct NumberRules {
  std::function<bool(std::string_view)> is_number;  ///< whether a plain decimal with a point is a number
  char decimal = '.';                               ///< as the file has it
  bool certain = true;                              ///< false: nothing in the file tells 1,234 from 1.234
  bool only = false;                                ///< no column may have another decimal sign
};

/// By the first rule that holds for all fields that aren't holes: booleans (numbers of kBooleanStyle); numbers, not
/// codes such as 007 (some begin with 0 and all have one length, or one in ten begins with 0); ISO dates; numbers with
/// signs between thousands, percent or currency signs, or the other decimal sign; dates such as 15.11.2026; texts (3
/// words or more on average, over half of them distinct); ids (one word each, all distinct, 100 rows or more);
/// categories. Before texts: where nine in ten fields are numbers or dates, the others are odd.
FoundKind find_kind(std::span<const std::string_view> fields, std::span<const std::string> missing_words,
                    const NumberRules& rules);

/// Which decimal sign a field shows that is a number in some style: 12.5, 1,234.5 and 1,234,567 a point; 12,5 and
/// 1.234,5 a comma; 0: none, or it isn't known (1,234), or it is no number.
char shown_decimal(std::string_view field);

}  // namespace linsep
