#include "format/arrow/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "format/arrow/module.h"
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

ArrowArrayStream open_files(std::span<const std::string> paths) {
  const arrow::Module* module = arrow::module();
  if (module == nullptr) {
    throw Error(Place{files_name(paths), 0, 0}, "Parquet and Arrow files are read " + arrow::no_module());
  }
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  ArrowArrayStream stream{};
  std::array<char, 1000> message{};
  if (module->open(names.data(), names.size(), &stream, message.data(), message.size()) != 0) {
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
    throw usage_error("some files are Parquet or Arrow files, some aren't: give those of one kind");
  }
  return count != 0;
}

void refuse_several_workers(const Comm& comm) {
  if (comm.size() > 1) {
    throw usage_error("Parquet and Arrow files are read by one worker only; several can share CSV and page files");
  }
}

ArrowTable open_arrow_files(std::span<const std::string> paths, const Comm& comm) {
  refuse_several_workers(comm);
  ArrowArrayStream stream = open_files(paths);
  return ArrowTable(&stream, files_name(paths));
}

std::unique_ptr<arrow::Intake> open_arrow_intake(std::span<const std::string> paths) {
  ArrowArrayStream stream = open_files(paths);
  return std::make_unique<arrow::Intake>(&stream, files_name(paths));
}

}  // namespace linsep
