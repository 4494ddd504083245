// Progress is one plain record per pass. Bars, logs and plots read it, and nothing else reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace linsep {

/// The kind of work under way.
enum class Phase {
  kReading,
  kPaging,
  kPermuting,
  kTraining,
  kMeasuring,
  kCertifying,
  kSealing,
  kChecking,
  kPredicting,
  kGenerating,
};
/// "reading", "writing pages", "permuting", "training", "measuring", "certifying", "sealing", "checking", "predicting",
/// "generating".
std::string_view phase_name(Phase phase);

struct Progress {
  std::int64_t pass = 0;                       ///< from 1
  std::int64_t rows = 0;                       ///< rows visited in this pass so far
  std::int64_t rows_in_all = -1;               ///< rows of a whole pass, or −1 if not known
  bool pass_ended = false;                     ///< if false, a sign of life during a pass, in which only rows are valid
  double seconds = 0;                          ///< since training began, by the clock given, or 0 without one
  std::optional<std::int64_t> mistakes = {};   ///< of this pass
  std::optional<double> objective = {};        ///< of the stated objective
  std::optional<double> gap = {};              ///< (primal − dual) / primal
  std::optional<std::int64_t> witnesses = {};  ///< packed so far. `rows` are then the mistakes tried
  std::optional<double> residual = {};         ///< regression and conjugate gradients: what the stopping rule tests
  Phase phase = Phase::kTraining;
  std::int64_t passes_in_all = 0;  ///< at most, or 0 if not known. Reading and the like are one pass
};

/// Called on the thread that called the library, never on one of its own. An exception from it ends the call.
using Observer = std::function<void(const Progress&)>;

}  // namespace linsep
