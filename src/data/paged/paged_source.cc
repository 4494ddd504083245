#include "data/paged/paged_source.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "data/written_values.h"

namespace linsep {

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
  parallel_for(pages.size(), thread_count(0), [&](std::size_t p, std::size_t) {
    pages[p] = file->map(range.first + p);
    // The file stays open as long as one of its pages is there.
    pages[p].storage =
        std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<const PageFile>>>(pages[p].storage, file);
  });
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema),
                                        std::max(features, file->header().shape.features), std::move(written),
                                        std::move(place));
}

}  // namespace linsep
