#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "learn/margin/choice.h"
#include "learn/margin/losses.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/read.h"
#include "linsep/tools/shown_text.h"
#include "numeric/length.h"
#include "picture/parts.h"
#include "picture/rows/survey.h"

namespace linsep {
namespace {

/// θ·θ = Σ_i α_i·(Σ_j α_j·K(x_j, x_i)), by the scores of the rows that the model keeps.
double dual_norm(const Model& model) {
  constexpr std::size_t kMost = 5000;
  if (model.kept.size() == 0 || model.kept.size() > kMost) return 0;
  Model plain = model;
  plain.map = {};
  plain.table = {};
  plain.offset = 0;
  plain.features = mapped_features(model.map, model.features);
  Batch batch;
  batch.rows = static_cast<std::int64_t>(model.kept.size());
  batch.features = plain.features;
  batch.is_float = false;
  batch.start = model.kept.start;
  batch.column = model.kept.column;
  batch.value64 = model.kept.value;
  std::vector<double> z(model.kept.size());
  score(plain, batch, z);
  const double square = std::inner_product(z.begin(), z.end(), model.coefficient.begin(), 0.0);
  return square > 0 ? std::sqrt(square) : 0;
}

std::string task_of(const Schema& schema, const Model* model) {
  if (!schema.labels.empty()) return "label-columns";
  if (schema.classes.size() > 2) return "several-classes";
  if (!schema.classes.empty()) return "two-classes";
  return model != nullptr && model->regression ? "regression" : "";
}

void check_fit(const PictureInput& input, const PictureSpec& spec) {
  const Schema& schema = input.data->schema();
  for (const NamedModel& named : input.models) {
    const Model& model = *named.model;
    check_feature_names(model, *input.data, spec.files.empty() ? "the data" : spec.files.front());
    if (schema.classes == model.schema.classes && schema.labels == model.schema.labels) continue;
    throw input_error(fmt::format("the classes of the rows aren't those of the model '{}'", shown_text(named.name)));
  }
}

}  // namespace

double norm_of(const Model& model) {
  if (model.form == Model::Form::kLinear) return length_of(model.theta);
  return model.form == Model::Form::kDual ? dual_norm(model) : 0;
}

bool has_margin_planes(const Model& model) {
  const LearnerInfo* learner = find_learner(model.learner);
  if (learner == nullptr || !learner->objective || !is_two_class(model)) return false;
  const Options options = complete_options(learner->table, model.options);
  if (is_hard_margin(options)) return true;
  const LossFacts& loss = facts_of(margin_loss(options));
  return !loss.log_odds && !loss.joint;
}

Gathered gather(const PictureInput& input, const PictureSpec& spec, const Observer& observe) {
  Gathered gathered;
  const Model* first = input.models.empty() ? nullptr : input.models.front().model;
  if (input.data != nullptr) {
    gathered.schema = input.data->schema();
    gathered.features = input.data->shape().features;
  } else if (first != nullptr) {
    gathered.schema = first->schema;
    gathered.features = first->features;
  }
  gathered.task = task_of(gathered.schema, first);
  if (first != nullptr) {
    gathered.norm = norm_of(*first);
    gathered.has_margin = has_margin_planes(*first);
  }
  if (input.data == nullptr) return gathered;
  check_fit(input, spec);
  PlaneSurvey(input, spec).run(gathered, observe);
  const auto with_rows =
      std::count_if(gathered.class_rows.begin(), gathered.class_rows.end(), [](auto n) { return n > 0; });
  if (gathered.task == kTwoClasses && with_rows < 2 && gathered.rows > 0) gathered.task = kOneClass;
  if (!gathered.labelled) {
    gathered.models.clear();
  } else if (first != nullptr && gathered.rows > 0) {
    gathered.evaluation = evaluate(*input.data, *first, !first->regression, observe, spec.limits);
  }
  return gathered;
}

}  // namespace linsep
