// Arrays with 64-bit columns and one-byte labels. Every learner, certify and evaluate get the same bits as with ours.
#include <gtest/gtest.h>

#include "core/random.h"
#include "linsep/certify.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/train.h"

namespace linsep {
namespace {

struct Arrays {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> column64;
  std::vector<float> value;
  std::vector<double> label;
  std::vector<std::int8_t> label8;
  std::vector<double> weight;
  Schema schema;

  /// Labels −1 and +1, or with more than two classes their indices.
  explicit Arrays(std::size_t classes) {
    for (std::size_t c = 0; c < classes; ++c) schema.classes.push_back("c" + std::to_string(c));
    for (std::uint64_t i = 0; i < 12000; ++i) {
      Random random(7, i);
      double sum = 0;
      for (std::uint32_t c = 0; c < 12; ++c) {
        if (random.below(3) == 0) continue;
        column.push_back(c);
        column64.push_back(c);
        value.push_back(static_cast<float>(random.below(200)) / 100 - 1);
        sum += value.back() * (c % 2 == 0 ? 1 : -0.7);
      }
      start.push_back(column.size());
      const bool noise = random.below(20) == 0;
      const int place = sum < -0.5 ? 0 : (sum < 0.5 ? 1 : 2);
      label8.push_back(static_cast<std::int8_t>(classes == 2 ? ((sum > 0) != noise ? 1 : -1) : place));
      label.push_back(label8.back());
      weight.push_back(1 + static_cast<double>(random.below(2)));
    }
  }
  std::unique_ptr<Source> source(bool foreign, bool weighted) const {
    Batch batch;
    batch.rows = static_cast<std::int64_t>(label.size());
    batch.features = 12;
    batch.start = start;
    batch.value32 = value;
    if (weighted) batch.weight = weight;
    if (foreign) {
      batch.column64 = column64;
      batch.label8 = label8;
    } else {
      batch.column = column;
      batch.label = label;
    }
    return view(batch, schema);
  }
};

struct Fit {
  std::string learner;
  Options options;
  bool weighted = false;
};

void expect_same(const Arrays& arrays, const Fit& run) {
  TrainSpec spec;
  spec.learner = run.learner;
  spec.options = run.options;
  TrainOptions limits;
  limits.threads = 2;
  const auto ours = arrays.source(false, run.weighted), theirs = arrays.source(true, run.weighted);
  const Outcome a = fit(*ours, spec, limits, *solo()), b = fit(*theirs, spec, limits, *solo());
  EXPECT_EQ(a.model, b.model) << run.learner;
  EXPECT_EQ(a.passes, b.passes) << run.learner;
  EXPECT_EQ(evaluate(*ours, a.model, true).mistakes, evaluate(*theirs, a.model, true).mistakes);
}

TEST(ForeignArrays, TrainToTheSameBits) {
  const Arrays two(2);
  const auto passes = [](std::int64_t n) { return OptionValue(n); };
  for (const Fit& run : std::vector<Fit>{
           {"perceptron", {{"passes", passes(3)}}},
           {"perceptron", {{"passes", passes(3)}, {"order", std::string("shuffled")}}},
           {"basic", {}, true},
           {"least-squares", {}, true},
           {"margin", {{"solver", std::string("dual")}, {"gap", 0.05}}, true},
           {"margin", {{"solver", std::string("planes")}, {"gap", 0.05}}},
           {"margin", {{"solver", std::string("interior")}, {"gap", 0.05}}},
           {"margin", {{"loss", std::string("logistic")}, {"gap", 0.05}}},
       }) {
    expect_same(two, run);
  }
}

TEST(ForeignArrays, OfSeveralClassesTrainToTheSameBits) {
  const Arrays three(3);
  expect_same(three, {"perceptron", {{"passes", std::int64_t{2}}}});
  expect_same(three, {"margin", {{"gap", 0.05}}});
}

TEST(ForeignArrays, AreCertifiedAndSealedAlike) {
  const Arrays two(2);
  const auto ours = two.source(false, false), theirs = two.source(true, false);
  CertifyOutcome a = certify(*ours, {}, *solo()), b = certify(*theirs, {}, *solo());
  EXPECT_EQ(a.certificate, b.certificate);
  seal_certificate(a.certificate, *ours);
  seal_certificate(b.certificate, *theirs);
  EXPECT_EQ(a.certificate, b.certificate);
}

TEST(Evaluate, HearsAnInterrupt) {
  const Arrays two(2);
  const auto source = two.source(false, false);
  TrainSpec spec;
  spec.learner = "basic";
  const Model model = fit(*source, spec, {}, *solo()).model;
  const std::atomic<bool> stop = true;
  RunLimits limits;
  limits.interrupt = &stop;
  try {
    evaluate(*source, model, false, {}, limits);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
  }
}

}  // namespace
}  // namespace linsep
