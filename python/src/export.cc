// Binding of linsep/tools/export.h and linsep/tools/explain.h, for models in other languages and reasons for a row's
// score.
#include "linsep/tools/export.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "linsep/error.h"
#include "module.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

nb::bytes onnx(const Model& model, bool float32) {
  std::string made;
  {
    const nb::gil_scoped_release others_may_run;
    made = float32 ? export_onnx_float(model) : export_onnx(model);
  }
  return nb::bytes(made.data(), made.size());
}

std::string sql(const Model& model, const std::string& dialect, const std::string& table) {
  static constexpr std::array<std::pair<std::string_view, SqlDialect>, 2> kDialects = {
      {{"duckdb", SqlDialect::kDuckDb}, {"postgresql", SqlDialect::kPostgreSql}}};
  for (const auto& [name, value] : kDialects) {
    if (dialect != name) continue;
    const nb::gil_scoped_release others_may_run;
    return export_sql(model, value, table);
  }
  throw option_error("dialect", "{} takes duckdb or postgresql, not '" + dialect + "'");
}

}  // namespace

void bind_export(nb::module_& m) {
  m.def("to_onnx", &onnx, "model"_a, nb::kw_only(), "float32"_a = false);
  m.def("to_sql", &sql, "model"_a, "dialect"_a, "table"_a);
  m.def("to_c", &export_c, "model"_a, "name"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace linsep::python
