// The rendezvous through files: worker k writes RUN.k and waits for the others' files.
#include <chrono>
#include <filesystem>
#include <thread>

#include "comm/failure_detector_thread.h"
#include "linsep/error.h"
#include "linsep/tools/engines.h"
#include "os/atomic_file.h"

namespace linsep {
namespace {

std::string waited_for(const std::string& path, int rank, double deadline, double patience) {
  std::error_code ignored;
  while (!std::filesystem::exists(path, ignored)) {
    if (steady_seconds() > deadline) {
      throw system_error("worker " + std::to_string(rank) + " hasn't come to the rendezvous within " +
                         std::to_string(static_cast<int>(patience)) + " seconds: there is no " + path);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return read_whole_file(path);
}

}  // namespace

AllGather rendezvous_in(const std::string& folder, const std::string& run, int rank, int size,
                        double patience_seconds) {
  if (run.empty() || run.find('/') != std::string::npos) throw usage_error("a run's name is a word without /");
  return [=](const std::string& mine) {
    const auto path = [&](int worker) {
      return (std::filesystem::path(folder) / (run + "." + std::to_string(worker))).string();
    };
    write_file_atomically(path(rank), mine);
    const double deadline = steady_seconds() + patience_seconds;
    std::vector<std::string> all;
    for (int worker = 0; worker < size; ++worker) {
      all.push_back(waited_for(path(worker), worker, deadline, patience_seconds));
    }
    return all;
  };
}

}  // namespace linsep
