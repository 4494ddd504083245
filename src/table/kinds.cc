#include "table/kinds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/keyed_map.h"
#include "table/date.h"
#include "table/number_style.h"

namespace linsep {
namespace {

/// Whether `text` is `word` in any case. `word` is in small letters.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the first two bytes of a longer character belong to a script without blanks between words: Thai, Lao,
/// Myanmar, Khmer, Kana, Han.
bool needs_no_blanks(unsigned char first, unsigned char second) {
  if (first == 0xe0) return second >= 0xb8 && second <= 0xbb;
  if (first == 0xe1) return second <= 0x81 || second == 0x82 || second == 0x9e || second == 0x9f;
  if (first == 0xe3) return second >= 0x81;
  return (first >= 0xe4 && first <= 0xe9) || (first == 0xef && second <= 0xab) || (first == 0xf0 && second >= 0xa0);
}

/// Counts runs of bytes between blanks. Two characters that need no blanks count as a word.
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

/// The kind of fields that are neither numbers nor dates.
FoundKind kind_of_words(std::span<const std::string_view> fields) {
  KeyedSet<std::string_view> distinct;
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
  if (words >= 3 * static_cast<double>(count) && 2 * distinct.size() > count)
    return {FoundKind::What::kText, "", "", {}, 0, std::nullopt};
  if (one_word && distinct.size() == count && count >= 100) {
    return {FoundKind::What::kId, "a different value in every row", "", {}, 0, std::nullopt};
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool has_digit(std::string_view field) { return std::any_of(field.begin(), field.end(), is_digit); }

/// A field that isn't a missing value, without blanks around it, and its place in the column.
struct Value {
  std::string_view text;
  std::size_t place = 0;
};
using Values = std::vector<Value>;

/// Whether `count` is at least nine in ten of `values`.
bool are_nearly_all(std::size_t count, std::size_t values) { return 10 * count >= 9 * values && count > 0; }

/// The values that don't fit. Counting stops once they are more than one in ten.
template <class Fits>
std::vector<std::size_t> misfits(const Values& values, const Fits& fits) {
  std::vector<std::size_t> odd;
  for (const Value& value : values) {
    if (!fits(value.text)) odd.push_back(value.place);
    if (!are_nearly_all(values.size() - odd.size(), values.size())) break;
  }
  return odd;
}

/// What a column might be, and the fields that contradict it.
struct Candidate {
  FoundKind::What what = FoundKind::What::kNumber;
  std::string format;
  std::vector<std::size_t> odd;
};

bool is_styled(std::string_view field, const NumberStyle& style, const NumberRules& rules) {
  const std::optional<std::string> plain = plain_decimal(field, style);
  return plain && rules.is_number(*plain);
}

/// The style that most values show.
NumberStyle likely_style(const Values& values, char decimal) {
  std::vector<std::pair<NumberStyle, std::size_t>> signs, between;
  const auto count = [](auto& tally, const NumberStyle& style) {
    const auto same = std::find_if(tally.begin(), tally.end(), [&](const auto& one) { return one.first == style; });
    if (same == tally.end()) {
      tally.emplace_back(style, 1);
    } else {
      ++same->second;
    }
  };
  for (const Value& value : values) {
    if (!has_digit(value.text)) continue;
    NumberStyle shown = shown_style(value.text, decimal);
    if (shown.thousands != 0) count(between, {decimal, shown.thousands, "", false});
    shown.thousands = 0;
    count(signs, shown);
  }
  const auto most = [](const auto& tally) {
    return std::max_element(tally.begin(), tally.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  NumberStyle style{decimal, 0, "", false};
  if (!signs.empty()) style = most(signs)->first;
  if (!between.empty()) style.thousands = most(between)->first.thousands;
  return style;
}

Candidate styled_numbers(const Values& values, char decimal, const NumberRules& rules) {
  const NumberStyle style = likely_style(values, decimal);
  return {FoundKind::What::kNumber, style_text(style),
          misfits(values, [&](std::string_view field) { return is_styled(field, style, rules); })};
}

Candidate dates(const Values& values, const std::string& format) {
  return {FoundKind::What::kDate, format,
          misfits(values, [&](std::string_view field) { return parse_date(field, format).has_value(); })};
}

/// Dates other than ISO, with day, month and year in each usual order. If points separate them, the day comes first.
std::vector<Candidate> other_dates(const Values& values) {
  constexpr std::array<std::string_view, 7> kDays = {"%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y",
                                                     "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d"};
  constexpr std::array<std::string_view, 3> kTimes = {"", " %H:%M", " %H:%M:%S"};
  constexpr std::size_t kTried = 20;  // values that show which formats are worth trying on all
  std::vector<Candidate> all;
  for (const std::string_view day : kDays) {
    for (const std::string_view time : kTimes) {
      const std::string format = std::string(day).append(time);
      const bool worth =
          std::any_of(values.begin(), values.begin() + std::min(values.size(), kTried), [&](const Value& v) {
            return v.text.size() >= 8 && v.text.size() <= 19 && is_digit(v.text[0]) && parse_date(v.text, format);
          });
      if (worth) all.push_back(dates(values, format));
    }
  }
  return all;
}

/// Whether leading zeros make these numbers codes: all have the same length, or at least one in ten begins with 0.
bool are_codes(const Values& values) {
  std::size_t codes = 0;
  bool one_length = true;
  for (const Value& value : values) {
    if (is_code(value.text)) ++codes;
    one_length = one_length && value.text.size() == values.front().text.size();
  }
  return codes > 0 && (one_length || 10 * codes >= values.size());
}

FoundKind found(const Candidate& candidate, std::size_t values) {
  FoundKind kind{candidate.what, "", candidate.format, candidate.odd, values, std::nullopt};
  if (kind.what == FoundKind::What::kNumber && candidate.format == "1234.5") kind.format.clear();
  return kind;
}

/// Detects thousands that might be decimals, because every field with a sign between digits reads like 1,234.
std::optional<FoundKind::Doubt> thousands_doubt(const Values& values, const FoundKind& kind, const NumberRules& rules) {
  const std::optional<NumberStyle> style = style_of(kind.format);
  if (kind.what != FoundKind::What::kNumber || rules.certain || !style || style->thousands != ',') return std::nullopt;
  NumberStyle other = *style;
  other.decimal = ',';
  other.thousands = 0;
  std::optional<FoundKind::Doubt> doubt;
  for (const Value& value : values) {
    if (shown_decimal(value.text) != 0) return std::nullopt;
    if (value.text.find(',') == std::string_view::npos || doubt) continue;
    const auto first = plain_decimal(value.text, other), second = plain_decimal(value.text, *style);
    if (first && second) doubt = FoundKind::Doubt{value.text, *first, *second};
  }
  return doubt;
}

/// Detects dates whose day and month can't be told apart in any field.
std::optional<FoundKind::Doubt> date_doubt(const Values& values, const FoundKind& kind,
                                           std::span<const Candidate> candidates) {
  if (kind.what != FoundKind::What::kDate || values.empty()) return std::nullopt;
  for (const Candidate& other : candidates) {
    if (other.what != kind.what || other.format == kind.format || other.odd.size() != kind.odd.size()) continue;
    return FoundKind::Doubt{values.front().text, kind.format, other.format};
  }
  return std::nullopt;
}

}  // namespace

std::span<const std::string_view> missing_words() {
  static constexpr std::array<std::string_view, 7> kWords = {"na", "n/a", "nan", "null", "none", "?", "-"};
  return kWords;
}

bool is_code(std::string_view field) {
  if (!field.empty() && (field[0] == '+' || field[0] == '-')) field.remove_prefix(1);
  return field.size() > 1 && field[0] == '0' && is_digit(field[1]);
}

bool is_hole(std::string_view field, std::span<const std::string> words) {
  if (field.empty()) return true;
  const auto always = missing_words();
  if (field.size() <= 4 &&
      std::any_of(always.begin(), always.end(), [&](std::string_view word) { return is_word(field, word); })) {
    return true;
  }
  return std::find(words.begin(), words.end(), field) != words.end();
}

char shown_decimal(std::string_view field) {
  if (field.empty() || !has_digit(field)) return 0;
  char shown = 0;
  for (const char decimal : {'.', ','}) {
    const NumberStyle style = shown_style(field, decimal);
    const std::optional<std::string> plain = plain_decimal(field, style);
    const bool number = plain && plain->find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (!number) continue;
    if (shown != 0) return 0;  // it can be read either way
    shown = decimal;
  }
  return shown;
}

FoundKind find_kind(std::span<const std::string_view> fields, std::span<const std::string> missing_words,
                    const NumberRules& rules) {
  const auto is_plain = [&](std::string_view field) { return rules.is_number(field) && !is_code(field); };
  if (rules.decimal == '.' && !fields.empty() && std::all_of(fields.begin(), fields.end(), is_plain)) {
    return {FoundKind::What::kNumber, "", "", {}, fields.size(), std::nullopt};
  }
  Values values;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string_view text = trimmed(fields[i]);
    if (!is_hole(text, missing_words)) values.push_back({text, i});
  }
  if (values.empty()) return {FoundKind::What::kNothing, "no value in the rows looked at", "", {}, 0, std::nullopt};
  if (std::ranges::all_of(values, [](const Value& value) { return boolean_of(value.text).has_value(); })) {
    return found({FoundKind::What::kNumber, std::string(kBooleanStyle), {}}, values.size());
  }
  const NumberStyle plain{rules.decimal, 0, "", false};
  std::vector<Candidate> candidates;
  candidates.push_back({FoundKind::What::kNumber, "1234.5", misfits(values, [&](std::string_view field) {
                          return rules.decimal == '.' ? rules.is_number(field) : is_styled(field, plain, rules);
                        })});
  const bool codes = candidates[0].odd.empty() && are_codes(values);
  if (candidates[0].odd.empty() && !codes) return found(candidates[0], values.size());
  const std::size_t with_digits = static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](const Value& value) { return has_digit(value.text); }));
  if (!codes && are_nearly_all(with_digits, values.size())) {
    candidates.push_back(dates(values, "iso"));
    candidates.push_back(styled_numbers(values, rules.decimal, rules));
    if (!rules.only) candidates.push_back(styled_numbers(values, rules.decimal == '.' ? ',' : '.', rules));
    for (Candidate& date : other_dates(values)) candidates.push_back(std::move(date));
    const auto best =
        std::min_element(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.odd.size() < b.odd.size(); });
    if (are_nearly_all(values.size() - best->odd.size(), values.size())) {
      FoundKind kind = found(*best, values.size());
      kind.doubt = thousands_doubt(values, kind, rules);
      if (!kind.doubt) kind.doubt = date_doubt(values, kind, candidates);
      return kind;
    }
  }
  FoundKind kind = kind_of_words(fields);
  if (codes && kind.reason.empty()) kind.reason = "codes that begin with 0";
  kind.values = values.size();
  return kind;
}

}  // namespace linsep
