// Parquet and Arrow files, read by the module liblinsep_arrow.so (src/format/parquet), which is loaded when it is
// needed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "format/arrow/batches.h"
#include "format/parquet/module.h"
#include "linsep/comm.h"
#include "linsep/table/arrow.h"
#include "linsep/table/fit.h"

namespace linsep::arrow {

struct Module {
  decltype(&linsep_arrow_open) open = nullptr;
  decltype(&linsep_arrow_begin_parquet) begin_parquet = nullptr;
  decltype(&linsep_arrow_write_parquet) write_parquet = nullptr;
  decltype(&linsep_arrow_end_parquet) end_parquet = nullptr;
  decltype(&linsep_arrow_free_parquet) free_parquet = nullptr;
};

/// Null where there is none. Throws a system Error where there is one that can't be used.
const Module* module();

/// "… by a module that isn't installed: …", for a sentence that begins with what isn't possible.
std::string no_module();

}  // namespace linsep::arrow

namespace linsep {

/// Whether these are Parquet or Arrow files by their first bytes, or folders in which there is one. Throws a usage
/// Error where only some are.
bool are_arrow_files(std::span<const std::string> paths);

/// The rows of all, in the order given, a batch at a time. `memory` as in ReadOptions: batches take at most half of it.
/// Throws a system Error where the module isn't there.
std::unique_ptr<arrow::Intake> open_arrow_intake(std::span<const std::string> paths, std::uint64_t memory);

/// All rows, in memory. Throws a system Error where the module isn't there.
ArrowTable open_arrow_files(std::span<const std::string> paths, std::uint64_t memory);

/// What `fit_table` makes of all rows, a batch at a time.
FittedTable fit_arrow_files(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                            const Observer& observe);

/// As `load` of files promises: a worker has about as many rows as the others, behind those of the workers before it.
/// Each reads all rows, for rows can't be found without reading those before them, and keeps its own.
std::unique_ptr<Source> load_arrow_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe);

}  // namespace linsep
