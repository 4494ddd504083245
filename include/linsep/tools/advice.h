// Why a run with a gap ended, in one sentence for a person and a code for a program.
//
// Pure: it is told what happened and decides what to say. `column_sizes` looks at the data where that is worth a pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/comm.h"
#include "linsep/train.h"

namespace linsep {

/// How large the values of a column are, of those that aren't 0.
struct ColumnSize {
  std::uint32_t column = 0;
  double size = 0;  ///< root mean square, about; 0 where all values are 0
  double least = 0, greatest = 0;
};
/// One pass over the rows of all workers, every column.
std::vector<ColumnSize> column_sizes(Source& source, Comm& comm);

/// The columns, at most `most`, whose size differs from the median size by more than a factor of 100, the furthest
/// first, when any two columns differ by more than 10⁴; else none.
std::vector<ColumnSize> outsized(std::vector<ColumnSize> columns, std::size_t most = 5);

struct StopFacts {
  StopReason reason = StopReason::kConverged;
  std::int64_t passes = 0;
  double gap = 1;            ///< reached
  double gap_asked = 0;      ///< stop at this one
  bool hard = false;         ///< the hard margin: rows are known to be separable
  bool no_mistakes = false;  ///< the classifier found separates the training rows
  std::vector<ColumnSize> outsized;
  std::vector<std::string> names;  ///< of `outsized`
  std::string data = "DATA";       ///< for commands that are named
  /// What stands before and after an option's name in the sentence; "--" and "" on the command line.
  std::string_view before_option = "'", after_option = "'";
};

struct StopAdvice {
  /// "gap_reached"; else the reason worth knowing most: "separable_no_optimum", "badly_scaled", "rounding"; else what
  /// ended the run: "passes", "time", "interrupted".
  std::string_view code;
  std::string sentence;  ///< begins with "Stopped: "
};
StopAdvice stop_advice(const StopFacts& facts);

}  // namespace linsep
