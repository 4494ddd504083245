// Loading with the stations set up otherwise than `load` does it, for tests and benchmarks.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "format/text/input.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe = {});
std::unique_ptr<Source> load_with(std::span<const std::string> paths, const ReadOptions& options,
                                  const Stations& stations, Comm& comm, const Observer& observe = {});
std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options, const Stations& stations);
std::unique_ptr<Source> open_stream_with(std::span<const std::string> paths, const ReadOptions& options,
                                         const Stations& stations, Comm& comm);

}  // namespace linsep
