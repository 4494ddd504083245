#include "format/arrow/files.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "comm/module.h"
#include "format/parquet/module.h"
#include "format/shards/piece_reader.h"
#include "linsep/error.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

/// "PAR1" of Parquet, "ARROW1" of an Arrow file, and what a stream of Arrow messages begins with.
bool begins_as_arrow(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::array<char, 6> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  const std::string_view begin(head.data(), head.size());
  return begin.starts_with("PAR1") || begin == "ARROW1" || begin.starts_with("\xff\xff\xff\xff");
}

bool is_arrow(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return begins_as_arrow(path);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, ignored)) {
    if (begins_as_arrow(entry.path().string())) return true;
  }
  return false;
}

constexpr const char* kName = "liblinsep_arrow.so";

/// Null where there is no module.
decltype(&linsep_arrow_open) module_entry() {
  std::error_code ignored;
  for (const fs::path& folder : module_folders()) {
    const fs::path path = folder / kName;
    if (!fs::exists(path, ignored)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      throw system_error(fmt::format("the module for Parquet and Arrow files can't be loaded: {}", dlerror()));
    }
    const auto version = reinterpret_cast<decltype(&linsep_arrow_version)>(dlsym(module, "linsep_arrow_version"));
    const auto open = reinterpret_cast<decltype(&linsep_arrow_open)>(dlsym(module, "linsep_arrow_open"));
    if (version == nullptr || open == nullptr || std::strcmp(version(), LINSEP_ARROW_VERSION) != 0) {
      throw system_error(path.string() + " belongs to another build of linsep");
    }
    return open;
  }
  return nullptr;
}

}  // namespace

bool are_arrow_files(std::span<const std::string> paths) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(paths, is_arrow));
  if (count != 0 && count != paths.size()) {
    throw usage_error("some files are Parquet or Arrow files, some aren't: give those of one kind");
  }
  return count != 0;
}

ArrowTable open_arrow_files(std::span<const std::string> paths, const Comm& comm) {
  if (comm.size() > 1) {
    throw usage_error("Parquet and Arrow files are read by one worker only; several can share CSV and page files");
  }
  static const decltype(&linsep_arrow_open) kOpen = module_entry();
  if (kOpen == nullptr) {
    throw Error(Place{files_name(paths), 0, 0},
                fmt::format("Parquet and Arrow files are read by a module that isn't installed: no {} beside the "
                            "program or in its library folder (docs/formats/arrow.md)",
                            kName));
  }
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  ArrowArrayStream stream{};
  std::array<char, 1000> message{};
  if (kOpen(names.data(), names.size(), &stream, message.data(), message.size()) != 0) {
    const std::string said = message.data();
    const bool named = said.starts_with(paths[0]);
    throw named ? input_error(said) : Error(Place{files_name(paths), 0, 0}, said);
  }
  return ArrowTable(&stream, files_name(paths));
}

}  // namespace linsep
