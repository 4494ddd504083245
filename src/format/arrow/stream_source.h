// Parquet and Arrow files as a source that holds one batch of them.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// As `open_stream` promises. Throws what `open_arrow_files` does.
std::unique_ptr<Source> stream_arrow_files(std::span<const std::string> paths, const ReadOptions& options,
                                           const Comm& comm);

}  // namespace linsep
