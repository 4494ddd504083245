#include "table/kinds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "table/date.h"

namespace linsep {
namespace {

/// Whether `text` is `word`, which is in small letters, in any case.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 007, 01234: a zero that a number wouldn't have.
bool is_code(std::string_view field) {
  if (!field.empty() && (field[0] == '+' || field[0] == '-')) field.remove_prefix(1);
  return field.size() > 1 && field[0] == '0' && is_digit(field[1]);
}

/// Whether a character of three or more bytes, by the first two, is of a script that puts no blanks between words:
/// Thai, Lao, Myanmar, Khmer, Kana, Han.
bool needs_no_blanks(unsigned char first, unsigned char second) {
  if (first == 0xe0) return second >= 0xb8 && second <= 0xbb;
  if (first == 0xe1) return second <= 0x81 || second == 0x82 || second == 0x9e || second == 0x9f;
  if (first == 0xe3) return second >= 0x81;
  return (first >= 0xe4 && first <= 0xe9) || (first == 0xef && second <= 0xab) || (first == 0xf0 && second >= 0xa0);
}

/// Runs of bytes between blanks; two characters that need no blanks count as a word.
double count_words(std::string_view field) {
  double words = 0, others = 0;
  bool inside = false;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    const auto first = static_cast<unsigned char>(c);
    if (first >= 0xe0 && i + 2 < field.size() && needs_no_blanks(first, static_cast<unsigned char>(field[i + 1]))) {
      others += 1;
    }
    if (!blank && !inside) words += 1;
    inside = !blank;
  }
  return std::max(words, others / 2);
}

/// Of fields that are neither numbers nor dates.
FoundKind kind_of_words(std::span<const std::string_view> fields) {
  std::unordered_set<std::string_view> distinct;
  double words = 0;
  bool one_word = true;
  std::size_t count = 0;
  for (const std::string_view field : fields) {
    if (field.empty()) continue;
    ++count;
    const double here = count_words(field);
    words += here;
    one_word = one_word && here <= 1;
    distinct.insert(field);
  }
  if (words >= 3 * static_cast<double>(count) && 2 * distinct.size() > count) return {FoundKind::What::kText, ""};
  if (one_word && distinct.size() == count && count >= 100) {
    return {FoundKind::What::kId, "a different value in every row"};
  }
  return {FoundKind::What::kCategory, ""};
}

}  // namespace

bool is_hole(std::string_view field, std::span<const std::string> words) {
  if (field.empty()) return true;
  constexpr std::array<std::string_view, 7> kHoles = {"na", "n/a", "nan", "null", "none", "?", "-"};
  if (field.size() <= 4 &&
      std::any_of(kHoles.begin(), kHoles.end(), [&](std::string_view hole) { return is_word(field, hole); })) {
    return true;
  }
  return std::find(words.begin(), words.end(), field) != words.end();
}

FoundKind find_kind(std::span<const std::string_view> fields, std::span<const std::string> missing_words,
                    const std::function<bool(std::string_view)>& is_number) {
  bool any = false, numbers = true, codes = false, dates = true;
  for (const std::string_view field : fields) {
    if (is_hole(field, missing_words)) continue;
    any = true;
    numbers = numbers && is_number(field);
    codes = codes || (numbers && is_code(field));
    dates = dates && parse_date(field, "iso").has_value();
    if (!numbers && !dates) break;
  }
  if (!any) return {FoundKind::What::kNothing, "no value in the rows looked at"};
  if (numbers && !codes) return {FoundKind::What::kNumber, ""};
  if (dates) return {FoundKind::What::kDate, ""};
  FoundKind found = kind_of_words(fields);
  if (numbers && found.reason.empty()) found.reason = "codes that begin with 0";
  return found;
}

}  // namespace linsep
