// SolverEntry: one solver of the margin learner as the choice between them knows it, a plain value beside its code.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "learn/entry.h"
#include "learn/margin/task.h"

namespace linsep {

struct SolverEntry {
  std::string_view name = {};
  std::string_view help = {};     ///< its method, in a few words
  std::vector<Loss> losses = {};  ///< that it solves; none: it is for the hard margin
  bool any_workers = false;       ///< runs on any number of workers, with the same result
  VisitOrder order = VisitOrder::kGiven;
  /// `start` may be nullptr, and is for the hard margin.
  std::unique_ptr<Learner> (*make)(const MarginSettings& settings, const Model* start) = nullptr;
  MemoryRates (*memory)(std::uint64_t threads) = nullptr;

  bool solves(Loss loss) const { return std::find(losses.begin(), losses.end(), loss) != losses.end(); }
};

}  // namespace linsep
