// Files of arrays as data: rows are mapped, never copied; labels stand in an array of their own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// Whether these are files of arrays, by their names. Throws a usage Error where only some are.
bool are_array_files(std::span<const std::string> paths);

/// As `load` of linsep/read.h. `options.label`, or the only word of `options.labels`, names the file of labels: an
/// array of one label per row, or of several columns of labels.
std::unique_ptr<Source> load_array_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe);

}  // namespace linsep
