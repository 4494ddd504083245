// Binding of linsep/read.h and linsep/table: rows of files and Arrow streams, and page files.
#include "linsep/read.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_origin.h"
#include "convert.h"
#include "linsep/error.h"
#include "linsep/table/options.h"
#include "module.h"
#include "rows.h"
#include "scanned_rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

template <class T>
T value_of(const std::string& name, nb::handle value) {
  T out{};
  if (!nb::try_cast(value, out)) throw option_error(name, "{} has a value of another kind than it takes");
  return out;
}

ReadOptions::Format format_of(const std::string& text) {
  using Format = ReadOptions::Format;
  static constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats = {
      {{"auto", Format::kAuto}, {"svmlight", Format::kSvmlight}, {"csv", Format::kCsv}, {"tsv", Format::kTsv}}};
  for (const auto& [name, format] : kFormats) {
    if (text == name) return format;
  }
  throw option_error("format", "{} takes svmlight, csv, tsv or auto, not '" + text + "'");
}

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab") return '\t';
  if (text.size() == 1) return text.front();
  throw option_error("delimiter", "{} takes one character or the word tab, not '" + text + "'");
}

/// One field of ReadOptions by its name. Whether there is one.
bool set_text(ReadOptions& options, const std::string& name, nb::handle value) {
  static constexpr std::array<std::pair<std::string_view, std::string ReadOptions::*>, 4> kTexts = {
      {{"label", &ReadOptions::label},
       {"weight", &ReadOptions::weight},
       {"id", &ReadOptions::id},
       {"positive", &ReadOptions::positive}}};
  static constexpr std::array<std::pair<std::string_view, std::vector<std::string> ReadOptions::*>, 4> kLists = {
      {{"labels", &ReadOptions::labels},
       {"ignore", &ReadOptions::ignore},
       {"classes", &ReadOptions::classes},
       {"feature_names", &ReadOptions::feature_names}}};
  static constexpr std::array<std::pair<std::string_view, bool ReadOptions::*>, 8> kFlags = {
      {{"double_values", &ReadOptions::double_values},
       {"exact_values", &ReadOptions::exact_values},
       {"regression", &ReadOptions::regression},
       {"labelled", &ReadOptions::labelled},
       {"many_classes", &ReadOptions::many_classes},
       {"label_sets", &ReadOptions::label_sets},
       {"drop_missing_labels", &ReadOptions::drop_missing_labels},
       {"cache", &ReadOptions::cache}}};
  for (const auto& [field, member] : kTexts) {
    if (name == field) return options.*member = value_of<std::string>(name, value), true;
  }
  for (const auto& [field, member] : kLists) {
    if (name == field) return options.*member = value_of<std::vector<std::string>>(name, value), true;
  }
  for (const auto& [field, member] : kFlags) {
    if (name == field) return options.*member = value_of<bool>(name, value), true;
  }
  return false;
}

ReadOptions read_options(const Dict& given) {
  ReadOptions options;
  options.many_classes = true;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none() || set_text(options, name, value)) continue;
    if (name == "format") {
      options.format = format_of(value_of<std::string>(name, value));
    } else if (name == "delimiter") {
      options.delimiter = delimiter_of(value_of<std::string>(name, value));
    } else if (name == "header") {
      options.header = value_of<bool>(name, value);
    } else if (name == "memory") {
      options.memory = value_of<std::uint64_t>(name, value);
    } else if (name == "threads") {
      options.threads = value_of<int>(name, value);
    } else if (name == "features") {
      options.features = value_of<std::uint32_t>(name, value);
    } else {
      throw option_error(name, "there is no option {} of reading");
    }
  }
  if (options.classes.size() == 1) throw option_error("classes", "{} takes two classes, negative first, or more");
  if (!options.labels.empty() && options.label_sets) {
    throw options_error({"labels", "label_sets"}, "{} and {} exclude each other");
  }
  if (!options.labels.empty() && !options.label.empty()) {
    throw options_error({"label", "labels"}, "{} and {} exclude each other");
  }
  return options;
}

/// Options of tables; those that are lists of columns may be lists, and "date" a dict or a list of columns.
std::optional<ColumnChoice> column_choice(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  ColumnChoice choice;
  for (const auto& [key, value] : nb::cast<nb::dict>(given)) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none()) continue;
    if (nb::isinstance<nb::dict>(value)) {
      for (const auto& [column, format] : nb::cast<nb::dict>(value)) {
        choice.dates.push_back({nb::cast<std::string>(column), nb::cast<std::string>(format)});
      }
    } else if (nb::isinstance<nb::list>(value)) {
      auto words = value_of<std::vector<std::string>>(name, value);
      if (name == "date") {
        for (std::string& column : words) choice.dates.push_back({std::move(column), "iso"});
      } else {
        choice.lists[name] = std::move(words);
      }
    } else {
      choice.options.emplace(name, to_option(find_option(table_options(), name), name, value));
    }
  }
  for (const auto& [name, words] : choice.lists) {
    const OptionSpec* spec = find_option(table_options(), name);
    if (spec == nullptr || spec->kind != OptionSpec::Kind::kText) throw option_error(name, "{} takes no list");
  }
  return choice;
}

std::unique_ptr<Rows> scan(std::vector<std::string> paths, const Dict& read, const nb::object& table) {
  return std::make_unique<Rows>(
      std::make_unique<ScannedRows>(files(std::move(paths)), read_options(read), column_choice(table)));
}

std::unique_ptr<Rows> scan_arrow(nb::object producer, const Dict& read, const nb::object& table, std::string name) {
  return std::make_unique<Rows>(std::make_unique<ScannedRows>(arrow_stream(std::move(producer), std::move(name)),
                                                              read_options(read), column_choice(table)));
}

/// Reads rows now, where they weren't: as `linsep train` would for a learner, or "certify" would.
void load_rows(Rows& rows, const std::string& learner, bool exact, nb::object observe) {
  const Use use(rows);
  supervised(std::move(observe), [&](const Watch& watch) {
    if (learner.empty() && !exact) {
      rows.source(watch);
    } else {
      rows.source(watch, learner.empty() ? for_proof() : for_learner(learner_info(learner), exact));
    }
    return true;
  });
}

/// Rows that a model is to score are read by its classes, columns and table when they are scored: they stay what they
/// are. Paths are scanned.
nb::object rows_for_model(nb::object rows_or_paths, const Model& /*model*/, bool /*labelled*/) {
  if (nb::isinstance<Rows>(rows_or_paths)) return rows_or_paths;
  return nb::cast(scan(value_of<std::vector<std::string>>("paths", rows_or_paths), Dict(), nb::dict()));
}

std::string table_account(Rows& rows, nb::object observe) {
  if (rows.store().loaded() == nullptr) load_rows(rows, "", false, std::move(observe));
  return rows.store().account();
}

Dict convert(const std::vector<std::string>& paths, const std::string& output, const Dict& read,
             const nb::object& table, nb::object observe) {
  const ReadOptions given = read_options(read);
  const std::optional<ColumnChoice> columns = column_choice(table);
  const Conversion made = supervised(std::move(observe), [&](const Watch& watch) {
    ReadOptions options = given;
    options.interrupt = watch.interrupt;
    if (columns) {
      TableSpec spec = columns->spec(false);
      if (spec.scale == Scale::kAuto) spec.scale = Scale::kNone;
      FittedTable fitted = files(paths)->fit(options, spec, watch.observe);
      options.table = std::make_shared<const TableMap>(std::move(fitted.map));
    }
    return linsep::convert(paths, output, options, watch.observe);
  });
  Dict out;
  out["rows"] = made.shape.rows;
  out["features"] = made.shape.features;
  out["nonzeros"] = made.shape.nonzeros;
  out["pages"] = made.pages;
  out["bytes"] = made.bytes;
  return out;
}

}  // namespace

void bind_read(nb::module_& m) {
  m.def("scan", &scan, "paths"_a, "read"_a, "table"_a = nb::none(),
        "Rows of files; nothing is read yet. `table`: options of tables, or None for columns that are numbers.");
  m.def("scan_arrow", &scan_arrow, "producer"_a, "read"_a, "table"_a = nb::none(), "name"_a = "the Arrow stream",
        "Rows of an object with __arrow_c_stream__, or of a callable that returns one.");
  m.def("load_rows", &load_rows, "rows"_a, nb::kw_only(), "learner"_a = "", "exact"_a = false, "observe"_a = nb::none(),
        "Reads rows now.");
  m.def("rows_for_model", &rows_for_model, "rows_or_paths"_a, "model"_a, "labelled"_a, "Rows that a model can score.");
  m.def("table_account", &table_account, "rows"_a, nb::kw_only(), "observe"_a = nb::none(),
        "What was made of a table's columns, in words; reads the rows where they weren't.");
  m.def("convert", &convert, "paths"_a, "output"_a, "read"_a, nb::kw_only(), "table"_a = nb::none(),
        "observe"_a = nb::none(), "Writes the rows of texts as a page file.");
}

}  // namespace linsep::python
