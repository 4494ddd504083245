#include "format/arrow/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "comm/module.h"
#include "linsep/error.h"

namespace linsep::arrow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "liblinsep_arrow.so";

template <class Entry>
bool find(void* library, const char* name, Entry& entry) {
  entry = reinterpret_cast<Entry>(dlsym(library, name));
  return entry != nullptr;
}

Module load(const fs::path& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw system_error(fmt::format("the module for Parquet and Arrow files can't be loaded: {}", dlerror()));
  }
  decltype(&linsep_arrow_version) version = nullptr;
  Module found;
  if (!find(library, "linsep_arrow_version", version) || std::strcmp(version(), LINSEP_ARROW_VERSION) != 0 ||
      !find(library, "linsep_arrow_open", found.open) ||
      !find(library, "linsep_arrow_begin_parquet", found.begin_parquet) ||
      !find(library, "linsep_arrow_write_parquet", found.write_parquet) ||
      !find(library, "linsep_arrow_end_parquet", found.end_parquet) ||
      !find(library, "linsep_arrow_free_parquet", found.free_parquet)) {
    throw system_error(path.string() + " belongs to another build of linsep");
  }
  return found;
}

std::optional<Module> look_for_module() {
  std::error_code ignored;
  for (const fs::path& folder : module_folders()) {
    if (fs::exists(folder / kName, ignored)) return load(folder / kName);
  }
  return std::nullopt;
}

}  // namespace

const Module* module() {
  static const std::optional<Module> kModule = look_for_module();
  return kModule ? &*kModule : nullptr;
}

std::string no_module() {
  return fmt::format(
      "by a module that isn't installed: no {} beside the program or in its library folder "
      "(docs/formats/arrow.md)",
      kName);
}

}  // namespace linsep::arrow
