// Progress, mistakes and mistakes by row, in sentences.
#include <fmt/format.h>

#include <algorithm>

#include "linsep/stop_reason.h"
#include "picture/told/labels.h"
#include "picture/told/sentences.h"
#include "picture/words.h"

namespace linsep {
namespace {

using History = Picture::History;

bool is(const History& history, StopReason reason) { return history.reason == stop_reason_name(reason); }
bool counts_mistakes(const History& history) { return !history.bars.empty(); }

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// "the objective is within 0.08 % of the least possible": what the last pass knows.
std::string gap_words(const History& history) {
  if (history.passes.empty() || !history.passes.back().gap) return "";
  const double gap = *history.passes.back().gap;
  if (!(gap < 1)) return "no bound on the objective is known yet";
  return fmt::format("the objective is within {} of the least possible{}", percent(gap),
                     history.gap_asked ? fmt::format(" (asked: {})", percent(*history.gap_asked)) : "");
}

std::string converged_words(const History& history) {
  if (counts_mistakes(history)) return "a pass made no mistake";
  if (!gap_words(history).empty()) return gap_words(history);
  return "it was done";
}

std::int64_t mistakes_made(const History& history) { return history.bars.back().mistakes_so_far.value_or(0); }

std::string bound_caption(const Told& told) {
  const auto& bound = told.picture.bound;
  if (!bound) return "";
  const Model* model = told.model();
  const bool origin = model != nullptr && model->origin;
  return fmt::format(
      "From θ = 0 a perceptron makes at most {} mistakes in any order of these rows: (R/γ)², R = {}, γ = {}{}.",
      bound->mistakes_text, figure_text(bound->radius), figure_text(bound->margin),
      origin ? "" : ", the offset counted as a feature that is 1");
}

void tell_mistakes(const Told& told) {
  const History& history = *told.picture.history;
  told.headline("mistakes", mistakes_text(told));
  std::string caption = "Bars: mistakes in each pass. The line on its own panel adds them up.";
  if (history.group > 1) {
    caption = fmt::format("Each bar is the sum over {} passes. The line on its own panel adds them up.", history.group);
  }
  const std::int64_t made = mistakes_made(history);
  constexpr double kNear = 3;
  if (told.picture.bound && told.picture.bound->mistakes <= kNear * static_cast<double>(made)) {
    caption += " Dashed: the bound, at most.";
  }
  if (made > 0) told.caption("mistakes", caption);
  told.note("mistakes", bound_caption(told));
  const Model* model = told.model();
  if (!told.picture.bound && model != nullptr && has_mistake_bound(*model) && model->options.contains("init") &&
      !get_numbers(model->options, "init").empty()) {
    told.note("mistakes", "This run didn't begin at θ = 0, where the bound (R/γ)² holds.");
  }
}

void tell_progress(const Told& told) {
  const History& history = *told.picture.history;
  const bool measured = std::ranges::any_of(
      history.passes, [](const History::Pass& pass) { return pass.objective || pass.gap || pass.residual; });
  if (!measured && counts_mistakes(history)) return;  // the mistakes say it
  told.headline("progress", run_text(told));
  if (!measured) return told.note("progress", "This learner measures nothing on the way.");
  if (history.passes.size() == 1) told.note("progress", "One pass was made: there is no curve to draw.");
  if (history.passes.back().gap) {
    told.caption("progress",
                 "Line: the objective after each pass. Dashed: no classifier's objective is below it, at least as the "
                 "gap proves. Below: the gap between the two, as a share of the objective.");
  } else if (history.passes.back().residual) {
    told.caption("progress", "What the stopping rule looks at, after each pass.");
  }
  if (static_cast<std::int64_t>(history.passes.size()) < history.passes_made) {
    told.note("progress", fmt::format("{} of {} passes are drawn: the first, the last, and of each stretch the best "
                                      "and the worst.",
                                      count_text(static_cast<std::int64_t>(history.passes.size())),
                                      count_text(history.passes_made)));
  }
}

void tell_alpha(const Told& told) {
  const auto& alpha = told.picture.alpha;
  if (!alpha || alpha->rows.empty()) return;
  const auto& most = alpha->rows.front();
  const std::string id = most.id.empty() ? "" : fmt::format(" ({})", most.id);
  told.headline("rows", fmt::format("Row {}{} was corrected most: {}.", most.row + 1, id,
                                    most.alpha == 1 ? "once" : fmt::format("{} times", count_text(most.alpha))));
  told.caption("rows", "α is how often a row was corrected; θ is its start and the sum of α·y·x over all rows.");
  if (!alpha->rest.empty()) {
    told.note("rows", fmt::format("The {} largest are shown, {}.", alpha->rows.size(), alpha->rest));
  }
}

}  // namespace

std::string reason_text(const Picture::History& history) {
  if (is(history, StopReason::kConverged)) return converged_words(history);
  if (is(history, StopReason::kPasses)) return "no more passes were allowed";
  if (is(history, StopReason::kTime)) return "the time ran out";
  if (is(history, StopReason::kInterrupted)) return "it was interrupted";
  if (is(history, StopReason::kEndOfStream)) return "the rows had come to their end";
  if (is(history, StopReason::kStalled)) return "only rounding is left";
  if (is(history, StopReason::kInseparable)) return "no linear classifier separates the rows";
  return "";
}

std::string mistakes_text(const Told& told) {
  const auto& history = told.picture.history;
  if (!history || !counts_mistakes(*history)) return "";
  const std::string made = counted_text(mistakes_made(*history), "mistake");
  const std::string passes = passes_text(history->passes_made);
  if (mistakes_made(*history) == 0) return fmt::format("No mistake in {}.", passes);
  if (told.picture.bound) return fmt::format("{}, of at most {}.", made, told.picture.bound->mistakes_text);
  if (history->bars.back().mistakes && is(*history, StopReason::kConverged)) {
    return fmt::format("{} in {}; the last pass made none.", made, passes);
  }
  const auto& proof = told.picture.proof;
  if (proof && (proof->verdict == "overlapping" || proof->verdict == "quasi-separable")) {
    return fmt::format("{} in {}, and a clean pass will never come: the rows can't be separated.", made, passes);
  }
  if (told.gathered.task == kSeveralClasses || told.gathered.task == kLabelColumns) {
    return fmt::format("{} in {} and no clean pass.", made, passes);
  }
  return fmt::format("{} in {} and no clean pass: no bound is known for these rows, `certify` decides.", made, passes);
}

std::string run_text(const Told& told) {
  const auto& history = told.picture.history;
  if (!history) return "";
  const std::string reason = reason_text(*history);
  const std::string gap = is(*history, StopReason::kConverged) ? "" : gap_words(*history);
  return fmt::format("{} stopped after {}{}{}.", learner_words(history->learner), passes_text(history->passes_made),
                     reason.empty() ? "" : ": " + reason, gap.empty() ? "" : "; " + gap);
}

void tell_run(const Told& told) {
  if (!told.picture.history) return;
  tell_progress(told);
  if (counts_mistakes(*told.picture.history)) tell_mistakes(told);
  tell_alpha(told);
}

}  // namespace linsep
