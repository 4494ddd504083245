// A run of certify that is ended after any pass and resumed ends with the same certificate.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/random.h"
#include "format/text/test_input.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "os/file.h"
#include "train/checkpoint/file.h"

namespace linsep {
namespace {

using test::TempFile;

/// Dense rows whose labels a hidden classifier gives, except for those that are flipped.
std::string dense_text(std::uint64_t seed, int rows, int features, std::uint64_t flip_one_in) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    std::string values;
    double z = 0;
    for (int j = 1; j <= features; ++j) {
      const auto value = static_cast<double>(random.below(2001)) / 100 - 10;
      z += value * ((j * 7) % 5 - 2);
      values += " " + std::to_string(j) + ":" + std::to_string(value);
    }
    const bool flipped = flip_one_in > 0 && random.below(flip_one_in) == 0;
    text += (z > 0) != flipped ? "1" : "-1";
    text += values + "\n";
  }
  return text;
}

/// The same as dense_text without flips, plus rows on the boundary of both classes, which are at zero under every
/// separator.
std::string quasi_text(int rows) {
  std::string text = dense_text(3, rows, 9, 0);
  for (int i = 0; i < 40; ++i) {
    // θ of the hidden classifier is 0, 2, −1, 1, −2 and so on, so these have the score 0.
    const std::string row = " 2:" + std::to_string(i + 1) + " 3:" + std::to_string(2 * (i + 1)) + "\n";
    text += (i % 2 == 0 ? "1" : "-1") + row + (i % 3 == 0 ? "-1" : "1") + row;
  }
  return text;
}

/// Sparse rows with more columns than dense exact arithmetic takes. Each column is used both ways.
std::string sparse_text(std::uint64_t seed, std::size_t rows, std::uint32_t features, double margin) {
  std::string text;
  Random random(seed);
  for (std::size_t i = 0; i < rows;) {
    std::map<std::uint32_t, double> x;
    for (int k = 0; k < 12; ++k) x[static_cast<std::uint32_t>(random.below(features))] = random.normal();
    double z = 0;
    for (const auto& [j, v] : x) z += v * Random(21, j).normal();
    if (std::fabs(z) < margin) continue;
    text += z > 0 ? "1" : "-1";
    for (const auto& [j, v] : x) text += " " + std::to_string(j + 1) + ":" + std::to_string(v);
    text += "\n";
    ++i;
  }
  return text;
}

void remove_checkpoints(const std::string& path) {
  const std::filesystem::path file(path);
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path())) {
    if (entry.path().filename().string().starts_with(file.filename().string())) {
      std::filesystem::remove(entry.path());
    }
  }
}

struct Ended {
  std::string certificate;
  std::int64_t passes = 0;
  bool operator==(const Ended&) const = default;
};

/// A run of `workers` workers that makes at most `passes` passes, the resumed ones included.
Ended run(const std::string& data, int workers, const std::string& checkpoint, bool resume, std::int64_t passes) {
  std::vector<Ended> ended(static_cast<std::size_t>(workers));
  run_threads(workers, [&](Comm& comm) {
    ReadOptions reading;
    reading.double_values = true;
    const std::vector<std::string> paths{data};
    const auto source = load(paths, reading, comm);
    CertifyOptions options;
    options.max_passes = passes;
    options.checkpoint = {checkpoint, 0, 1, resume, {}};
    const CertifyOutcome outcome = certify(*source, options, comm);
    ended[static_cast<std::size_t>(comm.rank())] = {certificate_to_json(outcome.certificate), outcome.passes};
  });
  for (const Ended& one : ended) EXPECT_EQ(one, ended[0]);
  return ended[0];
}

constexpr std::int64_t kManyPasses = 100000;

/// Ends the run after each pass, and also after each pass of the run that resumes.
void expect_same_when_resumed(const std::string& text, int workers, std::int64_t at_least, std::int64_t step = 1) {
  const TempFile data(text);
  const std::string path = data.path() + ".checkpoint";
  const Ended whole = run(data.path(), workers, path, false, kManyPasses);
  EXPECT_EQ(whole, run(data.path(), workers, "", false, kManyPasses)) << "checkpoints change nothing";
  ASSERT_GE(whole.passes, at_least);
  for (std::int64_t killed = 2; killed <= whole.passes; killed += step) {
    remove_checkpoints(path);
    run(data.path(), workers, path, false, killed);
    EXPECT_EQ(run(data.path(), workers, path, true, kManyPasses), whole) << "after pass " << killed - 1;
    // The run that resumes is ended as well.
    remove_checkpoints(path);
    run(data.path(), workers, path, false, killed);
    for (std::int64_t more = 1; more <= 3; ++more) run(data.path(), workers, path, true, killed + more);
    EXPECT_EQ(run(data.path(), workers, path, true, kManyPasses), whole) << "after pass " << killed - 1 << ", twice";
  }
  remove_checkpoints(path);
}

TEST(CertifyCheckpoint, ASearchAmongFewColumnsResumes) {
  for (const int workers : {1, 3}) {
    expect_same_when_resumed(dense_text(1, 2000, 12, 0), workers, 3);     // separable
    expect_same_when_resumed(dense_text(2, 6000, 12, 6000), workers, 2);  // overlapping
    expect_same_when_resumed(quasi_text(3000), workers, 2);               // in between
  }
}

TEST(CertifyCheckpoint, ADescentAmongManyColumnsResumes) {
  expect_same_when_resumed(sparse_text(22, 6000, 2200, 0.2), 1, 26, 12);
  expect_same_when_resumed(sparse_text(22, 6000, 2200, 1), 2, 6, 7);
}

TEST(CertifyCheckpoint, IsOfOneQuestionAboutOneSet) {
  const TempFile data(dense_text(4, 300, 6, 0)), other(dense_text(5, 300, 6, 0));
  const std::string path = data.path() + ".checkpoint";
  run(data.path(), 1, path, false, 2);
  EXPECT_THROW(run(data.path(), 1, path, false, 2), Error) << "it is in the way";
  EXPECT_THROW(run(other.path(), 1, path, true, 2), Error);
  EXPECT_THROW(run(data.path(), 2, path, true, 2), Error);
  remove_checkpoints(path);
}

/// States are untrusted. Whatever their bytes are, a run ends in an Error or in a certificate that the checker accepts.
TEST(CertifyCheckpoint, BrokenStatesAreRefusedOrHarmless) {
  const std::string few = dense_text(1, 2000, 8, 0), many = sparse_text(22, 6000, 2200, 0.2);
  for (const std::string& text : {few, many}) {
    const TempFile data(text);
    const std::string path = data.path() + ".checkpoint";
    run(data.path(), 1, path, false, text == few ? 4 : 7);
    const SavedRun saved = parse_checkpoint(read_whole_file(path), path);
    ASSERT_GT(saved.state.size(), 40U);
    Random random(9);
    int refused = 0;
    const int tries = text == few ? 60 : 6;
    for (int k = 0; k < tries; ++k) {
      SavedRun broken = saved;
      const std::size_t place =
          random.below(std::min<std::size_t>(saved.state.size(), k % 2 == 0 ? 120 : saved.state.size()));
      if (k % 5 == 4) {
        broken.state.resize(place);
      } else {
        broken.state[place] = static_cast<char>(random.below(256));
      }
      {
        std::ofstream file(path, std::ios::binary);
        file << checkpoint_bytes(broken);
      }
      try {
        run(data.path(), 1, path, true, 60);
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 0);
    remove_checkpoints(path);
  }
}

}  // namespace
}  // namespace linsep
