// Tests how much memory is left with files as the system writes them.
#include "os/memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace linsep {
namespace {

#ifdef __linux__
namespace fs = std::filesystem;

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

/// A folder that stands for "/".
class Available : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "linsep-XXXXXX").string();
    root_ = mkdtemp(name.data());
    write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\nSwapFree: 0 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  MemoryLeft left() const { return memory_left(root_.string()); }

  fs::path root_;
};

TEST_F(Available, TheMachineAloneLeavesWhatItHasAvailableAndItsSwap) {
  EXPECT_EQ(left().bytes, 4096 * kMega);
  EXPECT_EQ(left().by, MemoryLeft::By::kMachine);
  EXPECT_EQ(memory_words(left()), "the machine has 4.0G left");
  write("proc/meminfo", "MemAvailable: 1024 kB\nSwapFree: 2048 kB\n");
  EXPECT_EQ(left().bytes, 3 * kMega);
}

TEST_F(Available, WhereNobodyTellsThereIsNoLimit) {
  fs::remove(root_ / "proc/meminfo");
  EXPECT_EQ(left().bytes, std::numeric_limits<std::uint64_t>::max());
}

TEST_F(Available, TheSecondVersionOfGroupsLimitsByTheTightestOfAllParents) {
  write("proc/self/cgroup", "0::/system/run/job\n");
  write("sys/fs/cgroup/system/run/job/memory.max", "max\n");
  write("sys/fs/cgroup/system/run/job/memory.current", "1048576\n");
  EXPECT_EQ(left().by, MemoryLeft::By::kMachine);
  write("sys/fs/cgroup/system/memory.max", "104857600\n");
  write("sys/fs/cgroup/system/memory.current", "62914560\n");
  EXPECT_EQ(left().bytes, 40 * kMega);
  EXPECT_EQ(memory_words(left()), "the container's limit leaves 40M");
  // The cache of files can be given back.
  write("sys/fs/cgroup/system/memory.stat", "anon 41943040\nactive_file 10485760\ninactive_file 10485760\n");
  EXPECT_EQ(left().bytes, 60 * kMega);
  write("sys/fs/cgroup/system/memory.current", "204857600\n");
  EXPECT_EQ(left().bytes, 0U) << "more is used than may be";
}

TEST_F(Available, AContainerSeesItsGroupAtTheRoot) {
  write("proc/self/cgroup", "12:cpu:/docker/1f\n4:memory,hugetlb:/docker/1f\n0::/docker/1f\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "52428800\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "20971520\n");
  write("sys/fs/cgroup/memory/memory.stat", "total_active_file 1048576\ntotal_inactive_file 1048576\n");
  EXPECT_EQ(left().bytes, 32 * kMega);
  EXPECT_EQ(left().by, MemoryLeft::By::kContainer);
}

TEST_F(Available, SwapCountsAsFarAsTheGroupMayUseIt) {
  write("proc/meminfo", "MemAvailable: 4194304 kB\nSwapFree: 102400 kB\n");
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "52428800\n");
  write("sys/fs/cgroup/memory.current", "0\n");
  EXPECT_EQ(left().bytes, 150 * kMega);
  write("sys/fs/cgroup/memory.swap.max", "10485760\n");
  EXPECT_EQ(left().bytes, 60 * kMega);
}

TEST_F(Available, NoLimitOfTheFirstVersionIsAGreatNumber) {
  write("proc/self/cgroup", "4:memory:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "20971520\n");
  EXPECT_EQ(left().by, MemoryLeft::By::kMachine);
}

#endif  // __linux__

TEST(MemoryHere, SomethingIsLeftAndSomethingIsHeld) {
  EXPECT_GT(memory_left().bytes, 0U);
  EXPECT_GT(resident_bytes(), 0U);
  EXPECT_FALSE(memory_words(memory_left()).empty());
}

TEST(MemoryHere, BlocksLieWhereAskedAndAreOurs) {
  for (const std::size_t alignment : {std::size_t{8}, std::size_t{64}, kHugePage}) {
    void* const block = allocate_aligned(alignment, 2 * kHugePage);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
    std::memset(block, 1, 2 * kHugePage);
    free_aligned(block);
  }
  void* const pages = allocate_pages(kHugePage + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages) % 64, 0U);
  std::memset(pages, 1, kHugePage + 1);
  free_pages(pages, kHugePage + 1);
}

}  // namespace
}  // namespace linsep
