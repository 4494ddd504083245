// Checkpoint is what a run keeps on the disk, so that another can resume from there to the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "linsep/comm.h"

namespace linsep {

/// A file with the state of a run after a pass (docs/reference/formats/checkpoint.md). It is replaced as a whole, so a
/// crash at any moment leaves the old one or the new one. Each of several workers writes files of its own,
/// PATH.RANK-of-SIZE.a and .b in turn.
///
/// A run with a checkpoint ends only between two passes, however long a pass takes, so that nothing reached is lost.
struct Checkpoint {
  std::string path = {};          ///< if empty, none is kept
  double every_seconds = 60;      ///< by the run's clock, which it needs. 0 for not by time
  std::int64_t every_passes = 0;  ///< 0 for not by passes
  bool resume = false;            ///< resume from the file, or start afresh if there is none
  /// Called with a sentence about where the run resumes, or that it starts afresh, and when the file couldn't be
  /// written. In that case training continues, and the old file is unharmed.
  std::function<void(const std::string&)> tell = {};
};

/// Sets how often from text: "90s", "5m", "1.5h" or "10" passes (also "10 passes"). Throws a usage Error.
void set_every(Checkpoint& checkpoint, std::string_view text);

/// Throws a usage Error if the file exists and isn't to be resumed. `fit` checks this too, but a program can check it
/// before it reads the data. Collective.
void check_checkpoint(const Checkpoint& checkpoint, Comm& comm);

}  // namespace linsep
