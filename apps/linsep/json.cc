#include "json.h"

#include <variant>

#include "output.h"

namespace linsep::app {

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
  return {{"pass", step.pass}, {"row", step.row + 1}, {"theta", step.theta}, {"offset", step.offset}};
}

Json classes_json(const Schema& schema) {
  if (schema.classes.size() != 2) return nullptr;
  return {{"negative", schema.classes[0]}, {"positive", schema.classes[1]}};
}

std::string json_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

void print_json(const Json& value) { print(json_line(value)); }

}  // namespace linsep::app
