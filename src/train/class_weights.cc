#include "train/class_weights.h"

#include "core/binned_sums.h"
#include "learn/common_options.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr const char *kOption = "class-weight", *kPositive = "positive-weight", *kNegative = "negative-weight";

/// The total weight of the rows of each class.
std::vector<double> totals_of(Source& source, std::size_t classes, bool two, Comm& comm) {
  if (source.shape().rows < 0)
    throw option_error(kOption, "{} balanced needs a file, because it counts the rows first");
  BinnedSums sums;
  sums.resize(classes);
  rethrow_on_all(comm, [&] {
    source.rewind(0);
    while (const auto batch = source.next()) {
      for (std::int64_t i = 0; i < batch->rows; ++i) {
        const double y = batch->label[static_cast<std::size_t>(i)];
        sums.add(two ? (y > 0 ? 1 : 0) : static_cast<std::size_t>(y), batch->weight_of(i));
      }
    }
  });
  exact_all_reduce(comm, sums);
  std::vector<double> totals(classes);
  for (std::size_t c = 0; c < classes; ++c) totals[c] = sums.value(c);
  return totals;
}

}  // namespace

ClassWeights class_weights(const TrainPlan& plan, Source& source, Comm& comm) {
  ClassWeights weights;
  if (plan.options.contains(kPositive)) weights.positive = get_number(plan.options, kPositive);
  if (plan.options.contains(kNegative)) weights.negative = get_number(plan.options, kNegative);
  if (!plan.options.contains(kOption) || get_text(plan.options, kOption).empty()) return weights;
  const Schema& schema = source.schema();
  if (!schema.labels.empty()) throw option_error(kOption, "{} doesn't support several label columns");
  const ClassWeightRule rule = parse_class_weights(get_text(plan.options, kOption));
  const bool two = plan.parts == 0;
  const std::vector<std::string> classes =
      schema.classes.empty() ? std::vector<std::string>{"-1", "1"} : schema.classes;
  std::vector<double> totals;
  if (rule.balanced) totals = totals_of(source, classes.size(), two, comm);
  std::vector<double> found = weights_of_classes(rule, classes, totals);
  if (two) {
    weights.negative = found[0];
    weights.positive = found[1];
  } else {
    weights.by_class = std::move(found);
  }
  return weights;
}

Options learner_options(const TrainPlan& plan, const ClassWeights& weights) {
  Options options = plan.options;
  if (!options.contains(kOption) || plan.parts > 0) return options;
  options[kPositive] = weights.positive;
  options[kNegative] = weights.negative;
  return options;
}

}  // namespace linsep
