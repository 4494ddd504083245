#include "certify/core_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/poll.h"
#include "core/random.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr std::uint64_t kExploreSeed = 0xface;
/// Rounding weights must leave this share of the least margin in the working set.
constexpr double kKeptMargin = 15.0 / 16;
constexpr int kFewestBits = 4;
constexpr int kMoreBits = 4;
constexpr int kMostBits = 52;

}  // namespace

CoreSearch::CoreSearch(const RowSpace& space, std::vector<std::uint32_t> active, const std::vector<int>& exponent,
                       bool rows_are_scaled, ExactReader read)
    : space_(space),
      active_(std::move(active)),
      place_(space.columns(), -1),
      rows_are_scaled_(rows_are_scaled),
      read_(std::move(read)),
      span_(active_.size()) {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    place_[active_[k]] = static_cast<std::int32_t>(k);
    exponent_.push_back(exponent[active_[k]]);
  }
}

std::size_t CoreSearch::add(const std::vector<WorkRow>& rows) {
  std::size_t added = 0;
  std::vector<double> fraction;
  std::vector<std::int64_t> exponent;
  for (const WorkRow& row : rows) {
    if (knows(row.row, row.hash)) continue;
    fraction.assign(active_.size(), 0.0);
    exponent.assign(active_.size(), 0);
    const auto put = [&](std::uint32_t column, double value) {
      const std::int32_t at = place_[column];
      if (at < 0) return;
      const auto j = static_cast<std::size_t>(at);
      int e = 0;
      fraction[j] = row.sign * std::frexp(value, &e);
      exponent[j] = e - (rows_are_scaled_ && column != space_.mapped ? 0 : exponent_[j]);
    };
    for (std::size_t k = 0; k < row.column.size(); ++k) put(row.column[k], row.value[k]);
    if (!space_.origin) put(space_.mapped, 1.0);
    hashes_.insert(row.hash);
    add_point({row.row, 0, false}, fraction, exponent);
    ++added;
  }
  return added;
}

void CoreSearch::add_exact_point(const ExactRow& z) {
  poll(100 * z.column.size());
  std::vector<double> fraction(active_.size(), 0.0);
  std::vector<std::int64_t> exponent(active_.size(), 0);
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::int32_t at = place_[z.column[k]];
    if (at < 0) continue;
    const auto j = static_cast<std::size_t>(at);
    std::int64_t e = 0;
    fraction[j] = fraction_and_exponent(z.value[k], &e);
    exponent[j] = e - exponent_[j];
  }
  add_point({z.row, 0, true}, fraction, std::move(exponent));
}

void CoreSearch::add_exactly(const std::vector<std::int64_t>& rows) {
  read_rows(rows);
  for (const std::int64_t row : rows) {
    if (!known_.contains(row)) add_exact_point(exact(row));
  }
}

void CoreSearch::add_violated(const std::vector<std::int64_t>& rows) {
  read_rows(rows);
  bool all_known = true;
  for (const std::int64_t row : rows) {
    if (known_.contains(row)) continue;
    all_known = false;
    add_exact_point(exact(row));
  }
  if (!all_known && !exact_mode_) return;
  violated_ = rows;
  if (!exact_mode_) begin_exact();
  for (const std::int64_t row : rows) add_to_simplex(exact(row));
}

void CoreSearch::read_rows(std::vector<std::int64_t> rows) {
  std::erase_if(rows, [&](std::int64_t row) { return exact_.contains(row); });
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  if (rows.empty()) return;
  for (ExactRow& z : read_(rows)) exact_.emplace(z.row, std::move(z));
}

CoreSearch::Next CoreSearch::next(const StopFunction& stop) {
  while (true) {
    if (end_at_witness_ && has_witness()) return Next::kWitness;
    if (rank() == size()) return Next::kAllAtZero;
    if (exact_mode_) {
      if (const auto answer = next_exact(stop)) return *answer;
      continue;
    }
    refill_solver();
    if (solver_->points() == 0) {
      explore();
      return Next::kScan;
    }
    switch (solver_->solve(stop)) {
      case MinNormPoint::End::kStopped:
        return Next::kStopped;
      case MinNormPoint::End::kSeparated:
        if (!candidate_from_floats()) {
          begin_exact();
          break;
        }
        candidate_.threshold = std::sqrt(solver_->squared_norm()) * scaled_norm();
        return Next::kScan;
      case MinNormPoint::End::kZero:
      case MinNormPoint::End::kStalled:
        if (stop && stop()) return Next::kStopped;
        if (witness_from_corral() == Finish::kFailed) begin_exact();
        break;
    }
  }
}

double CoreSearch::scaled_norm() const {
  return std::sqrt(dot(DenseRow<double>{candidate_.scaled.data(), candidate_.scaled.size()}, candidate_.scaled.data()));
}

// The fewest bits that keep most of the least margin in the working set.
bool CoreSearch::candidate_from_floats() {
  const std::vector<double>& p = solver_->nearest();
  const double wanted = kKeptMargin * solver_->least() / std::sqrt(solver_->squared_norm());
  for (int bits = kFewestBits; bits <= kMostBits; bits += kMoreBits) {
    if (!round_weights(p, bits)) return false;
    double norm = 0;
    for (const double w : candidate_.scaled) norm += w * w;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < solver_->points(); ++i) {
      least = std::min(least, dot(DenseRow<double>{solver_->point(i).data(), p.size()}, candidate_.scaled.data()));
    }
    if (least >= wanted * std::sqrt(norm)) break;
  }
  return true;
}

// Weights over free columns become integers of `bits` bits; the others follow from the span. Without a span the
// doubles are those integers times a power of two, so they are exact. False: there is no weight on a free column.
bool CoreSearch::round_weights(const std::vector<double>& p, int bits) {
  const std::vector<std::size_t>& free_columns = span_.free_columns();
  double greatest = 0;
  int highest = std::numeric_limits<int>::min();
  for (const std::size_t j : free_columns) {
    greatest = std::max(greatest, std::fabs(p[j]));
    highest = std::max(highest, exponent_[j]);
  }
  if (greatest == 0) return false;
  int top = 0;
  std::frexp(greatest, &top);
  IntegerVector weights(free_columns.size());
  std::vector<double> scaled(p.size(), 0.0);
  for (std::size_t f = 0; f < free_columns.size(); ++f) {
    const std::size_t j = free_columns[f];
    const double rounded = std::nearbyint(std::ldexp(p[j], bits - top));
    scaled[j] = std::ldexp(rounded, top - bits);
    weights[f] = static_cast<std::int64_t>(rounded);
    weights[f] <<= static_cast<std::uint64_t>(highest - exponent_[j]);
  }
  if (span_.rank() > 0) {
    set_exact_weights(span_.lift(weights));
    return true;
  }
  candidate_.scaled = std::move(scaled);
  candidate_.relative_error = 0;
  candidate_.exact_unit = times_power_of_two(1, top - bits - highest);
  candidate_.exact = std::move(weights);
  return true;
}

// Doubles near the exact weights, the greatest (scaled) near 1.
void CoreSearch::set_exact_weights(IntegerVector weights) {
  reduce_content(weights);
  std::vector<double> fraction(weights.size());
  std::vector<std::int64_t> exponent(weights.size());
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t j = 0; j < weights.size(); ++j) {
    std::int64_t e = 0;
    fraction[j] = fraction_and_exponent(weights[j], &e);
    exponent[j] = e + exponent_[j];
    if (fraction[j] != 0) highest = std::max(highest, exponent[j]);
  }
  candidate_.scaled.assign(weights.size(), 0.0);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const std::int64_t shift = std::max<std::int64_t>(exponent[j] - highest, -2000);
    candidate_.scaled[j] = std::ldexp(fraction[j], static_cast<int>(shift));
  }
  candidate_.relative_error = 0x1p-52;
  candidate_.exact_unit = times_power_of_two(1, -highest);
  candidate_.exact = std::move(weights);
}

// No row outside the span is known: weights at random show some, or that there are none.
void CoreSearch::explore() {
  Random random(kExploreSeed, static_cast<std::uint64_t>(explored_++));
  const std::vector<std::size_t>& free_columns = span_.free_columns();
  int highest = std::numeric_limits<int>::min();
  for (const std::size_t j : free_columns) highest = std::max(highest, exponent_[j]);
  IntegerVector weights(free_columns.size());
  for (std::size_t f = 0; f < free_columns.size(); ++f) {
    const std::int64_t size = 1 + static_cast<std::int64_t>(random.below(1 << 16));
    weights[f] = random.below(2) == 0 ? size : -size;
    weights[f] <<= static_cast<std::uint64_t>(highest - exponent_[free_columns[f]]);
  }
  set_exact_weights(span_.lift(weights));
  candidate_.threshold = std::numeric_limits<double>::infinity();
}

}  // namespace linsep
