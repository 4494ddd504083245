// Binding of linsep/model.h: models, their files, and what they make of rows.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>

#include "convert.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/tools/file.h"
#include "module.h"
#include "rows.h"
#include "scores.h"
#include "supervise.h"

namespace linsep::python {
namespace {

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

void save(const Model& model, const std::string& path, const std::string& format) {
  if (format == "auto") return save_model(model, path);
  if (format != "json" && format != "binary") throw option_error("format", "{} is auto, json or binary");
  StreamedFile file = StreamedFile::to(path);
  file.append(format == "json" ? model_to_json(model) : model_to_binary(model));
  file.commit();
}

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::ndarray<nb::numpy> score_rows(const Model& model, Rows& rows, int threads, bool float32, nb::object observe) {
  const Use use(rows);
  const auto shaped = [&](auto values) -> nb::ndarray<nb::numpy> {
    const std::size_t size = values.size(), parts = scores_per_row(model);
    if (!several(model)) return nb::ndarray<nb::numpy>(to_array(std::move(values)));
    return nb::ndarray<nb::numpy>(to_array(std::move(values), {size / parts, parts}));
  };
  if (float32) {
    return shaped(
        supervised(observe, [&](const Watch& watch) { return scores_of<float>(model, rows, threads, watch); }));
  }
  return shaped(
      supervised(observe, [&](const Watch& watch) { return scores_of<double>(model, rows, threads, watch); }));
}

/// A column for each class, in the order of the model's classes; of label columns the probability of each.
Vector<double> probability_rows(const Model& model, Rows& rows, int threads, nb::object observe) {
  const Use use(rows);
  std::vector<double> all = supervised(observe, [&](const Watch& watch) {
    std::vector<double> z = scores_of<double>(model, rows, threads, watch);
    probabilities(model, z, z);
    return z;
  });
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

using Scores = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// The place of each row's class; of label columns 1 where a label is positive.
Vector<std::int64_t> predict_places(const Model& model, const Scores& scores) {
  const std::size_t parts = scores_per_row(model);
  if (scores.size() % parts != 0) throw usage_error("these are no scores of this model");
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
      .def_ro("weight_error", &Model::weight_error)
      .def_prop_ro("theta", &theta, nb::rv_policy::move)
      .def_prop_ro("offsets", &offsets, nb::rv_policy::move)
      .def_prop_ro("has_probabilities", [](const Model& self) { return has_probabilities(self); })
      .def_prop_ro("calibration", [](const Model& self) { return to_str(calibration_name(self)); })
      .def_prop_ro("has_table", [](const Model& self) { return self.table != TableMap{}; })
      .def_prop_ro(
          "coefficient", [](const Model& self) { return to_array(self.coefficient); }, nb::rv_policy::move)
      .def_prop_ro(
          "votes", [](const Model& self) { return to_array(self.votes); }, nb::rv_policy::move)
      .def_prop_ro("kept_rows", [](const Model& self) { return self.kept.size(); });
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
