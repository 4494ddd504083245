// More than two classes, and several label columns: the list of classifiers, and one model that combines them.
#pragma once

#include <functional>
#include <memory>

#include "learn/one_vs_rest.h"
#include "linsep/train.h"
#include "train/class_weights.h"

namespace linsep {

/// How many classifiers the labels of a source ask for. 0 if a single classifier of two classes (or a regression) is
/// all.
std::size_t part_count(const Schema& schema);

/// The labels of part number `part`. They are +1 for its class, or for its column's positive class, else −1, and rows
/// without a label in that column get weight 0. REQUIRES: `source` is what the rows come from, decorated or not;
/// `weight` isn't empty if some rows have no label in some label column.
void label_part(const Source& source, std::size_t part, const Batch& rows, std::span<double> label,
                std::span<double> weight);

/// Part number `part`, to be trained by this learner. A row's weight is multiplied by that of its class.
/// REQUIRES: `source` outlives the task and is what its rows come from, decorated or not.
ManyTask part_task(const Source& source, std::size_t part, const ClassWeights& weights,
                   std::unique_ptr<Learner> learner);

/// A learner for each class against the rest, or for each label column. `make(part)` makes one of them. REQUIRES: as
/// for `part_task`.
std::unique_ptr<OneVsRest> make_parts(const Source& source, int threads, const ClassWeights& weights,
                                      const std::function<std::unique_ptr<Learner>(std::size_t part)>& make);

/// One model made of linear ones, with a part for each.
Model join_models(std::vector<Model> models, const Schema& schema);

/// Completes an outcome with one model of all parts, and how each of them ended.
void join_parts(const OneVsRest& learner, const Schema& schema, Outcome& outcome);

/// Part number `part` of a model of several, as a linear model of its own.
Model part_of(const Model& model, std::size_t part);

}  // namespace linsep
