// The exact half of CoreSearch: witnesses, their span, and the simplex method where floats can't tell.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "certify/core_search.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

/// Margins within this share of a point's norm are judged exactly.
constexpr double kSuspicious = 1e-9;
constexpr std::size_t kPairsAtOnce = 256;

bool all_zero(const IntegerVector& v) {
  return std::all_of(v.begin(), v.end(), [](const Integer& value) { return value == 0; });
}

bool opposite(const ExactRow& a, const ExactRow& b) {
  if (a.column != b.column) return false;
  for (std::size_t k = 0; k < a.value.size(); ++k) {
    if (a.value[k] != -b.value[k]) return false;
  }
  return true;
}

/// Rationals above or equal 0 as integers without a common divisor.
IntegerVector as_integers(const std::vector<Rational>& values) {
  Integer common = 1;
  for (const Rational& value : values) grow_to_common_multiple(common, denominator(value));
  IntegerVector integers;
  integers.reserve(values.size());
  for (const Rational& value : values) integers.push_back(numerator(value) * (common / denominator(value)));
  reduce_content(integers);
  return integers;
}

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

CoreSearch::Side CoreSearch::side(const ExactRow& z) const {
  const int sign = sign_of(exact_score(z));
  if (sign != 0) return sign > 0 ? Side::kPositive : Side::kViolated;
  return has_witness() && span_.contains(dense(z)) ? Side::kAtZero : Side::kViolated;
}

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

// Σ beta_i z_i lies in the span: the rows get beta, and what is missing comes from the basis; so much of the earlier
// witness is added that all of its weights stay above 0. False when the span wouldn't grow (a first row of zeros is
// welcome all the same).
bool CoreSearch::extend(const std::vector<const ExactRow*>& rows, const IntegerVector& beta) {
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

  // The same span in floats: what each new basis row adds, made orthonormal; points of the working set lose it.
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

// Columns scaled, and the whole brought to a size near 1.
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
    Rational share = times_power_of_two(Rational(solver_->weights()[k] / point.norm), -point.exponent);
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

std::optional<CoreSearch::Next> CoreSearch::next_exact(const StopFunction& stop) {
  if (simplex_->points() == 0) {
    exact_mode_ = false;
    return std::nullopt;
  }
  while (true) {
    switch (simplex_->solve(stop)) {
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
    if (stop && stop()) return Next::kStopped;
  }
}

// Rows of the working set that the exact weights leave on the wrong side join the simplex before all rows are scanned.
bool CoreSearch::repair_within_working_set() {
  double norm = 0;
  for (const double w : candidate_.scaled) norm = std::hypot(norm, w);
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
    if (side(exact(row)) != Side::kViolated) continue;
    add_to_simplex(exact(row));
    added = true;
  }
  return added;
}

std::vector<std::pair<std::int64_t, Integer>> CoreSearch::witness() const {
  std::vector<Rational> weights;
  for (std::size_t i = 0; i < support_.size(); ++i) weights.emplace_back(alpha_[i] * support_[i].scale);
  const IntegerVector integers = as_integers(weights);
  std::vector<std::pair<std::int64_t, Integer>> witness;
  for (std::size_t i = 0; i < support_.size(); ++i) witness.emplace_back(support_[i].row, integers[i]);
  std::sort(witness.begin(), witness.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return witness;
}

std::vector<std::int64_t> CoreSearch::basis_rows() const {
  std::vector<std::int64_t> rows;
  for (const std::size_t b : basis_) rows.push_back(support_[b].row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace linsep
