#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "os/terminal.h"
#include "report/words.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 20;
constexpr std::size_t kTrend = 4;  // measured gaps

bool environment_says(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0;
}

bool on_terminal() {
  const char* terminal = std::getenv("TERM");
  return is_terminal(StandardStream::kError) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t terminal_width() {
  return static_cast<std::size_t>(terminal_size(StandardStream::kError).value_or(TerminalSize{}).columns);
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

ProgressBar::ProgressBar(std::string work, std::int64_t passes, double gap_asked)
    : work_(std::move(work)),
      passes_(passes),
      gap_asked_(gap_asked),
      wanted_(first_worker() && on_terminal()),
      coloured_(!environment_says("NO_COLOR")),
      next_(began_ + kPatience) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void ProgressBar::observe(const Progress& progress) {
  if (!wanted_) return;
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_began_ = Clock::now();
    rows_before_ = 0;
  }
  if (progress.pass_ended) {
    rows_before_ += progress.rows;
    note_pass(progress);
  }
  const Clock::time_point now = Clock::now();
  if (now < next_ || progress.pass_ended) return;
  next_ = now + kBetween;
  draw(progress, std::chrono::duration<double>(now - began_).count());
}

void ProgressBar::note_pass(const Progress& progress) {
  mistakes_before_ = mistakes_;
  mistakes_ = progress.mistakes;
  if (!progress.gap || !(*progress.gap > 0)) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  if (!gap_ || *progress.gap < *gap_) gaps_.push_back({seconds, *progress.gap});
  if (gaps_.size() > kTrend) gaps_.erase(gaps_.begin());
  gap_ = progress.gap;
}

/// Predicts from the last few passes the seconds until the gap is the one asked for, if it goes on falling by the same
/// factor.
std::optional<double> ProgressBar::seconds_to_gap(double seconds) const {
  if (gaps_.size() < kTrend || !(gap_asked_ > 0) || *gap_ <= gap_asked_) return std::nullopt;
  const double fall = std::log(gaps_.front().gap / gaps_.back().gap);
  const double took = gaps_.back().seconds - gaps_.front().seconds;
  if (!(fall > 0) || !(took > 0)) return std::nullopt;
  const double left = std::log(*gap_ / gap_asked_) / fall * took - (seconds - gaps_.back().seconds);
  return left > 0 ? std::optional(left) : std::nullopt;
}

/// How near the end is, judged by the figure of the stopping rule.
std::vector<std::string> ProgressBar::trend_pieces(double seconds) const {
  std::vector<std::string> pieces;
  if (gap_) {
    std::string text = *gap_ < 1 ? fmt::format("gap {:.2g}", *gap_) : "no bound yet";
    if (gap_asked_ > 0) text += fmt::format(" ({:.2g} asked)", gap_asked_);
    pieces.push_back(text);
    if (const auto left = seconds_to_gap(seconds)) pieces.push_back(fmt::format("about {} left", duration(*left)));
  }
  if (mistakes_ && mistakes_before_) {
    pieces.push_back(
        fmt::format("{} last pass, {} before", counted(*mistakes_, "mistake"), with_commas(*mistakes_before_)));
  } else if (mistakes_) {
    pieces.push_back(fmt::format("{} last pass", counted(*mistakes_, "mistake")));
  }
  return pieces;
}

// "training  pass 13  42%  1.2M rows/s  gap 0.02 (0.001 asked)  about 12 s left". Limits aren't expected to be reached,
// so they don't predict any time.
std::vector<std::string> ProgressBar::pass_pieces(const Progress& progress, double part, double seconds) const {
  const auto done = static_cast<double>(rows_before_ + progress.rows);
  const double speed = done / std::chrono::duration<double>(Clock::now() - phase_began_).count();
  const auto all = static_cast<double>(progress.rows_in_all);
  const bool one_pass = passes_ == 0 || passes_ == 1;
  std::vector<std::string> pieces{work_.empty() ? std::string(phase_name(progress.phase)) : work_};
  if (!one_pass) pieces.push_back(fmt::format("pass {}", with_commas(progress.pass)));
  pieces.push_back(all > 0 ? fmt::format("{:.0f}%", 100 * part) : counted(progress.rows, "row"));
  pieces.push_back(fmt::format("{} rows/s", short_number(speed)));
  if (one_pass && all > 0 && speed > 0) {
    pieces.push_back(fmt::format("{} left", duration(std::max(0.0, (all - done) / speed))));
  }
  for (std::string& piece : trend_pieces(seconds)) pieces.push_back(std::move(piece));
  return pieces;
}

// Leaves out, from the end, what the terminal has no room for, because a line that it breaks couldn't be wiped out.
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
  std::fputs(fmt::format("\r{}\x1b[K", line).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace linsep::app
