// Workers as threads of one process. Reductions run in rank order, so every worker gets the same bits.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

// The place where the workers meet. A worker that leaves by an exception, or aborts, releases the others with an Error.
class Room {
 public:
  explicit Room(int workers) : workers_(workers), data_(static_cast<std::size_t>(workers)) {}

  int workers() const { return workers_; }

  // Waits until every worker has arrived with its data. The last one runs `combine` on all of them.
  template <class Combine>
  void meet(int rank, void* data, const Combine& combine) {
    std::unique_lock lock(mutex_);
    data_[static_cast<std::size_t>(rank)] = data;
    arrive(lock, [&] { combine(data_); });
  }

  void abort(const std::string& message) {
    const std::scoped_lock lock(mutex_);
    if (aborted_.empty()) aborted_ = message.empty() ? "a worker stopped the run" : message;
    gate_.notify_all();
  }

 private:
  template <class Last>
  void arrive(std::unique_lock<std::mutex>& lock, const Last& last) {
    if (!aborted_.empty()) throw system_error(aborted_);
    const std::uint64_t round = round_;
    if (++arrived_ == workers_) {
      last();
      arrived_ = 0;
      ++round_;
      gate_.notify_all();
      return;
    }
    gate_.wait(lock, [&] { return round_ != round || !aborted_.empty(); });
    if (round_ == round) throw system_error(aborted_);
  }

  const int workers_;
  std::mutex mutex_;
  std::condition_variable gate_;
  std::vector<void*> data_;
  int arrived_ = 0;
  std::uint64_t round_ = 0;
  std::string aborted_;
};

template <class T>
T combined(T a, T b, Comm::Op op) {
  if (op == Comm::Op::kMax) return std::max(a, b);
  if constexpr (std::is_integral_v<T>) {
    if (op == Comm::Op::kOr) return a | b;
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

class ThreadComm : public Comm {
 public:
  ThreadComm(Room& room, int rank) : room_(room), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return room_.workers(); }
  void all_reduce(std::span<double> data, Op op) override { reduce(data, op); }
  void all_reduce(std::span<std::int64_t> data, Op op) override { reduce(data, op); }

  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    struct Part {
      std::span<const std::byte> mine;
      std::vector<std::vector<std::byte>> all;
    } part{data, {}};
    room_.meet(rank_, &part, [](const std::vector<void*>& parts) {
      for (void* to : parts) {
        for (void* from : parts) {
          const auto& bytes = static_cast<Part*>(from)->mine;
          static_cast<Part*>(to)->all.emplace_back(bytes.begin(), bytes.end());
        }
      }
    });
    return std::move(part.all);
  }

  void abort(const std::string& message) override {
    room_.abort(message);
    throw system_error(message);
  }

 private:
  template <class T>
  void reduce(std::span<T> data, Op op) {
    room_.meet(rank_, &data, [op](const std::vector<void*>& parts) {
      const std::span<T> first = *static_cast<std::span<T>*>(parts[0]);
      for (std::size_t k = 1; k < parts.size(); ++k) {
        const std::span<T> other = *static_cast<std::span<T>*>(parts[k]);
        if (other.size() != first.size()) throw system_error("workers disagree about the length of a reduction");
        for (std::size_t i = 0; i < first.size(); ++i) first[i] = combined(first[i], other[i], op);
      }
      for (std::size_t k = 1; k < parts.size(); ++k) {
        std::copy(first.begin(), first.end(), static_cast<std::span<T>*>(parts[k])->begin());
      }
    });
  }

  Room& room_;
  int rank_;
};

}  // namespace

void run_threads(int workers, const std::function<void(Comm&)>& work) {
  Room room(workers);
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(workers));
  for (int rank = 0; rank < workers; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadComm comm(room, rank);
        work(comm);
      } catch (...) {
        {
          const std::scoped_lock lock(mutex);
          if (!first) first = std::current_exception();
        }
        room.abort("another worker failed");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace linsep
