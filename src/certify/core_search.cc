#include "certify/core_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/deadline.h"
#include "core/random.h"
#include "exact/decimal.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr std::uint64_t kExploreSeed = 0xface;
/// After weights are rounded, this share of the smallest margin in the working set must be left.
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

CoreSearch::Next CoreSearch::next(const Deadline& deadline) {
  while (true) {
    if (end_at_witness_ && has_witness()) return Next::kWitness;
    if (rank() == size()) return Next::kAllAtZero;
    if (exact_mode_) {
      if (const auto answer = next_exact(deadline)) return *answer;
      continue;
    }
    refill_solver();
    if (solver_->points() == 0) {
      explore();
      return Next::kScan;
    }
    switch (solver_->solve(deadline)) {
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
        if (deadline.expired()) return Next::kStopped;
        if (witness_from_corral() == Finish::kFailed) begin_exact();
        break;
    }
  }
}

double CoreSearch::scaled_norm() const {
  return std::sqrt(dot(DenseRow<double>{candidate_.scaled.data(), candidate_.scaled.size()}, candidate_.scaled.data()));
}

// The fewest bits that keep most of the smallest margin in the working set.
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

// Weights over free columns become integers of `bits` bits, and the others follow from the span. Without a span the
// doubles are those integers times a power of two, so they are exact. False if there is no weight on a free column.
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

// Doubles near the exact weights. The largest (scaled) is near 1.
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

// No row outside the span is known. Random weights show some, or that there are none.
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

namespace {

// The floating-point half has the working set as points, what is left of them off the span, and their min-norm point.

/// A point counts as inside the span, for the search, if its part outside is below this share of it.
constexpr double kInSpan = 1e-9;

double norm_of(std::span<const double> v) { return std::sqrt(dot(DenseRow<double>{v.data(), v.size()}, v.data())); }

}  // namespace

// The entries are fraction·2^exponent, over active columns. The point that is kept has a norm in [1/2, 1).
void CoreSearch::add_point(Point point, const std::vector<double>& fraction, std::vector<std::int64_t> exponent) {
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t j = 0; j < fraction.size(); ++j) {
    if (fraction[j] != 0) greatest = std::max(greatest, exponent[j]);
  }
  known_.insert(point.row);
  if (greatest == std::numeric_limits<std::int64_t>::min()) return;  // a row of zeros carries nothing
  std::vector<double> value(fraction.size());
  for (std::size_t j = 0; j < fraction.size(); ++j) {
    const std::int64_t shift = std::max<std::int64_t>(exponent[j] - greatest, -2000);
    value[j] = std::ldexp(fraction[j], static_cast<int>(shift));
  }
  int extra = 0;
  std::frexp(norm_of(value), &extra);
  for (double& v : value) v = std::ldexp(v, -extra);
  point.exponent = greatest + extra;
  if (!project(value, float_basis_)) return;
  point.norm = norm_of(value);
  point_.push_back(point);
  value_.insert(value_.end(), value.begin(), value.end());
}

bool CoreSearch::project(std::span<double> point, const std::vector<double>& axes) const {
  if (axes.empty()) return true;
  const std::size_t size = active_.size();
  const double before = norm_of(point);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t b = 0; b < axes.size(); b += size) {
      poll(size / 2);
      const DenseRow<double> axis{axes.data() + b, size};
      axpy(-dot(axis, point.data()), axis, point.data());
    }
  }
  return norm_of(point) > kInSpan * before;
}

void CoreSearch::project_points(const std::vector<double>& axes) {
  if (axes.empty()) return;
  const std::size_t size = active_.size();
  std::set<std::int64_t> inside;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    const std::span<double> point(value_.data() + i * size, size);
    if (!project(point, axes)) inside.insert(point_[i].row);
    point_[i].norm = norm_of(point);
  }
  if (!inside.empty()) forget(inside);
}

void CoreSearch::refill_solver() {
  const std::size_t size = active_.size();
  if (!solver_) {
    solver_ = std::make_unique<MinNormPoint>(size);
    taken_ = 0;
  }
  std::vector<double> point(size);
  for (; taken_ < point_.size(); ++taken_) {
    const double factor = float_basis_.empty() ? 1 : 1 / point_[taken_].norm;
    for (std::size_t j = 0; j < size; ++j) point[j] = value_[taken_ * size + j] * factor;
    if (float_basis_.empty()) point_[taken_].norm = 1;
    solver_->add(point, static_cast<std::int64_t>(taken_));
  }
}

void CoreSearch::forget(const std::set<std::int64_t>& rows) {
  const std::size_t size = active_.size();
  std::vector<Point> kept;
  std::vector<double> kept_value;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    if (rows.contains(point_[i].row)) continue;
    kept.push_back(point_[i]);
    const auto from = value_.begin() + static_cast<std::ptrdiff_t>(i * size);
    kept_value.insert(kept_value.end(), from, from + static_cast<std::ptrdiff_t>(size));
  }
  point_ = std::move(kept);
  value_ = std::move(kept_value);
  solver_.reset();
}

std::vector<std::pair<std::int64_t, double>> CoreSearch::support() const {
  std::vector<std::pair<std::int64_t, double>> support;
  if (!solver_ || rank() > 0) return support;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t c : solver_->corral()) {
    least = std::min(least, point_[static_cast<std::size_t>(solver_->name(c))].exponent);
  }
  for (std::size_t k = 0; k < solver_->corral().size(); ++k) {
    const Point& point = point_[static_cast<std::size_t>(solver_->name(solver_->corral()[k]))];
    const std::int64_t shift = std::max<std::int64_t>(least - point.exponent, -900);
    support.emplace_back(point.row, std::ldexp(solver_->weights()[k], static_cast<int>(shift)));
  }
  std::sort(support.begin(), support.end());
  return support;
}

namespace {

// The witness and its span. Both grow, and what lies in the span leaves the working set.

constexpr std::size_t kPairsAtOnce = 256;

}  // namespace

void CoreSearch::add_zero_row(const ExactRow& z) {
  if (z.column.empty() && !has_witness()) extend({&z}, {Integer(1)});
}

void CoreSearch::add_conflicts(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  ModularSpan found(size());
  for (std::size_t from = 0; from < pairs.size() && found.rank() < size(); from += kPairsAtOnce) {
    std::vector<std::int64_t> rows;
    const std::size_t end = std::min(pairs.size(), from + kPairsAtOnce);
    for (std::size_t k = from; k < end; ++k) {
      rows.push_back(pairs[k].first);
      rows.push_back(pairs[k].second);
    }
    read_rows(rows);
    for (std::size_t k = from; k < end; ++k) {
      const ExactRow& first = exact(pairs[k].first);
      const ExactRow& second = exact(pairs[k].second);
      if (!opposite(first, second) || !found.add(dense(first))) continue;
      basis_.push_back(support_.size());
      support_.push_back(first);
      support_.push_back(second);
      alpha_.emplace_back(1);
      alpha_.emplace_back(1);
    }
    exact_.clear();
  }
  if (!basis_.empty()) set_span();
}

// Σ beta_i z_i lies in the span. The rows get beta, and what is missing comes from the basis. Enough of the earlier
// witness is added to keep all of its weights above 0. False if the span wouldn't grow (a first row of zeros is
// accepted all the same).
bool CoreSearch::extend(const std::vector<const ExactRow*>& rows, const IntegerVector& beta) {
  if (end_at_witness_) {
    for (const ExactRow* row : rows) support_.push_back(*row);
    alpha_ = beta;
    return true;
  }
  ModularSpan rests(span_.free_columns().size());
  IntegerVector sum(size());
  std::vector<std::size_t> independent;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const IntegerVector z = dense(*rows[i]);
    for (std::size_t j = 0; j < z.size(); ++j) sum[j] += beta[i] * z[j];
    if (rests.add(span_.rest(z))) independent.push_back(i);
  }
  if (independent.empty() && has_witness()) return false;

  Integer factor = 1;  // of beta
  if (rank() > 0 && !all_zero(sum)) {
    const ExactSolution c = span_.combination(sum);
    factor = c.denominator;
    Integer copies = 1;
    for (std::size_t b = 0; b < basis_.size(); ++b) {
      const Integer needed = -c.numerator[b][0] / alpha_[basis_[b]] + 1;
      if (needed > copies) copies = needed;
    }
    for (Integer& a : alpha_) a *= copies;
    for (std::size_t b = 0; b < basis_.size(); ++b) alpha_[basis_[b]] += c.numerator[b][0];
  }
  for (const std::size_t i : independent) basis_.push_back(support_.size() + i);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    support_.push_back(*rows[i]);
    alpha_.push_back(beta[i] * factor);
  }
  reduce_content(alpha_);
  set_span();
  return true;
}

void CoreSearch::set_span() {
  IntegerRows basis;
  basis.reserve(basis_.size());
  for (const std::size_t b : basis_) basis.push_back(dense(support_[b]));
  span_.set(basis);
  exact_mode_ = false;
  simplex_.reset();
  violated_.clear();
  solver_.reset();

  // The same span in floats, as what each new basis row adds, made orthonormal. Points of the working set lose it.
  std::vector<double> added;
  for (; axes_ < basis.size(); ++axes_) {
    std::vector<double> axis = scaled_floats(basis[axes_]);
    if (!project(axis, float_basis_)) continue;
    const double norm = std::sqrt(dot(DenseRow<double>{axis.data(), axis.size()}, axis.data()));
    for (double& v : axis) v /= norm;
    float_basis_.insert(float_basis_.end(), axis.begin(), axis.end());
    added.insert(added.end(), axis.begin(), axis.end());
  }
  project_points(added);
}

Witness CoreSearch::witness() const {
  std::vector<std::pair<std::int64_t, Rational>> weights;
  for (std::size_t i = 0; i < support_.size(); ++i)
    weights.emplace_back(support_[i].row, alpha_[i] * support_[i].scale);
  return as_witness(std::move(weights));
}

std::vector<std::int64_t> CoreSearch::basis_rows() const {
  std::vector<std::int64_t> rows;
  for (const std::size_t b : basis_) rows.push_back(support_[b].row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

namespace {

// The exact half has the witnesses, their span, and the simplex method for what floats can't decide.

/// Margins within this share of a point's norm are judged exactly.
constexpr double kSuspicious = 1e-9;

}  // namespace

Integer CoreSearch::exact_score(const ExactRow& z) const {
  Integer sum = 0;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    const std::int32_t at = place_[z.column[k]];
    if (at < 0) continue;
    add_product(sum, z.value[k], candidate_.exact[static_cast<std::size_t>(at)]);
  }
  return sum;
}

RowSide CoreSearch::side(const ExactRow& z) const {
  const int sign = sign_of(exact_score(z));
  if (sign != 0) return sign > 0 ? RowSide::kPositive : RowSide::kViolated;
  return has_witness() && span_.contains(dense(z)) ? RowSide::kAtZero : RowSide::kViolated;
}

// Scales columns, and brings the whole to a size near 1.
std::vector<double> CoreSearch::scaled_floats(const IntegerVector& z) const {
  std::vector<double> value(z.size());
  std::vector<std::int64_t> exponent(z.size());
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t j = 0; j < z.size(); ++j) {
    std::int64_t e = 0;
    value[j] = fraction_and_exponent(z[j], &e);
    exponent[j] = e - exponent_[j];
    if (value[j] != 0) highest = std::max(highest, exponent[j]);
  }
  for (std::size_t j = 0; j < z.size(); ++j) {
    value[j] = std::ldexp(value[j], static_cast<int>(std::max<std::int64_t>(exponent[j] - highest, -2000)));
  }
  return value;
}

CoreSearch::Finish CoreSearch::witness_from_corral() {
  std::vector<std::int64_t> names;
  for (const std::size_t c : solver_->corral()) {
    names.push_back(point_[static_cast<std::size_t>(solver_->name(c))].row);
  }
  read_rows(names);
  IntegerRows rests;
  std::vector<Rational> guess;
  std::set<std::int64_t> inside;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const ExactRow& z = exact(names[k]);
    rests.push_back(span_.rest(dense(z)));
    if (all_zero(rests.back())) inside.insert(z.row);
    const std::size_t c = solver_->corral()[k];
    const Point& point = point_[static_cast<std::size_t>(solver_->name(c))];
    Rational share = times_power_of_two(rational_of_double(solver_->weights()[k] / point.norm), -point.exponent);
    if (!point.of_integers) share /= z.scale;
    guess.push_back(std::move(share));
  }
  if (!inside.empty() && has_witness()) {
    forget(inside);
    return Finish::kForgot;
  }
  const auto alpha = exact_witness(rests, guess);
  if (!alpha) return Finish::kFailed;
  std::vector<const ExactRow*> rows;
  IntegerVector beta;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if ((*alpha)[k] == 0) continue;
    rows.push_back(&exact(names[k]));
    beta.push_back((*alpha)[k]);
  }
  return extend(rows, beta) ? Finish::kExtended : Finish::kFailed;
}

void CoreSearch::begin_exact() {
  exact_mode_ = true;
  simplex_ = std::make_unique<ExactSimplex>(span_.free_columns().size());
  simplex_row_.clear();
  simplex_content_.clear();
  in_simplex_.clear();
  if (!solver_) return;
  std::vector<std::int64_t> rows;
  for (const std::size_t c : solver_->corral()) {
    rows.push_back(point_[static_cast<std::size_t>(solver_->name(c))].row);
  }
  read_rows(rows);
  std::set<std::int64_t> inside;
  for (const std::int64_t row : rows) {
    add_to_simplex(exact(row));
    if (!in_simplex_.contains(row)) inside.insert(row);
  }
  if (!inside.empty()) forget(inside);
}

void CoreSearch::add_to_simplex(const ExactRow& z) {
  if (in_simplex_.contains(z.row)) return;
  IntegerVector rest = span_.rest(dense(z));
  if (all_zero(rest) && has_witness()) return;
  Integer content = 0;
  for (const Integer& v : rest) shrink_to_common_divisor(content, v);
  reduce_content(rest);
  simplex_->add(std::move(rest));
  simplex_content_.push_back(content == 0 ? Integer(1) : content);
  simplex_row_.push_back(z.row);
  in_simplex_.insert(z.row);
}

std::optional<CoreSearch::Next> CoreSearch::next_exact(const Deadline& deadline) {
  if (simplex_->points() == 0) {
    exact_mode_ = false;
    return std::nullopt;
  }
  while (true) {
    switch (simplex_->solve(deadline)) {
      case ExactSimplex::End::kStopped:
        return Next::kStopped;
      case ExactSimplex::End::kWitness: {
        const IntegerVector alpha = simplex_->alpha();
        std::vector<const ExactRow*> rows;
        std::vector<Rational> beta;
        for (std::size_t i = 0; i < alpha.size(); ++i) {
          if (alpha[i] == 0) continue;
          rows.push_back(&exact(simplex_row_[i]));
          beta.push_back(ratio(alpha[i], simplex_content_[i]));
        }
        extend(rows, as_integers(beta));
        return std::nullopt;
      }
      case ExactSimplex::End::kSeparator:
        set_exact_weights(span_.lift(simplex_->weights()));
        candidate_.threshold = 0;
        if (!repair_within_working_set()) return Next::kScan;
        break;
    }
    if (deadline.expired()) return Next::kStopped;
  }
}

// Rows of the working set that the exact weights leave on the wrong side join the simplex before all rows are scanned.
bool CoreSearch::repair_within_working_set() {
  const double norm = scaled_norm();
  std::vector<std::pair<double, std::int64_t>> suspects;
  for (std::size_t i = 0; i < point_.size(); ++i) {
    if (in_simplex_.contains(point_[i].row)) continue;
    const double score = dot(DenseRow<double>{value_.data() + i * size(), size()}, candidate_.scaled.data());
    if (!(score > kSuspicious * norm)) suspects.emplace_back(score, point_[i].row);
  }
  std::sort(suspects.begin(), suspects.end());
  std::vector<std::int64_t> rows;
  for (const auto& [score, row] : suspects) {
    if (rows.size() >= 2 * size() + 8) break;
    rows.push_back(row);
  }
  read_rows(rows);
  bool added = false;
  for (const std::int64_t row : rows) {
    if (side(exact(row)) != RowSide::kViolated) continue;
    add_to_simplex(exact(row));
    added = true;
  }
  return added;
}

}  // namespace linsep
