// For the tests of this room: small data sets in every layout, and a plain loop that drives a learner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "learn/learners.h"
#include "linsep/comm.h"

namespace linsep::testing {

/// Rows as a person writes them.
struct Rows {
  std::vector<std::vector<double>> x;
  std::vector<double> y;
  std::vector<double> w;  ///< if empty, every row weighs 1

  std::size_t size() const { return x.size(); }
  std::size_t features() const { return x.empty() ? 0 : x[0].size(); }
};

struct Layout {
  bool dense = true;
  bool is_float = false;
};

inline constexpr Layout kLayouts[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/// The rows' arrays, and a batch that views them. Sparse layouts leave zeros out.
class Packed {
 public:
  explicit Packed(const Rows& rows, Layout layout = {}) : label_(rows.y), weight_(rows.w) {
    for (const auto& x : rows.x) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (!layout.dense && x[j] == 0) continue;
        column_.push_back(static_cast<std::uint32_t>(j));
        value64_.push_back(x[j]);
        value32_.push_back(static_cast<float>(x[j]));
      }
      start_.push_back(column_.size());
    }
    batch_.rows = static_cast<std::int64_t>(rows.size());
    batch_.features = static_cast<std::uint32_t>(rows.features());
    batch_.dense = layout.dense;
    batch_.is_float = layout.is_float;
    batch_.label = label_;
    batch_.weight = weight_;
    if (layout.is_float) {
      batch_.value32 = value32_;
    } else {
      batch_.value64 = value64_;
    }
    if (layout.dense) {
      batch_.stride = batch_.features;
    } else {
      batch_.start = start_;
      batch_.column = column_;
    }
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  const Batch& batch() const { return batch_; }

 private:
  std::vector<std::uint64_t> start_{0};
  std::vector<std::uint32_t> column_;
  std::vector<float> value32_;
  std::vector<double> value64_;
  std::vector<double> label_;
  std::vector<double> weight_;
  Batch batch_;
};

/// Rows begin … end − 1 of a batch.
inline Batch rows_between(Batch batch, std::int64_t begin, std::int64_t end) {
  const auto first = static_cast<std::size_t>(begin);
  const auto count = static_cast<std::size_t>(end - begin);
  batch.first_row += begin;
  batch.rows = end - begin;
  batch.label = batch.label.subspan(first, count);
  if (!batch.weight.empty()) batch.weight = batch.weight.subspan(first, count);
  if (batch.dense) {
    if (batch.is_float) {
      batch.value32 = batch.value32.subspan(first * batch.stride);
    } else {
      batch.value64 = batch.value64.subspan(first * batch.stride);
    }
  } else {
    batch.start = batch.start.subspan(first, count + 1);
  }
  return batch;
}

/// The batches of one pass: `batch` in pieces of `size` rows.
inline std::vector<Batch> pieces(const Batch& batch, std::int64_t size) {
  std::vector<Batch> all;
  for (std::int64_t i = 0; i < batch.rows; i += size)
    all.push_back(rows_between(batch, i, std::min(i + size, batch.rows)));
  return all;
}

struct Result {
  Model model;
  TrainingStats stats;
  std::vector<Progress> history;
  bool converged = false;
};

inline Shape shape_of(const Batch& batch) { return {batch.rows, batch.features, -1}; }

inline Verdict one_pass(Learner& learner, const std::vector<Batch>& batches, Comm& comm, Progress& progress) {
  for (const Batch& batch : batches) learner.visit(batch);
  learner.synchronise(comm);
  return learner.end_pass(progress);
}

/// Drives a learner over batches that are the same in every pass.
inline Result drive(Learner& learner, const Shape& shape, const std::vector<Batch>& batches, std::int64_t passes,
                    Comm& comm) {
  Result run;
  learner.begin(shape);
  Verdict verdict = Verdict::kContinue;
  for (std::int64_t pass = 1; pass <= passes && verdict == Verdict::kContinue; ++pass) {
    Progress progress;
    progress.pass = pass;
    verdict = one_pass(learner, batches, comm, progress);
    run.history.push_back(progress);
  }
  run.converged = verdict == Verdict::kConverged;
  run.model = learner.model();
  run.stats = learner.stats();
  return run;
}

inline Result drive(Learner& learner, const Batch& batch, std::int64_t passes = 100) {
  return drive(learner, shape_of(batch), {batch}, passes, *solo());
}

/// The same with batches that a source gives.
inline Result drive(Learner& learner, Source& source, std::int64_t passes = 100) {
  Result run;
  const auto comm = solo();
  learner.begin(source.shape());
  Verdict verdict = Verdict::kContinue;
  for (std::int64_t pass = 0; pass < passes && verdict == Verdict::kContinue; ++pass) {
    source.rewind(static_cast<std::uint64_t>(pass));
    while (const auto batch = source.next()) learner.visit(*batch);
    learner.synchronise(*comm);
    Progress progress;
    verdict = learner.end_pass(progress);
    run.history.push_back(progress);
  }
  run.converged = verdict == Verdict::kConverged;
  run.model = learner.model();
  run.stats = learner.stats();
  return run;
}

/// The learner of an entry with these options, the others at their defaults.
inline std::unique_ptr<Learner> made(const LearnerEntry& entry, const Options& given = {},
                                     const Model* start = nullptr) {
  return entry.make(complete_options(entry.info.table, given), start, {});
}
inline std::unique_ptr<Learner> perceptron(const Options& given = {}, const Model* start = nullptr) {
  return made(perceptron_entry(), given, start);
}
inline std::unique_ptr<Learner> dual(const Options& given = {}) { return made(dual_perceptron_entry(), given); }
inline std::unique_ptr<Learner> basic(const Options& given = {}) { return made(basic_entry(), given); }
inline std::unique_ptr<Learner> least_squares(const Options& given = {}) { return made(least_squares_entry(), given); }
inline std::unique_ptr<Learner> regression(const Options& given = {}) { return made(regression_entry(), given); }

inline OptionValue word(std::string_view text) { return std::string(text); }

/// One learner with options, for tests that hold for all of them.
struct Case {
  std::string name;
  std::unique_ptr<Learner> (*make)(const Options&);
  Options options;

  std::unique_ptr<Learner> learner() const { return make(options); }
};

inline std::unique_ptr<Learner> perceptron_from_zero(const Options& given) { return perceptron(given); }

/// Every learner in every variant.
inline std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const bool origin : {false, true}) {
    const std::string suffix = origin ? ", origin" : "";
    for (const char* variant : {"last", "averaged", "voted"}) {
      cases.push_back({"perceptron " + std::string(variant) + suffix,
                       perceptron_from_zero,
                       {{"variant", word(variant)}, {"origin", origin}, {"trace", true}, {"rate", 0.5}}});
    }
    for (const char* kernel : {"linear", "polynomial", "gaussian"}) {
      cases.push_back({"dual " + std::string(kernel) + suffix, dual, {{"kernel", word(kernel)}, {"origin", origin}}});
    }
    cases.push_back({"basic" + suffix, basic, {{"origin", origin}}});
    for (const char* matrix : {"auto", "identity", "diagonal", "full", "cg"}) {
      cases.push_back({"least squares " + std::string(matrix) + suffix,
                       least_squares,
                       {{"matrix", word(matrix)}, {"origin", origin}}});
    }
    for (const char* rule : {"signed", "squared"}) {
      cases.push_back({"regression " + std::string(rule) + suffix,
                       regression,
                       {{"rule", word(rule)}, {"origin", origin}, {"rate", 0x1p-10}}});
    }
  }
  return cases;
}

/// Small whole numbers, some of them zero, with random labels ±1. Sums of these are exact.
inline Rows whole_rows(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Random random(seed);
  Rows all;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(features);
    for (double& value : x) value = random.below(3) == 0 ? 0.0 : static_cast<double>(random.below(9)) - 4;
    all.x.push_back(std::move(x));
    all.y.push_back(random.below(2) == 0 ? -1 : 1);
  }
  return all;
}

/// Nearly normal values and labels by a noisy rule. Nothing about these sums is exact.
inline Rows real_rows(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Random random(seed);
  Rows all;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(features);
    double z = 0.3 + 0.5 * random.normal();
    for (std::size_t j = 0; j < features; ++j) {
      x[j] = random.normal() + 0.2 * static_cast<double>(j);
      z += x[j] * (j % 2 == 0 ? 1 : -1);
    }
    all.x.push_back(std::move(x));
    all.y.push_back(z > 0 ? 1 : -1);
  }
  return all;
}

}  // namespace linsep::testing
