// What a person should know of rows and scores beside the result: rows without a label, columns that a model doesn't
// know, scores that are no numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep::app {

struct Reading;

/// "3 rows without a label were left out.\n"; "" for none.
std::string dropped_sentence(std::int64_t rows);

/// "3 rows have a score that is not a finite number: …\n"; "" for none.
std::string not_finite_sentence(std::int64_t rows);

/// What to do where fewer than 1 % of the rows are positive and the loss ranks so few badly; "" elsewhere.
std::string few_positive_sentence(const Model& model, const Evaluation& result);

/// Columns of the data that a model has no weight for.
struct UnknownColumns {
  std::int64_t count = 0;
  std::vector<std::string> names = {};  ///< of those that have one
};

/// "2 columns of the data are no features of the model (age, id): …\n"; "" for none.
std::string unknown_columns_sentence(const UnknownColumns& unknown);

/// Says a sentence on standard error, once for all workers. What can't be written there is no reason to end.
void tell(const std::string& sentence);

/// (reading.cc) Those of all workers: features beyond the model's own, and of CSV with
/// names those that nobody named. The one column that may hold the label isn't counted. A collective call, after all
/// rows were read.
UnknownColumns unknown_columns(const Source& source, const Model& model, const Reading& reading, Comm& comm);

}  // namespace linsep::app
