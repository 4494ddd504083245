// Infers the kind of a column from the fields of the first rows, if the user doesn't name one.
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
/// Whether a field of a number or date column is a missing value: empty, one of `missing_words()` in any case, or one
/// of `words`.
bool is_hole(std::string_view field, std::span<const std::string> words);

/// Whether a field has a leading zero that a number wouldn't have, such as 007 or 01234.
bool is_code(std::string_view field);

struct FoundKind {
  enum class What { kNumber, kCategory, kText, kDate, kId, kNothing };  ///< kNothing: every field is a missing value
  What what = What::kCategory;
  std::string reason;            ///< for the account, if it isn't obvious
  std::string format = {};       ///< kDate: see parse_date. kNumber: the text of its NumberStyle, "" if plain
  std::vector<std::size_t> odd;  ///< fields that are no number or date, though at least nine in ten are
  std::size_t values = 0;        ///< fields that aren't missing values
  /// A field that can be read in two ways, and what it may be (plain decimals for a number, formats for a date).
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
  bool certain = true;                              ///< false: nothing in the file distinguishes 1,234 from 1.234
  bool only = false;                                ///< no column may have another decimal sign
};

/// Returns the first kind whose rule holds for all fields that aren't missing values:
/// 1. booleans (numbers of kBooleanStyle)
/// 2. numbers that aren't codes such as 007 (some begin with 0 and all have one length, or one in ten begins with 0)
/// 3. ISO dates
/// 4. numbers with signs between thousands, percent or currency signs, or the other decimal sign
/// 5. dates such as 15.11.2026
/// 6. texts (3 words or more on average, over half of them distinct)
/// 7. ids (one word each, all distinct, 100 rows or more)
/// 8. categories
/// Before texts are considered, it is enough that nine in ten fields are numbers or dates. The others are then odd.
FoundKind find_kind(std::span<const std::string_view> fields, std::span<const std::string> missing_words,
                    const NumberRules& rules);

/// Returns the decimal sign of a field that is a number in some style: a point for 12.5, 1,234.5 and 1,234,567, a comma
/// for 12,5 and 1.234,5. Returns 0 if there is none, if it isn't known (1,234), or if the field is no number.
char shown_decimal(std::string_view field);

}  // namespace linsep
