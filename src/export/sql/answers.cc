#include "export/sql/answers.h"

#include <fmt/format.h>

#include "export/sql/text.h"

namespace linsep {
namespace {

std::string isotonic(const std::string& z, const Calibration& calibration) {
  const std::vector<double>&at = calibration.score, &height = calibration.probability;
  std::string text = fmt::format("CASE WHEN {} < {} THEN {}", z, sql_number(at.front()), sql_number(height.front()));
  for (std::size_t k = 1; k < at.size(); ++k) {
    text += fmt::format("\n    WHEN {0} < {1} THEN {2} + ({0} - {3}) / ({1} - {3}) * ({4} - {2})", z, sql_number(at[k]),
                        sql_number(height[k - 1]), sql_number(at[k - 1]), sql_number(height[k]));
  }
  return text + fmt::format("\n    WHEN {} IS NOT NULL THEN {} END", z, sql_number(height.back()));
}

/// Both ends keep their digits, and EXP never overflows (PostgreSQL refuses results that are too small or too large).
std::string sigmoid(const std::string& z, const Calibration& calibration) {
  const std::string f = fmt::format("({} * {} + {})", sql_number(calibration.slope), z, sql_number(calibration.offset));
  return fmt::format(
      "CASE WHEN {0} >= 0 THEN 1 / (1 + EXP(-LEAST({0}, 700))) ELSE EXP(GREATEST({0}, -700)) / (1 + EXP(GREATEST({0}, "
      "-700))) END",
      f);
}

std::string calibrated(const std::string& z, const Calibration& calibration) {
  return calibration.kind == Calibration::Kind::kIsotonic ? isotonic(z, calibration) : sigmoid(z, calibration);
}

std::string z_of(std::size_t part) { return fmt::format("s.z{}", part); }

std::string greatest_of(std::size_t parts) {
  std::string text = "GREATEST(";
  for (std::size_t part = 0; part < parts; ++part) text += (part > 0 ? ", " : "") + z_of(part);
  return text + ")";
}

std::string two_classes(const Model& model, std::size_t part, double threshold) {
  const std::vector<std::string>& classes = model.schema.classes;
  return fmt::format("CASE WHEN {0} >= {1} THEN {2} WHEN {0} < {1} THEN {3} END", z_of(part), sql_number(threshold),
                     sql_string(classes[2 * part + 1]), sql_string(classes[2 * part]));
}

/// One for each class or label column.
std::vector<std::string> shares_of(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  std::vector<std::string> shares;
  for (std::size_t part = 0; part < parts; ++part) {
    if (model.calibration.kind == Calibration::Kind::kSoftmax) {
      shares.push_back(fmt::format("EXP(GREATEST({} - {}, -700))", z_of(part), greatest_of(parts)));
    } else {
      shares.push_back(calibrated(z_of(part), model.calibrations[part]));
    }
  }
  if (model.form != Model::Form::kClasses) return shares;
  std::string sum;
  for (const std::string& share : shares) sum += fmt::format("{}({})", sum.empty() ? "" : " + ", share);
  for (std::string& share : shares) {
    share = fmt::format("COALESCE(({}) / NULLIF({}, 0), {})", share, sum, sql_number(1 / static_cast<double>(parts)));
  }
  return shares;
}

std::vector<SqlColumn> several(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  const std::vector<std::string>& classes = model.schema.classes;
  const bool joint = model.form == Model::Form::kClasses;
  const auto name = [&](const char* what, std::size_t part) {
    return fmt::format("{} {}", what, joint ? classes[part] : model.schema.labels[part]);
  };
  std::vector<SqlColumn> columns;
  if (joint) {
    std::string text = "CASE";
    for (std::size_t part = 0; part < parts; ++part) {
      text += fmt::format("\n    WHEN {} = {} THEN {}", z_of(part), greatest_of(parts), sql_string(classes[part]));
    }
    columns.push_back({"predicted", text + " END"});
  } else {
    for (std::size_t part = 0; part < parts; ++part)
      columns.push_back({name("predicted", part), two_classes(model, part, 0)});
  }
  for (std::size_t part = 0; part < parts; ++part) columns.push_back({name("score", part), z_of(part)});
  if (!has_probabilities(model)) return columns;
  const std::vector<std::string> shares = shares_of(model);
  for (std::size_t part = 0; part < parts; ++part) columns.push_back({name("probability", part), shares[part]});
  return columns;
}

}  // namespace

std::vector<SqlColumn> sql_answers(const Model& model) {
  if (!model.offsets.empty()) return several(model);
  std::vector<SqlColumn> columns;
  if (!model.regression) columns.push_back({"predicted", two_classes(model, 0, model.threshold)});
  columns.push_back({"score", z_of(0)});
  if (has_probabilities(model)) columns.push_back({"probability", calibrated(z_of(0), model.calibration)});
  return columns;
}

}  // namespace linsep
