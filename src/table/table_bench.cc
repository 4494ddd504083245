// Measures fitting and encoding of drawn tables, in nanoseconds per field, and per token of a text.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>

#include "linsep/comm.h"
#include "table/rows_testing.h"

namespace linsep {
namespace {

constexpr std::size_t kRows = 20000;

/// Appends a term. Number r has a probability near 1/r, like words.
void draw_word(Random& random, double terms, std::string& to) {
  to.push_back('w');
  to.append(std::to_string(static_cast<std::int64_t>(std::exp(random.uniform() * std::log(terms)))));
}

TestTable numbers() {
  Random random(1);
  std::vector<double> x(kRows);
  for (double& value : x) value = 100 * random.normal();
  return table_of({number_column("x", x)}, kRows);
}

TestTable categories(double values) {
  Random random(2);
  std::vector<std::string> c(kRows);
  for (std::string& value : c) draw_word(random, values, value);
  return table_of({text_column("c", ColumnKind::kCategory, c)}, kRows);
}

constexpr std::int64_t kWords = 20;

TestTable texts(double terms) {
  Random random(3);
  std::vector<std::string> t(kRows);
  for (std::string& text : t) {
    for (std::int64_t i = 0; i < kWords; ++i) {
      if (i > 0) text.push_back(' ');
      draw_word(random, terms, text);
    }
  }
  return table_of({text_column("t", ColumnKind::kText, t)}, kRows);
}

TableSpec spec_of(int bits) {
  TableSpec spec;
  spec.scale = Scale::kDeviation;
  spec.words = {1, 1};
  spec.bits = bits;
  return spec;
}

void fit_rows(benchmark::State& state, const TestTable& table, int bits, std::int64_t fields) {
  const TestBatch batch(table, plan_names(table), 0, table.rows);
  for (auto _ : state) {
    TableFitter fitter(spec_of(bits), table.plans());
    fitter.take(batch.batch, 0);
    benchmark::DoNotOptimize(fitter.bytes());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows) * fields);
}

void encode_rows(benchmark::State& state, const TestTable& table, int bits, std::int64_t fields) {
  const TestBatch batch(table, plan_names(table), 0, table.rows);
  TableFitter fitter(spec_of(bits), table.plans());
  fitter.take(batch.batch, 0);
  auto map = std::make_shared<TableMap>();
  std::vector<FittedColumn> fitted;
  fitter.finish(*solo(), *map, fitted);
  TableEncoder encoder(std::make_shared<const PreparedTable>(map));
  EncodedRows rows;
  for (auto _ : state) {
    rows.clear();
    encoder.encode(batch.batch, rows, nullptr);
    benchmark::DoNotOptimize(rows.value.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows) * fields);
}

void BM_FitNumbers(benchmark::State& state) { fit_rows(state, numbers(), 0, 1); }
void BM_FitCategories(benchmark::State& state) {
  fit_rows(state, categories(static_cast<double>(state.range(0))), static_cast<int>(state.range(1)), 1);
}
void BM_FitTexts(benchmark::State& state) {
  fit_rows(state, texts(static_cast<double>(state.range(0))), static_cast<int>(state.range(1)), kWords);
}
void BM_EncodeNumbers(benchmark::State& state) { encode_rows(state, numbers(), 0, 1); }
void BM_EncodeCategories(benchmark::State& state) {
  encode_rows(state, categories(static_cast<double>(state.range(0))), static_cast<int>(state.range(1)), 1);
}
void BM_EncodeTexts(benchmark::State& state) {
  encode_rows(state, texts(static_cast<double>(state.range(0))), static_cast<int>(state.range(1)), kWords);
}

BENCHMARK(BM_FitNumbers);
BENCHMARK(BM_FitCategories)->Args({100, 0})->Args({1000000, 0})->Args({1000000, 20});
BENCHMARK(BM_FitTexts)->Args({10000, 0})->Args({1000000, 0})->Args({1000000, 20});
BENCHMARK(BM_EncodeNumbers);
BENCHMARK(BM_EncodeCategories)->Args({100, 0})->Args({1000000, 0})->Args({1000000, 20});
BENCHMARK(BM_EncodeTexts)->Args({10000, 0})->Args({1000000, 0})->Args({1000000, 20});

}  // namespace
}  // namespace linsep
