// Training without files. No source has pages, and a run that asks for checkpoints is refused. As no Checkpoints are
// ever made, nobody calls their members.
#include "linsep/error.h"
#include "train/checkpoint/checkpoint.h"
#include "train/checkpoint/file.h"
#include "train/row_order.h"

namespace linsep {
namespace {

[[noreturn]] void refuse_checkpoints() { throw usage_error("checkpoints need files, which this build doesn't have"); }

}  // namespace

FileLock::~FileLock() = default;

Checkpoints::Checkpoints(const TrainOptions& options, RunFacts facts, Comm& comm)
    : options_(options), facts_(std::move(facts)), rank_(comm.rank()), workers_(comm.size()) {
  refuse_checkpoints();
}

void check_checkpoint(const Checkpoint& /*checkpoint*/, Comm& /*comm*/) { refuse_checkpoints(); }
DataFingerprint data_fingerprint(Source& /*source*/, Comm& /*comm*/) { refuse_checkpoints(); }

void Checkpoints::refuse(const std::string& /*why*/) const { refuse_checkpoints(); }
void Checkpoints::require_finite(const Model& /*model*/) const {}
void Checkpoints::save_first(const std::string& /*state*/, Comm& /*comm*/) { refuse_checkpoints(); }
bool Checkpoints::due(std::int64_t /*pass*/) const { return false; }
void Checkpoints::save(std::int64_t /*pass*/, double /*seconds*/, const std::vector<Progress>& /*history*/,
                       const std::string& /*state*/, bool /*any_failed*/) {
  refuse_checkpoints();
}

std::unique_ptr<Checkpoints> open_checkpoints(const TrainOptions& limits, const LearnerInfo& /*info*/,
                                              const Options& /*options*/, const TrainSpec& /*spec*/, Source& /*source*/,
                                              Comm& /*comm*/) {
  if (!limits.checkpoint.path.empty()) refuse_checkpoints();
  return nullptr;
}

std::uint64_t least_page_room(Source& /*source*/) { return 0; }

void set_page_room(Source& /*source*/, std::uint64_t /*bytes*/) {}

std::unique_ptr<Source> pages_in_order(Source& /*source*/, VisitOrder /*order*/, std::uint64_t /*seed*/) {
  return nullptr;
}

}  // namespace linsep
