// Small labeled sets as sources in pages of any size, and hand-written models, for tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/memory_source.h"
#include "data/test_rows.h"
#include "linsep/picture/make.h"

namespace linsep {

/// Rows (label, values) as a source of pages of `page_rows` rows.
inline std::unique_ptr<Source> rows_of(const std::vector<std::pair<double, std::vector<double>>>& rows,
                                       std::size_t page_rows = 1000, Schema schema = {{"-1", "1"}, {}}) {
  std::vector<PlainRow> plain;
  std::uint32_t features = 0;
  for (const auto& [label, values] : rows) {
    PlainRow row{static_cast<std::int64_t>(plain.size()), {}, label, 1};
    for (std::uint32_t j = 0; j < values.size(); ++j) {
      if (values[j] != 0) row.entries.emplace_back(j, values[j]);
    }
    features = std::max(features, static_cast<std::uint32_t>(values.size()));
    plain.push_back(std::move(row));
  }
  return std::make_unique<MemorySource>(plain_pages(plain, features, page_rows, false, false), std::move(schema),
                                        features);
}

/// `count` rows of `features` drawn values, labeled by the sign of the sum. Every tenth label is wrong.
inline std::vector<std::pair<double, std::vector<double>>> noisy_rows(std::int64_t count, std::uint32_t features) {
  std::vector<std::pair<double, std::vector<double>>> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(7, static_cast<std::uint64_t>(i));
    std::vector<double> values(features);
    double sum = 0;
    for (double& value : values) sum += value = random.normal();
    rows.emplace_back((sum > 0) != (i % 10 == 0) ? 1 : -1, std::move(values));
  }
  return rows;
}

inline Model linear_model(std::vector<double> theta, double offset) {
  Model model;
  model.learner = "perceptron";
  model.schema.classes = {"-1", "1"};
  model.features = static_cast<std::uint32_t>(theta.size());
  model.theta = std::move(theta);
  model.offset = offset;
  return model;
}

inline Picture picture_of(Source& source, const std::vector<const Model*>& models, PictureSpec spec = {}) {
  spec.certify = false;
  PictureInput input;
  input.data = &source;
  for (const Model* model : models) input.models.push_back({"model", model, {}});
  return make_picture(input, spec);
}

}  // namespace linsep
