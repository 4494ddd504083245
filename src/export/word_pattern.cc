#include "export/word_pattern.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "table/words/words.h"

namespace linsep {
namespace {

std::string utf8(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  std::string text;
  if (code < 0x800) {
    text = {byte(0xc0U | code >> 6U)};
  } else if (code < 0x10000) {
    text = {byte(0xe0U | code >> 12U), byte(0x80U | (code >> 6U & 0x3fU))};
  } else {
    text = {byte(0xf0U | code >> 18U), byte(0x80U | (code >> 12U & 0x3fU)), byte(0x80U | (code >> 6U & 0x3fU))};
  }
  text.push_back(byte(0x80U | (code & 0x3fU)));
  return text;
}

std::uint32_t code_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead;
  std::uint32_t code = lead & (0xffU >> (text.size() + 1));
  for (const char byte : text.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  return code;
}

/// Runs the reader of words on one code point. Returns false if it separates words. A letter within words gets one
/// blank before and after it, and a word by itself gets two.
bool is_letter(std::uint32_t code, LetterRange& range) {
  const std::string text = utf8(code);
  std::array<char, words::room_for(4)> out{};
  const std::string_view spread(out.data(), words::kStrict.spread(text, out.data()));
  const std::size_t begin = spread.find_first_not_of(' ');
  if (begin == std::string_view::npos) return false;
  const std::uint32_t lowered = code_of(spread.substr(begin, spread.size() - 2 * begin));
  range = {code, code, begin == 2, static_cast<std::int32_t>(lowered) - static_cast<std::int32_t>(code)};
  return true;
}

std::string class_of(const std::vector<LetterRange>& ranges) {
  std::string text;
  for (const LetterRange& range : ranges) {
    text += fmt::format("\\x{{{:X}}}", range.first);
    if (range.last > range.first) text += fmt::format("-\\x{{{:X}}}", range.last);
  }
  return text;
}

}  // namespace

std::vector<LetterRange> letter_ranges() {
  std::vector<LetterRange> ranges;
  LetterRange next;
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    if (!is_letter(code, next)) continue;
    const bool goes_on = !ranges.empty() && ranges.back().last + 1 == code && ranges.back().own == next.own &&
                         ranges.back().lower == next.lower;
    if (goes_on) {
      ranges.back().last = code;
    } else {
      ranges.push_back(next);
    }
  }
  return ranges;
}

std::string word_pattern() {
  // `own` has the code points that are words by themselves. `wide` also has the separators between them, which keeps
  // the classes below short.
  std::vector<LetterRange> own, wide;
  bool apart = true;
  for (const LetterRange& range : letter_ranges()) {
    if (!range.own) {
      apart = true;
      continue;
    }
    own.push_back(range);
    if (apart) wide.push_back(range);
    wide.back().last = range.last;
    apart = false;
  }
  const std::string without = class_of(wide);
  return fmt::format("[{}]|(?:[^\\P{{L}}{}]|[^\\P{{M}}{}]|[^\\P{{N}}{}]|_)+", class_of(own), without, without, without);
}

}  // namespace linsep
