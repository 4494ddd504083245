#include "data/paged/resident_pages.h"

#include <algorithm>
#include <utility>

namespace linsep {
namespace {

/// This many pages are on their way from the disk at a time: what a fast disk wants. They take none of our memory.
constexpr std::size_t kAskedAhead = 32;

}  // namespace

ResidentPages::ResidentPages(std::shared_ptr<const PageFile> file, std::size_t most)
    : file_(std::move(file)), most_(most) {}

ResidentPages::~ResidentPages() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (reader_.joinable()) reader_.join();
}

// Whether there is a page to be mapped ahead and room for it. While the present step doesn't fit, there is none.
bool ResidentPages::can_go_ahead() const {
  if (step_ > 0 && steps_[step_ - 1].size() > most_) return false;
  return ahead_step_ < steps_.size() && steps_[ahead_step_].size() <= most_ && resident_.size() < most_;
}

// The next pages of the plan up to kAskedAhead behind the one that is mapped now.
std::vector<std::uint32_t> ResidentPages::to_be_asked_for() {
  std::vector<std::uint32_t> pages;
  if (std::pair(asked_step_, asked_at_) < std::pair(ahead_step_, ahead_at_)) {
    asked_step_ = ahead_step_;
    asked_at_ = ahead_at_;
    asked_ahead_ = 0;
  }
  while (asked_ahead_ < kAskedAhead && asked_step_ < steps_.size()) {
    if (asked_at_ == steps_[asked_step_].size()) {
      ++asked_step_;
      asked_at_ = 0;
      continue;
    }
    pages.push_back(steps_[asked_step_][asked_at_++]);
    ++asked_ahead_;
  }
  return pages;
}

void ResidentPages::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stop_ || can_go_ahead(); });
    if (stop_) return;
    const std::vector<std::uint32_t>& step = steps_[ahead_step_];
    if (ahead_at_ == step.size()) {
      ++ahead_step_;
      ahead_at_ = 0;
      continue;
    }
    const std::uint32_t page = step[ahead_at_++];
    if (asked_ahead_ > 0) --asked_ahead_;
    const std::vector<std::uint32_t> asked_for = to_be_asked_for();
    if (resident_.contains(page)) continue;
    resident_[page];
    const std::uint64_t plan = plans_;
    lock.unlock();
    for (const std::uint32_t later : asked_for) file_->will_need(later);
    Resident mapped = mapped_page(page, true);
    lock.lock();
    const auto place = resident_.find(page);
    if (plan == plans_ && place != resident_.end()) {
      place->second = std::move(mapped);
    } else if (place != resident_.end() && !place->second.ready) {
      resident_.erase(place);
    }
    changed_.notify_all();
  }
}

void ResidentPages::plan(Steps steps) {
  {
    std::unique_lock lock(mutex_);
    ++plans_;
    steps_.clear();
    ahead_step_ = ahead_at_ = asked_step_ = asked_at_ = asked_ahead_ = 0;
    // A page that is just being mapped is waited for: it counts as long as it is there.
    changed_.wait(lock, [&] { return std::ranges::all_of(resident_, [](auto& r) { return r.second.ready; }); });
    resident_.clear();
    steps_ = std::move(steps);
    step_ = 0;
    if (most_ > 1 && !reader_.joinable()) reader_ = std::thread([this] { work(); });
  }
  changed_.notify_all();
}

void ResidentPages::advance() {
  {
    const std::scoped_lock lock(mutex_);
    ++step_;
    drop_behind();
    if (ahead_step_ + 1 < step_) {
      ahead_step_ = step_ - 1;
      ahead_at_ = 0;
    }
  }
  changed_.notify_all();
}

const Page& ResidentPages::get(std::size_t page) {
  std::unique_lock lock(mutex_);
  const auto wanted = static_cast<std::uint32_t>(page);
  const bool whole = steps_[step_ - 1].size() <= most_;  // else a page may be gone again after a row
  const auto ready = [&] {
    const auto place = resident_.find(wanted);
    return place != resident_.end() && place->second.ready;
  };
  while (!ready()) {
    if (resident_.contains(wanted)) {  // on its way
      changed_.wait(lock, ready);
    } else if (make_room()) {
      resident_[wanted];
      lock.unlock();
      Resident mapped = mapped_page(wanted, whole);
      lock.lock();
      resident_[wanted] = std::move(mapped);
    } else {
      changed_.wait(lock);  // until the only page that is there has come
    }
  }
  Resident& found = resident_.at(wanted);
  if (found.failure) std::rethrow_exception(found.failure);
  found.used = ++calls_;
  return found.page;
}

ResidentPages::Resident ResidentPages::mapped_page(std::size_t page, bool whole) const {
  Resident mapped;
  try {
    mapped.page = file_->map(page, whole);
  } catch (...) {
    mapped.failure = std::current_exception();
  }
  mapped.ready = true;
  return mapped;
}

// False: the pages in the way are only just being mapped. What the present step doesn't need goes first, then what was
// used longest ago.
bool ResidentPages::make_room() {
  const auto& present = steps_[step_ - 1];
  while (resident_.size() >= most_) {
    auto victim = resident_.end();
    std::pair<bool, std::uint64_t> least;
    for (auto at = resident_.begin(); at != resident_.end(); ++at) {
      const std::pair key(std::ranges::find(present, at->first) != present.end(), at->second.used);
      if (!at->second.ready || (victim != resident_.end() && least <= key)) continue;
      victim = at;
      least = key;
    }
    if (victim == resident_.end()) return false;
    resident_.erase(victim);
  }
  return true;
}

// Pages of the step before that the present one doesn't need.
void ResidentPages::drop_behind() {
  const auto& present = steps_[step_ - 1];
  if (step_ >= 2) {
    for (const std::uint32_t page : steps_[step_ - 2]) {
      const auto place = resident_.find(page);
      if (place == resident_.end() || !place->second.ready) continue;
      if (std::ranges::find(present, page) == present.end()) resident_.erase(place);
    }
  }
}

void ResidentPages::clear() { plan({}); }

}  // namespace linsep
