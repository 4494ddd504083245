#include "data/order_source.h"

#include <algorithm>
#include <utility>

#include "core/slice.h"

namespace linsep {
namespace {

constexpr std::size_t kBatchRows = 256;

/// A sequence of numbers whose memory is reused from one filling to the next.
template <class T>
class Line {
 public:
  void clear() { size_ = 0; }
  /// Room for `count` more numbers, which the caller must write.
  T* extend(std::size_t count) {
    if (size_ + count > values_.size()) values_.resize(2 * (size_ + count));
    size_ += count;
    return values_.data() + size_ - count;
  }
  void push(T value) { *extend(1) = value; }
  std::size_t size() const { return size_; }
  std::span<const T> span() const { return {values_.data(), size_}; }

 private:
  std::vector<T> values_;
  std::size_t size_ = 0;
};

struct Extent {
  std::uint64_t begin, size;
};

/// Where the values of a batch's row lie.
Extent extent_of(const Batch& batch, std::size_t i) {
  if (batch.dense) return {i * batch.stride, batch.features};
  return {batch.start[i], batch.start[i + 1] - batch.start[i]};
}

/// Rows copied from anywhere, one after another, in the layout of the source they come from.
class RowBuffer {
 public:
  void clear() {
    start_.clear();
    start_.push(0);
    column_.clear();
    value32_.clear();
    value64_.clear();
    label_.clear();
    weight_.clear();
    number_.clear();
    values_ = 0;
  }

  void add(const Batch& batch, std::size_t i) {
    const auto [begin, size] = extent_of(batch, i);
    if (!batch.column64.empty()) {
      copy_columns(batch.column64.data() + begin, size, batch.features, column_.extend(size));
    } else if (!batch.dense) {
      copy_columns(batch.column.data() + begin, size, batch.features, column_.extend(size));
    }
    if (batch.is_float) {
      std::copy_n(batch.value32.data() + begin, size, value32_.extend(size));
    } else {
      std::copy_n(batch.value64.data() + begin, size, value64_.extend(size));
    }
    start_.push(values_ += size);
    if (batch.labelled()) label_.push(batch.label_of(static_cast<std::int64_t>(i)));
    if (!batch.weight.empty()) weight_.push(batch.weight[i]);
    number_.push(batch.first_row + static_cast<std::int64_t>(i));
  }

  /// Adds rows of one batch by their numbers. It copies array by array with all places known beforehand. Rows lie
  /// anywhere, so this lets the processor wait for several of them at a time.
  void add(const Batch& batch, std::span<const std::int64_t> rows) {
    extent_.resize(rows.size());
    std::uint64_t* start = start_.extend(rows.size());
    std::uint64_t values = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      extent_[j] = extent_of(batch, static_cast<std::size_t>(rows[j] - batch.first_row));
      start[j] = values_ + (values += extent_[j].size);
    }
    values_ += values;
    std::copy(rows.begin(), rows.end(), number_.extend(rows.size()));
    if (!batch.column64.empty()) {
      gather_columns(batch.column64.data(), batch.features, column_.extend(values));
    } else if (!batch.dense) {
      gather_columns(batch.column.data(), batch.features, column_.extend(values));
    }
    if (batch.is_float) {
      gather_values(batch.value32.data(), value32_.extend(values));
    } else {
      gather_values(batch.value64.data(), value64_.extend(values));
    }
    for (const std::int64_t row : rows) {
      const std::int64_t i = row - batch.first_row;
      if (batch.labelled()) label_.push(batch.label_of(i));
      if (!batch.weight.empty()) weight_.push(batch.weight_of(i));
    }
  }

  /// `like` gives the layout and the value type.
  Batch batch(const Batch& like, std::int64_t first_row, std::uint32_t features) const {
    Batch b;
    b.first_row = first_row;
    b.rows = static_cast<std::int64_t>(number_.size());
    b.features = features;
    b.dense = like.dense;
    b.is_float = like.is_float;
    if (b.dense) {
      b.stride = features;
    } else {
      b.start = start_.span();
      b.column = column_.span();
    }
    b.value32 = value32_.span();
    b.value64 = value64_.span();
    b.label = label_.span();
    b.weight = weight_.span();
    b.row_number = number_.span();
    return b;
  }

 private:
  template <class From, class To, class Copy>
  void gather(const From* from, To* to, Copy copy) const {
    constexpr std::size_t kAhead = 8;
    for (std::size_t j = 0; j < extent_.size(); ++j) {
      if (j + kAhead < extent_.size()) __builtin_prefetch(from + extent_[j + kAhead].begin);
      copy(from + extent_[j].begin, extent_[j].size, to);
      to += extent_[j].size;
    }
  }
  template <class V>
  void gather_values(const V* from, V* to) const {
    gather(from, to, [](const V* row, std::uint64_t size, V* into) { std::copy_n(row, size, into); });
  }
  template <class Column>
  void gather_columns(const Column* from, std::uint32_t features, std::uint32_t* to) const {
    gather(from, to, [&](const Column* row, std::uint64_t size, std::uint32_t* into) {
      copy_columns(row, size, features, into);
    });
  }

  std::vector<Extent> extent_;  // of the rows that are being added
  Line<std::uint64_t> start_;
  Line<std::uint32_t> column_;
  Line<float> value32_;
  Line<double> value64_;
  Line<double> label_;
  Line<double> weight_;
  Line<std::int64_t> number_;
  std::uint64_t values_ = 0;
};

class MemoryRows : public RowsByNumber {
 public:
  explicit MemoryRows(MemorySource& inner) : inner_(inner) {}
  std::int64_t first_row() const override { return inner_.first_row(); }
  std::int64_t end_row() const override { return inner_.end_row(); }
  Batch like() const override { return inner_.pages().front().batch; }
  void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& /*ranges*/) override {}
  void advance() override {}
  const Batch& batch_of(std::int64_t row) override { return inner_.pages()[inner_.page_of(row)].batch; }
  const Batch* all() const override { return inner_.pages().size() == 1 ? &inner_.pages().front().batch : nullptr; }

 private:
  MemorySource& inner_;
};

class OrderSource : public Source {
 public:
  OrderSource(Source& inner, std::unique_ptr<RowsByNumber> reach, RowOrder order, std::uint64_t seed)
      : inner_(inner), reach_(std::move(reach)), order_(order), seed_(seed) {
    OrderSource::rewind(0);
  }

  Shape shape() const override { return inner_.shape(); }
  const Schema& schema() const override { return inner_.schema(); }

  void rewind(std::uint64_t pass) override {
    if (order_ == RowOrder::kGiven) return inner_.rewind(pass);
    key_ = keyed_hash(seed_, pass);
    visited_ = 0;
    rows_.clear();
    at_row_ = 0;
    at_page_ = 0;
    pages_.clear();
    if (inner_.shape().rows == 0) return;
    for (std::int64_t p = reach_->first_row() / kPageRows; p * kPageRows < reach_->end_row(); ++p) pages_.push_back(p);
    sort_by_hash(key_, pages_);
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (const std::int64_t p : pages_) ranges.push_back(range_of(p));
    reach_->plan(ranges);
  }

  std::optional<Batch> next() override {
    if (order_ == RowOrder::kGiven) return inner_.next();
    if (at_row_ == rows_.size() && !next_page()) return std::nullopt;
    const std::size_t end = std::min(rows_.size(), at_row_ + kBatchRows);
    const std::int64_t first = visited_;
    visited_ += static_cast<std::int64_t>(end - at_row_);
    buffer_.clear();
    if (const Batch* all = reach_->all()) {
      buffer_.add(*all, std::span(rows_).subspan(at_row_, end - at_row_));
      at_row_ = end;
    }
    for (; at_row_ < end; ++at_row_) add(rows_[at_row_]);
    const Batch like = reach_->like();
    return buffer_.batch(like, first, like.dense ? like.features : inner_.shape().features);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    rows_.clear();
    at_row_ = 0;
    at_page_ = pages_.size();
    return inner_.written(rows);
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 private:
  /// The first row of a logical page and one past its last.
  std::pair<std::int64_t, std::int64_t> range_of(std::int64_t page) const {
    return {std::max(page * kPageRows, reach_->first_row()), std::min((page + 1) * kPageRows, reach_->end_row())};
  }

  /// Lists the rows of the next logical page in their order. False at the end of the pass.
  bool next_page() {
    if (at_page_ == pages_.size()) return false;
    const std::int64_t page = pages_[at_page_++];
    const auto [begin, end] = range_of(page);
    reach_->advance();
    rows_.clear();
    for (std::int64_t r = begin; r < end; ++r) rows_.push_back(r);
    if (order_ == RowOrder::kShuffled) {
      sort_by_hash(key_, rows_);
    } else {
      Random random(key_, static_cast<std::uint64_t>(page));
      const auto rows = static_cast<std::uint64_t>(end - begin);
      for (std::int64_t& r : rows_) r = begin + static_cast<std::int64_t>(random.below(rows));
    }
    at_row_ = 0;
    return true;
  }

  void add(std::int64_t row) {
    const Batch& batch = reach_->batch_of(row);
    buffer_.add(batch, static_cast<std::size_t>(row - batch.first_row));
  }

  Source& inner_;
  std::unique_ptr<RowsByNumber> reach_;
  RowOrder order_;
  std::uint64_t seed_;
  std::uint64_t key_ = 0;
  std::vector<std::int64_t> pages_;  // logical pages in the order of the pass
  std::size_t at_page_ = 0;
  std::vector<std::int64_t> rows_;  // rows of the current logical page in their order
  std::size_t at_row_ = 0;
  std::int64_t visited_ = 0;
  RowBuffer buffer_;
};

}  // namespace

std::unique_ptr<Source> order_rows(MemorySource& inner, RowOrder order, std::uint64_t seed) {
  return std::make_unique<OrderSource>(inner, std::make_unique<MemoryRows>(inner), order, seed);
}

std::unique_ptr<Source> order_rows(Source& inner, std::unique_ptr<RowsByNumber> reach, RowOrder order,
                                   std::uint64_t seed) {
  return std::make_unique<OrderSource>(inner, std::move(reach), order, seed);
}

}  // namespace linsep
