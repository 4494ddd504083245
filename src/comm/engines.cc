// Which engine the environment names for this process, workers that meet through files, and the modules of engines.
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "comm/failure_detector.h"
#include "comm/module.h"
#include "linsep/error.h"
#include "linsep/tools/engines.h"
#include "os/file.h"
#include "os/library.h"

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
    throw usage_error(std::string(name) + "=" + text + ": expected a whole number");
  }
  return value;
}

// Each line serves some launchers: Open MPI's mpirun, then MPICH, Intel MPI and Slurm with PMI-2, then Slurm and others
// with PMIx.
struct Launcher {
  const char *rank, *size;
};
constexpr Launcher kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

Launch launch() {
  const std::string engine = variable("LINSEP_ENGINE");
  if (!engine.empty() && engine != "solo" && engine != "mpi" && engine != "gloo") {
    throw usage_error("LINSEP_ENGINE=" + engine + ": expected solo, mpi or gloo");
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

PortRange parse_ports(const std::string& text) {
  constexpr int kMostPort = 65535;
  PortRange ports;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, ports.first);
  ports.last = ports.first;
  if (error == std::errc() && at != end && *at == '-') {
    const auto last = std::from_chars(at + 1, end, ports.last);
    at = last.ptr;
    error = last.ec;
  }
  if (error == std::errc() && at == end && ports.first >= 1 && ports.first <= ports.last && ports.last <= kMostPort) {
    return ports;
  }
  throw usage_error("ports '" + text + "': expected a range such as 20000-20100");
}

std::unique_ptr<EngineComm> join(const Launch& launch, double timeout_seconds) {
  if (launch.engine == "mpi") return mpi(timeout_seconds);
  if (launch.engine != "gloo") return nullptr;
  GlooOptions options;
  options.rank = launch.rank;
  options.size = number("LINSEP_GLOO_SIZE");
  if (const std::string given = variable("LINSEP_GLOO_INTERFACE"); !given.empty()) options.interface = given;
  if (const std::string given = variable("LINSEP_PORTS"); !given.empty()) options.ports = parse_ports(given);
  options.timeout_seconds = timeout_seconds;
  const std::string folder = variable("LINSEP_GLOO_DIR"), run = variable("LINSEP_GLOO_RUN");
  if (folder.empty() || run.empty()) {
    throw usage_error(
        "Gloo workers meet in a shared folder: set LINSEP_GLOO_DIR to it, and LINSEP_GLOO_RUN to a word that no other "
        "run has used");
  }
  constexpr double kPatience = 5;  // workers may start further apart than they may be silent
  return gloo(options, rendezvous_in(folder, run, options.rank, options.size, kPatience * timeout_seconds));
}

namespace {

// Anyone who reads what workers write when they meet can take the place of a worker, and anyone who changes it can
// choose who the workers are. So each file is accessible to its user alone, and anything that somebody else may have
// written is refused.

void require_own_folder(const std::string& folder) {
  const std::optional<FileStatus> status = file_status(folder);
  if (!status || status->kind != FileStatus::Kind::kDirectory) {
    throw usage_error(folder + ": workers meet in this folder, but it doesn't exist: create it first");
  }
  if (is_own(*status)) return;
  throw usage_error(
      folder +
      ": workers don't meet in a folder that other users may write to, or that is another user's: make one "
      "with mkdir -m 700");
}

std::string waited_for(const std::string& path, int rank, double deadline, double patience) {
  std::error_code ignored;
  while (!std::filesystem::exists(path, ignored)) {
    if (steady_seconds() > deadline) {
      throw system_error("worker " + std::to_string(rank) + " didn't join within " +
                         std::to_string(static_cast<int>(patience)) + " seconds: there is no " + path);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  OpenFile file = OpenFile::at(path);
  if (!is_own(file.status())) {
    throw system_error(path + ": another user may have written it, so it isn't taken for worker " +
                       std::to_string(rank) + "'s");
  }
  return read_whole_file(std::move(file));
}

}  // namespace

/// Worker k writes the file RUN.k and waits for the others' files.
AllGather rendezvous_in(const std::string& folder, const std::string& run, int rank, int size,
                        double patience_seconds) {
  if (run.empty() || run.find('/') != std::string::npos) throw usage_error("a run's name can't be empty or contain /");
  return [=](const std::string& mine) {
    const auto path = [&](int worker) {
      return (std::filesystem::path(folder) / (run + "." + std::to_string(worker))).string();
    };
    require_own_folder(folder);
    const std::string unfinished = temporary_name(path(rank));
    write_new_private_file(unfinished, mine);
    std::filesystem::rename(unfinished, path(rank));
    const double deadline = steady_seconds() + patience_seconds;
    std::vector<std::string> all;
    for (int worker = 0; worker < size; ++worker) {
      all.push_back(waited_for(path(worker), worker, deadline, patience_seconds));
    }
    return all;
  };
}

// Finds and loads the modules of the engines, liblinsep_mpi.so and liblinsep_gloo.so. They lie next to the program or
// library that holds this code (as built), or in the library folder (as installed). LINSEP_MODULES names another
// folder.
namespace fs = std::filesystem;

std::vector<fs::path> module_folders() {
  if (const char* given = std::getenv("LINSEP_MODULES"); given != nullptr && *given != 0) return {given};
  const fs::path folder = own_path().parent_path();
  return {folder, folder / LINSEP_MODULE_FOLDER, folder / "linsep"};
}

namespace {

LoadedLibrary load(const std::string& engine) {
  const std::string name = "liblinsep_" + engine + ".so";
  std::error_code ignored;
  for (const fs::path& folder : module_folders()) {
    const fs::path path = folder / name;
    if (!fs::exists(path, ignored)) continue;
    // Open MPI loads plug-ins of its own that must see its symbols.
    const LoadedLibrary module = load_library(path.string(), true);
    if (module.handle == nullptr) throw system_error("the engine " + engine + " can't be loaded: " + module.failure);
    auto* const version = module.function<decltype(linsep_engine_version)>("linsep_engine_version");
    if (version == nullptr || std::strcmp(version(), LINSEP_ENGINE_VERSION) != 0) {
      throw system_error(path.string() + " belongs to another build of linsep");
    }
    return module;
  }
  throw system_error("the engine " + engine + " isn't installed: no " + name +
                     " beside the program or in its library folder");
}

template <class Entry>
Entry* entry(const std::string& engine) {
  const std::string name = "linsep_engine_" + engine;
  if (Entry* found = load(engine).function<Entry>(name.c_str())) return found;
  throw system_error("the module of the engine " + engine + " has no " + name);
}

}  // namespace

std::unique_ptr<EngineComm> mpi(double timeout_seconds) {
  return std::unique_ptr<EngineComm>(entry<decltype(linsep_engine_mpi)>("mpi")(timeout_seconds));
}

std::unique_ptr<EngineComm> gloo(const GlooOptions& options, const AllGather& rendezvous) {
#ifdef LINSEP_GLOO_LINKED
  return std::unique_ptr<EngineComm>(linsep_engine_gloo(options, rendezvous));
#else
  return std::unique_ptr<EngineComm>(entry<decltype(linsep_engine_gloo)>("gloo")(options, rendezvous));
#endif
}

}  // namespace linsep
