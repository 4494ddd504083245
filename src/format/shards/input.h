// From a path and options to pages in order: bytes, compression, format, header, and chunks parsed by any number of
// threads.
//
// A thread takes the next chunk (one thread at a time), parses it (in parallel) and puts it in its slot of a ring, from
// which the caller takes pages in order. The ring bounds what is in flight. With one thread everything runs in the
// caller. So does the first chunk, so small inputs never start a thread.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bytes/bytes.h"
#include "bytes/chunker.h"
#include "format/text/format.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {

/// A page and the text it came from, which stays until the next call of `next`.
struct ReadPage {
  ParsedPage parsed;
  Chunk chunk;
};

/// Counts the lines of a file before those that are read. Called only for messages.
using LinesBefore = std::function<std::uint64_t()>;

/// The number of lines (from 0) before row `row` (from 0) of a chunk that parses, for messages. Parses parts of it
/// again.
std::uint64_t line_of_row(const TextFormat& format, const Chunk& chunk, std::int64_t row);

class PagePipeline {
 public:
  /// `name` is the input's, for messages. `stop` ends a read that waits. `before` is empty if there are no lines
  /// before. Setting `interrupt` (may be nullptr) ends the parsing of a chunk with an Error of kind kInterrupted.
  PagePipeline(Chunker chunker, TextFormat format, int threads, std::string name,
               std::shared_ptr<std::atomic<bool>> stop, const std::atomic<bool>* interrupt, LinesBefore before);
  PagePipeline(const PagePipeline&) = delete;
  PagePipeline& operator=(const PagePipeline&) = delete;
  ~PagePipeline();

  /// The next page that has rows, numbered from 0, or nothing at the end. Throws Error at the first bad byte in the
  /// order of the input, whatever the number of threads. After the end or an Error there is nothing more.
  std::optional<ReadPage> next();

  /// Rows left out so far because they have no label.
  std::int64_t dropped() const { return dropped_; }

  /// An Error about row `row` (from 0) of a page that `next` has just delivered.
  Error error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const;

 private:
  struct Slot {
    ChunkBuffer buffer;
    ParsedPage parsed;
    std::exception_ptr failure;
    bool ready = false;  ///< parsed or failed; guarded by mutex_
    bool end = false;    ///< there is no such chunk
  };

  bool read(Slot& slot);
  void parse(Slot& slot);
  void start_threads();
  void work();
  Slot& wait_for_next();
  ReadPage deliver(Slot& slot);

  Chunker chunker_;  ///< guarded by reading_ once threads run
  TextFormat format_;
  int threads_;
  std::string name_;
  std::shared_ptr<std::atomic<bool>> stop_;
  const std::atomic<bool>* interrupt_;
  LinesBefore before_;

  std::uint64_t delivered_ = 0;  ///< chunks
  std::int64_t rows_ = 0;        ///< in them
  std::int64_t dropped_ = 0;     ///< rows left out of them
  std::uint64_t line_ = 1;       ///< number of the next chunk's first line, counted after those `before`
  bool done_ = false;            ///< at the end, or after an Error

  std::mutex reading_;
  std::uint64_t taken_ = 0;  ///< chunks; guarded by reading_
  bool ended_ = false;       ///< guarded by reading_

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> ring_;
  std::uint64_t freed_ = 0;  ///< chunks whose slot may be used again; guarded by mutex_
  std::vector<std::thread> workers_;
};

struct Stations;

/// What distinguishes text formats, one value for each. A new one needs a value of Format in linsep/read.h, an entry in
/// input.cc, and its TextFormat.
struct FormatFacts {
  ReadOptions::Format format = ReadOptions::Format::kAuto;
  std::string_view option;  ///< its name in options
  std::string_view name;    ///< in messages
  std::array<std::string_view, 3> endings;
  bool has_columns = false;  ///< rows are fields in columns, which a table may encode. Else features are numbered
  bool (*looks_like)(std::string_view first_line) = nullptr;  ///< formats are tried in their order
  TextFormat (*open)(std::string_view first_bytes, const ReadOptions& options, const Stations& stations) = nullptr;
};
/// REQUIRES: not kAuto. It may be any format, so only `has_columns` is known for it.
const FormatFacts& facts_of(ReadOptions::Format format);
ReadOptions::Format last_format();

/// The set-up of the stations. No result depends on it.
struct Stations {
  std::size_t chunk_bytes = kChunkBytes;
  std::size_t largest_block = std::size_t{8} << 20;  ///< of page memory
  std::size_t head_bytes = std::size_t{64} << 10;    ///< read first, for the format, and more if a line is longer
  bool eager = false;                                ///< don't wait for full chunks
  /// Makes the format for CSV and TSV instead of `csv_format`.
  std::function<TextFormat(std::string_view first_bytes, const ReadOptions& options)> csv = {};
};

/// An input whose format is known and whose pages are ready to be read.
struct TextInput {
  TextFormat format;
  std::unique_ptr<PagePipeline> pages;
  std::string name;
  ReadOptions::Format kind = ReadOptions::Format::kAuto;  ///< resolved: not kAuto
  bool empty = false;                                     ///< the file is empty
  bool regular = false;
  bool compressed = false;
  FileStamp stamp;
  std::uint64_t first_byte = 0;  ///< where its rows begin in the file
  LinesBefore lines_before;      ///< the file's lines before those of its pages, or empty if none
};

/// Reads only the rows that begin in `range`. REQUIRES: if the file isn't plain and ordinary, all of it or nothing.
TextInput open_text(const std::string& path, const ReadOptions& options, const Stations& stations = {},
                    const TextRange& range = {});

/// The format, by the name's ending (before .gz or .zst) if it has a known one. Otherwise the first line that isn't
/// blank or a comment decides. It is svmlight if a token has a ':' after digits, CSV or TSV if there is a comma or a
/// tab, and svmlight if there is neither.
ReadOptions::Format guess_format(std::string_view path, std::string_view first_bytes);

}  // namespace linsep
