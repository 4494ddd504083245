#include "data/decorators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/from_chars.h"
#include "data/memory_source.h"
#include "linsep/batch.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// Steps through the rows of a source one by one, for decorators that turn them into other rows.
class RowCursor {
 public:
  /// `source` outlives this.
  explicit RowCursor(Source& source) : source_(source) {}

  void rewind(std::uint64_t pass) {
    drop();
    source_.rewind(pass);
  }
  /// Forgets the current batch, because the source is about to be used for something else.
  void drop() { batch_.reset(); }

  /// Takes the source's next batch once the rows of the last one are used up. False at the end of the pass.
  bool fill() {
    while (!batch_ || !has_row()) {
      batch_ = source_.next();
      at_ = 0;
      if (!batch_) return false;
    }
    return true;
  }

  // REQUIRES: `fill` returned true.
  const Batch& batch() const { return *batch_; }
  std::int64_t at() const { return at_; }  ///< the next row of the batch
  bool has_row() const { return at_ < batch_->rows; }
  std::int64_t take() { return at_++; }

 private:
  Source& source_;
  std::optional<Batch> batch_;
  std::int64_t at_ = 0;
};

/// Replaces what the vectors hold with the entries of one row that aren't 0, by ascending column. REQUIRES:
/// i < batch.rows; the batch isn't foreign().
void take_nonzeros(const Batch& batch, std::size_t i, std::vector<std::uint32_t>& column, std::vector<double>& value) {
  column.clear();
  value.clear();
  const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
  const std::uint64_t end = batch.dense ? begin + batch.features : batch.start[i + 1];
  for (std::uint64_t k = begin; k < end; ++k) {
    const double x = batch.is_float ? static_cast<double>(batch.value32[k]) : batch.value64[k];
    if (x == 0) continue;
    column.push_back(batch.dense ? static_cast<std::uint32_t>(k - begin) : batch.column[k]);
    value.push_back(x);
  }
}

/// A batch ends with the row that brings it to this many entries, so that it stays in cache.
constexpr std::size_t kBatchEntries = 32768;

class MapSource : public WrappedSource {
 public:
  MapSource(Source& inner, const FeatureMap& map)
      : WrappedSource(inner),
        raw_(inner),
        map_(map),
        features_(inner.shape().features),
        mapped_(mapped_features(map, features_)) {}

  Shape shape() const override {
    Shape shape = WrappedSource::shape();
    shape.features = mapped_;
    shape.nonzeros = -1;
    return shape;
  }
  void rewind(std::uint64_t pass) override { raw_.rewind(pass); }

  std::optional<Batch> next() override {
    if (!raw_.fill()) return std::nullopt;
    const std::int64_t first = raw_.at();
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    while (raw_.has_row() && column_.size() < kBatchEntries) {
      take_row(static_cast<std::size_t>(raw_.take()));
      start_.push_back(column_.size());
    }
    return mapped_batch(first);
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    raw_.drop();
    return inner().written(rows);
  }

 private:
  void take_row(std::size_t i) {
    take_nonzeros(raw_.batch(), i, raw_column_, raw_value_);
    // The numbers of mapped features depend on how many raw ones there are, so a stream can't widen them later.
    if (!raw_column_.empty() && raw_column_.back() >= features_) {
      throw input_error(fmt::format("row {} has feature {}, but the map was made for {} features",
                                    raw_.batch().number_of(static_cast<std::int64_t>(i)) + 1,
                                    static_cast<std::uint64_t>(raw_column_.back()) + 1, features_));
    }
    apply_map(map_, features_, {raw_column_.data(), raw_value_.data(), raw_column_.size()}, column_, value_);
  }

  /// The rows from `first` up to the next raw row, as they lie mapped in the buffers.
  Batch mapped_batch(std::int64_t first) const {
    const auto from = static_cast<std::size_t>(first);
    const auto count = static_cast<std::size_t>(raw_.at() - first);
    Batch b;
    b.first_row = raw_.batch().first_row + first;
    b.rows = raw_.at() - first;
    b.features = mapped_;
    b.is_float = false;
    b.start = start_;
    b.column = column_;
    b.value64 = value_;
    if (!raw_.batch().label.empty()) b.label = raw_.batch().label.subspan(from, count);
    if (!raw_.batch().weight.empty()) b.weight = raw_.batch().weight.subspan(from, count);
    if (!raw_.batch().row_number.empty()) b.row_number = raw_.batch().row_number.subspan(from, count);
    return b;
  }

  RowCursor raw_;
  FeatureMap map_;
  std::uint32_t features_;  // raw
  std::uint32_t mapped_;
  std::vector<std::uint32_t> raw_column_;
  std::vector<double> raw_value_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_;
};

}  // namespace

std::unique_ptr<Source> map_rows(Source& inner, const FeatureMap& map) {
  return std::make_unique<MapSource>(inner, map);
}

namespace {

class ScaledSource : public WrappedSource {
 public:
  ScaledSource(Source& inner, std::vector<int> exponent) : WrappedSource(inner), exponent_(std::move(exponent)) {}

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    const std::size_t size = batch->is_float ? batch->value32.size() : batch->value64.size();
    value_.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t column = batch->dense ? k % batch->stride : batch->column[k];
      const double value = batch->is_float ? static_cast<double>(batch->value32[k]) : batch->value64[k];
      value_[k] = column < exponent_.size() ? std::ldexp(value, -exponent_[column]) : value;
    }
    batch->is_float = false;
    batch->pinned = false;
    batch->value32 = {};
    batch->value64 = value_;
    return batch;
  }

 private:
  std::vector<int> exponent_;
  std::vector<double> value_;
};

}  // namespace

std::unique_ptr<Source> scale_columns(Source& inner, std::vector<int> exponent) {
  return std::make_unique<ScaledSource>(inner, std::move(exponent));
}

namespace {

class ConstantColumn : public WrappedSource {
 public:
  ConstantColumn(Source& inner, double value)
      : WrappedSource(inner), value_(value), column_(inner.shape().features), schema_(inner.schema()) {
    schema_.feature_names.clear();
    schema_.reading = {};
    schema_.table.reset();
  }

  Shape shape() const override {
    Shape shape = WrappedSource::shape();
    ++shape.features;
    if (shape.nonzeros >= 0) shape.nonzeros += shape.rows;
    return shape;
  }
  const Schema& schema() const override { return schema_; }

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    values_.clear();
    columns_.clear();
    starts_.assign(1, 0);
    for_each_row(*batch, [&](const auto& row, std::int64_t /*i*/) {
      for_each_entry(row, [&](std::uint32_t column, double value) { add(column, value, batch->dense); });
      if (batch->dense) values_.resize(starts_.size() * column_ + starts_.size() - 1);  // a batch may be narrower
      add(column_, value_, batch->dense);
      starts_.push_back(values_.size());
    });
    batch->features = column_ + 1;
    batch->is_float = false;
    batch->pinned = false;
    batch->stride = batch->dense ? column_ + 1 : 0;
    batch->value32 = {};
    batch->value64 = values_;
    if (!batch->dense) {
      batch->start = starts_;
      batch->column = columns_;
    }
    return batch;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    std::vector<WrittenRow> all = inner().written(rows);
    for (WrittenRow& row : all) row.values.push_back({column_, "", value_});
    return all;
  }

 private:
  void add(std::uint32_t column, double value, bool dense) {
    values_.push_back(value);
    if (!dense) columns_.push_back(column);
  }

  double value_;
  std::uint32_t column_;
  Schema schema_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Source> with_constant_column(Source& inner, double value) {
  return std::make_unique<ConstantColumn>(inner, value);
}

namespace {

struct CopiedRows {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value, label, weight;
};

/// Sparse, since batches may differ in width.
Page copy_of(const Batch& batch) {
  auto rows = std::make_shared<CopiedRows>();
  for_each_row(batch, [&](const auto& row, std::int64_t /*i*/) {
    for_each_entry(row, [&](std::uint32_t column, double value) {
      rows->column.push_back(column);
      rows->value.push_back(value);
    });
    rows->start.push_back(rows->value.size());
  });
  rows->label.assign(batch.label.begin(), batch.label.end());
  rows->weight.assign(batch.weight.begin(), batch.weight.end());
  Page page;
  page.batch.first_row = batch.first_row;
  page.batch.rows = batch.rows;
  page.batch.features = batch.features;
  page.batch.is_float = false;
  page.batch.start = rows->start;
  page.batch.column = rows->column;
  page.batch.value64 = rows->value;
  page.batch.label = rows->label;
  page.batch.weight = rows->weight;
  page.label = rows->label;
  page.storage = std::move(rows);
  return page;
}

}  // namespace

std::unique_ptr<Source> copy_into_memory(Source& inner) {
  std::vector<Page> pages;
  inner.rewind(0);
  while (const std::optional<Batch> batch = inner.next()) pages.push_back(copy_of(*batch));
  return std::make_unique<MemorySource>(std::move(pages), inner.schema(), inner.shape().features,
                                        [&inner](std::span<const std::int64_t> rows) { return inner.written(rows); });
}

namespace {

class WeightedSource final : public WrappedSource {
 public:
  WeightedSource(Source& inner, std::vector<double> by_class) : WrappedSource(inner), by_class_(std::move(by_class)) {}

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    weight_.resize(static_cast<std::size_t>(batch->rows));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      weight_[i] = batch->weight_of(row) * by_class_[static_cast<std::size_t>(batch->label_of(row))];
    }
    batch->weight = weight_;
    batch->pinned = false;
    return batch;
  }

 private:
  std::vector<double> by_class_;
  std::vector<double> weight_;  ///< of the current batch
};

}  // namespace

std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class) {
  return std::make_unique<WeightedSource>(inner, std::move(by_class));
}

namespace {

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class AgainstTheRest : public WrappedSource {
 public:
  AgainstTheRest(Source& inner, std::size_t positive)
      : WrappedSource(inner), positive_(positive), schema_(inner.schema()) {
    schema_.classes = {"", inner.schema().classes[positive]};
  }

  const Schema& schema() const override { return schema_; }

  std::optional<Batch> next() override {
    std::optional<Batch> batch = inner().next();
    if (!batch) return batch;
    label_.resize(static_cast<std::size_t>(batch->rows));
    for (std::size_t i = 0; i < label_.size(); ++i) {
      label_[i] = batch->label[i] == static_cast<double>(positive_) ? 1 : -1;
    }
    batch->label = label_;
    batch->pinned = false;
    return batch;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    const std::vector<std::string>& classes = inner().schema().classes;
    std::vector<WrittenRow> all = inner().written(rows);
    for (WrittenRow& row : all) {
      if (class_of(row.label, classes) != positive_) row.label.clear();
    }
    return all;
  }

 private:
  std::size_t positive_;
  Schema schema_;
  std::vector<double> label_;
};

WrittenValue times(const WrittenValue& value, int sign, std::uint32_t column) {
  WrittenValue result{column, value.decimal, value.binary};
  if (sign > 0) return result;
  result.binary = -value.binary;
  if (value.decimal.starts_with('-')) {
    result.decimal.erase(0, 1);
  } else if (value.decimal.starts_with('+')) {
    result.decimal[0] = '-';
  } else if (!value.decimal.empty()) {
    result.decimal.insert(0, 1, '-');
  }
  return result;
}

class JointRows : public Source {
 public:
  JointRows(Source& inner, bool origin)
      : inner_(inner),
        raw_(inner),
        classes_(inner.schema().classes.size()),
        features_(inner.shape().features),
        origin_(origin),
        block_(std::uint64_t{features_} + (origin ? 0 : 1)) {
    if ((classes_ - 1) * block_ >= std::numeric_limits<std::uint32_t>::max()) {
      throw usage_error(fmt::format("{} features and {} classes make too many columns", features_, classes_));
    }
    schema_.classes = {"-1", "1"};
  }

  Shape shape() const override {
    Shape shape = inner_.shape();
    if (shape.rows > 0) shape.rows *= per_row();
    shape.features = static_cast<std::uint32_t>((classes_ - 1) * block_);
    shape.nonzeros = -1;
    return shape;
  }
  const Schema& schema() const override { return schema_; }

  void rewind(std::uint64_t pass) override { raw_.rewind(pass); }

  std::optional<Batch> next() override {
    if (!raw_.fill()) return std::nullopt;
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    number_.clear();
    while (raw_.has_row() && column_.size() < kBatchEntries) take_row(raw_.take());
    return batch();
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    raw_.drop();
    std::vector<std::int64_t> numbers;
    for (const std::int64_t row : rows) {
      if (numbers.empty() || numbers.back() != row / per_row()) numbers.push_back(row / per_row());
    }
    const std::vector<WrittenRow> raw = inner_.written(numbers);
    std::vector<WrittenRow> all;
    auto at = raw.begin();
    for (const std::int64_t row : rows) {
      while (at->row != row / per_row()) ++at;
      all.push_back(joint(*at, row));
    }
    return all;
  }
  Place place_of(std::int64_t row) override { return inner_.place_of(row / per_row()); }

 private:
  std::int64_t per_row() const { return static_cast<std::int64_t>(classes_) - 1; }

  /// Calls f(class, sign) for the blocks of a row, in the order of their columns.
  template <class F>
  void for_each_block(std::size_t own, std::size_t rival, F&& f) const {
    for (const std::size_t c : {std::min(own, rival), std::max(own, rival)}) {
      if (c + 1 != classes_) f(c * block_, c == own ? 1 : -1);
    }
  }

  void take_row(std::int64_t i) {
    take_nonzeros(raw_.batch(), static_cast<std::size_t>(i), raw_column_, raw_value_);
    const std::int64_t first = raw_.batch().number_of(i) * per_row();
    const auto own = static_cast<std::size_t>(raw_.batch().label_of(i));
    for (std::int64_t row = first; row < first + per_row(); ++row) {
      for_each_block(own, rival_class(row, own, classes_), [&](std::uint64_t column, int sign) {
        for (std::size_t k = 0; k < raw_column_.size(); ++k) {
          column_.push_back(static_cast<std::uint32_t>(column + raw_column_[k]));
          value_.push_back(sign * raw_value_[k]);
        }
        if (origin_) return;
        column_.push_back(static_cast<std::uint32_t>(column + features_));
        value_.push_back(sign);
      });
      start_.push_back(column_.size());
      number_.push_back(row);
    }
  }

  Batch batch() {
    label_.assign(number_.size(), 1.0);
    Batch b;
    b.first_row = number_.front();
    b.rows = static_cast<std::int64_t>(number_.size());
    b.features = static_cast<std::uint32_t>((classes_ - 1) * block_);
    b.is_float = false;
    b.start = start_;
    b.column = column_;
    b.value64 = value_;
    b.label = label_;
    if (!raw_.batch().row_number.empty()) b.row_number = number_;
    return b;
  }

  WrittenRow joint(const WrittenRow& raw, std::int64_t row) const {
    const std::size_t own = class_of(raw.label, inner_.schema().classes);
    WrittenRow made{row, schema_.classes[1], raw.id, {}};
    // The intercept is as exact as the values next to it.
    const bool binary = !raw.values.empty() && raw.values.front().decimal.empty();
    const WrittenValue one{features_, binary ? "" : "1", 1};
    for_each_block(own, rival_class(row, own, classes_), [&](std::uint64_t column, int sign) {
      const auto add = [&](const WrittenValue& value) {
        made.values.push_back(times(value, sign, static_cast<std::uint32_t>(column + value.column)));
      };
      for (const WrittenValue& value : raw.values) add(value);
      if (!origin_) add(one);
    });
    return made;
  }

  Source& inner_;
  RowCursor raw_;
  std::size_t classes_;
  std::uint32_t features_;
  bool origin_;
  std::uint64_t block_;
  Schema schema_;
  std::vector<std::uint32_t> raw_column_;
  std::vector<double> raw_value_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_, label_;
  std::vector<std::int64_t> number_;
};

}  // namespace

std::size_t rival_class(std::int64_t joint, std::size_t own, std::size_t classes) {
  const auto place = static_cast<std::size_t>(joint % static_cast<std::int64_t>(classes - 1));
  return place < own ? place : place + 1;
}

std::size_t class_of(const std::string& label, const std::vector<std::string>& classes) {
  const std::optional<double> number = number_of(label);
  const auto same = [&](const std::string& name) { return name == label || (number && number == number_of(name)); };
  const auto found = std::ranges::find_if(classes, same);
  if (found == classes.end()) throw input_error(fmt::format("the label '{}' is not one of the classes", label));
  return static_cast<std::size_t>(found - classes.begin());
}

std::unique_ptr<Source> one_against_the_rest(Source& inner, std::size_t positive) {
  return std::make_unique<AgainstTheRest>(inner, positive);
}

std::unique_ptr<Source> all_classes_jointly(Source& inner, bool origin) {
  return std::make_unique<JointRows>(inner, origin);
}

namespace {

class SelectedSource : public WrappedSource {
 public:
  SelectedSource(Source& inner, RowSelection selection, Comm& comm)
      : WrappedSource(inner), raw_(inner), selection_(std::move(selection)), schema_(inner.schema()) {
    const RowsOfAll all(inner, comm);
    first_inner_ = all.first_row();
    shape_ = inner.shape();
    shape_.nonzeros = -1;
    place_.assign(shape_.features, 0);
    std::uint32_t kept = 0;
    for (std::uint32_t j = 0; j < shape_.features; ++j) {
      const bool out = std::ranges::binary_search(selection_.left_out, j);
      place_[j] = out ? kOut : kept++;
    }
    shape_.features = kept;
    if (!schema_.feature_names.empty()) {
      std::vector<std::string> names;
      for (std::uint32_t j = 0; j < place_.size() && j < schema_.feature_names.size(); ++j) {
        if (place_[j] != kOut) names.push_back(schema_.feature_names[j]);
      }
      schema_.feature_names = std::move(names);
    }
    if (!selection_.left_out.empty()) schema_.table = {};
    if (!selection_.rows.empty()) {
      for (std::size_t i = 0; i < selection_.rows.size(); ++i) {
        if (selection_.rows[i] != 0) number_.push_back(first_inner_ + static_cast<std::int64_t>(i));
      }
      shape_.rows = static_cast<std::int64_t>(number_.size());
    }
    first_ = RowsOfAll(*this, comm).first_row();
  }

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override {
    raw_.rewind(pass);
    next_ = first_;
  }

  std::optional<Batch> next() override {
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    label_.clear();
    weight_.clear();
    while (label_.empty()) {
      if (!raw_.fill()) return std::nullopt;
      while (raw_.has_row() && column_.size() < kBatchEntries) take_row(raw_.take());
    }
    Batch b;
    b.first_row = next_;
    b.rows = static_cast<std::int64_t>(label_.size());
    b.features = shape_.features;
    b.is_float = false;
    b.start = start_;
    b.column = column_;
    b.value64 = value_;
    b.label = label_;
    b.weight = weight_;
    next_ += b.rows;
    return b;
  }

  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    raw_.drop();
    std::vector<std::int64_t> numbers;
    for (const std::int64_t row : rows) numbers.push_back(inner_number(row));
    std::vector<WrittenRow> all = inner().written(numbers);
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].row = rows[k];
      std::erase_if(all[k].values, [&](const WrittenValue& value) { return place_[value.column] == kOut; });
      for (WrittenValue& value : all[k].values) value.column = place_[value.column];
    }
    return all;
  }
  Place place_of(std::int64_t row) override { return inner().place_of(inner_number(row)); }

 private:
  static constexpr std::uint32_t kOut = std::numeric_limits<std::uint32_t>::max();

  std::int64_t inner_number(std::int64_t row) const {
    return selection_.rows.empty() ? row : number_.at(static_cast<std::size_t>(row - first_));
  }

  void take_row(std::int64_t i) {
    const Batch& batch = raw_.batch();
    const auto at = static_cast<std::size_t>(batch.number_of(i) - first_inner_);
    if (!selection_.rows.empty() && selection_.rows[at] == 0) return;
    take_nonzeros(batch, static_cast<std::size_t>(i), raw_column_, raw_value_);
    for (std::size_t k = 0; k < raw_column_.size(); ++k) {
      if (place_[raw_column_[k]] == kOut) continue;
      column_.push_back(place_[raw_column_[k]]);
      value_.push_back(raw_value_[k]);
    }
    start_.push_back(column_.size());
    label_.push_back(batch.label_of(i));
    weight_.push_back(batch.weight_of(i));
  }

  RowCursor raw_;
  RowSelection selection_;
  Schema schema_;
  Shape shape_;
  std::int64_t first_inner_ = 0, first_ = 0, next_ = 0;
  std::vector<std::uint32_t> place_;  ///< of every column, or kOut
  std::vector<std::int64_t> number_;  ///< number of every row in the inner source, or empty if the numbers are the same
  std::vector<std::uint32_t> raw_column_, column_;
  std::vector<double> raw_value_, value_, label_, weight_;
  std::vector<std::uint64_t> start_;
};

void write_row(ByteWriter& writer, const WrittenRow& row) {
  writer.number(row.row);
  writer.text(row.label);
  writer.text(row.id);
  writer.number<std::uint64_t>(row.values.size());
  for (const WrittenValue& value : row.values) {
    writer.number(value.column);
    writer.text(value.decimal);
    writer.number(value.binary);
  }
}

WrittenRow read_row(ByteReader& reader) {
  WrittenRow row;
  row.row = reader.number<std::int64_t>();
  row.label = reader.text();
  row.id = reader.text();
  row.values.resize(reader.number<std::uint64_t>());
  for (WrittenValue& value : row.values) {
    value.column = reader.number<std::uint32_t>();
    value.decimal = reader.text();
    value.binary = reader.number<double>();
  }
  return row;
}

}  // namespace

RowsOfAll::RowsOfAll(Source& shard, Comm& comm) : shard_(shard), comm_(comm), shape_(shard.shape()) {
  if (comm.size() > 1) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(comm.size()), 0);
    rows[static_cast<std::size_t>(comm.rank())] = shape_.rows;
    comm.all_reduce(std::span(rows), Comm::Op::kSum);
    first_row_ = std::accumulate(rows.begin(), rows.begin() + comm.rank(), std::int64_t{0});
    end_row_ = first_row_ + shape_.rows;
    shape_.rows = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
    comm.all_reduce(std::span(&shape_.nonzeros, 1), Comm::Op::kSum);
  } else {
    end_row_ = shape_.rows;
  }
}

std::vector<WrittenRow> RowsOfAll::written(std::span<const std::int64_t> rows) {
  if (comm_.size() == 1) return shard_.written(rows);
  const auto begin = std::ranges::lower_bound(rows, first_row_);
  const auto end = std::lower_bound(begin, rows.end(), end_row_);
  ByteWriter writer;
  if (begin != end) {
    for (const WrittenRow& row : shard_.written(
             rows.subspan(static_cast<std::size_t>(begin - rows.begin()), static_cast<std::size_t>(end - begin)))) {
      write_row(writer, row);
    }
  }
  std::vector<WrittenRow> all;
  for (const auto& bytes : comm_.all_gather(std::as_bytes(std::span(writer.bytes())))) {
    ByteReader reader(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    while (!reader.at_end()) all.push_back(read_row(reader));
  }
  return all;
}

std::unique_ptr<Source> select_rows(Source& inner, RowSelection selection, Comm& comm) {
  return std::make_unique<SelectedSource>(inner, std::move(selection), comm);
}

std::unique_ptr<Source> rows_of_all(Source& shard, Comm& comm) { return std::make_unique<RowsOfAll>(shard, comm); }

}  // namespace linsep
