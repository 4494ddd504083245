#include "numeric/hessian_sums.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "core/random.h"

namespace linsep {
namespace {

constexpr std::size_t kColumns = 9;
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct WeightedRows {
  std::vector<std::vector<double>> x;
  std::vector<double> weight;
  std::vector<double> greatest = std::vector<double>(kColumns);
  double heaviest = 0;
};

/// Columns of sizes from 1e-6 to 1e6 around 2, the last all 0; some weights are 0.
WeightedRows draw(std::size_t rows) {
  Random random(11);
  WeightedRows all;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(kColumns);
    for (std::size_t j = 0; j + 1 < kColumns; ++j) {
      x[j] = (2 + random.normal()) * std::pow(10.0, static_cast<double>(j) * 1.5 - 6);
      all.greatest[j] = std::max(all.greatest[j], std::abs(x[j]));
    }
    all.x.push_back(x);
    all.weight.push_back(random.below(5) == 0 ? 0 : std::abs(random.normal()));
    all.heaviest = std::max(all.heaviest, all.weight.back());
  }
  return all;
}

std::vector<double> right_side() {
  std::vector<double> r(kColumns);
  std::iota(r.begin(), r.end(), -3.0);
  return r;
}

/// Rows in the order given, in turns to every slot, stored densely or sparsely.
std::vector<double> solved(const WeightedRows& rows, std::span<const std::size_t> order, bool offset, std::size_t slots,
                           bool dense, Comm& comm) {
  HessianSums sums;
  sums.begin(rows.greatest, rows.heaviest, static_cast<std::int64_t>(rows.x.size()), offset, slots);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::vector<double>& x = rows.x[order[k]];
    if (dense) {
      sums.add(DenseRow<double>{x.data(), x.size()}, rows.weight[order[k]], k % slots);
    } else {  // without the column of zeros
      std::vector<std::uint32_t> column(kColumns - 1);
      std::iota(column.begin(), column.end(), 0U);
      sums.add(SparseRow<double>{column.data(), x.data(), column.size()}, rows.weight[order[k]], k % slots);
    }
  }
  sums.finish(comm);
  sums.factor();
  std::vector<double> r = right_side();
  sums.solve(r);
  return r;
}

std::vector<std::size_t> in_order(std::size_t rows) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(HessianSums, DontDependOnOrderThreadsLayoutOrWorkers) {
  const WeightedRows rows = draw(3000);
  const std::vector<std::size_t> order = in_order(3000);
  std::vector<std::size_t> reversed(order.rbegin(), order.rend());
  for (const bool offset : {false, true}) {
    const std::vector<double> one = solved(rows, order, offset, 1, true, *solo());
    EXPECT_EQ(solved(rows, reversed, offset, 1, true, *solo()), one);
    EXPECT_EQ(solved(rows, order, offset, 3, true, *solo()), one);
    EXPECT_EQ(solved(rows, order, offset, 2, false, *solo()), one);
    run_threads(3, [&](Comm& comm) {
      const auto begin = static_cast<std::size_t>(comm.rank() * comm.rank()) * 3000 / 9;
      const auto end = static_cast<std::size_t>((comm.rank() + 1) * (comm.rank() + 1)) * 3000 / 9;
      EXPECT_EQ(solved(rows, std::span(order).subspan(begin, end - begin), offset, 2, true, comm), one);
    });
  }
}

TEST(HessianSums, SolveWithTheHessianWithoutTheOffset) {
  const WeightedRows rows = draw(1500);
  for (const bool offset : {false, true}) {
    Matrix hessian = Matrix::Identity(kColumns, kColumns);
    Vector curved = Vector::Zero(kColumns);
    long double total = 0;
    for (std::size_t i = 0; i < rows.x.size(); ++i) {
      const Vector x = Eigen::Map<const Eigen::VectorXd>(rows.x[i].data(), kColumns).cast<long double>();
      hessian += rows.weight[i] * x * x.transpose();
      curved += rows.weight[i] * x;
      total += rows.weight[i];
    }
    if (offset) hessian -= curved * curved.transpose() / total;
    const std::vector<double> r = right_side();
    const Vector expected =
        hessian.ldlt().solve(Eigen::Map<const Eigen::VectorXd>(r.data(), kColumns).cast<long double>());
    const std::vector<double> found = solved(rows, in_order(rows.x.size()), offset, 2, true, *solo());
    for (std::size_t j = 0; j < kColumns; ++j) {
      const auto at = static_cast<double>(expected[static_cast<Eigen::Index>(j)]);
      EXPECT_NEAR(found[j], at, 1e-4 * std::abs(at)) << j;
    }
  }
}

TEST(HessianSums, OfSomeColumnsAreThoseOfAllColumns) {
  constexpr std::size_t kWide = 300, kRows = 1300;
  Random random(12);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t j = 1; j < kWide; j += 2) chosen.push_back(j);
  for (const std::size_t values : {std::size_t{5}, kWide}) {  // pairs one by one, and by panels
    HessianSums all, some, some_dense;
    some.choose(chosen, kWide);
    some_dense.choose(chosen, kWide);
    const std::vector<double> greatest(kWide, 4.0);
    for (HessianSums* sums : {&all, &some, &some_dense}) sums->begin(greatest, 1, kRows, true, 2);
    for (std::size_t i = 0; i < kRows; ++i) {
      std::vector<double> x(kWide), value;
      std::vector<std::uint32_t> column;
      const std::size_t first = random.below(kWide - values + 1);
      for (std::size_t j = first; j < first + values; ++j) {
        x[j] = std::min(4.0, random.normal());
        column.push_back(static_cast<std::uint32_t>(j));
        value.push_back(x[j]);
      }
      const double weight = random.uniform();
      all.add(DenseRow<double>{x.data(), x.size()}, weight, i % 2);
      some.add(SparseRow<double>{column.data(), value.data(), column.size()}, weight, i % 2);
      some_dense.add(DenseRow<double>{x.data(), x.size()}, weight, 0);
    }
    for (HessianSums* sums : {&all, &some, &some_dense}) sums->finish(*solo());
    const std::size_t size = chosen.size();
    for (std::size_t k = 0; k <= size; ++k) {
      for (std::size_t l = k; l <= size; ++l) {
        const double expected = all.at(k < size ? chosen[k] : kWide, l < size ? chosen[l] : kWide);
        ASSERT_EQ(some.at(k, l), expected) << k << ' ' << l;
        ASSERT_EQ(some_dense.at(k, l), expected) << k << ' ' << l;
      }
    }
    EXPECT_GT(all.at(1, 1), 0);
  }
}

TEST(HessianSums, ExtremeValuesAndNoRowsAtAllLeaveFiniteSolutions) {
  for (const double size : {1e-300, 1e150, 1e300}) {
    WeightedRows rows = draw(20);
    for (std::vector<double>& x : rows.x) x[2] = size;
    rows.greatest[2] = size;
    for (const double x : solved(rows, in_order(20), true, 1, true, *solo())) EXPECT_TRUE(std::isfinite(x)) << size;
  }
  const WeightedRows none = draw(0);
  for (const bool offset : {false, true}) EXPECT_EQ(solved(none, {}, offset, 1, true, *solo()), right_side());
}

}  // namespace
}  // namespace linsep
