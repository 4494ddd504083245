#include "data/order_source.h"

#include <algorithm>
#include <utility>

#include "core/hash_order.h"

namespace linsep {
namespace {

constexpr std::size_t kBatchRows = 256;

/// Rows copied from anywhere, one after another, in the layout of the source they come from.
class RowBuffer {
 public:
  void clear() {
    start_.assign(1, 0);
    column_.clear();
    value32_.clear();
    value64_.clear();
    label_.clear();
    weight_.clear();
    number_.clear();
  }

  void add(const Batch& batch, std::size_t i) {
    const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
    const std::uint64_t end = batch.dense ? begin + batch.features : batch.start[i + 1];
    if (!batch.dense) append(column_, batch.column, begin, end);
    if (batch.single) {
      append(value32_, batch.value32, begin, end);
    } else {
      append(value64_, batch.value64, begin, end);
    }
    start_.push_back(start_.back() + (end - begin));
    if (!batch.label.empty()) label_.push_back(batch.label[i]);
    if (!batch.weight.empty()) weight_.push_back(batch.weight[i]);
    number_.push_back(batch.first_row + static_cast<std::int64_t>(i));
  }

  /// `like` says layout and value type.
  Batch batch(const Batch& like, std::int64_t first_row, std::uint32_t features) const {
    Batch b;
    b.first_row = first_row;
    b.rows = static_cast<std::int64_t>(number_.size());
    b.features = features;
    b.dense = like.dense;
    b.single = like.single;
    if (b.dense) {
      b.stride = features;
    } else {
      b.start = start_;
      b.column = column_;
    }
    b.value32 = value32_;
    b.value64 = value64_;
    b.label = label_;
    b.weight = weight_;
    b.row_number = number_;
    return b;
  }

 private:
  template <class T>
  static void append(std::vector<T>& to, std::span<const T> from, std::uint64_t begin, std::uint64_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  }

  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<float> value32_;
  std::vector<double> value64_;
  std::vector<double> label_;
  std::vector<double> weight_;
  std::vector<std::int64_t> number_;
};

class OrderSource : public Source {
 public:
  OrderSource(MemorySource& inner, RowOrder order, std::uint64_t seed) : inner_(inner), order_(order), seed_(seed) {
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
    for (std::int64_t p = inner_.first_row() / kPageRows; p * kPageRows < inner_.end_row(); ++p) pages_.push_back(p);
    sort_by_hash(key_, pages_);
  }

  std::optional<Batch> next() override {
    if (order_ == RowOrder::kGiven) return inner_.next();
    if (at_row_ == rows_.size() && !next_page()) return std::nullopt;
    const std::size_t end = std::min(rows_.size(), at_row_ + kBatchRows);
    const std::int64_t first = visited_;
    visited_ += static_cast<std::int64_t>(end - at_row_);
    buffer_.clear();
    for (; at_row_ < end; ++at_row_) add(rows_[at_row_]);
    const Batch& like = inner_.pages().front().batch;
    return buffer_.batch(like, first, like.dense ? like.features : inner_.shape().features);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    rows_.clear();
    at_row_ = 0;
    at_page_ = pages_.size();
    return inner_.written(rows);
  }

 private:
  /// Lists the rows of the next logical page in their order. False at the end of the pass.
  bool next_page() {
    if (at_page_ == pages_.size()) return false;
    const std::int64_t page = pages_[at_page_++];
    const std::int64_t begin = std::max(page * kPageRows, inner_.first_row());
    const std::int64_t end = std::min((page + 1) * kPageRows, inner_.end_row());
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
    const Batch& batch = inner_.pages()[inner_.page_of(row)].batch;
    buffer_.add(batch, static_cast<std::size_t>(row - batch.first_row));
  }

  MemorySource& inner_;
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
  return std::make_unique<OrderSource>(inner, order, seed);
}

}  // namespace linsep
