#include "numeric/share_hessian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "core/slice.h"
#include "numeric/row_query.h"

namespace linsep {
namespace {

constexpr std::size_t kColumns = 7, kOutputs = 3, kFactors = kOutputs + 1;

/// Rows whose columns have sizes from 1e-6 to 1e3, many values 0, with shares, some of them 0, and weights likewise.
struct SharedRows {
  std::vector<std::vector<double>> x, factor;
  std::vector<double> greatest = std::vector<double>(kColumns);
  double curvature = 0;
};

SharedRows draw(std::size_t rows) {
  Random random(21);
  SharedRows all;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(kColumns), factor(kFactors);
    for (std::size_t j = 0; j < kColumns; ++j) {
      x[j] = random.below(3) == 0 ? 0 : random.normal() * std::pow(10.0, 1.5 * static_cast<double>(j) - 6);
      all.greatest[j] = std::max(all.greatest[j], std::abs(x[j]));
    }
    for (std::size_t c = 0; c < kOutputs; ++c) factor[c] = random.below(4) == 0 ? 0 : random.uniform();
    factor[0] += 1e-3;
    const double sum = std::accumulate(factor.begin(), factor.end(), 0.0);
    double most = 0;
    for (double& p : factor) {
      p /= sum;
      most = std::max(most, p * (1 - p));
    }
    factor[kOutputs] = random.below(5) == 0 ? 0 : random.uniform();
    all.curvature += 1.001 * factor[kOutputs] * most;
    all.x.push_back(x);
    all.factor.push_back(factor);
  }
  return all;
}

const std::vector<std::uint64_t> kPairs = {1, 2, 9, 10, 11, 13, 20};

/// All that is summed: the upper triangle, row after row.
std::vector<double> triangle(const ShareHessian& sums, bool offset) {
  const std::size_t size = kPairs.size() + (offset ? kOutputs : 0);
  std::vector<double> all;
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t l = k; l < size; ++l) all.push_back(sums.at(k, l));
  }
  return all;
}

TEST(ShareHessian, IsThatOfPlainLoops) {
  const SharedRows rows = draw(600);
  for (const bool offset : {false, true}) {
    ShareHessian sums;
    sums.choose(kPairs, kOutputs, kColumns);
    sums.begin(rows.greatest, rows.curvature, offset, 1);
    for (std::size_t i = 0; i < rows.x.size(); ++i) {
      sums.add(DenseRow<double>{rows.x[i].data(), kColumns}, rows.factor[i].data(), 0);
    }
    sums.finish(*solo());
    const std::size_t size = kPairs.size() + (offset ? kOutputs : 0);
    const auto output = [&](std::size_t k) { return k < kPairs.size() ? kPairs[k] % kOutputs : k - kPairs.size(); };
    const auto value = [&](const std::vector<double>& x, std::size_t k) {
      return k < kPairs.size() ? x[kPairs[k] / kOutputs] : 1;
    };
    const auto most = [&](std::size_t k) { return k < kPairs.size() ? rows.greatest[kPairs[k] / kOutputs] : 1; };
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t l = k; l < size; ++l) {
        long double expected = 0;
        for (std::size_t i = 0; i < rows.x.size(); ++i) {
          const long double p = rows.factor[i][output(k)], q = rows.factor[i][output(l)];
          const long double shares = output(k) == output(l) ? p * (1 - p) : -p * q;
          expected += rows.factor[i][kOutputs] * shares * value(rows.x[i], k) * value(rows.x[i], l);
        }
        // Half a unit for each row, and the rounding of its term.
        const double near = 600 * 0x1p-48 * rows.curvature * most(k) * most(l);
        EXPECT_NEAR(sums.at(k, l), static_cast<double>(expected), near) << k << ' ' << l;
      }
    }
  }
}

TEST(ShareHessian, IsTheSameForAnyPairsThatAreChosenBesidesAndBefore) {
  const SharedRows rows = draw(50);
  std::vector<std::uint64_t> all(kColumns * kOutputs);
  std::iota(all.begin(), all.end(), 0);
  ShareHessian some, every;
  every.choose(all, kOutputs, kColumns);
  some.choose(all, kOutputs, kColumns);
  some.choose(kPairs, kOutputs, kColumns);
  for (ShareHessian* sums : {&some, &every}) {
    sums->begin(rows.greatest, rows.curvature, true, 1);
    for (std::size_t i = 0; i < rows.x.size(); ++i) {
      sums->add(DenseRow<double>{rows.x[i].data(), kColumns}, rows.factor[i].data(), 0);
    }
    sums->finish(*solo());
  }
  const auto place = [&](std::size_t k) { return k < kPairs.size() ? kPairs[k] : all.size() + k - kPairs.size(); };
  for (std::size_t k = 0; k < kPairs.size() + kOutputs; ++k) {
    for (std::size_t l = k; l < kPairs.size() + kOutputs; ++l) EXPECT_EQ(some.at(k, l), every.at(place(k), place(l)));
  }
}

// Through the engine, which knows threads and workers.
TEST(ShareHessian, DoesntDependOnBatchesThreadsLayoutOrWorkers) {
  constexpr std::size_t kRows = 3000;
  const SharedRows rows = draw(kRows);
  std::vector<double> value, sparse_value, labels(kRows);
  std::vector<std::uint64_t> start = {0};
  std::vector<std::uint32_t> column;
  for (const std::vector<double>& x : rows.x) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      value.push_back(x[j]);
      if (x[j] == 0) continue;
      sparse_value.push_back(x[j]);
      column.push_back(static_cast<std::uint32_t>(j));
    }
    start.push_back(column.size());
  }
  ColumnSurvey survey;
  survey.greatest = rows.greatest;
  const auto asked = [&](bool dense, std::int64_t together, int threads, std::size_t begin, std::size_t end,
                         Comm& comm) {
    Batch all;
    all.rows = kRows;
    all.features = kColumns;
    all.dense = dense;
    all.is_float = false;
    all.label = labels;
    if (dense) {
      all.stride = kColumns;
      all.value64 = value;
    } else {
      all.start = start;
      all.column = column;
      all.value64 = sparse_value;
    }
    RowEngine engine;
    engine.set({end - begin, static_cast<std::int64_t>(begin), threads, kRows, &survey});
    ShareHessian sums;
    sums.choose(kPairs, kOutputs, kColumns);
    RowQuery query;
    query.function = [&](const ScoredRows& some) {
      for (std::size_t r = 0; r < some.rows; ++r) {
        std::ranges::copy(rows.factor[begin + some.first + r], some.factor + r * some.stride);
      }
    };
    query.shares = &sums;
    query.hessian_bound = rows.curvature;
    query.offset = true;
    engine.begin(query);
    for (std::size_t at = begin; at < end; at += static_cast<std::size_t>(together)) {
      const auto first = static_cast<std::int64_t>(at), rest = static_cast<std::int64_t>(end - at);
      engine.add(slice(all, first, std::min(together, rest)));
    }
    engine.end(comm);
    return triangle(sums, true);
  };
  const std::vector<double> one = asked(true, kRows, 1, 0, kRows, *solo());
  EXPECT_EQ(asked(true, 7, 1, 0, kRows, *solo()), one);
  EXPECT_EQ(asked(true, kRows, 3, 0, kRows, *solo()), one);
  EXPECT_EQ(asked(false, kRows, 2, 0, kRows, *solo()), one);
  run_threads(3, [&](Comm& comm) {
    const auto edge = [](int rank) { return static_cast<std::size_t>(rank * rank) * kRows / 9; };
    EXPECT_EQ(asked(false, 500, 2, edge(comm.rank()), edge(comm.rank() + 1), comm), one);
  });
}

TEST(ShareHessian, OfNoRowsAndOfRowsWithoutWeightIs0) {
  SharedRows rows = draw(3);
  for (std::vector<double>& factor : rows.factor) factor[kOutputs] = 0;
  for (const std::size_t count : {0, 3}) {
    ShareHessian sums;
    sums.choose(kPairs, kOutputs, kColumns);
    sums.begin(rows.greatest, 0, true, 1);
    for (std::size_t i = 0; i < count; ++i) {
      sums.add(DenseRow<double>{rows.x[i].data(), kColumns}, rows.factor[i].data(), 0);
    }
    sums.finish(*solo());
    for (const double x : triangle(sums, true)) EXPECT_EQ(x, 0);
  }
}

}  // namespace
}  // namespace linsep
