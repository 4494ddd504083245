// Files are seen whole or not at all. Links are followed. Anything but a regular file is written in place.
#include <gtest/gtest.h>
#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
constexpr const char* kNothing = "NUL";
#else
constexpr const char* kNothing = "/dev/null";
#endif

/// Both ways to write a file, without a name if the file system can do that, and with one.
class Written : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    folder_ = temporary_name((fs::temp_directory_path() / "linsep").string());
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  std::string text(const std::string& name) const { return read_whole_file(file(name)); }
  void write(const std::string& name, const std::string& bytes, int most_mode = 0777) const {
    StreamedFile made = StreamedFile::to(file(name), options(most_mode));
    made.append(bytes);
    made.commit();
  }
  FileOptions options(int most_mode = 0777) const {
    return {.sync = false, .most_mode = most_mode, .named = GetParam()};
  }

  fs::path folder_;
};
INSTANTIATE_TEST_SUITE_P(NamelessAndNamed, Written, ::testing::Values(false, true));

TEST_P(Written, AppearsWholeWhenItIsCommittedAndNotBefore) {
  for (const char* name : {"new", "old"}) {
    put("old", "old");
    StreamedFile made = StreamedFile::beside(file(name), options());
    made.append("abc");
    made.write_at(1, "x");
    std::string read(3, '\0');
    made.read_at(0, read);
    EXPECT_EQ(read, "axc");
    EXPECT_EQ(fs::exists(file("new")), name == std::string("old"));
    EXPECT_EQ(text("old"), "old");
    made.commit();
    EXPECT_EQ(text(name), "axc");
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"new", "old"}));
}

TEST_P(Written, IsGoneUnlessItIsCommitted) {
  put("old", "old");
  for (const char* name : {"new", "old"}) {
    StreamedFile made = StreamedFile::beside(file(name), options());
    made.append("abc");
  }
  EXPECT_EQ(text("old"), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"old"}));
}

TEST_P(Written, IsTriedWithoutATrace) {
  put("old", "old");
  fs::create_directory(file("d"));
  try_to_write(file("new"));
  try_to_write(file("old"));
  try_to_write(kNothing);
  EXPECT_THROW(try_to_write(file("no/new")), Error);
  EXPECT_THROW(try_to_write(file("d")), Error);
  EXPECT_THROW(try_to_write(file("new/")), Error);
  EXPECT_EQ(text("old"), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"d", "old"}));
}

TEST_P(Written, OnlyLeftoversAreTakenAway) {
  for (const char* name : {"f.notes.tmp", "f.99999999.0123.tmp", "f.99999999.0123456789xy.tmp", "f.1.0123456789ab.tmp",
                           "g.99999999.0123456789ab.tmp", "f.99999999.0123456789ab.tmp"}) {
    put(name, "");
  }
  remove_leftovers(file("f"));
  EXPECT_EQ(names().size(), 5U);
  EXPECT_FALSE(fs::exists(file("f.99999999.0123456789ab.tmp")));
}

TEST_P(Written, ALockIsHeldOnceAndEndsWithItsProcess) {
  {
    const auto lock = FileLock::take(file("c"));
    ASSERT_TRUE(lock);
    EXPECT_FALSE(FileLock::take(file("c")));
    EXPECT_TRUE(FileLock::take(file("d")));
  }
  EXPECT_TRUE(names().empty());
  put("c.lock", "");  // of a killed process
  EXPECT_TRUE(FileLock::take(file("c")));
  EXPECT_TRUE(names().empty());
  EXPECT_THROW(FileLock::take(file("no/c")), Error);
}

#ifndef _WIN32  // links need a privilege there, and permissions and forks are POSIX's
TEST_P(Written, FollowsLinksAlsoToWhatIsntThereYet) {
  fs::create_directory(file("d"));
  fs::create_symlink("d/second", file("first"));
  fs::create_symlink(file("target"), file("d/second"));
  for (const char* bytes : {"one", "two"}) {
    write("first", bytes);
    EXPECT_TRUE(fs::is_symlink(file("first")) && fs::is_symlink(file("d/second")));
    EXPECT_EQ(text("target"), bytes);
  }
  fs::create_symlink("circle", file("circle"));
  EXPECT_THROW(write("circle", "x"), Error);
}

mode_t mode_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST_P(Written, HasThePermissionsOfWhatItReplacesAndNeverMoreThanAsked) {
  const mode_t mask = ::umask(0022);
  write("new", "x");
  EXPECT_EQ(mode_of(file("new")), 0644U);
  for (const mode_t old : {0600U, 0664U, 0444U}) {
    ASSERT_EQ(::chmod(file("new").c_str(), old), 0);
    write("new", "y");
    EXPECT_EQ(mode_of(file("new")), old);
  }
  ASSERT_EQ(::chmod(file("new").c_str(), 0644), 0);
  write("new", "z", 0640);
  EXPECT_EQ(mode_of(file("new")), 0640U);
  write("secret", "x", 0600);
  EXPECT_EQ(mode_of(file("secret")), 0600U);
  ::umask(mask);
}

TEST_P(Written, GoesStraightThroughWhereAProcessHasTheFileOpen) {
  put("open", "before ");
  const int number = ::open(file("open").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(number, 0);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    StreamedFile made = StreamedFile::to(folder + std::to_string(number), options());
    made.append("x");
    EXPECT_EQ(text("open").back(), 'x') << "at once";
    made.commit();
    EXPECT_THROW(StreamedFile::beside(folder + std::to_string(number)), Error);
  }
  EXPECT_EQ(text("open"), "before xx");
  ::close(number);
  EXPECT_EQ(names(), (std::vector<std::string>{"open"}));
}

/// Writes half a file and waits to be killed.
pid_t write_half(const std::string& path, const FileOptions& options) {
  int ready[2];
  EXPECT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    StreamedFile made = StreamedFile::beside(path, options);
    made.append("half");
    (void)!::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  EXPECT_EQ(::read(ready[0], &byte, 1), 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return child;
}

TEST_P(Written, AKilledWriterLeavesNothingThatTheNextDoesntTakeAway) {
  const pid_t first = write_half(file("f"), options()), second = write_half(file("f"), options());
  const std::size_t before = names().size();
  if (GetParam()) {
    EXPECT_EQ(before, 2U);
  }
  ::kill(first, SIGKILL);
  ::waitpid(first, nullptr, 0);
  remove_leftovers(file("f"));
  EXPECT_EQ(names().size(), before / 2) << "that of the living one stays";
  ::kill(second, SIGKILL);
  ::waitpid(second, nullptr, 0);
  write("f", "whole");
  remove_leftovers(file("f"));
  EXPECT_EQ(names(), (std::vector<std::string>{"f"}));
}

#endif  // _WIN32

TEST(OpenFile, ReadsAndMapsAnyPlace) {
  std::string bytes(300'000, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k * 7 + k / 251);
  StreamedFile written = StreamedFile::nameless();
  written.append(bytes);
  OpenFile file = OpenFile::again(written, "some bytes");
  EXPECT_TRUE(file.status().regular());
  EXPECT_EQ(file.status().size, bytes.size());
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{70'001}}) {
    std::string read(1000, '\0');
    EXPECT_EQ(file.read_at(place, read), read.size());
    EXPECT_EQ(read, bytes.substr(place, 1000));
    for (const bool now : {false, true}) {
      const MappedBytes mapped = file.map(place, 1000, now, "a part");
      EXPECT_EQ(std::string(mapped.data(), 1000), bytes.substr(place, 1000)) << place;
    }
  }
  std::string end(1000, '\0');
  EXPECT_EQ(file.read_at(bytes.size() - 10, end), 10U);
  file.seek(bytes.size() - 10);
  EXPECT_EQ(file.read(end), 10U);
  EXPECT_EQ(file.read(end), 0U);
}

TEST(OpenFile, SaysWhatFails) {
  try {
    OpenFile::at("/no/such/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "/no/such/file: can't be opened: No such file or directory");
  }
  EXPECT_FALSE(file_status("/no/such/file"));
  EXPECT_NE(reading_error("/no/such/file"), 0);
  EXPECT_EQ(reading_error(kNothing), 0);
}

}  // namespace
}  // namespace linsep
