// LearnerInfo is one learner as the tables know it, and what is decided for it once the data's shape is known.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "linsep/options.h"

namespace linsep {

struct LearnerInfo {
  std::string_view name = {};
  std::string_view help = {};     ///< one sentence
  std::string_view formula = {};  ///< its problem or its rule, in one line of mathematics
  OptionTable table = {};         ///< all options the learner takes, with those of every learner ("passes", …) first
  bool regression = false;
  bool many = false;           ///< takes more than two classes, and several label columns
  bool starts = false;         ///< can start from a model
  bool objective = false;      ///< minimizes mean loss + (λ/2)‖θ‖², so it has a gap, a path of λ, probabilities
  bool mistake_bound = false;  ///< from θ = 0 it makes at most (R/γ)² mistakes on separable rows
};

/// Every learner, in the order in which the manual lists them.
std::span<const LearnerInfo> learners();
/// The learner of that name, or nullptr.
const LearnerInfo* find_learner(std::string_view name);
/// Throws a usage Error that names the nearest learner.
const LearnerInfo& learner_info(std::string_view name);

/// The order in which the rows of a pass are visited.
enum class VisitOrder {
  kGiven,     ///< in their given order
  kShuffled,  ///< each once, shuffled again in every pass
  kDrawn,     ///< drawn at random, some of them more than once
  kPermuted,  ///< in a random order made once, with small groups shuffled again in every pass, for coordinate descent
};
std::string_view visit_order_name(VisitOrder order);

/// The solver that a learner takes for data of a shape. All members are empty if it has only one.
struct SolverChoice {
  std::string solver = {};
  std::string because = {};    ///< in words that complete "…, because "
  std::string otherwise = {};  ///< the solver that takes over if the first turns out to be slow, or ""
  double worth_passes = 0;     ///< how many passes of the first are worth the whole of the other
};

}  // namespace linsep
