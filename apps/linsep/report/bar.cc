#include "report/bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "report/words.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 20;

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
      wanted_(first_worker() && on_terminal()),
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

// "training  pass 3 of 100  42%  1.2M rows/s  1,234 mistakes last pass  at most 12 s left".
std::vector<std::string> ProgressBar::pass_pieces(const Progress& progress, double part, double seconds) const {
  const auto done = static_cast<double>(rows_before_ + progress.rows);
  const double speed = done / seconds;
  const auto all = static_cast<double>(progress.rows_in_all);
  std::vector<std::string> pieces{work_};
  if (passes_ == kUnknownPasses) pieces.push_back(fmt::format("pass {}", thousands(progress.pass)));
  if (passes_ > 1) pieces.push_back(fmt::format("pass {} of {}", thousands(progress.pass), thousands(passes_)));
  pieces.push_back(all > 0 ? fmt::format("{:.0f}%", 100 * part) : counted(progress.rows, "row"));
  pieces.push_back(fmt::format("{} rows/s", short_number(speed)));
  if (mistakes_) pieces.push_back(fmt::format("{} last pass", counted(*mistakes_, "mistake")));
  if (all > 0 && speed > 0 && passes_ != kUnknownPasses) {
    const double left = all * static_cast<double>(std::max<std::int64_t>(passes_, 1)) - done;
    pieces.push_back(fmt::format("{}{} left", passes_ > 1 ? "at most " : "", duration(std::max(0.0, left / speed))));
  }
  return pieces;
}

// What the terminal has no room for is left out from the end: a line that it breaks couldn't be wiped out.
void ProgressBar::draw(const Progress& progress, double seconds) {
  const auto all = static_cast<double>(progress.rows_in_all);
  const double part = all > 0 ? static_cast<double>(progress.rows) / all : 0;
  std::vector<std::string> pieces;
  if (progress.witnesses) {
    pieces = {"mistakes", fmt::format("{} packed", counted(*progress.witnesses, "disjoint set")),
              fmt::format("{:.0f}% of the mistakes tried", 100 * part)};
  } else {
    pieces = pass_pieces(progress, part, seconds);
  }
  std::string line;
  const std::size_t room = terminal_width() - 1;
  for (const std::string& piece : pieces) {
    if (!line.empty() && line.size() + 2 + piece.size() > room) break;
    line += (line.empty() ? "" : "  ") + piece;
  }
  if (all > 0 && line.size() + kBarWidth + 4 <= room) line += "  " + bar_of(part, coloured_);
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace linsep::app
