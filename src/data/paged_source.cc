#include "data/paged_source.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "data/written_values.h"

namespace linsep {

PagedSource::PagedSource(std::shared_ptr<const PageFile> file, Schema schema, std::uint32_t features,
                         WrittenReader written)
    : file_(std::move(file)),
      schema_(std::move(schema)),
      shape_(file_->header().shape),
      written_(std::move(written)),
      room_(kFewPages * file_->largest_page()) {
  shape_.features = std::max(shape_.features, features);
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
  at_ = file_->entries().size();
}

void PagedSource::rewind(std::uint64_t /*pass*/) {
  const std::size_t most = std::min(pages_in_room(*file_), kFewPages);
  if (!pages_ || pages_->most() != most) pages_ = std::make_unique<ResidentPages>(file_, most);
  ResidentPages::Steps steps(file_->entries().size());
  for (std::size_t p = 0; p < steps.size(); ++p) steps[p].push_back(static_cast<std::uint32_t>(p));
  pages_->plan(std::move(steps));
  at_ = 0;
}

std::optional<Batch> PagedSource::next() {
  if (!pages_) rewind(0);
  if (at_ == file_->entries().size()) {
    pages_.reset();
    return std::nullopt;
  }
  pages_->advance();
  Batch batch = pages_->get(at_++).batch;
  if (!batch.dense) batch.features = shape_.features;
  return batch;
}

std::vector<WrittenRow> PagedSource::written(std::span<const std::int64_t> rows) {
  check_rows(rows, 0, shape_.rows);
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

std::unique_ptr<MemorySource> map_all_pages(const std::shared_ptr<const PageFile>& file, Schema schema,
                                            std::uint32_t features, WrittenReader written) {
  std::vector<Page> pages(file->entries().size());
  parallel_for(pages.size(), thread_count(0), [&](std::size_t p, std::size_t) {
    pages[p] = file->map(p);
    // The file stays open as long as one of its pages is there.
    pages[p].storage =
        std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<const PageFile>>>(pages[p].storage, file);
  });
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema),
                                        std::max(features, file->header().shape.features), std::move(written));
}

}  // namespace linsep
