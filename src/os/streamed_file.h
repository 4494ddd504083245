// What surrounds a StreamedFile: its temporary name, and the directory it is renamed in.
#pragma once

#include <string>
#include <string_view>

#include "linsep/tools/file.h"

namespace linsep {

/// The suffix of a temporary name, which is NAME.PROCESS.ATTEMPT followed by this.
inline constexpr std::string_view kTemporary = ".tmp";

/// Makes renames within a directory durable. Not every file system can do that: no error.
void sync_directory_of(const std::string& path);

}  // namespace linsep
