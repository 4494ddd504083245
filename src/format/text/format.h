// TextFormat is what the text reader needs to know about a format: where rows end, and how a chunk becomes a page.
//
// The stations are: bytes (file, gzip, zstd, standard input) → chunker (256 kB, cut after whole rows) → parse (any
// thread) → pages in order → labels resolved. A format is a value of this type, and the stations are the same for all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/chunker.h"
#include "data/memory_source.h"
#include "linsep/source.h"

namespace linsep {

struct TableMap;

/// A page with its labels as they came. They are numbers, or words if one isn't a number. With several label columns a
/// row's label is a word, made of the text of each column followed by kLabelEnd.
struct ParsedPage {
  Page page;                             ///< first_row and first_line are filled in by the reader
  std::vector<std::string> label_words;  ///< empty if `page.label` holds numbers as written, else what it indexes
  TinyValues tiny;                       ///< see NumberEnd::tiny. Rows are those of the page, from 0
  std::int64_t dropped = 0;  ///< rows left out because they have no label, and not counted as rows of the page
};

inline constexpr char kLabelEnd = '\x1f';

/// A bad byte, relative to its chunk. The reader turns it into an Error with file and line.
struct TextError {
  std::uint64_t line = 0;                 ///< lines of the chunk before it
  std::uint64_t column = 0;               ///< from 1, in bytes
  std::string message;                    ///< what was expected and what was found
  std::vector<std::string> options = {};  ///< the options for each "{}" in it, see Error
};

struct TextFormat {
  /// The length of the longest prefix of `text` that consists of whole rows, or 0 if there is none. `text` begins at a
  /// row's beginning.
  std::function<std::size_t(std::string_view text)> whole_rows;
  /// Parses a chunk. Thread safe. Throws TextError.
  std::function<ParsedPage(const Chunk&)> parse;
  /// Splits one chunk into its rows exactly as written, for the local row numbers given (ascending).
  /// Throws TextError.
  std::function<std::vector<WrittenRow>(const Chunk&, const std::vector<std::int64_t>&)> written;
  /// The fields of the columns at the given indices as they are in the text, one row after another. Empty if rows have
  /// no columns. Throws TextError.
  std::function<std::vector<std::string>(const Chunk&, std::span<const std::size_t> columns)> fields;
  /// The index of a column given by name or by number from 1, and its name. Throws a usage Error.
  std::function<std::pair<std::size_t, std::string>(const std::string& column)> column_named;
  std::vector<std::string> feature_names;  ///< from a header
  std::vector<std::string> label_names;    ///< of several label columns, else empty
  Reading reading;                         ///< how the text is read, for Schema
  std::shared_ptr<const TableMap> table;   ///< encodes the rows, or null
  std::uint32_t columns = 0;               ///< if dense, the features of every row. 0 if sparse or without rows
  std::uint64_t header_bytes = 0;          ///< bytes (and lines) to skip at the beginning of the input
  std::uint64_t header_lines = 0;
};

}  // namespace linsep
