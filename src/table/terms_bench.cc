// Measures how fast texts become keys of terms, by version. LINSEP_TEXT_FILE names a file whose lines are the texts.
// Without it, texts are drawn: 20 ASCII words each, with ranks that follow Zipf's law.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/random.h"
#include "table/term_weigher.h"
#include "table/terms.h"

namespace linsep {
namespace {

std::vector<std::string> drawn_texts() {
  Random random(1);
  std::vector<std::string> words(100000);
  for (std::string& word : words) {
    for (std::uint64_t n = 1 + random.below(4) + random.below(7); n > 0; --n) {
      word += static_cast<char>('a' + random.below(26));
    }
  }
  std::vector<std::string> texts(20000);
  for (std::string& text : texts) {
    for (int i = 0; i < 20; ++i) {
      const auto rank = static_cast<std::size_t>(std::exp(random.uniform() * std::log(99999.0)));
      text += words[rank] + (random.below(8) == 0 ? ", " : " ");
    }
  }
  return texts;
}

const std::vector<std::string>& texts() {
  static const std::vector<std::string> all = [] {
    const char* const path = std::getenv("LINSEP_TEXT_FILE");
    if (path == nullptr) return drawn_texts();
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }();
  return all;
}

std::int64_t bytes_of_texts() {
  std::int64_t bytes = 0;
  for (const std::string& text : texts()) bytes += static_cast<std::int64_t>(text.size());
  return bytes;
}

void split(benchmark::State& state, const words::Version& version) {
  std::vector<char> spread(words::room_for(1 << 20));
  std::vector<std::uint32_t> marks(spread.size());
  for (auto _ : state) {
    for (const std::string& text : texts()) {
      const std::size_t size = version.spread(text, spread.data());
      benchmark::DoNotOptimize(version.mark(spread.data(), size, marks.data()));
    }
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_texts());
}

void keys(benchmark::State& state, TermRange words, TermRange chars, const words::Version& version) {
  TermReader reader(words, chars, version);
  for (auto _ : state) {
    for (const std::string& text : texts()) benchmark::DoNotOptimize(reader.read(text).data());
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_texts());
}

/// Encodes into 2¹⁸ buckets with √tf, divided by the length.
void encode(benchmark::State& state) {
  TextEncoder encoder;
  encoder.words = {1, 2};
  encoder.bits = 18;
  const TextIndex index(encoder);
  TermWeigher make(index);
  std::vector<EncodedValue> values;
  for (auto _ : state) {
    for (const std::string& text : texts()) {
      values.clear();
      make.encode(text, values);
      benchmark::DoNotOptimize(values.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_texts());
}

const bool registered = [] {
  for (const words::Version& version : words::versions()) {
    const std::string name(version.name);
    benchmark::RegisterBenchmark(("split/" + name).c_str(), [&](auto& state) { split(state, version); });
    benchmark::RegisterBenchmark(("words_1/" + name).c_str(), [&](auto& state) { keys(state, {1, 1}, {}, version); });
    benchmark::RegisterBenchmark(("words_1_2/" + name).c_str(), [&](auto& state) { keys(state, {1, 2}, {}, version); });
    benchmark::RegisterBenchmark(("chars_3_5/" + name).c_str(), [&](auto& state) { keys(state, {}, {3, 5}, version); });
  }
  benchmark::RegisterBenchmark("encode_1_2", encode);
  return true;
}();

}  // namespace
}  // namespace linsep
