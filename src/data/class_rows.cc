#include "data/class_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/from_chars.h"
#include "data/nonzeros.h"
#include "data/row_cursor.h"
#include "data/wrapped_source.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// A batch ends with the row that brings it to this many entries, so that it stays in cache.
constexpr std::size_t kBatchEntries = 32768;

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
    // The offset is as exact as the values beside it.
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

}  // namespace linsep
