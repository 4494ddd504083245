// comm_check WHAT [NUMBER]: a worker that does what a test asks for, over whichever engine started it.
//   contract        every promise of Comm
//   rounds SECONDS  small and large rounds, for so long
//   hasty SECONDS   the same, and worker 2 waits for an answer for half as long as the others
//   compute SECONDS worker 1 computes for so long while the others wait for it, in every kind of call
//   lengths         workers that disagree about a length
//   fail RANK       this worker throws an input Error while the others wait
//   fail-all 0      all workers throw the same Error
//   abort RANK      this worker calls abort
#include <cstdio>
#include <cstdlib>
#include <string>

#include "comm/contract_checks.h"
#include "comm/failure_detector.h"
#include "linsep/tools/engines.h"

namespace linsep {
namespace {

void rounds(Comm& comm, double seconds) {
  const double end = steady_seconds() + seconds;
  std::vector<std::int64_t> go = {1};
  std::vector<double> data(200000);
  for (int round = 0; go[0] != 0; ++round) {
    go[0] = comm.rank() == 0 && steady_seconds() < end ? 1 : 0;
    comm.all_reduce(go, Comm::Op::kMax);
    std::fill(data.begin(), data.end(), 1.0);
    comm.all_reduce(data, Comm::Op::kSum);
    contract::demand(data.back() == comm.size(), "a sum in a long run");
    if (comm.rank() == 0 && round == 0) std::puts("running");
    std::fflush(stdout);
  }
}

void compute(Comm& comm, double seconds) {
  const auto busy = [&] {
    const double end = steady_seconds() + seconds;
    while (comm.rank() == 1 && steady_seconds() < end) continue;
  };
  for (const std::size_t length : {1, 100000}) {
    busy();
    std::vector<double> data(length, 1.0);
    comm.all_reduce(data, Comm::Op::kSum);
  }
  busy();
  comm.all_gather(std::vector<std::byte>(10));
}

void work(Comm& comm, const std::string& what, const char* number) {
  const int chosen = std::atoi(number);
  std::vector<double> data(3);
  if (what == "contract") return contract::check_all(comm);
  if (what == "rounds" || what == "hasty") return rounds(comm, std::atof(number));
  if (what == "compute") return compute(comm, std::atof(number));
  if (what == "lengths") return contract::lengths_that_differ(comm);
  if (what == "fail-all") throw input_error("a bad shard");
  if (what == "fail" && comm.rank() == chosen) throw input_error("a bad shard");
  if (what == "abort" && comm.rank() == chosen) comm.abort("enough");
  comm.all_reduce(data, Comm::Op::kSum);
}

int run(const std::string& what, const char* number) {
  const char* given = std::getenv("LINSEP_WORKER_TIMEOUT");
  const double timeout = given == nullptr ? kWorkerTimeout : std::atof(given);
  std::unique_ptr<EngineComm> comm;
  try {
    const Launch started = launch();
    comm = join(started, what == "hasty" && started.rank == 2 ? timeout / 2 : timeout);
    if (!comm) throw usage_error("no engine started this process");
    work(*comm, what, number);
    comm->finish();
    if (comm->rank() == 0) std::printf("%d workers, fine\n", comm->size());
    return 0;
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    const int code = known != nullptr && known->kind() == Error::Kind::kInput ? 3 : 4;
    if (!comm) {
      std::fprintf(stderr, "comm_check: %s\n", error.what());
      return code;
    }
    const EngineComm::Ending ending = comm->end(error.what(), code);
    if (ending.speaks) std::fprintf(stderr, "comm_check: %s\n", error.what());
    comm->abandon(ending);
    return ending.code;
  }
}

}  // namespace
}  // namespace linsep

int main(int argc, char** argv) { return linsep::run(argc > 1 ? argv[1] : "contract", argc > 2 ? argv[2] : "0"); }
