// What goes on around a StreamedFile: its temporary name, and the directory it is renamed in.
#pragma once

#include <string>
#include <string_view>

#include "linsep/file.h"

namespace linsep {

/// The ending of a file under a temporary name, which is NAME.PROCESS.ATTEMPT and this.
inline constexpr std::string_view kTemporary = ".tmp";

/// Makes what was renamed within a directory last. Not every file system can do that: no error.
void sync_directory_of(const std::string& path);

}  // namespace linsep
