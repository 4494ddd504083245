// Feeds ten thousand broken inputs to every path of the readers. None may crash. Every result must equal that of the
// strict parser with one thread on the plain text, or be an Error that names the location.
#include <gtest/gtest.h>

#include <variant>

#include "core/random.h"
#include "format/load.h"
#include "format/svmlight/svmlight.h"
#include "format/text/drawn_text.h"
#include "format/text/test_input.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using test::PlainRows;
using test::TempFile;

/// Rows and classes, or the error without the file's name.
struct Result {
  PlainRows rows;
  std::vector<std::string> classes;
  std::string error;
  bool operator==(const Result&) const = default;
};

struct Path {
  std::string_view version = "scalar";
  int threads = 1;
  bool streaming = false;
};

constexpr std::size_t kChunk = 300;

Result read(const TempFile& file, ReadOptions options, const Path& path) {
  use_svmlight_version(path.version);
  options.threads = path.threads;
  Stations stations;
  stations.chunk_bytes = kChunk;
  Result result;
  try {
    const auto source =
        path.streaming ? open_stream_with(file.path(), options, stations) : load_with(file.path(), options, stations);
    result.rows = test::rows_of(*source);
    result.classes = source->schema().classes;
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, file.path()) << error.what();
    result = {};
    result.error = std::string(error.what()).substr(std::min(file.path().size(), std::string(error.what()).size()));
  }
  use_svmlight_version("");
  return result;
}

/// Compares every version, one and several threads, loaded and streamed.
void expect_all_paths_agree(const std::string& bytes, std::string_view ending, const ReadOptions& options,
                            Random& random, const Result* plain = nullptr) {
  const TempFile file(bytes, ending);
  const Result loaded = read(file, options, {});
  if (plain != nullptr) {
    EXPECT_EQ(loaded, *plain) << bytes;
  }
  for (const std::string_view version : svmlight_versions()) {
    EXPECT_EQ(read(file, options, {version, 1, false}), loaded) << version << "\n" << bytes;
  }
  // Threads are slow to start, so they get only a share of the inputs.
  if (random.below(8) == 0) {
    EXPECT_EQ(read(file, options, {"", 3, false}), loaded) << bytes;
  }
  const Result streamed = read(file, options, {"scalar", 1, true});
  EXPECT_EQ(read(file, options, {"", 1, true}), streamed) << bytes;
}

ReadOptions drawn_options(Random& random) {
  ReadOptions options;
  options.double_values = random.below(4) == 0;
  options.exact_values = random.below(4) == 0;
  options.labelled = random.below(8) != 0;
  if (random.below(2) == 0) options.classes = {"-1", "1"};
  return options;
}

TEST(Mutation, BrokenSvmlight) {
  Random random(101);
  for (int i = 0; i < 6000 && !HasFailure(); ++i) {
    const auto oddity = random.below(2) == 0 ? test::Oddity::kPlain : test::Oddity::kOdd;
    const std::string text = test::mutated(test::drawn_svmlight(random, oddity), random);
    expect_all_paths_agree(text, ".svm", drawn_options(random), random);
  }
}

TEST(Mutation, BrokenSvmlightInsideGzipAndZstdIsTheSameAsPlain) {
  Random random(102);
  for (int i = 0; i < 500 && !HasFailure(); ++i) {
    const std::string text = test::mutated(test::drawn_svmlight(random, test::Oddity::kOdd), random);
    const ReadOptions options = drawn_options(random);
    Result plain;
    {
      const TempFile file(text);
      plain = read(file, options, {});
    }
    expect_all_paths_agree(test::gzipped(text), ".svm.gz", options, random, &plain);
    expect_all_paths_agree(test::zstd_packed(text), ".svm.zst", options, random, &plain);
  }
}

TEST(Mutation, BrokenGzipAndZstd) {
  Random random(103);
  for (int i = 0; i < 500 && !HasFailure(); ++i) {
    std::string text;
    for (int k = 0; k < 5; ++k) text += test::drawn_svmlight(random, test::Oddity::kPlain);
    const ReadOptions options = drawn_options(random);
    // The magic bytes stay, because without them the file has another format.
    const std::string gzip = test::gzipped(text);
    expect_all_paths_agree(gzip.substr(0, 4) + test::mutated(gzip.substr(4), random), ".svm", options, random);
    const std::string zstd = test::zstd_packed(text);
    expect_all_paths_agree(zstd.substr(0, 4) + test::mutated(zstd.substr(4), random), ".svm", options, random);
  }
}

TEST(Mutation, BrokenCsv) {
  const std::string correct =
      "width,\"height, in cm\",label\n1.5,2,ham\n-3e2,0.25,\"spam\"\n\"4\",\"5\",ham\r\n\n6,7.125,spam\n8,9,ham\n"
      "10,11,\"spam\"\n";
  Random random(104);
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    const std::string text = test::mutated(correct, random);
    ReadOptions options = drawn_options(random);
    options.classes.clear();
    const auto ending = random.below(4) == 0 ? ".tsv" : ".csv";
    switch (random.below(4)) {
      case 0:
        expect_all_paths_agree(test::gzipped(text), ending, options, random);
        break;
      case 1:
        expect_all_paths_agree(test::zstd_packed(text), ending, options, random);
        break;
      default:
        expect_all_paths_agree(text, ending, options, random);
    }
  }
}

}  // namespace
}  // namespace linsep
