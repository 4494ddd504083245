#include "report/run.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace linsep {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A run of the margin learner that reached its gap, on rows that it separates.
TrainReport margin_run() {
  TrainReport report;
  report.data = report.argument = "rows.svm";
  report.model = "model.json";
  report.rows = 1000;
  report.features = 2;
  Model& model = report.outcome.model;
  model.learner = "margin";
  model.options = {{"gap", 1e-3}, {"loss", std::string("hinge")}};
  model.features = 2;
  model.theta = {1, -2};
  model.offset = 0.5;
  model.schema.classes = {"no", "yes"};
  report.outcome.passes = 12;
  report.outcome.history.resize(1);
  report.outcome.history[0].objective = 0.049217;
  report.outcome.history[0].gap = 0.00098;
  report.outcome.margin.emplace();
  report.outcome.margin->solver = "dual";
  report.outcome.margin->because = "there are few rows";
  report.outcome.margin->lambda = 0.001;
  report.outcome.margin->c = 1;
  report.result.emplace();
  report.result->rows = 1000;
  report.result->true_positive = 400;
  report.result->true_negative = 600;
  StopFacts facts;
  facts.gap = 0.00098;
  facts.gap_asked = 1e-3;
  report.advice = stop_advice(facts);
  return report;
}

/// One of the perceptron, which counts its mistakes.
TrainReport perceptron_run(StopReason reason) {
  TrainReport report = margin_run();
  report.advice.reset();
  report.outcome.margin.reset();
  report.outcome.model.learner = "perceptron";
  report.outcome.model.options = {{"order", std::string("given")}, {"variant", std::string("last")}};
  report.outcome.reason = reason;
  report.outcome.history[0] = {};
  report.outcome.history[0].mistakes = reason == StopReason::kConverged ? 0 : 3;
  report.outcome.stats.mistakes = 1;
  return report;
}

TEST(Sentences, ACountOfOneHasASingularVerb) {
  EXPECT_EQ(dropped_sentence(0), "");
  EXPECT_EQ(dropped_sentence(1), "1 row without a label was left out.\n");
  EXPECT_EQ(dropped_sentence(1500), "1,500 rows without a label were left out.\n");
  EXPECT_EQ(not_finite_sentence(0), "");
  EXPECT_EQ(not_finite_sentence(1).substr(0, 26), "1 row has no finite score,");
  EXPECT_EQ(not_finite_sentence(2).substr(0, 28), "2 rows have no finite score,");
}

TEST(Sentences, UnknownColumnsAreNamedIfTheyHaveNames) {
  EXPECT_EQ(unknown_columns_sentence({0, {}}), "");
  EXPECT_EQ(unknown_columns_sentence({1, {}}), "1 column isn't used by the model and is ignored.\n");
  EXPECT_EQ(unknown_columns_sentence({1, {"id\n"}}), "Column 'id\\n' isn't used by the model and is ignored.\n");
  EXPECT_EQ(unknown_columns_sentence({2, {"a", "b"}}),
            "Columns 'a' and 'b' aren't used by the model and are ignored.\n");
  EXPECT_TRUE(has(unknown_columns_sentence({7, {"a", "b", "c", "d", "e", "f", "g"}}), "'e' and 2 more aren't"));
}

TEST(Sentences, AFewPositiveRowsNeedALossThatRanks) {
  TrainReport report = margin_run();
  report.result->true_positive = 10;
  report.result->true_negative = 990;
  const Model& model = report.outcome.model;
  EXPECT_TRUE(has(few_positive_sentence(model, *report.result), "Only 10 of 1,000 rows are positive, and the hinge"));
  report.result->true_positive = 11;
  EXPECT_EQ(few_positive_sentence(model, *report.result), "");
  report.result->true_positive = 0;
  EXPECT_EQ(few_positive_sentence(model, *report.result), "");
  report.result->false_negative = 1;
  EXPECT_TRUE(has(few_positive_sentence(model, *report.result), "Only 1 of 1,000 rows is positive"));
  report.outcome.model.options["hard"] = true;
  EXPECT_EQ(few_positive_sentence(model, *report.result), "");
}

TEST(TrainWords, TheObjectiveComesWithWhatIsProvenAndWhatWasAsked) {
  const std::string text = report_words(margin_run());
  EXPECT_EQ(text,
            "rows.svm: 1,000 rows × 2 features, classes no and yes (positive).\n"
            "Learner margin: done after 12 passes.\n"
            "Solver: dual (there are few rows). λ = 0.001, C = 1.\n"
            "Objective 0.049217, within 0.098 % of the best possible (asked: 0.1 %; bound computed in training).\n"
            "Training error 0: 0 of 1,000 rows wrong.\n"
            "z = x1 − 2·x2 + 0.5\n"
            "Model written to model.json.\n");
}

TEST(TrainWords, RowsThatWereLeftOutFollowThoseThatWereRead) {
  TrainReport report = margin_run();
  report.dropped = 1;
  report.workers = 4;
  EXPECT_TRUE(has(report_words(report), "(positive), shared by 4 workers.\n1 row without a label was left out.\n"));
  EXPECT_EQ(report_json(report, false)["dropped"], 1);
  report.dropped = 0;
  EXPECT_FALSE(report_json(report, false).contains("dropped"));
}

TEST(TrainWords, SeveralClassifiersSpeakOfTheOnesThatProveNothing) {
  TrainReport report = margin_run();
  report.advice.reset();
  report.outcome.parts.resize(3);
  for (PartOutcome& part : report.outcome.parts) part.gap = 0.001;
  report.outcome.history[0].gap = 0.001;
  EXPECT_TRUE(
      has(report_words(report), "The objectives of all 3 classifiers are within 0.1 % of the best possible (bound"));
  report.outcome.parts[1].gap = report.outcome.history[0].gap = 1;
  EXPECT_TRUE(has(report_words(report), "The objectives of 1 of 3 classifiers are not yet proven to be near"));
}

TEST(TrainWords, EveryReasonToStopHasItsSentence) {
  const auto sentence = [](StopReason reason) { return report_words(perceptron_run(reason)); };
  EXPECT_TRUE(has(sentence(StopReason::kConverged), "converged, pass 12 made no mistake, 1 mistake on the way.\n"));
  EXPECT_TRUE(has(sentence(StopReason::kPasses), "did not converge in 12 passes, 1 mistake on the way.\n"));
  EXPECT_TRUE(has(sentence(StopReason::kPasses), "`linsep certify rows.svm` decides"));
  EXPECT_TRUE(has(sentence(StopReason::kTime), "out of time after 12 passes, 1 mistake on the way; the model is"));
  EXPECT_TRUE(has(sentence(StopReason::kInterrupted), "interrupted after 12 passes"));
  EXPECT_TRUE(has(sentence(StopReason::kEndOfStream), "read the stream once, 1 mistake on the way.\n"));
}

TEST(TrainWords, AnErrorIsOfTheFinalModelOrOfRowsAsTheyCame) {
  TrainReport report = perceptron_run(StopReason::kEndOfStream);
  report.outcome.stats.mistakes = 250;
  EXPECT_TRUE(has(report_words(report), "Training error 0: 0 of 1,000 rows wrong.\n"));
  report.result.reset();
  report.streamed = true;
  EXPECT_TRUE(has(report_words(report), "Error on each row before learning from it: 0.25.\n"));
  EXPECT_EQ(report_json(report, false)["training_error"], 0.25);
  report.streamed = false;
  report.uncounted = true;
  EXPECT_TRUE(has(report_words(report), "Training error not computed: no time was left.\n"));
  report.rows = 0;
  EXPECT_TRUE(report_json(report, false)["training_error"].is_null());
}

TEST(TrainWords, OnlyACleanPassOverAllRowsProvesThatTheFinalModelMakesNoMistake) {
  Outcome outcome = perceptron_run(StopReason::kConverged).outcome;
  EXPECT_TRUE(clean_pass_proves(outcome));
  outcome.model.options["variant"] = std::string("averaged");
  EXPECT_FALSE(clean_pass_proves(outcome));
  outcome.model.options["variant"] = std::string("last");
  outcome.model.options["order"] = std::string("drawn");
  EXPECT_FALSE(clean_pass_proves(outcome));
  EXPECT_FALSE(clean_pass_proves(perceptron_run(StopReason::kPasses).outcome));
}

TEST(TrainJson, ALongVectorIsLeftOutUnlessItIsAskedFor) {
  TrainReport report = margin_run();
  EXPECT_EQ(report_json(report, false)["theta"], Json({1.0, -2.0}));
  report.outcome.model.theta.assign(kLongVector + 1, 1.0);
  EXPECT_FALSE(report_json(report, false).contains("theta"));
  EXPECT_EQ(report_json(report, true)["theta"].size(), kLongVector + 1);
}

TEST(TrainJson, HasTheFiguresOfTheLastPassAndNullForWhatIsNotKnown) {
  TrainReport report = margin_run();
  Json object = report_json(report, false);
  EXPECT_EQ(object["objective"], 0.049217);
  EXPECT_EQ(object["gap"], 0.00098);
  EXPECT_EQ(object["code"], "gap_reached");
  EXPECT_EQ(object["classes"], (Json{{"negative", "no"}, {"positive", "yes"}}));
  EXPECT_TRUE(object["mistakes"].is_null());  // the margin learner doesn't count them
  EXPECT_EQ(object["training_mistakes"], 0);
  EXPECT_EQ(object["model"], "model.json");
  report.model.clear();
  report.outcome.history.clear();
  object = report_json(report, false);
  EXPECT_TRUE(object["model"].is_null());
  EXPECT_FALSE(object.contains("objective"));
  EXPECT_TRUE(has(report_words(report), "The model was not saved; use -o FILE to save it.\n"));
}

TEST(JsonLine, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(json_line({{"name", "a\xff"}}), "{\"name\":\"a\uFFFD\"}\n");
}

}  // namespace
}  // namespace linsep
