// The bytes of a checkpoint: what run it belongs to, how far that has come, and its learner's state.
// docs/formats/checkpoint.md gives the layout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/progress.h"
#include "linsep/train.h"

namespace linsep {

/// Something that a run and the one that resumes it must have in common, worded so that "made with NAME VALUE"
/// reads well: {"--C", "1"}.
struct RunFact {
  std::string name, value;

  bool operator==(const RunFact&) const = default;
};
using RunFacts = std::vector<RunFact>;

/// One worker's state after a pass.
struct SavedRun {
  RunFacts facts;
  std::int32_t rank = 0, workers = 1;
  std::int64_t pass = 0;  ///< passes made
  double seconds = 0;     ///< of training, by the run's clock
  std::vector<Progress> history;
  std::string state;  ///< Learner::save_state
};

std::string checkpoint_bytes(const SavedRun& run);

/// Throws an input Error that begins with `path` and says what is wrong: not a checkpoint, another version of the
/// format, cut short, damaged.
SavedRun parse_checkpoint(std::string_view bytes, const std::string& path);

/// The learner with all its options, the map, where it starts, and the data: their size and data_fingerprint.
/// Collective.
RunFacts run_facts(const LearnerInfo& info, const Options& options, const TrainSpec& spec, Source& source, Comm& comm);

/// What the first difference is, in words that continue "the checkpoint …"; empty where there is none.
std::string first_difference(const RunFacts& saved, const RunFacts& now);

}  // namespace linsep
