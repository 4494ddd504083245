#include "model/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <variant>

#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

/// Past this a kernel's degree is surely a mistake.
constexpr int kMaxDegree = 1000;

std::string length_problem(std::string_view what, std::size_t found, std::size_t expected) {
  if (found == expected) return "";
  return fmt::format("{} should hold {} numbers but holds {}", what, expected, found);
}

std::string finite_problem(std::string_view what, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) return fmt::format("number {} of {} is not finite", i + 1, what);
  }
  return "";
}

std::string kept_problem(const KeptRows& kept, std::uint32_t mapped) {
  if (kept.start.empty() || kept.start.front() != 0) return "the first offset of the kept rows should be 0";
  if (kept.start.back() != kept.column.size())
    return "the last offset of the kept rows should be their number of columns";
  if (auto problem = length_problem("the kept rows' values", kept.value.size(), kept.column.size()); !problem.empty()) {
    return problem;
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.start[i] > kept.start[i + 1] || kept.start[i + 1] > kept.column.size()) {
      return fmt::format("the offsets of the kept rows don't ascend at row {}", i + 1);
    }
    for (std::uint64_t k = kept.start[i]; k < kept.start[i + 1]; ++k) {
      if (kept.column[k] >= mapped) return fmt::format("kept row {} has a column beyond the features", i + 1);
      if (k > kept.start[i] && kept.column[k] <= kept.column[k - 1]) {
        return fmt::format("the columns of kept row {} don't ascend", i + 1);
      }
    }
  }
  return finite_problem("the kept rows' values", kept.value);
}

std::string options_problem(const Options& options) {
  for (const auto& [name, value] : options) {
    const auto* number = std::get_if<double>(&value);
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    std::string problem;
    if (number != nullptr) problem = finite_problem("option " + name, std::span(number, 1));
    if (numbers != nullptr) problem = finite_problem("option " + name, *numbers);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string kernel_problem(const Kernel& kernel) {
  if (kernel.degree < 1 || kernel.degree > kMaxDegree) {
    return fmt::format("the kernel's degree should be 1 to {} but is {}", kMaxDegree, kernel.degree);
  }
  if (!std::isfinite(kernel.constant)) return "the kernel's constant is not finite";
  if (!std::isfinite(kernel.gamma) || kernel.gamma < 0) return "the kernel's gamma should be a number from 0";
  return "";
}

std::string knots_problem(const Calibration& calibration) {
  const auto& score = calibration.score;
  const auto& probability = calibration.probability;
  if (score.empty()) return "an isotonic calibration needs a knot at least";
  std::string problem = length_problem("calibration.probability", probability.size(), score.size());
  if (problem.empty()) problem = finite_problem("calibration.score", score);
  if (!problem.empty()) return problem;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (!(probability[i] >= 0 && probability[i] <= 1)) {
      return fmt::format("number {} of calibration.probability should be from 0 to 1", i + 1);
    }
    if (i > 0 && !(score[i] > score[i - 1])) return "the scores of the calibration's knots don't ascend";
    if (i > 0 && probability[i] < probability[i - 1]) return "the probabilities of the calibration's knots fall";
  }
  return "";
}

std::string calibration_problem(const Calibration& calibration) {
  using Kind = Calibration::Kind;
  if (calibration.kind != Kind::kSigmoid && (calibration.slope != 1 || calibration.offset != 0)) {
    return "only a sigmoid calibration has a slope and an offset";
  }
  if (calibration.kind == Kind::kIsotonic) return knots_problem(calibration);
  if (!calibration.score.empty() || !calibration.probability.empty()) return "only an isotonic calibration has knots";
  if (!std::isfinite(calibration.slope)) return "the calibration's slope is not finite";
  if (!std::isfinite(calibration.offset)) return "the calibration's offset is not finite";
  return "";
}

/// REQUIRES: the sizes of the model are right.
std::string probabilities_problem(const Model& model) {
  using Kind = Calibration::Kind;
  const Kind kind = model.calibration.kind;
  std::string problem = calibration_problem(model.calibration);
  if (!problem.empty()) return problem;
  if (model.regression && kind != Kind::kNone) return "a regression has no probabilities";
  const bool softmax = kind == Kind::kSoftmax;
  if (softmax != (kind != Kind::kNone && !model.offsets.empty()) || (softmax && model.form == Model::Form::kLabels)) {
    return "a softmax calibration is for several classes, and they have no other one";
  }
  if (model.calibrations.empty()) return "";
  if (softmax) return "there are calibrations beside the softmax";
  if (model.calibrations.size() != model.offsets.size()) {
    return fmt::format("there should be {} calibrations, not {}", model.offsets.size(), model.calibrations.size());
  }
  for (const Calibration& own : model.calibrations) {
    if (own.kind == Kind::kNone || own.kind == Kind::kSoftmax) return "a score's calibration is sigmoid or isotonic";
    if (problem = calibration_problem(own); !problem.empty()) return problem;
  }
  return "";
}

std::string schema_problem(const Model& model) {
  const auto& classes = model.schema.classes;
  const auto& labels = model.schema.labels;
  if (model.form == Model::Form::kClasses) {
    if (classes.size() < 2) return "there should be at least two classes";
    if (std::set<std::string>(classes.begin(), classes.end()).size() != classes.size())
      return "two classes are the same";
  } else if (model.form == Model::Form::kLabels) {
    if (labels.empty()) return "there should be a label column";
    if (classes.size() != 2 * labels.size()) return "there should be two classes for each label column";
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (classes[2 * k] == classes[2 * k + 1]) return "the two classes of a label column should be different";
    }
  } else if (!classes.empty() && (classes.size() != 2 || classes[0] == classes[1])) {
    return "there should be two different classes";
  }
  if (model.form != Model::Form::kLabels && !labels.empty()) return "only a model of label columns names them";
  if (!model.schema.combinations.empty()) return "a model has no combinations of labels";
  if (model.regression && !classes.empty()) return "a regression has no classes";
  const auto& names = model.schema.feature_names;
  if (!names.empty() && names.size() != model.features) {
    return fmt::format("there are {} feature names for {} features", names.size(), model.features);
  }
  return "";
}

std::string table_problem(const Model& model) {
  if (model.table.empty()) return "";
  if (std::string problem = problem_of(model.table); !problem.empty()) return problem;
  const std::uint32_t encoded = encoder_starts(model.table).back();
  if (encoded != model.features) return fmt::format("the table has {} features, the model {}", encoded, model.features);
  return model.schema.feature_names.empty() ? "" : "the features of a table are named by it alone";
}

std::string threshold_problem(const Model& model) {
  if (model.threshold == 0) return "";
  if (!std::isfinite(model.threshold)) return "the threshold is not finite";
  return model.regression || !model.offsets.empty() ? "only a model of two classes has a threshold" : "";
}

std::string map_problem(const Model& model, std::uint32_t& mapped) {
  try {
    mapped = mapped_features(model.map, model.features);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string sizes_problem(const Model& model, std::uint32_t mapped) {
  const bool dual = model.form == Model::Form::kDual;
  const bool voted = model.form == Model::Form::kVoted;
  const std::size_t parts = model.form == Model::Form::kClasses  ? model.schema.classes.size()
                            : model.form == Model::Form::kLabels ? model.schema.labels.size()
                                                                 : 0;
  std::string problem =
      length_problem("theta", model.theta.size(), dual ? 0 : std::max<std::size_t>(parts, 1) * mapped);
  if (problem.empty()) problem = length_problem("offsets", model.offsets.size(), parts);
  if (problem.empty() && parts > 0 && model.regression) problem = "a regression has one score";
  if (problem.empty() && !dual && !voted && model.kept.size() != 0) problem = "a linear model keeps no rows";
  if (problem.empty()) problem = length_problem("coefficient", model.coefficient.size(), model.kept.size());
  if (problem.empty()) problem = length_problem("votes", model.votes.size(), voted ? model.kept.size() + 1 : 0);
  return problem;
}

}  // namespace

std::string problem_of(const Model& model) {
  std::uint32_t mapped = 0;
  std::string problem = schema_problem(model);
  if (problem.empty()) problem = table_problem(model);
  if (problem.empty()) problem = threshold_problem(model);
  if (problem.empty()) problem = map_problem(model, mapped);
  if (problem.empty()) problem = kept_problem(model.kept, mapped);
  if (problem.empty()) problem = sizes_problem(model, mapped);
  if (problem.empty()) problem = finite_problem("theta", model.theta);
  if (problem.empty()) problem = finite_problem("coefficient", model.coefficient);
  if (problem.empty()) problem = finite_problem("votes", model.votes);
  if (problem.empty()) problem = finite_problem("offsets", model.offsets);
  if (problem.empty() && !std::isfinite(model.offset)) problem = "the offset is not finite";
  if (problem.empty() && !model.offsets.empty() && model.offset != 0) problem = "there are offsets beside the offset";
  const auto zero = [](double offset) { return offset == 0; };
  if (problem.empty() && model.origin && !(zero(model.offset) && std::ranges::all_of(model.offsets, zero)))
    problem = "the offset of a model through the origin should be 0";
  if (problem.empty()) problem = kernel_problem(model.kernel);
  if (problem.empty()) problem = options_problem(model.options);
  if (problem.empty()) problem = probabilities_problem(model);
  if (problem.empty() && !(std::isfinite(model.weight_error) && model.weight_error >= 0)) {
    problem = "weight_error should be a number from 0";
  }
  return problem;
}

}  // namespace linsep
