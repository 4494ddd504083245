#include "os/library.h"

#include <dlfcn.h>

#include <system_error>

namespace linsep {

void* LoadedLibrary::symbol(const char* name) const { return handle == nullptr ? nullptr : ::dlsym(handle, name); }

LoadedLibrary load_library(const std::string& path, bool shared) {
  LoadedLibrary library{::dlopen(path.c_str(), RTLD_NOW | (shared ? RTLD_GLOBAL : RTLD_LOCAL)), ""};
  if (library.handle == nullptr) library.failure = ::dlerror();
  return library;
}

std::filesystem::path own_path() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_path), &info) != 0 && info.dli_fname[0] == '/') return info.dli_fname;
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace linsep
