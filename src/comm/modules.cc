// Finds and loads the modules of the engines: liblinsep_mpi.so and liblinsep_gloo.so. They lie beside the program or
// library that holds this code (as built), or in the library folder (as installed); LINSEP_MODULES names another
// folder.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "comm/module.h"
#include "linsep/error.h"

namespace linsep {

namespace fs = std::filesystem;

std::vector<fs::path> module_folders() {
  if (const char* given = std::getenv("LINSEP_MODULES"); given != nullptr && *given != 0) return {given};
  fs::path self;
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&module_folders), &info) != 0 && info.dli_fname[0] == '/') {
    self = info.dli_fname;
  } else {
    self = fs::read_symlink("/proc/self/exe", ignored);
  }
  const fs::path folder = self.parent_path();
  return {folder, folder / LINSEP_MODULE_FOLDER, folder / "linsep"};
}

namespace {

void* load(const std::string& engine) {
  const std::string name = "liblinsep_" + engine + ".so";
  std::error_code ignored;
  for (const fs::path& folder : module_folders()) {
    const fs::path path = folder / name;
    if (!fs::exists(path, ignored)) continue;
    // Open MPI loads plug-ins of its own that must see its symbols, hence RTLD_GLOBAL.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) throw system_error("the engine " + engine + " can't be loaded: " + dlerror());
    const auto version = reinterpret_cast<decltype(&linsep_engine_version)>(dlsym(module, "linsep_engine_version"));
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
  if (void* found = dlsym(load(engine), name.c_str())) return reinterpret_cast<Entry*>(found);
  throw system_error("the module of the engine " + engine + " has no " + name);
}

}  // namespace

std::unique_ptr<EngineComm> mpi(double timeout_seconds) {
  return std::unique_ptr<EngineComm>(entry<decltype(linsep_engine_mpi)>("mpi")(timeout_seconds));
}

std::unique_ptr<EngineComm> gloo(const GlooOptions& options, const AllGather& rendezvous) {
  return std::unique_ptr<EngineComm>(entry<decltype(linsep_engine_gloo)>("gloo")(options, rendezvous));
}

}  // namespace linsep
