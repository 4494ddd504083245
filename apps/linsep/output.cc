#include "output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "os/terminal.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;

bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

}  // namespace

void print(std::string_view text, std::FILE* stream) {
  if (!first_worker()) return;
  const int error = write_all(stream == stderr ? StandardStream::kError : StandardStream::kOutput, text);
  if (error == 0 || stream == stderr) return;
  if (error == EPIPE) throw BrokenPipe{};
  throw system_error(fmt::format("can't write to standard output: {}", std::strerror(error)));
}

void tell(const std::string& sentence) {
  if (!sentence.empty()) print("linsep: " + sentence, stderr);
}

void print_json(const Json& value) { print(json_line(value)); }

void print_words(std::string_view text, std::FILE* stream) { print(shown_lines(text), stream); }

void notice(std::string_view text) noexcept {
  try {
    write_all(StandardStream::kError, fmt::format("linsep: {}\n", shown_lines(text)));
  } catch (...) {
    write_all(StandardStream::kError, "linsep: out of memory\n");
  }
}

void try_outputs(std::initializer_list<std::string> paths) {
  rethrow_on_all(workers(), [&] {
    for (const std::string& path : paths) {
      if (first_worker() && !is_standard(path)) try_to_write(path);
    }
  });
}

Output::Output(const std::string& path) : standard_(is_standard(path)), mute_(!first_worker()) {
  if (!mute_ && !standard_) file_.emplace(StreamedFile::to(path, {.sync = false}));
}

void Output::write(std::string_view text) {
  if (mute_) return;
  if (waiting_.size() + text.size() >= kBuffer) {
    flush(waiting_);
    waiting_.clear();
  }
  if (text.size() >= kBuffer) {
    flush(text);
  } else {
    waiting_ += text;
  }
}

void Output::flush(std::string_view text) {
  if (!file_) return print(text);
  try {
    file_->append(text);
  } catch (const Error&) {
    if (file_->broken_pipe()) throw BrokenPipe{};
    throw;
  }
}

void Output::close() {
  if (mute_) return;
  flush(waiting_);
  waiting_.clear();
  if (!file_) return;
  file_->commit();
  file_.reset();
}

}  // namespace linsep::app
