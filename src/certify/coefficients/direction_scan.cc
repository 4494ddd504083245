#include "certify/coefficients/direction_scan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "certify/finder/row_exchange.h"
#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kJudgedAtOnce = 8192;
/// More rows than this aren't judged exactly.
constexpr std::int64_t kMostOpen = 100000;
/// What rounding can do to a step's bound: of doubles, and of what was read as float.
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
  told_ = all_reduce_sum(comm, static_cast<std::int64_t>(open_.size())) <= kMostOpen;
  std::vector<bool> wanted;  // whatever rows show, all workers judge for the same vectors
  for (std::size_t d = 0; d < direction_.size(); ++d) {
    wanted.push_back(told_ && !all_reduce_any(comm, !violated_[d].row.empty()));
  }
  if (!told_) open_.clear();
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

// Rounding, and values that were read as less than they are, are allowed for.
void DirectionScan::finish_steps(Comm& comm) {
  nearest_.synchronise(comm, options_.most_rows);
  for (double& value : lower_) value = -value;
  comm.all_reduce(std::span(upper_), Comm::Op::kMax);
  comm.all_reduce(std::span(lower_), Comm::Op::kMax);
  double inverse = greatest_inverse_;
  comm.all_reduce(std::span(&inverse, 1), Comm::Op::kMax);
  const RowScaling& scaling = options_.scaling;
  // A worker without rows doesn't know what values are like.
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

}  // namespace linsep
