// Estimates how much memory a run will need before it is allocated, and shares it between the learner and the pages of
// its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "learn/entry.h"
#include "linsep/comm.h"
#include "linsep/plan.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// Bytes besides the rows.
struct MemoryNeed {
  std::uint64_t most = 0;        ///< an upper bound for any rows of this shape
  std::uint64_t least = 0;       ///< surely used, by columns alone
  std::uint64_t by_columns = 0;  ///< of `most`
  std::uint64_t columns = 0;     ///< of the (mapped) rows
  bool planned = false;          ///< `most` is what a plan states, so without a limit it counts as well as `least`
};

/// An option and its value that would fit into the given bytes, and what that needs.
struct SmallerChoice {
  std::string option, value;
  std::uint64_t bytes = 0;
};
/// The choices, by the bytes that are available.
using SmallerChoices = std::function<std::vector<SmallerChoice>(std::uint64_t bytes)>;

/// For data of this (mapped) shape. `parts` is the number of classifiers trained together, 0 for one.
MemoryNeed memory_need(const MemoryRates& rates, const Shape& shape, std::size_t parts);
MemoryNeed times(const MemoryNeed& need, std::uint64_t count);

/// The need of a plan whose rows have this (mapped) shape.
MemoryNeed training_need(const TrainPlan& plan, const Shape& shape, const TrainOptions& options);
/// The same for a plan to be carried out, with this many copies of the learner's state.
MemoryNeed planned_need(const TrainPlan& plan, const TrainOptions& options, std::uint64_t copies);
/// Other solvers for this plan, or if none fits, other losses. REQUIRES: both outlive the result.
SmallerChoices smaller_choices(const TrainPlan& plan, const TrainOptions& options, std::uint64_t copies);
/// `mistakes` is whether they are bounded too.
MemoryNeed certify_need(const Shape& shape, bool mistakes);
/// What the proof needs in addition if rows turn out not to be separable.
MemoryNeed proof_need(const Shape& shape);

/// How many copies of a learner's state exist at a time. Writing a checkpoint takes two more.
inline std::uint64_t copies_of_state(const TrainOptions& options) { return options.checkpoint.path.empty() ? 1 : 3; }

/// Throws a usage Error if the need is above `memory` bytes for the whole process. If `memory` is 0, a need above what
/// the system has left is a system Error. The need is then `need.most` for a plan, else `need.least`, so that nothing
/// that might fit is refused. If columns alone are too many, the Error names the widest and its place, after a pass
/// over the rows, and otherwise what of `smaller` would fit. The pages of a source, if it has any, get what is left of
/// `memory`. A collective call. The Error is the same on all workers.
void share_memory(Source& source, const MemoryNeed& need, std::uint64_t memory, Comm& comm,
                  const SmallerChoices& smaller = {});

/// The rows of a stream, whose columns may reach further with each batch. Whenever they do, the same is checked before
/// the learner sees them. nullptr if the size of `source` is known. REQUIRES: `source` and `plan` outlive the result.
std::unique_ptr<Source> watch_width(Source& source, const TrainPlan& plan, const TrainOptions& options);

}  // namespace linsep
