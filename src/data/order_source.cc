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
    if (!batch.dense && batch.column64.empty()) append(column_, batch.column, begin, end);
    if (!batch.column64.empty()) {
      for (std::uint64_t k = begin; k < end; ++k) column_.push_back(static_cast<std::uint32_t>(batch.column64[k]));
    }
    if (batch.is_float) {
      append(value32_, batch.value32, begin, end);
    } else {
      append(value64_, batch.value64, begin, end);
    }
    start_.push_back(start_.back() + (end - begin));
    if (batch.labelled()) label_.push_back(batch.label_of(static_cast<std::int64_t>(i)));
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
    b.is_float = like.is_float;
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

/// Rows reached by number, wherever they lie.
class RowsByNumber {
 public:
  virtual ~RowsByNumber() = default;
  virtual std::int64_t first_row() const = 0;
  virtual std::int64_t end_row() const = 0;
  /// A batch with rows of the layout that all have.
  virtual Batch like() const = 0;
  /// Says which rows will be asked for: those of one range, then those of the next, …
  virtual void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) = 0;
  virtual void advance() = 0;
  /// The batch that holds a row of the present range, until the next call.
  virtual const Batch& batch_of(std::int64_t row) = 0;
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

 private:
  MemorySource& inner_;
};

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

std::unique_ptr<Source> order_rows(PagedSource& inner, RowOrder order, std::uint64_t seed) {
  return std::make_unique<OrderSource>(inner, std::make_unique<PagedRows>(inner), order, seed);
}

}  // namespace linsep
