// Binding of linsep/model.h: models, their files, and their answers for rows.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/file.h"
#include "module.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {
namespace {

// The scores of all rows, in slices between which interrupts are noticed.

/// How many nanoseconds a row takes, approximately.
std::uint64_t row_nanoseconds(const Model& model, const Batch& rows) {
  std::uint64_t a_row = 16 + 2 * model.kept.column.size() + 16 * model.kept.size();
  const bool mapped = model.map.kind != FeatureMap::Kind::kNone;
  if (mapped) a_row += weights_of(model, 0).size();
  const std::uint64_t entries =
      rows.dense ? rows.features : (rows.start.back() - rows.start.front()) / std::max<std::uint64_t>(rows.rows, 1);
  return a_row + entries * scores_per_row(model);
}

/// The number of rows that takes some milliseconds.
std::int64_t rows_at_a_time(const Model& model, const Batch& rows) {
  constexpr std::uint64_t kWork = std::uint64_t{1} << 23;
  return std::max<std::int64_t>(static_cast<std::int64_t>(kWork / row_nanoseconds(model, rows)), 1);
}

Length length_of(const Model& model, Rows& rows) {
  constexpr std::uint64_t kShort = 100'000;
  const Batch* const arrays = rows.store().arrays();
  if (arrays == nullptr) return Length::kUnknown;
  const bool brief = static_cast<std::uint64_t>(arrays->rows) <= kShort / row_nanoseconds(model, *arrays);
  return brief ? Length::kShort : Length::kUnknown;
}

/// Copies the columns of some rows, because the owner of the arrays may change them, and because no column beyond the
/// features may be read.
class HeldColumns {
 public:
  Batch rows(Batch some) {
    if (some.dense) return some;
    const std::uint64_t first = some.start.front(), count = some.start.back() - first;
    start_.resize(some.start.size());
    std::ranges::transform(some.start, start_.begin(), [&](std::uint64_t at) { return at - first; });
    column_.resize(count);
    const auto hold = [&](auto columns) {
      std::ranges::transform(columns.subspan(first, count), column_.begin(), [&](auto column) {
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(static_cast<std::uint64_t>(column), some.features - 1));
      });
    };
    if (some.column64.empty()) {
      hold(some.column);
    } else {
      hold(some.column64);
    }
    some.start = start_;
    some.column = column_;
    some.column64 = {};
    if (!some.value32.empty()) some.value32 = some.value32.subspan(first, count);
    if (!some.value64.empty()) some.value64 = some.value64.subspan(first, count);
    return some;
  }

 private:
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
};

template <class T>
std::vector<T> scores_of_arrays(const Model& model, const Batch& rows, int threads, const Watch& watch) {
  const std::size_t parts = scores_per_row(model);
  std::vector<T> z(static_cast<std::size_t>(rows.rows) * parts);
  Progress progress;
  progress.pass = 1;
  progress.passes_in_all = 1;
  progress.phase = Phase::kPredicting;
  progress.rows_in_all = rows.rows;
  const std::int64_t step = rows_at_a_time(model, rows);
  HeldColumns held;
  for (std::int64_t first = 0; first < rows.rows; first += step) {
    if (*watch.interrupt) throw interrupted_error();
    const std::int64_t count = std::min(step, rows.rows - first);
    score(model, held.rows(slice_of(rows, first, count)),
          std::span(z).subspan(static_cast<std::size_t>(first) * parts, static_cast<std::size_t>(count) * parts),
          threads);
    progress.rows = first + count;
    if (watch.observe) watch.observe(progress);
  }
  return z;
}

/// Runs on the working thread. There are `scores_per_row(model)` numbers for each row.
template <class T>
std::vector<T> scores_of(const Model& model, Rows& rows, int threads, const Watch& watch) {
  Source& source = rows.source(watch, for_model(model, false));
  if (const Batch* arrays = rows.store().arrays()) return scores_of_arrays<T>(model, *arrays, threads, watch);
  std::vector<T> all;
  const ScoreSink take = [&](const Batch&, std::span<const double> z) { all.insert(all.end(), z.begin(), z.end()); };
  predict(source, model, watch.limits(threads), take, watch.observe);
  return all;
}

std::string_view form_name(Model::Form form) {
  switch (form) {
    case Model::Form::kLinear:
      return "linear";
    case Model::Form::kDual:
      return "dual";
    case Model::Form::kVoted:
      return "voted";
    case Model::Form::kClasses:
      return "classes";
    case Model::Form::kLabels:
      return "labels";
  }
  return "";
}

std::string_view calibration_name(const Model& model) {
  const Calibration& calibration = model.calibrations.empty() ? model.calibration : model.calibrations.front();
  switch (calibration.kind) {
    case Calibration::Kind::kNone:
      return "none";
    case Calibration::Kind::kSigmoid:
      return "sigmoid";
    case Calibration::Kind::kIsotonic:
      return "isotonic";
    case Calibration::Kind::kSoftmax:
      return "softmax";
  }
  return "";
}

bool several(const Model& model) { return model.form == Model::Form::kClasses || model.form == Model::Form::kLabels; }

/// Indexes in θ of zeros without a proof, or None if no zero is proven.
std::optional<Vector<std::uint64_t>> open_zeros(const Model& model) {
  if (!model.open_zeros) return std::nullopt;
  return to_array(*model.open_zeros);
}

/// What the file records about its run. A field that the file lacks is left out.
nb::dict training(const Model& model) {
  const TrainingRecord& record = model.training;
  nb::dict fields;
  if (record.stopped) fields["stopped"] = to_str(stop_reason_name(*record.stopped));
  if (record.objective) fields["objective"] = *record.objective;
  if (record.bound) fields["bound"] = *record.bound;
  if (record.gap) fields["gap"] = *record.gap;
  if (!record.root.empty()) fields["root"] = to_str(record.root);
  return fields;
}

Vector<double> theta(const Model& model) {
  const std::size_t parts = scores_per_row(model);
  if (!several(model)) return to_array(model.theta);
  return to_array(model.theta, {parts, parts == 0 ? 0 : model.theta.size() / parts});
}

Vector<double> offsets(const Model& model) {
  return to_array(several(model) ? model.offsets : std::vector<double>{model.offset});
}

Words feature_names_out(const Model& model) {
  const std::uint32_t size = mapped_features(model.map, model.features);
  Words names;
  for (std::uint32_t j = 0; j < size; ++j) names.append(to_str(feature_name(model, j)));
  return names;
}

/// The raw columns that the model's table reads, without repetitions.
Words table_columns(const Model& model) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& column) {
    if (!column.empty() && std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  };
  for (const Encoder& encoder : model.table.encoders) {
    add(encoder.column);
    if (const auto* cross = encoder.get<CrossEncoder>()) add(cross->second);
  }
  return to_list(columns);
}

void save(const Model& model, const std::string& path, const std::string& format) {
  if (format == "auto") return save_model(model, path);
  if (format != "json" && format != "binary") throw option_error("format", "{} is auto, json or binary");
  StreamedFile file = StreamedFile::to(path);
  file.append(format == "json" ? model_to_json(model) : model_to_binary(model));
  file.commit();
}

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::ndarray<nb::numpy> score_rows(const Model& model, Rows& rows, int threads, bool float32, nb::object observe) {
  const RowsLock use(rows);
  const auto shaped = [&](auto values) -> nb::ndarray<nb::numpy> {
    const std::size_t size = values.size(), parts = scores_per_row(model);
    if (!several(model)) return nb::ndarray<nb::numpy>(to_array(std::move(values)));
    return nb::ndarray<nb::numpy>(to_array(std::move(values), {size / parts, parts}));
  };
  const auto scored = [&](auto zero) {
    auto z = supervised(
        observe, [&](const Watch& watch) { return scores_of<decltype(zero)>(model, rows, threads, watch); },
        length_of(model, rows));
    warn_of_columns(rows);
    return shaped(std::move(z));
  };
  return float32 ? scored(0.0F) : scored(0.0);
}

/// A column for each class, in the order of the model's classes. For label columns, the probability of each label.
Vector<double> probability_columns(const Model& model, std::vector<double> all) {
  const std::size_t parts = scores_per_row(model);
  if (several(model)) {
    const std::size_t count = all.size() / parts;
    return to_array(std::move(all), {count, parts});
  }
  std::vector<double> both(2 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    both[2 * i] = 1 - all[i];
    both[2 * i + 1] = all[i];
  }
  return to_array(std::move(both), {all.size(), 2});
}

Vector<double> probability_rows(const Model& model, Rows& rows, int threads, nb::object observe) {
  const RowsLock use(rows);
  const auto shares_of = [&](const Watch& watch) {
    std::vector<double> z = scores_of<double>(model, rows, threads, watch);
    probabilities(model, z, z);
    return z;
  };
  std::vector<double> shares = supervised(observe, shares_of, length_of(model, rows));
  warn_of_columns(rows);
  return probability_columns(model, std::move(shares));
}

using Scores = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// The index of each row's class. For label columns, 1 if the label is positive.
Vector<std::int64_t> predict_places(const Model& model, const Scores& scores) {
  const std::size_t parts = scores_per_row(model);
  if (scores.size() % parts != 0) throw usage_error("these aren't scores of this model");
  const std::span<const double> z(scores.data(), scores.size());
  if (model.form == Model::Form::kClasses) {
    std::vector<std::int64_t> places(z.size() / parts);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<std::int64_t>(predicted_class(z.subspan(i * parts, parts)));
    }
    return to_array(std::move(places));
  }
  std::vector<std::int64_t> places(z.size());
  std::ranges::transform(z, places.begin(), [&](double one) { return one >= model.threshold ? 1 : 0; });
  if (!several(model)) return to_array(std::move(places));
  const std::size_t count = places.size() / parts;
  return to_array(std::move(places), {count, parts});
}

Vector<double> probabilities_of_scores(const Model& model, const Scores& scores) {
  if (scores.size() % scores_per_row(model) != 0) throw usage_error("these aren't scores of this model");
  std::vector<double> z(scores.data(), scores.data() + scores.size());
  probabilities(model, z, z);
  return probability_columns(model, std::move(z));
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model> model(m, "Model", "What training leaves behind; can't be changed.");
  model.def_ro("learner", &Model::learner)
      .def_prop_ro("options", [](const Model& self) { return from_options(self.options); })
      .def_prop_ro("form", [](const Model& self) { return to_str(form_name(self.form)); })
      .def_ro("origin", &Model::origin)
      .def_ro("regression", &Model::regression)
      .def_prop_ro("classes", [](const Model& self) { return to_list(self.schema.classes); })
      .def_prop_ro("labels", [](const Model& self) { return to_list(self.schema.labels); })
      .def_prop_ro("feature_names", [](const Model& self) { return to_list(self.schema.feature_names); })
      .def_ro("features", &Model::features)
      .def_prop_ro("map", [](const Model& self) { return map_text(self.map); })
      .def_ro("threshold", &Model::threshold)
      .def_prop_ro("theta", &theta, nb::rv_policy::move)
      .def_prop_ro("training", &training)
      .def_prop_ro("open_zeros", &open_zeros, nb::rv_policy::move)
      .def_prop_ro("offsets", &offsets, nb::rv_policy::move)
      .def_prop_ro("has_probabilities", [](const Model& self) { return has_probabilities(self); })
      .def_prop_ro("calibration", [](const Model& self) { return to_str(calibration_name(self)); })
      .def_prop_ro("table_columns", &table_columns)
      .def_prop_ro("table_header", [](const Model& self) { return self.table != TableMap{} && self.table.header; })
      .def_prop_ro("has_table", [](const Model& self) { return self.table != TableMap{}; })
      .def_prop_ro("coefficient", [](const Model& self) { return to_array(self.coefficient); }, nb::rv_policy::move);
  model
      .def(
          "feature_name", [](const Model& self, std::uint32_t column) { return feature_name(self, column); },
          nb::arg("column"))
      .def("feature_names_out", &feature_names_out)
      .def("to_json", [](const Model& self) { return model_to_json(self); })
      .def("to_bytes", [](const Model& self) { return to_bytes(model_to_binary(self)); })
      .def("save", &save, nb::arg("path"), nb::arg("format") = "auto", nb::call_guard<nb::gil_scoped_release>())
      .def(
          "__eq__", [](const Model& self, const Model& other) { return self == other; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("score", &score_rows, nb::arg("rows"), nb::kw_only(), nb::arg("threads") = 0, nb::arg("float32") = false,
           nb::arg("observe") = nb::none(),
           nb::sig("def score(self, rows: Rows, *, threads: int = 0, float32: bool = False, "
                   "observe: object | None = None) -> NDArray[Any]"),
           "The scores of each row: (n,), or (n, k) where there are several.")
      .def("probabilities", &probability_rows, nb::arg("rows"), nb::kw_only(), nb::arg("threads") = 0,
           nb::arg("observe") = nb::none(), "The probability of each class, (n, k).")
      .def("probabilities_of_scores", &probabilities_of_scores, nb::arg("scores"),
           nb::sig("def probabilities_of_scores(self, scores: NDArray[numpy.float64]) -> NDArray[numpy.float64]"),
           nb::rv_policy::move)
      .def("predict_places", &predict_places, nb::arg("scores"),
           nb::sig("def predict_places(self, scores: NDArray[numpy.float64]) -> NDArray[numpy.int64]"),
           "The place of each row's class in `classes`.");

  m.def("model_from_json", [](const std::string& text) { return model_from_bytes(text, "model"); }, nb::arg("text"));
  m.def(
      "model_from_bytes",
      [](const nb::bytes& data) { return model_from_bytes(std::string_view(data.c_str(), data.size()), "model"); },
      nb::arg("data"));
  m.def("load_model", &load_model, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace linsep::python
