// A progress bar on standard error, only on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linsep/progress.h"

namespace linsep::app {
/// Appears when the work has taken a second, is redrawn at most ten times a second, and wipes itself out at the end. In
/// a pipe it does nothing. NO_COLOR takes its color away.
class ProgressBar {
 public:
  static constexpr std::int64_t kUnknownPasses = -1;

  /// `work` is what is under way, such as "reading", or "" to take it from the progress. At most `passes` will be made.
  /// 0 means that there is only one, and kUnknownPasses that the number is unknown. With several passes, the end is
  /// predicted from the fall of the gap alone. `gap_asked` is the gap to end with, or 0 if there is none.
  explicit ProgressBar(std::string work, std::int64_t passes = 0, double gap_asked = 0);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  void observe(const Progress& progress);
  void wipe();

 private:
  struct Measured {
    double seconds = 0, gap = 1;
  };
  void note_pass(const Progress& progress);
  std::optional<double> seconds_to_gap(double seconds) const;
  std::vector<std::string> trend_pieces(double seconds) const;
  std::vector<std::string> pass_pieces(const Progress& progress, double part, double seconds) const;
  void draw(const Progress& progress, double seconds);

  using Clock = std::chrono::steady_clock;
  std::string work_;
  std::int64_t passes_;
  double gap_asked_;
  bool wanted_;
  bool coloured_;
  bool drawn_ = false;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_;
  Phase phase_ = Phase::kReading;
  Clock::time_point phase_began_ = began_;
  std::int64_t rows_before_ = 0;                            // of the passes of this phase that have ended
  std::optional<std::int64_t> mistakes_, mistakes_before_;  // of the last pass and the one before it
  std::optional<double> gap_;                               // of the last pass
  std::vector<Measured> gaps_;                              // the last few that were lower than those before
};

}  // namespace linsep::app
