#include "report/json.h"

#include <variant>

namespace linsep {
Json to_json(const Options& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) {
    std::visit([&object, &key = name](const auto& held) { object[key] = held; }, value);
  }
  return object;
}

Json to_json(const Progress& progress) {
  Json object{{"pass", progress.pass}, {"rows", progress.rows}, {"seconds", progress.seconds}};
  if (progress.mistakes) object["mistakes"] = *progress.mistakes;
  if (progress.objective) object["objective"] = *progress.objective;
  if (progress.gap) object["gap"] = *progress.gap;
  if (progress.residual) object["residual"] = *progress.residual;
  return object;
}

Json to_json(const TraceStep& step) {
  Json object{{"pass", step.pass}, {"row", step.row + 1}};
  if (!step.theta.empty() || step.coefficient.empty()) object["theta"] = step.theta;
  object["offset"] = step.offset;
  if (!step.coefficient.empty()) object["coefficient"] = step.coefficient;
  return object;
}

Json classes_json(const Schema& schema) {
  if (!schema.labels.empty()) {
    Json labels = Json::array();
    for (std::size_t k = 0; k < schema.labels.size(); ++k) {
      labels.push_back(
          {{"label", schema.labels[k]}, {"negative", schema.classes[2 * k]}, {"positive", schema.classes[2 * k + 1]}});
    }
    return labels;
  }
  if (schema.classes.size() > 2) return schema.classes;
  if (schema.classes.size() != 2) return nullptr;
  return {{"negative", schema.classes[0]}, {"positive", schema.classes[1]}};
}

Json theta_json(const Model& model) {
  if (model.offsets.empty()) return model.theta;
  Json all = Json::array();
  for (std::size_t part = 0; part < scores_per_row(model); ++part) {
    const auto theta = weights_of(model, part);
    all.push_back(std::vector<double>(theta.begin(), theta.end()));
  }
  return all;
}

Json offset_json(const Model& model) { return model.offsets.empty() ? Json(model.offset) : Json(model.offsets); }

std::string json_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace linsep
