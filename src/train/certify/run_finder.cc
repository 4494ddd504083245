#include "train/certify/run_finder.h"

#include <fmt/format.h>

#include <utility>

#include "linsep/error.h"
#include "linsep/map.h"
#include "numeric/saved_rows.h"
#include "train/checkpoint/fingerprint.h"
#include "train/loop.h"

namespace linsep {
namespace {

/// The finder as what checkpoints keep; it makes no model.
class KeptFinder final : public Learner {
 public:
  KeptFinder(Finder& finder, Source& source, Comm& comm) : finder_(finder), source_(source), comm_(comm) {}

  void begin(const Shape& shape) override { finder_.begin(shape); }
  void visit(const Batch& batch) override { finder_.visit(batch); }
  void synchronise(Comm& comm) override { finder_.synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return finder_.end_pass(progress); }
  Model model() const override { return {}; }
  std::string save_state() const override { return finder_.save(); }
  /// Goes through the rows as often as it takes to be where the saved finder was. Collective.
  void load_state(const std::string& bytes) override {
    rethrow_on_all(comm_, [&] { finder_.load(bytes); });
    while (finder_.catching_up()) {
      source_.rewind(0);
      while (const auto batch = source_.next()) finder_.visit(*batch);
      finder_.synchronise(comm_);
      Progress progress;
      require_state(finder_.end_pass(progress) == Verdict::kContinue);
    }
  }

 private:
  Finder& finder_;
  Source& source_;
  Comm& comm_;
};

/// What a run and the one that resumes it must have in common.
RunFacts facts_of(Source& source, const CertifyOptions& options, Comm& comm) {
  RunFacts facts = {{"linsep", LINSEP_VERSION}, {"the command", "certify"}};
  facts.push_back({"--origin", options.origin ? "true" : "false"});
  facts.push_back({"--map", map_text(options.map)});
  const DataFingerprint data = data_fingerprint(source, comm);
  facts.push_back({"data of", fmt::format("{} rows and {} features", data.rows, data.features)});
  facts.push_back({"data with the hash", fmt::format("{:016x}", data.hash)});
  if (comm.size() > 1) facts.push_back({"a worker's share with the hash", fmt::format("{:016x}", data.own)});
  return facts;
}

}  // namespace

PassOutcome run_finder(Source& source, Finder& finder, const CertifyOptions& options, Comm& comm,
                       const Observer& observe) {
  TrainOptions limits{options};
  limits.max_passes = options.max_passes;
  limits.checkpoint = options.checkpoint;
  if (limits.checkpoint.path.empty()) return run_passes(source, finder, limits, comm, observe);
  if (source.shape().rows < 0)
    throw usage_error("a checkpoint needs rows that can be gone through again, not a stream");
  check_checkpoint(limits.checkpoint, comm);
  Checkpoints checkpoints(limits, facts_of(source, options, comm), comm);
  KeptFinder kept(finder, source, comm);
  return train_from(&checkpoints, source, kept, limits, comm, observe);
}

}  // namespace linsep
