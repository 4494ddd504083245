#include "picture/told/sentences.h"

#include <fmt/format.h>

#include "linsep/stop_reason.h"
#include "picture/parts.h"
#include "picture/words.h"

namespace linsep {
namespace {

std::string one_class_text(const Told& told) {
  const auto& counts = told.gathered.class_rows;
  const auto& names = told.picture.about.class_names;
  for (std::size_t k = 0; k < counts.size() && k < names.size(); ++k) {
    if (counts[k] > 0) {
      return fmt::format("All {} are of class {}: there is nothing to separate.",
                         counted_text(told.gathered.rows, "row"), names[k]);
    }
  }
  return "";
}

/// "z = 2·x1 + 2·x2 − 3, proven margin 0.353553": what the verdict's sentence is followed by.
std::string separator_words(const Picture::Proof& proof) {
  if (proof.separator.empty()) return "";
  const std::string margin = proof.margin ? fmt::format(", proven margin {}", figure_text(*proof.margin)) : "";
  return fmt::format("{}{}", proof.separator, margin);
}

/// What separates rows is called by how many features there are.
std::string separating_thing(const Told& told) {
  const Model* model = told.model();
  if (model != nullptr && model->map.kind != FeatureMap::Kind::kNone)
    return "A linear classifier of " + told.picture.about.map;
  switch (told.gathered.features) {
    case 1:
      return "A point";
    case 2:
      return "A line";
    case 3:
      return "A plane";
    default:
      return "A linear classifier";
  }
}

std::string summary_verdict(const Told& told) {
  if (told.gathered.task == kOneClass) return one_class_text(told);
  const auto& proof = told.picture.proof;
  if (!proof) return "";
  const std::string separator = separator_words(*proof);
  if (proof->verdict != "separable" || separator.empty()) return verdict_text(told);
  return fmt::format("{} separates the classes: {}.", separating_thing(told), separator);
}

/// After a verdict that the rows are separable: "The perceptron found one after 18 mistakes, of at most 51."
std::string summary_run(const Told& told) {
  const auto& history = told.picture.history;
  if (!history) return "";
  const bool clean = history->reason == stop_reason_name(StopReason::kConverged) && !history->bars.empty();
  if (clean && told.picture.proof && told.picture.proof->verdict == "separable" && !history->learner.empty()) {
    const std::int64_t mistakes = history->bars.back().mistakes_so_far.value_or(0);
    return fmt::format("The {} found one after {}{}.", history->learner, counted_text(mistakes, "mistake"),
                       told.picture.bound ? fmt::format(", of at most {}", told.picture.bound->mistakes_text) : "");
  }
  return history->bars.empty() ? run_text(told) : mistakes_text(told);
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + " " + second;
}

/// "4 rows × 2 features", where nothing else is known.
std::string size_text(const Told& told) {
  if (told.gathered.rows < 0) return "";
  std::string text =
      fmt::format("{} × {}", counted_text(told.gathered.rows, "row"), counted_text(told.gathered.features, "feature"));
  const auto& names = told.picture.about.class_names;
  if (names.size() == 2) text += fmt::format(", classes {} and {} (positive)", names[0], names[1]);
  if (names.size() > 2) text += fmt::format(", {} classes", count_text(static_cast<std::int64_t>(names.size())));
  return text + ".";
}

void tell_summary(const Told& told) {
  std::string text = joined(summary_verdict(told), summary_run(told));
  if (told.picture.models.size() > 1) {
    text = joined(text, comparison_text(told));
  } else if (!told.picture.history || (!told.gathered.models.empty() && told.gathered.models.front().mistakes > 0)) {
    text = joined(text, wrong_text(told));
  }
  if (text.empty()) text = size_text(told);
  const auto& models = told.picture.models;
  if (text.empty() && !models.empty() && !models.front().formula.empty()) text = models.front().formula + ".";
  told.headline("summary", text);
  if (told.gathered.rows == 0) told.note("summary", "There are no rows.");
  if (told.picture.about.not_finite > 0) {
    told.note("summary", fmt::format("{} {} a score that is not a finite number: they count as mistakes and are in no "
                                     "chart. Values or weights are too large for sums of doubles.",
                                     counted_text(told.picture.about.not_finite, "row"),
                                     told.picture.about.not_finite == 1 ? "has" : "have"));
  }
  if (told.spec.no_rows) told.note("summary", "Counts only: nothing of a single row is in this file.");
}

}  // namespace

const Model* Told::model() const {
  if (!input.models.empty()) return input.models.front().model;
  return input.trained != nullptr ? &input.trained->model : nullptr;
}

std::string passes_text(std::int64_t passes) {
  return passes == 1 ? "1 pass" : fmt::format("{} passes", count_text(passes));
}

std::string learner_words(const std::string& learner) {
  if (learner.empty()) return "The run";
  std::string text = learner;
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

void add_sentences(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  const Told told{picture, input, spec, gathered};
  tell_summary(told);
  tell_run(told);
  tell_space(told);
  tell_model(told);
  tell_proof(told);
  told.headline("made", spec.version.empty() ? "" : fmt::format("Made by linsep {}.", spec.version));
}

}  // namespace linsep
