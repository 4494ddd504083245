// Linear classifiers of other tools, from LIBLINEAR's model file or weights as CSV.
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

/// A classifier as its file gives it. Numbers are as written.
struct ForeignModel {
  std::string path;
  bool liblinear = false;
  std::optional<Loss> loss;          ///< LIBLINEAR's
  std::vector<std::string> classes;  ///< negative and positive, or empty if the file doesn't name them
  std::uint32_t features = 0;        ///< LIBLINEAR's, otherwise 0
  struct Weight {
    std::string column, value;
    std::uint64_t line = 0;
  };
  std::vector<Weight> weights;  ///< of named or numbered columns, each once
  std::optional<std::string> offset;
  std::string constant = {};  ///< LIBLINEAR's. `offset` is the weight of a column with this value in every row
};

/// The options for the training problem of such a classifier.
struct ObjectiveChoice {
  std::string loss, c, lambda, class_weight, penalty;

  void declare(CommandOptions& options);
  bool given() const { return !(loss + c + lambda + class_weight + penalty).empty(); }
};

/// The classifier if the file is one of another tool, or nothing if it isn't (if it is a linsep model, for example).
/// Throws an input Error that explains what is wrong with such a file.
std::optional<ForeignModel> read_foreign_model(const std::string& path);

/// The same for an audit. `names` is a model without weights that has the rows' features and names. Throws an Error for
/// a column that doesn't exist, and if file and options don't determine what the classifier was trained for.
GivenWeights given_weights(const ForeignModel& model, const ObjectiveChoice& choice, const Model& names);

}  // namespace linsep::app
