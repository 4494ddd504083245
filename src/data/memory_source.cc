#include "data/memory_source.h"

#include <algorithm>
#include <utility>

#include "data/written_values.h"

namespace linsep {
namespace {

std::int64_t stored_values(const Batch& batch) {
  if (batch.dense) return batch.rows * static_cast<std::int64_t>(batch.features);
  return batch.rows == 0 ? 0 : static_cast<std::int64_t>(batch.start.back() - batch.start.front());
}

}  // namespace

MemorySource::MemorySource(std::vector<Page> pages, Schema schema, std::uint32_t features, WrittenReader written,
                           PlaceReader place)
    : pages_(std::move(pages)), schema_(std::move(schema)), written_(std::move(written)), place_(std::move(place)) {
  std::erase_if(pages_, [](const Page& page) { return page.batch.rows == 0; });
  shape_ = {0, features, 0};
  for (const Page& page : pages_) {
    shape_.rows += page.batch.rows;
    shape_.features = std::max(shape_.features, page.batch.features);
    shape_.nonzeros += stored_values(page.batch);
  }
}

void MemorySource::rewind(std::uint64_t /*pass*/) {
  at_ = 0;
  row_ = 0;
}

std::optional<Batch> MemorySource::next() {
  if (at_ == pages_.size()) return std::nullopt;
  Batch batch = pages_[at_].batch;
  if (batch.foreign()) {
    const std::int64_t count = narrowed_rows(batch, row_);
    const std::int64_t first = row_;
    row_ += count;
    if (row_ == batch.rows) {
      ++at_;
      row_ = 0;
    }
    batch = narrowed_.rows(batch, first, count);
  } else {
    ++at_;
    batch.pinned = true;
  }
  // A dense row is as long as its batch says, so only sparse batches can be widened to the whole source.
  if (!batch.dense) batch.features = shape_.features;
  return batch;
}

std::vector<Page> MemorySource::take_pages() {
  at_ = 0;
  return std::exchange(pages_, {});
}

std::size_t MemorySource::page_of(std::int64_t row) const {
  const auto after = std::upper_bound(pages_.begin(), pages_.end(), row,
                                      [](std::int64_t r, const Page& page) { return r < page.batch.first_row; });
  return static_cast<std::size_t>(after - pages_.begin()) - 1;
}

std::vector<WrittenRow> MemorySource::written(std::span<const std::int64_t> rows) {
  check_row_numbers(rows, first_row(), end_row());
  at_ = pages_.size();
  row_ = 0;
  if (written_) return written_(rows);
  std::vector<WrittenRow> answer;
  answer.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const Batch& batch = pages_[page_of(row)].batch;
    answer.push_back(written_from_values(schema_, batch, static_cast<std::size_t>(row - batch.first_row)));
  }
  return answer;
}

}  // namespace linsep
