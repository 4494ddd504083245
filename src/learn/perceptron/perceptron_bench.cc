// A perceptron pass compared with a bare pass that gathers the same weights and sums, over the same rows in memory.
#include <benchmark/benchmark.h>

#include <cmath>

#include "core/random.h"
#include "kernel/kernel.h"
#include "learn/learners.h"

namespace linsep {
namespace {

constexpr std::uint32_t kFeatures = 47236;
constexpr std::int64_t kRows = 100000;

/// Sparse rows of about 80 nonzeros with frequent low columns. Labels follow a rule with 15 % flipped.
struct Rows {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<float> value;
  std::vector<double> label;
  Batch batch;

  Rows() {
    for (std::int64_t i = 0; i < kRows; ++i) {
      Random random(1, static_cast<std::uint64_t>(i));
      double z = 0;
      double at = 0;
      // Gaps grow with the column, as they do under Zipf's law.
      while (true) {
        at += 1 + random.uniform() * (0.1 * at + 4);
        if (at >= kFeatures) break;
        const auto c = static_cast<std::uint32_t>(at);
        const double v = random.uniform();
        column.push_back(c);
        value.push_back(static_cast<float>(v));
        z += v * (Random(2, c).uniform() - 0.5);
      }
      start.push_back(column.size());
      label.push_back((z > 0) == (random.uniform() < 0.85) ? 1 : -1);
    }
    batch.rows = kRows;
    batch.features = kFeatures;
    batch.start = start;
    batch.column = column;
    batch.value32 = value;
    batch.label = label;
  }
};

const Rows& rows() {
  static const Rows made;
  return made;
}

void count(benchmark::State& state) {
  state.counters["nonzeros"] = benchmark::Counter(
      static_cast<double>(rows().column.size()) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// The whole batch as one long row, with no rows, no labels and no decisions.
void BM_BareGatherAndSum(benchmark::State& state) {
  const std::vector<double> theta(kFeatures, 0.5);
  const SparseRow<float> all{rows().column.data(), rows().value.data(), rows().column.size()};
  for (auto _ : state) benchmark::DoNotOptimize(dot(all, theta.data()));
  count(state);
}
BENCHMARK(BM_BareGatherAndSum)->Unit(benchmark::kMillisecond);

void BM_GatherAndSumByRow(benchmark::State& state) {
  const std::vector<double> theta(kFeatures, 0.5);
  for (auto _ : state) {
    double sum = 0;
    for_each_row(rows().batch, [&](const auto& x, std::int64_t) { sum += dot(x, theta.data()); });
    benchmark::DoNotOptimize(sum);
  }
  count(state);
}
BENCHMARK(BM_GatherAndSumByRow)->Unit(benchmark::kMillisecond);

void BM_PerceptronPass(benchmark::State& state) {
  const char* variants[] = {"last", "averaged"};
  Options given;
  given["variant"] = std::string(variants[state.range(0)]);
  const auto learner = perceptron_entry().make(complete_options(perceptron_entry().info.table, given), nullptr, {});
  learner->begin({kRows, kFeatures, -1});
  Progress progress;
  for (int pass = 0; pass < 3; ++pass) {
    learner->visit(rows().batch);
    learner->end_pass(progress);
  }
  for (auto _ : state) {
    learner->visit(rows().batch);
    learner->end_pass(progress);
  }
  state.counters["mistaken"] = static_cast<double>(*progress.mistakes) / static_cast<double>(kRows);
  count(state);
}
BENCHMARK(BM_PerceptronPass)->ArgName("averaged")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace linsep
