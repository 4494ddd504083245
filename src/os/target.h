// Where a path leads that is to be written.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "linsep/error.h"

namespace linsep {

/// A system Error: "PATH: WHAT: the system's words for error `number`".
Error file_failure(const std::string& path, std::string_view what, int number);

struct Target {
  std::string name;                 ///< with all symbolic links followed
  bool straight = false;            ///< no regular file, or one that a process has open: to be written as it stands
  int own = -1;                     ///< `straight`: this process's own descriptor, to be used instead of opening
  std::optional<mode_t> mode = {};  ///< permissions of the regular file that is there
  uid_t user = 0;                   ///< and whose it is
  gid_t group = 0;
};

/// Follows symbolic links, also to what isn't there yet. Throws a system Error for a directory, or links that lead
/// nowhere.
Target find_target(const std::string& path);

/// The directory that a file is in: "." where its name has none.
std::string directory_of(const std::string& path);

/// Makes new names within a file's directory durable. Not every file system can do that: no error.
void sync_directory_of(const std::string& path);

}  // namespace linsep
