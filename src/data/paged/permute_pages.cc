// Two stages. First the rows are thrown into buckets by the leading bits of their hash; then each bucket, which fits
// into memory, is sorted and appended to the new file. Pages of that file hold the rows of a sheet, or, where rows are
// long, an even part of them.
#include "data/paged/permute_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "core/random.h"
#include "core/slice.h"
#include "data/group_order.h"
#include "data/paged/bucket_file.h"
#include "data/paged/page_writer.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::uint64_t kSheetRows = kSheetGroups * kGroupRows;
constexpr std::uint64_t kLargestPage = std::uint64_t{2} << 20;
constexpr std::uint64_t kRowHead = 80;  // bytes of a row besides its values while it is sorted
constexpr std::uint64_t kLargestBuffer = std::uint64_t{1} << 20;
constexpr int kMostBits = 14;  // more buckets would write too few rows at a time

std::uint64_t values_bytes(const PageFile& file) {
  const PageLayout& layout = file.header().layout;
  return static_cast<std::uint64_t>(file.header().shape.nonzeros) *
         ((layout.dense ? 0 : sizeof(std::uint32_t)) + (layout.is_float ? sizeof(float) : sizeof(double)));
}

/// A power of two of rows, at most a sheet, at least a group.
std::uint64_t rows_a_page(const PageFile& file) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(file.header().shape.rows, 1));
  std::uint64_t page = kSheetRows;
  while (page > kGroupRows && page * (values_bytes(file) / rows + 32) > kLargestPage) page /= 2;
  return page;
}

std::shared_ptr<const PageFile> permuted(PagedSource& inner, std::uint64_t seed) {
  const PageFile& file = *inner.file();
  const auto rows = static_cast<std::uint64_t>(inner.shape().rows);
  const std::uint64_t all = values_bytes(file) + rows * kRowHead;
  // A third of the room for a bucket or for the buffers of all; the rest is for pages coming and going.
  const std::uint64_t share = inner.room() / 3;
  const int bits = std::bit_width(all / std::max<std::uint64_t>(share, 1));
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  if (bits > kMostBits) {
    throw option_error("memory", "there is too little memory to put the rows into a random order: give more ({})");
  }
  PageLayout layout = file.header().layout;
  layout.numbered = true;
  const auto bucket_of = [&](std::uint64_t hash) { return bits == 0 ? 0 : hash >> (64 - bits); };
  BucketFile scattered(buckets, layout, std::min(share / buckets, kLargestBuffer));
  inner.rewind(0);
  while (const auto batch = inner.next()) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->rows); ++i) {
      const auto number = static_cast<std::uint64_t>(batch->number_of(static_cast<std::int64_t>(i)));
      scattered.add(bucket_of(keyed_hash(seed, number)), *batch, i);
    }
  }
  scattered.flush();
  inner.release();

  PageWriter writer(StreamedFile::nameless(), layout, 0, rows_a_page(file));
  BucketFile::Taken taken;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    scattered.take(bucket, taken);
    std::vector<std::tuple<std::uint64_t, std::int64_t, std::uint64_t>> order;
    order.reserve(taken.rows.size());
    for (const BucketFile::TakenRow& row : taken.rows) {
      order.emplace_back(keyed_hash(seed, static_cast<std::uint64_t>(row.number)), row.number, row.place);
    }
    std::sort(order.begin(), order.end());
    std::uint64_t start[2];
    for (const auto& [hash, number, place] : order) writer.add_row(scattered.row(taken, {number, place}, start), 0);
  }
  const StreamedFile made = writer.finish(inner.shape().features, "");
  return std::make_shared<PageFile>(made.duplicate(), file.name());
}

class PermutedPages : public Source {
 public:
  PermutedPages(PagedSource& inner, std::uint64_t seed)
      : inner_(inner),
        shape_(inner.shape()),
        page_rows_(rows_a_page(*inner.file())),
        file_(permuted(inner, seed)),
        pages_(file_, std::min(inner.pages_in_room(*file_), 3 * kWindowSheets * (kSheetRows / page_rows_))),
        order_(static_cast<std::size_t>(shape_.rows), seed) {
    PermutedPages::rewind(0);
  }

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override {
    inner_.release();
    order_.rewind(pass);
    ResidentPages::Steps steps;
    const auto sheets = order_.sheets();
    for (std::size_t s = 0; s < sheets.size(); ++s) {
      if (s % kWindowSheets == 0) steps.emplace_back();
      const std::size_t first = sheets[s] * kSheetRows / page_rows_;
      for (std::size_t p = 0; p < kSheetRows / page_rows_ && first + p < file_->entries().size(); ++p) {
        steps.back().push_back(static_cast<std::uint32_t>(first + p));
      }
    }
    pages_.plan(std::move(steps));
    taken_ = 0;
  }

  std::optional<Batch> next() override {
    if (order_.at_end()) {
      pages_.clear();
      return std::nullopt;
    }
    const std::uint64_t first = order_.next() * kGroupRows;
    if (order_.sheets_taken() != taken_) {
      taken_ = order_.sheets_taken();
      pages_.advance();
    }
    const Batch& page = pages_.get(first / page_rows_).batch;
    const std::size_t at = first % page_rows_;
    const std::size_t count = std::min<std::uint64_t>(kGroupRows, static_cast<std::uint64_t>(page.rows) - at);
    Batch batch = slice(page, static_cast<std::int64_t>(at), static_cast<std::int64_t>(count));
    batch.first_row = static_cast<std::int64_t>(first);
    if (!page.dense) batch.features = shape_.features;
    return batch;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    order_.end();
    pages_.clear();
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  PagedSource& inner_;
  Shape shape_;
  std::uint64_t page_rows_;
  std::shared_ptr<const PageFile> file_;
  ResidentPages pages_;
  GroupOrder order_;
  std::size_t taken_ = 0;  // sheets in the windows so far
};

}  // namespace

std::unique_ptr<Source> permute_pages(PagedSource& inner, std::uint64_t seed) {
  return std::make_unique<PermutedPages>(inner, seed);
}

std::uint64_t room_for_windows(const PageFile& file) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(file.header().shape.rows, 1));
  const std::uint64_t window = std::min(rows, kWindowSheets * kSheetRows);
  return 2 * window * (values_bytes(file) / rows + 40);
}

}  // namespace linsep
