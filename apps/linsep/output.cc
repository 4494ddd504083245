#include "output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/array_path.h"
#include "linsep/tools/shown_text.h"
#include "os/file.h"
#include "os/terminal.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;

bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

std::vector<std::string>& command_line() {
  static std::vector<std::string> words;
  return words;
}

/// The file that a word of the command line may name, as "--output=FILE", "-oFILE", "FILE.npz:MEMBER" and "FILE" do.
std::string file_in(const std::string& word) {
  std::string name = word;
  if (word.starts_with("--") && word.find('=') != std::string::npos) {
    name = word.substr(word.find('=') + 1);
  } else if (word.starts_with("-") && !word.starts_with("--") && word.size() > 2) {
    name = word.substr(2);
  }
  return split_array_path(name).file;
}

}  // namespace

void take_command_line(const std::vector<std::string>& words) { command_line() = words; }

void refuse_own_input(const std::string& path) {
  if (is_standard(path)) return;
  const auto same = std::ranges::count_if(command_line(), [&](const std::string& word) {
    return is_same_file(path, word) || is_same_file(path, file_in(word));
  });
  if (same < 2) return;
  throw usage_error(fmt::format("{} is given twice, and would be overwritten: write to another file", path));
}

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
      refuse_own_input(path);
      if (first_worker() && !is_standard(path)) try_to_write(path);
    }
  });
}

Output::Output(const std::string& path) : standard_(is_standard(path)), mute_(!first_worker()) {
  refuse_own_input(path);
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
