#include "certify/finder/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "certify/finder/row_scan.h"
#include "core/bytes.h"
#include "core/deadline.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// A dense set's column sizes are learned from this many rows, then from one in sixteen.
constexpr std::size_t kAllSized = 65536;

}  // namespace

void Survey::begin(const Shape& shape) {
  state_.scaling.binary = state_.options.binary;
  RowSpace& space = state_.scaling.space;
  space.map = state_.options.map;
  space.origin = state_.options.origin;
  space.features = shape.features;
  space.mapped = mapped_features(space.map, shape.features);
  set_columns(shape.features);
  state_.signs.grow(space.mapped);
  state_.signs.begin(space.columns(), state_.options.most_columns);
  if (shape.rows > 0) {
    state_.rows.reserve(static_cast<std::size_t>(shape.rows));
    hash_.reserve(static_cast<std::size_t>(shape.rows));
    side_.reserve(static_cast<std::size_t>(shape.rows));
  }
}

void Survey::set_columns(std::uint32_t features) {
  exponent_sum_.resize(features, 0);
  exponent_count_.resize(features, 0);
  exponent_greatest_.resize(features, std::numeric_limits<std::int64_t>::min());
}

void Survey::widen(std::uint32_t features) {
  if (state_.scaling.mapped()) {
    throw input_error("the width of the data must be known before a feature map is certified");
  }
  state_.scaling.space.features = features;
  state_.scaling.space.mapped = features;
  set_columns(features);
}

void Survey::visit(const Batch& batch) {
  state_.scaling.is_float = state_.scaling.is_float || batch.is_float;
  if (batch.features > state_.scaling.space.features) {
    widen(batch.features);
    state_.signs.grow(batch.features);
  }
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    look_at(x, batch.number_of(i), batch.label[static_cast<std::size_t>(i)]);
  });
}

template <class Row>
void Survey::look_at(const Row& x, std::int64_t number, double label) {
  if (label != 1 && label != -1) {
    throw input_error(fmt::format("row {}: a label is {}; only two classes can be certified", number + 1, label));
  }
  const std::size_t index = state_.rows.size();
  const int sign = label > 0 ? 1 : -1;
  state_.rows.add(number, sign);
  std::int64_t& first = state_.first_of_class[sign > 0 ? 1 : 0];
  if (first < 0) first = number;
  hash(x, number, sign);
  const bool dense = std::is_same_v<Row, DenseRow<typename Row::Value>>;
  if (!dense || state_.scaling.mapped() || index < kAllSized || number % 16 == 0) measure(x);
  state_.scaling.show_signs(x, [&](const auto& z) { state_.signs.see(z, x, number, sign); });
}

template <class Row>
void Survey::hash(const Row& x, std::int64_t number, int sign) {
  const std::uint64_t hash = hasher_(x);
  if (!state_.options.origin) {
    hash_.push_back(hash);
    side_.push_back(sign > 0);
    return;
  }
  const std::uint64_t opposite = hasher_.opposite(x);
  hash_.push_back(std::min(hash, opposite));
  side_.push_back((sign > 0) != (hash > opposite));
  bool zero = true;
  for_each_entry(x, [&](std::uint32_t, double value) { zero = zero && value == 0; });
  if (zero && state_.zero_row < 0) state_.zero_row = number;
}

template <class Row>
void Survey::measure(const Row& x) {
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (value == 0) return;
    const int exponent = std::ilogb(value) + 1;
    exponent_sum_[column] += exponent;
    ++exponent_count_[column];
    exponent_greatest_[column] = std::max<std::int64_t>(exponent_greatest_[column], exponent);
  });
}

void Survey::synchronise(Comm& comm) {
  const RowSpace& space = state_.scaling.space;
  const auto features = static_cast<std::uint32_t>(all_reduce_max(comm, std::int64_t{space.features}));
  if (features > space.features) widen(features);
  state_.row_count = all_reduce_sum(comm, static_cast<std::int64_t>(state_.rows.size()));
  for (std::int64_t& first : state_.first_of_class) first = first_of_all(first, comm);
  choose_scales(comm);
  state_.zero_row = first_of_all(state_.zero_row, comm);
  find_conflicts(comm);
  next_ = state_.signs.synchronise(comm, space.columns(), !space.origin);
}

Verdict Survey::end_pass(Progress& /*progress*/) { return Verdict::kConverged; }

// Typical sizes of columns, as the mean exponent of what isn't 0. Means of products are sums of means.
void Survey::choose_scales(Comm& comm) {
  comm.all_reduce(std::span(exponent_sum_), Comm::Op::kSum);
  comm.all_reduce(std::span(exponent_count_), Comm::Op::kSum);
  comm.all_reduce(std::span(exponent_greatest_), Comm::Op::kMax);
  RowScaling& scaling = state_.scaling;
  const RowSpace& space = scaling.space;
  std::vector<int> raw(space.features, 0);
  scaling.column_scale.assign(space.features, 1.0);
  for (std::size_t j = 0; j < raw.size(); ++j) {
    if (exponent_count_[j] == 0) continue;
    // φ multiplies scaled values, so there they must not exceed 1.
    const double mean = static_cast<double>(exponent_sum_[j]) / static_cast<double>(exponent_count_[j]);
    raw[j] = scaling.mapped() ? static_cast<int>(exponent_greatest_[j]) : static_cast<int>(std::floor(mean + 0.5));
    raw[j] = std::clamp(raw[j], -1000, 1000);
    scaling.column_scale[j] = std::ldexp(1.0, -raw[j]);
  }
  if (!scaling.mapped()) {
    scaling.exponent = raw;
    scaling.exponent.resize(space.columns(), 0);
    return;
  }
  scaling.exponent.assign(space.columns(), 0);
  for (std::uint32_t j = 0; j < space.mapped; ++j) {
    poll(200);
    for (const std::uint32_t factor : monomial(space.map, space.features, j)) scaling.exponent[j] += raw[factor];
  }
}

// Of all workers' rows, by rank, so each worker gets the same list.
void Survey::find_conflicts(Comm& comm) {
  std::vector<std::int64_t> number;  // of the gathered rows. One worker's rows need no list
  if (comm.size() > 1) {
    ByteWriter writer;
    writer.number(state_.rows.first());
    writer.numbers(hash_);
    writer.numbers(side_);
    hash_.clear();
    side_.clear();
    for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(writer.bytes())))) {
      ByteReader reader(as_text(bytes));
      auto row = reader.number<std::int64_t>();
      const auto hashes = reader.numbers<std::uint64_t>();
      const auto sides = reader.numbers<std::uint8_t>();
      hash_.insert(hash_.end(), hashes.begin(), hashes.end());
      side_.insert(side_.end(), sides.begin(), sides.end());
      for (std::size_t k = 0; k < hashes.size(); ++k) number.push_back(row++);
    }
  }
  state_.conflicts = conflicting_pairs(hash_, side_);
  const auto number_of = [&](std::int64_t index) {
    return number.empty() ? state_.rows.first() + index : number[static_cast<std::size_t>(index)];
  };
  for (auto& [first, second] : state_.conflicts) {
    first = number_of(first);
    second = number_of(second);
  }
  hash_ = {};
  side_ = {};
}

void Peel::begin(const Shape& /*shape*/) {}

void Peel::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) { look_at(x, batch.number_of(i)); });
}

template <class Row>
void Peel::look_at(const Row& x, std::int64_t number) {
  const std::size_t index = state_.rows.index_of(number);
  if (!state_.rows.live(index)) return;
  state_.scaling.show_signs(x, [&](const auto& z) {
    const RowSpace& space = state_.scaling.space;
    bool touched = !space.origin && state_.signs.chosen(space.mapped);
    for_each_entry(z, [&](std::uint32_t column, double value) {
      touched = touched || (value != 0 && state_.signs.chosen(column));
    });
    if (touched) {
      state_.rows.peel(index);
    } else {
      state_.signs.see(z, x, number, state_.rows.sign(index));
    }
  });
}

void Peel::synchronise(Comm& comm) {
  const RowSpace& space = state_.scaling.space;
  next_ = state_.signs.synchronise(comm, space.columns(), !space.origin);
}

Verdict Peel::end_pass(Progress& /*progress*/) {
  return next_ == SignRound::Next::kPeel ? Verdict::kContinue : Verdict::kConverged;
}

}  // namespace linsep
