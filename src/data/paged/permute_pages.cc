// Works in two stages. First the rows are distributed to buckets by the leading bits of their hash. Then each bucket,
// which fits into memory, is sorted and appended to the new file. Pages of that file hold the rows of a sheet or, if
// rows are long, an even part of them.
#include "data/paged/permute_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.h"
#include "core/slice.h"
#include "data/paged/page_file.h"
#include "data/permute.h"
#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {
namespace {

/// Buckets of rows on disk. Rows are added to any bucket and taken out bucket by bucket, which puts them into another
/// order when they don't fit into memory.
class BucketFile {
 public:
  /// A bucket keeps up to `buffer_bytes` in memory before it writes them.
  BucketFile(std::size_t buckets, const PageLayout& layout, std::size_t buffer_bytes);
  BucketFile(const BucketFile&) = delete;
  BucketFile& operator=(const BucketFile&) = delete;

  /// Adds row i of a batch.
  void add(std::size_t bucket, const Batch& batch, std::size_t i);
  /// Writes what is still in the buffers.
  void flush();

  /// A row as it lies in memory: a batch of one row whose arrays are in `Taken::memory`.
  struct TakenRow {
    std::int64_t number = 0;
    std::uint64_t place = 0;
  };
  struct Taken {
    std::vector<std::uint64_t> memory;
    std::vector<TakenRow> rows;
  };
  /// All rows of a bucket, in the order in which they were added. REQUIRES: flush was called.
  void take(std::size_t bucket, Taken& taken) const;
  /// One of the rows taken. `start` must hold two numbers and live as long as the batch.
  Batch row(const Taken& taken, const TakenRow& row, std::uint64_t* start) const;

 private:
  void write(std::size_t bucket);

  PageLayout layout_;
  std::size_t buffer_bytes_;
  StreamedFile file_;
  struct Bucket {
    std::string kept;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;  // offset and size in the file
  };
  std::vector<Bucket> buckets_;
};

// A row on disk has its number, label, weight and how many values it has, eight bytes each. Columns and values follow,
// each padded to a multiple of eight bytes.

struct RowHead {
  std::int64_t number = 0;
  double label = 0, weight = 1;
  std::uint64_t values = 0;
};
static_assert(sizeof(RowHead) == 32);

std::size_t filled_up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

BucketFile::BucketFile(std::size_t buckets, const PageLayout& layout, std::size_t buffer_bytes)
    : layout_(layout), buffer_bytes_(buffer_bytes), file_(StreamedFile::nameless()), buckets_(buckets) {}

void BucketFile::write(std::size_t bucket) {
  Bucket& b = buckets_[bucket];
  if (b.kept.empty()) return;
  b.pieces.emplace_back(file_.size(), b.kept.size());
  file_.append(b.kept);
  b.kept.clear();
}

void BucketFile::add(std::size_t bucket, const Batch& batch, std::size_t i) {
  Bucket& b = buckets_[bucket];
  if (b.kept.capacity() == 0) b.kept.reserve(buffer_bytes_);
  const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
  const std::uint64_t end = batch.dense ? begin + batch.features : batch.start[i + 1];
  RowHead head;
  head.number = batch.number_of(static_cast<std::int64_t>(i));
  if (layout_.labelled) head.label = batch.label[i];
  head.weight = batch.weight_of(static_cast<std::int64_t>(i));
  head.values = end - begin;
  const std::size_t column_bytes = layout_.dense ? 0 : head.values * sizeof(std::uint32_t);
  const std::size_t value_bytes = head.values * (layout_.is_float ? sizeof(float) : sizeof(double));
  const std::size_t bytes = sizeof head + filled_up(column_bytes) + filled_up(value_bytes);
  if (b.kept.size() + bytes > buffer_bytes_) write(bucket);
  const auto put = [&](const void* from, std::size_t size) {
    if (size == 0) return;
    b.kept.append(static_cast<const char*>(from), size);
    b.kept.append(filled_up(size) - size, '\0');
  };
  put(&head, sizeof head);
  if (!layout_.dense) put(batch.column.data() + begin, column_bytes);
  put(layout_.is_float ? static_cast<const void*>(batch.value32.data() + begin) : batch.value64.data() + begin,
      value_bytes);
}

void BucketFile::flush() {
  for (std::size_t k = 0; k < buckets_.size(); ++k) {
    write(k);
    buckets_[k].kept = {};
  }
}

void BucketFile::take(std::size_t bucket, Taken& taken) const {
  std::size_t bytes = 0;
  for (const auto& [place, size] : buckets_[bucket].pieces) bytes += size;
  taken.memory.resize(bytes / 8);
  taken.rows.clear();
  char* to = reinterpret_cast<char*>(taken.memory.data());
  for (const auto& [place, size] : buckets_[bucket].pieces) {
    file_.read_at(place, {to, size});
    to += size;
  }
  for (std::size_t at = 0; at < bytes;) {
    RowHead head;
    std::memcpy(&head, reinterpret_cast<const char*>(taken.memory.data()) + at, sizeof head);
    taken.rows.push_back({head.number, at});
    at += sizeof head + (layout_.dense ? 0 : filled_up(head.values * sizeof(std::uint32_t))) +
          filled_up(head.values * (layout_.is_float ? sizeof(float) : sizeof(double)));
  }
}

Batch BucketFile::row(const Taken& taken, const TakenRow& row, std::uint64_t* start) const {
  const char* base = reinterpret_cast<const char*>(taken.memory.data()) + row.place;
  const auto* head = reinterpret_cast<const RowHead*>(base);
  const char* values = base + sizeof(RowHead);
  Batch batch;
  batch.first_row = row.number;
  batch.rows = 1;
  batch.dense = layout_.dense;
  batch.is_float = layout_.is_float;
  if (layout_.dense) {
    batch.features = static_cast<std::uint32_t>(head->values);
    batch.stride = head->values;
  } else {
    start[0] = 0;
    start[1] = head->values;
    batch.start = {start, 2};
    batch.column = {reinterpret_cast<const std::uint32_t*>(values), head->values};
    if (head->values > 0) batch.features = batch.column.back() + 1;
    values += filled_up(head->values * sizeof(std::uint32_t));
  }
  if (layout_.is_float) {
    batch.value32 = {reinterpret_cast<const float*>(values), head->values};
  } else {
    batch.value64 = {reinterpret_cast<const double*>(values), head->values};
  }
  if (layout_.labelled) batch.label = {&head->label, 1};
  if (layout_.weighted) batch.weight = {&head->weight, 1};
  return batch;
}

constexpr std::uint64_t kSheetRows = kSheetGroups * kGroupRows;
constexpr std::uint64_t kLargestPage = std::uint64_t{2} << 20;
constexpr std::uint64_t kRowHead = 80;  // bytes of a row other than its values while it is sorted
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
  // One third of the room is for a bucket or for the buffers of all. The rest is for pages coming and going.
  const std::uint64_t share = inner.room() / 3;
  const int bits = std::bit_width(all / std::max<std::uint64_t>(share, 1));
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  if (bits > kMostBits) {
    throw option_error("memory", "there isn't enough memory to shuffle the rows: allow more ({})");
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
  return std::make_shared<PageFile>(OpenFile::again(made, file.name()));
}

class PermutedPages : public Source {
 public:
  PermutedPages(PagedSource& inner, std::uint64_t seed)
      : inner_(inner),
        shape_(inner.shape()),
        page_rows_(rows_a_page(*inner.file())),
        file_(permuted(inner, seed)),
        pages_(file_,
               std::min<std::uint64_t>(inner.pages_in_room(*file_), 3 * kWindowSheets * (kSheetRows / page_rows_))),
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

namespace {

class PagedRows : public RowsByNumber {
 public:
  explicit PagedRows(PagedSource& inner) : inner_(inner) {}
  std::int64_t first_row() const override { return inner_.first_row(); }
  std::int64_t end_row() const override { return inner_.end_row(); }
  Batch like() const override {
    const PageLayout& layout = inner_.file()->header().layout;
    Batch batch;
    batch.dense = layout.dense;
    batch.is_float = layout.is_float;
    batch.features = layout.stride;
    return batch;
  }
  void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) override {
    inner_.release();
    const PageFile& file = *inner_.file();
    if (!pages_) pages_ = std::make_unique<ResidentPages>(inner_.file(), inner_.pages_in_room(file));
    ResidentPages::Steps steps;
    for (const auto& [begin, end] : ranges) {
      steps.emplace_back();
      for (std::size_t p = file.page_of(begin); p <= file.page_of(end - 1); ++p) {
        steps.back().push_back(static_cast<std::uint32_t>(p));
      }
    }
    pages_->plan(std::move(steps));
  }
  void advance() override { pages_->advance(); }
  const Batch& batch_of(std::int64_t row) override { return pages_->get(inner_.file()->page_of(row)).batch; }

 private:
  PagedSource& inner_;
  std::unique_ptr<ResidentPages> pages_;
};

}  // namespace

std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed) {
  return order_rows(inner, std::make_unique<PagedRows>(inner), order, seed);
}

}  // namespace linsep
