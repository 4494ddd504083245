#include "train/select/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "learn/margin/choice.h"
#include "linsep/error.h"
#include "train/select/lambdas.h"

namespace linsep {
namespace {

constexpr std::int64_t kFoldsOfProbabilities = 5;
constexpr std::size_t kMostAdded = 6;

void require_objective(const LearnerInfo& learner) {
  if (learner.objective) return;
  std::vector<std::string_view> able;
  for (const LearnerInfo& info : learners()) {
    if (info.objective) able.push_back(info.name);
  }
  throw options_error(
      {"lambdas", "Cs", "cv", "probabilities"},
      fmt::format("{{}}, {{}}, {{}} and {{}} are for the learner {}, not {}", fmt::join(able, " or "), learner.name));
}

}  // namespace

SelectionPlan plan_selection(const TrainSpec& spec, const Options& given) {
  const Options selection = complete_options(selection_options(), given);
  const LearnerInfo& learner = learner_info(spec.learner);
  require_objective(learner);
  SelectionPlan plan;
  plan.options = complete_options(learner.table, spec.options);
  plan.loss = margin_loss(plan.options);
  plan.origin = get_flag(plan.options, "origin");
  plan.seed = static_cast<std::uint64_t>(get_integer(plan.options, "seed"));
  plan.lambdas = get_text(selection, "lambdas");
  plan.cs = get_text(selection, "Cs");
  plan.by_loss = get_text(selection, "choose") == "loss";
  plan.probabilities = get_text(selection, "probabilities");
  plan.folds = get_integer(selection, "cv");
  if (plan.by_loss && plan.folds == 0) {
    throw options_error({"choose", "cv"}, "{} decides in a cross-validation: add {} FOLDS");
  }
  if (plan.folds == 1) throw option_error("cv", "{} takes two folds at least");
  const bool strength = spec.options.contains("lambda") || spec.options.contains("C");
  const bool listed = !plan.lambdas.empty() || !plan.cs.empty();
  if (!plan.lambdas.empty() && !plan.cs.empty()) {
    throw options_error({"lambdas", "Cs"}, "{} and {} say the same: leave one out");
  }
  if (listed && strength) {
    throw options_error({"lambdas", "Cs", "lambda", "C"}, "{} and {} say what {} or {} would: leave those out");
  }
  plan.own_lambda = !listed && (strength || plan.folds == 0);
  const bool each_listed = listed && (plan.lambdas + plan.cs).find(':') == std::string::npos;
  if (plan.folds > 0 && !plan.own_lambda && !each_listed) plan.most_added = kMostAdded;
  if (plan.folds == 0 && plan.probabilities != "none") plan.folds = kFoldsOfProbabilities;
  // What is wrong with them should be said before reading.
  if (!plan.lambdas.empty()) parse_lambdas(plan.lambdas);
  if (!plan.cs.empty()) parse_lambdas(plan.cs, "Cs");
  return plan;
}

bool wants_square(const SelectionPlan& plan) { return !plan.own_lambda && plan.lambdas.empty() && plan.cs.empty(); }

std::vector<double> lambdas_of(const SelectionPlan& plan, double square, double weight) {
  if (!plan.lambdas.empty()) return parse_lambdas(plan.lambdas);
  if (!plan.cs.empty()) {
    std::vector<double> values = parse_lambdas(plan.cs, "Cs");
    std::reverse(values.begin(), values.end());
    for (double& value : values) value = 1 / (value * weight);
    return values;
  }
  if (!plan.own_lambda) return usual_lambdas(square);
  const double lambda = get_number(plan.options, "lambda");
  return {lambda > 0 ? lambda : 1 / (get_number(plan.options, "C") * weight)};
}

const OptionTable& selection_options() {
  static const OptionTable kTable = {
      text_option("lambdas", "",
                  "Train for each of these λ, from the greatest to the least: 1e-2,1e-3 or FROM:TO:COUNT."),
      text_option("Cs", "", "The same by C: λ = 1/(C·rows)."),
      integer_option("cv", 0, 0, 1000, "Choose λ by cross-validation with so many folds."),
      choice_option("choose", "error", {"error", "loss"},
                    "What decides in a cross-validation: held-out error or loss."),
      choice_option("probabilities", "none", {"none", "platt", "isotonic"},
                    "Fit probabilities to scores of rows held out: a sigmoid, or a function that never falls."),
  };
  return kTable;
}

bool asks_for_selection(const Options& selection) {
  return !get_text(selection, "lambdas").empty() || !get_text(selection, "Cs").empty() ||
         get_integer(selection, "cv") != 0 || get_text(selection, "probabilities") != "none";
}

}  // namespace linsep
