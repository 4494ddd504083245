// FitOutcome: what `fit` and `select` return.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "convert.h"
#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/select.h"
#include "linsep/train.h"
#include "purpose.h"
#include "supervise.h"

namespace linsep::python {

namespace nb = nanobind;

struct FitOutcome {
  Outcome core;                        ///< without its model
  nb::typed<nb::object, Model> model;  ///< the Python object that owns it
  std::string advice_code, advice_sentence;
  std::vector<std::string> notes;  ///< messages from the checkpoint
  nb::object pending;              ///< an exception to raise once all of this is stored, or None

  FitOutcome(Outcome outcome, nb::object raise_later);
};

/// Sets the code and sentence of `stop_advice`. Goes over the rows again if the requested gap wasn't reached. Runs on
/// the working thread. A collective call.
struct Advice {
  std::string code, sentence;
};
Advice advise(Source& source, const Outcome& outcome, const Watch& watch, int threads, Comm& comm);
/// The same for a path of λ.
Advice advise(Source& source, const Selection& selection, const Watch& watch, int threads, Comm& comm);

/// The purpose for which a run of this spec reads a file's rows.
Purpose purpose_of(const TrainSpec& spec);

/// Converts options of a learner, and the rest of a spec. Throws a usage Error if there is no such learner.
TrainSpec train_spec(const std::string& learner, const Dict& options, const std::string& map, bool copy_rows);

}  // namespace linsep::python
