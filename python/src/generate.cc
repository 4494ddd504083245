// Binding of linsep/tools/generate.h, which makes data sets as a file or as arrays.
#include "linsep/tools/generate.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert.h"
#include "core/elementary.h"
#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "module.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

Recipe recipe_of(const std::string& name, const Dict& options) {
  const GeneratorInfo& info = generator_info(name);
  return make_recipe(info.name, to_options(info.table, options));
}

TextKind text_kind(const Recipe& recipe, const std::string& format, const std::string& path) {
  if (format == "csv" || (format == "auto" && (path.ends_with(".csv") || recipe.append))) return TextKind::kCsv;
  if (format == "auto" || format == "svmlight") return TextKind::kSvmlight;
  throw option_error("format", "{} takes svmlight, csv or auto, not '" + format + "'");
}

/// Reports how many rows are done. Throws if the run is to end.
class Account {
 public:
  Account(const Watch& watch, std::int64_t rows) : watch_(watch) {
    progress_.phase = Phase::kGenerating;
    progress_.pass = progress_.passes_in_all = 1;
    progress_.rows_in_all = rows;
  }

  void add(std::int64_t rows) {
    if (watch_.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
    progress_.rows = std::min(progress_.rows + rows, progress_.rows_in_all);
    if (watch_.observe) watch_.observe(progress_);
  }

 private:
  const Watch& watch_;
  Progress progress_;
};

void generate(const std::string& name, const Dict& options, const std::string& path, const std::string& format,
              int threads, nb::object observe) {
  const Recipe recipe = recipe_of(name, options);
  const TextKind kind = text_kind(recipe, format, path);
  supervised(std::move(observe), [&](const Watch& watch) {
    Account account(watch, recipe.rows);
    StreamedFile file = StreamedFile::to(path);
    write_recipe(recipe, kind, threads, [&](std::string_view piece) {
      file.append(piece);
      account.add(std::count(piece.begin(), piece.end(), '\n'));
    });
    file.commit();
    return true;
  });
}

/// Rows in memory. They are dense if rows have an entry in every column, else CSR.
struct GeneratedRows {
  std::vector<double> value;
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<std::int64_t> label;
};

GeneratedRows make_rows(const Recipe& recipe, const Watch& watch) {
  constexpr std::int64_t kBlock = 4096;
  const bool dense = recipe.entries >= recipe.features;
  // Units and the power are whole numbers below 2^53, so their quotient is the double nearest to the decimal.
  const double power = elementary::pow(10.0, recipe.places);
  Account account(watch, recipe.rows);
  GeneratedRows rows;
  DecimalRow row;
  for (std::int64_t i = 0; i < recipe.rows; ++i) {
    row.column.clear();
    row.units.clear();
    recipe.make(i, row);
    rows.label.push_back(row.label);
    if (dense) {
      const std::size_t begin = rows.value.size();
      rows.value.resize(begin + recipe.features);
      for (std::size_t k = 0; k < row.units.size(); ++k) {
        rows.value[begin + row.column[k]] = static_cast<double>(row.units[k]) / power;
      }
    } else {
      for (std::size_t k = 0; k < row.units.size(); ++k) {
        rows.column.push_back(static_cast<std::int32_t>(row.column[k]));
        rows.value.push_back(static_cast<double>(row.units[k]) / power);
      }
      rows.start.push_back(static_cast<std::int64_t>(rows.value.size()));
    }
    if ((i + 1) % kBlock == 0) account.add(kBlock);
  }
  return rows;
}

Dict generate_arrays(const std::string& name, const Dict& options, nb::object observe) {
  const Recipe recipe = recipe_of(name, options);
  Dict out;
  out["rows"] = recipe.rows;
  out["features"] = recipe.features;
  if (!recipe.make) return out;
  GeneratedRows rows = supervised(std::move(observe), [&](const Watch& watch) { return make_rows(recipe, watch); });
  const bool dense = rows.start.size() == 1;
  const std::size_t features = recipe.features;
  if (dense) {
    out["value"] = to_array(std::move(rows.value), {rows.label.size(), features});
  } else {
    out["value"] = to_array(std::move(rows.value));
    out["start"] = to_array(std::move(rows.start));
    out["column"] = to_array(std::move(rows.column));
  }
  out["label"] = to_array(std::move(rows.label));
  out["theta"] = to_array(std::vector<double>(recipe.theta));
  out["offset"] = recipe.offset;
  return out;
}

}  // namespace

void bind_generate(nb::module_& m) {
  m.def("generate", &generate, "name"_a, "options"_a, "path"_a, nb::kw_only(), "format"_a = "auto", "threads"_a = 0,
        "observe"_a.none() = nb::none(), "Writes a data set to a file, which appears whole or not at all.");
  m.def("generate_arrays", &generate_arrays, "name"_a, "options"_a, nb::kw_only(), "observe"_a.none() = nb::none(),
        "A data set as arrays; those of a table aren't there.");
}

}  // namespace linsep::python
