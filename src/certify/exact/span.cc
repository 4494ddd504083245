#include "certify/exact/span.h"

#include <algorithm>
#include <numeric>

#include "certify/exact/lifted_solve.h"
#include "core/poll.h"

namespace linsep {

ExactSpan::ExactSpan(std::size_t size) : size_(size), free_(size) { std::iota(free_.begin(), free_.end(), 0); }

bool ExactSpan::set(const IntegerRows& basis) {
  ModularSpan span(size_);
  for (const IntegerVector& row : basis) {
    if (!span.add(row)) return false;
  }
  std::vector<std::size_t> pivot = span.pivots();
  std::sort(pivot.begin(), pivot.end());
  std::vector<std::size_t> free_columns;
  for (std::size_t j = 0; j < size_; ++j) {
    if (!std::binary_search(pivot.begin(), pivot.end(), j)) free_columns.push_back(j);
  }
  IntegerRows left(basis.size()), right(basis.size());
  for (std::size_t b = 0; b < basis.size(); ++b) {
    for (const std::size_t j : pivot) left[b].push_back(basis[b][j]);
    for (const std::size_t j : free_columns) right[b].push_back(basis[b][j]);
  }
  ExactSolution relation;
  if (!free_columns.empty()) {
    auto solved = solve_in_steps(left, right);
    if (!solved) return false;
    relation = std::move(*solved);
  }
  pivot_ = std::move(pivot);
  free_ = std::move(free_columns);
  basis_ = basis;
  relation_ = std::move(relation);
  return true;
}

IntegerVector ExactSpan::rest(const IntegerVector& z) const {
  IntegerVector rest(free_.size());
  for (std::size_t f = 0; f < free_.size(); ++f) rest[f] = z[free_[f]] * relation_.denominator;
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    const Integer& value = z[pivot_[p]];
    if (value == 0) continue;
    for (std::size_t f = 0; f < free_.size(); ++f) {
      poll(50 + bit_length(relation_.numerator[p][f]) / 32);
      subtract_product(rest[f], value, relation_.numerator[p][f]);
    }
  }
  return rest;
}

bool ExactSpan::contains(const IntegerVector& z) const { return all_zero(rest(z)); }

IntegerVector ExactSpan::lift(const IntegerVector& free_weights) const {
  IntegerVector w(size_);
  for (std::size_t f = 0; f < free_.size(); ++f) w[free_[f]] = free_weights[f] * relation_.denominator;
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    Integer& value = w[pivot_[p]];
    for (std::size_t f = 0; f < free_.size(); ++f) {
      poll(50 + bit_length(relation_.numerator[p][f]) / 32);
      subtract_product(value, relation_.numerator[p][f], free_weights[f]);
    }
  }
  return w;
}

ExactSolution ExactSpan::combination(const IntegerVector& t) const {
  IntegerRows left(pivot_.size()), right(pivot_.size());
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    for (const IntegerVector& row : basis_) left[p].push_back(row[pivot_[p]]);
    right[p].push_back(-t[pivot_[p]]);
  }
  return *solve_in_steps(left, right);
}

}  // namespace linsep
