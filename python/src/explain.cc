// Binding of linsep/tools/explain.h, which shows why rows have their scores.
#include "linsep/tools/explain.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "module.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

const char* field_name(ColumnParts::Field field) {
  switch (field) {
    case ColumnParts::Field::kKnown:
      return "known";
    case ColumnParts::Field::kHole:
      return "missing";
    case ColumnParts::Field::kUnseen:
      return "unseen";
  }
  return "";
}

Dict part_dict(const Model& model, const ScorePart& part) {
  Dict out;
  out["feature"] = part.feature;
  out["name"] = to_str(feature_name(model, part.feature));
  out["weight"] = part.weight;
  out["value"] = part.value;
  out["base"] = part.base;
  out["part"] = part.part;
  out["written"] = part.written;
  return out;
}

Dict explanation_dict(const Model& model, const Explanation& explanation) {
  Dicts columns;
  for (const ColumnParts& column : explanation.columns) {
    Dicts parts;
    for (const ScorePart& part : column.parts) parts.append(part_dict(model, part));
    Dict one;
    one["name"] = to_str(column.name);
    one["field"] = field_name(column.field);
    one["total"] = column.total;
    one["parts"] = parts;
    columns.append(one);
  }
  Dict out;
  out["row"] = explanation.row;
  out["scores"] = explanation.scores;
  out["part"] = explanation.part;
  out["offset"] = explanation.offset;
  out["columns"] = columns;
  return out;
}

Dicts explain_rows(const Model& model, Rows& rows, std::vector<std::int64_t> numbers, std::optional<std::size_t> part,
                   nb::object observe) {
  if (part && *part >= scores_per_row(model)) throw option_error("part", "{}: the model has no such score");
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  const RowsLock use(rows);
  const std::vector<Explanation> found = supervised(std::move(observe), [&](const Watch& watch) {
    const std::unique_ptr<Source> own = rows.store().to_explain(model);
    Source& source = own ? *own : rows.source(watch, for_model(model, false));
    std::vector<Explanation> all;
    explain(source, model, numbers, part, [&](const Explanation& one) {
      if (*watch.interrupt) throw interrupted_error();
      all.push_back(one);
    });
    return all;
  });
  Dicts out;
  for (const Explanation& one : found) out.append(explanation_dict(model, one));
  return out;
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("explain", &explain_rows, "model"_a, "rows"_a, "numbers"_a, nb::kw_only(), "part"_a = nb::none(),
        "observe"_a = nb::none(), "The parts that the scores of rows (from 0) are the sums of, by column.");
  m.attr("Model").attr("explain") = nb::cpp_function(
      [](const Model& self, Rows& rows, std::int64_t row) {
        return nb::cast<Dict>(explain_rows(self, rows, {row}, std::nullopt, nb::none())[0]);
      },
      nb::scope(m.attr("Model")), nb::name("explain"), nb::is_method(), "rows"_a, "row"_a,
      "The parts that a row's score is the sum of, by column.");
}

}  // namespace linsep::python
