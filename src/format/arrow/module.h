// The module liblinsep_arrow.so (src/format/parquet), loaded when a file is asked for that needs it.
#pragma once

#include <string>

#include "format/parquet/module.h"

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
