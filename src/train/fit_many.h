// More than two classes, and several label columns: which classifiers there are, and one model of them all.
#pragma once

#include <functional>
#include <memory>

#include "learn/one_vs_rest.h"
#include "linsep/train.h"

namespace linsep {

/// How many classifiers the labels of a source ask for: 0 where one of two classes (or a regression) is all.
std::size_t part_count(const Schema& schema);

/// A learner for each class against the rest, or for each label column. `make(part)` makes one of them.
/// REQUIRES: `source` outlives the learner and is what its rows come from, decorated or not.
std::unique_ptr<OneVsRest> make_parts(const Source& source, int threads,
                                      const std::function<std::unique_ptr<Learner>(std::size_t part)>& make);

/// Completes an outcome: one model of all parts, and how each of them ended.
void join_parts(const OneVsRest& learner, const Schema& schema, Outcome& outcome);

/// Part number `part` of a model of several, as a linear model of its own.
Model part_of(const Model& model, std::size_t part);

}  // namespace linsep
