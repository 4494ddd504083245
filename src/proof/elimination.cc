// A square matrix modulo a prime. Rows stay sparse as long as that pays. The column with the fewest entries comes next
// and its shortest row is the pivot (Markowitz 1957), so few entries are added. Once a quarter of the entries of the
// rest aren't 0, the rest is eliminated as a dense matrix.
#include "proof/elimination.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <tuple>

#include "core/deadline.h"
#include "linsep/error.h"
#include "linsep/limits.h"
#include "proof/verify.h"

namespace linsep {
namespace {

__extension__ using Wide = unsigned __int128;

using Residues = std::vector<std::uint64_t>;

constexpr std::size_t kMostWithoutPrime = 1000;

/// b ↦ a·b modulo p for one a. The quotient ⌊a·b/p⌋ is guessed from ⌊a·2⁶⁴/p⌋ and is at most one too small.
struct Multiple {
  std::uint64_t p, a, share;

  Multiple(std::uint64_t factor, std::uint64_t modulus)
      : p(modulus), a(factor), share(static_cast<std::uint64_t>((static_cast<Wide>(factor) << 64) / modulus)) {}
  // c + a·b modulo p. REQUIRES: b, c < p. No sum here reaches 3p < 2⁶⁴.
  std::uint64_t times_plus(std::uint64_t b, std::uint64_t c) const {
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(share) * b) >> 64);
    std::uint64_t sum = a * b - quotient * p + c;
    if (sum >= p) sum -= p;
    return sum >= p ? sum - p : sum;
  }
};

/// Gauss's elimination, from the last column on, finds a pivot in every column. It takes the first row that has one.
void check_dense(std::vector<Residues> matrix, const Modulus& modulus) {
  while (!matrix.empty()) {
    const auto found = std::ranges::find_if(matrix, [](const Residues& row) { return row.back() != 0; });
    need(found != matrix.end(), "the span's rows are not shown to be independent");
    const Residues pivot = std::move(*found);
    matrix.erase(found);
    const std::uint64_t inverse = matrix.empty() ? 0 : modulus.inverse(pivot.back());
    for (Residues& row : matrix) {
      const std::uint64_t factor = modulus.p - modulus.multiply(row.back(), inverse);
      row.pop_back();
      if (factor == modulus.p) continue;
      poll(2 * row.size());
      const Multiple multiple(factor, modulus.p);
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = multiple.times_plus(pivot[j], row[j]);
    }
  }
}

class SparseElimination {
 public:
  SparseElimination(std::vector<SparseResidues> matrix, const Modulus& modulus, std::uint64_t memory)
      : modulus_(modulus), memory_(memory), rows_(std::move(matrix)), holders_(rows_.size()), left_(rows_.size()) {
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      entries_ += rows_[i].size();
      for (const auto& [column, value] : rows_[i]) holders_[column].push_back(i);
    }
  }

  void check() {
    for (std::uint32_t column = 0; column < holders_.size(); ++column) {
      order_.emplace(holders_[column].size(), column);
    }
    while (left_ > 0 && 4 * entries_ < left_ * left_) eliminate(order_.begin()->second);
    check_dense(rest(), modulus_);
  }

 private:
  void eliminate(std::uint32_t column) {
    order_.erase(order_.begin());
    std::vector<std::uint32_t> holders = std::move(holders_[column]);
    need(!holders.empty(), "the span's rows are not shown to be independent");
    const std::uint32_t chosen =
        *std::ranges::min_element(holders, {}, [&](std::uint32_t i) { return rows_[i].size(); });
    const SparseResidues pivot = std::exchange(rows_[chosen], {});
    const auto in_column = [&](const SparseResidues& row) {
      return std::ranges::lower_bound(row, column, {}, [](const auto& entry) { return entry.first; })->second;
    };
    for (const auto& [other, value] : pivot) {
      if (other != column) drop(other, chosen);
    }
    entries_ -= pivot.size();
    --left_;
    const std::uint64_t inverse = modulus_.inverse(in_column(pivot));
    for (const std::uint32_t i : holders) {
      if (i == chosen) continue;
      const Multiple multiple(modulus_.p - modulus_.multiply(in_column(rows_[i]), inverse), modulus_.p);
      add(pivot, multiple, i, column);
    }
  }

  /// Adds a multiple of the pivot's row to row i. The entry of row i in `column` becomes 0.
  void add(const SparseResidues& pivot, const Multiple& multiple, std::uint32_t i, std::uint32_t column) {
    const SparseResidues& row = rows_[i];
    poll(20 * (row.size() + pivot.size()));
    sum_.clear();
    auto a = row.begin();
    for (const auto& [other, value] : pivot) {
      for (; a != row.end() && a->first < other; ++a) sum_.push_back(*a);
      const bool both = a != row.end() && a->first == other;
      const std::uint64_t sum = multiple.times_plus(value, both ? a->second : 0);
      if (both) ++a;
      if (other == column) continue;
      if (sum != 0) sum_.emplace_back(other, sum);
      if (sum != 0 && !both) put(other, i);
      if (sum == 0 && both) drop(other, i);
    }
    sum_.insert(sum_.end(), a, row.end());
    entries_ = entries_ - row.size() + sum_.size();
    rows_[i].assign(sum_.begin(), sum_.end());
  }

  void put(std::uint32_t column, std::uint32_t row) {
    order_.erase({holders_[column].size(), column});
    holders_[column].push_back(row);
    order_.emplace(holders_[column].size(), column);
  }
  void drop(std::uint32_t column, std::uint32_t row) {
    std::vector<std::uint32_t>& holders = holders_[column];
    poll(holders.size());
    order_.erase({holders.size(), column});
    std::swap(*std::ranges::find(holders, row), holders.back());
    holders.pop_back();
    order_.emplace(holders.size(), column);
  }

  /// The part that isn't eliminated yet.
  std::vector<Residues> rest() {
    const std::uint64_t bytes = sizeof(std::uint64_t) * left_ * left_;
    if (memory_ != 0 && bytes > memory_) {
      throw options_error(
          {"memory"},
          fmt::format("the proof's span takes {} of memory to check, which {{}} doesn't allow", size_words(bytes)));
    }
    std::vector<std::uint32_t> place(holders_.size());
    std::uint32_t columns = 0;
    for (const auto& [count, column] : order_) place[column] = columns++;
    std::vector<Residues> matrix;
    matrix.reserve(left_);
    for (SparseResidues& row : rows_) {
      if (row.empty()) continue;
      poll(100 + row.size() + left_);
      Residues& dense = matrix.emplace_back(left_);
      for (const auto& [column, value] : row) dense[place[column]] = value;
      SparseResidues().swap(row);
    }
    need(matrix.size() == left_, "the span's rows are not shown to be independent");
    return matrix;
  }

  const Modulus& modulus_;
  const std::uint64_t memory_;
  std::vector<SparseResidues> rows_;                       ///< those that were pivots are empty
  std::vector<std::vector<std::uint32_t>> holders_;        ///< of each column the rows that have it
  std::set<std::pair<std::size_t, std::uint32_t>> order_;  ///< the columns that are left, by their number of rows
  std::size_t left_, entries_ = 0;
  SparseResidues sum_;
};

}  // namespace

std::uint64_t Modulus::multiply(std::uint64_t a, std::uint64_t b) const {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
}

// Euclid's algorithm.
std::uint64_t Modulus::inverse(std::uint64_t a) const {
  std::int64_t s = 0;
  std::int64_t t = 1;
  std::uint64_t r = p;
  std::uint64_t q = a;
  while (q != 0) {
    const std::uint64_t quotient = r / q;
    std::tie(r, q) = std::pair(q, r % q);
    std::tie(s, t) = std::pair(t, s - static_cast<std::int64_t>(quotient) * t);
  }
  need(r == 1, "a pivot of the span proof has no inverse modulo its prime");
  return s < 0 ? static_cast<std::uint64_t>(s + static_cast<std::int64_t>(p)) : static_cast<std::uint64_t>(s);
}

std::uint64_t Modulus::residue(const Rational& a) const {
  return multiply(modulo(numerator(a), p), inverse(modulo(denominator(a), p)));
}

// Miller's test with the first twelve primes, which decides below 2⁶⁴.
bool Modulus::is_prime() const {
  if (p < 2) return false;
  const int twos = std::countr_zero(p - 1);
  const auto passes = [&](std::uint64_t base) {
    std::uint64_t power = 1;
    for (std::uint64_t e = (p - 1) >> twos; e != 0; e >>= 1, base = multiply(base, base)) {
      if ((e & 1) != 0) power = multiply(power, base);
    }
    bool passed = power == 1;
    for (int k = 0; k < twos && !passed; ++k, power = multiply(power, power)) passed = power == p - 1;
    return passed;
  };
  constexpr std::array<std::uint64_t, 12> kBases = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  return std::ranges::all_of(kBases, [&](std::uint64_t base) { return p == base || (p % base != 0 && passes(base)); });
}

void check_regular(std::vector<SparseResidues> matrix, const Modulus& modulus, std::uint64_t memory) {
  if (modulus.is_prime()) return SparseElimination(std::move(matrix), modulus, memory).check();
  need(matrix.size() <= kMostWithoutPrime, "the span's prime is no prime, and its rows are too many to do without");
  std::vector<Residues> dense;
  for (const SparseResidues& row : matrix) {
    Residues& wide = dense.emplace_back(matrix.size());
    for (const auto& [column, value] : row) wide[column] = value;
  }
  check_dense(std::move(dense), modulus);
}

}  // namespace linsep
