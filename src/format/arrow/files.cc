#include "format/arrow/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "comm/module.h"
#include "format/shards/pieces.h"
#include "linsep/error.h"
#include "os/library.h"

namespace linsep {
namespace fs = std::filesystem;

namespace arrow {
namespace {

constexpr const char* kName = "liblinsep_arrow.so";

template <class Entry>
bool find(const LoadedLibrary& library, const char* name, Entry& entry) {
  entry = reinterpret_cast<Entry>(library.symbol(name));
  return entry != nullptr;
}

/// Folders that may have the libraries of Arrow C++ that the loader doesn't find by itself: the module's own folder,
/// and pyarrow in the Pythons that a command line would run and in this user's.
std::vector<fs::path> arrow_folders(const fs::path& module) {
  std::vector<fs::path> pythons, folders = {module.parent_path()};
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::istringstream path(variable("PATH"));
  std::error_code ignored;
  if (const std::string own = variable("VIRTUAL_ENV"); !own.empty()) pythons.emplace_back(own);
  for (std::string folder; std::getline(path, folder, ':');) {
    if (fs::exists(fs::path(folder) / "python3", ignored)) pythons.push_back(fs::path(folder).parent_path());
  }
  if (const std::string home = variable("HOME"); !home.empty()) pythons.push_back(fs::path(home) / ".local");
  for (const fs::path& python : pythons) {
    if (!python.is_absolute()) continue;
    for (const fs::directory_entry& version : fs::directory_iterator(python / "lib", ignored)) {
      if (!version.path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        folders.push_back(version.path() / packages / "pyarrow");
      }
    }
  }
  return folders;
}

/// Extracts "libarrow.so.2600" from "libarrow.so.2600: cannot open shared object file: …". "" for other failures.
std::string missing_library(const std::string& failure) {
  const std::size_t colon = failure.find(": cannot open shared object file");
  const bool arrow = failure.starts_with("libarrow") || failure.starts_with("libparquet");
  return colon != std::string::npos && arrow ? failure.substr(0, colon) : "";
}

std::string cure(const std::string& library) {
  const std::size_t dot = library.rfind('.');
  const std::string version = dot != std::string::npos && library.size() > dot + 3
                                  ? library.substr(dot + 1, library.size() - dot - 3)  // 2600 is 26.0
                                  : "";
  return fmt::format(
      "Parquet and Arrow files need {}, which wasn't found: run `pip install 'pyarrow=={}.*'`, or add the folder it is "
      "in to LD_LIBRARY_PATH",
      library, version);
}

/// Loads libraries that aren't found from their folders first.
LoadedLibrary open_module(const fs::path& path) {
  std::string last;
  for (;;) {
    LoadedLibrary library = load_library(path.string());
    if (library.handle != nullptr) return library;
    const std::string missing = missing_library(library.failure);
    if (missing.empty()) {
      throw system_error(fmt::format("the module for Parquet and Arrow files can't be loaded: {}", library.failure));
    }
    bool loaded = false;
    std::error_code ignored;
    for (const fs::path& folder : arrow_folders(path)) {
      if (loaded || missing == last || !fs::exists(folder / missing, ignored)) continue;
      loaded = load_library(fs::canonical(folder / missing, ignored).string()).handle != nullptr;
    }
    if (!loaded) throw system_error(cure(missing));
    last = missing;
  }
}

Module load(const fs::path& path) {
  const LoadedLibrary library = open_module(path);
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
      "(docs/reference/formats/arrow.md)",
      kName);
}

}  // namespace arrow

namespace {

/// Checks for "PAR1" of Parquet, "ARROW1" of an Arrow file, and the beginning of a stream of Arrow messages.
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

ArrowArrayStream open_files(std::span<const std::string> paths, std::uint64_t memory) {
  constexpr std::uint64_t kShare = 2;  // batches get half of the memory, and the rest is for what becomes of the rows
  const arrow::Module* module = arrow::module();
  if (module == nullptr) {
    throw Error(Place{files_name(paths), 0, 0}, "Parquet and Arrow files are read " + arrow::no_module());
  }
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  ArrowArrayStream stream{};
  std::array<char, 1000> message{};
  if (module->open(names.data(), names.size(), memory / kShare, &stream, message.data(), message.size()) != 0) {
    const std::string said = message.data();
    const bool named = said.starts_with(paths[0]);
    throw named ? input_error(said) : Error(Place{files_name(paths), 0, 0}, said);
  }
  return stream;
}

}  // namespace

bool are_arrow_files(std::span<const std::string> paths) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(paths, is_arrow));
  if (count != 0 && count != paths.size()) {
    throw usage_error("Parquet and Arrow files can't be mixed with others: give files of one kind");
  }
  return count != 0;
}

ArrowTable open_arrow_files(std::span<const std::string> paths, std::uint64_t memory) {
  ArrowArrayStream stream = open_files(paths, memory);
  return ArrowTable(&stream, files_name(paths));
}

std::unique_ptr<arrow::Intake> open_arrow_intake(std::span<const std::string> paths, std::uint64_t memory) {
  ArrowArrayStream stream = open_files(paths, memory);
  return std::make_unique<arrow::Intake>(&stream, files_name(paths));
}

}  // namespace linsep
