// A checkpoint whose bytes were changed and whose checksum was corrected is refused, or a run resumes from it and ends
// with a finite model (run under the asan preset). LINSEP_MUTATIONS sets how many are tried.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "linsep/error.h"
#include "linsep/select.h"
#include "os/file.h"
#include "train/checkpoint/damage_testing.h"
#include "train/checkpoint/testing.h"

namespace linsep {
namespace {

using testing::case_of;
using testing::change;
using testing::every_run;
using testing::Folder;
using testing::Kind;
using testing::RunCase;
using testing::with_checksum;

struct Killed {};

constexpr std::int64_t kPasses = 40;  // that a resumed run may make

std::size_t mutations() {
  const char* text = std::getenv("LINSEP_MUTATIONS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 3000;
}

/// What is run, and Options of a choice of λ, or none.
struct Subject {
  RunCase run;
  Options selection;
};

std::vector<Subject> every_subject() {
  std::vector<Subject> all;
  for (RunCase& run : every_run()) all.push_back({std::move(run), {}});
  const auto word = [](const char* text) { return OptionValue(std::string(text)); };
  all.push_back({case_of("λ path, logistic", Kind::kOverlapping, "margin", {{"loss", word("logistic")}}),
                 {{"lambdas", word("1:0.01:3")}}});
  all.push_back({case_of("cross-validation, dual", Kind::kOverlapping, "margin", {{"solver", word("dual")}}),
                 {{"lambdas", word("1:0.1:2")}, {"cv", std::int64_t{2}}}});
  return all;
}

Model train_subject(const Subject& subject, const TrainOptions& options, const Observer& observe) {
  const auto source = subject.run.source();
  if (subject.selection.empty()) return fit(*source, subject.run.spec, options, *solo(), observe).model;
  return select(*source, subject.run.spec, subject.selection, options, *solo(), observe).outcome.model;
}

TrainOptions keeping(const std::string& path, bool resume) {
  TrainOptions options;
  options.threads = 1;
  options.checkpoint.path = path;
  options.checkpoint.every_passes = resume ? kPasses : 1;
  options.checkpoint.resume = resume;
  return options;
}

/// The checkpoints of a run after each of its first passes.
std::vector<std::string> checkpoints_of(const Subject& subject) {
  const Folder folder;
  std::vector<std::string> all;
  std::int64_t last = -1;
  try {
    train_subject(subject, keeping(folder.file("c"), false), [&](const Progress& progress) {
      if (!std::filesystem::exists(folder.file("c"))) return;  // a hard margin is certified first
      std::string bytes = read_whole_file(folder.file("c"));
      const std::int64_t pass = parse_checkpoint(bytes, "c").pass;
      if (pass != last) all.push_back(std::move(bytes));
      last = pass;
      if (progress.pass_ended && pass >= kPasses / 4) throw Killed{};
    });
  } catch (const Killed&) {
  }
  return all;
}

/// The same with other bytes, either of the learner's state, which keeps its length, or anywhere.
std::string changed(const std::string& checkpoint, Random& random) {
  constexpr std::size_t kHead = 12, kChecksum = 8;
  const std::uint64_t times = 1 + random.below(3);
  if (random.below(4) > 0) {
    SavedRun run = parse_checkpoint(checkpoint, "c");
    for (std::uint64_t i = 0; i < times; ++i) change(run.state, random);
    return checkpoint_bytes(run);
  }
  std::string body = checkpoint.substr(kHead, checkpoint.size() - kHead - kChecksum);
  for (std::uint64_t i = 0; i < times; ++i) change(body, random);
  return with_checksum(checkpoint.substr(0, kHead) + body);
}

bool is_finite(const Model& model) {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  };
  return std::isfinite(model.offset) && finite(model.theta) && finite(model.offsets) && finite(model.coefficient) &&
         finite(model.kept.value);
}

/// Whether a run resumed from these bytes.
bool resumes(const Subject& subject, const std::string& bytes, const std::string& path) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  std::atomic<bool> interrupt = false;
  TrainOptions options = keeping(path, true);
  options.interrupt = &interrupt;
  std::int64_t passes = 0;
  try {
    const Model model = train_subject(subject, options, [&](const Progress& progress) {
      if (progress.pass_ended && ++passes > kPasses) interrupt = true;
    });
    EXPECT_TRUE(is_finite(model));
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == Error::Kind::kInput || error.kind() == Error::Kind::kUsage) << error.what();
  }
  return false;
}

TEST(DamagedCheckpoint, IsRefusedOrResumedToAFiniteModel) {
  const std::vector<Subject> subjects = every_subject();
  const char* seed = std::getenv("LINSEP_SEED");
  const std::uint64_t first = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
  const Folder folder;
  std::size_t resumed = 0, tried = 0;
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const std::vector<std::string> kept = checkpoints_of(subjects[s]);
    ASSERT_FALSE(kept.empty()) << subjects[s].run.name;
    ASSERT_TRUE(resumes(subjects[s], kept.back(), folder.file("c"))) << subjects[s].run.name;
    for (std::size_t i = 0; i < mutations() / subjects.size() + 1; ++i) {
      SCOPED_TRACE(subjects[s].run.name + ", seed " + std::to_string(first) + ", number " + std::to_string(i));
      Random random(first, (s << 32) + i);
      const std::string& checkpoint = kept[random.below(kept.size())];
      resumed += resumes(subjects[s], changed(checkpoint, random), folder.file("c")) ? 1 : 0;
      ++tried;
      if (HasFailure()) return;
    }
  }
  std::printf("%zu changed checkpoints: %zu refused, %zu resumed\n", tried, tried - resumed, resumed);
  EXPECT_GT(resumed, 0U);
  EXPECT_GT(tried, resumed);
}

}  // namespace
}  // namespace linsep
