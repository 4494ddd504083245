// Checkpoints: bytes with their checksum made right are refused with an input Error, or the learner resumes from them
// and can make passes, be asked for its model and be saved and resumed once more as the same.
#include <memory>

#include "linsep/error.h"
#include "planned_run.h"
#include "target.h"
#include "train/checkpoint/damage_testing.h"
#include "train/checkpoint/file.h"
#include "train/checkpoint/runs_testing.h"

namespace linsep::fuzz {
namespace {

constexpr std::int64_t kRows = 12;
constexpr std::int64_t kPasses = 2;  // that are made after resuming

/// What is trained, on rows that it owns.
struct OwnedRun {
  std::unique_ptr<Source> source;
  Run run;
};

const std::vector<OwnedRun>& runs() {
  static const std::vector<OwnedRun> all = [] {
    std::vector<OwnedRun> made;
    for (const testing::RunCase& one : testing::every_run(kRows)) {
      if (one.features > 64) continue;  // states of wide ones are long, and no others
      auto source = one.source();
      Source& rows = *source;
      made.push_back({std::move(source), planned(rows, one.spec)});
    }
    return made;
  }();
  return all;
}

/// What is saved can be resumed, and saved again as the same bytes.
void check_saved(const Run& run, const Learner& learner) {
  const std::string state = learner.save_state();
  const auto again = learner_of(run);
  try {
    again->load_state(state);
  } catch (const Error&) {
    return;  // where numbers became infinite on the way
  }
  must(again->save_state() == state, "a state changes when it is resumed and saved");
}

void resume(const Run& run, const std::string& state, std::int64_t pass, bool thorough) {
  const auto learner = learner_of(run);
  learner->load_state(state);
  if (thorough) check_saved(run, *learner);
  make_passes(run, *learner, pass, kPasses);
  learner->model();
  learner->stats();
  if (thorough) check_saved(run, *learner);
}

/// The first byte says which run; the second whether a state follows or a whole checkpoint without its checksum.
void run_bytes(std::string_view bytes) {
  Front front(bytes);
  const Run& run = runs()[front.byte() % runs().size()].run;
  const bool whole = front.byte() % 2 == 1;
  try {
    if (whole) {
      const SavedRun saved = parse_checkpoint(testing::with_checksum(std::string(front.rest())), "c");
      resume(run, saved.state, saved.pass, is_thorough(bytes));
    } else {
      resume(run, std::string(front.rest()), 1, is_thorough(bytes));
    }
  } catch (const Error& error) {
    must(error.kind() == Error::Kind::kInput || error.kind() == Error::Kind::kUsage,
         "a checkpoint is refused otherwise than as input");
  }
}

std::vector<std::string> seeds() {
  constexpr std::size_t kChecksum = 8;
  std::vector<std::string> all;
  for (std::size_t r = 0; r < runs().size(); ++r) {
    const auto learner = learner_of(runs()[r].run);
    std::int64_t pass = 0;
    for (const std::int64_t more : {1, 1, 6}) {
      pass = make_passes(runs()[r].run, *learner, pass, more);
      all.push_back(std::string{static_cast<char>(r), '\0'} + learner->save_state());
    }
    Progress progress;
    progress.pass = pass;
    std::string whole = checkpoint_bytes({{{"--C", "1"}}, 0, 1, pass, 0.5, {progress}, learner->save_state()});
    whole.resize(whole.size() - kChecksum);
    all.push_back(std::string{static_cast<char>(r), '\1'} + whole);
  }
  return all;
}

}  // namespace

const Target& checkpoints_target() {
  static const Target target{"checkpoints", run_bytes, seeds};
  return target;
}

}  // namespace linsep::fuzz
