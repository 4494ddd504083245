// Binding of linsep/train.h: fit.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "convert.h"
#include "linsep/learner_info.h"
#include "linsep/map.h"
#include "linsep/tools/only_class.h"
#include "module.h"
#include "outcome.h"
#include "rows.h"
#include "supervise.h"

namespace linsep::python {
namespace {

/// Calls `then`, and sets the interrupt once the pass has ended.
Observer stop_after(std::int64_t pass, std::atomic<bool>& stop, const Observer& then) {
  return [pass, &stop, then](const Progress& progress) {
    if (then) then(progress);
    if (progress.pass_ended && progress.phase == Phase::kTraining && progress.pass >= pass) stop = true;
  };
}

std::unique_ptr<FitOutcome> fit_rows(Rows& rows, const std::string& learner, const Dict& options,
                                     const std::string& map, const Model* start, bool prove, bool copy_rows,
                                     int threads, std::optional<double> time_limit, nb::object observe,
                                     std::optional<std::int64_t> stop_after_pass, const std::string& checkpoint,
                                     const std::string& every) {
  TrainSpec spec = train_spec(learner, options, map, copy_rows);
  spec.start = start;
  spec.prove = prove;
  const RowsLock use(rows);
  Advice advice;
  std::vector<std::string> notes;
  Checkpoint keeping;
  keeping.path = checkpoint;
  keeping.resume = true;
  keeping.tell = [&](const std::string& note) { notes.push_back(note); };
  if (!every.empty()) set_every(keeping, every);
  auto done = supervise(std::move(observe), [&](const Watch& watch) {
    Source& source = rows.source(watch, purpose_of(spec));
    TrainOptions limits{watch.limits(threads, time_limit.value_or(0))};
    limits.memory = rows.store().memory();
    limits.checkpoint = keeping;
    const Observer told = stop_after_pass ? stop_after(*stop_after_pass, *watch.stop, watch.observe) : watch.observe;
    Outcome outcome = fit(source, spec, limits, rows.comm(), told);
    advice = advise(source, outcome, watch, threads, rows.comm());
    return outcome;
  });
  if (done.pending.is_none()) warn_of_columns(rows);
  auto result = std::make_unique<FitOutcome>(std::move(done.value), std::move(done.pending));
  result->advice_code = std::move(advice.code);
  result->advice_sentence = std::move(advice.sentence);
  result->notes = std::move(notes);
  return result;
}

std::optional<std::string> only_class_of(Rows& rows, const std::string& learner, bool hard, nb::object observe) {
  const RowsLock use(rows);
  return supervised(std::move(observe), [&](const Watch& watch) {
    return only_class(rows.source(watch, for_learner(learner_info(learner), hard)), rows.comm());
  });
}

}  // namespace

TrainSpec train_spec(const std::string& learner, const Dict& options, const std::string& map, bool copy_rows) {
  TrainSpec spec;
  spec.learner = learner;
  spec.options = to_options(learner_info(learner).table, options);
  spec.map = parse_map(map);
  spec.copy_rows = copy_rows;
  return spec;
}

Purpose purpose_of(const TrainSpec& spec) {
  const auto hard = spec.options.find("hard");
  return for_learner(learner_info(spec.learner), hard != spec.options.end() && get_flag(spec.options, "hard"));
}

void bind_train(nb::module_& m) {
  m.def("fit", &fit_rows, nb::arg("rows"), nb::arg("learner"), nb::arg("options"), nb::kw_only(),
        nb::arg("map") = "none", nb::arg("start").none() = nb::none(), nb::arg("prove") = false,
        nb::arg("copy_rows") = false, nb::arg("threads") = 0, nb::arg("time_limit") = nb::none(),
        nb::arg("observe") = nb::none(), nb::arg("stop_after_pass") = nb::none(), nb::arg("checkpoint") = "",
        nb::arg("every") = "",
        "Trains a learner. `observe(record)` returns True to stop the run after this pass. `checkpoint`: a file that "
        "the run is resumed from where it is there, written as often as `every` says (\"90s\", \"10 passes\").");
  m.def("only_class", &only_class_of, nb::arg("rows"), nb::arg("learner"), nb::kw_only(), nb::arg("hard") = false,
        nb::arg("observe") = nb::none(), "The class that every row is of, or None.");
}

}  // namespace linsep::python
