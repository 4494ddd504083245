// Rows of an Arrow stream, as pyarrow, polars, pandas and DuckDB hand it out.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "scanned_rows.h"

namespace linsep::python {

/// `producer`: an object with __arrow_c_stream__, or a callable that returns one and is called whenever rows are read
/// anew. `name` is what Errors speak of.
std::unique_ptr<RowOrigin> arrow_stream(nb::object producer, std::string name);

}  // namespace linsep::python
