// How to read rows that a model will score, and whether their columns match the model's.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/read.h"
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
