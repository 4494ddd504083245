#include "table/number_style.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace linsep {
namespace {

constexpr std::array<std::string_view, 14> kSigns = {"%", "$", "€", "£", "¥", "₹", "₩",
                                                     "₽", "₺", "₪", "฿", "₫", "₴", "₦"};
constexpr std::array<std::string_view, 4> kBlanks = {" ", "\u00a0", "\u202f", "\u2009"};
constexpr std::string_view kThousands = ",.' ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_with_digit(std::string_view text) { return !text.empty() && is_digit(text[0]); }

/// How many bytes the sign between thousands takes at the beginning of the text.
std::size_t separator_size(std::string_view text, char thousands) {
  if (thousands != ' ') return !text.empty() && text[0] == thousands ? 1 : 0;
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

bool take_minus(std::string_view& text, std::string& out) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  out += text[0];
  text.remove_prefix(1);
  return true;
}

/// Removes the currency or percent sign, and a minus after it. Returns false if there is no such sign.
bool take_sign(std::string_view& text, const NumberStyle& style, bool has_minus, std::string& out) {
  if (style.sign.empty()) return true;
  if (!style.before) {
    if (!text.ends_with(style.sign)) return false;
    text.remove_suffix(style.sign.size());
    for (const std::string_view blank : kBlanks) {
      if (!text.ends_with(blank)) continue;
      text.remove_suffix(blank.size());
      break;
    }
    return true;
  }
  if (!text.starts_with(style.sign)) return false;
  text.remove_prefix(style.sign.size());
  text.remove_prefix(separator_size(text, ' '));
  if (!has_minus) take_minus(text, out);
  return true;
}

/// Takes digits, in groups of three if something separates them. Returns false if the groups have other sizes.
bool take_whole(std::string_view& text, char thousands, bool& grouped, std::string& out) {
  const std::size_t begin = out.size();
  for (std::size_t digits = 0;;) {
    if (starts_with_digit(text)) {
      out += text[0];
      text.remove_prefix(1);
      ++digits;
      continue;
    }
    const std::size_t between = thousands == 0 ? 0 : separator_size(text, thousands);
    const bool whole_group = grouped ? digits == 3 : digits >= 1 && digits <= 3 && out[begin] != '0';
    if (between == 0) return !grouped || digits == 3;
    if (!whole_group) return false;
    grouped = true;
    digits = 0;
    text.remove_prefix(between);
  }
}

}  // namespace

std::string style_text(const NumberStyle& style) {
  if (style.boolean) return std::string(kBooleanStyle);
  std::string text = style.before ? style.sign : "";
  text += '1';
  if (style.thousands != 0) text += style.thousands;
  text += "234";
  text += style.decimal;
  text += '5';
  return style.before ? text : text + style.sign;
}

std::optional<NumberStyle> style_of(std::string_view text) {
  if (text == kBooleanStyle) return NumberStyle{.sign = "", .boolean = true};
  for (const char decimal : {'.', ','}) {
    const NumberStyle style = shown_style(text, decimal);
    if (style_text(style) == text) return style;
  }
  return std::nullopt;
}

std::optional<bool> boolean_of(std::string_view field) {
  if (field == "true" || field == "True" || field == "TRUE") return true;
  if (field == "false" || field == "False" || field == "FALSE") return false;
  return std::nullopt;
}

bool are_booleans(std::string_view one, std::string_view other) {
  const std::optional<bool> a = boolean_of(one), b = boolean_of(other);
  return a && b && *a != *b;
}

std::optional<std::string> plain_decimal(std::string_view field, const NumberStyle& style) {
  if (const auto truth = boolean_of(field); style.boolean && truth) return *truth ? "1" : "0";
  std::string out;
  const bool has_minus = take_minus(field, out);
  if (!take_sign(field, style, has_minus, out)) return std::nullopt;
  bool grouped = false;
  if (!take_whole(field, style.thousands, grouped, out)) return std::nullopt;
  if (!field.empty() && field[0] == style.decimal) {
    out += '.';
    for (field.remove_prefix(1); starts_with_digit(field); field.remove_prefix(1)) out += field[0];
  }
  const bool exponent = !field.empty() && (field[0] == 'e' || field[0] == 'E') && !grouped && style.sign.empty();
  if (!field.empty() && !exponent) return std::nullopt;
  return out.append(field);
}

NumberStyle shown_style(std::string_view field, char decimal) {
  NumberStyle style;
  style.decimal = decimal;
  std::string minus;
  take_minus(field, minus);
  for (const std::string_view sign : kSigns) {
    if (!field.starts_with(sign) && !field.ends_with(sign)) continue;
    style.sign = sign;
    style.before = field.starts_with(sign);
  }
  for (std::size_t at = 1; at < field.size() && style.thousands == 0; ++at) {
    if (!is_digit(field[at - 1])) continue;
    for (const char thousands : kThousands) {
      const std::size_t size = thousands == decimal ? 0 : separator_size(field.substr(at), thousands);
      if (size > 0 && starts_with_digit(field.substr(at + size))) style.thousands = thousands;
    }
  }
  return style;
}

}  // namespace linsep
