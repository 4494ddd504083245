#include "os/terminal.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>

#include "os/windows/system.h"

namespace linsep {
namespace {

HANDLE handle_of(StandardStream stream) {
  return ::GetStdHandle(stream == StandardStream::kInput    ? STD_INPUT_HANDLE
                        : stream == StandardStream::kOutput ? STD_OUTPUT_HANDLE
                                                            : STD_ERROR_HANDLE);
}

constexpr StandardStream kAll[] = {StandardStream::kInput, StandardStream::kOutput, StandardStream::kError};

}  // namespace

bool is_terminal(StandardStream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

std::optional<TerminalSize> terminal_size(StandardStream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handle_of(stream), &info) == 0) return std::nullopt;
  const SMALL_RECT& seen = info.srWindow;
  return TerminalSize{seen.Right - seen.Left + 1, seen.Bottom - seen.Top + 1};
}

int write_all(StandardStream stream, std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto asked = static_cast<DWORD>(std::min(bytes.size(), kMost));
    if (::WriteFile(handle_of(stream), bytes.data(), asked, &written, nullptr) == 0) return error_number();
    bytes.remove_prefix(written);
  }
  return 0;
}

/// Bytes go through unchanged, even in files opened later, and terminals are set to UTF-8. No file takes the number of
/// a closed stream here, because streams are handles.
void keep_standard_streams() {
  ::_set_fmode(_O_BINARY);
  for (std::FILE* stream : {stdin, stdout, stderr}) {
    if (::_fileno(stream) >= 0) ::_setmode(::_fileno(stream), _O_BINARY);
  }
  for (const StandardStream stream : kAll) {
    DWORD mode = 0;
    if (stream == StandardStream::kInput || ::GetConsoleMode(handle_of(stream), &mode) == 0) continue;
    ::SetConsoleOutputCP(CP_UTF8);
    ::SetConsoleMode(handle_of(stream), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

void ignore_broken_pipes() {}  // they never end a program here

}  // namespace linsep
