// Makes every row of a data set into a leaf with its hash, in order. The leaves of a block are made on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "linsep/progress.h"
#include "linsep/source.h"
#include "proof/canonical.h"
#include "proof/sha256.h"

namespace linsep {

/// Looks at a leaf on the thread that made it; `thread` is below thread_count(options.threads). Leaves come in no
/// particular order.
using LeafJudge = std::function<void(const std::string& leaf, std::size_t thread)>;

/// Goes through the leaves of all rows that a proof is about. Throws a Refusal if there are others.
using EachLeaf = std::function<void(const LeafJudge& judge)>;

/// The rows of a source, from number `first` on, `count` of them; and how to go through them.
struct LeafRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  const ProofOptions& options;
  const Observer& observe;
  Phase phase = Phase::kSealing;
  LeafJudge judge = {};  ///< is called with each leaf, if there is one, before `f`
};

/// Calls `f` with every leaf and its leaf_hash, in the order of the rows, on the caller's thread. The source is read by
/// `written` in blocks. Throws as write_leaf does, for the first bad row, and throws an Error of kind kInterrupted.
void for_each_leaf(Source& data, const LabelSigns& labels, const LeafRun& run,
                   const std::function<void(const std::string& leaf, const Hash& hash)>& f);

}  // namespace linsep
