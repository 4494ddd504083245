#include "certify/exact/witness.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/deadline.h"

namespace linsep {

IntegerVector as_integers(const std::vector<Rational>& values) {
  Integer common = 1;
  for (const Rational& value : values) {
    poll(200);
    grow_to_common_multiple(common, denominator(value));
  }
  IntegerVector integers;
  integers.reserve(values.size());
  for (const Rational& value : values) {
    const std::size_t words = 1 + bit_length(numerator(value)) / 64;
    poll(200 + words * 10);
    integers.push_back(numerator(value) * (common / denominator(value)));
  }
  reduce_content(integers);
  return integers;
}

// Opposite rows of integers without a common divisor differ only in their signs.
bool opposite(const ExactRow& a, const ExactRow& b) {
  if (a.column != b.column) return false;
  for (std::size_t k = 0; k < a.value.size(); ++k) {
    if (a.value[k] != -b.value[k]) return false;
  }
  return true;
}

Witness as_witness(std::vector<std::pair<std::int64_t, Rational>> weights) {
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Rational> alpha;
  alpha.reserve(weights.size());
  for (const auto& [row, weight] : weights) alpha.push_back(weight);
  const IntegerVector integers = as_integers(alpha);
  Witness witness;
  witness.reserve(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) witness.emplace_back(weights[k].first, integers[k]);
  return witness;
}

Witness witness_of_pair(const ExactRow& a, const ExactRow& b) {
  if (!opposite(a, b)) return {};
  return as_witness({{a.row, a.scale}, {b.row, b.scale}});
}

ExactSimplex::ExactSimplex(std::size_t size) : size_(size) {}

void ExactSimplex::add(IntegerVector point) { point_.push_back(std::move(point)); }

// The first point with weight 1, and what it leaves missing in every coordinate. This is always feasible. The matrix is
//   [ diag(s)  z ]             [ diag(s)  −s·z ]
//   [ 0        1 ],  inverse:  [ 0         1   ],  s_j = −sign(z_j).
void ExactSimplex::begin() {
  basis_.assign(size_ + 1, {});
  inverse_.assign(size_ + 1, IntegerVector(size_ + 1));
  const IntegerVector& z = point_.front();
  for (std::size_t j = 0; j < size_; ++j) {
    const int s = z[j] > 0 ? -1 : 1;
    basis_[j].index = 2 * j + (s < 0 ? 1 : 0);
    inverse_[j][j] = s;
    inverse_[j][size_] = -s * z[j];
  }
  basis_[size_].index = 2 * size_;
  inverse_[size_][size_] = 1;
  determinant_ = 1;
  bland_ = false;
}

/// The cost of a row of products, by the length that numbers have reached.
void ExactSimplex::poll_row() const {
  const std::size_t words = 1 + bit_length(determinant_) / 64;
  poll((size_ + 1) * (50 + words * words / 4));
}

void ExactSimplex::price() {
  price_.assign(size_ + 1, Integer(0));
  for (std::size_t r = 0; r <= size_; ++r) {
    if (!basis_[r].missing(size_)) continue;
    for (std::size_t j = 0; j <= size_; ++j) price_[j] += inverse_[r][j];
    poll_row();
  }
}

// A point enters if price·(z, 1) > 0, and a missing part of coordinate j enters if ±price_j > determinant.
bool ExactSimplex::choose_entering(std::size_t& entering) const {
  bool found = false;
  Integer best, gain;
  const auto consider = [&](std::size_t index) {
    if (gain <= 0 || (found && (bland_ || gain <= best))) return;
    found = true;
    best = gain;
    entering = index;
  };
  for (std::size_t j = 0; j < size_ && !(found && bland_); ++j) {
    gain = price_[j] - determinant_;
    consider(2 * j);
    gain = -price_[j] - determinant_;
    consider(2 * j + 1);
  }
  for (std::size_t i = 0; i < point_.size() && !(found && bland_); ++i) {
    gain = price_[size_];
    for (std::size_t j = 0; j < size_; ++j) add_product(gain, price_[j], point_[i][j]);
    poll_row();
    consider(2 * size_ + i);
  }
  return found;
}

IntegerVector ExactSimplex::column_of(std::size_t entering) const {
  IntegerVector column(size_ + 1);
  for (std::size_t r = 0; r <= size_; ++r) {
    if (entering < 2 * size_) {
      column[r] = entering % 2 == 0 ? inverse_[r][entering / 2] : Integer(-inverse_[r][entering / 2]);
      continue;
    }
    const IntegerVector& z = point_[entering - 2 * size_];
    column[r] = inverse_[r][size_];
    for (std::size_t j = 0; j < size_; ++j) add_product(column[r], inverse_[r][j], z[j]);
    poll_row();
  }
  return column;
}

// The smallest ratio value/column among rows with a positive column. Ties go to the smallest index (Bland).
std::size_t ExactSimplex::choose_leaving(const IntegerVector& column) const {
  std::size_t leaving = size_ + 1;
  for (std::size_t r = 0; r <= size_; ++r) {
    if (column[r] <= 0) continue;
    if (leaving > size_) {
      leaving = r;
      continue;
    }
    Integer order = inverse_[r][size_] * column[leaving];
    subtract_product(order, inverse_[leaving][size_], column[r]);
    if (order < 0 || (order == 0 && basis_[r].index < basis_[leaving].index)) leaving = r;
  }
  return leaving;  // the value is bounded below by 0, so there is one
}

void ExactSimplex::pivot(std::size_t leaving, const IntegerVector& column, std::size_t entering) {
  const Integer& head = column[leaving];
  for (std::size_t r = 0; r <= size_; ++r) {
    if (r == leaving) continue;
    poll_row();
    for (std::size_t j = 0; j <= size_; ++j) {
      Integer& value = inverse_[r][j];
      value *= head;
      subtract_product(value, column[r], inverse_[leaving][j]);
      divide_exactly(value, determinant_);
    }
  }
  determinant_ = head;
  basis_[leaving].index = entering;
}

ExactSimplex::End ExactSimplex::solve(const Deadline& deadline) {
  if (basis_.empty()) begin();
  while (true) {
    price();
    if (price_[size_] == 0) return End::kWitness;
    std::size_t entering = 0;
    if (!choose_entering(entering)) return End::kSeparator;
    if (deadline.expired()) return End::kStopped;
    const IntegerVector column = column_of(entering);
    const std::size_t leaving = choose_leaving(column);
    bland_ = inverse_[leaving][size_] == 0;  // a step of length 0
    pivot(leaving, column, entering);
  }
}

IntegerVector ExactSimplex::weights() const {
  IntegerVector w(size_);
  for (std::size_t j = 0; j < size_; ++j) w[j] = -price_[j];
  reduce_content(w);
  return w;
}

IntegerVector ExactSimplex::alpha() const {
  IntegerVector alpha(point_.size());
  for (std::size_t r = 0; r <= size_; ++r) {
    if (!basis_[r].missing(size_)) alpha[basis_[r].index - 2 * size_] = inverse_[r][size_];
  }
  reduce_content(alpha);
  return alpha;
}

}  // namespace linsep
