#include "train/fit_many.h"

#include <algorithm>
#include <utility>

#include "linsep/error.h"
#include "train/fit.h"

namespace linsep {
namespace {

void class_against_rest(std::size_t part, const Batch& rows, std::span<double> label) {
  const auto own = static_cast<double>(part);
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = rows.label[i] == own ? 1 : -1;
}

void label_column(const Source& source, std::size_t part, const Batch& rows, std::span<double> label,
                  std::span<double> weight) {
  const std::vector<std::string>& combinations = source.schema().combinations;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const char own = combinations[static_cast<std::size_t>(rows.label[i])][part];
    label[i] = own == '1' ? 1 : -1;
    if (own == '-') weight[i] = 0;
  }
}

/// Whether some rows have no label in some label column.
bool partly_labelled(const Schema& schema) {
  return std::ranges::any_of(schema.combinations, [](const std::string& one) { return one.find('-') != one.npos; });
}

}  // namespace

std::size_t part_count(const Schema& schema) {
  if (!schema.labels.empty()) return schema.labels.size();
  return schema.classes.size() > 2 ? schema.classes.size() : 0;
}

void label_part(const Source& source, std::size_t part, const Batch& rows, std::span<double> label,
                std::span<double> weight) {
  if (source.schema().labels.empty()) {
    class_against_rest(part, rows, label);
  } else {
    label_column(source, part, rows, label, weight);
  }
}

ManyTask part_task(const Source& source, std::size_t part, const ClassWeights& weights,
                   std::unique_ptr<Learner> learner) {
  const auto relabel = [&source, part, weights](const Batch& rows, std::span<double> label, std::span<double> weight) {
    label_part(source, part, rows, label, weight);
    if (weights.by_class.empty()) return;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] *= weights.of_class(static_cast<std::size_t>(rows.label[i]));
    }
  };
  return {std::move(learner), relabel, !weights.by_class.empty() || partly_labelled(source.schema())};
}

std::unique_ptr<OneVsRest> make_parts(const Source& source, int threads, const ClassWeights& weights,
                                      const std::function<std::unique_ptr<Learner>(std::size_t part)>& make) {
  std::vector<ManyTask> tasks;
  for (std::size_t part = 0; part < part_count(source.schema()); ++part) {
    tasks.push_back(part_task(source, part, weights, make(part)));
  }
  return std::make_unique<OneVsRest>(std::move(tasks), threads);
}

Model join_models(std::vector<Model> models, const Schema& schema) {
  Model joined;
  joined.form = schema.labels.empty() ? Model::Form::kClasses : Model::Form::kLabels;
  std::size_t width = 0;
  for (const Model& model : models) width = std::max(width, model.theta.size());
  const bool proven = std::ranges::all_of(models, [](const Model& model) { return model.open_zeros.has_value(); });
  if (proven) joined.open_zeros.emplace();
  for (Model& model : models) {
    if (model.form != Model::Form::kLinear) {
      throw usage_error("only linear classifiers can be trained for several classes or labels");
    }
    joined.origin = model.origin;
    if (proven) {
      for (const std::uint64_t j : *model.open_zeros) joined.open_zeros->push_back(joined.theta.size() + j);
    }
    model.theta.resize(width);
    joined.theta.insert(joined.theta.end(), model.theta.begin(), model.theta.end());
    joined.offsets.push_back(model.offset);
  }
  return joined;
}

void join_parts(const OneVsRest& learner, const Schema& schema, Outcome& outcome) {
  outcome.model = join_models(learner.models(), schema);
  std::vector<double> errors;
  for (std::size_t part = 0; part < learner.size(); ++part) {
    const TaskState& state = learner.state(part);
    const TrainingStats stats = learner.learner(part).stats();
    outcome.parts.push_back(
        {state.verdict == Verdict::kConverged, state.passes, stats.mistakes, state.last.objective, state.last.gap});
    errors.push_back(weight_error(state.last.objective, state.last.gap, stats.margin));
  }
  // For all parts, or for none.
  const auto [least, greatest] = std::ranges::minmax(errors);
  outcome.model.weight_error = least > 0 ? greatest : 0;
}

Model part_of(const Model& model, std::size_t part) {
  Model alone;
  alone.learner = model.learner;
  alone.options = model.options;
  alone.origin = model.origin;
  alone.features = model.features;
  alone.map = model.map;
  const auto theta = weights_of(model, part);
  alone.theta.assign(theta.begin(), theta.end());
  alone.offset = model.offsets[part];
  return alone;
}

}  // namespace linsep
