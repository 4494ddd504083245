// Binding of linsep/read.h and linsep/table, for rows of files and Arrow streams, and for page files.
#include "linsep/read.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"
#include "linsep/table/options.h"
#include "linsep/tools/explain.h"
#include "module.h"
#include "rows.h"
#include "scanned_rows.h"
#include "supervise.h"

namespace linsep::python {

using namespace nb::literals;

namespace {

/// A stream that another thread can end between two batches.
struct Ended {
  ArrowArrayStream inner{};
  const std::atomic<bool>* interrupt = nullptr;
};

Ended& ended(ArrowArrayStream* stream) { return *static_cast<Ended*>(stream->private_data); }

ArrowArrayStream with_interrupt(const ArrowArrayStream& inner, const std::atomic<bool>* interrupt) {
  ArrowArrayStream stream{};
  stream.private_data = new Ended{inner, interrupt};
  stream.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
    return ended(s).inner.get_schema(&ended(s).inner, out);
  };
  stream.get_next = [](ArrowArrayStream* s, ArrowArray* out) {
    const std::atomic<bool>* stop = ended(s).interrupt;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return EINTR;
    return ended(s).inner.get_next(&ended(s).inner, out);
  };
  stream.get_last_error = [](ArrowArrayStream* s) {
    ArrowArrayStream& held = ended(s).inner;
    return held.get_last_error == nullptr ? nullptr : held.get_last_error(&held);
  };
  stream.release = [](ArrowArrayStream* s) {
    const std::unique_ptr<Ended> owned(&ended(s));
    if (owned->inner.release != nullptr) owned->inner.release(&owned->inner);
    s->release = nullptr;
  };
  return stream;
}

/// Goes by the letters of Arrow's C data interface. For a dictionary the type of its values counts.
std::string type_of_format(const ArrowSchema& column) {
  if (column.dictionary != nullptr) return type_of_format(*column.dictionary);
  const std::string_view format = column.format;
  if (format == "b") return "bool";
  if (format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos) return "integer";
  if (format == "e" || format == "f" || format == "g" || format.starts_with("d:")) return "number";
  return "text";
}

std::map<std::string, std::string> types_of(ArrowArrayStream& stream) {
  std::map<std::string, std::string> types;
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) return types;  // the reader of the rows reports what is wrong
  for (std::int64_t k = 0; k < schema.n_children; ++k) {
    types.emplace(schema.children[k]->name, type_of_format(*schema.children[k]));
  }
  if (schema.release != nullptr) schema.release(&schema);
  return types;
}

class ArrowStream : public RowOrigin {
 public:
  ArrowStream(nb::object producer, std::string name) : producer_(std::move(producer)), name_(std::move(name)) {
    again_ = !nb::hasattr(producer_, "__arrow_c_stream__");
    if (again_ && PyCallable_Check(producer_.ptr()) == 0) {
      throw usage_error("expected an object with __arrow_c_stream__, or a callable that returns one");
    }
  }

  const std::string& name() const override { return name_; }
  FittedTable fit(const ReadOptions& options, const TableSpec& spec, const Observer& observe) override {
    return fit_table(table(options), options, spec, observe);
  }
  std::unique_ptr<Source> load(const ReadOptions& options, const Observer& observe) override {
    return linsep::load(table(options), options, observe);
  }
  std::unique_ptr<Source> to_explain(const Model& model, const ReadOptions& read) override {
    ReadOptions options = explain_options_for(model, {}, read);
    options.labelled = false;
    return linsep::load(table(options), options);
  }
  std::string type_of(const std::string& column) const override {
    const auto found = types_.find(column);
    return found == types_.end() ? "" : found->second;
  }
  /// A stream may be readable only once, so its batches are kept. If it can be opened again, they are released.
  void close() override {
    if (again_) table_.reset();
  }

 private:
  const ArrowTable& table(const ReadOptions& options) {
    if (!table_) {
      ArrowArrayStream stream = with_interrupt(open(), options.interrupt);
      types_ = types_of(stream);
      table_.emplace(&stream, name_);
    }
    return *table_;
  }

  ArrowArrayStream open() const {
    const nb::gil_scoped_acquire python;
    const nb::object producer = again_ ? producer_() : producer_;
    if (!nb::hasattr(producer, "__arrow_c_stream__")) {
      throw usage_error("the callable returned an object without __arrow_c_stream__");
    }
    return stream_of(producer);
  }

  nb::object producer_;
  std::string name_;
  bool again_ = false;
  std::optional<ArrowTable> table_;
  std::map<std::string, std::string> types_;  ///< the columns' types by their names
};

/// Rows of an Arrow stream. `producer` is an object with __arrow_c_stream__, or a callable that returns one and is
/// called whenever rows are read again. Errors refer to the stream as `name`.
std::unique_ptr<RowOrigin> arrow_stream(nb::object producer, std::string name) {
  return std::make_unique<ArrowStream>(std::move(producer), std::move(name));
}

template <class T>
T value_of(const std::string& name, nb::handle value) {
  T out{};
  if (!nb::try_cast(value, out)) throw option_error(name, "{} has a value of the wrong type");
  return out;
}

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab") return '\t';
  if (text.size() == 1) return text.front();
  throw option_error("delimiter", "{} takes one character or the word tab, not '" + text + "'");
}

/// Sets one field of ReadOptions by its name. Returns whether there is such a field.
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

}  // namespace

/// Lists of columns may be given as lists, and "date" as a dict or a list of columns.
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

ArrowArrayStream stream_of(const nb::object& producer) {
  const nb::object capsule = producer.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) nb::raise_python_error();
  if (stream->release == nullptr) throw usage_error("the Arrow stream has already been read");
  ArrowArrayStream taken = *stream;
  stream->release = nullptr;
  return taken;
}

ReadOptions read_options(const Dict& given) {
  ReadOptions options;
  options.many_classes = true;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none() || set_text(options, name, value)) continue;
    if (name == "format") {
      options.format = format_named(value_of<std::string>(name, value));
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
      throw option_error(name, "there is no reading option {}");
    }
  }
  if (options.classes.size() == 1) throw option_error("classes", "{} takes two classes, negative first, or more");
  if (!options.labels.empty() && options.label_sets) {
    throw options_error({"labels", "label_sets"}, "use {} or {}, not both");
  }
  if (!options.labels.empty() && !options.label.empty()) {
    throw options_error({"label", "labels"}, "use {} or {}, not both");
  }
  return options;
}

namespace {

std::unique_ptr<Rows> scan(std::vector<std::string> paths, const Dict& read, const nb::object& table) {
  return std::make_unique<Rows>(
      std::make_unique<ScannedRows>(files(std::move(paths)), read_options(read), column_choice(table)));
}

std::unique_ptr<Rows> scan_arrow(nb::object producer, const Dict& read, const nb::object& table, std::string name) {
  return std::make_unique<Rows>(std::make_unique<ScannedRows>(arrow_stream(std::move(producer), std::move(name)),
                                                              read_options(read), column_choice(table)));
}

/// Reads rows now, if that hasn't happened: like `linsep train` for a learner, or like "certify".
void load_rows(Rows& rows, const std::string& learner, bool exact, nb::object observe) {
  const RowsLock use(rows);
  supervised(std::move(observe), [&](const Watch& watch) {
    if (learner.empty() && !exact) {
      rows.source(watch);
    } else {
      rows.source(watch, learner.empty() ? for_proof() : for_learner(learner_info(learner), exact));
    }
    return true;
  });
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
  m.def("convert", &convert, "paths"_a, "output"_a, "read"_a, nb::kw_only(), "table"_a = nb::none(),
        "observe"_a = nb::none(), "Writes the rows of texts as a page file.");
}

}  // namespace linsep::python
