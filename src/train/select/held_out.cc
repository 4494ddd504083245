#include "train/select/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/kernel.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// The standard error of the mean of some values; 0 for fewer than two.
double spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  if (count < 2) return 0;
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  for (const double x : values) squares += (x - sum / count) * (x - sum / count);
  return std::sqrt(squares / (count - 1) / count);
}

}  // namespace

RowSurvey survey_rows(Source& rows, bool origin) {
  RowSurvey survey;
  const auto count = static_cast<std::size_t>(rows.shape().rows);
  survey.positive.resize(count);
  std::vector<double> mean(rows.shape().features, 0);
  double square = 0;
  bool first = true;
  rows.rewind(0);
  while (const auto batch = rows.next()) {
    if (first) survey.first_row = batch->number_of(0);
    first = false;
    if (!batch->weight.empty() && survey.weight.empty()) survey.weight.assign(count, 1);
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const auto at = static_cast<std::size_t>(batch->number_of(i) - survey.first_row);
      const double y = batch->label[static_cast<std::size_t>(i)];
      if (y != 1 && y != -1) {
        throw input_error(fmt::format("row {}: the label must be −1 or +1, not {}", batch->number_of(i) + 1, y));
      }
      survey.positive[at] = y > 0 ? 1 : 0;
      if (!survey.weight.empty()) survey.weight[at] = batch->weight_of(i);
      square += squared_norm(row);
      if (!origin) axpy(1, row, mean.data());
    });
  }
  double centre = 0;
  const double n = static_cast<double>(std::max<std::size_t>(count, 1));
  for (const double sum : mean) centre += sum / n * (sum / n);
  survey.square = std::max(0.0, square / n - centre);
  return survey;
}

double total_weight(const RowSurvey& survey, const ClassWeights& classes) {
  double total = 0;
  for (std::size_t row = 0; row < survey.positive.size(); ++row) {
    total += survey.weight_of(row) * (survey.positive[row] != 0 ? classes.positive : classes.negative);
  }
  return total;
}

HeldOut summarise_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes) {
  struct Part {
    double rows = 0, mistakes = 0, weight = 0, loss = 0;
  };
  std::vector<Part> parts(static_cast<std::size_t>(folds));
  for (std::size_t row = 0; row < score.size(); ++row) {
    Part& part = parts[fold[row]];
    const bool positive = survey.positive[row] != 0;
    const double margin = positive ? score[row] : -score[row];
    const double weight = survey.weight_of(row) * (positive ? classes.positive : classes.negative);
    part.rows += 1;
    if (!(margin > 0)) part.mistakes += 1;
    part.weight += weight;
    part.loss += weight * loss_value(loss, margin);
  }
  Part all;
  std::vector<double> errors, losses;
  for (const Part& part : parts) {
    all = {all.rows + part.rows, all.mistakes + part.mistakes, all.weight + part.weight, all.loss + part.loss};
    if (part.rows > 0) errors.push_back(part.mistakes / part.rows);
    if (part.weight > 0) losses.push_back(part.loss / part.weight);
  }
  return {all.mistakes / all.rows, spread_of(errors), all.weight > 0 ? all.loss / all.weight : 0, spread_of(losses)};
}

std::vector<ScoredRow> scored_rows(const RowSurvey& survey, std::span<const double> score) {
  std::vector<ScoredRow> rows(score.size());
  for (std::size_t row = 0; row < score.size(); ++row) {
    rows[row] = {score[row], survey.positive[row] != 0 ? 1.0 : -1.0, survey.weight_of(row)};
  }
  return rows;
}

}  // namespace linsep
