#include "proof/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "proof/sha256.h"

namespace linsep {
namespace {

constexpr std::ptrdiff_t kSaltLength = 34;        // " #" and 32 digits
constexpr std::size_t kMostCharacters = 100'000;  // of a value, because longer ones would take long to read

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// Digits from `at` on, which moves behind them: their value, if they are at most nine, and how many there are.
struct DigitRun {
  std::uint32_t value = 0;
  std::size_t count = 0;

  DigitRun(const char*& at, const char* end) {
    const char* const begin = at;
    for (; at != end && is_digit(*at); ++at) value = 10 * value + static_cast<std::uint32_t>(*at - '0');
    count = static_cast<std::size_t>(at - begin);
  }
};

constexpr std::size_t kShortDigits = 9;
constexpr std::array<std::uint32_t, kShortDigits + 1> kTens = {1,      10,      100,      1000,      10000,
                                                               100000, 1000000, 10000000, 100000000, 1000000000};

// Takes the canonical nonzero value at the beginning of `text`; false when there is none.
bool take_value(std::string_view text, LeafEntry& entry) {
  const char *at = text.data(), *const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  const char* const first = at;
  const DigitRun whole(at, end);
  if (whole.count == 0 || (*first == '0' && whole.count > 1)) return false;
  entry.is_short = whole.count <= kShortDigits;
  entry.whole = static_cast<std::int32_t>(whole.value);
  entry.fraction = 0;
  if (at != end && *at == '.') {
    ++at;
    const DigitRun rest(at, end);
    if (rest.count == 0 || at[-1] == '0') return false;
    entry.is_short = entry.is_short && rest.count <= kShortDigits;
    if (entry.is_short) entry.fraction = static_cast<std::int32_t>(rest.value * kTens[kShortDigits - rest.count]);
  } else if (*first == '0') {
    return false;
  }
  if (negative && entry.is_short) {
    entry.whole = -entry.whole;
    entry.fraction = -entry.fraction;
  }
  entry.value = text.substr(0, static_cast<std::size_t>(at - text.data()));
  return true;
}

// The length of the canonical nonzero value at the beginning of `text`; 0 when there is none.
std::size_t canonical_length(std::string_view text) {
  LeafEntry entry;
  return take_value(text, entry) ? entry.value.size() : 0;
}

// ±0.d1d2d3… × 10^point, from digits without needless zeros at either end.
void append_positional(bool negative, std::string_view digits, std::int64_t point, std::string& out) {
  if (negative) out += '-';
  const auto size = static_cast<std::int64_t>(digits.size());
  if (point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else if (point >= size) {
    out += digits;
    out.append(static_cast<std::size_t>(point - size), '0');
  } else {
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
  }
}

// The text that two labels of one class have in common.
std::string canonical_class(std::string_view label) {
  std::string text;
  if (!append_canonical(label, text)) text = "word " + std::string(label);
  return text;
}

// Trims digits whose decimal point comes after `point` of them, and appends them.
void append_digits(bool negative, std::string_view digits, std::int64_t point, std::string& out) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) {
    out += '0';
    return;
  }
  const std::size_t last = digits.find_last_not_of('0');
  append_positional(negative, digits.substr(first, last + 1 - first), point - static_cast<std::int64_t>(first), out);
}

}  // namespace

bool append_canonical(std::string_view text, std::string& out) {
  if (!text.empty() && canonical_length(text) == text.size()) {
    out += text;
    return true;
  }
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const bool negative = at == 1 && text[0] == '-';
  const std::size_t point = digits_from(text, at);
  std::string digits(text.substr(at, point - at));
  std::int64_t scale = static_cast<std::int64_t>(digits.size());
  at = point;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = digits_from(text, at + 1);
    digits += text.substr(at + 1, end - at - 1);
    at = end;
  }
  if (digits.empty()) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t end = digits_from(text, at);
    if (end == at) return false;
    const std::size_t first = std::min(text.find_first_not_of('0', at), end);
    if (end - first > 4) return false;
    std::int64_t exponent = 0;
    for (const char c : text.substr(first, end - first)) exponent = 10 * exponent + (c - '0');
    scale += down ? -exponent : exponent;
    at = end;
  }
  if (at != text.size()) return false;
  append_digits(negative, digits, scale, out);
  return true;
}

LabelSigns::LabelSigns(std::span<const std::string> classes) : classes_(classes.size()) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    mark_.emplace(canonical_class(classes[c]), classes_ > 2 ? std::to_string(c + 1) : c == 0 ? "-1" : "+1");
  }
}

LabelSigns::LabelSigns(const std::string& negative, const std::string& positive)
    : LabelSigns(std::array{negative, positive}) {}

LabelSigns LabelSigns::of(Source& data) {
  if (data.schema().labels.empty()) return LabelSigns(data.schema().classes);
  LabelSigns signs;
  std::vector<std::pair<std::int64_t, std::uint32_t>> found;
  data.rewind(0);
  while (const auto batch = data.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      found.emplace_back(batch->number_of(i), static_cast<std::uint32_t>(batch->label_of(i)));
    }
  }
  std::ranges::sort(found);
  if (!found.empty()) signs.first_ = found.front().first;
  for (const auto& [row, combination] : found) signs.of_row_.push_back(combination);
  for (std::string combination : data.schema().combinations) {
    for (char& label : combination) label = label == '1' ? '+' : label == '0' ? '-' : '?';
    signs.combination_.push_back(std::move(combination));
  }
  return signs;
}

std::string_view LabelSigns::mark(const WrittenRow& row) const {
  if (combination_.empty()) return mark(row.label);
  return combination_.at(of_row_.at(static_cast<std::size_t>(row.row - first_)));
}

std::string_view LabelSigns::mark(std::string_view label) const {
  const auto found = mark_.find(canonical_class(label));
  return found == mark_.end() ? std::string_view() : found->second;
}

void append_salt(std::string_view secret, std::int64_t number, std::string& leaf) {
  const std::string text = std::string(secret) + std::to_string(number);
  leaf += " #";
  leaf += to_hex(sha256(std::string_view("\4", 1), text)).substr(0, kSaltLength - 2);
}

bool parse_leaf(std::string_view text, Leaf& leaf, bool weights) {
  leaf.entries.clear();
  leaf.weight = {};
  const char* const end = text.data() + text.size();
  const auto number = [end](const char*& at, auto& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool fine = error == std::errc() && *at != '0' && *at != '-';
    at = next;
    return fine;
  };
  const char* at = text.data();
  if (at == end || !number(at, leaf.row) || end - at < 2 || *at++ != ' ') return false;
  --leaf.row;
  leaf.class_number = 0;
  const char* const labels_end = std::find_if(at, end, [](char c) { return c != '+' && c != '-' && c != '?'; });
  const bool several = weights && (labels_end == end || *labels_end != '1');  // else "+1" or "-1"
  leaf.labels = several ? std::string_view(at, labels_end) : std::string_view();
  leaf.sign = !leaf.labels.empty() ? 0 : *at == '+' ? 1 : *at == '-' ? -1 : 0;
  if (!leaf.labels.empty()) {
    at = labels_end;
  } else {
    if (leaf.sign == 0 && !number(at, leaf.class_number)) return false;
    if (leaf.sign != 0 && (end - at < 2 || at[1] != '1')) return false;
    at += leaf.sign == 0 ? 0 : 2;
  }
  if (weights && at != end && *at == '*') {
    ++at;
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    const std::size_t length = rest == "0" || rest.starts_with("0 ") ? 1 : canonical_length(rest);
    leaf.weight = rest.substr(0, length);
    at += length;
    if (length == 0 || length > kMostCharacters || leaf.weight[0] == '-' || leaf.weight == "1") return false;
  }
  while (at != end) {
    std::uint32_t column = 0;
    if (end - at == kSaltLength && at[0] == ' ' && at[1] == '#') {
      return std::all_of(at + 2, end, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    }
    if (*at++ != ' ' || at == end || !number(at, column) || at == end || *at++ != ':') return false;
    const bool ascends = leaf.entries.empty() || leaf.entries.back().column < column - 1;
    LeafEntry& entry = leaf.entries.emplace_back();
    entry.column = column - 1;
    if (!ascends || !take_value({at, static_cast<std::size_t>(end - at)}, entry)) return false;
    if (entry.value.size() > kMostCharacters) return false;
    at += entry.value.size();
  }
  return true;
}

void write_leaf(const WrittenRow& row, const LabelSigns& labels, std::string& out, bool weights) {
  const auto fail = [&row](const std::string& message) {
    return BadRow("row " + std::to_string(row.row + 1) + ": " + message);
  };
  const std::string_view mark = labels.mark(row);
  if (mark.empty()) throw fail("the label \"" + row.label + "\" is not one of the classes");
  out = std::to_string(row.row + 1);
  out += ' ';
  out += mark;
  const auto append = [&](const WrittenValue& value) {
    const std::size_t start = out.size();
    const bool fine =
        value.decimal.empty() ? append_canonical(value.binary, out) : append_canonical(value.decimal, out);
    if (!fine) throw fail("\"" + value.decimal + "\" is not a finite number");
    if (out.size() - start > kMostCharacters) throw fail("a value has more than 100,000 digits");
    return std::string_view(out).substr(start);
  };
  if (weights) {
    const std::size_t before = out.size();
    out += '*';
    const std::string_view weight = append(row.weight);
    if (weight[0] == '-') throw fail("its weight is below 0");
    if (weight == "1") out.resize(before);
  }
  const auto write = [&](const WrittenValue& value) {
    const std::size_t before = out.size();
    char number[16];
    const auto [end, error] = std::to_chars(number, number + sizeof number, std::uint64_t{value.column} + 1);
    out += ' ';
    out.append(number, end);
    out += ':';
    if (append(value) == "0") out.resize(before);
  };
  if (std::ranges::adjacent_find(row.values, std::ranges::greater_equal(), &WrittenValue::column) == row.values.end()) {
    for (const WrittenValue& value : row.values) write(value);
    return;
  }
  std::vector<const WrittenValue*> order;
  for (const WrittenValue& value : row.values) order.push_back(&value);
  std::ranges::sort(order, {}, [](const WrittenValue* value) { return value->column; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && order[k]->column == order[k - 1]->column) throw fail("a feature is listed twice");
    write(*order[k]);
  }
}

std::int64_t count_rows(Source& data) {
  std::int64_t rows = data.shape().rows;
  if (rows >= 0) return rows;
  rows = 0;
  data.rewind(0);
  while (const auto batch = data.next()) rows += batch->rows;
  return rows;
}

}  // namespace linsep
