#include "certify/coefficients/directions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "certify/finder/row_scan.h"
#include "core/deadline.h"
#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

/// Divides the entries by their common divisor and adjusts the scale.
void divide_by_content(ExactRow& row) {
  Integer content = 0;
  for (const Integer& value : row.value) shrink_to_common_divisor(content, value);
  if (content == 0) return;
  for (Integer& value : row.value) divide_exactly(value, content);
  row.scale /= content;
}

}  // namespace

DirectionSpace::DirectionSpace(std::uint32_t columns, bool rows_at_zero,
                               const std::vector<Separability::Dependent>& dependent)
    : whole_(!rows_at_zero), place_(columns, -1) {
  if (whole_) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      place_[column] = static_cast<std::int32_t>(column);
      free_.push_back(column);
    }
    return;
  }
  relation_.resize(columns);
  for (const Separability::Dependent& entry : dependent) {
    for (const auto& [column, weight] : entry.sum) grow_to_common_multiple(denominator_, denominator(weight));
  }
  for (const Separability::Dependent& entry : dependent) {
    const auto index = static_cast<std::uint32_t>(free_.size());
    place_[entry.column] = static_cast<std::int32_t>(index);
    free_.push_back(entry.column);
    for (const auto& [column, weight] : entry.sum) {
      const Rational scaled = -weight * denominator_;
      relation_[column].emplace_back(index, numerator(scaled));
    }
  }
}

IntegerVector DirectionSpace::lift(const IntegerVector& f) const {
  IntegerVector w(place_.size());
  for (std::size_t k = 0; k < free_.size(); ++k) w[free_[k]] = f[k] * denominator_;
  for (std::size_t column = 0; column < relation_.size(); ++column) {
    for (const auto& [index, value] : relation_[column]) {
      poll(100);
      add_product(w[column], value, f[index]);
    }
  }
  reduce_content(w);
  return w;
}

ExactRow DirectionSpace::rest(const ExactRow& z) const {
  if (whole_) return z;
  std::map<std::uint32_t, Integer> sum;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::int32_t at = place_[z.column[k]];
    if (at >= 0) add_product(sum[static_cast<std::uint32_t>(at)], z.value[k], denominator_);
    for (const auto& [index, value] : relation_[z.column[k]]) {
      poll(100);
      add_product(sum[index], z.value[k], value);
    }
  }
  ExactRow rest;
  rest.row = z.row;
  rest.scale = z.scale * denominator_;
  for (auto& [index, value] : sum) {
    if (value == 0) continue;
    rest.column.push_back(index);
    rest.value.push_back(std::move(value));
  }
  divide_by_content(rest);
  return rest;
}

ExactRow DirectionSpace::weight_at(std::uint32_t column, int sign, std::int64_t row) const {
  ExactRow weight;
  weight.row = row;
  if (place_[column] >= 0) {
    weight.column.push_back(static_cast<std::uint32_t>(place_[column]));
    weight.value.emplace_back(sign);
    return weight;
  }
  for (const auto& [index, value] : relation_[column]) {
    weight.column.push_back(index);
    weight.value.emplace_back(sign * value);
  }
  divide_by_content(weight);
  weight.scale = 1;
  return weight;
}

std::vector<std::pair<std::uint32_t, double>> DirectionSpace::lift_row(std::uint32_t column) const {
  std::vector<std::pair<std::uint32_t, double>> row;
  if (place_[column] >= 0) {
    row.emplace_back(static_cast<std::uint32_t>(place_[column]), 1.0);
    return row;
  }
  for (const auto& [index, value] : relation_[column]) row.emplace_back(index, approximate(ratio(value, denominator_)));
  return row;
}

namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
/// A ratio of levels beyond 2 to this isn't worth a weight vector.
constexpr double kGreatestRatio = 8000;

}  // namespace

LevelSizes::LevelSizes(RowScaling scaling, SeparatedRows separated, std::vector<Level> levels)
    : scaling_(std::move(scaling)), separated_(std::move(separated)), levels_(std::move(levels)) {
  const std::size_t columns = scaling_.space.columns();
  level_of_.assign(columns, levels_.size());
  size_.assign(columns, 0);
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (const auto& [column, weight] : levels_[k]) {
      highest = std::max(highest, static_cast<std::int64_t>(bit_length(weight)));
    }
    exponent_.push_back(highest);
    for (const auto& [column, weight] : levels_[k]) {
      level_of_[column] = k;
      size_[column] = static_cast<std::int64_t>(bit_length(weight)) - highest;
      if (scaling_.mapped() && column != scaling_.space.mapped) size_[column] += scaling_.exponent[column];
    }
  }
  greatest_.assign(levels_.size() * levels_.size(), -kGreatestRatio);
  top_.assign(levels_.size() + 1, kNothing);
}

void LevelSizes::begin(const Shape& /*shape*/) {}

void LevelSizes::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    if (!separated_(batch.number_of(i))) return;
    scaling_.show(x, [&](const auto& z) { look_at(z); });
  });
}

// A term lies between 2 to (top − 1) and 2 to (top + 1), and a level has at most as many terms as the row has entries.
template <class Row>
void LevelSizes::look_at(const Row& z) {
  std::fill(top_.begin(), top_.end(), kNothing);
  const auto add = [&](std::uint32_t column, double value) {
    if (value == 0 || level_of_[column] == levels_.size()) return;
    std::int64_t& top = top_[level_of_[column]];
    top = std::max(top, std::ilogb(value) + size_[column]);
  };
  for_each_entry(z, add);
  if (!scaling_.space.origin) add(scaling_.space.mapped, 1.0);
  std::size_t first = 0;
  while (first < levels_.size() && top_[first] == kNothing) ++first;
  const int terms = std::ilogb(static_cast<double>(z.size + 1)) + 1;
  for (std::size_t later = first + 1; later < levels_.size(); ++later) {
    if (top_[later] == kNothing) continue;
    double& greatest = greatest_[first * levels_.size() + later];
    greatest = std::max(greatest, static_cast<double>(top_[later] - top_[first] + 2 + terms));
  }
}

void LevelSizes::synchronise(Comm& comm) { comm.all_reduce(std::span(greatest_), Comm::Op::kMax); }

Verdict LevelSizes::end_pass(Progress& /*progress*/) { return Verdict::kConverged; }

// 2^a of a level is at least 4·levels times the most that any later one can reach. Floats are far more precise than
// that.
IntegerVector LevelSizes::combined() const {
  const std::size_t count = levels_.size();
  std::vector<std::int64_t> shift(count, 0);
  IntegerVector w(scaling_.space.columns());
  for (std::size_t first = count; first-- > 0;) {
    for (std::size_t later = first + 1; later < count; ++later) {
      const double ratio = greatest_[first * count + later];
      if (ratio >= kGreatestRatio) return {};
      const int slack = std::ilogb(4 * static_cast<double>(count)) + 1;
      if (ratio > -kGreatestRatio) {
        shift[first] = std::max(shift[first], shift[later] + exponent_[later] - exponent_[first] +
                                                  static_cast<std::int64_t>(ratio) + slack);
      }
    }
    for (const auto& [column, weight] : levels_[first]) w[column] = weight << static_cast<std::uint64_t>(shift[first]);
  }
  return w;
}

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kJudgedAtOnce = 8192;
/// More rows than this aren't judged exactly.
constexpr std::int64_t kMostOpen = 100000;
/// The effect that rounding can have on a step's bound, for doubles and for values read as float.
constexpr double kSlack = 1e-9;
constexpr double kFloatSlack = 1e-6;

}  // namespace

ScanDirection scan_direction(const RowScaling& scaling, IntegerVector exact) {
  ScanDirection direction;
  std::vector<double> fraction(exact.size());
  std::vector<std::int64_t> exponent(exact.size());
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t j = 0; j < exact.size(); ++j) {
    fraction[j] = fraction_and_exponent(exact[j], &exponent[j]);
    exponent[j] += scaling.exponent[j];
    if (fraction[j] != 0) highest = std::max(highest, exponent[j]);
  }
  std::vector<std::uint32_t> column;
  std::vector<double> scaled;
  for (std::uint32_t j = 0; j < exact.size(); ++j) {
    if (fraction[j] == 0) continue;
    column.push_back(j);
    scaled.push_back(std::ldexp(fraction[j], static_cast<int>(std::max<std::int64_t>(exponent[j] - highest, -2000))));
  }
  direction.scan = scaling.scan_weights(column, scaled, 0x1p-52);
  direction.exponent = highest;
  direction.exact = std::move(exact);
  return direction;
}

void DirectionScan::Least::offer(double score, std::int64_t number, std::size_t limit) {
  row.emplace_back(score, number);
  if (row.size() >= 4 * limit + 64) shrink(limit);
}

void DirectionScan::Least::shrink(std::size_t limit) {
  std::sort(row.begin(), row.end());
  if (row.size() > limit) row.resize(limit);
}

void DirectionScan::Least::synchronise(Comm& comm, std::size_t limit) {
  shrink(limit);
  if (comm.size() == 1) return;
  std::vector<Scored> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(row)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Scored));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(all.data() + before), bytes.data(), bytes.size());
  }
  row = std::move(all);
  shrink(limit);
}

DirectionScan::DirectionScan(DirectionScanOptions options, std::vector<IntegerVector> directions)
    : options_(std::move(options)), violated_(directions.size()) {
  for (IntegerVector& exact : directions) direction_.push_back(scan_direction(options_.scaling, std::move(exact)));
  if (!options_.steps) return;
  lower_.assign(options_.scaling.space.columns(), 0.0);
  upper_ = lower_;
}

void DirectionScan::begin(const Shape& /*shape*/) {}

void DirectionScan::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const std::int64_t number = batch.number_of(i);
    if (!options_.separated(number)) return;
    const int sign = batch.label[static_cast<std::size_t>(i)] > 0 ? 1 : -1;
    options_.scaling.show(x, [&](const auto& z) { look_at(z, number, sign); });
  });
}

template <class Row>
void DirectionScan::look_at(const Row& z, std::int64_t number, int sign) {
  const std::int16_t exponent = RowScaling::size_exponent(options_.scaling.scaled_square(z));
  const bool known = exponent != RowScaling::kNoExponent;
  const double size = known ? std::ldexp(1.0, exponent) : 1;
  bool open = false;
  for (std::size_t d = 0; d < direction_.size(); ++d) {
    const ScanWeights& scan = direction_[d].scan;
    const double score = sign * (dot(z, scan.weight.data()) + scan.offset);
    const double bound = scan.bound(z.size, size);
    const bool told = known && std::isfinite(score) && std::fabs(score) > bound;
    if (!told) {
      open = open || (options_.steps && d == 0) || violated_[d].row.empty();
    } else if (score < 0) {
      violated_[d].offer(score / size, number, options_.most_rows);
    } else if (options_.steps && d == 0) {
      nearest_.offer(score / size, number, options_.most_rows);
      add_steps(z, sign / (score - bound));
    }
  }
  if (open) open_.push_back(number);
}

template <class Row>
void DirectionScan::add_steps(const Row& z, double inverse) {
  greatest_inverse_ = std::max(greatest_inverse_, std::fabs(inverse));
  double* upper = upper_.data();
  double* lower = lower_.data();
  for_each_entry(z, [&](std::uint32_t column, double value) {
    const double ratio = value * inverse;
    upper[column] = std::max(upper[column], ratio);
    lower[column] = std::min(lower[column], ratio);
  });
  if (options_.scaling.space.origin) return;
  const std::uint32_t offset = options_.scaling.space.mapped;
  upper[offset] = std::max(upper[offset], inverse);
  lower[offset] = std::min(lower[offset], inverse);
}

void DirectionScan::judge_open_rows(Comm& comm) {
  conclusive_ = all_reduce_sum(comm, static_cast<std::int64_t>(open_.size())) <= kMostOpen;
  std::vector<bool> wanted;  // whatever rows show, so that all workers judge the same vectors
  for (std::size_t d = 0; d < direction_.size(); ++d) {
    wanted.push_back(conclusive_ && !all_reduce_any(comm, !violated_[d].row.empty()));
  }
  if (!conclusive_) open_.clear();
  for (std::size_t from = 0; from < open_.size(); from += kJudgedAtOnce) {
    const auto first = open_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kJudgedAtOnce, open_.size() - from));
    for (const ExactRow* z : options_.read({first, first + count})) {
      for (std::size_t d = 0; d < direction_.size(); ++d) {
        if (!wanted[d] && !(options_.steps && d == 0)) continue;
        const Integer score = exact_dot(*z, direction_[d].exact);
        if (score < 0 && wanted[d]) violated_[d].offer(0, z->row, options_.most_rows);
        if (options_.steps && d == 0) add_exact_steps(*z, score);
      }
    }
  }
  open_.clear();
}

// In the unit of rows as `show` gives them, times that of the doubles.
void DirectionScan::add_exact_steps(const ExactRow& z, const Integer& score) {
  nearest_.offer(0, z.row, options_.most_rows);
  const RowScaling& scaling = options_.scaling;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::uint32_t column = z.column[k];
    const int shown = scaling.mapped() && column != scaling.space.mapped ? scaling.exponent[column] : 0;
    double ratio = z.value[k] < 0 ? -kInfinite : kInfinite;
    if (score > 0) {
      ratio = approximate(times_power_of_two(linsep::ratio(z.value[k], score), direction_.front().exponent - shown));
    }
    upper_[column] = std::max(upper_[column], ratio);
    lower_[column] = std::min(lower_[column], ratio);
  }
}

// Allows for rounding, and for values that were read as less than they are.
void DirectionScan::finish_steps(Comm& comm) {
  nearest_.synchronise(comm, options_.most_rows);
  for (double& value : lower_) value = -value;
  comm.all_reduce(std::span(upper_), Comm::Op::kMax);
  comm.all_reduce(std::span(lower_), Comm::Op::kMax);
  double inverse = greatest_inverse_;
  comm.all_reduce(std::span(&inverse, 1), Comm::Op::kMax);
  const RowScaling& scaling = options_.scaling;
  // A worker without rows can't tell whether values are binary.
  const bool written = all_reduce_any(comm, !scaling.binary);
  const bool is_float = all_reduce_any(comm, scaling.is_float);
  const double unread = written ? inverse * (is_float ? 0x1p-149 : 0x1p-1074) : 0;
  const double factor = 1 + (is_float ? kFloatSlack : kSlack);
  for (std::size_t j = 0; j < upper_.size(); ++j) {
    const int shown = scaling.mapped() && j != scaling.space.mapped ? scaling.exponent[j] : 0;
    upper_[j] = std::ldexp((upper_[j] + unread) * factor, shown);
    lower_[j] = -std::ldexp((lower_[j] + unread) * factor, shown);
  }
}

void DirectionScan::synchronise(Comm& comm) {
  judge_open_rows(comm);
  for (Least& least : violated_) least.synchronise(comm, options_.most_rows);
  if (options_.steps) finish_steps(comm);
}

Verdict DirectionScan::end_pass(Progress& progress) {
  progress.mistakes = 0;
  return Verdict::kConverged;
}

namespace {

std::vector<std::int64_t> rows_of(const std::vector<DirectionScan::Scored>& scored) {
  std::vector<std::int64_t> rows;
  for (const auto& [score, row] : scored) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

std::vector<std::int64_t> DirectionScan::violated(std::size_t direction) const {
  return rows_of(violated_[direction].row);
}

std::vector<std::int64_t> DirectionScan::nearest() const { return rows_of(nearest_.row); }

namespace {

constexpr std::int64_t kMostBits = 64;
/// The share of every margin that is left once small weights are put in.
const Rational kKept(3, 4);

/// A number of few bits above `above` and at most `most`. REQUIRES: most > 0.
std::optional<Rational> short_between(const Rational& above, const Rational& most) {
  if (most <= above) return std::nullopt;
  const std::int64_t top = static_cast<std::int64_t>(bit_length(numerator(most))) -
                           static_cast<std::int64_t>(bit_length(denominator(most))) + 1;
  for (std::int64_t bits = 2; bits <= kMostBits; ++bits) {
    const Rational units = times_power_of_two(most, bits - top);
    const Rational rounded =
        times_power_of_two(Rational(floor_quotient(numerator(units), denominator(units))), top - bits);
    if (rounded > above) return rounded;
  }
  return std::nullopt;
}

/// The longest step against a column whose ratio is at most `ratio`, in w's own unit. Nothing if none is known.
std::optional<Rational> room(double ratio, std::int64_t exponent) {
  const double length = 1 / ratio;
  if (!std::isfinite(length) || length == 0) return std::nullopt;
  return times_power_of_two(Rational(length) * (Rational(1) - Rational(0x1p-50)), exponent);
}

}  // namespace

ColumnSteps column_steps(const IntegerVector& w, std::int64_t exponent, const std::vector<double>& lower,
                         const std::vector<double>& upper) {
  std::vector<Rational> base(w.begin(), w.end());
  double empty = 0;
  for (const Integer& weight : w) empty += weight == 0 ? 1 : 0;
  ColumnSteps steps;
  for (std::uint32_t j = 0; j < w.size(); ++j) {
    poll(5000);
    const double greater = std::fmax(upper[j], -lower[j]);
    if (w[j] == 0) {  // a weight small enough that all of them together take a quarter of no margin
      if (greater == 0) {
        base[j] = 1;
      } else if (const auto most = room(greater * 4 * empty, exponent)) {
        base[j] = *short_between(0, *most);
      } else {
        continue;
      }
      steps.step.emplace_back(j, -2 * base[j]);
      continue;
    }
    const double ratio = w[j] > 0 ? upper[j] : -lower[j];
    const Rational size = w[j] > 0 ? Rational(w[j]) : Rational(-w[j]);
    std::optional<Rational> step;
    if (ratio == 0) {
      step = 2 * size;
    } else if (const auto most = room(ratio, exponent)) {
      step = short_between(size, empty > 0 ? *most * kKept : *most);
    }
    if (step) steps.step.emplace_back(j, w[j] > 0 ? -*step : *step);
  }
  Integer common = 1;
  for (const Rational& weight : base) grow_to_common_multiple(common, denominator(weight));
  for (const Rational& weight : base) {
    poll(500 + bit_length(common));
    const Rational scaled = weight * common;
    steps.base.push_back(numerator(scaled));
  }
  for (auto& [column, step] : steps.step) step *= common;
  return steps;
}

}  // namespace linsep
