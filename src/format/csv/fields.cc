#include "format/csv/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "linsep/tools/shown_text.h"

namespace linsep::csv {
namespace {

const char* end_of(std::string_view text) { return text.data() + text.size(); }

/// The closing quote of a field that was opened just before `at`, or `end`.
const char* closing_quote(const char* at, const char* end, bool& doubled) {
  for (;;) {
    const char* quote = find_byte(at, end, '"');
    if (quote == end || quote + 1 == end || quote[1] != '"') return quote;
    doubled = true;
    at = quote + 2;
  }
}

Field read_quoted(const Syntax& syntax, std::string_view text, const char* open) {
  const char* end = end_of(text);
  Field field;
  field.quoted = true;
  const char* close = closing_quote(open + 1, end, field.doubled);
  if (close == end) throw error_at(text, open, "a quote is opened here and never closed");
  field.text = {open + 1, static_cast<std::size_t>(close - open - 1)};
  const char* p = close + 1;
  while (p < end && syntax.is_blank(*p)) ++p;
  if (p < end && *p == '\r' && (p + 1 == end || p[1] == '\n')) ++p;
  if (p < end && *p != syntax.delimiter && *p != '\n') {
    const char* stop = std::find_if(p, end, [&](char c) { return c == syntax.delimiter || c == '\n'; });
    throw error_at(text, p,
                   fmt::format("expected {} or the end of the line after a closing quote, found {} (a quote within a "
                               "quoted field is written twice)",
                               syntax.delimiter == '\t' ? "a tab" : fmt::format("'{}'", syntax.delimiter),
                               shown_field({p, static_cast<std::size_t>(stop - p)})));
  }
  field.end = p;
  return field;
}

}  // namespace

const char* find_byte(const char* from, const char* end, char c) {
  // Handles four words at a time. A byte of `word` is zero if it was c, and (word - kOnes) & ~word & kHighs isn't 0
  // only if some byte is zero.
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = kOnes << 7;
  std::array<std::uint64_t, 4> words{};
  for (; end - from >= static_cast<std::ptrdiff_t>(sizeof words); from += sizeof words) {
    std::uint64_t zeros = 0;
    std::memcpy(words.data(), from, sizeof words);
    for (std::uint64_t word : words) {
      word ^= kOnes * static_cast<unsigned char>(c);
      zeros |= (word - kOnes) & ~word;
    }
    if ((zeros & kHighs) != 0) break;
  }
  return std::find(from, end, c);
}

Field read_field(const Syntax& syntax, std::string_view text, const char* at) {
  const char* end = end_of(text);
  while (at < end && syntax.is_blank(*at)) ++at;
  if (at < end && *at == '"') return read_quoted(syntax, text, at);
  const char* p = at;
  while (p < end && *p != syntax.delimiter && *p != '\n') ++p;
  Field field;
  field.end = p;
  if (p > at && p[-1] == '\r' && (p == end || *p == '\n')) --p;
  while (p > at && syntax.is_blank(p[-1])) --p;
  field.text = {at, static_cast<std::size_t>(p - at)};
  return field;
}

std::string field_text(const Field& field) {
  std::string text;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    text += field.text[i];
    if (field.doubled && field.text[i] == '"') ++i;
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> read_record(const Syntax& syntax, std::string_view text, const char*& at) {
  std::vector<std::string> fields;
  for_each_field(syntax, text, at, [&](const Field& field) { fields.push_back(field_text(field)); });
  return fields;
}

const char* skip_empty_lines(const Syntax& syntax, std::string_view text, const char* at) {
  const char* end = end_of(text);
  for (;;) {
    const char* p = at;
    while (p < end && syntax.is_blank(*p)) ++p;
    if (p < end && *p == '\r' && (p + 1 == end || p[1] == '\n')) ++p;
    if (p == end) return end;
    if (*p != '\n') return at;
    at = p + 1;
  }
}

std::size_t whole_rows(const Syntax& syntax, std::string_view text) {
  const char* begin = text.data();
  const char* end = end_of(text);
  std::size_t whole = 0;
  // Between quoted fields every newline ends a row, so the last one there counts.
  const char* gap = begin;
  for (const char* quote = begin;; ++quote) {
    const char* const begun = quote;
    quote = find_byte(quote, end, '"');
    poll(static_cast<std::size_t>(quote - begun) / 8 + 5);
    const char* before = quote;
    if (quote != end) {
      while (before > gap && syntax.is_blank(before[-1])) --before;
      const bool opens = before == begin || (before > gap && (before[-1] == syntax.delimiter || before[-1] == '\n'));
      if (!opens) continue;
    }
    const std::size_t newline = std::string_view(gap, static_cast<std::size_t>(quote - gap)).rfind('\n');
    if (newline != std::string_view::npos) whole = static_cast<std::size_t>(gap - begin) + newline + 1;
    if (quote == end) return whole;
    bool doubled = false;
    quote = closing_quote(quote + 1, end, doubled);
    if (quote == end) return whole;
    gap = quote + 1;
  }
}

TextError error_at(std::string_view text, const char* at, std::string message) {
  const char* line = at;
  while (line > text.data() && line[-1] != '\n') --line;
  return {static_cast<std::uint64_t>(std::count(text.data(), line, '\n')), static_cast<std::uint64_t>(at - line) + 1,
          std::move(message)};
}

std::string shown_field(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.empty()) return "nothing";
  std::size_t size = std::min(text.size(), kLongest);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
    --size;  // whole characters
  return fmt::format("'{}{}'", shown_text(text.substr(0, size)), size < text.size() ? "…" : "");
}

namespace {

constexpr std::size_t kLookedAt = 65536;

/// The number of fields that all records have, or 0 if they disagree or can't be read. If `one`, looks only at the
/// first.
std::size_t fields_of(std::string_view text, char delimiter, bool one) {
  const Syntax syntax{delimiter};
  const char* end = text.data() + text.size();
  std::size_t all = 0;
  try {
    for (const char* at = skip_empty_lines(syntax, text, text.data()); at != end;) {
      std::size_t fields = 0;
      for_each_field(syntax, text, at, [&](const Field&) { ++fields; });
      if (one) return fields;
      if (all != 0 && fields != all) return 0;
      all = fields;
      at = skip_empty_lines(syntax, text, at);
    }
  } catch (const TextError&) {
    return 0;
  }
  return all;
}

}  // namespace

char find_delimiter(std::string_view text) {
  if (fields_of(text.substr(0, kLookedAt), ',', true) > 1) return ',';
  for (const char delimiter : {';', '\t', '|'}) {
    std::string_view records = text.substr(0, kLookedAt);
    const std::size_t whole = whole_rows({delimiter}, records);
    if (whole > 0) records = records.substr(0, whole);
    if (fields_of(records, delimiter, false) > 1) return delimiter;
  }
  return ',';
}

void refuse_wide_text(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) || text.starts_with("\0\0\xfe\xff"sv)) {
    throw TextError{0, 1, "this is UTF-16 or UTF-32; store it as UTF-8 (iconv -f UTF-16 -t UTF-8)"};
  }
}

}  // namespace linsep::csv
