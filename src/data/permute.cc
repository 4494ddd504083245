// Works in two stages, so that memory is never accessed at random. The final order is cut into buckets of about
// kBucketRows rows by the leading bits of the hash. First every page is read straight through, and its rows are
// appended to their buckets. Then each bucket, which fits in the cache, is put in order.
#include "data/permute.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "core/random.h"
#include "core/slice.h"
#include "data/order_source.h"
#include "os/memory.h"

namespace linsep {
namespace {

constexpr std::int64_t kBucketRows = 2048;
constexpr int kMostBucketBits = 12;

struct Freed {
  void operator()(void* memory) const { free_aligned(memory); }
};

/// Memory that is neither set to zero nor touched before it is needed. It is in huge pages if the system has them,
/// because rows are visited in random order and every page is an entry in a small table of the processor.
template <class T>
class Raw {
 public:
  /// If `lazy`, uses small pages for the time being, so that only what has been written takes up memory (see
  /// `resolve`).
  void allocate(std::size_t size, bool lazy) {
    bytes_ = (std::max<std::size_t>(size, 1) * sizeof(T) + kHugePage - 1) / kHugePage * kHugePage;
    const bool large = bytes_ >= 16 * kHugePage;
    data_.reset(static_cast<T*>(large ? allocate_aligned(kHugePage, bytes_)
                                      : allocate_aligned(alignof(T), size * sizeof(T) + 1)));
    size_ = size;
    if (!large) bytes_ = 0;
    if (!lazy) use_huge_pages();
  }
  /// Gathers the small pages into huge ones, once everything has been written.
  void resolve() {
    use_huge_pages();
    if (bytes_ > 0) gather_huge_pages(data_.get(), bytes_);
  }

  T* data() { return data_.get(); }
  std::span<const T> span() const { return {data_.get(), size_}; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  // This is only advice. If the system ignores it, everything works as before.
  void use_huge_pages() {
    if (bytes_ > 0) prefer_huge_pages(data_.get(), bytes_);
  }

  std::unique_ptr<T, Freed> data_;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;  // of whole huge pages, or 0 if there are too few to care
};

/// Rows that own their memory. If they are sparse, row k is values start[k] … start[k + 1] − 1.
struct Rows {
  bool dense = false, is_float = true, weighted = false, labelled = true;
  std::uint64_t stride = 0;  ///< dense only
  Raw<std::uint64_t> start;
  Raw<std::uint32_t> column;
  Raw<float> value32;
  Raw<double> value64;
  Raw<double> label;
  Raw<double> weight;
  Raw<std::int64_t> number;

  void allocate(std::size_t rows, std::size_t values, bool lazy) {
    start.allocate(dense ? 0 : rows + 1, false);
    column.allocate(dense ? 0 : values, lazy);
    value32.allocate(is_float ? values : 0, lazy);
    value64.allocate(is_float ? 0 : values, lazy);
    label.allocate(labelled ? rows : 0, false);
    weight.allocate(weighted ? rows : 0, false);
    number.allocate(rows, false);
  }
  /// All rows as one batch, which lasts as long as they do.
  Batch batch(const Shape& shape) const {
    Batch all;
    all.rows = shape.rows;
    all.features = shape.features;
    all.dense = dense;
    all.is_float = is_float;
    all.pinned = true;
    all.stride = stride;
    all.start = start.span();
    all.column = column.span();
    all.value32 = value32.span();
    all.value64 = value64.span();
    if (labelled) all.label = label.span();
    if (weighted) all.weight = weight.span();
    all.row_number = number.span();
    return all;
  }
  void resolve() {
    column.resolve();
    value32.resolve();
    value64.resolve();
  }
};

std::uint64_t row_values(const Batch& batch, std::size_t i) { return batch.start[i + 1] - batch.start[i]; }

/// How far the first stage has come in a bucket. Rows arrive in any order, and the second stage sorts them.
struct alignas(64) Bucket {
  std::atomic<std::uint64_t> rows{0}, values{0};  ///< place of the next row
  std::uint64_t first_row = 0, end_row = 0;
  std::uint64_t first_value = 0, end_value = 0;
};

class Permuter {
 public:
  /// If `taking`, pages are freed as they are scattered.
  Permuter(std::span<const Page> pages, const Shape& shape, std::uint64_t seed, int threads, bool taking)
      : shape_(shape), seed_(seed), threads_(thread_count(threads)), taking_(taking) {
    int bits = 0;
    while (bits < kMostBucketBits && (shape.rows >> bits) > kBucketRows) ++bits;
    shift_ = 64 - bits;
    buckets_ = std::vector<Bucket>(std::size_t{1} << bits);
    if (!pages.empty()) {
      rows_.dense = pages.front().batch.dense;
      rows_.is_float = pages.front().batch.is_float;
    }
    rows_.stride = rows_.dense ? shape.features : 0;
    for (const Page& page : pages) {
      rows_.weighted = rows_.weighted || !page.batch.weight.empty();
      rows_.labelled = rows_.labelled && page.batch.labelled();
    }
    lay_out(pages);
  }

  /// About how long each stage takes.
  double nanoseconds() const { return 4 * pass_nanoseconds(shape_.rows, buckets_.back().end_value); }

  /// First stage: appends rows begin … end − 1 of a page to their buckets. Thread safe.
  void scatter(const Batch& batch, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Bucket& bucket = buckets_[bucket_of(hash(batch, i))];
      const std::uint64_t slot = bucket.rows.fetch_add(1, std::memory_order_relaxed);
      std::uint64_t to = slot * rows_.stride;
      if (!rows_.dense) {
        to = bucket.values.fetch_add(row_values(batch, i), std::memory_order_relaxed);
        rows_.start[slot] = to;
        size_[slot] = static_cast<std::uint32_t>(row_values(batch, i));
      }
      copy_values(batch, i, to);
      rows_.number[slot] = batch.first_row + static_cast<std::int64_t>(i);
      if (rows_.labelled) rows_.label[slot] = batch.label_of(static_cast<std::int64_t>(i));
      if (rows_.weighted) rows_.weight[slot] = batch.weight_of(static_cast<std::int64_t>(i));
    }
  }

  /// Second stage: puts every bucket into its order.
  Rows finish() {
    const auto workers = static_cast<std::size_t>(threads_);
    std::vector<std::vector<std::byte>> scratch(workers);
    parallel_for(buckets_.size(), threads_, nanoseconds(),
                 [&](std::size_t b, std::size_t worker) { sort(buckets_[b], scratch[worker]); });
    if (!rows_.dense) rows_.start[static_cast<std::size_t>(shape_.rows)] = buckets_.back().end_value;
    if (taking_) rows_.resolve();
    return std::move(rows_);
  }

 private:
  std::uint64_t hash(const Batch& batch, std::size_t i) const {
    return keyed_hash(seed_, static_cast<std::uint64_t>(batch.first_row) + i);
  }
  std::size_t bucket_of(std::uint64_t hash) const {
    return shift_ == 64 ? 0 : static_cast<std::size_t>(hash >> shift_);
  }

  // Counts what goes into each bucket, so that every bucket can begin at its final place.
  void lay_out(std::span<const Page> pages) {
    for (const Page& page : pages) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(page.batch.rows); ++i) {
        Bucket& bucket = buckets_[bucket_of(hash(page.batch, i))];
        ++bucket.end_row;
        bucket.end_value += rows_.dense ? rows_.stride : row_values(page.batch, i);
      }
    }
    std::uint64_t row = 0, value = 0;
    for (Bucket& bucket : buckets_) {
      bucket.first_row = row;
      bucket.first_value = value;
      bucket.end_row = row += bucket.end_row;
      bucket.end_value = value += bucket.end_value;
      bucket.rows = bucket.first_row;
      bucket.values = bucket.first_value;
    }
    rows_.allocate(row, value, taking_);
    size_.allocate(rows_.dense ? 0 : row, false);
  }

  void copy_values(const Batch& batch, std::size_t i, std::uint64_t to) {
    const std::uint64_t from = rows_.dense ? i * batch.stride : batch.start[i];
    const std::uint64_t size = rows_.dense ? batch.features : row_values(batch, i);
    if (!rows_.dense && batch.column64.empty()) {
      copy_columns(batch.column.data() + from, size, batch.features, rows_.column.data() + to);
    } else if (!rows_.dense) {
      copy_columns(batch.column64.data() + from, size, batch.features, rows_.column.data() + to);
    }
    if (rows_.is_float) {
      copy_padded(batch.value32.data() + from, size, rows_.value32.data() + to);
    } else {
      copy_padded(batch.value64.data() + from, size, rows_.value64.data() + to);
    }
  }

  template <class V>
  void copy_padded(const V* from, std::uint64_t size, V* to) const {
    std::copy_n(from, size, to);
    if (size < rows_.stride) std::fill(to + size, to + rows_.stride, V{0});
  }

  // The bucket's rows, counted from its first, by hash and then by number. The hash's bits behind those that chose the
  // bucket and the row's index are sorted as one number. If those bits are equal, hashes are compared in full.
  std::vector<std::uint32_t> order_of(const Bucket& bucket) const {
    constexpr std::uint64_t kPlaces = std::uint64_t{1} << 16;
    const std::size_t rows = bucket.end_row - bucket.first_row;
    const auto hash_at = [&](std::uint64_t k) {
      return keyed_hash(seed_, static_cast<std::uint64_t>(rows_.number[bucket.first_row + k]));
    };
    std::vector<std::uint64_t> key(rows);
    bool sure = rows < kPlaces;
    for (std::size_t k = 0; k < rows; ++k) key[k] = ((hash_at(k) << (64 - shift_)) & ~(kPlaces - 1)) | (k % kPlaces);
    std::sort(key.begin(), key.end());
    for (std::size_t k = 1; k < rows; ++k) sure = sure && key[k - 1] / kPlaces != key[k] / kPlaces;
    std::vector<std::uint32_t> order(rows);
    for (std::size_t k = 0; k < rows; ++k) order[k] = static_cast<std::uint32_t>(sure ? key[k] % kPlaces : k);
    if (!sure) {
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t x = hash_at(a), y = hash_at(b);
        return x != y ? x < y : rows_.number[bucket.first_row + a] < rows_.number[bucket.first_row + b];
      });
    }
    return order;
  }

  void sort(const Bucket& bucket, std::vector<std::byte>& scratch) {
    const std::size_t rows = bucket.end_row - bucket.first_row;
    const std::vector<std::uint32_t> order = order_of(bucket);
    std::vector<std::uint64_t> from(rows), size(rows, rows_.stride), to(rows);
    std::uint64_t at = bucket.first_value;
    for (std::size_t k = 0; k < rows; ++k) {
      const std::uint64_t slot = bucket.first_row + order[k];
      if (!rows_.dense) size[k] = size_[slot];
      from[k] = rows_.dense ? slot * rows_.stride : rows_.start[slot];
      to[k] = at;
      at += size[k];
    }
    const auto move_values = [&](auto* data) {
      const std::uint64_t values = bucket.end_value - bucket.first_value;
      scratch.resize(std::max<std::size_t>(scratch.size(), values * sizeof *data));
      auto* copy = reinterpret_cast<std::remove_reference_t<decltype(data)>>(scratch.data());
      std::memcpy(scratch.data(), data + bucket.first_value, values * sizeof *data);
      for (std::size_t k = 0; k < rows; ++k) std::copy_n(copy + (from[k] - bucket.first_value), size[k], data + to[k]);
    };
    if (bucket.end_value > bucket.first_value) {
      if (!rows_.dense) move_values(rows_.column.data());
      if (rows_.is_float) {
        move_values(rows_.value32.data());
      } else {
        move_values(rows_.value64.data());
      }
    }
    const auto move_one_a_row = [&](auto& array) {
      using T = std::remove_reference_t<decltype(array[0])>;
      std::vector<T> copy(array.data() + bucket.first_row, array.data() + bucket.end_row);
      for (std::size_t k = 0; k < rows; ++k) array[bucket.first_row + k] = copy[order[k]];
    };
    if (rows_.labelled) move_one_a_row(rows_.label);
    if (rows_.weighted) move_one_a_row(rows_.weight);
    move_one_a_row(rows_.number);
    if (!rows_.dense) std::copy(to.begin(), to.end(), rows_.start.data() + bucket.first_row);
  }

  Shape shape_;
  std::uint64_t seed_;
  int threads_;
  bool taking_;
  int shift_ = 64;
  std::vector<Bucket> buckets_;
  Rows rows_;
  Raw<std::uint32_t> size_;  // sparse: size of the row in each slot
};

class PermutedSource : public Source {
 public:
  PermutedSource(MemorySource& inner, Rows rows, std::uint64_t seed)
      : inner_(inner),
        shape_(inner.shape()),
        rows_(std::move(rows)),
        whole_(rows_.batch(shape_)),
        order_(static_cast<std::size_t>(shape_.rows), seed) {}

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override { order_.rewind(pass); }

  std::optional<Batch> next() override {
    if (order_.at_end()) return std::nullopt;
    const auto first = static_cast<std::int64_t>(order_.next() * kGroupRows);
    return slice(whole_, first, std::min<std::int64_t>(kGroupRows, shape_.rows - first));
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    order_.end();
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  MemorySource& inner_;
  Shape shape_;
  Rows rows_;
  Batch whole_;  // all of them
  GroupOrder order_;
};

}  // namespace

std::unique_ptr<Source> permute_rows(MemorySource& inner, std::uint64_t seed, int threads) {
  constexpr std::size_t kPieceRows = 4096;
  Permuter permuter(inner.pages(), inner.shape(), seed, threads, false);
  std::vector<std::pair<const Batch*, std::size_t>> pieces;
  for (const Page& page : inner.pages()) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(page.batch.rows); i += kPieceRows) {
      pieces.emplace_back(&page.batch, i);
    }
  }
  parallel_for(pieces.size(), thread_count(threads), permuter.nanoseconds(), [&](std::size_t k, std::size_t) {
    const auto [batch, begin] = pieces[k];
    permuter.scatter(*batch, begin, std::min(begin + kPieceRows, static_cast<std::size_t>(batch->rows)));
  });
  return std::make_unique<PermutedSource>(inner, permuter.finish(), seed);
}

std::unique_ptr<Source> permute_and_take_rows(MemorySource& inner, std::uint64_t seed, int threads) {
  const Shape shape = inner.shape();
  std::vector<Page> pages = inner.take_pages();
  Permuter permuter(pages, shape, seed, threads, true);
  parallel_for(pages.size(), thread_count(threads), permuter.nanoseconds(), [&](std::size_t p, std::size_t) {
    permuter.scatter(pages[p].batch, 0, static_cast<std::size_t>(pages[p].batch.rows));
    pages[p] = Page{};
  });
  return std::make_unique<PermutedSource>(inner, permuter.finish(), seed);
}

namespace {

// The order of data/permute.h over rows that stay where they are.

std::vector<std::int64_t> numbers_by_hash(std::int64_t first_row, std::int64_t rows, std::uint64_t seed) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(rows));
  std::iota(numbers.begin(), numbers.end(), first_row);
  sort_by_hash(seed, numbers);
  return numbers;
}

/// Every one-byte label as a double, by its bits, so that a row's label stays where it is like its values.
constexpr std::array<double, 256> kWidened = [] {
  std::array<double, 256> all{};
  for (int bits = 0; bits < 256; ++bits) all[static_cast<std::size_t>(bits)] = static_cast<std::int8_t>(bits);
  return all;
}();

class IndexedSource : public Source {
 public:
  IndexedSource(MemorySource& inner, std::uint64_t seed)
      : inner_(inner),
        shape_(inner.shape()),
        number_(numbers_by_hash(inner.first_row(), shape_.rows, seed)),
        order_(number_.size(), seed) {}

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override {
    order_.rewind(pass);
    at_ = end_ = 0;
  }

  std::optional<Batch> next() override {
    if (at_ == end_) {
      if (order_.at_end()) return std::nullopt;
      at_ = order_.next() * kGroupRows;
      end_ = std::min(at_ + kGroupRows, number_.size());
    }
    const std::size_t position = at_++;
    const std::int64_t row = number_[position];
    const std::vector<Page>& pages = inner_.pages();
    const Page& held = pages[pages.size() == 1 ? 0 : inner_.page_of(row)];
    const Batch& page = held.batch;
    const auto i = static_cast<std::size_t>(row - page.first_row);
    if (!page.column64.empty() || held.unsteady) {
      return placed(narrowed_.rows(page, static_cast<std::int64_t>(i), 1, held.unsteady), position);
    }
    Batch batch = page;
    batch.rows = 1;
    batch.pinned = true;
    if (page.dense) {
      if (page.is_float) {
        batch.value32 = page.value32.subspan(i * page.stride, page.features);
      } else {
        batch.value64 = page.value64.subspan(i * page.stride, page.features);
      }
    } else {
      batch.start = page.start.subspan(i, 2);
    }
    if (!page.label.empty()) batch.label = page.label.subspan(i, 1);
    if (!page.label8.empty()) {
      batch.label = std::span(&kWidened[static_cast<std::uint8_t>(page.label8[i])], 1);
      batch.label8 = {};
    }
    if (!page.weight.empty()) batch.weight = page.weight.subspan(i, 1);
    return placed(batch, position);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    order_.end();
    at_ = end_ = 0;
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  Batch placed(Batch row, std::size_t position) const {
    row.first_row = static_cast<std::int64_t>(position);
    row.row_number = std::span(&number_[position], 1);
    return row;
  }

  MemorySource& inner_;
  Shape shape_;
  std::vector<std::int64_t> number_;  // of the row at each position
  GroupOrder order_;
  std::size_t at_ = 0, end_ = 0;  // positions of the present group
  BatchConverter narrowed_;
};

}  // namespace

std::unique_ptr<Source> index_rows(MemorySource& inner, std::uint64_t seed) {
  return std::make_unique<IndexedSource>(inner, seed);
}

}  // namespace linsep
