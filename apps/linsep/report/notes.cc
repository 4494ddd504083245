#include "report/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "linsep/tools/shown_text.h"
#include "output.h"
#include "report/words.h"

namespace linsep::app {

std::string dropped_sentence(std::int64_t rows) {
  if (rows == 0) return "";
  return fmt::format("{} without a label {} left out.\n", counted(rows, "row"), rows == 1 ? "was" : "were");
}

std::string not_finite_sentence(std::int64_t rows) {
  if (rows == 0) return "";
  return fmt::format(
      "{} {} a score that is not a finite number: values or weights are too large for sums of doubles. Scale the "
      "columns "
      "and train anew.\n",
      counted(rows, "row"), rows == 1 ? "has" : "have");
}

std::string few_positive_sentence(const Model& model, const Evaluation& result) {
  const auto loss = model.options.find("loss"), hard = model.options.find("hard");
  const bool takes_loss = loss != model.options.end() && scores_per_row(model) == 1 && !model.regression;
  if (!takes_loss || has_probabilities(model) || (hard != model.options.end() && hard->second == OptionValue(true)))
    return "";
  const std::int64_t positive = result.true_positive + result.false_negative, rows = result.rows - result.not_finite;
  if (positive == 0 || positive > rows / 100) return "";
  return fmt::format(
      "Only {} of {} {} positive, and the {} loss says little of which of the others come next: where rows are to be "
      "ranked,\ntry --loss logistic; `linsep evaluate` shows it as average precision.\n",
      thousands(positive), counted(rows, "row"), positive == 1 ? "is" : "are", option_text(loss->second));
}

std::string unknown_columns_sentence(const UnknownColumns& unknown) {
  constexpr std::size_t kShown = 5;
  const bool one = unknown.count == 1;
  if (unknown.count == 0) return "";
  std::vector<std::string> shown;
  for (const std::string& name : unknown.names) {
    if (shown.size() < kShown) shown.push_back(shown_text(name));
  }
  if (unknown.names.size() > kShown) shown.emplace_back("…");
  return fmt::format("{} of the data {} of the model{}: {} for nothing.\n", counted(unknown.count, "column"),
                     one ? "is no feature" : "are no features",
                     shown.empty() ? "" : fmt::format(" ({})", fmt::join(shown, ", ")),
                     one ? "it counts" : "they count");
}

void tell(const std::string& sentence) {
  if (!sentence.empty()) print("linsep: " + sentence, stderr);
}

}  // namespace linsep::app
