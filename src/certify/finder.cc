#include "certify/finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/bytes.h"
#include "core/random.h"
#include "kernel/kernel.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// A dense set's column sizes are learnt from so many rows, then from one in sixteen.
constexpr std::size_t kAllSized = 65536;
constexpr std::uint64_t kSampleSeed = 0x5a3;
constexpr std::size_t kJudgedAtOnce = 8192;
constexpr std::size_t kMostWorst = 4096;

/// How many rows the search begins with.
std::size_t sample_limit(std::size_t columns) {
  return std::clamp(4 * columns, std::min<std::size_t>(16 * columns + 16, 1024), kMostWorst);
}

}  // namespace

Finder::Finder(FinderOptions options) : options_(std::move(options)) { scaling_.binary = options_.binary; }

void Finder::begin(const Shape& shape) {
  shape_ = shape;
  scaling_.space.map = options_.map;
  scaling_.space.origin = options_.origin;
  scaling_.space.features = shape.features;
  scaling_.space.mapped = mapped_features(options_.map, shape.features);
  peeler_.grow(scaling_.space.mapped);
  sample_ = WorstRows(sample_limit(scaling_.space.columns()));
  exponent_sum_.assign(shape.features, 0);
  exponent_count_.assign(shape.features, 0);
  exponent_greatest_.assign(shape.features, std::numeric_limits<std::int64_t>::min());
  if (shape.rows > 0) {
    state_.reserve(static_cast<std::size_t>(shape.rows));
    hash_.reserve(static_cast<std::size_t>(shape.rows));
    side_.reserve(static_cast<std::size_t>(shape.rows));
  }
}

std::size_t Finder::place_of(std::int64_t number) const {
  const auto at = static_cast<std::size_t>(number - first_row_);
  if (number < first_row_ || at >= state_.size()) {
    throw usage_error("a source to certify must give the same rows in every pass");
  }
  return at;
}

void Finder::visit(const Batch& batch) {
  scaling_.is_float = scaling_.is_float || batch.is_float;
  if (phase_ == Phase::kSurvey && batch.features > scaling_.space.features) {
    if (mapped()) throw input_error("the width of the data must be known before a feature map is certified");
    scaling_.space.features = batch.features;
    scaling_.space.mapped = batch.features;
    peeler_.grow(scaling_.space.mapped);
    exponent_sum_.resize(batch.features, 0);
    exponent_count_.resize(batch.features, 0);
    exponent_greatest_.resize(batch.features, std::numeric_limits<std::int64_t>::min());
  }
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::int64_t number = batch.number_of(i);
    switch (phase_) {
      case Phase::kSurvey:
        survey_row(x, number, batch.label[static_cast<std::size_t>(i)]);
        break;
      case Phase::kPeel:
        peel_row(x, number);
        break;
      case Phase::kDescend:
        descend_row(x, number);
        break;
      case Phase::kScan:
        scan_row(x, number);
        break;
      case Phase::kDone:
        break;
    }
  });
}

template <class Row>
void Finder::see_signs(const Row& x, int sign) {
  ++(sign > 0 ? live_positive_ : live_negative_);
  if (peeler_.all_closed()) return;
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (!peeler_.closed(column)) peeler_.see(column, sign * value);
  });
}

// A sample that depends on row numbers alone: those with the least hashes.
template <class Row>
void Finder::sample_row(const Row& x, std::int64_t number) {
  const auto score = static_cast<double>(keyed_hash(kSampleSeed, static_cast<std::uint64_t>(number)) >> 11);
  if (!sample_.wants(score)) return;
  const int sign = sign_of(place_of(number));
  sample_.offer(score, hasher_(x) + (sign > 0 ? 1 : 0), number, sign, x);
}

template <class Row>
void Finder::survey_row(const Row& x, std::int64_t number, double label) {
  if (label != 1 && label != -1) {
    throw input_error(fmt::format("row {}: a label is {}; only two classes can be certified", number + 1, label));
  }
  if (state_.empty()) first_row_ = number;
  if (number != first_row_ + static_cast<std::int64_t>(state_.size())) {
    throw usage_error("a source to certify must give its rows in order");
  }
  const std::size_t at = state_.size();
  const int sign = label > 0 ? 1 : -1;
  state_.push_back(static_cast<std::uint8_t>(kLive | (sign > 0 ? kPositive : 0)));
  if (sign < 0) ++negatives_;
  std::int64_t& first = first_of_class_[sign > 0 ? 1 : 0];
  if (first < 0) first = number;

  if (options_.origin) {
    const std::uint64_t hash = hasher_(x);
    const std::uint64_t opposite = hasher_.opposite(x);
    hash_.push_back(std::min(hash, opposite));
    side_.push_back((sign > 0) != (hash > opposite));
    bool zero = true;
    for_each_entry(x, [&](std::uint32_t, double value) { zero = zero && value == 0; });
    if (zero && zero_row_ < 0) zero_row_ = number;
  } else {
    hash_.push_back(hasher_(x));
    side_.push_back(sign > 0);
  }

  if (!(std::is_same_v<Row, DenseRow<typename Row::Value>>) || mapped() || at < kAllSized || number % 16 == 0) {
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      const int exponent = std::ilogb(value) + 1;
      exponent_sum_[column] += exponent;
      ++exponent_count_[column];
      exponent_greatest_[column] = std::max<std::int64_t>(exponent_greatest_[column], exponent);
    });
  }
  if (mapped()) {
    see_signs(scaling_.map_row(x, true), sign);
  } else {
    see_signs(x, sign);
  }
  sample_row(x, number);
}

template <class Row>
void Finder::peel_row(const Row& x, std::int64_t number) {
  const std::size_t at = place_of(number);
  if ((state_[at] & kLive) == 0) return;
  const auto look = [&](const auto& z) {
    bool touched = !options_.origin && peeler_.chosen(scaling_.space.mapped);
    for_each_entry(
        z, [&](std::uint32_t column, double value) { touched = touched || (value != 0 && peeler_.chosen(column)); });
    if (touched) {
      state_[at] = static_cast<std::uint8_t>(state_[at] & ~kLive);
      return;
    }
    see_signs(z, sign_of(at));
    sample_row(x, number);
  };
  if (mapped()) {
    look(scaling_.map_row(x, true));
  } else {
    look(x);
  }
}

// A row beyond the range of doubles gets no exponent and is judged exactly in every scan.
template <class Row>
void Finder::measure_row(const Row& z, std::size_t at) {
  row_exponent_[at] = RowScaling::size_exponent(scaling_.scaled_square(z));
  double plain = 0;
  if (mapped()) {
    for_each_entry(z, [&](std::uint32_t column, double value) {
      const double v = std::ldexp(value, scaling_.exponent[column]);
      plain += v * v;
    });
  } else {
    plain = squared_norm(z);
  }
  greatest_squared_ = std::max(greatest_squared_, plain);
}

template <class Row>
void Finder::judge_row(const Row& x, std::int64_t number) {
  if (scan_negative_ > 0) return;
  if (!scaling_.binary || mapped()) {
    undecided_.push_back(number);
    return;
  }
  WrittenRow written;
  written.row = number;
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (value != 0) written.values.push_back({column, "", value});
  });
  count_judged(exact_row(written, sign_of(place_of(number)), scaling_.space));
}

template <class Row>
void Finder::scan_row(const Row& x, std::int64_t number) {
  const std::size_t at = place_of(number);
  if ((state_[at] & (kLive | kAtZero)) != kLive) return;
  const auto look = [&](const auto& z) {
    if (row_exponent_[at] == RowScaling::kNoExponent) measure_row(z, at);
    most_entries_ = std::max(most_entries_, z.size);
    const int sign = sign_of(at);
    const double score = sign * (dot(z, scan_.weight.data()) + scan_.offset);
    if (row_exponent_[at] == RowScaling::kNoExponent || !std::isfinite(score)) {
      judge_row(x, number);
      return;
    }
    const double size = std::ldexp(1.0, row_exponent_[at]);
    const double bound = scan_.bound(z.size, size);
    if (score > bound) {
      ++scan_positive_;
      least_ = std::min(least_, score - bound);
    } else if (score < -bound) {
      ++scan_negative_;
    } else {
      judge_row(x, number);
      return;
    }
    const double share = score / size;
    if (!search_) {
      least_share_ = std::min(least_share_, share);
      return;
    }
    if (share >= search_->candidate().threshold || !worst_.wants(share)) return;
    const std::uint64_t hash = hasher_(x) + (sign > 0 ? 1 : 0);
    if (!search_->knows(number, hash)) {
      worst_.offer(share, hash, number, sign, z);
    } else if (score < 0 && violated_.size() < kMostWorst) {
      violated_.push_back(number);
    }
  };
  if (mapped()) {
    look(scaling_.map_row(x, false));
  } else {
    look(x);
  }
}

template <class Row>
void Finder::descend_row(const Row& x, std::int64_t number) {
  const std::size_t at = place_of(number);
  if ((state_[at] & kLive) == 0) return;
  if (mapped()) {
    descent_->step(scaling_.map_row(x, false), at, sign_of(at));
  } else {
    descent_->step(x, at, sign_of(at));
  }
}

void Finder::count_judged(const ExactRow& z) {
  if (!search_) {
    if (exact_dot(z, descent_exact_) <= 0) {
      violated_.push_back(z.row);
    } else {
      ++scan_positive_;
      least_share_ = 0;
    }
    return;
  }
  switch (search_->side(z)) {
    case CoreSearch::Side::kPositive: {
      ++scan_positive_;
      if (search_->has_witness()) return;
      Rational margin = search_->exact_score(z) * search_->candidate().exact_unit / z.scale;
      if (!least_exact_ || margin < *least_exact_) least_exact_ = std::move(margin);
      return;
    }
    case CoreSearch::Side::kAtZero:
      ++scan_at_zero_;
      state_[place_of(z.row)] |= kAtZero;
      return;
    case CoreSearch::Side::kViolated:
      violated_.push_back(z.row);
      return;
  }
}

void Finder::judge_open_rows() {
  for (std::size_t from = 0; from < undecided_.size(); from += kJudgedAtOnce) {
    if (violated_.size() >= kMostWorst) break;
    const std::size_t count = std::min(kJudgedAtOnce, undecided_.size() - from);
    for (const WrittenRow& written : options_.written(std::span(undecided_).subspan(from, count))) {
      count_judged(exact_row(written, sign_of(place_of(written.row)), scaling_.space));
    }
  }
  undecided_.clear();
}

void Finder::synchronise(Comm& comm) {
  comm_ = &comm;
  switch (phase_) {
    case Phase::kSurvey:
      end_survey(comm);
      break;
    case Phase::kPeel:
      end_peel(comm);
      break;
    case Phase::kDescend:
      end_descent(comm);
      break;
    case Phase::kScan:
      scanned_ = true;
      end_scan(comm);
      break;
    case Phase::kDone:
      break;
  }
  comm_ = nullptr;
}

Verdict Finder::end_pass(Progress& progress) {
  if (scanned_) progress.mistakes = not_positive_;
  return done_ ? Verdict::kConverged : Verdict::kContinue;
}

}  // namespace linsep
