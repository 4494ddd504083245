#include "format/text/pipeline.h"

#include <utility>

#include "core/parallel.h"
#include "format/text/locate.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep {

PagePipeline::PagePipeline(Chunker chunker, TextFormat format, int threads, std::string name,
                           std::shared_ptr<std::atomic<bool>> stop, LinesBefore before)
    : chunker_(std::move(chunker)),
      format_(std::move(format)),
      threads_(thread_count(threads)),
      name_(std::move(name)),
      stop_(std::move(stop)),
      before_(std::move(before)),
      ring_(threads_ == 1 ? 1 : static_cast<std::size_t>(2 * threads_ + 1)) {}

PagePipeline::~PagePipeline() {
  if (workers_.empty()) return;
  stop_->store(true);
  {
    const std::scoped_lock lock(mutex_);  // no worker is between looking at `stop_` and waiting
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

/// False: there is no further chunk, or reading failed.
bool PagePipeline::read(Slot& slot) {
  slot.failure = nullptr;
  slot.end = false;
  try {
    slot.end = !chunker_.next(slot.buffer);
  } catch (...) {
    slot.failure = std::current_exception();
  }
  return !slot.end && !slot.failure;
}

void PagePipeline::parse(Slot& slot) {
  try {
    slot.parsed = format_.parse(slot.buffer.chunk());
  } catch (...) {
    slot.failure = std::current_exception();
  }
}

void PagePipeline::work() {
  for (;;) {
    Slot* slot = nullptr;
    bool more = false;
    {
      const std::scoped_lock reading(reading_);
      if (ended_) return;
      slot = &ring_[taken_ % ring_.size()];
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return taken_ - freed_ < ring_.size() || stop_->load(); });
      }
      if (stop_->load()) return;
      more = read(*slot);
      ended_ = !more;
      ++taken_;
    }
    if (more) parse(*slot);
    {
      const std::scoped_lock lock(mutex_);
      slot->ready = true;
    }
    changed_.notify_all();
    if (!more) return;
  }
}

void PagePipeline::start_threads() {
  taken_ = freed_ = delivered_;
  for (int i = 0; i < threads_; ++i) workers_.emplace_back([this] { work(); });
}

/// The slot of chunk number `delivered_`, read and parsed.
PagePipeline::Slot& PagePipeline::wait_for_next() {
  Slot& slot = ring_[delivered_ % ring_.size()];
  if (threads_ == 1 || delivered_ == 0) {
    if (read(slot)) parse(slot);
    return slot;
  }
  if (workers_.empty()) start_threads();
  std::unique_lock lock(mutex_);
  freed_ = delivered_;  // the caller is done with the chunk before
  changed_.notify_all();
  changed_.wait(lock, [&] { return slot.ready; });
  slot.ready = false;
  return slot;
}

ReadPage PagePipeline::deliver(Slot& slot) {
  Page& page = slot.parsed.page;
  page.first_byte = slot.buffer.first_byte;
  page.bytes = slot.buffer.size;
  page.first_line = line_;
  page.batch.first_row = rows_;
  line_ += page.lines;
  rows_ += page.batch.rows;
  dropped_ += slot.parsed.dropped;
  ++delivered_;
  return {std::exchange(slot.parsed, {}), slot.buffer.chunk()};
}

std::optional<ReadPage> PagePipeline::next() {
  while (!done_) {
    Slot& slot = wait_for_next();
    done_ = slot.end || slot.failure;
    if (slot.end) break;
    try {
      if (slot.failure) std::rethrow_exception(slot.failure);
    } catch (const TextError& error) {
      throw Error(Error::Kind::kInput, Place{name_, (before_ ? before_() : 0) + line_ + error.line, error.column},
                  error.options, shown_text(error.message));
    }
    ReadPage page = deliver(slot);
    if (page.parsed.page.batch.rows > 0) return page;
  }
  return std::nullopt;
}

Error PagePipeline::error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const {
  const std::uint64_t line = page.parsed.page.first_line + line_of_row(format_, page.chunk, row);
  return {Place{name_, (before_ ? before_() : 0) + line, 0}, shown_text(message)};
}

}  // namespace linsep
