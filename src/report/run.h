// What `linsep train` reports about a run and the plan before it, in words for people and as one object for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/plan.h"
#include "linsep/select.h"
#include "linsep/source.h"
#include "linsep/table/fit.h"
#include "linsep/tools/advice.h"
#include "linsep/train.h"
#include "report/json.h"

namespace linsep {
/// "3 rows without a label were left out.\n", or "" for none.
std::string dropped_sentence(std::int64_t rows);

/// "rows.csv:3: 1e-50 in column 'dose' is below the smallest 32-bit number and is read as 0 (and 12 more); …\n" about
/// the rows that all workers have read by now, or "" for none. May read the input again and ends the pass. Collective.
std::string tiny_sentence(Source& source, Comm& comm);

/// "3 rows have a score that is not a finite number: …\n", or "" for none.
std::string not_finite_sentence(std::int64_t rows);

/// Advice if fewer than 1 % of the rows are positive and the loss ranks these few badly, otherwise "".
std::string few_positive_sentence(const Model& model, const Evaluation& result);

/// Columns of the data that a model has no weight for.
struct UnknownColumns {
  std::int64_t count = 0;
  std::vector<std::string> names = {};  ///< of those that have one
};

/// "2 columns of the data are no features of the model (age, id): …\n", or "" for none.
std::string unknown_columns_sentence(const UnknownColumns& unknown);

struct TrainReport {
  std::string data;                            ///< Reading::name
  std::string argument;                        ///< Reading::argument
  std::string meaning;                         ///< the meaning of the learner's name, if it is an alias
  std::string start;                           ///< the start, in words, or "" for 0
  std::string model;                           ///< the model's file, or "" if it wasn't written
  bool unwritten = false;                      ///< the model wasn't to be written, though a file was named
  std::string proof;                           ///< a certificate's file, or "" if none was written
  std::string check;                           ///< the command that checks a proof of how good the model is
  std::optional<OptimalityProof> bounds = {};  ///< that proof
  std::string confirm = {};                    ///< the command that checks the model's objective, or "" for none
  std::string page;                            ///< the report's file, or "" if it wasn't written
  std::optional<TableAccount> table;           ///< the kinds of the columns
  int workers = 1;
  std::int64_t rows = 0;     ///< of all workers
  std::int64_t dropped = 0;  ///< rows of all workers left out because they have no label
  std::uint32_t features = 0;
  bool streamed = false;
  Outcome outcome;
  std::optional<Selection> selection;  ///< with several λ, or with folds. Its outcome is the one above
  std::optional<StopAdvice> advice;    ///< of a run with a gap
  std::vector<std::string> outsized;   ///< columns that the advice names
  std::int64_t max_passes = 0;         ///< 0 if the learner has no such limit
  std::optional<Evaluation> result;    ///< for the final model. Not set for a stream
  bool uneven = false;                 ///< columns of a table differ in size by a factor of more than 100
  bool uncounted = false;              ///< the rows weren't counted, because there was no time left for it
  double read_seconds = 0;
  double train_seconds = 0;
  double judge_seconds = 0;  ///< of evaluating the final model
};

/// With `full`, vectors of any length.
Json report_json(const TrainReport& report, bool full);
std::string report_words(const TrainReport& report);

/// Whether the run's last pass has tried the final θ on all rows and found no mistake. Then nothing needs counting.
bool clean_pass_proves(const Outcome& outcome);

/// The requests for the run.
struct RunFlags {
  bool hard = false, online = false;
  double time = 0;
};
/// Fills in `advice`, `outsized` and `uneven`. REQUIRES: `argument`, `result` and `uncounted` are filled in. Looks at
/// columns only if the gap wasn't reached. Collective.
void add_advice(Source& source, const Outcome& outcome, const RunFlags& asked, Comm& comm, TrainReport& report);

/// `rows` is over all workers, or −1 for a stream.
Json plan_json(const TrainPlan& plan, std::int64_t rows);
std::string plan_words(const TrainPlan& plan, std::int64_t rows);

}  // namespace linsep
