// λ paths, cross-validation and probabilities of several classes and label columns: against each class, λ and fold
// trained by itself.
#include <gtest/gtest.h>

#include <cmath>

#include "linsep/error.h"
#include "train/select/held_out.h"
#include "train/select/testing.h"

namespace linsep {
namespace {

using testing::labelled_rows;
using testing::margin_with;
using testing::scores_by_part;
using testing::shard_of;
using testing::word;

struct Labels {
  const char* name;
  Schema schema;
  std::size_t parts;
  /// Of one part: whether a row of this label is positive.
  bool positive(std::size_t part, double label) const {
    if (schema.labels.empty()) return label == static_cast<double>(part);
    return schema.combinations[static_cast<std::size_t>(label)][part] == '1';
  }
  bool labelled(std::size_t part, double label) const {
    return schema.labels.empty() || schema.combinations[static_cast<std::size_t>(label)][part] != '-';
  }
  /// The rows of two classes: this part's, and all others. Those without a label weigh nothing.
  std::vector<PlainRow> part(std::size_t which, std::vector<PlainRow> rows) const {
    for (PlainRow& row : rows) {
      if (!labelled(which, row.label)) row.weight = 0;
      row.label = positive(which, row.label) ? 1 : -1;
    }
    return rows;
  }
};

std::vector<Labels> kinds() {
  Schema gaps = testing::two_columns();
  gaps.combinations = {"0-", "01", "10", "-1"};
  return {{"classes", testing::three_classes(), 3}, {"columns", testing::two_columns(), 2}, {"gaps", gaps, 2}};
}

const std::vector<Options> kLosses = {
    {{"loss", word("hinge")}}, {{"loss", word("squared-hinge")}}, {{"loss", word("logistic")}}};

double loss_of(const Options& options, double m) {
  const double t = std::max(0.0, 1 - m);
  const std::string& loss = get_text(options, "loss");
  if (loss == "logistic") return std::log1p(std::exp(-m));
  return loss == "hinge" ? t : t * t;
}

std::vector<std::uint16_t> folds_of(const std::vector<PlainRow>& rows, std::int64_t count) {
  std::vector<std::uint32_t> label;
  for (const PlainRow& row : rows) label.push_back(static_cast<std::uint32_t>(row.label));
  return deal_folds(label, 0, count, 1, *solo());
}

TEST(PathOfSeveral, IsThatOfEachPartByItself) {
  for (const Labels& kind : kinds()) {
    const auto rows = labelled_rows(kind.schema, 120, true);
    for (const Options& options : kLosses) {
      SCOPED_TRACE(kind.name + get_text(options, "loss"));
      const auto source = shard_of(rows, kind.schema);
      const Selection found = select(*source, margin_with(options), {{"lambdas", word("0.3,0.03")}}, {}, *solo());
      ASSERT_EQ(found.outcome.parts.size(), kind.parts);
      std::vector<double> objective(2), gap(2);
      for (std::size_t part = 0; part < kind.parts; ++part) {
        const auto two = shard_of(kind.part(part, rows), testing::two_classes(), 0, 1, 11);
        const Selection alone = select(*two, margin_with(options), {{"lambdas", word("0.3,0.03")}}, {}, *solo());
        const auto theta = weights_of(found.outcome.model, part);
        EXPECT_EQ(std::vector<double>(theta.begin(), theta.end()), alone.outcome.model.theta);
        EXPECT_EQ(found.outcome.model.offsets[part], alone.outcome.model.offset);
        EXPECT_EQ(found.outcome.parts[part].objective, alone.path[1].objective);
        for (std::size_t l = 0; l < 2; ++l) {
          objective[l] += alone.path[l].objective;
          gap[l] = std::max(gap[l], alone.path[l].gap);
        }
      }
      for (std::size_t l = 0; l < 2; ++l) {
        EXPECT_DOUBLE_EQ(found.path[l].objective, objective[l]);
        EXPECT_EQ(found.path[l].gap, gap[l]);
      }
      EXPECT_EQ(found.path[1].mistakes, evaluate(*source, found.outcome.model).mistakes);
      EXPECT_EQ(get_number(found.outcome.model.options, "lambda"), 0.03);
    }
  }
}

/// The slow way: every fold of every part by itself, with the rows it holds out at weight 0.
std::vector<double> scores_by_hand(const Labels& kind, const std::vector<PlainRow>& rows,
                                   const std::vector<std::uint16_t>& fold, std::int64_t folds, const Options& options,
                                   const char* lambdas) {
  std::vector<double> z(kind.parts * rows.size());
  for (std::size_t part = 0; part < kind.parts; ++part) {
    const auto two = kind.part(part, rows);
    const auto all = shard_of(two, testing::two_classes());
    for (std::int64_t k = 0; k < folds; ++k) {
      auto kept = two;
      for (std::size_t i = 0; i < rows.size(); ++i) kept[i].weight = fold[i] == k ? 0 : two[i].weight;
      const auto source = shard_of(kept, testing::two_classes());
      const Selection found = select(*source, margin_with(options), {{"lambdas", word(lambdas)}}, {}, *solo());
      const auto scores = scores_by_part(found.outcome.model, *all);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (fold[i] == k) z[part * rows.size() + i] = scores[i];
      }
    }
  }
  return z;
}

struct Figures {
  double error = 0, loss = 0;
};

Figures figures(const Labels& kind, const std::vector<PlainRow>& rows, const std::vector<double>& z,
                const Options& options) {
  const auto at = [&](std::size_t part, std::size_t i) { return z[part * rows.size() + i]; };
  double wrong = 0, tried = 0, loss = 0, weight = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool beaten = false;
    for (std::size_t part = 0; part < kind.parts; ++part) {
      if (!kind.labelled(part, rows[i].label)) continue;
      const double m = kind.positive(part, rows[i].label) ? at(part, i) : -at(part, i);
      loss += rows[i].weight * loss_of(options, m);
      weight += rows[i].weight;
      if (!kind.schema.labels.empty()) {
        ++tried;
        if (m <= 0) ++wrong;
      } else {
        const auto own = static_cast<std::size_t>(rows[i].label);
        beaten = beaten || (part != own && at(part, i) >= at(own, i));
      }
    }
    if (!kind.schema.labels.empty()) continue;
    ++tried;
    if (beaten) ++wrong;
  }
  return {wrong / tried, loss / weight};
}

TEST(CrossValidationOfSeveral, IsEachFoldOfEachPartByItself) {
  for (const Labels& kind : kinds()) {
    const auto rows = labelled_rows(kind.schema, 90, true);
    const auto fold = folds_of(rows, 3);
    for (const Options& options : kLosses) {
      SCOPED_TRACE(kind.name + get_text(options, "loss"));
      const auto source = shard_of(rows, kind.schema);
      const Selection found =
          select(*source, margin_with(options), {{"lambdas", word("0.3,0.03")}, {"cv", std::int64_t{3}}}, {}, *solo());
      const std::vector<const char*> paths = {"0.3", "0.3,0.03"};
      for (std::size_t l = 0; l < 2; ++l) {
        const auto z = scores_by_hand(kind, rows, fold, 3, options, paths[l]);
        const Figures wanted = figures(kind, rows, z, options);
        ASSERT_TRUE(found.path[l].held_out);
        EXPECT_EQ(found.path[l].held_out->error, wanted.error);
        EXPECT_NEAR(found.path[l].held_out->loss, wanted.loss, 1e-12);
      }
    }
  }
}

TEST(CrossValidationOfSeveral, ChoosesOneLambdaForAllParts) {
  for (const Labels& kind : kinds()) {
    for (const char* what : {"error", "loss"}) {
      const auto source = shard_of(labelled_rows(kind.schema, 150), kind.schema);
      const Selection found =
          select(*source, margin_with({}),
                 {{"lambdas", word("10,0.1,0.001")}, {"cv", std::int64_t{4}}, {"choose", word(what)}}, {}, *solo());
      for (const SelectionPoint& point : found.path) {
        const auto value = [&](const SelectionPoint& one) {
          return found.by_loss ? one.held_out->loss : one.held_out->error;
        };
        EXPECT_LE(value(found.path[found.chosen]), value(point));
      }
      EXPECT_EQ(get_number(found.outcome.model.options, "lambda"), found.path[found.chosen].lambda);
      EXPECT_EQ(found.path[found.chosen].mistakes, evaluate(*source, found.outcome.model).mistakes);
    }
  }
}

TEST(CrossValidationOfSeveral, GivesTheSameBitsOnAnyNumberOfThreadsAndInAnyBatches) {
  for (const Labels& kind : kinds()) {
    const auto rows = labelled_rows(kind.schema, 100, true);
    for (const Options& options : kLosses) {
      const Options selection = {{"cv", std::int64_t{3}}, {"probabilities", word("platt")}};
      const auto whole = shard_of(rows, kind.schema, 0, 1, 100), pages = shard_of(rows, kind.schema, 0, 1, 9);
      TrainOptions one, many;
      one.threads = 1;
      many.threads = 4;
      const Selection a = select(*whole, margin_with(options), selection, one, *solo());
      const Selection b = select(*pages, margin_with(options), selection, many, *solo());
      EXPECT_EQ(a.outcome.model, b.outcome.model);
      ASSERT_EQ(a.path.size(), b.path.size());
      for (std::size_t l = 0; l < a.path.size(); ++l) {
        EXPECT_EQ(a.path[l].objective, b.path[l].objective);
        EXPECT_EQ(a.path[l].held_out->loss, b.path[l].held_out->loss);
      }
    }
  }
}

TEST(ProbabilitiesOfSeveral, AreFittedToEachPartsScoresOfRowsHeldOut) {
  for (const Labels& kind : kinds()) {
    const auto rows = labelled_rows(kind.schema, 90, true);
    const auto fold = folds_of(rows, 5);
    const Options options = {{"loss", word("hinge")}};
    const auto z = scores_by_hand(kind, rows, fold, 5, options, "0.05");
    const auto source = shard_of(rows, kind.schema);
    for (const char* how : {"platt", "isotonic"}) {
      const Selection found =
          select(*source, margin_with({{"lambda", 0.05}}), {{"probabilities", word(how)}}, {}, *solo());
      ASSERT_EQ(found.outcome.model.calibrations.size(), kind.parts);
      EXPECT_EQ(found.outcome.model.calibration, Calibration{});
      for (std::size_t part = 0; part < kind.parts; ++part) {
        std::vector<ScoredRow> scored;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double y = kind.positive(part, rows[i].label) ? 1 : -1;
          scored.push_back({z[part * rows.size() + i], y, kind.labelled(part, rows[i].label) ? rows[i].weight : 0});
        }
        EXPECT_EQ(found.outcome.model.calibrations[part],
                  how[0] == 'p' ? fit_sigmoid(std::move(scored)) : fit_isotonic(std::move(scored)));
      }
    }
  }
}

TEST(ProbabilitiesOfSeveral, AreThoseOfTheScoresWhereTheyAreLogOdds) {
  Calibration sigmoid;
  sigmoid.kind = Calibration::Kind::kSigmoid;
  for (const Labels& kind : kinds()) {
    const auto source = shard_of(labelled_rows(kind.schema, 60), kind.schema);
    const Model model = fit(*source, margin_with({{"loss", word("logistic")}})).model;
    EXPECT_EQ(model.calibrations, std::vector<Calibration>(kind.parts, sigmoid));
    const Model chosen =
        select(*source, margin_with({{"loss", word("logistic")}}), {{"lambdas", word("0.1,0.01")}}, {}, *solo())
            .outcome.model;
    EXPECT_EQ(chosen.calibrations, model.calibrations);
    EXPECT_TRUE(fit(*source, margin_with({})).model.calibrations.empty());
  }
}

TEST(Gaps, ARowWithoutALabelIsNoPartOfThatColumn) {
  const Labels kind = kinds()[2];
  const auto rows = labelled_rows(kind.schema, 120, true);
  const auto source = shard_of(rows, kind.schema);
  for (const char* learner : {"margin", "perceptron", "basic", "least-squares"}) {
    SCOPED_TRACE(learner);
    TrainSpec spec;
    spec.learner = learner;
    const Model found = fit(*source, spec).model;
    const Evaluation judged = evaluate(*source, found, true);
    for (std::size_t part = 0; part < kind.parts; ++part) {
      const auto weighed = kind.part(part, rows);
      std::vector<PlainRow> left;
      for (PlainRow row : weighed) {
        if (row.weight == 0) continue;
        row.number = static_cast<std::int64_t>(left.size());
        left.push_back(row);
      }
      const auto alone = shard_of(weighed, testing::two_classes()), fewer = shard_of(left, testing::two_classes());
      const Model expected = fit(*alone, spec).model;
      const auto theta = weights_of(found, part);
      EXPECT_EQ(std::vector<double>(theta.begin(), theta.end()), expected.theta);
      EXPECT_EQ(found.offsets[part], expected.offset);
      const Evaluation own = evaluate(*fewer, expected, true);
      EXPECT_EQ(judged.labels[part].rows, static_cast<std::int64_t>(left.size()));
      EXPECT_EQ(judged.labels[part].mistakes, own.mistakes);
      EXPECT_EQ(judged.labels[part].true_positive, own.true_positive);
      EXPECT_EQ(judged.labels[part].area_under_curve, own.area_under_curve);
    }
  }
}

}  // namespace
}  // namespace linsep
