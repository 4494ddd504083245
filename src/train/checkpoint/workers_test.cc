// Checkpoints of several workers, as threads of one process. They agree on a pass that all have.
#include <gtest/gtest.h>

#include <fstream>

#include "linsep/error.h"
#include "os/file.h"
#include "train/checkpoint/checkpoint.h"
#include "train/checkpoint/file.h"
#include "train/checkpoint/testing.h"

namespace linsep {
namespace {

using testing::case_of;
using testing::expect_same;
using testing::Folder;
using testing::Kind;
using testing::RunCase;

struct Killed {};

constexpr std::int64_t kNever = 1000000;

/// How a run of several workers is made, and what happens to it.
struct Plan {
  std::vector<std::string> path = {};  // of each worker
  bool resume = false;
  std::int64_t killed_in = kNever;  // the last worker is, when it ends this pass
  bool last_rows_first = false;     // the first worker has the last rows
  std::function<void(int worker, std::int64_t pass)> after = {};
};

struct Answer {
  std::vector<Outcome> outcomes;
  std::vector<std::string> told;  // by each worker
};

Answer run_workers(const RunCase& run, int workers, const Plan& plan) {
  const auto count = static_cast<std::size_t>(workers);
  Answer answer{std::vector<Outcome>(count), std::vector<std::string>(count)};
  run_threads(workers, [&](Comm& comm) {
    const auto me = static_cast<std::size_t>(comm.rank());
    TrainOptions options;
    options.threads = 1;
    if (!plan.path.empty()) options.checkpoint.path = plan.path[me % plan.path.size()];
    options.checkpoint.every_passes = 1;
    options.checkpoint.resume = plan.resume;
    options.checkpoint.tell = [&](const std::string& text) { answer.told[me] += text + "\n"; };
    const auto source = run.source(plan.last_rows_first ? workers - 1 - comm.rank() : comm.rank(), workers);
    answer.outcomes[me] = fit(*source, run.spec, options, comm, [&](const Progress& progress) {
      if (!progress.pass_ended) return;
      if (plan.after) plan.after(comm.rank(), progress.pass);
      if (comm.rank() + 1 == workers && progress.pass == plan.killed_in) throw Killed{};
    });
  });
  return answer;
}

void expect_all_same(const Answer& a, const Answer& b) {
  ASSERT_EQ(a.outcomes.size(), b.outcomes.size());
  for (std::size_t w = 0; w < a.outcomes.size(); ++w) expect_same(a.outcomes[w], b.outcomes[w]);
}

OptionValue word(const char* text) { return std::string(text); }

std::vector<RunCase> shared_runs() {
  const OptionValue passes = std::int64_t{12};
  return {
      case_of("perceptron", Kind::kOverlapping, "perceptron", {{"passes", passes}}),
      case_of("perceptron, averaged, shuffled", Kind::kOverlapping, "perceptron",
              {{"passes", passes}, {"variant", word("averaged")}, {"order", word("shuffled")}}),
      case_of("joint perceptron", Kind::kClasses, "perceptron", {{"passes", passes}, {"multiclass", word("joint")}}),
      case_of("perceptron of classes", Kind::kClasses, "perceptron", {{"passes", passes}}),
      case_of("cg", Kind::kOverlapping, "least-squares", {{"matrix", word("cg")}}),
      case_of("hinge", Kind::kOverlapping, "margin", {}),
      case_of("squared hinge", Kind::kOverlapping, "margin", {{"loss", word("squared-hinge")}}),
      case_of("logistic of classes", Kind::kClasses, "margin", {{"loss", word("logistic")}}),
      case_of("softmax of classes", Kind::kClasses, "margin", {{"loss", word("softmax")}}),
      case_of("regression", Kind::kNumbers, "regression", {{"rate", 0x1p-9}, {"passes", passes}}),
  };
}

TEST(CheckpointOfWorkers, AKilledRunGoesOnToTheSameBits) {
  for (const RunCase& run : shared_runs()) {
    for (const int workers : {2, 3}) {
      const Answer whole = run_workers(run, workers, {});
      for (std::int64_t pass = 1; pass <= whole.outcomes[0].passes; pass += 2) {
        SCOPED_TRACE(run.name + ", " + std::to_string(workers) + " workers, killed in pass " + std::to_string(pass));
        const Folder folder;
        EXPECT_THROW(run_workers(run, workers, {.path = {folder.file("c")}, .killed_in = pass}), Killed);
        const Answer again = run_workers(run, workers, {.path = {folder.file("c")}, .resume = true});
        expect_all_same(again, whole);
        EXPECT_EQ(again.told[0], folder.file("c") + ": the run resumes after pass " + std::to_string(pass - 1) + "\n");
        EXPECT_EQ(again.told[1], "");
      }
    }
  }
}

class KeptByThree : public ::testing::Test {
 protected:
  void SetUp() override { EXPECT_THROW(run_workers(run_, 3, {.path = {folder_.file("c")}, .killed_in = 6}), Killed); }
  /// The pass kept in a worker's file.
  std::int64_t pass_in(const std::string& name) const {
    return parse_checkpoint(read_whole_file(folder_.file(name)), name).pass;
  }
  std::string newest_of(int worker) const {
    const std::string name = "c." + std::to_string(worker) + "-of-3";
    return pass_in(name + ".a") > pass_in(name + ".b") ? name + ".a" : name + ".b";
  }
  std::string refusal(int workers) const {
    try {
      run_workers(run_, workers, {.path = {folder_.file("c")}, .resume = true});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kInput);
      return error.what();
    }
    return "";
  }

  const RunCase run_ = case_of("", Kind::kOverlapping, "perceptron", {{"passes", std::int64_t{12}}});
  const Answer whole_ = run_workers(run_, 3, {});
  const Folder folder_;
};

TEST_F(KeptByThree, AreTwoFilesOfEach) {
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"c.0-of-3.a", "c.0-of-3.b", "c.1-of-3.a", "c.1-of-3.b",
                                                       "c.2-of-3.a", "c.2-of-3.b"}));
  for (const int worker : {0, 1, 2}) EXPECT_EQ(pass_in(newest_of(worker)), 5);
}

TEST_F(KeptByThree, GoOnFromTheNewestPassThatAllHave) {
  for (const int worker : {0, 1, 2}) {
    SCOPED_TRACE(worker);
    const std::string newest = folder_.file(newest_of(worker));
    const std::string bytes = read_whole_file(newest);
    std::ofstream(newest, std::ios::trunc) << bytes.substr(0, bytes.size() / 2);
    EXPECT_THROW(run_workers(run_, 3, {.path = {folder_.file("c")}, .resume = true, .killed_in = 5}), Killed);
    EXPECT_THROW(run_workers(run_, 3, {.path = {folder_.file("c")}, .resume = true, .killed_in = 7}), Killed);
    for (const int each : {0, 1, 2}) EXPECT_EQ(pass_in(newest_of(each)), 6);
    std::filesystem::remove(folder_.file(newest_of(worker)));
    const Answer again = run_workers(run_, 3, {.path = {folder_.file("c")}, .resume = true});
    EXPECT_EQ(again.told[0], folder_.file("c") + ": the run resumes after pass 5\n");
    expect_all_same(again, whole_);
    for (const std::string& name : folder_.names()) std::filesystem::remove(folder_.file(name));
    SetUp();
  }
}

TEST_F(KeptByThree, AreRefusedWhereOneWorkerHasNone) {
  std::filesystem::remove(folder_.file("c.1-of-3.a"));
  std::filesystem::remove(folder_.file("c.1-of-3.b"));
  EXPECT_EQ(refusal(3), folder_.file("c") + ": the checkpoints of the 3 workers have no pass in common");
}

// Killed between two workers' first files, before any pass.
TEST_F(KeptByThree, StartAfreshWhereOnlySomeHaveKeptTheBeginning) {
  for (const std::string& name : folder_.names()) std::filesystem::remove(folder_.file(name));
  EXPECT_THROW(run_workers(run_, 3, {.path = {folder_.file("c")}, .killed_in = 1}), Killed);
  std::filesystem::remove(folder_.file("c.1-of-3.a"));
  const Answer again = run_workers(run_, 3, {.path = {folder_.file("c")}, .resume = true});
  EXPECT_EQ(again.told[0], folder_.file("c") + ": no checkpoint yet; the run starts afresh\n");
  expect_all_same(again, whole_);
}

TEST_F(KeptByThree, AreRefusedByAnotherNumberOfWorkers) {
  const std::string expected = folder_.file("c") + ": the checkpoint was made by 3 workers, but this run has ";
  EXPECT_EQ(refusal(2), expected + "2 workers: use the same number");
  EXPECT_EQ(refusal(1), expected + "one worker: use the same number");
}

TEST_F(KeptByThree, AreRefusedWhereRowsAreSharedOtherwise) {
  try {
    run_workers(run_, 3, {.path = {folder_.file("c")}, .resume = true, .last_rows_first = true});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a worker's share with the hash"), std::string::npos) << error.what();
  }
}

TEST_F(KeptByThree, AreNotOverwritten) {
  try {
    run_workers(run_, 3, {.path = {folder_.file("c")}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
  }
  EXPECT_EQ(pass_in(newest_of(1)), 5);
}

TEST(CheckpointOfWorkers, OnDisksOfTheirOwnGoOnThoughOneIsFullForAWhile) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {{"passes", std::int64_t{12}}});
  const Answer whole = run_workers(run, 2, {});
  for (const std::int64_t killed : {3, 4, 5, 6, 7, 8}) {
    SCOPED_TRACE(killed);
    const Folder first, second;
    const auto place = [&](const char* name) { return second.file(name); };
    std::filesystem::create_directory(place("disk"));
    Plan plan{.path = {first.file("c"), place("disk/c")}};
    plan.killed_in = killed;
    plan.after = [&](int worker, std::int64_t pass) {
      if (worker == 1 && pass == 3) std::filesystem::rename(place("disk"), place("away"));
      if (worker == 1 && pass == 6) std::filesystem::rename(place("away"), place("disk"));
    };
    EXPECT_THROW(run_workers(run, 2, plan), Killed);
    if (killed < 6 && killed >= 3) std::filesystem::rename(place("away"), place("disk"));
    Plan again{.path = plan.path, .resume = true};
    const Answer answer = run_workers(run, 2, again);
    expect_all_same(answer, whole);
    const std::int64_t kept = killed <= 6 ? 2 : killed - 1;
    EXPECT_EQ(answer.told[0], first.file("c") + ": the run resumes after pass " + std::to_string(kept) + "\n");
  }
}

TEST(CheckpointOfWorkers, IsAnErrorOfAllWhereOneCantBegin) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const Folder folder;
  EXPECT_THROW(run_workers(run, 2, {.path = {folder.file("c"), folder.file("no/c")}}), Error);
}

TEST(Fingerprint, DependsOnRowsAndNotOnHowTheyAreSpread) {
  const RunCase run = case_of("", Kind::kOverlapping, "perceptron", {});
  const std::uint64_t hash = data_fingerprint(*run.source(), *solo()).hash;
  for (const std::size_t page : {1, 13, 60}) {
    EXPECT_EQ(data_fingerprint(*run.source(0, 1, page), *solo()).hash, hash);
    run_threads(3, [&](Comm& comm) {
      const DataFingerprint found = data_fingerprint(*run.source(comm.rank(), 3, page), comm);
      EXPECT_EQ(found.hash, hash);
      EXPECT_EQ(found.rows, 60);
    });
  }
  // The same numbers as floats or in dense rows are stored differently, and results may differ.
  MemorySource dense(plain_pages(run.rows, 5, 7, true, false), run.schema, 5);
  EXPECT_NE(data_fingerprint(dense, *solo()).hash, hash);
}

}  // namespace
}  // namespace linsep
