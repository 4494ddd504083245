// What a selection is to do: its options and the λ of its path, as written or as the data suggests; which λ is chosen,
// and where a path goes on whose best λ stands at one of its ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learn/margin/losses.h"
#include "learn/margin/penalty.h"
#include "linsep/select.h"

namespace linsep {

/// How a point is chosen.
struct Choice {
  bool by_loss = false;       ///< by held-out loss, not error
  bool one_se = false;        ///< the greatest λ within one standard error of the best
  std::int64_t features = 0;  ///< the most of the model; 0: no limit
};

struct SelectionPlan {
  Options options;  ///< of the learner, complete
  Loss loss = Loss::kHinge;
  bool origin = false;
  std::uint64_t seed = 1;
  std::int64_t folds = 0;
  bool own_lambda = false;
  Penalty penalty = {};
  Choice choice;
  /// How many λ may be tried beyond those asked for, where the best stands at an end of a grid: 0 where each was
  /// listed.
  std::size_t most_added = 0;
  std::string lambdas, cs, probabilities;
};

/// Throws a usage Error where the two sets of options don't fit each other.
SelectionPlan plan_selection(const TrainSpec& spec, const Options& selection);

/// Whether the λ to try depend on the rows: on how far they lie from each other, or, where the penalty has an L1 part,
/// on the least λ that leaves every weight at 0.
bool wants_square(const SelectionPlan& plan);
bool wants_greatest(const SelectionPlan& plan);
/// The λ to try, descending: those listed, or what suits rows of this square (RowSurvey) or least λ without a weight,
/// and this total weight.
std::vector<double> lambdas_of(const SelectionPlan& plan, double suited_to, double weight);

/// "1e-2,1e-3,0.5", or "1e-1:1e-5:9": nine from the first to the second in equal ratios. Descending, each once.
/// Throws a usage Error, which calls the option by its name.
std::vector<double> parse_lambdas(std::string_view text, std::string_view option = "lambdas");

/// Seven powers of ten, down from the one nearest `square`/10, where `square` is the mean squared distance of the rows
/// from their mean: at λ = `square` the classifier hardly moves.
std::vector<double> usual_lambdas(double square);

/// 100 values down to a hundredth of the first.
std::vector<double> l1_lambdas(double greatest);

/// The index of least held-out error, or loss; of equals the first, whose λ is greatest. Without a λ that all folds are
/// done with, or without folds, the last that is finished on all rows. Points with too many features don't count unless
/// all have. `path`: λ descending, at least one.
std::size_t choose_point(const std::vector<SelectionPoint>& path, const Choice& choice);

/// The λ to try next: where the best is the first or the last and better than its neighbour, one more in that
/// direction, by the factor `ratio`. Nothing if it isn't at an end, or hasn't been held out everywhere.
std::optional<double> next_lambda(const std::vector<SelectionPoint>& path, const Choice& choice, double ratio);

}  // namespace linsep
