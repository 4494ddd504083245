// For the tests of this room: rows in the order that a margin solver wants, which outside of tests train sees to.
#pragma once

#include <memory>

#include "data/memory_source.h"
#include "data/permute.h"
#include "learn/margin/solvers.h"

namespace linsep::testing {

/// nullptr where the order of `source`, which is in memory, serves.
inline std::unique_ptr<Source> wanted_order(Source& source, const Options& options, int threads = 1) {
  const SolverChoice choice = choose_margin_solver(options, source.shape());
  if (find_solver(choice.solver)->order == VisitOrder::kGiven) return nullptr;
  auto& memory = dynamic_cast<MemorySource&>(source);
  const auto seed = static_cast<std::uint64_t>(get_integer(options, "seed"));
  return memory.borrowed() ? index_rows(memory, seed) : permute_rows(memory, seed, threads);
}

}  // namespace linsep::testing
