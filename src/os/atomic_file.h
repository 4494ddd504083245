// Files that appear whole or not at all, and files read whole.
#pragma once

#include <string>
#include <string_view>

namespace linsep {

/// Writes the file and syncs it to the disk, as a StreamedFile `to` that path: a crash at any moment leaves the old
/// file or the new one. Throws a system Error; then the old file is unharmed.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// The file's bytes. Throws an input Error when it can't be opened, a system Error when reading it fails.
std::string read_whole_file(const std::string& path);

}  // namespace linsep
