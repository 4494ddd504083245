#include "train/finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linsep/error.h"
#include "linsep/tools/advice.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::uint32_t kMostColumns = 1U << 24;  // more aren't looked at for a message

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool objective_is_finite(const Outcome& outcome) {
  if (outcome.hard_margin) return true;  // the margin is proven, only the square that is its objective may overflow
  const auto fine = [](const std::optional<double>& value) { return !value || std::isfinite(*value); };
  return (outcome.history.empty() || fine(outcome.history.back().objective)) &&
         std::ranges::all_of(outcome.parts, [&](const PartOutcome& part) { return fine(part.objective); });
}

/// "column 'x3' goes from −1e+200 to 3e+200"; "" where nothing is known.
std::string widest_column(const Model& model, Source& rows, Comm& comm) {
  const Shape shape = rows.shape();
  if (all_reduce_any(comm, shape.rows <= 0 || shape.features > kMostColumns)) return "";
  const auto reach = [](const ColumnSize& column) {
    return std::max(std::fabs(column.least), std::fabs(column.greatest));
  };
  const std::vector<ColumnSize> columns = column_sizes(rows, comm);
  const auto widest = std::ranges::max_element(columns, {}, reach);
  if (widest == columns.end() || reach(*widest) == 0) return "";
  Model raw;
  raw.schema.feature_names = model.schema.feature_names;
  raw.table = model.table;
  return fmt::format("column '{}' goes from {:.3g} to {:.3g}", feature_name(raw, widest->column), widest->least,
                     widest->greatest);
}

/// Every classifier on the way had its vote.
bool votes_are_finite(const Model& model) {
  std::vector<double> theta = model.theta;
  double offset = model.offset;
  for (std::size_t k = 0; k < model.kept.size(); ++k) {
    bool finite = true;
    for_each_entry(model.kept.row(k), [&](std::uint32_t column, double value) {
      if (column >= theta.size()) theta.resize(std::size_t{column} + 1);
      theta[column] += model.coefficient[k] * value;
      finite = finite && std::isfinite(theta[column]);
    });
    if (!model.origin) offset += model.coefficient[k];
    if (!finite || !std::isfinite(offset)) return false;
  }
  return true;
}

}  // namespace

bool is_finite(const Model& model) {
  if (model.form == Model::Form::kVoted && !votes_are_finite(model)) return false;
  return std::isfinite(model.offset) && all_finite(model.theta) && all_finite(model.offsets) &&
         all_finite(model.coefficient) && all_finite(model.kept.value);
}

void require_finite(const Outcome& outcome, const LearnerInfo& learner, Source& rows, Comm& comm) {
  const bool weights = is_finite(outcome.model), objective = objective_is_finite(outcome);
  if (!all_reduce_any(comm, !weights || !objective)) return;
  const std::string widest = widest_column(outcome.model, rows, comm);
  std::string sentence = fmt::format("training overflowed: {} not finite, so there is no model. ",
                                     weights ? "the objective is" : "the weights are");
  std::vector<std::string> options;
  if (find_option(learner.table, "rate") != nullptr) {
    options = {"rate"};
    sentence += "Take a smaller {}, or scale the columns to like sizes";
  } else {
    sentence += "Scale the columns to like sizes";
  }
  if (!widest.empty()) sentence += " (" + widest + ")";
  throw Error(Error::Kind::kInput, {}, options, sentence);
}

}  // namespace linsep
