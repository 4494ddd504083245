// For the tests: small data of several classes and label columns, and their shards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "data/test_rows.h"
#include "linsep/select.h"

namespace linsep::testing {

inline OptionValue word(const char* text) { return std::string(text); }

constexpr std::uint32_t kWidth = 5;

inline Schema two_classes() { return {{"-1", "1"}, {}}; }
inline Schema three_classes() { return {{"a", "b", "c"}, {}}; }
inline Schema two_columns() {
  Schema schema;
  schema.classes = {"no", "yes", "no", "yes"};
  schema.labels = {"first", "second"};
  schema.combinations = {"00", "01", "10", "11"};
  return schema;
}

/// Overlapping rows with labels of the schema; every fourth weighs more where `weighted`.
inline std::vector<PlainRow> labelled_rows(const Schema& schema, std::int64_t count, bool weighted = false) {
  std::vector<PlainRow> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(77, static_cast<std::uint64_t>(i));
    PlainRow row{i, {}, 0, weighted && i % 4 == 0 ? 1.75 : 1};
    double a = 0, b = 0;
    for (std::uint32_t c = 0; c < kWidth; ++c) {
      const double value = random.normal();
      row.entries.emplace_back(c, value);
      (c % 2 == 0 ? a : b) += value;
    }
    a += random.normal();
    b += random.normal();
    if (!schema.combinations.empty()) {
      row.label = (a > 0 ? 2 : 0) + (b > 0.7 ? 1 : 0);
    } else if (schema.classes.size() == 2) {
      row.label = a > 0.5 ? 1 : -1;
    } else {
      row.label = a > 0.8 ? 2 : (b > 0.3 ? 1 : 0);
    }
    rows.push_back(row);
  }
  return rows;
}

/// The rows of worker `worker` of `workers`.
inline std::unique_ptr<MemorySource> shard_of(const std::vector<PlainRow>& rows, const Schema& schema, int worker = 0,
                                              int workers = 1, std::size_t page_rows = 23) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::vector<PlainRow> mine(rows.begin() + count * worker / workers,
                                   rows.begin() + count * (worker + 1) / workers);
  return std::make_unique<MemorySource>(plain_pages(mine, kWidth, page_rows, false, false), schema, kWidth);
}

inline TrainSpec margin_with(const Options& options) {
  TrainSpec spec;
  spec.learner = "margin";
  spec.options = options;
  return spec;
}

/// One score for each part and row, part after part.
inline std::vector<double> scores_by_part(const Model& model, Source& source) {
  const std::size_t parts = scores_per_row(model), rows = static_cast<std::size_t>(source.shape().rows);
  std::vector<double> all(parts * rows);
  std::size_t row = 0;
  source.rewind(0);
  while (const auto batch = source.next()) {
    std::vector<double> z(static_cast<std::size_t>(batch->rows) * parts);
    score(model, *batch, z);
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->rows); ++i, ++row) {
      for (std::size_t part = 0; part < parts; ++part) all[part * rows + row] = z[i * parts + part];
    }
  }
  return all;
}

}  // namespace linsep::testing
