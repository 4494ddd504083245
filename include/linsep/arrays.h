// Arrays in, a classifier and its predictions out, in one call each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/certify.h"
#include "linsep/model.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// Rows of `features` values each, one after the other. Nothing is copied, so the values must outlive the batch. Throws
/// a usage Error if the values don't make whole rows.
Batch dense_rows(std::span<const double> values, std::size_t features);
Batch dense_rows(std::span<const float> values, std::size_t features);

/// Rows in CSR. Row i has `value[k]` in column `column[k]` (from 0, strictly ascending), for k from `start[i]` up to,
/// but not including, `start[i + 1]`. Nothing is copied. `features` is the number of columns.
Batch sparse_rows(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column,
                  std::span<const double> value, std::size_t features);
Batch sparse_rows(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column,
                  std::span<const float> value, std::size_t features);

/// Rows with their labels as a source. The labels are copied, the rows aren't and must outlive the source. Labels are
/// classes, two or more. With two, the positive class is the larger number or the later word. With `regression` they
/// are numbers to be predicted. Throws an input Error, with row and column, for a value that is NaN or infinite, and a
/// usage Error if labels and rows differ in number.
std::unique_ptr<Source> label_rows(const Batch& x, std::span<const double> y, bool regression = false);
std::unique_ptr<Source> label_rows(const Batch& x, std::span<const std::string> y);

/// Trains on labeled rows on one worker, like `fit` with `label_rows(x, y)`. The default learner is that of TrainSpec.
/// specs.h has all learners with typed options.
Outcome fit(const Batch& x, std::span<const double> y, const TrainSpec& spec = {}, const TrainOptions& options = {},
            const Observer& observe = {});
Outcome fit(const Batch& x, std::span<const std::string> y, const TrainSpec& spec = {},
            const TrainOptions& options = {}, const Observer& observe = {});

/// Decides whether any linear classifier separates labeled rows, on one worker.
CertifyOutcome certify(const Batch& x, std::span<const double> y, const CertifyOptions& options = {},
                       const Observer& observe = {});
CertifyOutcome certify(const Batch& x, std::span<const std::string> y, const CertifyOptions& options = {},
                       const Observer& observe = {});

/// The class of each row, in the spelling of its label. Throws a usage Error for a regression, whose scores are its
/// predictions, and for a model of several label columns.
std::vector<std::string> predict(const Model& model, const Batch& x);

/// The scores z of every row. A row has `scores_per_row(model)` of them, which is one unless there are several classes
/// or labels.
std::vector<double> scores(const Model& model, const Batch& x);

}  // namespace linsep
