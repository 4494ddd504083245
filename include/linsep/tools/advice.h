// How close a run with a gap came, why it ended and what would help, in sentences for people and a code for programs.
//
// `stop_advice` is a pure function. `column_sizes` takes a pass over the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/comm.h"
#include "linsep/train.h"

namespace linsep {

/// How large the nonzero values of a column are.
struct ColumnSize {
  std::uint32_t column = 0;
  double size = 0;  ///< about the root mean square, or 0 if all values are 0
  double least = 0, greatest = 0;
};
/// One pass over the rows of all workers, every column.
std::vector<ColumnSize> column_sizes(Source& source, Comm& comm);

/// The columns, at most `most`, whose size differs from the median size by more than a factor of 100, the furthest
/// first. None unless some two columns differ by more than 10⁴.
std::vector<ColumnSize> outsized(std::vector<ColumnSize> columns, std::size_t most = 5);

/// The gap of the last pass, with several classifiers the largest. Nothing if the learner has none.
std::optional<double> gap_reached(const Outcome& outcome);

struct StopFacts {
  StopReason reason = StopReason::kConverged;
  std::int64_t passes = 0;
  double gap = 1;           ///< reached
  double gap_asked = 0;     ///< stop at this one
  std::size_t lambdas = 0;  ///< in a path of several λ, how many were planned, and how many finished
  std::size_t finished = 0;
  bool hard = false;         ///< for the hard margin, rows are known to be separable
  bool no_mistakes = false;  ///< the classifier found separates the training rows
  std::vector<ColumnSize> outsized = {};
  std::vector<std::string> names = {};  ///< of `outsized`
  std::string data = "DATA";            ///< in suggested commands
  /// Written before and after an option's name. On the command line they are "--" and "".
  std::string_view before_option = "'", after_option = "'";
};

struct StopAdvice {
  /// "gap_reached". Otherwise the reason most worth knowing: "separable_no_optimum", "badly_scaled", "rounding".
  /// Otherwise what ended the run: "passes", "time", "interrupted".
  std::string_view code;
  std::string reached;  ///< "proven within 0.08 % of the best possible (asked: 0.1 %)", of the objective
  std::string advice;   ///< what ended the run and what would help, or "" if the gap asked for was reached
  /// "Objective proven within 2 % of the best possible (asked: 0.1 %). Out of time after 12 passes: …"
  std::string sentence() const;
};
StopAdvice stop_advice(const StopFacts& facts);

}  // namespace linsep
