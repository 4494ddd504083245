// Parquet and Arrow files, read by the module liblinsep_arrow.so (src/format/parquet).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "format/arrow/intake.h"
#include "linsep/comm.h"
#include "linsep/table/arrow.h"

namespace linsep {

/// Whether these are Parquet or Arrow files by their first bytes, or folders in which there is one. Throws a usage
/// Error where only some are.
bool are_arrow_files(std::span<const std::string> paths);

/// Throws a usage Error where there are several.
void refuse_several_workers(const Comm& comm);

/// The rows of all, in the order given, a batch at a time. Throws a system Error where the module isn't there.
std::unique_ptr<arrow::Intake> open_arrow_intake(std::span<const std::string> paths);

/// All rows, in memory. Throws a system Error where the module isn't there, a usage Error where there
/// are several workers.
ArrowTable open_arrow_files(std::span<const std::string> paths, const Comm& comm);

}  // namespace linsep
