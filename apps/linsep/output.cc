#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;
constexpr mode_t kMode = 0666;

/// Devices and pipes are written as they are; only a regular file can be put in place by a rename.
bool is_special(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Writes all bytes. Returns 0 or the error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

void print(std::string_view text, std::FILE* stream) {
  if (!first_worker()) return;
  const int error = write_all(fileno(stream), text);
  if (error == EPIPE) throw BrokenPipe{};
  if (error != 0) throw system_error(fmt::format("can't write: {}", std::strerror(error)));
}

void print_words(std::string_view text, std::FILE* stream) { print(shown_lines(text), stream); }

Output::Output(const std::string& path) : path_(path == "-" ? "" : path), mute_(!first_worker()) {
  if (mute_) return;
  if (standard()) {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (!is_special(path_)) temporary_ = fmt::format("{}.{}.part", path_, getpid());
  descriptor_ =
      open((temporary_.empty() ? path_ : temporary_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(error);
  }
}

Output::~Output() {
  if (!standard() && descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  if (mute_) return;
  if (text.size() >= kBuffer) {
    flush();
    const int error = write_all(descriptor_, text);
    if (error != 0) fail(error);
    return;
  }
  waiting_ += text;
  if (waiting_.size() >= kBuffer) flush();
}

void Output::flush() {
  const int error = write_all(descriptor_, waiting_);
  waiting_.clear();
  if (error != 0) fail(error);
}

void Output::close() {
  if (mute_) return;
  flush();
  if (standard()) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void Output::fail(int error) const {
  if (error == EPIPE) throw BrokenPipe{};
  throw system_error(fmt::format("{}: can't write: {}", standard() ? "standard output" : path_, std::strerror(error)));
}

}  // namespace linsep::app
