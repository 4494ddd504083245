// Temporary files beside a target: nameless where the file system can, else under a name that tells whose it is.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace linsep {

/// The suffix of a temporary name, which is NAME.PROCESS.RANDOM followed by this.
inline constexpr std::string_view kTemporary = ".tmp";

/// A new temporary name of that form for a file called `name`.
std::string temporary_name(const std::string& name);

/// A file that has no name, in this directory; −1 where it can't be, with errno set.
int open_nameless(const std::string& directory, mode_t mode);

struct NamedFile {
  int number = -1;
  std::string name;
};
/// A new file under a temporary name of `name`, locked for as long as it is open: so others see that its writer lives.
/// Throws a system Error that names `path`.
NamedFile open_named(const std::string& name, const std::string& path, mode_t mode);

/// Removes what killed writers of `path` have left beside it. What belongs to a process that lives, on this machine or
/// another, stays.
void remove_leftovers(const std::string& path);

}  // namespace linsep
