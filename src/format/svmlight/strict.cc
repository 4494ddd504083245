#include "format/svmlight/strict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bytes/number.h"
#include "core/deadline.h"

namespace linsep::svmlight {
namespace {

constexpr std::uint64_t kLargestIndex = 0xffffffff;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// One line and the position in it. Every token ends at a blank, at a comment or at the end of the line.
class Line {
 public:
  Line(const char* begin, const char* end, std::uint64_t number)
      : begin_(begin), end_(end > begin && end[-1] == '\r' ? end - 1 : end), at_(begin), number_(number) {}

  const char* at() const { return at_; }
  const char* end() const { return end_; }
  void go_to(const char* p) { at_ = p; }
  bool ends_at(const char* p) const { return p == end_ || *p == '#'; }
  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) ++at_;
  }
  const char* token_end() const {
    return std::find_if(at_, end_, [](char c) { return is_blank(c) || c == '#'; });
  }

  [[noreturn]] void fail(const char* p, const std::string& expected) const {
    throw TextError{number_, static_cast<std::uint64_t>(p - begin_) + 1,
                    fmt::format("expected {}, found {}", expected, shown(p, end_))};
  }
  [[noreturn]] void refuse_tiny(const char* p) const {
    throw TextError{number_, static_cast<std::uint64_t>(p - begin_) + 1, tiny_message(shown(p, end_))};
  }
  [[noreturn]] void refuse_missing(std::string_view label) const {
    throw TextError{number_,
                    static_cast<std::uint64_t>(label.data() - begin_) + 1,
                    missing_label_message(label),
                    {kMissingLabelOption}};
  }
  /// A token must be followed by a blank, a comment or the end.
  void require_end_of(const char* token, const char* p) const {
    if (!ends_at(p) && !is_blank(*p)) fail(p, fmt::format("a blank after {}", token));
  }

 private:
  const char* begin_;
  const char* end_;
  const char* at_;
  std::uint64_t number_;
};

std::string_view label_token(Line& line, const Rules& rules) {
  const char* begin = line.at();
  const char* end = line.token_end();
  if (std::find(begin, end, ':') != end) {
    if (rules.labelled) line.fail(begin, "a label");
    return {begin, 0};
  }
  const char* control = std::find_if(begin, end, is_control);
  if (control != end) line.fail(control, "a label of visible characters");
  line.go_to(end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Throws what is wrong with a label that `take_label` refused.
[[noreturn]] void refuse_label(const Line& line, std::string_view label, const Rules& rules) {
  if (rules.missing.is_missing(label)) line.refuse_missing(label);
  double number = 0;
  const NumberEnd got = parse_number(label.data(), label.data() + label.size(), number);
  if (got.fault == NumberFault::kTooLarge) line.fail(label.data(), "a label no larger than 1.8e308");
  if (got.tiny) line.refuse_tiny(label.data());
  line.fail(label.data(), rules.regression ? "a number as label" : "a label");
}

void read_query(Line& line) {
  const char* p = line.at() + 4;
  const char* digits = p;
  while (p < line.end() && is_digit(*p)) ++p;
  if (p == digits) line.fail(p, "the digits of a query number");
  line.require_end_of("the query number", p);
  line.go_to(p);
}

std::uint32_t read_index(Line& line, std::uint32_t previous) {
  const char* begin = line.at();
  const char* p = begin;
  std::uint64_t index = 0;
  for (; p < line.end() && is_digit(*p); ++p) {
    index = index * 10 + static_cast<std::uint64_t>(*p - '0');
    if (index > kLargestIndex) line.fail(begin, "an index of at most 4294967295");
  }
  if (p == begin) line.fail(begin, "an index");
  if (p == line.end() || *p != ':') line.fail(p, fmt::format("':' after the index {}", index));
  if (index == 0) line.fail(begin, "an index of at least 1");
  if (index <= previous) line.fail(begin, fmt::format("an index above {}", previous));
  line.go_to(p + 1);
  return static_cast<std::uint32_t>(index);
}

/// Sets `tiny` if the value is too small for its type.
template <class V>
V read_value(Line& line, const Rules& rules, bool& tiny) {
  V value = 0;
  const char* begin = line.at();
  const NumberEnd got = parse_number(begin, line.end(), value);
  switch (got.fault) {
    case NumberFault::kNone:
      break;
    case NumberFault::kNoDigits:
      line.fail(begin, looks_infinite(begin, line.end()) ? "a finite number" : "a number");
    case NumberFault::kNoExponent:
      line.fail(got.end, "the digits of an exponent");
    case NumberFault::kTooLarge:
      line.fail(begin, sizeof(V) == sizeof(float) ? "a number within the range of a float (or ask for double values)"
                                                  : "a number within the range of a double");
  }
  line.require_end_of("the value", got.end);
  if (got.tiny && rules.exact) line.refuse_tiny(begin);
  line.go_to(got.end);
  tiny = got.tiny;
  return value;
}

/// The grammar. Calls `take_label(token)` and `take_entry(index, value, text, tiny)` in the order of the line. Returns
/// false if the line isn't a row.
template <class V, class TakeLabel, class TakeEntry>
bool read(Line& line, const Rules& rules, TakeLabel&& take_label, TakeEntry&& take_entry) {
  line.skip_blanks();
  if (line.ends_at(line.at())) return false;
  take_label(label_token(line, rules));
  bool first = true;
  std::uint32_t previous = 0;
  for (;; first = false) {
    line.skip_blanks();
    if (line.ends_at(line.at())) return true;
    if (first && std::string_view(line.at(), line.end()).starts_with("qid:")) {
      read_query(line);
      continue;
    }
    poll(20);
    previous = read_index(line, previous);
    const char* text = line.at();
    bool tiny = false;
    const V value = read_value<V>(line, rules, tiny);
    take_entry(previous, value, std::string_view(text, line.at()), tiny);
  }
}

}  // namespace

bool take_label(const char* begin, const char* end, const Rules& rules, PageLabels& labels) {
  const auto is_odd = [](char c) { return c == ':' || c == '#' || is_blank(c) || is_control(c); };
  if (!rules.labelled) {
    if (std::any_of(begin, end, is_odd)) return false;
    labels.add_number(0);
    return true;
  }
  double number = 0;
  const NumberEnd got = parse_number(begin, end, number);
  if (got.fault == NumberFault::kNone && got.end == end) {
    if (got.tiny && rules.exact) return false;
    if (rules.regression) {
      labels.add_number(number);
    } else {
      labels.add_number(number, {begin, static_cast<std::size_t>(end - begin)});
    }
    return true;
  }
  if (got.fault == NumberFault::kTooLarge || rules.regression) return false;
  if (begin == end || std::any_of(begin, end, is_odd)) return false;
  if (rules.missing.is_missing({begin, static_cast<std::size_t>(end - begin)})) return false;
  labels.add_word({begin, static_cast<std::size_t>(end - begin)});
  return true;
}

template <class V>
void read_line(const char* begin, const char* end, std::uint64_t number, const Rules& rules, Rows<V>& rows) {
  Line line(begin, end, number);
  std::uint64_t entries = 0;
  bool dropped = false;
  const bool is_row = read<V>(
      line, rules,
      [&](std::string_view label) {
        dropped = rules.missing.drop() && rules.missing.is_missing(label);
        if (dropped) return;
        if (!take_label(label.data(), label.data() + label.size(), rules, rows.labels))
          refuse_label(line, label, rules);
      },
      [&](std::uint32_t index, V value, std::string_view, bool tiny) {
        if (tiny && !dropped) rows.tiny.add(static_cast<std::int64_t>(rows.size), index - 1);
        rows.column[rows.nonzeros + entries] = index - 1;
        rows.value[rows.nonzeros + entries] = value;
        ++entries;
      });
  if (dropped) {
    ++rows.dropped;
  } else if (is_row) {
    rows.end_row(entries);
  }
}

bool is_row(const char* begin, const char* end, const Rules& rules) {
  Line line(begin, end, 0);
  line.skip_blanks();
  if (line.ends_at(line.at())) return false;
  return !rules.missing.drop() ||
         !rules.missing.is_missing({line.at(), static_cast<std::size_t>(line.token_end() - line.at())});
}

template <class V>
WrittenRow written_line(const char* begin, const char* end, std::uint64_t number, const Rules& rules) {
  Line line(begin, end, number);
  WrittenRow row;
  row.values.reserve(static_cast<std::size_t>(std::count(begin, end, ':')));
  read<V>(
      line, rules, [&](std::string_view token) { row.label = token; },
      [&](std::uint32_t index, V, std::string_view text, bool) {
        row.values.push_back({index - 1, std::string(text), 0});
      });
  return row;
}

template void read_line<float>(const char*, const char*, std::uint64_t, const Rules&, Rows<float>&);
template void read_line<double>(const char*, const char*, std::uint64_t, const Rules&, Rows<double>&);
template WrittenRow written_line<float>(const char*, const char*, std::uint64_t, const Rules&);
template WrittenRow written_line<double>(const char*, const char*, std::uint64_t, const Rules&);

}  // namespace linsep::svmlight
