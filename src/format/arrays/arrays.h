// Files of arrays as data. Rows are mapped, never copied, and labels are in a separate array.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// Whether these are files of arrays, by their names. Throws a usage Error if only some are.
bool are_array_files(std::span<const std::string> paths);

/// Like `load` of linsep/read.h. `options.label`, or the only word of `options.labels`, names the file of labels. It is
/// an array with one label per row, or with several columns of labels.
std::unique_ptr<Source> load_array_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe);

}  // namespace linsep
