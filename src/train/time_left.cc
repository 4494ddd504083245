#include "train/time_left.h"

namespace linsep {

bool TimeLeft::overdue(bool finishing) const {
  if (interrupted()) {
    if (!options_.clock) return !finishing;
    double noticed = std::numeric_limits<double>::infinity();
    const double now = options_.now();
    if (noticed_.compare_exchange_strong(noticed, now)) noticed = now;
    if (now - noticed >= kGrace) return true;
  }
  return limited() && left() + kGrace <= 0;
}

void TimeLeft::end_pass(const Progress& progress) {
  last_pass_ = options_.now() - pass_began_;
  // The first pass often looks at labels alone, or waits for pages that are not in memory yet.
  if (progress.pass > 1) longest_pass_ = std::max(longest_pass_, last_pass_);
}

double TimeLeft::seconds_to_finish(const Progress& progress) const {
  double pass = longest_pass_;
  double rest = last_pass_;  // of the pass under way
  if (progress.rows > 0 && progress.rows_in_all > 0 && !progress.pass_ended) {
    const double share = static_cast<double>(progress.rows) / static_cast<double>(progress.rows_in_all);
    const double whole = (options_.now() - pass_began_) / share;
    pass = std::max(pass, whole);
    rest = whole * (1 - share);
  }
  return rest + 2 * pass;
}

}  // namespace linsep
