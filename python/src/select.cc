// Binding of linsep/select.h, the margin learner for several λ.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "convert.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/select.h"
#include "module.h"
#include "outcome.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {
namespace {

/// The result of `select`. The chosen model's outcome is a Python object of its own.
struct SelectOutcome {
  Selection core;  ///< without its outcome
  nb::object outcome;
};

/// See FitOutcome.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<SelectOutcome>(self)->outcome.ptr());
  return 0;
}

int clear(PyObject* self) {
  nb::inst_ptr<SelectOutcome>(self)->outcome.reset();
  return 0;
}

Dict point_dict(const SelectionPoint& point) {
  Dict one;
  one["lambda"] = point.lambda;
  one["objective"] = point.objective;
  one["gap"] = point.gap;
  one["norm"] = point.norm;
  one["features"] = point.support;
  one["mistakes"] = point.mistakes;
  one["passes"] = point.passes;
  one["converged"] = point.converged;
  const HeldOut held_out = point.held_out.value_or(HeldOut{});
  const auto figure = [&](double value) -> nb::object { return point.held_out ? nb::cast(value) : nb::none(); };
  one["error"] = figure(held_out.error);
  one["error_spread"] = figure(held_out.error_spread);
  one["loss"] = figure(held_out.loss);
  one["loss_spread"] = figure(held_out.loss_spread);
  return one;
}

Dicts path(const SelectOutcome& self) {
  Dicts points;
  for (const SelectionPoint& point : self.core.path) points.append(point_dict(point));
  return points;
}

/// A classifier: the features with a weight, their weights and the intercept.
using Weights = nb::typed<nb::tuple, Vector<std::uint32_t>, Vector<double>, double>;

/// Each classifier of every λ.
nb::typed<nb::list, nb::typed<nb::list, Weights>> weights(const SelectOutcome& self) {
  nb::typed<nb::list, nb::typed<nb::list, Weights>> points;
  for (const SelectionPoint& point : self.core.path) {
    nb::list classifiers;
    for (const SparseWeights& one : point.weights) {
      classifiers.append(nb::make_tuple(to_array(one.feature), to_array(one.weight), one.offset));
    }
    points.append(classifiers);
  }
  return points;
}

/// The fold of each row. Empty if the library assigns folds.
std::vector<std::int32_t> folds_of(const nb::object& folds) {
  if (folds.is_none()) return {};
  nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (!nb::try_cast(folds, array) || array.size() == 0)
    throw option_error("folds", "{} is an array of int32, one per row");
  return {array.data(), array.data() + array.size()};
}

std::unique_ptr<SelectOutcome> select_rows(Rows& rows, const Dict& options, const Dict& selection,
                                           const std::string& map, const nb::object& folds, bool copy_rows, int threads,
                                           std::optional<double> time_limit, nb::object observe) {
  const std::vector<std::int32_t> fold = folds_of(folds);
  const TrainSpec spec = train_spec("margin", options, map, copy_rows);
  const Options chosen = complete_options(selection_options(), to_options(selection_options(), selection));
  check_selection(spec, chosen);
  const RowsLock use(rows);
  Advice advice;
  auto done = supervise(std::move(observe), [&](const Watch& watch) {
    Source& source = rows.source(watch, purpose_of(spec));
    TrainOptions limits{watch.limits(threads, time_limit.value_or(0))};
    limits.memory = rows.store().memory();
    Selection found = fold.empty() ? select(source, spec, chosen, limits, rows.comm(), watch.observe)
                                   : select(source, spec, chosen, fold, limits, watch.observe);
    advice = advise(source, found, watch, threads, rows.comm());
    return found;
  });
  if (done.pending.is_none()) warn_of_columns(rows);
  auto result = std::make_unique<SelectOutcome>();
  auto outcome = std::make_unique<FitOutcome>(std::move(done.value.outcome), std::move(done.pending));
  outcome->advice_code = std::move(advice.code);
  outcome->advice_sentence = std::move(advice.sentence);
  result->core = std::move(done.value);
  result->outcome = nb::cast(std::move(outcome));
  return result;
}

}  // namespace

void bind_select(nb::module_& m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};
  nb::class_<SelectOutcome>(m, "Selection", "A path of λ and the one that was kept.", nb::type_slots(slots))
      .def_prop_ro("path", &path)
      .def_prop_ro("weights", &weights)
      .def_prop_ro("chosen", [](const SelectOutcome& self) { return self.core.chosen; })
      .def_prop_ro("asked", [](const SelectOutcome& self) { return self.core.asked; })
      .def_prop_ro("folds", [](const SelectOutcome& self) { return self.core.folds; })
      .def_prop_ro("total_weight", [](const SelectOutcome& self) { return self.core.total_weight; })
      .def_prop_ro("outcome", [](const SelectOutcome& self) { return nb::typed<nb::object, FitOutcome>(self.outcome); })
      .def_prop_ro(
          "pending", [](const SelectOutcome& self) { return nb::object(self.outcome.attr("pending")); },
          nb::sig("def pending(self) -> BaseException | None"));
  m.def("select", &select_rows, nb::arg("rows"), nb::arg("options"), nb::arg("selection"), nb::kw_only(),
        nb::arg("map") = "none", nb::arg("folds") = nb::none(), nb::arg("copy_rows") = false, nb::arg("threads") = 0,
        nb::arg("time_limit") = nb::none(), nb::arg("observe") = nb::none(),
        "Trains the margin learner for each λ and keeps the best.");
}

}  // namespace linsep::python
