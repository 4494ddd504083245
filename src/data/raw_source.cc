#include "data/raw_source.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "data/order_source.h"
#include "data/permute.h"
#include "kernel/widen.h"

namespace linsep {
namespace {

constexpr double kDecodeNanoseconds = 0.3;  // of a value

float from_bfloat16(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16); }

template <class From, class To, class Convert>
void decode_each(const unsigned char* from, std::size_t count, To* to, const Convert& convert) {
  for (std::size_t k = 0; k < count; ++k) {
    From value;
    std::memcpy(&value, from + k * sizeof(From), sizeof(From));
    to[k] = convert(value);
  }
}

template <class To>
void decode_as(const void* values, ValueType type, std::uint64_t first, std::size_t count, To* to) {
  const unsigned char* from = static_cast<const unsigned char*>(values) + first * size_of(type);
  switch (type) {
    case ValueType::kFloat16:
      return decode_each<std::uint16_t>(from, count, to, scalar::widen_float16);
    case ValueType::kBfloat16:
      return decode_each<std::uint16_t>(from, count, to, from_bfloat16);
    case ValueType::kFloat32:
      return decode_each<float>(from, count, to, [](float value) { return value; });
    case ValueType::kFloat64:
      return decode_each<double>(from, count, to, [](double value) { return static_cast<To>(value); });
  }
}

/// Few enough to stay near the processor, and enough to share out among threads.
std::int64_t rows_at_once(const Batch& batch, std::int64_t first) {
  constexpr std::int64_t kMostValues = std::int64_t{1} << 20, kMostRows = std::int64_t{1} << 13;
  const std::int64_t most = std::max<std::int64_t>(kMostValues / std::max<std::int64_t>(batch.features, 1), 1);
  return std::min({batch.rows - first, most, kMostRows});
}

}  // namespace

void decode(const void* values, ValueType type, std::uint64_t first, std::size_t count, float* to) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(values) % alignof(std::uint16_t) == 0;
  if (type == ValueType::kFloat16 && aligned) {
    return widen_float16(static_cast<const std::uint16_t*>(values) + first, count, to);
  }
  decode_as(values, type, first, count, to);
}

void decode(const void* values, ValueType type, std::uint64_t first, std::size_t count, double* to) {
  decode_as(values, type, first, count, to);
}

RawSource::RawSource(std::vector<RawPage> pages, Schema schema, std::uint32_t features, int threads)
    : pages_(std::move(pages)), schema_(std::move(schema)), shape_{0, features, 0}, threads_(thread_count(threads)) {
  std::erase_if(pages_, [](const RawPage& page) { return page.page.batch.rows == 0; });
  for (const RawPage& page : pages_) {
    const Batch& batch = page.page.batch;
    width_ = batch.features;
    is_float_ = page.type != ValueType::kFloat64;
    shape_.rows += batch.rows;
    shape_.features = std::max(shape_.features, batch.features);
    shape_.nonzeros += batch.rows * static_cast<std::int64_t>(batch.features);
  }
}

void RawSource::rewind(std::uint64_t /*pass*/) {
  at_ = 0;
  row_ = 0;
}

void RawSource::make_room(std::size_t rows) {
  if (is_float_) {
    value32_.resize(rows * width_);
  } else {
    value64_.resize(rows * width_);
  }
}

void RawSource::decode_row(const RawPage& page, std::int64_t i, std::size_t slot) {
  const std::uint64_t first = static_cast<std::uint64_t>(i) * page.page.batch.stride;
  if (is_float_) {
    decode(page.values, page.type, first, width_, value32_.data() + slot * width_);
  } else {
    decode(page.values, page.type, first, width_, value64_.data() + slot * width_);
  }
}

void RawSource::set_values(Batch& batch) const {
  batch.features = width_;
  batch.dense = true;
  batch.is_float = is_float_;
  batch.pinned = false;
  batch.stride = width_;
  batch.label8 = {};
  if (is_float_) {
    batch.value32 = value32_;
  } else {
    batch.value64 = value64_;
  }
}

std::optional<Batch> RawSource::next() {
  if (at_ == pages_.size()) return std::nullopt;
  const RawPage& page = pages_[at_];
  const std::int64_t first = row_, count = rows_at_once(page.page.batch, row_);
  Batch batch = slice(page.page.batch, first, count);
  make_room(static_cast<std::size_t>(count));
  const auto parts = static_cast<std::int64_t>(threads_);
  const double work = kDecodeNanoseconds * static_cast<double>(count) * width_;
  parallel_for(static_cast<std::size_t>(threads_), threads_, work, [&](std::size_t part, std::size_t) {
    const auto p = static_cast<std::int64_t>(part);
    for (std::int64_t i = count * p / parts; i < count * (p + 1) / parts; ++i) {
      decode_row(page, first + i, static_cast<std::size_t>(i));
    }
  });
  if (!batch.label8.empty()) {
    label_.assign(batch.label8.begin(), batch.label8.end());
    batch.label = label_;
  }
  set_values(batch);
  row_ += count;
  if (row_ == page.page.batch.rows) {
    ++at_;
    row_ = 0;
  }
  return batch;
}

const RawPage& RawSource::page_of(std::int64_t row) const {
  const auto after = std::upper_bound(pages_.begin(), pages_.end(), row, [](std::int64_t r, const RawPage& page) {
    return r < page.page.batch.first_row;
  });
  return *(after - 1);
}

Batch RawSource::gather(std::span<const std::int64_t> rows) {
  make_room(rows.size());
  label_.clear();
  weight_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const RawPage& page = page_of(rows[k]);
    const Batch& from = page.page.batch;
    const std::int64_t i = rows[k] - from.first_row;
    decode_row(page, i, k);
    if (from.labelled()) label_.push_back(from.label_of(i));
    if (!from.weight.empty()) weight_.push_back(from.weight_of(i));
  }
  Batch batch;
  batch.rows = static_cast<std::int64_t>(rows.size());
  batch.label = label_;
  batch.weight = weight_;
  batch.row_number = rows;
  set_values(batch);
  return batch;
}

std::vector<WrittenRow> RawSource::written(std::span<const std::int64_t> rows) {
  check_row_numbers(rows, first_row(), first_row() + shape_.rows);
  at_ = pages_.size();
  row_ = 0;
  std::vector<WrittenRow> answer;
  answer.reserve(rows.size());
  for (const std::int64_t& row : rows) {
    Batch one = gather(std::span(&row, 1));
    one.first_row = row;
    answer.push_back(written_from_values(schema_, one, 0));
  }
  return answer;
}

namespace {

class RawRows : public RowsByNumber {
 public:
  explicit RawRows(RawSource& inner) : inner_(inner) {}

  std::int64_t first_row() const override { return inner_.first_row(); }
  std::int64_t end_row() const override { return inner_.first_row() + inner_.shape().rows; }
  Batch like() const override {
    const std::int64_t row = inner_.first_row();
    Batch one = inner_.gather(std::span(&row, 1));
    one.row_number = {};
    return one;
  }
  void plan(const std::vector<std::pair<std::int64_t, std::int64_t>>& /*ranges*/) override {}
  void advance() override {}
  const Batch& batch_of(std::int64_t row) override {
    row_ = inner_.gather(std::span(&row, 1));
    row_.row_number = {};
    row_.first_row = row;
    return row_;
  }

 private:
  RawSource& inner_;
  Batch row_;  // asked for last
};

/// A batch is a group.
class IndexedRawSource : public Source {
 public:
  IndexedRawSource(RawSource& inner, std::uint64_t seed)
      : inner_(inner),
        number_(static_cast<std::size_t>(inner.shape().rows)),
        order_(static_cast<std::size_t>(inner.shape().rows), seed) {
    std::iota(number_.begin(), number_.end(), inner.first_row());
    sort_by_hash(seed, number_);
  }

  Shape shape() const override { return inner_.shape(); }
  const Schema& schema() const override { return inner_.schema(); }
  void rewind(std::uint64_t pass) override { order_.rewind(pass); }
  std::optional<Batch> next() override {
    if (order_.at_end()) return std::nullopt;
    const std::size_t first = order_.next() * kGroupRows;
    Batch batch = inner_.gather(std::span(number_).subspan(first, std::min(kGroupRows, number_.size() - first)));
    batch.first_row = static_cast<std::int64_t>(first);
    return batch;
  }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    order_.end();
    return inner_.written(rows);
  }

 private:
  RawSource& inner_;
  std::vector<std::int64_t> number_;  // of the row at each position
  GroupOrder order_;
};

}  // namespace

std::unique_ptr<Source> order_rows(RawSource& inner, RowOrder order, std::uint64_t seed) {
  return order_rows(inner, std::make_unique<RawRows>(inner), order, seed);
}

std::unique_ptr<Source> index_rows(RawSource& inner, std::uint64_t seed) {
  return std::make_unique<IndexedRawSource>(inner, seed);
}

}  // namespace linsep
