// Linear classifiers of other tools: LIBLINEAR's model file, and weights as CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linsep/choices.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "options/command_options.h"

namespace linsep::app {

/// What a file says of a classifier. Numbers are as written.
struct ForeignModel {
  std::string path;
  bool liblinear = false;
  std::optional<Loss> loss;          ///< LIBLINEAR's
  std::vector<std::string> classes;  ///< negative and positive; empty: the file doesn't say
  std::uint32_t features = 0;        ///< LIBLINEAR's; otherwise 0
  struct Weight {
    std::string column, value;
    std::uint64_t line = 0;
  };
  std::vector<Weight> weights;  ///< of named or numbered columns, each once
  std::optional<std::string> offset;
  std::string constant = {};  ///< LIBLINEAR's: `offset` is the weight of a column that is this in every row
};

/// The options that say what such a classifier was trained for.
struct ObjectiveChoice {
  std::string loss, c, lambda, class_weight, penalty;

  void declare(CommandOptions& options);
  bool given() const { return !(loss + c + lambda + class_weight + penalty).empty(); }
};

/// The classifier if the file is one of another tool, nothing if it is none: a linsep model, say. Throws an input Error
/// that says what is wrong with such a file.
std::optional<ForeignModel> read_foreign_model(const std::string& path);

/// The same for an audit. `names`: a model without weights that has the rows' features and names. Throws an Error for a
/// column that isn't there, and where file and options don't say what the classifier was trained for.
GivenWeights given_weights(const ForeignModel& model, const ObjectiveChoice& choice, const Model& names);

}  // namespace linsep::app
