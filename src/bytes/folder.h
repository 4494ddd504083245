// Which files a folder stands for, whether they are Parquet or text.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace linsep {

/// Recognizes, in any case, the names that programs give unfinished files and that editors leave behind.
inline bool is_temporary(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const char* ending : {".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", ".bak", "~"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

/// Hides temporary names, names that begin with a dot, and _SUCCESS and the like, but not _key=value.
inline bool is_hidden_below(const std::filesystem::path& below) {
  return std::any_of(below.begin(), below.end(), [](const std::filesystem::path& part) {
    const std::string name = part.string();
    return name.starts_with(".") || is_temporary(name) ||
           (name.starts_with("_") && name.find('=') == std::string::npos);
  });
}

/// The files below a folder that aren't hidden, sorted by the bytes of their paths.
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
