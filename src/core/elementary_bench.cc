// The elementary functions compared with the C library's, on arguments as the solvers have them.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "core/elementary.h"
#include "core/random.h"

namespace linsep {
namespace {

template <typename Function>
void run(benchmark::State& state, double low, double high, Function function) {
  std::vector<double> arguments(4096);
  Random random(1);
  for (double& x : arguments) x = low + (high - low) * random.uniform();
  for (auto _ : state) {
    double sum = 0;
    for (const double x : arguments) sum += function(x);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(arguments.size()));
}

#define LINSEP_BOTH(name, low, high)                                                           \
  BENCHMARK_CAPTURE(run, name##_own, low, high, [](double x) { return elementary::name(x); }); \
  BENCHMARK_CAPTURE(run, name##_of_the_c_library, low, high, [](double x) { return std::name(x); })

LINSEP_BOTH(exp, -20, 0);
LINSEP_BOTH(expm1, -2, 2);
LINSEP_BOTH(log, 0, 1);
LINSEP_BOTH(log1p, 0, 1);
LINSEP_BOTH(log2, 0, 1);
LINSEP_BOTH(log10, 0, 1);
BENCHMARK_CAPTURE(run, pow_own, 0, 1, [](double x) { return elementary::pow(x, 7.3); });
BENCHMARK_CAPTURE(run, pow_of_the_c_library, 0, 1, [](double x) { return std::pow(x, 7.3); });
BENCHMARK_CAPTURE(run, logistic_loss_own, -20, 0, [](double x) { return elementary::log1p(elementary::exp(x)); });
BENCHMARK_CAPTURE(run, logistic_loss_of_the_c_library, -20, 0, [](double x) { return std::log1p(std::exp(x)); });

}  // namespace
}  // namespace linsep
