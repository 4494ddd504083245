// Tests quotas of processor time with files as the system writes them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "os/process.h"

namespace linsep {
namespace {

#ifdef __linux__
namespace fs = std::filesystem;

constexpr int kNone = std::numeric_limits<int>::max();

/// A folder that stands for "/".
class Quota : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "linsep-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  int quota() const { return cpu_quota(root_.string()); }

  fs::path root_;
};

TEST_F(Quota, WhereNobodyTellsThereIsNone) {
  EXPECT_EQ(quota(), kNone);
  write("proc/self/cgroup", "0::/job\n");
  EXPECT_EQ(quota(), kNone);
}

TEST_F(Quota, TheSecondVersionTakesTheTightestOfAllParentsRoundedUp) {
  write("proc/self/cgroup", "0::/system/run/job\n");
  write("sys/fs/cgroup/system/run/job/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), kNone);
  write("sys/fs/cgroup/system/cpu.max", "250000 100000\n");
  EXPECT_EQ(quota(), 3);
  write("sys/fs/cgroup/system/run/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 3);
  write("sys/fs/cgroup/system/run/job/cpu.max", "1000 100000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(Quota, AContainerSeesItsGroupAtTheRoot) {
  write("proc/self/cgroup", "0::/docker/1f\n");
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(Quota, TheFirstVersionHasFilesOfItsOwn) {
  write("proc/self/cgroup", "12:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), kNone);
  write("sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us", "150000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(quota(), 3);
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 2);
}
#endif  // __linux__

TEST(Processors, ThereIsOneAtLeast) { EXPECT_GE(allowed_cpus(), 1); }

}  // namespace
}  // namespace linsep
