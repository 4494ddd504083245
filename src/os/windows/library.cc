#include "os/library.h"

#include <system_error>

#include "os/windows/system.h"

namespace linsep {

void* LoadedLibrary::symbol(const char* name) const {
  if (handle == nullptr) return nullptr;
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle), name));
}

LoadedLibrary load_library(const std::string& path, bool /*shared*/) {
  LoadedLibrary library{::LoadLibraryW(wide(path).c_str()), ""};
  if (library.handle == nullptr) {
    library.failure = std::system_category().message(static_cast<int>(::GetLastError()));
  }
  return library;
}

std::filesystem::path own_path() {
  constexpr DWORD kLongest = 32768;  // characters of any path
  constexpr DWORD kOfAddress = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE own = nullptr;
  if (::GetModuleHandleExW(kOfAddress, reinterpret_cast<LPCWSTR>(&own_path), &own) == 0) return {};
  std::wstring name(kLongest, L'\0');
  name.resize(::GetModuleFileNameW(own, name.data(), kLongest));
  return name;
}

}  // namespace linsep
