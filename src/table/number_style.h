// NumberStyle describes how a column writes its numbers, if that is more than a plain decimal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace linsep {

struct NumberStyle {
  char decimal = '.';    ///< or ','
  char thousands = 0;    ///< ',', '.', '\'' or ' ' (any blank, also U+00A0 and U+202F), or 0 for none
  std::string sign;      ///< "%" or a currency sign that every number of the column has
  bool before = false;   ///< the sign stands before the number
  bool boolean = false;  ///< true is 1 and false is 0, as `boolean_of` reads them. Else plain numbers

  bool is_plain() const { return decimal == '.' && thousands == 0 && sign.empty() && !boolean; }
  bool operator==(const NumberStyle&) const = default;
};

/// A style as model files and messages show it. It is the number 1234.5 ("1,234.5", "1.234,5€", "$1234.5"), or
/// `kBooleanStyle`.
inline constexpr std::string_view kBooleanStyle = "true/false";
std::string style_text(const NumberStyle& style);
/// The style of such a text, or nothing if there is none.
std::optional<NumberStyle> style_of(std::string_view text);

/// The value of a field that reads true or false in small letters, in capitals, or with a capital first. Nothing if it
/// is another word.
std::optional<bool> boolean_of(std::string_view field);
/// Whether one word is a boolean and the other is its opposite, each in any spelling.
bool are_booleans(std::string_view one, std::string_view other);

/// The plain decimal, with a point, that a field spells in this style, such as "-1234.50" for "-$1,234.50". Nothing if
/// it isn't written in this style. The result may still be no number.
std::optional<std::string> plain_decimal(std::string_view field, const NumberStyle& style);

/// The style that a single field shows if numbers have this decimal sign: its sign, and the separator between its
/// digits. The field need not be a number.
NumberStyle shown_style(std::string_view field, char decimal);

}  // namespace linsep
