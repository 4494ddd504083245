// What a model says of a row, in terms that models can be compared by.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "linsep/model.h"

namespace linsep {

struct Judgement {
  bool finite = true;
  bool mistake = false;    ///< as `evaluate` counts them; never of a regression or without a label
  std::uint64_t said = 0;  ///< two predictions are the same where these are
};

/// REQUIRES: `z` are the scores of the row. `label` is as in batches of `schema`; `labelled`: there is one.
Judgement judge(const Model& model, const Schema& schema, bool labelled, double label, std::span<const double> z);

/// The index of a row's class among `classes` of its schema; −1 in a regression, of label columns, or without a label.
std::int64_t class_of(const Schema& schema, bool labelled, double label);

}  // namespace linsep
