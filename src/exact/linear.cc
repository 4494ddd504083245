#include "exact/linear.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <algorithm>
#include <numeric>

namespace linsep {
namespace {

// FLINT's matrices with their life tied to a scope.
class FlintMatrix {
 public:
  FlintMatrix(std::size_t rows, std::size_t columns) {
    fmpz_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  FlintMatrix(const FlintMatrix&) = delete;
  FlintMatrix& operator=(const FlintMatrix&) = delete;
  ~FlintMatrix() { fmpz_mat_clear(matrix_); }
  fmpz_mat_struct* get() { return matrix_; }
  void set(std::size_t i, std::size_t j, const Integer& value) {
    fmpz_set_mpz(fmpz_mat_entry(matrix_, i, j), value.get_mpz_t());
  }
  Integer value(std::size_t i, std::size_t j) {
    Integer result;
    fmpz_get_mpz(result.get_mpz_t(), fmpz_mat_entry(matrix_, i, j));
    return result;
  }

 private:
  fmpz_mat_t matrix_;
};

// X with A·X = B, columns of B at once; nothing when A is singular.
std::optional<std::vector<std::vector<Rational>>> solve_columns(const IntegerMatrix& a, const IntegerMatrix& b) {
  FlintMatrix left(a.rows, a.columns);
  FlintMatrix right(b.rows, b.columns);
  FlintMatrix result(a.columns, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) left.set(i, j, a.at(i, j));
    for (std::size_t j = 0; j < b.columns; ++j) right.set(i, j, b.at(i, j));
  }
  fmpz_t denominator;
  fmpz_init(denominator);
  std::optional<std::vector<std::vector<Rational>>> found;
  if (fmpz_mat_solve_dixon_den(result.get(), denominator, left.get(), right.get()) != 0) {
    Integer scale;
    fmpz_get_mpz(scale.get_mpz_t(), denominator);
    found.emplace(b.columns, std::vector<Rational>(a.columns));
    for (std::size_t j = 0; j < b.columns; ++j) {
      for (std::size_t i = 0; i < a.columns; ++i) (*found)[j][i] = ratio(result.value(i, j), scale);
    }
  }
  fmpz_clear(denominator);
  return found;
}

// The first rows that are independent modulo p, and the columns of their pivots.
RankProfile row_profile(const IntegerMatrix& a, std::uint64_t p) {
  // Pivots of the reduced echelon form of the transpose are the first independent rows.
  nmod_mat_t transposed;
  nmod_mat_init(transposed, static_cast<slong>(a.columns), static_cast<slong>(a.rows), p);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) nmod_mat_entry(transposed, j, i) = modulo(a.at(i, j), p);
  }
  const auto rank = static_cast<std::size_t>(nmod_mat_rref(transposed));
  RankProfile profile;
  std::size_t column = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    while (nmod_mat_entry(transposed, k, column) == 0) ++column;
    profile.rows.push_back(column);
  }
  nmod_mat_clear(transposed);
  return profile;
}

IntegerMatrix transpose(const IntegerMatrix& a) {
  IntegerMatrix t(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) t.at(j, i) = a.at(i, j);
  }
  return t;
}

IntegerMatrix pick(const IntegerMatrix& a, std::span<const std::size_t> rows, std::span<const std::size_t> columns) {
  IntegerMatrix picked(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) picked.at(i, j) = a.at(rows[i], columns[j]);
  }
  return picked;
}

std::vector<std::size_t> others(std::size_t count, std::span<const std::size_t> ascending) {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::ranges::binary_search(ascending, i)) rest.push_back(i);
  }
  return rest;
}

}  // namespace

Rational dot(std::span<const Rational> a, std::span<const Rational> b) {
  Rational sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

std::vector<Integer> integer_row(std::span<const Rational> row, Integer* scale) {
  Integer multiple = 1;
  for (const Rational& value : row) multiple = least_common_multiple(multiple, denominator(value));
  std::vector<Integer> result;
  result.reserve(row.size());
  for (const Rational& value : row) result.push_back(numerator(value) * (multiple / denominator(value)));
  if (scale != nullptr) *scale = multiple;
  return result;
}

std::vector<Integer> primitive(std::span<const Rational> vector) {
  std::vector<Integer> result = integer_row(vector);
  Integer divisor = 0;
  for (const Integer& value : result) divisor = gcd(divisor, value);
  if (sign_of(divisor) != 0) {
    for (Integer& value : result) value /= divisor;
  }
  return result;
}

RankProfile rank_profile(const IntegerMatrix& a, std::uint64_t prime) {
  RankProfile profile = row_profile(a, prime);
  std::vector<std::size_t> all(a.columns);
  std::iota(all.begin(), all.end(), std::size_t{0});
  profile.columns = row_profile(transpose(pick(a, profile.rows, all)), prime).rows;
  return profile;
}

std::optional<std::vector<Rational>> solve(const IntegerMatrix& a, std::span<const Integer> b) {
  IntegerMatrix right(b.size(), 1);
  std::ranges::copy(b, right.entry.begin());
  auto columns = solve_columns(a, right);
  if (!columns) return std::nullopt;
  return std::move(columns->front());
}

std::optional<std::vector<Rational>> row_dependency(const IntegerMatrix& a) {
  const RankProfile profile = rank_profile(a);
  if (profile.rows.size() + 1 != a.rows) return std::nullopt;
  const std::size_t last = others(a.rows, profile.rows).front();
  // Σ λ_i·row_i = −row_last in the profile's columns; then in all of them, or the rank modulo p was too small.
  const IntegerMatrix square = transpose(pick(a, profile.rows, profile.columns));
  std::vector<Integer> right;
  for (const std::size_t j : profile.columns) right.push_back(-a.at(last, j));
  const auto solution = solve(square, right);
  if (!solution) return std::nullopt;
  std::vector<Rational> lambda(a.rows);
  lambda[last] = 1;
  for (std::size_t k = 0; k < profile.rows.size(); ++k) lambda[profile.rows[k]] = (*solution)[k];
  const std::vector<Integer> scaled = integer_row(lambda);
  for (std::size_t j = 0; j < a.columns; ++j) {
    Integer sum;
    for (std::size_t i = 0; i < a.rows; ++i) sum += scaled[i] * a.at(i, j);
    if (sign_of(sum) != 0) return std::nullopt;
  }
  return lambda;
}

std::optional<std::vector<std::vector<Rational>>> dependent_columns(const IntegerMatrix& a,
                                                                    const RankProfile& profile) {
  const std::vector<std::size_t> rest = others(a.columns, profile.columns);
  if (rest.empty()) return std::vector<std::vector<Rational>>();
  if (profile.rows.empty()) {
    const bool zero = std::ranges::all_of(a.entry, [](const Integer& value) { return sign_of(value) == 0; });
    if (!zero) return std::nullopt;
    return std::vector<std::vector<Rational>>(rest.size());
  }
  auto sums = solve_columns(pick(a, profile.rows, profile.columns), pick(a, profile.rows, rest));
  if (!sums) return std::nullopt;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    Integer scale;
    const std::vector<Integer> c = integer_row((*sums)[k], &scale);
    for (std::size_t i = 0; i < a.rows; ++i) {
      Integer sum;
      for (std::size_t j = 0; j < c.size(); ++j) sum += c[j] * a.at(i, profile.columns[j]);
      if (sum != scale * a.at(i, rest[k])) return std::nullopt;
    }
  }
  return sums;
}

}  // namespace linsep
