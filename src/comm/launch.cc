// How this process was started, as its environment says.
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "linsep/error.h"
#include "linsep/tools/engines.h"

namespace linsep {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int number(const char* name) {
  const std::string text = variable(name);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw usage_error(std::string(name) + "=" + text + ": a whole number is needed");
  }
  return value;
}

// Open MPI's mpirun; MPICH's and Intel's, and Slurm with PMI-2; Slurm and others with PMIx.
struct Launcher {
  const char *rank, *size;
};
constexpr Launcher kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

Launch launch() {
  const std::string engine = variable("LINSEP_ENGINE");
  if (!engine.empty() && engine != "solo" && engine != "mpi" && engine != "gloo") {
    throw usage_error("LINSEP_ENGINE=" + engine + ": the engines are solo, mpi and gloo");
  }
  if (engine == "solo") return {};
  if (engine == "gloo" || (engine.empty() && !variable("LINSEP_GLOO_SIZE").empty())) {
    return {"gloo", number("LINSEP_GLOO_RANK")};
  }
  for (const Launcher& launcher : kLaunchers) {
    if (variable(launcher.rank).empty()) continue;
    const bool alone = !variable(launcher.size).empty() && number(launcher.size) == 1;
    if (alone && engine.empty()) return {};
    return {"mpi", number(launcher.rank)};
  }
  return {engine.empty() ? "solo" : engine, 0};
}

std::unique_ptr<EngineComm> join(const Launch& launch, double timeout_seconds) {
  if (launch.engine == "mpi") return mpi(timeout_seconds);
  if (launch.engine != "gloo") return nullptr;
  GlooOptions options;
  options.rank = launch.rank;
  options.size = number("LINSEP_GLOO_SIZE");
  if (const std::string given = variable("LINSEP_GLOO_INTERFACE"); !given.empty()) options.interface = given;
  options.timeout_seconds = timeout_seconds;
  const std::string folder = variable("LINSEP_GLOO_DIR"), run = variable("LINSEP_GLOO_RUN");
  if (folder.empty() || run.empty()) {
    throw usage_error(
        "Gloo's workers meet in a folder that all see: set LINSEP_GLOO_DIR, and LINSEP_GLOO_RUN to a "
        "word that no other run has used");
  }
  constexpr double kPatience = 5;  // workers may start later than they may be silent
  return gloo(options, rendezvous_in(folder, run, options.rank, options.size, kPatience * timeout_seconds));
}

}  // namespace linsep
