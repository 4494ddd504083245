// What `linsep train` tells of a run: in words for people, as one object for programs.
#pragma once

#include <optional>
#include <string>

#include "linsep/select.h"
#include "linsep/table/fit.h"
#include "linsep/tools/advice.h"
#include "linsep/train.h"
#include "report/json.h"

namespace linsep::app {

struct TrainReport {
  std::string data;                   ///< Reading::name
  std::string argument;               ///< Reading::argument
  std::string meaning;                ///< what the learner's name stands for, where it is an alias
  std::string model;                  ///< where the model was written; "": nowhere
  std::string proof;                  ///< where a certificate was written; "": nowhere
  std::optional<TableAccount> table;  ///< what was made of the columns
  int workers = 1;
  std::int64_t rows = 0;     ///< of all workers
  std::int64_t dropped = 0;  ///< rows of all workers left out because they have no label
  std::uint32_t features = 0;
  bool streamed = false;
  Outcome outcome;
  std::optional<Selection> selection;  ///< of several λ, or with folds; its outcome is the one above
  std::optional<StopAdvice> advice;    ///< of a run with a gap
  std::vector<std::string> outsized;   ///< columns that the advice names
  std::int64_t max_passes = 0;         ///< 0: the learner has no such limit
  std::optional<Evaluation> result;    ///< of the final model; not there for a stream
  bool uneven = false;                 ///< columns of a table differ in size by a factor of more than 100
  bool uncounted = false;              ///< nor where there was no time left for it
  double read_seconds = 0;
  double train_seconds = 0;
  double judge_seconds = 0;  ///< of evaluating the final model
};

/// `full`: vectors of any length.
Json report_json(const TrainReport& report, bool full);
std::string report_words(const TrainReport& report);

}  // namespace linsep::app
