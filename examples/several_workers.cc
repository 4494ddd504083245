// Trains on four workers, each with its share of the rows: several_workers DATA. Here the workers are threads of one
// process; under `mpirun` or Gloo the same function runs in each process with the Comm that connect() returns.
#include <linsep/linsep.h>

#include <iostream>

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: several_workers DATA\n";
    return 2;
  }
  const std::vector<std::string> files = {arguments[1]};
  linsep::run_threads(4, [&](linsep::Comm& comm) {
    const auto shard = linsep::load(files, {}, comm);
    const auto outcome =
        linsep::fit(*shard, linsep::Margin{.loss = linsep::Loss::kLogistic}, {.max_passes = 100}, comm);
    if (comm.rank() != 0) return;
    std::cout << "objective " << *outcome.history.back().objective << ", gap at most " << *outcome.history.back().gap
              << '\n';
  });
}
