// Files that appear whole or not at all, and files read whole.
#pragma once

#include <string>
#include <string_view>

namespace linsep {

/// Writes a temporary file beside `path`, syncs it to the disk and renames it: a crash at any moment leaves the old
/// file or the new one. What isn't a regular file (a pipe, a device) is written in place, and a symbolic link
/// is followed. Throws a system Error; then the temporary file is gone and the old file unharmed.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// Removes what killed writers of `path` have left beside it. REQUIRES: nobody is writing `path` now.
void remove_leftovers(const std::string& path);

/// The file's bytes. Throws an input Error when it can't be opened, a system Error when reading it fails.
std::string read_whole_file(const std::string& path);

}  // namespace linsep
