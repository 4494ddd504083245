// The bytes of a checkpoint: the run it belongs to, with a fingerprint of its data, how far it has come, and its
// learner's state.
// docs/reference/formats/checkpoint.md gives the layout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// Something that a run and the one that resumes it must have in common. It is worded so that "made with NAME VALUE"
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

/// Throws an input Error that begins with `path` and names the problem: not a checkpoint, another version of the
/// format, cut short, damaged.
SavedRun parse_checkpoint(std::string_view bytes, const std::string& path);

/// The learner with all its options, the map, where it starts, and the data (their size and data_fingerprint).
/// Collective.
RunFacts run_facts(const LearnerInfo& info, const Options& options, const TrainSpec& spec, Source& source, Comm& comm);

/// The first difference, in words that continue "the checkpoint …". Empty if there is none.
std::string first_difference(const RunFacts& saved, const RunFacts& now);

/// A fingerprint of data. Other rows, another order of them, another label or value give a different one.
struct DataFingerprint {
  std::int64_t rows = 0;
  std::uint32_t features = 0;
  std::uint64_t hash = 0;
  std::uint64_t own = 0;  ///< the hash of this worker's rows alone
};

/// The fingerprint of the rows of all workers, as they are stored, computed in one pass. How rows lie in batches, pages
/// and shards plays no part. The hash is the sum over rows of a hash of each (its number, label, weight, columns and
/// values). It detects accidental differences, not forgery. Collective.
DataFingerprint data_fingerprint(Source& source, Comm& comm);

}  // namespace linsep
