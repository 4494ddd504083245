// Measures how fast CSV becomes pages on one core. Bytes per second are bytes of text.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <string>

#include "core/random.h"
#include "format/csv/csv.h"

namespace linsep {
namespace {

/// Rows of 20 columns with `places` decimals and a label, as one chunk of about 256 kB with its surroundings.
std::string drawn_chunk(int places, bool quoted) {
  std::string text(64, ' ');
  Random random(1);
  while (text.size() < 256 * 1024) {
    for (int column = 0; column < 20; ++column) {
      const std::string number = fmt::format("{:.{}f}", 20 * random.uniform() - 10, places);
      text += quoted ? fmt::format("\"{}\",", number) : number + ",";
    }
    text += random.below(2) == 0 ? "0\n" : "1\n";
  }
  return text + std::string(64, ' ');
}

void BM_CsvChunk(benchmark::State& state) {
  const std::string padded = drawn_chunk(static_cast<int>(state.range(0)), state.range(1) != 0);
  const std::string_view text = std::string_view(padded).substr(64, padded.size() - 128);
  ReadOptions options;
  options.double_values = state.range(2) != 0;
  const TextFormat format = csv_format(text, options);
  for (auto _ : state) {
    benchmark::DoNotOptimize(format.whole_rows(text));
    benchmark::DoNotOptimize(format.parse({text, 0}).page.batch.rows);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_CsvChunk)
    ->ArgNames({"places", "quoted", "double"})
    ->ArgsProduct({{2, 4, 9, 15}, {0}, {0, 1}})
    ->Args({4, 1, 0});

}  // namespace
}  // namespace linsep
