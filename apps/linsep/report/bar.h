// A progress bar on standard error, on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linsep/progress.h"

namespace linsep::app {

/// Appears when the work has taken two seconds, is redrawn at most ten times a second, and wipes itself out at the
/// end. In a pipe it does nothing. NO_COLOR takes its colour away.
class ProgressBar {
 public:
  static constexpr std::int64_t kUnknownPasses = -1;

  /// `work` says what is under way: "reading". `passes`: at most this many will be made; 0: there is but one;
  /// kUnknownPasses: nobody can tell, so no time is foretold.
  explicit ProgressBar(std::string work, std::int64_t passes = 0);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  void observe(const Progress& progress);
  void wipe();

 private:
  std::vector<std::string> pass_pieces(const Progress& progress, double part, double seconds) const;
  void draw(const Progress& progress, double seconds);

  using Clock = std::chrono::steady_clock;
  std::string work_;
  std::int64_t passes_;
  bool wanted_;
  bool coloured_;
  bool drawn_ = false;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_;
  std::int64_t rows_before_ = 0;  // of the passes that have ended
  std::optional<std::int64_t> mistakes_;
};

}  // namespace linsep::app
