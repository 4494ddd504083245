#include "report/evaluation.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "report/table.h"

namespace linsep {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Model two_classes() {
  Model model;
  model.schema.classes = {"no", "yes"};
  return model;
}

/// Scores 3, 2, 1, 0 of rows that are +, +, −, +, of which two of three pairs are in order.
ScoreCounts four_rows() { return {0, {{3, 0, 1}, {2, 0, 1}, {1, 1, 0}, {0, 0, 1}}}; }

Evaluation four_rows_evaluated() {
  Evaluation result;
  result.rows = 4;
  result.mistakes = 2;
  result.true_positive = 3;
  result.false_positive = 1;
  result.area_under_curve = 2.0 / 3;
  result.scores = {four_rows()};
  return result;
}

TEST(Ratio, OfNothingIsUndefined) {
  EXPECT_EQ(ratio(1, 4), 0.25);
  EXPECT_EQ(ratio(0, 0), std::nullopt);
  EXPECT_TRUE(ratio_json(ratio(0, 0)).is_null());
  EXPECT_EQ(ratio_words(ratio(0, 0)), "undefined");
  EXPECT_EQ(ratio_words(ratio(2, 3)), "0.666667");
}

TEST(Bounds, AreOneFigureIfTheyLookTheSame) {
  EXPECT_EQ(bounded_words({0.5, 0.5}), "0.5");
  EXPECT_EQ(bounded_words({0.50000001, 0.50000002}), "0.5");
  EXPECT_EQ(bounded_words({0.808932, 0.808941}), "0.808932 … 0.808941");
  EXPECT_EQ(bounded_words({kNan, kNan}), "undefined");
  EXPECT_TRUE(bounded_json({kNan, kNan}).is_null());
  EXPECT_EQ(bounded_json({0.25, 0.5}), (Json{{"at_least", 0.25}, {"at_most", 0.5}}));
}

TEST(Evaluation, TwoClassesByHand) {
  const Model model = two_classes();
  const Json object = evaluation_json(model, four_rows_evaluated());
  EXPECT_EQ(object["error"], 0.5);
  EXPECT_EQ(object["accuracy"], 0.75);
  EXPECT_EQ(object["precision"], 0.75);
  EXPECT_EQ(object["recall"], 1.0);
  EXPECT_DOUBLE_EQ(object["f1"], 6.0 / 7);
  EXPECT_DOUBLE_EQ(object["ranking"]["area_under_curve"]["at_least"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(object["ranking"]["average_precision"]["at_most"], (1 + 1 + 0.75) / 3);
  EXPECT_DOUBLE_EQ(object["ranking"]["ks"]["at_least"], 2.0 / 3);
  EXPECT_EQ(object["ranking"]["exact"], true);
  const std::string text = evaluation_words(model, four_rows_evaluated());
  EXPECT_TRUE(has(text, "4 rows: 2 mistakes (error 0.5; a score of 0 counts as a mistake).\n"));
  EXPECT_TRUE(has(text, "Accuracy 0.75, precision 0.75, recall 1, F1 0.857143 (for yes).\n"));
  EXPECT_TRUE(has(text, "Area under the ROC curve 0.666667, average precision 0.916667, KS 0.666667.\n"));
}

TEST(Evaluation, AThresholdOfTheModelIsNamed) {
  Model model = two_classes();
  model.threshold = -0.25;
  EXPECT_TRUE(has(evaluation_words(model, four_rows_evaluated()), "; yes is predicted at a score of −0.25 or more)."));
  EXPECT_EQ(evaluation_json(model, four_rows_evaluated())["threshold"], -0.25);
}

TEST(Evaluation, NoRowsHaveNoRates) {
  Evaluation nothing;
  nothing.area_under_curve = kNan;
  nothing.scores.emplace_back();
  const Json object = evaluation_json(two_classes(), nothing);
  for (const char* name : {"error", "accuracy", "precision", "recall", "f1", "area_under_curve"}) {
    EXPECT_TRUE(object[name].is_null()) << name;
  }
  EXPECT_TRUE(object["ranking"]["average_precision"].is_null());
  const std::string text = evaluation_words(two_classes(), nothing);
  EXPECT_TRUE(has(text, "0 rows: 0 mistakes (error undefined;"));
  EXPECT_FALSE(has(text, "nan"));
  EXPECT_FALSE(has(text, "Area under"));
}

TEST(Evaluation, RowsWithoutAFiniteScoreHaveNoLogLoss) {
  Evaluation result;
  result.rows = result.mistakes = result.not_finite = 2;
  result.area_under_curve = kNan;
  result.probabilities.emplace();
  result.probabilities->log_loss = result.probabilities->brier = kNan;
  const Json found = evaluation_json(two_classes(), result)["probabilities"];
  EXPECT_TRUE(found["log_loss"].is_null());
  EXPECT_TRUE(found["brier"].is_null());
  EXPECT_TRUE(has(evaluation_words(two_classes(), result), "log loss undefined, Brier score undefined"));
  Model several;
  several.form = Model::Form::kClasses;
  several.schema.classes = {"a", "b", "c"};
  result.confusion.assign(9, 0);
  EXPECT_TRUE(evaluation_json(several, result)["macro"]["precision"].is_null());
  EXPECT_TRUE(evaluation_json(several, result)["probabilities"]["log_loss"].is_null());
}

TEST(Evaluation, RowsOfOneClassCannotBeRanked) {
  Evaluation result;
  result.rows = result.true_positive = 2;
  result.area_under_curve = kNan;
  result.scores = {{0, {{2, 0, 1}, {1, 0, 1}}}};
  const Json object = evaluation_json(two_classes(), result);
  EXPECT_EQ(object["recall"], 1.0);
  EXPECT_TRUE(object["area_under_curve"].is_null());
  EXPECT_TRUE(object["ranking"]["ks"].is_null());
  EXPECT_EQ(object["ranking"]["average_precision"]["at_least"], 1.0);
  EXPECT_FALSE(has(evaluation_words(two_classes(), result), "Area under"));

  result = {};
  result.rows = result.true_negative = 2;
  result.area_under_curve = kNan;
  result.scores = {{0, {{2, 1, 0}, {1, 1, 0}}}};
  EXPECT_TRUE(evaluation_json(two_classes(), result)["recall"].is_null());
  EXPECT_TRUE(has(evaluation_words(two_classes(), result), "precision undefined, recall undefined"));
}

TEST(Evaluation, SeveralClassesAreAveragedOverThoseThatHaveRows) {
  Model model;
  model.form = Model::Form::kClasses;
  model.schema.classes = {"a", "b", "c"};
  Evaluation result;
  result.rows = 4;
  result.mistakes = 1;
  result.confusion = {3, 0, 0, 1, 0, 0, 0, 0, 0};  // b is never predicted, c has no rows
  const Json object = evaluation_json(model, result);
  EXPECT_EQ(object["classes"][0]["precision"], 0.75);
  EXPECT_TRUE(object["classes"][1]["precision"].is_null());
  EXPECT_TRUE(object["classes"][2]["recall"].is_null());
  EXPECT_EQ(object["macro"]["recall"], 0.5);
  EXPECT_EQ(object["macro"]["precision"], 0.375);
  EXPECT_EQ(object["weighted"]["recall"], 0.75);
  EXPECT_TRUE(object["macro"]["area_under_curve"].is_null());
  EXPECT_EQ(object["confusion"], Json({{3, 0, 0}, {1, 0, 0}, {0, 0, 0}}));
  EXPECT_TRUE(has(evaluation_words(model, result), "a tie with a wrong class counts as a mistake"));
}

TEST(Evaluation, ARegressionWithoutFiniteScoresHasNoMeanSquare) {
  Model model;
  model.regression = true;
  Evaluation result;
  result.rows = 3;
  result.not_finite = 1;
  result.sum_of_squares = 8;
  EXPECT_EQ(evaluation_json(model, result)["mean_square"], 4.0);
  EXPECT_EQ(evaluation_words(model, result), "3 rows: sum of squared residuals 8, root mean square error 2.\n");
  result.not_finite = 3;
  EXPECT_TRUE(evaluation_json(model, result)["mean_square"].is_null());
}

TEST(Thresholds, TheLeastCostIsComparedWithTheCostNow) {
  const ThresholdQuestions questions{5, 1, std::nullopt};
  const ThresholdAnswers answers = answer(questions, four_rows(), 0, 1);
  EXPECT_EQ(answers.threshold(), 0.0);
  const std::string text = threshold_words(two_classes(), questions, answers);
  EXPECT_TRUE(has(text, "Lowest cost 1 (5 for each missed yes, 1 for each false alarm): threshold 0; at 0 it is 1.\n"));
  EXPECT_TRUE(has(text, "precision is 0.75 and recall 1 (for yes)"));
  Json object;
  add_thresholds(object, questions, answers);
  EXPECT_EQ(object["cost"]["cost_now"], 1.0);
  EXPECT_FALSE(object.contains("at_precision"));
}

TEST(Thresholds, APrecisionThatIsNeverReachedHasNoThreshold) {
  ThresholdQuestions questions;
  questions.precision = 1;
  ThresholdAnswers answers = answer(questions, four_rows(), 0, 1);
  EXPECT_EQ(answers.threshold(), 2.0);
  EXPECT_TRUE(has(threshold_words(two_classes(), questions, answers),
                  "Precision of at least 1: recall 0.666667, at a score of 2 or more (2 rows; 0 false alarms).\n"));

  answers = answer(questions, {0, {{3, 1, 0}, {2, 0, 1}}}, 0, 1);
  EXPECT_EQ(answers.threshold(), std::nullopt);
  EXPECT_EQ(threshold_words(two_classes(), questions, answers), "\nNo threshold has a precision of 1.\n");
  Json object;
  add_thresholds(object, questions, answers);
  EXPECT_EQ(object["at_precision"], (Json{{"asked", 1.0}, {"greatest_recall", nullptr}}));
}

TEST(Confusion, ColumnsAreAsWideAsTheNamesOfTheClasses) {
  Model model;
  model.schema.classes = {"né", "x\n"};
  EXPECT_EQ(confusion_words(model, 1234, 5, 6, 7),
            "                   predicted né   predicted x\\n\n"
            "  actually né             1,234               5\n"
            "  actually x\\n                6               7\n");
}

TEST(Skew, AColumnWithoutAnyValueIsNamed) {
  Skew skew;
  skew.rows = 10;
  skew.columns = {{"age", 0, 10, true}, {"note", 0, 10, false}, {"town", 0, 9, false}};
  EXPECT_EQ(skew_warnings(skew),
            (std::vector<std::string>{"column 'age' has missing values in 10 rows (100.0%), but had none in training.",
                                      "column 'note' has a value in none of the 10 rows."}));
  skew.rows = 9;
  skew.columns = {{"note", 0, 9, false}};
  EXPECT_EQ(skew_warnings(skew).size(), 0U) << "a few rows may lack it by chance";
}

TEST(Skew, AWarningBeginsAboveATenthOfTheRows) {
  Skew skew;
  skew.rows = 100;
  skew.columns = {{"age", 10, 0, true}, {"town", 11, 1, true}, {"note", 0, 90, false}};
  // A tenth is none, and notes were missing in training too.
  EXPECT_EQ(skew_warnings(skew),
            std::vector<std::string>{"column 'town' has values never seen in training in 11 rows (11.0%)."});
  EXPECT_EQ(skew_words(skew),
            "\nColumns:\n"
            "  age: never seen in training: 10 rows (10.0%)\n"
            "  town: never seen in training: 11 rows (11.0%); without a value: 1 row (1.0%)\n"
            "  note: without a value: 90 rows (90.0%)\n");
  EXPECT_EQ(skew_words({}), "");
  EXPECT_TRUE(skew_warnings({}).empty());
  EXPECT_EQ(skew_json(skew)["columns"][1], (Json{{"column", "town"}, {"unseen", 11}, {"holes", 1}}));
}

}  // namespace
}  // namespace linsep
