// The strict svmlight parser, one line at a time, byte by byte. It alone defines what the format means and which errors
// there are (docs/reference/formats/svmlight.md). The fast versions pass it everything that isn't plain, and must agree
// with it.
#pragma once

#include <cstdint>
#include <optional>

#include "format/labels/labels.h"
#include "format/text/format.h"
#include "linsep/source.h"

namespace linsep::svmlight {

struct Rules {
  bool labelled = true;     ///< if false, a label may be missing, and one that is there is skipped
  bool regression = false;  ///< a label must be a number
  bool exact = false;       ///< a number that is too small for its type is an error
  MissingLabels missing = {};
};

/// The arrays of a page while it is parsed. REQUIRES: room for the most that the chunk can hold.
template <class V>
struct Rows {
  std::uint32_t* column = nullptr;
  V* value = nullptr;
  std::uint64_t* start = nullptr;  ///< start[0] is 0; row r ends at start[r + 1]
  PageLabels labels{nullptr};
  std::uint64_t nonzeros = 0;
  std::uint64_t size = 0;
  std::uint32_t features = 0;
  TinyValues tiny;
  std::int64_t dropped = 0;

  /// Ends a row whose entries were written after the last row's.
  void end_row(std::uint64_t entries) {
    nonzeros += entries;
    if (entries > 0 && column[nonzeros - 1] >= features) features = column[nonzeros - 1] + 1;
    start[++size] = nonzeros;
  }
};

/// Takes a whole label token as `rules` demand. Returns false, and takes nothing, if this isn't a plain label. The
/// strict parser must then report why.
bool take_label(const char* begin, const char* end, const Rules& rules, PageLabels& labels);

/// Reads the line [begin, end), without its '\n', which is number `line` of its chunk (from 0). Appends one row, or
/// none if the line is blank or a comment, or has no label and such rows are left out. Throws TextError, after which
/// `rows` is no longer usable.
template <class V>
void read_line(const char* begin, const char* end, std::uint64_t line, const Rules& rules, Rows<V>& rows);

/// Whether a line is a row. It isn't if it is blank or a comment, or left out because it has no label.
bool is_row(const char* begin, const char* end, const Rules& rules);
/// Such a line exactly as written. The caller sets the row's number.
template <class V>
WrittenRow written_line(const char* begin, const char* end, std::uint64_t line, const Rules& rules);

}  // namespace linsep::svmlight
