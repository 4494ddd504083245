// What a folder stands for, be it of Parquet or of text.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace linsep {

/// What programs write before they give a file its name, and what editors leave: in lower case.
inline bool is_temporary(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const char* ending : {".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", ".bak", "~"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

/// Names that begin with a dot, and _SUCCESS and the like; but not _key=value. Temporary names.
inline bool is_hidden_below(const std::filesystem::path& below) {
  return std::any_of(below.begin(), below.end(), [](const std::filesystem::path& part) {
    const std::string name = part.string();
    return name.starts_with(".") || is_temporary(name) ||
           (name.starts_with("_") && name.find('=') == std::string::npos);
  });
}

/// The files below a folder that aren't hidden, in the order of the bytes of their paths.
inline std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !is_hidden_below(entry.path().lexically_relative(folder))) {
      found.push_back(entry.path().generic_string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace linsep
