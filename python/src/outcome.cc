#include "outcome.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "convert.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/tools/advice.h"
#include "linsep/tools/shown_text.h"
#include "module.h"

namespace linsep::python {
namespace {

template <class T>
nb::object or_none(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

Dicts history(const FitOutcome& self) {
  Dicts records;
  for (const Progress& progress : self.core.history) records.append(progress_dict(progress));
  return records;
}

Dicts trace(const FitOutcome& self) {
  Dicts steps;
  for (const TraceStep& step : self.core.stats.trace) {
    nb::dict one;
    one["pass"] = step.pass;
    one["row"] = step.row;
    one["theta"] = to_array(step.theta);
    one["offset"] = step.offset;
    one["coefficient"] = to_array(step.coefficient);
    steps.append(one);
  }
  return steps;
}

Dicts parts(const FitOutcome& self) {
  Dicts all;
  for (const PartOutcome& part : self.core.parts) {
    nb::dict one;
    one["converged"] = part.converged;
    one["passes"] = part.passes;
    one["mistakes"] = part.mistakes;
    one["objective"] = or_none(part.objective);
    one["gap"] = or_none(part.gap);
    all.append(one);
  }
  return all;
}

std::optional<Dict> margin(const FitOutcome& self) {
  if (!self.core.margin) return std::nullopt;
  Dict one;
  one["solver"] = to_str(self.core.margin->solver);
  one["because"] = to_str(self.core.margin->because);
  one["lambda"] = self.core.margin->lambda;
  one["C"] = self.core.margin->c;
  return one;
}

std::optional<Dict> hard_margin(const FitOutcome& self) {
  if (!self.core.hard_margin) return std::nullopt;
  Dict one;
  one["margin"] = self.core.hard_margin->margin;
  one["margin_upper_bound"] = self.core.hard_margin->margin_upper_bound;
  one["margin_squared"] = to_str(self.core.hard_margin->margin_squared);
  return one;
}

/// An exception holds frames, which hold this object, so the garbage collector must be able to see the cycle.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto* outcome = nb::inst_ptr<FitOutcome>(self);
  Py_VISIT(outcome->model.ptr());
  Py_VISIT(outcome->pending.ptr());
  return 0;
}

int clear(PyObject* self) {
  auto* outcome = nb::inst_ptr<FitOutcome>(self);
  outcome->model.reset();
  outcome->pending.reset();
  return 0;
}

/// Whether another pass over the rows is worth its time: never after a Ctrl-C, and only a short one after a time limit.
bool may_look_again(const Source& source, const Outcome& outcome, Comm& comm) {
  constexpr std::int64_t kFew = 10'000'000;
  if (outcome.reason == StopReason::kInterrupted) return false;
  const std::int64_t nonzeros = source.shape().nonzeros;
  return outcome.reason != StopReason::kTime || !all_reduce_any(comm, nonzeros < 0 || nonzeros >= kFew);
}

void look_again(Source& source, const Outcome& outcome, const Watch& watch, int threads, Comm& comm, StopFacts& facts) {
  facts.outsized = outsized(column_sizes(source, comm));
  Model raw = outcome.model;
  raw.map = {};
  for (const ColumnSize& column : facts.outsized) facts.names.push_back(shown_text(feature_name(raw, column.column)));
  try {
    facts.no_mistakes =
        outcome.parts.empty() && evaluate(source, outcome.model, false, comm, {}, watch.limits(threads)).mistakes == 0;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::kInterrupted) throw;
  }
}

}  // namespace

FitOutcome::FitOutcome(Outcome outcome, nb::object raise_later)
    : core(std::move(outcome)), model(nb::cast(std::move(core.model))), pending(std::move(raise_later)) {}

namespace {

/// `facts` add what the outcome lacks.
Advice advise(Source& source, const Outcome& outcome, const Watch& watch, int threads, Comm& comm, StopFacts facts) {
  const std::optional<double> gap = gap_reached(outcome);
  const auto asked = outcome.model.options.find("gap");
  if (!gap || asked == outcome.model.options.end() || outcome.reason == StopReason::kInseparable) return {};
  facts.reason = outcome.reason;
  facts.gap = *gap;
  facts.gap_asked = get_number(outcome.model.options, "gap");
  facts.hard = get_flag(outcome.model.options, "hard");
  if (facts.gap > facts.gap_asked && may_look_again(source, outcome, comm)) {
    look_again(source, outcome, watch, threads, comm, facts);
  }
  const StopAdvice advice = stop_advice(facts);
  return {std::string(advice.code), advice.sentence()};
}

}  // namespace

Advice advise(Source& source, const Outcome& outcome, const Watch& watch, int threads, Comm& comm) {
  StopFacts facts;
  facts.passes = outcome.passes;
  return advise(source, outcome, watch, threads, comm, facts);
}

Advice advise(Source& source, const Selection& selection, const Watch& watch, int threads, Comm& comm) {
  const Outcome& outcome = selection.outcome;
  StopFacts facts;
  facts.passes = outcome.reason == StopReason::kPasses ? selection.path[selection.chosen].passes : outcome.passes;
  facts.lambdas = selection.asked + selection.added;
  facts.finished = finished_points(selection);
  return advise(source, outcome, watch, threads, comm, facts);
}

void bind_outcome(nb::module_& m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};
  nb::class_<FitOutcome>(m, "Outcome", "How a run went, and what it leaves.", nb::type_slots(slots))
      .def_ro("model", &FitOutcome::model)
      .def_prop_ro("reason", [](const FitOutcome& self) { return to_str(stop_reason_name(self.core.reason)); })
      .def_prop_ro("passes", [](const FitOutcome& self) { return self.core.passes; })
      .def_prop_ro("history", &history)
      .def_prop_ro("mistakes", [](const FitOutcome& self) { return self.core.stats.mistakes; })
      .def_prop_ro(
          "mistakes_by_row", [](const FitOutcome& self) { return to_array(self.core.stats.mistakes_by_row); },
          nb::rv_policy::move)
      .def_prop_ro("trace", &trace)
      .def_prop_ro("parts", &parts)
      .def_prop_ro("margin", &margin)
      .def_prop_ro("hard_margin", &hard_margin)
      .def_prop_ro("hull_weights", [](const FitOutcome& self) { return self.core.stats.hull_weights; })
      .def_prop_ro("certificate", [](const FitOutcome& self) { return self.core.certificate; })
      .def_ro("advice_code", &FitOutcome::advice_code)
      .def_ro("advice_sentence", &FitOutcome::advice_sentence)
      .def_ro("notes", &FitOutcome::notes)
      .def_ro("pending", &FitOutcome::pending, nb::for_getter(nb::sig("def pending(self) -> BaseException | None")));
}

}  // namespace linsep::python
