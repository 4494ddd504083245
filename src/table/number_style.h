// NumberStyle: how a column writes its numbers, where that is more than a plain decimal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace linsep {

struct NumberStyle {
  char decimal = '.';   ///< or ','
  char thousands = 0;   ///< ',', '.', '\'' or ' ', which stands for any blank, U+00A0 and U+202F too; 0: none
  std::string sign;     ///< "%" or a currency sign, which every number of the column has
  bool before = false;  ///< the sign stands before the number

  bool is_plain() const { return decimal == '.' && thousands == 0 && sign.empty(); }
  bool operator==(const NumberStyle&) const = default;
};

/// The number 1234.5 in this style, as model files and messages show it: "1,234.5", "1.234,5€", "$1234.5".
std::string style_text(const NumberStyle& style);
/// The style that writes 1234.5 like this; nothing if there is none.
std::optional<NumberStyle> style_of(std::string_view text);

/// The plain decimal, with a point, that a field spells in this style: "-1234.50" for "-$1,234.50". Nothing if it isn't
/// written so; what is returned may still be no number.
std::optional<std::string> plain_decimal(std::string_view field, const NumberStyle& style);

/// The style that a single field shows, if numbers have this decimal sign: its sign, and what stands between its
/// digits. The field need not be a number.
NumberStyle shown_style(std::string_view field, char decimal);

}  // namespace linsep
