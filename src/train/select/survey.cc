#include "train/select/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/binned_sums.h"
#include "kernel/kernel.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"
#include "train/fit_many.h"

namespace linsep {
namespace {

struct Squares {
  ExactSum square;
  BinnedSums column;  // sums; empty: from the origin
};

std::uint32_t label_index(double y, const RowSurvey& survey, std::size_t indices, std::int64_t number) {
  if (survey.parts == 1) {
    if (y == 1 || y == -1) return y > 0 ? 1 : 0;
    throw input_error(fmt::format("row {}: the label must be −1 or +1, not {}", number + 1, y));
  }
  const auto index = static_cast<std::uint32_t>(y >= 0 && y < static_cast<double>(indices) ? y : 0);
  if (static_cast<double>(index) == y) return index;
  throw input_error(fmt::format("row {}: the label must be the index of a class, not {}", number + 1, y));
}

void survey_shard(Source& rows, const SurveyOptions& options, RowSurvey& survey, Squares& sums) {
  const auto count = static_cast<std::size_t>(rows.shape().rows);
  const Schema& schema = rows.schema();
  const std::size_t indices = schema.labels.empty() ? schema.classes.size() : schema.combinations.size();
  survey.label.resize(count);
  bool first = true;
  rows.rewind(0);
  while (const auto batch = rows.next()) {
    if (first) survey.first_row = batch->number_of(0);
    first = false;
    if (!batch->weight.empty() && survey.weight.empty()) survey.weight.assign(count, 1);
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const auto at = static_cast<std::size_t>(batch->number_of(i) - survey.first_row);
      survey.label[at] = label_index(batch->label[static_cast<std::size_t>(i)], survey, indices, batch->number_of(i));
      if (!survey.weight.empty()) survey.weight[at] = batch->weight_of(i);
      if (!options.square) return;
      sums.square.add(squared_norm(row));
      if (sums.column.size() == 0) return;
      for_each_entry(row, [&](std::uint32_t column, double value) { sums.column.add(column, value); });
    });
  }
}

}  // namespace

RowSurvey survey_rows(Source& rows, const SurveyOptions& options, Comm& comm) {
  RowSurvey survey;
  survey.parts = std::max<std::size_t>(part_count(rows.schema()), 1);
  survey.combinations = rows.schema().labels.empty() ? std::vector<std::string>() : rows.schema().combinations;
  Squares sums;
  if (options.square && !options.origin) sums.column.resize(rows.shape().features);
  rethrow_on_all(comm, [&] { survey_shard(rows, options, survey, sums); });
  survey.rows_in_all = all_reduce_sum(comm, static_cast<std::int64_t>(survey.rows()));
  if (!options.square) return survey;
  const std::array<ExactSum*, 1> square = {&sums.square};
  exact_all_reduce(comm, square);
  exact_all_reduce(comm, sums.column);
  double centre = 0;
  const auto n = static_cast<double>(std::max<std::int64_t>(survey.rows_in_all, 1));
  for (std::size_t k = 0; k < sums.column.size(); ++k) {
    const double mean = sums.column.value(k) / n;
    centre += mean * mean;
  }
  survey.square = std::max(0.0, sums.square.value() / n - centre);
  return survey;
}

double total_weight(const RowSurvey& survey, const ClassWeights& classes, Comm& comm) {
  // Of more than two classes every classifier's rows weigh the same.
  const std::size_t parts = survey.combinations.empty() ? 1 : survey.parts;
  double total = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto sides = exact_all_reduce_sums<2>(comm, survey.rows(), 1, [&](std::size_t row, auto& sums) {
      sums[survey.positive(part, row) ? 0 : 1].add(survey.weight_in(part, row, classes));
    });
    total += sides[0] + sides[1];
  }
  return total / static_cast<double>(parts);
}

}  // namespace linsep
