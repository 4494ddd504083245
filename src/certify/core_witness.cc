// The exact half of CoreSearch: witnesses, their span, and the simplex method where floats can't tell.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "certify/core_search.h"
#include "exact/decimal.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

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
