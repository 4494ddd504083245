// Parquet and Arrow files. They are read by the module liblinsep_arrow.so (src/format/parquet), which is loaded when it
// is needed.
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

/// Returns null if there is no module. Throws a system Error if there is one that can't be used.
const Module* module();

/// Completes a sentence about what isn't possible: "… by a module that isn't installed: …".
std::string no_module();

}  // namespace linsep::arrow

namespace linsep {

/// Whether these are Parquet or Arrow files by their first bytes, or folders that contain one. Throws a usage Error if
/// only some are.
bool are_arrow_files(std::span<const std::string> paths);

/// The rows of all files, in the order given, a batch at a time. `memory` is as in ReadOptions, and batches take at
/// most half of it. Throws a system Error if there is no module.
std::unique_ptr<arrow::Intake> open_arrow_intake(std::span<const std::string> paths, std::uint64_t memory);

/// All rows, in memory. Throws a system Error if there is no module.
ArrowTable open_arrow_files(std::span<const std::string> paths, std::uint64_t memory);

/// Does what `fit_table` does with all rows, a batch at a time.
FittedTable fit_arrow_files(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                            const Observer& observe);

/// Like `load` for files. Each worker gets a contiguous share of the rows, about as large as the others', in rank
/// order. Each reads all rows and keeps its own, because rows can't be found without reading those before them.
std::unique_ptr<Source> load_arrow_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe);

}  // namespace linsep
