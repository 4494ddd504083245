// Distances, thresholds, calibration, weights, confusion and residuals, in sentences.
#include <fmt/format.h>

#include <cmath>

#include "picture/told/sentences.h"
#include "picture/words.h"

namespace linsep {
namespace {

bool theta_is_zero(const Told& told) {
  const Model* model = told.model();
  return model != nullptr && model->form == Model::Form::kLinear && norm_of(*model) == 0;
}

bool has_judged(const Told& told) { return !told.gathered.models.empty() && told.gathered.rows > 0; }

bool one_class(const Told& told) {
  std::int64_t classes = 0;
  for (const std::int64_t rows : told.gathered.class_rows) classes += rows > 0 ? 1 : 0;
  return classes == 1;
}

/// Whether rows have one score and a class.
bool are_two_classes(const Told& told) {
  return has_judged(told) && (told.gathered.task == kTwoClasses || told.gathered.task == kOneClass);
}

void tell_distances(const Told& told) {
  if (!are_two_classes(told)) return;
  if (theta_is_zero(told)) {
    const double offset = told.model()->offset;
    told.headline("distances", offset == 0 ? "θ is 0: every row lies on the boundary."
                                           : "θ is 0: every row has the same score, and there is no boundary.");
    return;
  }
  if (!told.picture.distances) return;
  told.headline("distances", wrong_text(told));
  const auto& names = told.picture.about.class_names;
  std::string caption = "Rows by their signed distance z/‖θ‖ from the boundary";
  if (names.size() == 2)
    caption += fmt::format(": class {} up, class {} down; wrong rows are hatched", names[1], names[0]);
  caption += told.picture.distances->margin ? ". Rules at 0 and at z = ±1." : ".";
  told.caption("distances", caption);
}

void tell_thresholds(const Told& told) {
  if (!are_two_classes(told)) return;
  if (one_class(told)) {
    told.headline("threshold", "All rows are of one class: there is nothing to trade off.");
    return;
  }
  if (!told.picture.thresholds) return;
  const Picture::Thresholds& at = *told.picture.thresholds;
  told.headline("threshold",
                fmt::format("Area under the ROC curve {}, average precision {} (of 1).",
                            at.area_text.empty() ? figure_text(at.area_under_curve) : at.area_text,
                            at.precision_text.empty() ? figure_text(at.average_precision) : at.precision_text));
  told.caption("threshold",
               fmt::format("What a threshold of z finds, and at what price: the rule on the distances and the "
                           "points on both curves move together. Muted rules: drawing lots, and the share of "
                           "positive rows, {}.",
                           figure_text(at.prevalence)));
}

void tell_calibration(const Told& told) {
  if (!told.picture.calibration) return;
  const Picture::CalibrationBins& bins = *told.picture.calibration;
  told.headline("calibration", fmt::format("Log loss {}, Brier score {} (0 is best).", figure_text(bins.log_loss),
                                           figure_text(bins.brier)));
  told.caption("calibration",
               "Ten bins of predicted probability: the share of positive rows in each, with Wilson's 95 % "
               "interval. On the diagonal predictions are right in the mean.");
}

void tell_weights(const Told& told) {
  const auto& weights = told.picture.weights;
  const Model* model = told.model();
  if (model == nullptr) return;
  if (theta_is_zero(told)) return told.headline("weights", "All weights are 0.");
  if (!weights || weights->heaviest.empty()) return;
  const auto& first = weights->heaviest.front();
  told.headline("weights", fmt::format("The heaviest weight is that of {}: {}.", first.name,
                                       first.text.empty() ? figure_text(first.weight) : first.text));
  const std::string rest = weights->rest > 0
                               ? fmt::format(" The rest: {}, {:.2g} % of ‖θ‖².", counted_text(weights->rest, "weight"),
                                             100 * weights->rest_share)
                               : "";
  told.caption("weights", "Weights by size; to the right they speak for the positive class." + rest);
  if (model->origin) {
    told.note("weights", "The classifier goes through the origin: θ0 is 0.");
  } else if (model->form == Model::Form::kLinear && model->offset == 0) {
    told.note("weights", "The offset θ0 is 0.");
  }
}

void tell_confusion(const Told& told) {
  if (!told.picture.confusion) return;
  const Picture::Confusion& table = *told.picture.confusion;
  const std::size_t k = table.classes.size();
  std::size_t most = 0;
  std::int64_t rows = 0;
  for (std::size_t cell = 0; cell < table.counts.size(); ++cell) {
    if (cell / k != cell % k && table.counts[cell] > rows) {
      rows = table.counts[cell];
      most = cell;
    }
  }
  std::string text = wrong_text(told);
  if (rows > 0) {
    if (!text.empty()) text.pop_back();
    text += fmt::format("{}most often {} is taken for {}: {}.", text.empty() ? "" : "; ", table.classes[most / k],
                        table.classes[most % k], counted_text(rows, "row"));
  }
  told.headline("confusion", text);
  told.caption("confusion", "Rows of each class by the class predicted; the diagonal is right.");
  if (table.left_out > 0) {
    told.note("confusion",
              fmt::format("The {} most confused classes are shown; {} more aren't.", k, count_text(table.left_out)));
  }
}

void tell_residuals(const Told& told) {
  if (!told.picture.residuals) return;
  const Picture::Residuals& residuals = *told.picture.residuals;
  told.headline("residuals",
                fmt::format("Root mean square of the residuals {}.", figure_text(residuals.root_mean_square)));
  told.caption("residuals",
               "Left: residuals y − z. Right: each row's y against its prediction z; on the diagonal it is "
               "right.");
  const auto shown = static_cast<std::int64_t>(residuals.at.size());
  if (shown > 0 && shown < told.gathered.rows) {
    told.note("residuals",
              fmt::format("{} of {} are points, drawn by a hash of the row number with seed {}; bins count "
                          "every row.",
                          count_text(shown), counted_text(told.gathered.rows, "row"), told.spec.seed));
  }
}

}  // namespace

std::string wrong_text(const Told& told) {
  if (!has_judged(told)) return "";
  const Model* model = told.model();
  if (model == nullptr || model->regression) return "";
  const ModelRows& rows = told.gathered.models.front();
  const std::string wrong =
      rows.mistakes == 0 ? fmt::format("None of {} is wrong", counted_text(told.gathered.rows, "row"))
                         : fmt::format("{} of {} {} wrong", count_text(rows.mistakes),
                                       counted_text(told.gathered.rows, "row"), rows.mistakes == 1 ? "is" : "are");
  if (told.gathered.task != kTwoClasses || !(told.gathered.norm > 0) || !std::isfinite(rows.least_right)) {
    return wrong + ".";
  }
  const std::string distance = figure_text(rows.least_right / told.gathered.norm);
  return rows.mistakes == 0 ? fmt::format("{}; the nearest is {} from the boundary.", wrong, distance)
                            : fmt::format("{}; the nearest right one is {} from the boundary.", wrong, distance);
}

void tell_model(const Told& told) {
  tell_distances(told);
  tell_thresholds(told);
  tell_calibration(told);
  tell_weights(told);
  tell_confusion(told);
  tell_residuals(told);
}

}  // namespace linsep
