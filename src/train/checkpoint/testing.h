// For tests: a folder for checkpoints, and comparison of outcomes bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linsep/train.h"
#include "os/file.h"
#include "train/checkpoint/file.h"
#include "train/checkpoint/runs_testing.h"

namespace linsep::testing {

/// A folder that is removed when the test ends. It is in memory if possible, because these tests sync many files.
class Folder {
 public:
  Folder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool fast = std::filesystem::is_directory(memory);
    path_ = temporary_name(((fast ? memory : std::filesystem::temp_directory_path()) / "linsep").string());
    std::filesystem::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path path_;
};

/// Compares everything in an outcome as bytes. Equal if every bit is.
inline void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.passes, b.passes);
  EXPECT_EQ(a.model, b.model);
  const auto history = [](const Outcome& outcome) {
    std::vector<Progress> all = outcome.history;
    for (Progress& progress : all) progress.seconds = 0;
    return checkpoint_bytes({{}, 0, 1, 0, 0, all, ""});
  };
  EXPECT_TRUE(history(a) == history(b));
  EXPECT_EQ(a.stats.mistakes, b.stats.mistakes);
  EXPECT_EQ(a.stats.mistakes_by_row, b.stats.mistakes_by_row);
  EXPECT_EQ(a.stats.margin_upper_bound, b.stats.margin_upper_bound);
  EXPECT_EQ(a.stats.hull_weights, b.stats.hull_weights);
  EXPECT_EQ(a.margin.has_value(), b.margin.has_value());
  if (a.margin && b.margin) {
    EXPECT_EQ(a.margin->solver, b.margin->solver);
    EXPECT_EQ(a.margin->because, b.margin->because);
    EXPECT_EQ(a.margin->lambda, b.margin->lambda);
  }
  ASSERT_EQ(a.stats.trace.size(), b.stats.trace.size());
  for (std::size_t i = 0; i < a.stats.trace.size(); ++i) {
    EXPECT_EQ(a.stats.trace[i].pass, b.stats.trace[i].pass);
    EXPECT_EQ(a.stats.trace[i].row, b.stats.trace[i].row);
    EXPECT_EQ(a.stats.trace[i].theta, b.stats.trace[i].theta);
  }
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    EXPECT_EQ(a.parts[i].converged, b.parts[i].converged);
    EXPECT_EQ(a.parts[i].passes, b.parts[i].passes);
    EXPECT_EQ(a.parts[i].mistakes, b.parts[i].mistakes);
    EXPECT_EQ(a.parts[i].objective, b.parts[i].objective);
    EXPECT_EQ(a.parts[i].gap, b.parts[i].gap);
  }
  EXPECT_EQ(a.hard_margin.has_value(), b.hard_margin.has_value());
  if (a.hard_margin && b.hard_margin) {
    EXPECT_EQ(a.hard_margin->margin_squared, b.hard_margin->margin_squared);
  }
}

}  // namespace linsep::testing
