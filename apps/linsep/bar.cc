#include "bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "words.h"

namespace linsep::app {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 24;

bool environment_says(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0;
}

bool on_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar_of(double part, bool coloured) {
  const auto full = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * kBarWidth);
  std::string bar = "[";
  if (coloured) bar += "\x1b[32m";
  bar.append(full, '=');
  if (coloured) bar += "\x1b[0m";
  bar.append(kBarWidth - full, ' ');
  return bar + "]";
}

}  // namespace

ProgressBar::ProgressBar(std::string work, std::int64_t passes)
    : work_(std::move(work)),
      passes_(passes),
      wanted_(on_terminal()),
      coloured_(!environment_says("NO_COLOR")),
      next_(began_ + kPatience) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

void ProgressBar::observe(const Progress& progress) {
  if (!wanted_) return;
  if (progress.pass_ended) {
    rows_before_ += progress.rows;
    mistakes_ = progress.mistakes;
  }
  const Clock::time_point now = Clock::now();
  if (now < next_ || progress.pass_ended) return;
  next_ = now + kBetween;
  draw(progress, std::chrono::duration<double>(now - began_).count());
}

// "training  pass 3 of 100 [=====      ] 42%  1.2M rows/s  1,234 mistakes  at most 12 s left".
void ProgressBar::draw(const Progress& progress, double seconds) {
  const auto done = static_cast<double>(rows_before_ + progress.rows);
  const double speed = done / seconds;
  std::string line = work_;
  if (passes_ > 1) line += fmt::format("  pass {} of {}", thousands(progress.pass), thousands(passes_));
  if (progress.rows_in_all > 0) {
    const double part = static_cast<double>(progress.rows) / static_cast<double>(progress.rows_in_all);
    line += fmt::format("  {} {:2.0f}%", bar_of(part, coloured_), 100 * part);
  } else {
    line += fmt::format("  {}", counted(progress.rows, "row"));
  }
  line += fmt::format("  {} rows/s", short_number(speed));
  if (mistakes_) line += fmt::format("  {} last pass", counted(*mistakes_, "mistake"));
  if (progress.rows_in_all > 0 && speed > 0) {
    const double all =
        static_cast<double>(progress.rows_in_all) * static_cast<double>(std::max<std::int64_t>(passes_, 1));
    line += fmt::format("  {}{} left", passes_ > 1 ? "at most " : "", duration(std::max(0.0, all - done) / speed));
  }
  // A line that the terminal would break can't be wiped out.
  if (text_width(line) + 1 > terminal_width()) line = fmt::format("{}  {} rows/s", work_, short_number(speed));
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace linsep::app
