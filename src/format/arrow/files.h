// Parquet and Arrow files, read by the module liblinsep_arrow.so (src/format/parquet).
#pragma once

#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/table/arrow.h"

namespace linsep {

/// Whether these are Parquet or Arrow files by their first bytes, or folders in which there is one. Throws a usage
/// Error where only some are.
bool are_arrow_files(std::span<const std::string> paths);

/// The rows of all, in the order given. Throws a system Error where the module isn't there, a usage Error where there
/// are several workers.
ArrowTable open_arrow_files(std::span<const std::string> paths, const Comm& comm);

}  // namespace linsep
