#include "numeric/gram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace linsep {
namespace {

constexpr std::size_t kRows = 900, kColumns = 70;

std::vector<double> drawn_rows() {
  Random random(5);
  std::vector<double> x(kRows * kColumns);
  for (double& value : x) value = 1 + random.normal();
  return x;
}

Batch rows_of(const std::vector<double>& x, std::int64_t begin, std::int64_t end) {
  Batch batch;
  batch.first_row = begin;
  batch.rows = end - begin;
  batch.features = kColumns;
  batch.dense = true;
  batch.is_float = false;
  batch.stride = kColumns;
  batch.value64 = std::span(x).subspan(static_cast<std::size_t>(begin) * kColumns,
                                       static_cast<std::size_t>(end - begin) * kColumns);
  return batch;
}

std::vector<double> right_sides(std::size_t outputs) {
  Random random(6);
  std::vector<double> all(kColumns * outputs);
  for (double& x : all) x = random.normal();
  return all;
}

const std::vector<int> kLevels = {3, 5, 3, 3};

std::vector<double> solved(const std::vector<double>& x, int workers, std::size_t slots, std::int64_t cut) {
  std::vector<std::vector<double>> each(static_cast<std::size_t>(workers));
  run_threads(workers, [&](Comm& comm) {
    GramPreconditioner gram;
    gram.begin_sample(kColumns, kRows, slots);
    const std::int64_t begin = kRows * comm.rank() / comm.size(), end = kRows * (comm.rank() + 1) / comm.size();
    std::size_t slot = 0;
    for (std::int64_t first = begin; first < end; first += cut) {
      gram.sample(rows_of(x, first, std::min(end, first + cut)), slot++ % slots);
    }
    gram.end_sample(comm, true, 2);
    std::vector<double> r = right_sides(kLevels.size());
    gram.solve(kLevels, r.data(), kLevels.size(), static_cast<int>(slots));
    each[static_cast<std::size_t>(comm.rank())] = r;
  });
  for (const auto& one : each) EXPECT_EQ(one, each[0]);
  return each[0];
}

TEST(GramPreconditioner, DoesntDependOnThreadsBatchesOrWorkers) {
  const std::vector<double> x = drawn_rows();
  const std::vector<double> whole = solved(x, 1, 1, kRows);
  EXPECT_EQ(solved(x, 1, 2, 77), whole);
  EXPECT_EQ(solved(x, 3, 2, 50), whole);
  EXPECT_EQ(solved(x, 4, 1, 1000), whole);
}

// With fewer than 4d rows the sample is all of them: (I + S·G)·solution gives the right side back.
TEST(GramPreconditioner, SolvesWithTheMeanOfSquaredRows) {
  const std::vector<double> x = drawn_rows();
  constexpr std::size_t kFew = 4 * kColumns;
  GramPreconditioner gram;
  gram.begin_sample(kColumns, kFew, 1);
  gram.sample(rows_of(x, 0, kFew), 0);
  gram.end_sample(*solo(), true, 1);
  std::vector<double> mean(kColumns);
  for (std::size_t i = 0; i < kFew; ++i) {
    for (std::size_t j = 0; j < kColumns; ++j) mean[j] += x[i * kColumns + j] / kFew;
  }
  const std::size_t k = kLevels.size();
  const std::vector<double> right = right_sides(k);
  std::vector<double> solution = right;
  gram.solve(kLevels, solution.data(), k, 1);
  for (std::size_t c = 0; c < k; ++c) {
    std::vector<double> back(kColumns);
    for (std::size_t j = 0; j < kColumns; ++j) back[j] = solution[j * k + c];
    for (std::size_t i = 0; i < kFew; ++i) {
      double z = 0;
      for (std::size_t j = 0; j < kColumns; ++j) z += (x[i * kColumns + j] - mean[j]) * solution[j * k + c];
      for (std::size_t j = 0; j < kColumns; ++j) {
        back[j] += std::ldexp(z, kLevels[c]) / kFew * (x[i * kColumns + j] - mean[j]);
      }
    }
    for (std::size_t j = 0; j < kColumns; ++j) EXPECT_NEAR(back[j], right[j * k + c], 1e-5);  // of floats
  }
}

TEST(GramPreconditioner, LevelsAreLogarithmsRounded) {
  EXPECT_EQ(GramPreconditioner::level_of(1), 0);
  EXPECT_EQ(GramPreconditioner::level_of(1.4), 0);
  EXPECT_EQ(GramPreconditioner::level_of(1.5), 1);
  EXPECT_EQ(GramPreconditioner::level_of(0.3), -2);
}

}  // namespace
}  // namespace linsep
