#include "linsep/tools/purpose.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep {

ReadOptions read_options_for(const Model& model, ReadOptions base) {
  ReadOptions result = std::move(base);
  result.features = model.features;
  result.regression = model.regression;
  result.classes = model.schema.classes;
  result.many_classes = result.classes.size() > 2;
  result.label_sets = !model.schema.labels.empty() && model.schema.classes.front().empty();
  if (!result.label_sets) result.labels = model.schema.labels;
  result.feature_names = model.schema.feature_names;
  if (!model.table.empty()) result.table = std::make_shared<const TableMap>(model.table);
  return result;
}

ReadOptions read_options_for(const LearnerInfo& learner, bool hard, ReadOptions base) {
  ReadOptions result = std::move(base);
  result.regression = learner.regression;
  result.many_classes = learner.many;
  result.double_values = result.double_values || hard;
  result.exact_values = hard;
  return result;
}

ReadOptions read_options_for_proof(ReadOptions base) {
  ReadOptions result = std::move(base);
  result.regression = false;
  result.many_classes = true;
  result.double_values = true;
  result.exact_values = true;
  return result;
}

ReadOptions read_options_for_proof(const Model& model, ReadOptions base) {
  ReadOptions result = read_options_for_proof(std::move(base));
  result.features = model.features;
  result.classes = model.schema.classes;
  result.positive.clear();
  if (!model.table.empty()) result.table = exact_table(model.table);
  return result;
}

Scale usual_scale(const LearnerInfo& learner) { return learner.objective ? Scale::kDeviation : Scale::kNone; }

bool has_table_hash(const DataDigest& data) { return data.table.starts_with("sha256:"); }

ReadOptions read_options_as_encoded(const DataDigest& data, const std::string& proof, const TableMap* known,
                                    ReadOptions base) {
  ReadOptions result = read_options_for_proof(std::move(base));
  if (result.label.empty()) result.label = data.reading.label;
  if (result.labels.empty() && !result.label_sets) {
    for (const LabelColumn& column : data.labels) result.labels.push_back(column.name);
  }
  if (result.delimiter == 0 && data.reading.delimiter.size() == 1) result.delimiter = data.reading.delimiter[0];
  if (!result.header && data.reading.format == "csv") result.header = data.reading.header;
  if (data.table.empty()) {
    if (result.ignore.empty()) {
      result.ignore = data.reading.left_out;
      std::erase_if(result.ignore, [&](const std::string& name) { return name == result.id || name == result.weight; });
    }
    return result;
  }
  TableMap map = has_table_hash(data) ? *known : table_from_json(data.table, proof);
  if (const std::string problem = problem_of(map); !problem.empty()) {
    throw Error(Place{proof, 0, 0}, fmt::format("its table is invalid: {}", problem));
  }
  result.table = exact_table(std::move(map));
  return result;
}

std::shared_ptr<const TableMap> exact_table(TableMap map) {
  map.single = false;
  return std::make_shared<const TableMap>(std::move(map));
}

void check_feature_names(const Model& model, const Source& source, const std::string& path) {
  const std::shared_ptr<const TableMap>& table = source.schema().table;
  if (table && !table->empty() && *table != model.table) {
    throw Error(Place{path, 0, 0}, model.table.empty()
                                       ? "its rows are encoded columns of a table, but the model was trained on numbers"
                                       : "its rows were encoded differently from those that the model was trained on");
  }
  const std::vector<std::string>& ours = model.schema.feature_names;
  const std::vector<std::string>& theirs = source.schema().feature_names;
  for (std::size_t j = 0; j < std::min(ours.size(), theirs.size()); ++j) {
    if (ours[j] == theirs[j]) continue;
    throw Error(Place{path, 1, 0}, fmt::format("feature {} is called '{}', but the model was trained on '{}' there",
                                               j + 1, shown_text(theirs[j]), shown_text(ours[j])));
  }
}

}  // namespace linsep
