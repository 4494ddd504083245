// PagePipeline: chunks parsed by any number of threads, pages delivered strictly in the order of the input.
//
// A thread takes the next chunk (one at a time), parses it (all at once) and puts it in its slot of a ring, from which
// the caller takes pages in order. The ring bounds what is in flight. With one thread everything runs in the caller,
// and so does the first chunk: small inputs never start a thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "format/text/chunker.h"
#include "format/text/format.h"
#include "linsep/error.h"

namespace linsep {

/// A page and the text it came from, which is there until the next call of `next`.
struct ReadPage {
  ParsedPage parsed;
  Chunk chunk;
};

/// How many lines of a file stand before those that are read; asked for a message only.
using LinesBefore = std::function<std::uint64_t()>;

class PagePipeline {
 public:
  /// `name` is the input's, for messages. `stop` ends a read that waits. `before`: empty: none.
  PagePipeline(Chunker chunker, TextFormat format, int threads, std::string name,
               std::shared_ptr<std::atomic<bool>> stop, LinesBefore before);
  PagePipeline(const PagePipeline&) = delete;
  PagePipeline& operator=(const PagePipeline&) = delete;
  ~PagePipeline();

  /// The next page that has rows, numbered from 0; nothing at the end. Throws Error at the first bad byte in the order
  /// of the input, whatever the number of threads. After the end or an Error there is nothing more.
  std::optional<ReadPage> next();

  /// Rows left out by now because they have no label.
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
  LinesBefore before_;

  std::uint64_t delivered_ = 0;  ///< chunks
  std::int64_t rows_ = 0;        ///< in them
  std::int64_t dropped_ = 0;     ///< rows left out of them
  std::uint64_t line_ = 1;       ///< number of the next chunk's first line, behind those `before`
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

}  // namespace linsep
