// A run that was stopped resumes to the same bits, and a file that isn't its checkpoint is refused.
#include "train/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <fstream>

#include "linsep/error.h"
#include "linsep/select.h"
#include "os/file.h"
#include "train/checkpoint/testing.h"

namespace linsep {
namespace {

using testing::case_of;
using testing::every_run;
using testing::expect_same;
using testing::Folder;
using testing::Kind;
using testing::RunCase;

/// Stands for a kill, so nothing after it is executed.
struct Killed {};

TrainOptions keeping(const std::string& path, std::int64_t every = 1) {
  TrainOptions options;
  options.threads = 1;
  options.checkpoint.path = path;
  options.checkpoint.every_passes = every;
  return options;
}

constexpr std::int64_t kSeldom = 1000;

TrainOptions resuming(const std::string& path, std::int64_t every = kSeldom) {
  TrainOptions options = keeping(path, every);
  options.checkpoint.resume = true;
  return options;
}

Outcome fit_case(const RunCase& run, const TrainOptions& options, const Observer& observe = {}) {
  const auto source = run.source();
  return fit(*source, run.spec, options, *solo(), observe);
}

Outcome unbroken(const RunCase& run) {
  TrainOptions options;
  options.threads = 1;
  return fit_case(run, options);
}

/// Throws when pass `pass` of training ends, before its checkpoint is written.
Observer killed_in(std::int64_t pass, bool hard) {
  // In a run for a hard margin, certify's passes come first. They begin at 1 as well.
  return [pass, certifying = hard](const Progress& progress) mutable {
    if (certifying && progress.gap) certifying = false;
    if (!certifying && progress.pass_ended && progress.pass >= pass) throw Killed{};
  };
}

TEST(Checkpoint, ARunKilledInAnyPassGoesOnToTheSameBits) {
  for (const RunCase& run : every_run()) {
    const Outcome whole = unbroken(run);
    const bool hard = run.spec.options.contains("hard");
    for (std::int64_t pass = 1; pass <= whole.passes; ++pass) {
      SCOPED_TRACE(run.name + " killed in pass " + std::to_string(pass));
      const Folder folder;
      const std::string path = folder.file("c");
      EXPECT_THROW(fit_case(run, keeping(path), killed_in(pass, hard)), Killed);
      std::string told;
      TrainOptions again = resuming(path);
      again.checkpoint.tell = [&](const std::string& text) { told += text; };
      expect_same(fit_case(run, again), whole);
      EXPECT_EQ(told, path + ": the run resumes after pass " + std::to_string(pass - 1));
      EXPECT_EQ(folder.names(), std::vector<std::string>{"c"});
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Checkpoint, ARunKilledAgainAndAgainComesToTheSameEnd) {
  for (const RunCase& run : every_run()) {
    SCOPED_TRACE(run.name);
    const Outcome whole = unbroken(run);
    const bool hard = run.spec.options.contains("hard");
    const Folder folder;
    std::optional<Outcome> last;
    for (std::int64_t pass = 2; !last; pass += 3) {
      try {
        last = fit_case(run, resuming(folder.file("c"), 1), killed_in(pass, hard && pass == 2));
      } catch (const Killed&) {
      }
    }
    expect_same(*last, whole);
  }
}

// Finishing costs passes that an unbroken run wouldn't make. The checkpoint is of the moment before them.
TEST(Checkpoint, ARunStoppedBetweenPassesGoesOnAsIfItHadNotBeen) {
  for (const RunCase& run : every_run()) {
    if (run.spec.options.contains("hard")) continue;
    SCOPED_TRACE(run.name);
    const Outcome whole = unbroken(run);
    for (const std::int64_t pass : {1, 2, 5}) {
      if (pass >= whole.passes) continue;
      const Folder folder;
      std::atomic<bool> interrupt = false;
      TrainOptions options = keeping(folder.file("c"), kSeldom);
      options.interrupt = &interrupt;
      const Outcome part = fit_case(run, options, [&](const Progress& progress) {
        if (progress.pass == pass) interrupt = true;  // even in the middle of a pass, which runs to its end
      });
      EXPECT_EQ(part.reason, StopReason::kInterrupted);
      EXPECT_GE(part.passes, pass);
      expect_same(fit_case(run, resuming(folder.file("c"))), whole);
    }
  }
}

TEST(Checkpoint, MayBeResumedWithAnotherNumberOfThreads) {
  for (const RunCase& run : every_run()) {
    if (run.spec.learner != "margin") continue;
    SCOPED_TRACE(run.name);
    const Outcome whole = unbroken(run);
    for (const int threads : {2, 4}) {
      const Folder folder;
      EXPECT_THROW(fit_case(run, keeping(folder.file("c")), killed_in(3, run.spec.options.contains("hard"))), Killed);
      TrainOptions again = resuming(folder.file("c"));
      again.threads = threads;
      expect_same(fit_case(run, again), whole);
    }
  }
}

struct SelectCase {
  Options learner, selection;
  Kind kind = Kind::kOverlapping;
};

// λ after λ, with folds that end at different times and coordinate descent that gives way at some λ.
TEST(Checkpoint, AChoiceOfLambdaGoesOnToTheSameBits) {
  const auto word = [](const char* text) { return OptionValue(std::string(text)); };
  const std::vector<SelectCase> cases = {
      {{{"loss", word("logistic")}}, {{"lambdas", word("1:0.001:4")}}},
      {{{"solver", word("dual")}}, {{"lambdas", word("1,0.1,0.01")}, {"cv", std::int64_t{3}}}},
      {{}, {{"Cs", word("0.1,1,10")}, {"cv", std::int64_t{2}}, {"probabilities", word("platt")}}},
      {{{"loss", word("squared-hinge")}, {"gap", 1e-6}, {"origin", true}}, {{"Cs", word("1:10:3")}}, Kind::kAlike},
  };
  for (std::size_t number = 0; number < cases.size(); ++number) {
    const SelectCase& c = cases[number];
    const RunCase run = case_of("", c.kind, "margin", c.learner);
    const auto choose = [&](TrainOptions options, const Observer& observe) {
      options.threads = 1;
      return select(*run.source(), run.spec, c.selection, options, *solo(), observe);
    };
    const Selection whole = choose({}, {});
    ASSERT_GT(whole.outcome.passes, 10);
    for (std::int64_t pass = 1; pass <= whole.outcome.passes; ++pass) {
      SCOPED_TRACE("case " + std::to_string(number) + " killed in pass " + std::to_string(pass));
      const Folder folder;
      EXPECT_THROW(choose(keeping(folder.file("c")), killed_in(pass, false)), Killed);
      const Selection again = choose(resuming(folder.file("c")), {});
      expect_same(again.outcome, whole.outcome);
      EXPECT_EQ(again.chosen, whole.chosen);
      ASSERT_EQ(again.path.size(), whole.path.size());
      for (std::size_t l = 0; l < again.path.size(); ++l) {
        EXPECT_EQ(again.path[l].objective, whole.path[l].objective);
        EXPECT_EQ(again.path[l].gap, whole.path[l].gap);
        EXPECT_EQ(again.path[l].passes, whole.path[l].passes);
        EXPECT_EQ(again.path[l].mistakes, whole.path[l].mistakes);
        ASSERT_EQ(again.path[l].held_out.has_value(), whole.path[l].held_out.has_value());
        if (again.path[l].held_out) {
          EXPECT_EQ(again.path[l].held_out->loss, whole.path[l].held_out->loss);
        }
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Checkpoint, CountsSecondsOnAndReplaysThePassesMade) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {{"passes", std::int64_t{10}}});
  const Folder folder;
  double now = 100;
  TrainOptions options = keeping(folder.file("c"));
  options.clock = [&now] { return now; };
  const auto work = [&](std::int64_t killed) {
    return [&now, killed](const Progress& progress) {
      if (progress.pass_ended && progress.pass > killed) throw Killed{};
      if (progress.pass_ended) now += 1;
    };
  };
  EXPECT_THROW(fit_case(run, options, work(4)), Killed);
  now = 5000;
  options.checkpoint.resume = true;
  options.time_limit = 4.5;  // of this run alone
  std::vector<std::int64_t> seen;
  const Outcome outcome = fit_case(run, options, [&](const Progress& progress) {
    if (!progress.pass_ended) return;
    seen.push_back(progress.pass);
    if (progress.pass > 4) now += 1;
  });
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(outcome.history[3].seconds, 3);
  EXPECT_EQ(outcome.history[4].seconds, 4);
  EXPECT_EQ(outcome.history[8].seconds, 8);
}

TEST(Checkpoint, IsWrittenAsOftenAsAsked) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {{"passes", std::int64_t{10}}});
  const auto written = [&](double seconds, std::int64_t passes) {
    const Folder folder;
    double now = 0;
    TrainOptions options = keeping(folder.file("c"), passes);
    options.clock = [&now] { return now; };
    options.checkpoint.every_seconds = seconds;
    std::vector<std::int64_t> all;
    fit_case(run, options, [&](const Progress& progress) {
      now += progress.pass_ended ? 1 : 0;
      const auto saved = parse_checkpoint(read_whole_file(folder.file("c")), "c").pass;
      if (all.empty() || all.back() != saved) all.push_back(saved);
    });
    return all;
  };
  EXPECT_EQ(written(0, 4), (std::vector<std::int64_t>{0, 4, 8}));
  EXPECT_EQ(written(0, 10), (std::vector<std::int64_t>{0}));  // no pass is to come after the tenth
  EXPECT_EQ(written(3, 0), (std::vector<std::int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(written(60, 0), (std::vector<std::int64_t>{0}));
}

TEST(Checkpoint, WithoutAFileARunStartsAfreshAndSaysSo) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const Folder folder;
  TrainOptions options = resuming(folder.file("c"));
  std::string told;
  options.checkpoint.tell = [&](const std::string& text) { told += text; };
  expect_same(fit_case(run, options), unbroken(run));
  EXPECT_EQ(told, folder.file("c") + ": no checkpoint yet; the run starts afresh");
}

std::string message_of(const std::function<void()>& work, Error::Kind kind) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Checkpoint, AFileThatIsThereIsNotOverwritten) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const Folder folder;
  std::ofstream(folder.file("c")) << "dear";
  EXPECT_EQ(message_of([&] { fit_case(run, keeping(folder.file("c"))); }, Error::Kind::kUsage),
            folder.file("c") + " exists: 'resume' continues from it; to start afresh, delete it or use another file");
  EXPECT_EQ(read_whole_file(folder.file("c")), "dear");
  EXPECT_EQ(message_of([&] { fit_case(run, resuming(folder.file("c"))); }, Error::Kind::kInput),
            folder.file("c") + ": this isn't a linsep checkpoint");
}

TEST(Checkpoint, NeedsAPlaceWhereItCanBeWritten) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const Folder folder;
  EXPECT_NE(message_of([&] { fit_case(run, keeping(folder.file("no/c"))); }, Error::Kind::kSystem).find("no/c"),
            std::string::npos);
}

TEST(Checkpoint, ARunGoesOnWhereItCantBeWrittenLater) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {{"passes", std::int64_t{5}}});
  const Folder folder;
  std::filesystem::create_directory(folder.file("d"));
  TrainOptions options = keeping(folder.file("d/c"));
  std::vector<std::string> told;
  options.checkpoint.tell = [&](const std::string& text) { told.push_back(text); };
  const Outcome outcome = fit_case(run, options, [&](const Progress& progress) {
    if (progress.pass == 3) std::filesystem::remove_all(folder.file("d"));
  });
  expect_same(outcome, unbroken(run));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("training continues without this checkpoint"), std::string::npos) << told[0];
}

/// The error of a checkpoint of `one` if `other` tries to resume from it.
std::string difference(const RunCase& one, const RunCase& other) {
  const Folder folder;
  EXPECT_THROW(fit_case(one, keeping(folder.file("c")), killed_in(3, false)), Killed);
  const std::string text = message_of([&] { fit_case(other, resuming(folder.file("c"))); }, Error::Kind::kInput);
  const std::string prefix = folder.file("c") + ": the checkpoint ";
  EXPECT_TRUE(text.starts_with(prefix)) << text;
  return text.substr(std::min(prefix.size(), text.size()));
}

TEST(Checkpoint, OfAnotherRunIsRefusedWithWhatDiffers) {
  const RunCase run = case_of("", Kind::kOverlapping, "margin", {{"solver", std::string("dual")}});
  RunCase other = run;
  other.spec.options["C"] = 10.0;
  EXPECT_EQ(difference(run, other), "was made with --C 1, but this run has --C 10");
  other = run;
  other.spec.learner = "perceptron";
  other.spec.options.clear();
  EXPECT_EQ(difference(run, other), "was made with the learner margin, but this run has the learner perceptron");
  other = run;
  other.spec.map.kind = FeatureMap::Kind::kProducts;
  EXPECT_EQ(difference(run, other), "was made with --map none, but this run has --map products");
  other = run;
  other.rows.pop_back();
  EXPECT_EQ(difference(run, other),
            "was made with data of 60 rows and 5 features, but this run has data of 59 rows and 5 features");
  Model start;
  start.theta = {1, 0, 0, 0, 0};
  other = run;
  other.spec.start = &start;
  EXPECT_TRUE(difference(run, other)
                  .starts_with("was made with a start from 0, but this run has a start from a classifier "
                               "with the hash "));
}

TEST(Checkpoint, OfOtherDataIsRefusedWhicheverNumberDiffers) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const std::string expected = "was made with data with the hash ";
  RunCase other = run;
  other.rows[7].label = -other.rows[7].label;
  EXPECT_TRUE(difference(run, other).starts_with(expected));
  other = run;
  other.rows[7].weight = 2;
  EXPECT_TRUE(difference(run, other).starts_with(expected));
  other = run;
  other.rows[59].entries.back().second += 1e-6;
  EXPECT_TRUE(difference(run, other).starts_with(expected));
  other = run;
  std::swap(other.rows[3].entries, other.rows[4].entries);
  EXPECT_TRUE(difference(run, other).starts_with(expected));
}

class KeptFile : public ::testing::Test {
 protected:
  void SetUp() override {
    EXPECT_THROW(fit_case(run_, keeping(folder_.file("c")), killed_in(3, false)), Killed);
    bytes_ = read_whole_file(folder_.file("c"));
  }
  std::string refusal(const std::string& bytes) const {
    return message_of([&] { parse_checkpoint(bytes, "c"); }, Error::Kind::kInput);
  }

  const RunCase run_ = case_of("", Kind::kOverlapping, "perceptron", {});
  const Folder folder_;
  std::string bytes_;
};

TEST_F(KeptFile, WithAnyBitFlippedIsRefused) {
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const int bit : {0, 7}) {
      std::string damaged = bytes_;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ASSERT_TRUE(refusal(damaged).starts_with("c: this ")) << at;
    }
  }
}

TEST_F(KeptFile, CutShortAnywhereIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    ASSERT_TRUE(refusal(bytes_.substr(0, size)).starts_with("c: this ")) << size;
  }
  EXPECT_TRUE(refusal(bytes_ + "x").starts_with("c: this "));
}

TEST_F(KeptFile, WhoseStateWasChangedAndItsChecksumMadeRightIsRefusedAsDamaged) {
  SavedRun run = parse_checkpoint(bytes_, "c");
  run.state.pop_back();
  std::ofstream(folder_.file("c"), std::ios::trunc) << checkpoint_bytes(run);
  EXPECT_EQ(message_of([&] { fit_case(run_, resuming(folder_.file("c"))); }, Error::Kind::kInput),
            folder_.file("c") + ": the checkpoint is damaged: this saved state ends too early");
}

TEST_F(KeptFile, IsLockedWhileARunKeepsItsStateThere) {
  std::string refusal;
  fit_case(run_, resuming(folder_.file("c")), [&](const Progress&) {
    refusal = message_of([&] { fit_case(run_, resuming(folder_.file("c"))); }, Error::Kind::kSystem);
  });
  EXPECT_EQ(refusal,
            folder_.file("c") + ": another run is using this checkpoint; wait until it ends, or use another file");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"c"});
}

TEST_F(KeptFile, OfAnotherVersionIsRefusedByThatName) {
  bytes_[8] = 2;
  EXPECT_EQ(refusal(bytes_), "c: this checkpoint has format version 2; this linsep reads version 1");
}

TEST_F(KeptFile, WhatAKilledWriterLeftIsTakenAway) {
  const std::string living = "c." + std::to_string(getpid()) + ".0123456789ab.tmp";
  std::ofstream(folder_.file("c.99999999.0123456789ab.tmp")) << "half";
  std::ofstream(folder_.file("c.notes.tmp")) << "mine";
  std::ofstream(folder_.file(living)) << "not yet";
  fit_case(run_, resuming(folder_.file("c")));
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"c", living, "c.notes.tmp"}));
}

}  // namespace
}  // namespace linsep
