// TextInput: a path and options become an open pipeline of pages: bytes, compression, format, header.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "format/text/bytes.h"
#include "format/text/format.h"
#include "format/text/pipeline.h"
#include "format/text/range.h"
#include "linsep/read.h"

namespace linsep {

/// How the stations are set up; no result depends on it.
struct Stations {
  std::size_t chunk_bytes = kChunkBytes;
  std::size_t largest_block = std::size_t{8} << 20;  ///< of page memory
  std::size_t head_bytes = std::size_t{64} << 10;    ///< read first, for the format; more where a line is longer
  bool eager = false;                                ///< don't wait for full chunks
  /// What CSV and TSV become, in place of `csv_format`.
  std::function<TextFormat(std::string_view first_bytes, const ReadOptions& options)> csv = {};
};

/// An input whose format is known and whose pages can be asked for.
struct TextInput {
  TextFormat format;
  std::unique_ptr<PagePipeline> pages;
  std::string name;
  ReadOptions::Format kind = ReadOptions::Format::kAuto;  ///< resolved: not kAuto
  bool empty = false;                                     ///< the file hasn't a byte
  bool regular = false;
  bool compressed = false;
  FileStamp stamp;
  std::uint64_t first_byte = 0;  ///< where its rows begin in the file
  LinesBefore lines_before;      ///< the file's lines before those of its pages; empty: none
};

/// `range`: only the rows that begin there. REQUIRES: of a file that isn't plain and ordinary, all or nothing.
TextInput open_text(const std::string& path, const ReadOptions& options, const Stations& stations = {},
                    const TextRange& range = {});

/// The format by the name's ending (before .gz or .zst), else by the first line that isn't blank or a comment: svmlight
/// if a token has a ':' behind digits, else CSV or TSV if there is a comma or a tab, else svmlight.
ReadOptions::Format guess_format(std::string_view path, std::string_view first_bytes);

}  // namespace linsep
