#include "data/paged/paged_source.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "data/memory_source.h"

namespace linsep {
namespace {

/// The number of pages that are on their way from the disk at a time. This is what a fast disk wants, and they take
/// none of our memory.
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

// Whether there is a page to be mapped ahead and room for it. There is none while the present step doesn't fit.
bool ResidentPages::can_go_ahead() const {
  if (step_ > 0 && steps_[step_ - 1].size() > most_) return false;
  return ahead_step_ < steps_.size() && steps_[ahead_step_].size() <= most_ && resident_.size() < most_;
}

// The next pages of the plan, up to kAskedAhead beyond the one that is being mapped now.
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
    // Wait for a page that is just being mapped, since it counts as resident.
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
      changed_.wait(lock);  // until the only resident page is mapped
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

// False if the pages in the way are only just being mapped. Pages that the present step doesn't need go first, then the
// least recently used.
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

// Drops the pages of the step before that the present one doesn't need.
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

PageRange all_pages(const PageFile& file) { return {0, file.entries().size()}; }

PageRange share_of_pages(const PageFile& file, int rank, int workers) {
  std::uint64_t all = 0;
  for (const PageEntry& entry : file.entries()) all += entry.bytes;
  const auto count = static_cast<std::uint64_t>(workers);
  const auto share = [&](int k) {  // all·k/workers without overflow
    const auto part = static_cast<std::uint64_t>(k);
    return all / count * part + all % count * part / count;
  };
  PageRange range{file.entries().size(), file.entries().size()};
  std::uint64_t before = 0;
  for (std::size_t p = 0; p < file.entries().size(); before += file.entries()[p++].bytes) {
    if (before >= share(rank)) range.first = std::min(range.first, p);
    if (before >= share(rank + 1)) range.end = std::min(range.end, p);
  }
  return range;
}

PagedSource::PagedSource(std::shared_ptr<const PageFile> file, Schema schema, std::uint32_t features, PageRange range,
                         WrittenReader written, PlaceReader place)
    : file_(std::move(file)),
      range_(range),
      schema_(std::move(schema)),
      shape_(file_->header().shape),
      written_(std::move(written)),
      place_(std::move(place)),
      room_(kFewPages * file_->largest_page()) {
  shape_.features = std::max(shape_.features, features);
  shape_.rows = shape_.nonzeros = 0;
  for (std::size_t p = range_.first; p < range_.end; ++p) {
    shape_.rows += static_cast<std::int64_t>(file_->entries()[p].rows);
    shape_.nonzeros += static_cast<std::int64_t>(file_->entries()[p].values);
  }
  if (range_.first < range_.end) first_row_ = static_cast<std::int64_t>(file_->entries()[range_.first].first_row);
}

std::size_t PagedSource::pages_in_room(const PageFile& file) const {
  return std::max<std::size_t>(1, room_ / std::max<std::uint64_t>(file.largest_page(), 1));
}

void PagedSource::set_room(std::uint64_t bytes) {
  release();
  room_ = bytes;
}

void PagedSource::release() {
  pages_.reset();
  at_ = range_.end;
}

void PagedSource::rewind(std::uint64_t /*pass*/) {
  const std::size_t most = std::min(pages_in_room(*file_), kFewPages);
  if (!pages_ || pages_->most() != most) pages_ = std::make_unique<ResidentPages>(file_, most);
  ResidentPages::Steps steps(range_.end - range_.first);
  for (std::size_t p = 0; p < steps.size(); ++p) steps[p].push_back(static_cast<std::uint32_t>(range_.first + p));
  pages_->plan(std::move(steps));
  at_ = range_.first;
}

std::optional<Batch> PagedSource::next() {
  if (!pages_) rewind(0);
  if (at_ == range_.end) {
    pages_.reset();
    return std::nullopt;
  }
  pages_->advance();
  Batch batch = pages_->get(at_++).batch;
  if (!batch.dense) batch.features = shape_.features;
  return batch;
}

std::vector<WrittenRow> PagedSource::written(std::span<const std::int64_t> rows) {
  check_row_numbers(rows, first_row(), end_row());
  release();
  if (written_) return written_(rows);
  std::vector<WrittenRow> answer;
  Page page;
  std::size_t index = file_->entries().size();
  for (const std::int64_t row : rows) {
    if (const std::size_t here = file_->page_of(row); here != index) {
      page = {};
      page = file_->map(here);
      index = here;
    }
    answer.push_back(written_from_values(schema_, page.batch, static_cast<std::size_t>(row - page.batch.first_row)));
  }
  return answer;
}

std::unique_ptr<MemorySource> map_pages(const std::shared_ptr<const PageFile>& file, Schema schema,
                                        std::uint32_t features, PageRange range, WrittenReader written,
                                        PlaceReader place) {
  std::vector<Page> pages(range.end - range.first);
  const double bytes = static_cast<double>(pages.size()) * static_cast<double>(file->largest_page());
  parallel_for(pages.size(), thread_count(0), bytes, [&](std::size_t p, std::size_t) {
    pages[p] = file->map(range.first + p);
    // The file stays open as long as one of its pages is mapped.
    pages[p].storage =
        std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<const PageFile>>>(pages[p].storage, file);
  });
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema),
                                        std::max(features, file->header().shape.features), std::move(written),
                                        std::move(place));
}

}  // namespace linsep
