// CoreSearch's witness and its span: both grow, and what lies in the span leaves the working set.
#include <algorithm>
#include <cmath>
#include <utility>

#include "certify/core_search.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

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

// Σ beta_i z_i lies in the span: the rows get beta, and what is missing comes from the basis; so much of the earlier
// witness is added that all of its weights stay above 0. False when the span wouldn't grow (a first row of zeros is
// welcome all the same).
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

}  // namespace linsep
