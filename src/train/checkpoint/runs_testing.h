// For the tests: runs of every learner on small data.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "data/test_rows.h"
#include "linsep/train.h"

namespace linsep::testing {

/// What is trained on what.
struct RunCase {
  std::string name;
  TrainSpec spec;
  std::vector<PlainRow> rows;
  std::uint32_t features = 0;
  Schema schema;

  /// The rows of worker `worker` of `workers`, in pages of `page_rows`.
  std::unique_ptr<MemorySource> source(int worker = 0, int workers = 1, std::size_t page_rows = 7) const {
    const auto count = static_cast<std::int64_t>(rows.size());
    const std::vector<PlainRow> mine(rows.begin() + count * worker / workers,
                                     rows.begin() + count * (worker + 1) / workers);
    return std::make_unique<MemorySource>(plain_pages(mine, features, page_rows, false, false), schema, features);
  }
};

enum class Kind { kOverlapping, kSeparable, kWide, kAlike, kClasses, kLabels, kNumbers };

/// `most_rows` is how many rows the data have, if fewer than usual are wanted.
inline RunCase case_of(const std::string& name, Kind kind, const std::string& learner, const Options& options,
                       std::int64_t most_rows = 60) {
  RunCase run;
  run.name = name;
  run.spec.learner = learner;
  run.spec.options = options;
  run.features = kind == Kind::kWide ? 2100 : 5;
  run.schema.classes = {"-1", "1"};
  if (kind == Kind::kClasses) run.schema.classes = {"a", "b", "c"};
  if (kind == Kind::kNumbers) run.schema.classes.clear();
  if (kind == Kind::kLabels) {
    run.schema.classes = {"no", "yes", "no", "yes"};
    run.schema.labels = {"first", "second"};
    run.schema.combinations = {"00", "01", "10", "11"};
  }
  if (kind == Kind::kAlike) run.features = 30;  // more than rows, which hardly differ
  const std::int64_t count = std::min<std::int64_t>(most_rows, kind == Kind::kWide || kind == Kind::kAlike ? 24 : 60);
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(11, static_cast<std::uint64_t>(i));
    PlainRow row{i, {}, 0, 1};
    double z = 0.3;
    for (std::uint32_t c = 0; c < run.features; ++c) {
      if (kind == Kind::kWide && random.below(300) != 0) continue;
      const double value = kind == Kind::kAlike ? 1 + 0.02 * random.normal() : random.normal() + 0.2 * (c % 5);
      row.entries.emplace_back(c, value);
      z += c % 2 == 0 ? value : -value;
    }
    const double noise = 0.7 * random.normal();
    row.label = z + noise > 0 ? 1 : -1;
    if (kind == Kind::kClasses) row.label = z < -0.5 ? 0 : (z + noise < 0.8 ? 1 : 2);
    if (kind == Kind::kLabels) row.label = (z > 0 ? 2 : 0) + (z + noise > 0.5 ? 1 : 0);
    if (kind == Kind::kNumbers) row.label = z + 0.1 * noise;
    if (kind == Kind::kSeparable || kind == Kind::kWide) {
      row.label = z > 0 ? 1 : -1;
      row.entries.back().second += 0.3 * row.label * (row.entries.back().first % 2 == 0 ? 1 : -1);
    }
    run.rows.push_back(row);
  }
  return run;
}

/// Every learner in every variant that takes its own course through passes.
inline std::vector<RunCase> every_run(std::int64_t most_rows = 60) {
  const auto word = [](const char* text) { return OptionValue(std::string(text)); };
  const OptionValue passes = std::int64_t{25};
  std::vector<RunCase> all;
  const auto add = [&](const std::string& name, Kind kind, const std::string& learner, const Options& options) {
    return &all.emplace_back(case_of(name, kind, learner, options, most_rows));
  };
  for (const char* order : {"given", "shuffled", "drawn"}) {
    for (const char* variant : {"last", "averaged", "voted"}) {
      add(std::string("perceptron ") + variant + " " + order, Kind::kOverlapping, "perceptron",
          {{"variant", word(variant)}, {"order", word(order)}, {"trace", true}, {"passes", passes}});
    }
    for (const char* kernel : {"linear", "polynomial", "gaussian"}) {
      add(std::string("dual ") + kernel + " " + order, Kind::kOverlapping, "dual",
          {{"kernel", word(kernel)}, {"order", word(order)}, {"trace", true}, {"passes", passes}});
    }
  }
  add("perceptron, products", Kind::kOverlapping, "perceptron", {{"passes", passes}})->spec.map.kind =
      FeatureMap::Kind::kProducts;
  add("perceptron, separable", Kind::kSeparable, "perceptron", {});
  add("perceptron of classes", Kind::kClasses, "perceptron", {{"passes", passes}});
  add("joint perceptron", Kind::kClasses, "perceptron", {{"multiclass", word("joint")}, {"passes", passes}});
  add("perceptron of labels, averaged", Kind::kLabels, "perceptron",
      {{"variant", word("averaged")}, {"passes", passes}});
  add("basic", Kind::kOverlapping, "basic", {});
  for (const char* matrix : {"diagonal", "full", "cg"}) {
    add(std::string("least squares ") + matrix, Kind::kOverlapping, "least-squares", {{"matrix", word(matrix)}});
  }
  add("least squares of classes, cg", Kind::kClasses, "least-squares", {{"matrix", word("cg")}});
  for (const char* rule : {"signed", "squared"}) {
    add(std::string("regression ") + rule, Kind::kNumbers, "regression",
        {{"rule", word(rule)}, {"rate", 0x1p-9}, {"passes", passes}});
  }
  for (const char* solver : {"auto", "dual", "interior", "planes"}) {
    add(std::string("hinge ") + solver, Kind::kOverlapping, "margin", {{"solver", word(solver)}});
  }
  add("hinge, C 1000", Kind::kOverlapping, "margin", {{"solver", word("dual")}, {"C", 1000.0}, {"passes", passes}});
  for (const char* solver : {"dual", "newton"}) {
    add(std::string("squared hinge ") + solver, Kind::kOverlapping, "margin",
        {{"loss", word("squared-hinge")}, {"solver", word(solver)}});
  }
  add("squared hinge, wide", Kind::kWide, "margin", {{"loss", word("squared-hinge")}});
  // Coordinate descent gives way to Newton's method, which starts from what it found.
  add("squared hinge, slow", Kind::kAlike, "margin",
      {{"loss", word("squared-hinge")}, {"C", 10.0}, {"gap", 1e-9}, {"origin", true}});
  add("logistic", Kind::kOverlapping, "margin", {{"loss", word("logistic")}, {"origin", true}});
  add("hinge of classes", Kind::kClasses, "margin", {{"gap", 1e-9}});
  add("softmax of classes", Kind::kClasses, "margin", {{"loss", word("softmax")}, {"gap", 1e-6}});
  add("logistic of labels", Kind::kLabels, "margin", {{"loss", word("logistic")}});
  add("hard margin", Kind::kSeparable, "margin", {{"hard", true}, {"gap", 1e-9}});
  add("hard margin, wide", Kind::kWide, "margin", {{"hard", true}, {"gap", 1e-9}});
  return all;
}

}  // namespace linsep::testing
