// Models and batches that the tests of this room share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/model.h"
#include "table/testing.h"

namespace linsep {

inline Model linear_example() {
  Model model;
  model.learner = "perceptron";
  model.options = {{"passes", std::int64_t{100}},
                   {"rate", 1.0},
                   {"order", std::string("given")},
                   {"averaged", false},
                   {"init", std::vector<double>{-1, 0.1}}};
  model.schema = {{"no", "yes"}, {"width", "height \"cm\""}};
  model.features = 2;
  model.theta = {3, -0.1};
  model.offset = -4;
  return model;
}

inline Model dual_example(Kernel::Kind kind = Kernel::Kind::kGaussian) {
  Model model;
  model.learner = "dual-perceptron";
  model.options = {{"gamma", 0.5}};
  model.form = Model::Form::kDual;
  model.schema = {{"-1", "1"}, {}};
  model.features = 3;
  model.kernel = {kind, 3, 0.5, 0.25};
  model.kept = {{0, 2, 2, 3}, {0, 2, 1}, {1.5, -2, 1e-300}};
  model.coefficient = {1, -3, 2};
  model.offset = 1;
  return model;
}

inline Model voted_example() {
  Model model;
  model.learner = "perceptron";
  model.form = Model::Form::kVoted;
  model.schema = {{"0", "1"}, {}};
  model.features = 2;
  model.map = {FeatureMap::Kind::kProducts, 1};
  model.theta = {0, 0.5, -0.25};
  model.offset = 0.5;
  model.kept = {{0, 1, 3}, {0, 0, 2}, {1, 2, -1}};
  model.coefficient = {1, -1};
  model.votes = {3, 1, 7};
  return model;
}

inline Model sigmoid_example() {
  Model model = linear_example();
  model.calibration.kind = Calibration::Kind::kSigmoid;
  model.calibration.slope = 2;
  model.calibration.offset = -0.5;
  return model;
}

inline Model isotonic_example() {
  Model model = linear_example();
  model.calibration.kind = Calibration::Kind::kIsotonic;
  model.calibration.score = {-2, -0.5, 1, 3};
  model.calibration.probability = {0.125, 0.125, 0.5, 1};
  return model;
}

inline Model classes_example() {
  Model model;
  model.learner = "margin";
  model.form = Model::Form::kClasses;
  model.schema = {{"red", "green", "blue"}, {}};
  model.features = 2;
  model.theta = {1, 0, 0, 1, -1, -1.5};
  model.offsets = {0.5, 0, -0.25};
  return model;
}

inline Model labels_example() {
  Model model = classes_example();
  model.form = Model::Form::kLabels;
  model.schema = {{"0", "1", "no", "yes"}, {"width", "height"}, {"rain", "wind"}};
  model.theta.resize(4);
  model.offsets.resize(2);
  return model;
}

inline Model softmax_example() {
  Model model = classes_example();
  model.calibration.kind = Calibration::Kind::kSoftmax;
  return model;
}

/// A calibration for each score.
inline Model calibrated(Model model) {
  for (std::size_t c = 0; c < model.offsets.size(); ++c) {
    model.calibrations.push_back((c == 1 ? isotonic_example() : sigmoid_example()).calibration);
  }
  return model;
}

/// A model of a table, with weights that differ.
inline Model of_table(TableMap table) {
  Model model = linear_example();
  model.schema.feature_names.clear();
  model.table = std::move(table);
  model.features = encoder_starts(model.table).back();
  model.theta.clear();
  for (std::uint32_t j = 0; j < model.features; ++j) model.theta.push_back(0.5 - 0.25 * (j % 7));
  return model;
}

/// Every kind of encoder, none of them hashed.
inline Model table_example_model() {
  TableMap map = table_example();
  std::erase_if(map.encoders, [](const Encoder& e) {
    return (e.terms() != nullptr && e.terms()->hashed()) || e.column == "country";
  });
  return of_table(std::move(map));
}

/// Hashed and in dual form, so that its file is small.
inline Model hashed_example_model() {
  Model model = dual_example(Kernel::Kind::kLinear);
  model.table = table_of(hashed_example());
  model.features = encoder_starts(model.table).back();
  model.threshold = -0.25;
  return model;
}

inline std::vector<Model> examples() {
  Model mapped = linear_example();
  mapped.map = {FeatureMap::Kind::kPolynomial, 2};
  mapped.theta = {1, 2, 3, 4, 5};
  Model regression = linear_example();
  regression.regression = true;
  regression.schema = {};
  Model origin = linear_example();
  origin.origin = true;
  origin.offset = 0;
  return {linear_example(),
          mapped,
          regression,
          origin,
          voted_example(),
          classes_example(),
          labels_example(),
          dual_example(),
          Model{},
          dual_example(Kernel::Kind::kLinear),
          dual_example(Kernel::Kind::kPolynomial),
          sigmoid_example(),
          isotonic_example(),
          softmax_example(),
          calibrated(classes_example()),
          calibrated(labels_example()),
          table_example_model(),
          hashed_example_model()};
}

/// The same rows in one of the four layouts, owned.
struct OwnedBatch {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<float> value32;
  std::vector<double> value64;
  Batch batch;

  OwnedBatch(const std::vector<std::vector<double>>& rows, bool dense, bool is_float) {
    batch.features = rows.empty() ? 0 : static_cast<std::uint32_t>(rows[0].size());
    batch.rows = static_cast<std::int64_t>(rows.size());
    batch.dense = dense;
    batch.is_float = is_float;
    batch.stride = dense ? batch.features : 0;
    for (const auto& row : rows) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (!dense && row[j] == 0) continue;
        column.push_back(static_cast<std::uint32_t>(j));
        value32.push_back(static_cast<float>(row[j]));
        value64.push_back(row[j]);
      }
      start.push_back(column.size());
    }
    if (!dense) {
      batch.start = start;
      batch.column = column;
    }
    if (is_float) {
      batch.value32 = value32;
    } else {
      batch.value64 = value64;
    }
  }
  OwnedBatch(const OwnedBatch&) = delete;
  OwnedBatch& operator=(const OwnedBatch&) = delete;
  ~OwnedBatch() = default;
};

inline std::vector<double> scores(const Model& model, const std::vector<std::vector<double>>& rows, bool dense,
                                  bool is_float) {
  const OwnedBatch owned(rows, dense, is_float);
  std::vector<double> z(rows.size() * scores_per_row(model));
  score(model, owned.batch, z);
  return z;
}

}  // namespace linsep
