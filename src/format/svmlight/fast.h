// Shared by the vector versions of the svmlight parser.
//
// Station 1 scans the text in blocks of 64 bytes and makes marks. A mark is the position where a token ends, that is,
// of every ':' and of the first blank after something. Station 2 converts. A plain row "label index:value index:value
// …" has the marks  blank, colon, blank, colon, blank …  with its tokens between them. Several tokens are converted at
// once, right aligned in a vector. Anything but plain digits with at most one point and one minus is noticed and read
// again by the scalar code, token by token. If that fails too, the strict parser reads the line.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bytes/number.h"
#include "core/deadline.h"
#include "format/svmlight/page.h"
#include "format/svmlight/strict.h"

namespace linsep::svmlight {

/// Positions are 32-bit. Longer chunks (of one endless row) are left to the strict parser.
inline constexpr std::size_t kLongestFastChunk = std::size_t{1} << 30;

/// The marks of a chunk are followed by this many more, for vectors that reach beyond its last row. They point to bytes
/// that may be read.
inline constexpr std::size_t kSpareMarks = 64;

/// The results of `scan`.
struct Marks {
  std::uint32_t* mark = nullptr;
  std::uint32_t* line_end = nullptr;    ///< position of each '\n'
  std::uint32_t* line_mark = nullptr;   ///< number of marks up to there
  std::uint32_t* line_colon = nullptr;  ///< number of colons among them
  std::uint32_t marks = 0, lines = 0, colons = 0;
};

/// Room for the marks of `bytes` bytes.
inline Marks prepare_marks(ParserScratch& scratch, std::size_t bytes) {
  Marks marks;
  marks.mark = scratch.mark.reserve(bytes + kSpareMarks);
  marks.line_end = scratch.line_end.reserve(bytes);
  marks.line_mark = scratch.line_mark.reserve(bytes);
  marks.line_colon = scratch.line_colon.reserve(bytes);
  return marks;
}

/// Ends a scan of `bytes` bytes.
inline void finish_marks(Marks& marks, std::uint32_t bytes) {
  std::fill_n(marks.mark + marks.marks, kSpareMarks, bytes);
}

/// Counts down while most groups of tokens can't be converted at once, for instance because numbers have 17 digits.
/// Then the rest of the chunk is better left to the strict parser.
class Patience {
 public:
  void lose() { --left_; }
  void gain() { left_ = std::min(left_ + 4, kMost); }
  bool is_lost() const { return left_ <= 0; }

 private:
  static constexpr int kMost = 64;
  int left_ = kMost;
};

/// Describes the bytes of several tokens: one bit per byte, 16 bytes per token, each token at the upper end of its 16.
struct TokenBits {
  std::uint64_t token = 0, digit = 0, point = 0, minus = 0;
};

/// How to read these tokens as decimals. REQUIRES: tokens of 1 to 15 bytes.
struct TokenShape {
  std::uint64_t below = 0;  ///< bytes up to the point, or all 16 without one: 16 less the fraction's digits
  std::uint64_t shift = 0;  ///< bytes up to the point, or none. Digits there move up by one, over the point
  std::uint64_t minus = 0;
  std::uint64_t odd = 0;  ///< not 0 in tokens that aren't [-] digits [. digits] ending with a digit
};

inline TokenShape shape_of(const TokenBits& bits) {
  constexpr std::uint64_t kHigh = 0x8000800080008000;
  constexpr std::uint64_t kLow = 0x0001000100010001;
  const std::uint64_t first = bits.token & ~(bits.token << 1);
  const std::uint64_t point = bits.point & bits.token;
  const std::uint64_t stop = point | kHigh;  // the lowest bit of each 16 is the point, or else the last byte
  const std::uint64_t rest = stop - kLow;    // without that bit, and with all bits below it
  TokenShape shape;
  shape.below = stop ^ rest;
  const std::uint64_t pointless = (shape.below & kHigh) >> 15;  // 1 in tokens without a point
  shape.shift = shape.below & ~((pointless << 16) - pointless);
  shape.minus = bits.minus & first;
  shape.odd = (bits.token & ~(bits.digit | point | shape.minus)) | (kHigh & ~bits.digit) | (point & rest);
  return shape;
}

/// Reads the tokens between the marks `mark[0]`, `mark[1]`, …, `mark[2 * count]` one by one. `previous` is the last
/// index before them, and then the last of them. Returns false if the strict parser must read the line.
template <class V>
bool read_tokens(const char* text, const std::uint32_t* mark, std::uint32_t count, std::uint64_t& previous,
                 std::uint32_t* column, V* value) {
  for (std::uint32_t j = 0; j < count; ++j) {
    const char* p = text + mark[2 * j] + 1;
    const char* colon = text + mark[2 * j + 1];
    std::uint64_t index = 0;
    if (p == colon || colon - p > 10) return false;
    for (; p < colon; ++p) {
      const auto digit = static_cast<unsigned char>(*p - '0');
      if (digit > 9) return false;
      index = index * 10 + digit;
    }
    if (index <= previous || index > 0xffffffff) return false;
    const NumberEnd got = parse_number(colon + 1, text + mark[2 * j + 2], value[j]);
    if (got.fault != NumberFault::kNone || got.end != text + mark[2 * j + 2] || got.tiny) return false;
    column[j] = static_cast<std::uint32_t>(index - 1);
    previous = index;
  }
  return true;
}

/// Does the same as `take_label`, but quickly for "1", "0", "+1" and "-1".
inline bool take_short_label(const char* begin, const char* end, const Rules& rules, PageLabels& labels) {
  const bool is_signed = end - begin == 2 && (*begin == '+' || *begin == '-');
  const auto digit = static_cast<unsigned char>(end[-1] - '0');
  if ((end - begin == 1 || is_signed) && digit <= 9 && rules.labelled) {
    labels.add_number(is_signed && *begin == '-' ? -static_cast<double>(digit) : static_cast<double>(digit));
    return true;
  }
  return take_label(begin, end, rules, labels);
}

/// The frame of a fast version. `Isa::scan(text, bytes, marks)` makes the marks. It returns false if the text has
/// blanks other than ' ', tab, "\n" and "\r\n", or two colons in one token. `Isa::read_entries(text, mark, count,
/// column, value, patience)` converts a row's `count` entries. It returns false if the strict parser must read the row.
template <class Isa, class V>
ParsedPage parse_fast(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  const char* text = chunk.text.data();
  // An unfinished last line is followed by a '\n'.
  const std::size_t bytes = chunk.text.size() + (chunk.text.empty() || chunk.text.back() == '\n' ? 0 : 1);
  if (bytes > kLongestFastChunk) return parse_scalar<V>(chunk, rules, scratch);
  Marks marks = prepare_marks(scratch, bytes);
  if (!Isa::scan(text, static_cast<std::uint32_t>(bytes), marks)) return parse_scalar<V>(chunk, rules, scratch);
  finish_marks(marks, static_cast<std::uint32_t>(bytes));

  PageMaker<V> maker(scratch, marks.lines, marks.colons);
  Rows<V>& rows = maker.rows;
  Patience patience;
  std::uint32_t begin = 0;
  std::uint32_t mark = 0;
  std::uint32_t colon = 0;
  for (std::uint32_t line = 0; line < marks.lines; ++line) {
    const std::uint32_t entries = marks.line_colon[line] - colon;
    poll(50 + 10 * std::size_t{entries});
    const std::uint32_t* here = marks.mark + mark;
    // If there is one mark more than twice the colons, no two colons are adjacent and both ends are blanks, they
    // alternate.
    const bool plain =
        marks.line_mark[line] - mark == 2 * entries + 1 && text[here[0]] != ':' && !patience.is_lost() &&
        Isa::read_entries(text, here, entries, rows.column + rows.nonzeros, rows.value + rows.nonzeros, patience) &&
        take_short_label(text + begin, text + here[0], rules, rows.labels);
    if (plain) {
      rows.end_row(entries);
    } else {
      read_line(text + begin, text + marks.line_end[line], line, rules, rows);
    }
    begin = marks.line_end[line] + 1;
    mark = marks.line_mark[line];
    colon = marks.line_colon[line];
  }
  return maker.finish(chunk, marks.lines);
}

}  // namespace linsep::svmlight
