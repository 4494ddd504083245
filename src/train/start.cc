#include "train/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/words.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "table/number_style.h"
#include "train/fit_many.h"

namespace linsep {
namespace {

constexpr std::size_t kMostNamed = 3;

std::vector<std::string> quoted(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(fmt::format("'{}'", name));
  return all;
}

/// Classes without names are −1 and 1.
std::vector<std::string> class_names(const Schema& schema) {
  return schema.classes.empty() ? std::vector<std::string>{"-1", "1"} : schema.classes;
}

/// The classes of a stream are called −1 and 1 until its first 0 comes, and rows without names may stand for 0 and 1.
bool may_be_called_anything(const Source& source) { return source.schema().classes.empty() || source.shape().rows < 0; }

Error other_classes(const std::vector<std::string>& start, const std::vector<std::string>& data) {
  return usage_error(fmt::format("the model to start from has the classes {}, but the data have {}",
                                 listed(quoted(start)), listed(quoted(data))));
}

void turn(Model& model) {
  for (double& weight : model.theta) weight = -weight;
  model.offset = -model.offset;
}

void match_two_classes(Model& start, const Source& source) {
  if (start.form != Model::Form::kLinear) throw usage_error("training can start only from a linear model");
  std::vector<std::string> mine = class_names(start.schema), theirs = class_names(source.schema());
  if (may_be_called_anything(source) || start.schema.classes.empty()) {
    for (auto* names : {&mine, &theirs}) std::ranges::replace(*names, "0", "-1");
  }
  if (are_booleans(mine[0], mine[1]) && are_booleans(theirs[0], theirs[1])) {
    for (auto* names : {&mine, &theirs}) {
      for (std::string& name : *names) name = boolean_of(name) == true ? "true" : "false";
    }
  }
  if (mine == theirs) return;
  std::ranges::reverse(mine);
  if (mine != theirs) throw other_classes(class_names(start.schema), class_names(source.schema()));
  turn(start);
}

/// Puts weights and intercepts of several scores in another order. `from[k]` is the one that becomes the k-th.
void move_parts(Model& model, const std::vector<std::size_t>& from) {
  Model moved = model;
  const std::size_t size = weights_of(model, 0).size();
  for (std::size_t k = 0; k < from.size(); ++k) {
    std::ranges::copy(weights_of(model, from[k]), moved.theta.begin() + static_cast<std::ptrdiff_t>(k * size));
    moved.offsets[k] = model.offsets[from[k]];
  }
  model = std::move(moved);
}

void match_several_classes(Model& start, const Schema& schema) {
  const bool several = start.form == Model::Form::kClasses || start.form == Model::Form::kLabels;
  if (!several || start.schema.labels != schema.labels ||
      !std::ranges::is_permutation(start.schema.classes, schema.classes)) {
    throw schema.labels.empty()
        ? other_classes(class_names(start.schema), schema.classes)
        : usage_error("the model to start from and the data have different label columns or classes");
  }
  if (start.schema.classes == schema.classes) return;
  if (!schema.labels.empty()) {
    throw usage_error("the model to start from has the classes of its label columns the other way round");
  }
  std::vector<std::size_t> from;
  for (const std::string& name : schema.classes) {
    from.push_back(
        static_cast<std::size_t>(std::ranges::find(start.schema.classes, name) - start.schema.classes.begin()));
  }
  move_parts(start, from);
}

/// The columns of `here` that `there` lacks.
std::vector<std::string> lacking(const std::vector<std::string>& here, const std::vector<std::string>& there) {
  std::vector<std::string> mine = here, theirs = there, all;
  std::ranges::sort(mine);
  std::ranges::sort(theirs);
  std::ranges::set_difference(mine, theirs, std::back_inserter(all));
  return all;
}

void match_columns_by_name(Model& start, const std::vector<std::string>& data) {
  const std::vector<std::string>& mine = start.schema.feature_names;
  if (mine == data) return;
  if (const auto gone = lacking(mine, data); !gone.empty()) {
    throw usage_error(fmt::format("the model to start from has the column{} {}, which the data don't have",
                                  gone.size() == 1 ? "" : "s", listed(quoted(gone), kMostNamed)));
  }
  if (const auto added = lacking(data, mine); !added.empty()) {
    throw options_error({"ignore"},
                        fmt::format("the data have the column{} {}, which the model to start from doesn't have: {{}} "
                                    "leaves columns out",
                                    added.size() == 1 ? "" : "s", listed(quoted(added), kMostNamed)));
  }
  std::map<std::string, std::size_t> place;
  for (std::size_t j = 0; j < mine.size(); ++j) place.emplace(mine[j], j);
  if (start.map.kind != FeatureMap::Kind::kNone || place.size() != mine.size()) {
    throw usage_error("the model to start from has the columns in another order: give them in that order");
  }
  const std::vector<double> theta = start.theta;
  const std::size_t parts = theta.size() / mine.size();
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      start.theta[part * data.size() + j] = theta[part * mine.size() + place.at(data[j])];
    }
  }
  start.schema.feature_names = data;
}

void match_number_of_columns(const Model& start, const Source& source, const FeatureMap& map) {
  if (source.shape().rows < 0) return;  // a stream learns its columns as it goes
  const std::size_t mine = weights_of(start, 0).size();
  const std::size_t theirs = mapped_features(map, source.shape().features);
  if (mine == theirs) return;
  throw usage_error(fmt::format("the model to start from has {} weights, but the data have {} features", mine, theirs));
}

/// Encoded features mean the same only if the whole encoding is the same, scales and the list of words included.
void match_columns(Model& start, const Source& source, const FeatureMap& map) {
  const Schema& schema = source.schema();
  const bool encoded = schema.table && !schema.table->empty();
  if (encoded && schema.table->encoders == start.table.encoders) return;
  if (!start.table.empty() && (encoded || !schema.feature_names.empty())) {
    throw option_error("table",
                       "the model to start from has an encoding of its own for the table's columns: {} with this model "
                       "encodes these rows alike");
  }
  if (encoded && !start.schema.feature_names.empty()) {
    throw option_error("scale",
                       "the model to start from takes numbers as they are, but these columns are scaled or encoded: {} "
                       "none leaves numbers as they are");
  }
  const bool by_name = !start.schema.feature_names.empty() && !schema.feature_names.empty();
  if (by_name) return match_columns_by_name(start, schema.feature_names);
  match_number_of_columns(start, source, map);
}

}  // namespace

Model start_for(const Model& start, const Source& source, const FeatureMap& map, bool regression) {
  if (start.regression != regression) {
    throw usage_error(start.regression ? "the model to start from is a regression, which has no classes"
                                       : "a regression can't start from a model of classes");
  }
  if (start.map != map) throw usage_error("the model to start from has a different feature map");
  Model fitting = start;
  if (part_count(source.schema()) > 0) {
    match_several_classes(fitting, source.schema());
  } else {
    match_two_classes(fitting, source);
  }
  match_columns(fitting, source, map);
  return fitting;
}

}  // namespace linsep
