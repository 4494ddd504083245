// Shared libraries that are loaded while the program runs.
#pragma once

#include <filesystem>
#include <string>

namespace linsep {

struct LoadedLibrary {
  void* handle = nullptr;  ///< null if it couldn't be loaded
  std::string failure;     ///< the reason, in the system's words

  /// A function or variable of the library, or null if it has none of this name.
  void* symbol(const char* name) const;
  template <class Entry>
  Entry* function(const char* name) const {
    return reinterpret_cast<Entry*>(symbol(name));
  }
};

/// Loads a library by its path, or by a name that the system looks for. It stays loaded. With `shared`, libraries
/// loaded later see its symbols.
LoadedLibrary load_library(const std::string& path, bool shared = false);

/// The program or shared library that holds this code, or "" if the system doesn't give it.
std::filesystem::path own_path();

}  // namespace linsep
