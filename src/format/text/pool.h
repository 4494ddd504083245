// Pool: objects that threads use one at a time.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace linsep {

/// Keeps objects of which a thread needs one at a time, for the next thread that asks.
template <class T>
class Pool {
 public:
  /// Returns a free one, or null.
  std::unique_ptr<T> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  void give(std::unique_ptr<T> one) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(one));
  }
  /// All free ones. REQUIRES: nobody uses one.
  std::vector<std::unique_ptr<T>>& all() { return free_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace linsep
