// A model's judgment of a row, in terms by which models can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "linsep/model.h"

namespace linsep {

struct Judgement {
  bool finite = true;
  bool mistake = false;    ///< as `evaluate` counts them. Never in a regression or without a label
  std::uint64_t said = 0;  ///< two predictions are the same if these are
};

/// REQUIRES: `z` are the scores of the row. `label` is as in batches of `schema`, and `labelled` means that there is
/// one.
Judgement judge(const Model& model, const Schema& schema, bool labelled, double label, std::span<const double> z);

/// The index of a row's class among `classes` of its schema. −1 in a regression, with label columns, or without a
/// label.
std::int64_t class_of(const Schema& schema, bool labelled, double label);

}  // namespace linsep
