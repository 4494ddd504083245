// Loading with the stations set up otherwise than `load` does it, for tests and benchmarks.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "format/text/input.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/table/fit.h"

namespace linsep {

/// With a map, the map decides on the type of values.
ReadOptions with_values_of_table(ReadOptions options);

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe = {});
std::unique_ptr<Source> load_with(std::span<const std::string> paths, const ReadOptions& options,
                                  const Stations& stations, Comm& comm, const Observer& observe = {});
std::unique_ptr<Source> open_stream_with(const std::string& path, const ReadOptions& options, const Stations& stations);
std::unique_ptr<Source> open_stream_with(std::span<const std::string> paths, const ReadOptions& options,
                                         const Stations& stations, Comm& comm);

/// `fit_table` likewise.
FittedTable fit_table_with(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                           const Stations& stations, Comm& comm, const Observer& observe = {});

}  // namespace linsep
