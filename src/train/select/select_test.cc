#include "linsep/select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/random.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "train/select/held_out.h"
#include "train/select/plan.h"

namespace linsep {
namespace {

/// Rows of two overlapping classes, nearly normal; every third weighs more where `weighted`.
std::vector<PlainRow> overlapping_rows(std::int64_t count, bool weighted = false) {
  std::vector<PlainRow> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(5, static_cast<std::uint64_t>(i));
    PlainRow row{i, {}, random.below(3) == 0 ? 1.0 : -1.0, weighted && i % 3 == 0 ? 2.5 : 1};
    for (std::uint32_t c = 0; c < 6; ++c) row.entries.emplace_back(c, random.normal() + (c < 2 ? 0.8 * row.label : 0));
    rows.push_back(row);
  }
  return rows;
}

std::unique_ptr<MemorySource> source_of(const std::vector<PlainRow>& rows, std::size_t page_rows = 37) {
  return std::make_unique<MemorySource>(plain_pages(rows, 6, page_rows, false, false), Schema{{"-1", "1"}, {}}, 6);
}

TrainSpec margin_spec(const Options& options = {}) {
  TrainSpec spec;
  spec.learner = "margin";
  spec.options = options;
  return spec;
}

OptionValue word(const char* text) { return std::string(text); }

Selection selected(Source& source, const Options& options, const Options& selection, int threads = 1) {
  TrainOptions limits;
  limits.threads = threads;
  return select(source, margin_spec(options), selection, limits, *solo());
}

std::vector<double> scores_of(const Model& model, Source& source) {
  std::vector<double> all;
  source.rewind(0);
  while (const auto batch = source.next()) {
    std::vector<double> z(static_cast<std::size_t>(batch->rows));
    score(model, *batch, z);
    all.insert(all.end(), z.begin(), z.end());
  }
  return all;
}

std::vector<std::uint32_t> positives(const std::vector<PlainRow>& rows) {
  std::vector<std::uint32_t> all;
  for (const PlainRow& row : rows) all.push_back(row.label > 0 ? 1 : 0);
  return all;
}

std::vector<std::uint16_t> folds_of(std::span<const std::uint32_t> label, std::int64_t count, std::uint64_t seed) {
  return deal_folds(label, 0, count, seed, *solo());
}

const std::vector<Options> kSolvers = {{{"solver", word("dual")}},
                                       {{"solver", word("interior")}},
                                       {{"loss", word("squared-hinge")}, {"solver", word("dual")}},
                                       {{"loss", word("squared-hinge")}, {"solver", word("newton")}},
                                       {{"loss", word("logistic")}}};

TEST(Lambdas, AreReadInAnyOrderAndDescend) {
  EXPECT_EQ(parse_lambdas("1e-3,0.5,1e-2,0.5"), (std::vector<double>{0.5, 1e-2, 1e-3}));
  EXPECT_EQ(parse_lambdas("2"), std::vector<double>{2});
}

TEST(Lambdas, OfARangeHaveEqualRatiosAndBothEnds) {
  const auto values = parse_lambdas("1e-4:1:5");
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 1e-4);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(values[i - 1] / values[i], 10, 1e-9);
}

TEST(Lambdas, ThatAreNoPositiveNumbersAreRefused) {
  for (const char* text :
       {"", "0", "-1", "1,,2", "1:2", "1:2:0", "1:2:2.5", "1:2:5000", "a", "1:b:3", "inf", "1e-3,"}) {
    EXPECT_THROW(parse_lambdas(text), Error) << text;
  }
}

TEST(Lambdas, ThatTheDataSuggestsArePowersOfTenBelowItsSquare) {
  EXPECT_EQ(usual_lambdas(12.5), (std::vector<double>{1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6}));
  EXPECT_EQ(usual_lambdas(0).size(), 7U);
  EXPECT_GT(usual_lambdas(1e-320).back(), 0);
}

TEST(Folds, AndTheirClassesAreOfEqualSizeUpToOneRow) {
  const auto positive = positives(overlapping_rows(103));
  for (const std::int64_t count : {2, 3, 5, 10, 103}) {
    const auto fold = folds_of(positive, count, 1);
    std::vector<int> all(static_cast<std::size_t>(count)), ones(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < fold.size(); ++i) {
      ++all[fold[i]];
      ones[fold[i]] += static_cast<int>(positive[i]);
    }
    for (const auto& sizes : {all, ones}) {
      EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()) - *std::min_element(sizes.begin(), sizes.end()), 1);
    }
  }
}

TEST(Folds, DependOnTheSeedAlone) {
  const auto positive = positives(overlapping_rows(50));
  EXPECT_EQ(folds_of(positive, 5, 1), folds_of(positive, 5, 1));
  EXPECT_NE(folds_of(positive, 5, 1), folds_of(positive, 5, 2));
}

TEST(Folds, AreNoMoreThanRows) { EXPECT_THROW(folds_of(std::vector<std::uint32_t>(4), 5, 1), Error); }

TEST(LambdaPath, ReachesTheGapAtEveryLambdaWithWhateverSolver) {
  const auto source = source_of(overlapping_rows(200));
  for (Options options : kSolvers) {
    options["gap"] = 1e-5;
    const Selection path = selected(*source, options, {{"lambdas", word("10:1e-4:6")}});
    ASSERT_EQ(path.path.size(), 6U);
    EXPECT_EQ(path.chosen, 5U);
    EXPECT_EQ(path.outcome.reason, StopReason::kConverged);
    for (const SelectionPoint& point : path.path) {
      EXPECT_TRUE(point.converged);
      EXPECT_LE(point.gap, 1e-5);
      // The same λ by itself, from nothing, is within both gaps.
      Options alone = options;
      alone["lambda"] = point.lambda;
      const Outcome cold = fit(*source, margin_spec(alone), {}, *solo());
      EXPECT_GE(*cold.history.back().objective, point.objective * (1 - 1e-5));
      if (cold.reason == StopReason::kConverged) {
        EXPECT_LE(*cold.history.back().objective * (1 - 1e-5), point.objective);
      }
    }
  }
}

TEST(LambdaPath, KeepsTheLastModelAndSaysItsLambda) {
  const auto source = source_of(overlapping_rows(120));
  const Selection path = selected(*source, {}, {{"lambdas", word("0.1,0.01")}});
  EXPECT_EQ(get_number(path.outcome.model.options, "lambda"), 0.01);
  EXPECT_EQ(path.path[1].mistakes, evaluate(*source, path.outcome.model).mistakes);
  EXPECT_EQ(*path.outcome.history.back().objective, path.path[1].objective);
}

TEST(LambdaPath, GoesOnAfterPassesThatDontSuffice) {
  const auto source = source_of(overlapping_rows(200));
  const Options options = {{"solver", word("dual")}, {"gap", 1e-12}, {"passes", std::int64_t{6}}};
  const Selection path = selected(*source, options, {{"lambdas", word("1,0.1,0.01")}});
  ASSERT_EQ(path.path.size(), 3U);
  for (const SelectionPoint& point : path.path) {
    EXPECT_EQ(point.passes, 6);
    EXPECT_FALSE(point.converged);
    EXPECT_GT(point.gap, 1e-12);
    EXPECT_LT(point.gap, 0.5);
  }
  EXPECT_EQ(path.outcome.reason, StopReason::kPasses);
}

/// The slow way: each fold by itself, with the rows it holds out at weight 0, and each λ as the end of a path of its
/// own.
std::vector<double> scores_by_hand(const std::vector<PlainRow>& rows, const Options& options,
                                   const std::vector<std::uint16_t>& fold, std::int64_t folds, std::string lambdas) {
  std::vector<double> z(rows.size());
  const auto all = source_of(rows);
  for (std::int64_t k = 0; k < folds; ++k) {
    auto kept = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) kept[i].weight = fold[i] == k ? 0 : rows[i].weight;
    const auto source = source_of(kept, 11);
    const auto scores = scores_of(selected(*source, options, {{"lambdas", lambdas}}).outcome.model, *all);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold[i] == k) z[i] = scores[i];
    }
  }
  return z;
}

TEST(CrossValidation, IsEachFoldByItself) {
  const auto rows = overlapping_rows(150, true);
  const auto fold = folds_of(positives(rows), 4, 9);
  for (Options options : kSolvers) {
    options["seed"] = std::int64_t{9};
    const bool logistic = options.contains("loss") && option_text(options.at("loss")) == "logistic";
    const bool hinge = !options.contains("loss");
    const auto source = source_of(rows);
    const Selection found = selected(*source, options, {{"lambdas", word("1,0.1,0.01")}, {"cv", std::int64_t{4}}});
    ASSERT_EQ(found.path.size(), 3U);
    const std::vector<std::string> paths = {"1", "1,0.1", "1,0.1,0.01"};
    for (std::size_t l = 0; l < 3; ++l) {
      const auto z = scores_by_hand(rows, options, fold, 4, paths[l]);
      double mistakes = 0, loss = 0, weight = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double m = rows[i].label * z[i], t = std::max(0.0, 1 - m);
        if (m <= 0) ++mistakes;
        loss += rows[i].weight * (logistic ? std::log1p(std::exp(-m)) : (hinge ? t : t * t));
        weight += rows[i].weight;
      }
      ASSERT_TRUE(found.path[l].held_out);
      EXPECT_EQ(found.path[l].held_out->error, mistakes / static_cast<double>(rows.size()));
      EXPECT_NEAR(found.path[l].held_out->loss, loss / weight, 1e-12);
    }
  }
}

TEST(CrossValidation, TrainsOnTheRowsOfOtherFoldsAlone) {
  // To a small gap, a fold's classifier is that of the other rows in a file of their own.
  const auto rows = overlapping_rows(90);
  const Options options = {{"loss", word("logistic")}, {"gap", 1e-12}};
  const auto fold = folds_of(positives(rows), 3, 1);
  const auto z = scores_by_hand(rows, options, fold, 3, "0.05");
  for (std::uint16_t k = 0; k < 3; ++k) {
    std::vector<PlainRow> others;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold[i] == k) continue;
      others.push_back(rows[i]);
      others.back().number = static_cast<std::int64_t>(others.size()) - 1;
    }
    const auto source = source_of(others), all = source_of(rows);
    Options alone = options;
    alone["lambda"] = 0.05;
    const auto scores = scores_of(fit(*source, margin_spec(alone), {}, *solo()).model, *all);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold[i] == k) {
        EXPECT_NEAR(z[i], scores[i], 1e-4);
      }
    }
  }
}

TEST(CrossValidation, KeepsTheLambdaOfLeastHeldOutErrorOrLoss) {
  const auto source = source_of(overlapping_rows(150));
  for (const char* what : {"error", "loss"}) {
    const Selection found =
        selected(*source, {}, {{"lambdas", word("100:1e-4:7")}, {"cv", std::int64_t{5}}, {"choose", word(what)}});
    const auto value = [&](const SelectionPoint& point) {
      return what[0] == 'e' ? point.held_out->error : point.held_out->loss;
    };
    for (std::size_t l = 0; l < found.path.size(); ++l) {
      EXPECT_LE(value(found.path[found.chosen]), value(found.path[l]));
      if (l < found.chosen) {
        EXPECT_LT(value(found.path[found.chosen]), value(found.path[l]));
      }
    }
    EXPECT_EQ(get_number(found.outcome.model.options, "lambda"), found.path[found.chosen].lambda);
    EXPECT_EQ(found.path[found.chosen].mistakes, evaluate(*source, found.outcome.model).mistakes);
  }
}

TEST(CrossValidation, TakesTheGreatestOfEquallyGoodLambdas) {
  std::vector<PlainRow> rows;
  for (std::int64_t i = 0; i < 40; ++i) rows.push_back({i, {{0, i % 2 == 0 ? 5.0 : -5.0}}, i % 2 == 0 ? 1.0 : -1.0, 1});
  const auto source = source_of(rows);
  const Selection found = selected(*source, {}, {{"lambdas", word("0.1,0.01,0.001")}, {"cv", std::int64_t{4}}});
  EXPECT_EQ(found.path[2].held_out->error, 0);
  EXPECT_EQ(found.chosen, 0U);
}

TEST(CrossValidation, GivesTheSameBitsOnAnyNumberOfThreads) {
  const auto source = source_of(overlapping_rows(300));
  for (const Options& options : kSolvers) {
    const Options selection = {
        {"lambdas", word("1:1e-3:4")}, {"cv", std::int64_t{5}}, {"probabilities", word("isotonic")}};
    const Selection one = selected(*source, options, selection, 1);
    for (const int threads : {2, 4}) {
      const Selection many = selected(*source, options, selection, threads);
      EXPECT_EQ(many.outcome.model, one.outcome.model);
      for (std::size_t l = 0; l < one.path.size(); ++l) {
        EXPECT_EQ(many.path[l].objective, one.path[l].objective);
        EXPECT_EQ(many.path[l].gap, one.path[l].gap);
        EXPECT_EQ(many.path[l].held_out->error, one.path[l].held_out->error);
        EXPECT_EQ(many.path[l].held_out->loss, one.path[l].held_out->loss);
      }
    }
  }
}

TEST(CrossValidation, WithoutLambdasTriesThoseThatSuitTheData) {
  const auto source = source_of(overlapping_rows(100));
  EXPECT_EQ(selected(*source, {}, {{"cv", std::int64_t{3}}}).asked, 7U);
  EXPECT_EQ(selected(*source, {{"C", 0.5}}, {{"cv", std::int64_t{3}}}).asked, 1U);
}

TEST(Spread, IsTheStandardErrorOfTheFoldsMean) {
  RowSurvey survey;
  survey.label = {1, 1, 1, 1};
  const std::vector<std::uint16_t> fold = {0, 0, 1, 1};
  const std::vector<double> score = {-1, 2, 0.5, 3};  // errors ½ and 0, hinge losses 1 and ¼
  const HeldOut held = summarize_held_out(survey, fold, 2, score, Loss::kHinge, {}, *solo());
  EXPECT_DOUBLE_EQ(held.error, 0.25);
  EXPECT_DOUBLE_EQ(held.error_spread, 0.25);
  EXPECT_DOUBLE_EQ(held.loss, 0.625);
  EXPECT_DOUBLE_EQ(held.loss_spread, 0.375);
}

TEST(Probabilities, AreFittedToScoresOfRowsHeldOut) {
  const auto rows = overlapping_rows(150, true);
  const auto fold = folds_of(positives(rows), 5, 1);
  const Options options = {{"lambda", 0.05}};
  const auto z = scores_by_hand(rows, {}, fold, 5, "0.05");
  std::vector<ScoredRow> scored;
  for (std::size_t i = 0; i < rows.size(); ++i) scored.push_back({z[i], rows[i].label, rows[i].weight});
  const auto source = source_of(rows);
  EXPECT_EQ(selected(*source, options, {{"probabilities", word("platt")}}).outcome.model.calibration,
            fit_sigmoid(scored));
  EXPECT_EQ(selected(*source, options, {{"probabilities", word("isotonic")}}).outcome.model.calibration,
            fit_isotonic(scored));
}

TEST(Probabilities, DontChangeTheClassifier) {
  const auto source = source_of(overlapping_rows(150));
  const Model plain = fit(*source, margin_spec({{"C", 0.1}}), {}, *solo()).model;
  const Model calibrated = selected(*source, {{"C", 0.1}}, {{"probabilities", word("platt")}}).outcome.model;
  EXPECT_EQ(calibrated.theta, plain.theta);
  EXPECT_EQ(calibrated.offset, plain.offset);
}

TEST(TimeLimit, LeavesAModelWithTheGapItHasReached) {
  const auto source = source_of(overlapping_rows(400));
  for (const double limit : {0.8, 2.0, 3.33, 5.0, 12.0}) {
    TrainOptions limits;
    double now = 0;
    limits.clock = [&now] { return now += 0.01; };
    limits.time_limit = limit;
    const Options options = {{"solver", word("dual")}, {"gap", 1e-9}, {"lambda", 0.01}};
    const Outcome outcome = fit(*source, margin_spec(options), limits, *solo());
    ASSERT_EQ(outcome.reason, StopReason::kTime);
    EXPECT_LT(*outcome.history.back().gap, 0.6) << limit;
    const Model& model = outcome.model;
    double loss = 0, square = 0;
    const auto z = scores_of(model, *source);
    const auto rows = overlapping_rows(400);
    for (std::size_t i = 0; i < z.size(); ++i) loss += std::max(0.0, 1 - rows[i].label * z[i]) / 400;
    for (const double x : model.theta) square += x * x;
    EXPECT_NEAR(*outcome.history.back().objective, loss + 0.005 * square, 1e-9) << limit;
  }
}

TEST(TimeLimit, KeepsTheLastLambdaThatIsFinished) {
  const auto source = source_of(overlapping_rows(200));
  for (const bool folds : {false, true}) {
    Options selection = {{"lambdas", word("0.1:1e-6:10")}, {"probabilities", word(folds ? "platt" : "none")}};
    TrainOptions limits;
    double now = 0;
    limits.clock = [&now] { return now += 1; };
    limits.time_limit = 8000;
    const Selection found =
        select(*source, margin_spec({{"solver", word("dual")}, {"gap", 1e-6}}), selection, limits, *solo());
    EXPECT_EQ(found.outcome.reason, StopReason::kTime);
    EXPECT_LT(found.path.size(), 10U);
    EXPECT_TRUE(found.path[found.chosen].converged);
    EXPECT_LE(found.path[found.chosen].gap, 1e-6);
    EXPECT_EQ(get_number(found.outcome.model.options, "lambda"), found.path[found.chosen].lambda);
  }
}

TEST(TimeLimit, LeavesTheModelOfTheMomentWhereNoLambdaIsFinished) {
  const auto source = source_of(overlapping_rows(200));
  TrainOptions limits;
  double now = 0;
  limits.clock = [&now] { return now += 1; };
  limits.time_limit = 30;
  const Selection found = select(*source, margin_spec({{"solver", word("dual")}}),
                                 {{"cv", std::int64_t{3}}, {"probabilities", word("platt")}}, limits, *solo());
  EXPECT_EQ(found.outcome.reason, StopReason::kTime);
  ASSERT_EQ(found.path.size(), 1U);
  EXPECT_FALSE(found.path[0].held_out);
  EXPECT_EQ(found.outcome.model.theta.size(), 6U);
  EXPECT_EQ(found.outcome.model.calibration, Calibration{});
}

TEST(SelectionOptions, ThatContradictEachOtherAreRefused) {
  const auto refused = [](const TrainSpec& spec, const Options& selection) {
    EXPECT_THROW(check_selection(spec, selection), Error);
  };
  refused(margin_spec({{"lambda", 0.1}}), {{"lambdas", word("1,2")}});
  refused(margin_spec({{"C", 0.1}}), {{"lambdas", word("1,2")}});
  refused(margin_spec(), {{"cv", std::int64_t{1}}});
  refused(margin_spec(), {{"lambdas", word("x")}});
  refused(margin_spec(), {{"choose", word("loss")}});
  TrainSpec perceptron;
  perceptron.learner = "perceptron";
  refused(perceptron, {{"cv", std::int64_t{3}}});
  EXPECT_NO_THROW(check_selection(perceptron, {}));
}

TEST(SelectL1, ThePathBeginsWhereTheFirstWeightAppears) {
  const auto rows = overlapping_rows(300, true);
  for (const char* loss : {"logistic", "squared-hinge"}) {
    const auto source = source_of(rows);
    const Selection found =
        selected(*source, {{"loss", word(loss)}, {"penalty", word("l1")}, {"gap", 1e-8}}, {{"lambdas", word("auto")}});
    ASSERT_EQ(found.path.size(), 100U);
    EXPECT_EQ(found.path[0].support, 0);
    EXPECT_GE(found.path[1].support, 1);
    EXPECT_EQ(found.path.back().support, 6);
    const double first = found.path[0].lambda;
    for (const auto& [lambda, support] : {std::pair(first * 1.0001, 0), std::pair(first * 0.999, 1)}) {
      const auto again = source_of(rows);
      const Selection one = selected(*again, {{"loss", word(loss)}, {"penalty", word("l1")}, {"gap", 1e-10}},
                                     {{"lambdas", std::to_string(lambda)}});
      EXPECT_EQ(one.path[0].support, support) << loss;
    }
  }
}

TEST(SelectL1, KeepsTheLargestModelWithTheFeaturesWanted) {
  for (const std::int64_t most : {1, 2, 4}) {
    const auto source = source_of(overlapping_rows(300));
    const Selection found =
        selected(*source, {{"loss", word("logistic")}, {"penalty", word("l1")}}, {{"features", most}});
    EXPECT_LE(found.path[found.chosen].support, most);
    EXPECT_EQ(std::ranges::count_if(found.outcome.model.theta, [](double weight) { return weight != 0; }),
              found.path[found.chosen].support);
    ASSERT_LT(found.chosen + 1, found.path.size());
    EXPECT_GT(found.path[found.chosen + 1].support, most);
  }
}

TEST(SelectL1, EveryPointHasTheWeightsThatAreNot0) {
  const auto source = source_of(overlapping_rows(300));
  const Selection found =
      selected(*source, {{"loss", word("logistic")}, {"penalty", word("l1")}}, {{"lambdas", word("0.2:0.01:6")}});
  for (const SelectionPoint& point : found.path) {
    ASSERT_EQ(point.weights.size(), 1U);
    const SparseWeights& only = point.weights.front();
    EXPECT_EQ(std::ssize(only.feature), point.support);
    EXPECT_EQ(only.feature.size(), only.weight.size());
  }
  const SparseWeights& kept = found.path[found.chosen].weights.front();
  std::vector<double> theta(found.outcome.model.theta.size());
  for (std::size_t k = 0; k < kept.feature.size(); ++k) theta[kept.feature[k]] = kept.weight[k];
  EXPECT_EQ(theta, found.outcome.model.theta);
  EXPECT_EQ(kept.offset, found.outcome.model.offset);
  const auto again = source_of(overlapping_rows(300));
  EXPECT_TRUE(selected(*again, {}, {{"lambdas", word("0.2:0.01:2")}}).path.front().weights.empty());
}

TEST(SelectL1, SaysWhatIsMissing) {
  const auto complaint = [](const Options& options, const Options& selection) -> std::string {
    try {
      check_selection(margin_spec(options), selection);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint({{"loss", word("logistic")}}, {{"features", std::int64_t{3}}}).find("l1"), std::string::npos);
  EXPECT_NE(
      complaint({{"loss", word("logistic")}, {"penalty", word("l1")}, {"C", 2.0}}, {{"features", std::int64_t{3}}})
          .find("leave out"),
      std::string::npos);
  EXPECT_NE(
      complaint({{"loss", word("logistic")}, {"penalty", word("l1")}}, {{"one-se", true}}).find("cross-validation"),
      std::string::npos);
}

TEST(Select, SoftmaxOfTwoClassesIsTheLogisticLoss) {
  const auto rows = overlapping_rows(120);
  const Options selection = {{"cv", std::int64_t{3}}, {"lambdas", word("1e-1,1e-2")}};
  const Selection softmax = selected(*source_of(rows), {{"loss", word("softmax")}}, selection);
  const Selection logistic = selected(*source_of(rows), {{"loss", word("logistic")}}, selection);
  EXPECT_EQ(softmax.outcome.model, logistic.outcome.model);
}

TEST(Select, SetsUpItsRowsAndEndsAsTrainingDoes) {
  const auto source = source_of(overlapping_rows(120));
  TrainSpec spec = margin_spec({{"solver", word("dual")}});
  std::int64_t rows_at_the_end = 0;
  spec.take_rows = true;
  spec.on_finished = [&](Source& rows, const Outcome& outcome) {
    EXPECT_FALSE(outcome.model.theta.empty());
    rows_at_the_end = rows.shape().rows;
  };
  bool permuting = false;
  const auto observe = [&](const Progress& progress) { permuting |= progress.phase == Phase::kPermuting; };
  const Options selection = {{"cv", std::int64_t{3}}, {"lambdas", word("1e-1,1e-2")}};
  const Selection found = select(*source, spec, selection, {}, *solo(), observe);
  EXPECT_TRUE(permuting);
  EXPECT_EQ(rows_at_the_end, 120);
  EXPECT_TRUE(source->pages().empty());
  EXPECT_EQ(found.outcome.model, selected(*source_of(overlapping_rows(120)), spec.options, selection).outcome.model);
}

}  // namespace
}  // namespace linsep
