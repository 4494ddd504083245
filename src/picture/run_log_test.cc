#include <gtest/gtest.h>

#include <algorithm>

#include "linsep/error.h"
#include "linsep/picture/make.h"
#include "picture/parts.h"

namespace linsep {
namespace {

TEST(RunLog, IsReadAsItWasWritten) {
  const RunRecord run = read_run_log(
      "{\"pass\":1,\"rows\":4,\"seconds\":0.5,\"objective\":2.0,\"gap\":0.5}\n"
      "{\"pass\":2,\"rows\":4,\"seconds\":1,\"objective\":1.5,\"gap\":0.1,\"later\":[]}\n",
      "run.jsonl");
  ASSERT_EQ(run.passes.size(), 2U);
  EXPECT_EQ(run.passes[1].pass, 2);
  EXPECT_EQ(run.passes[1].objective, 1.5);
  EXPECT_FALSE(run.passes[1].mistakes.has_value());
  EXPECT_EQ(run.seconds, 1);
}

TEST(RunLog, ANumberThatWasNotFiniteIsNothing) {
  const RunRecord run = read_run_log("{\"pass\":1,\"rows\":1,\"seconds\":0,\"residual\":null}", "run.jsonl");
  EXPECT_FALSE(run.passes[0].residual.has_value());
}

std::string refusal(std::string_view text) {
  try {
    read_run_log(text, "run.jsonl");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    return error.what();
  }
  return "";
}

TEST(RunLog, AnotherFileIsRefusedWithItsLine) {
  EXPECT_TRUE(refusal("+1 1:2\n").starts_with("run.jsonl:1: isn't a line of a run log"));
  EXPECT_TRUE(refusal("{\"pass\":1}\n\n").starts_with("run.jsonl:2: "));
  EXPECT_TRUE(refusal("{\"pass\":2}\n{\"pass\":1}\n").starts_with("run.jsonl:2: pass 1 comes after pass 2"));
  EXPECT_TRUE(refusal("{\"pass\":1.5}\n").starts_with("run.jsonl:1: `pass` should be a whole number, not 1.5"));
  EXPECT_TRUE(refusal("{\"pass\":1,\"gap\":1e999}\n").starts_with("run.jsonl:1: "));
  EXPECT_TRUE(refusal("{\"pass\":1,\"seconds\":\"\xff\"}\n").starts_with("run.jsonl:1: "));
  EXPECT_TRUE(refusal("").starts_with("run.jsonl: is empty"));
}

std::vector<Progress> passes(std::int64_t count) {
  std::vector<Progress> all;
  for (std::int64_t k = 1; k <= count; ++k) {
    Progress pass;
    pass.pass = k;
    pass.seconds = static_cast<double>(k);
    pass.mistakes = k % 7;
    all.push_back(pass);
  }
  return all;
}

TEST(History, OfFewPassesIsAllOfThem) {
  const Picture::History history = history_of(passes(200));
  EXPECT_EQ(history.passes.size(), 200U);
  EXPECT_EQ(history.bars.size(), 200U);
  EXPECT_EQ(history.group, 1);
  EXPECT_EQ(history.passes_made, 200);
}

TEST(History, OfManyPassesKeepsTheBestAndTheWorst) {
  std::vector<Progress> many = passes(50001);
  many[30000].mistakes = 1000;
  const Picture::History history = history_of(many);
  EXPECT_LE(history.passes.size(), 2000U);
  EXPECT_EQ(history.passes.front().pass, 1);
  EXPECT_EQ(history.passes.back().pass, 50001);
  const auto worst = std::ranges::max_element(history.passes, {}, [](const auto& pass) { return *pass.mistakes; });
  EXPECT_EQ(worst->pass, 30001);
  EXPECT_EQ(history.group, 500);
  EXPECT_LE(history.bars.size(), 200U);
  std::int64_t sum = 0, in_bars = 0;
  for (const Progress& pass : many) sum += *pass.mistakes;
  for (const auto& bar : history.bars) in_bars += *bar.mistakes;
  EXPECT_EQ(in_bars, sum);
  EXPECT_EQ(history.bars.back().mistakes_so_far, sum);
}

TEST(History, ALowerBoundIsWhatTheGapProves) {
  Progress first, second;
  first.pass = 1;
  first.objective = 4;
  first.gap = 0.25;
  second.pass = 2;
  second.objective = 4;
  second.gap = 1;  // no information, because no objective is below 0
  const Picture::History history = history_of(std::vector<Progress>{first, second});
  EXPECT_EQ(history.passes[0].lower_bound, 3);
  EXPECT_FALSE(history.passes[1].lower_bound.has_value());
  EXPECT_TRUE(history.bars.empty());
}

}  // namespace
}  // namespace linsep
