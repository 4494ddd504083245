// Turns a recipe into text, in pieces that are made in parallel and handed on in order.
//
// Piece c belongs to worker c mod T and to slot c mod 2T. While one of a worker's two pieces is being written, the
// other is being made. Memory is 2T pieces.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/parallel.h"
#include "generate/recipes.h"
#include "linsep/error.h"
#include "linsep/tools/generate.h"

namespace linsep {
namespace {

constexpr std::uint64_t kPieceBytes = 256 * 1024;

std::int64_t rows_of_piece(const Recipe& recipe, TextKind kind) {
  constexpr std::uint64_t kEntryBytes = 12;  // as a field of a table
  std::uint64_t bytes = 4 + kEntryBytes * recipe.entries;
  if (kind == TextKind::kCsv && !recipe.append) bytes += 2 * std::uint64_t{recipe.features};
  return static_cast<std::int64_t>(std::max<std::uint64_t>(1, kPieceBytes / bytes));
}

void make_piece(const Recipe& recipe, TextKind kind, std::int64_t begin, std::int64_t end, std::string& text) {
  DecimalRow row;
  text.clear();
  for (std::int64_t i = begin; i < end; ++i) {
    if (recipe.append) {
      recipe.append(i, text);
      continue;
    }
    recipe.make(i, row);
    if (kind == TextKind::kCsv) {
      append_csv(row, recipe.places, recipe.features, text);
    } else {
      append_svmlight(row, recipe.places, text);
    }
  }
}

// Slots shared by the workers and the writer.
class Slots {
 public:
  explicit Slots(std::size_t count) : slots_(count) {}

  // Waits until slot `piece` mod size is free, and returns its text to fill. Returns nullptr after `stop`.
  std::string* to_fill(std::int64_t piece) {
    std::unique_lock lock(mutex_);
    Slot& slot = at(piece);
    changed_.wait(lock, [&] { return stopped_ || !slot.full; });
    return stopped_ ? nullptr : &slot.text;
  }
  void filled(std::int64_t piece, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    at(piece).full = true;
    at(piece).failure = std::move(failure);
    changed_.notify_all();
  }
  const std::string& to_write(std::int64_t piece) {
    std::unique_lock lock(mutex_);
    Slot& slot = at(piece);
    changed_.wait(lock, [&] { return slot.full; });
    if (slot.failure) std::rethrow_exception(slot.failure);
    return slot.text;
  }
  void written(std::int64_t piece) {
    const std::lock_guard lock(mutex_);
    at(piece).full = false;
    changed_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  struct Slot {
    std::string text;
    bool full = false;
    std::exception_ptr failure;
  };
  Slot& at(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece) % slots_.size()]; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  bool stopped_ = false;
};

// Stops and joins the threads however the scope is left.
struct Workers {
  Slots& slots;
  std::vector<std::thread> threads;

  explicit Workers(Slots& shared) : slots(shared) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    slots.stop();
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

void write_recipe(const Recipe& recipe, TextKind kind, int threads, const std::function<void(std::string_view)>& sink) {
  if (recipe.append && kind != TextKind::kCsv)
    throw usage_error("a table of words and numbers can be written only as CSV");
  if (kind == TextKind::kCsv) sink(recipe.append ? recipe.header : csv_header(recipe.features));
  const std::int64_t step = rows_of_piece(recipe, kind);
  const std::int64_t pieces = (recipe.rows + step - 1) / step;
  const std::int64_t count = std::min<std::int64_t>(pieces, thread_count(threads));
  if (count == 0) return;
  Slots slots(static_cast<std::size_t>(2 * count));
  Workers workers(slots);
  for (std::int64_t worker = 0; worker < count; ++worker) {
    workers.threads.emplace_back([&, worker] {
      for (std::int64_t piece = worker; piece < pieces; piece += count) {
        std::string* text = slots.to_fill(piece);
        if (text == nullptr) return;
        std::exception_ptr failure;
        try {
          make_piece(recipe, kind, piece * step, std::min(recipe.rows, (piece + 1) * step), *text);
        } catch (...) {
          failure = std::current_exception();
        }
        slots.filled(piece, failure);
      }
    });
  }
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    sink(slots.to_write(piece));
    slots.written(piece);
  }
}

}  // namespace linsep
