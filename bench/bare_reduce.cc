// bare_reduce [THREADS]: all-reduces through Comm and nothing else, over the engine that started this process or over
// threads.
#include "bare_reduce.h"

#include <cstdlib>
#include <exception>

#include "linsep/tools/engines.h"

namespace linsep {
namespace {

void measure(Comm& comm) {
  const bool speaks = comm.rank() == 0;
  bench::time_reductions<double>("Comm, doubles", speaks,
                                 [&](std::vector<double>& data) { comm.all_reduce(data, Comm::Op::kSum); });
  bench::time_reductions<std::int64_t>("Comm, 64-bit integers", speaks,
                                       [&](std::vector<std::int64_t>& data) { comm.all_reduce(data, Comm::Op::kSum); });
}

}  // namespace
}  // namespace linsep

int main(int argc, char** argv) {
  try {
    if (const auto comm = linsep::join(linsep::launch())) {
      linsep::measure(*comm);
      comm->finish();
    } else {
      linsep::run_threads(argc > 1 ? std::atoi(argv[1]) : 4, linsep::measure);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bare_reduce: %s\n", error.what());
    return 4;
  }
}
