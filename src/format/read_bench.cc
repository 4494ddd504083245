// Measures how fast text becomes pages, by version and threads, compared with a bare read() that sums the bytes.
//
// LINSEP_READ_FILE names a svmlight file to read. Without it, one of about 50 MB is made and removed again.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "bytes/chunker.h"
#include "core/random.h"
#include "format/svmlight/svmlight.h"
#include "linsep/read.h"

namespace linsep {
namespace {

/// 47,236 features, about 82 entries per row, and values such as 0.0345, like a set of weighted words.
void write_rows(const std::string& path, int rows) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::abort();
  for (int i = 0; i < rows; ++i) {
    Random random(1, static_cast<std::uint64_t>(i));
    std::set<std::uint64_t> columns;
    for (std::uint64_t k = 42 + random.below(82); k > 0; --k) columns.insert(1 + random.below(47236));
    std::fputs(random.below(2) == 0 ? "-1" : "+1", file);
    for (const std::uint64_t column : columns) {
      std::fprintf(file, " %llu:%.*f", static_cast<unsigned long long>(column), 4 + static_cast<int>(random.below(3)),
                   0.001 + 0.2 * random.uniform());
    }
    std::fputs("\n", file);
  }
  std::fclose(file);
}

class Input {
 public:
  Input() {
    if (const char* given = std::getenv("LINSEP_READ_FILE")) {
      path_ = given;
    } else {
      made_ = true;
      path_ = std::filesystem::temp_directory_path() / ("linsep_read_bench_" + std::to_string(::getpid()) + ".svm");
      write_rows(path_, 50000);
    }
    bytes_ = static_cast<std::int64_t>(std::filesystem::file_size(path_));
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (made_) std::filesystem::remove(path_);
  }
  const std::string& path() const { return path_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::string path_;
  std::int64_t bytes_ = 0;
  bool made_ = false;
};

const Input& input() {
  static const Input the_input;
  return the_input;
}

void BM_BareRead(benchmark::State& state) {
  std::vector<unsigned char> buffer(kChunkBytes);
  for (auto _ : state) {
    const int file = ::open(input().path().c_str(), O_RDONLY);
    std::uint64_t sum = 0;
    for (ssize_t got = 0; (got = ::read(file, buffer.data(), buffer.size())) > 0;) {
      sum = std::accumulate(buffer.begin(), buffer.begin() + got, sum);
    }
    ::close(file);
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() * input().bytes());
}
BENCHMARK(BM_BareRead)->UseRealTime()->Unit(benchmark::kMillisecond);

void BM_Load(benchmark::State& state, std::string_view version, int threads, bool double_values) {
  use_svmlight_version(version);
  ReadOptions options;
  options.format = ReadOptions::Format::kSvmlight;
  options.threads = threads;
  options.double_values = double_values;
  for (auto _ : state) benchmark::DoNotOptimize(load(input().path(), options));
  state.SetBytesProcessed(state.iterations() * input().bytes());
  use_svmlight_version("");
}

const bool registered = [] {
  for (const std::string_view version : svmlight_versions()) {
    for (const int threads : {1, 2, 4}) {
      const std::string name = "BM_Load/" + std::string(version) + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), BM_Load, version, threads, false)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
    const std::string name = "BM_Load/" + std::string(version) + "/threads:1/double";
    benchmark::RegisterBenchmark(name.c_str(), BM_Load, version, 1, true)->UseRealTime()->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace linsep
