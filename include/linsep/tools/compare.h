// A model beside another one on the same rows, and models by groups of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/train.h"

namespace linsep {

/// The group of each row of the batch that the source handed out last.
using RowGroups = std::function<std::vector<std::string>(const Batch& batch)>;

struct EvaluateRequest {
  bool ranking = true;             ///< also measure what the order of scores decides
  const Model* against = nullptr;  ///< the model to compare with
  Source* against_rows = nullptr;  ///< the same rows as that model reads them, in the same order
  /// Costs of a missed positive row and of a false alarm. Both 0 for none.
  double false_negative = 0, false_positive = 0;
  std::uint64_t seed = 1;  ///< of the bootstrap
  RowGroups groups = {};
  /// Called on every worker when the first pass is over, which counts rows and columns once.
  std::function<void()> on_first_pass = {};
};

/// A metric of both models and an interval of the difference, model − against, with 95 % confidence. NaN stands for
/// what isn't defined.
struct MetricComparison {
  std::string name;             ///< "error", "log_loss", …
  bool more_is_better = false;  ///< otherwise less
  bool counted = false;         ///< the interval is of counts of rows. Otherwise of a bootstrap
  double model = 0, against = 0;
  double at_least = 0, at_most = 0;

  double difference() const { return model - against; }
};

struct Comparison {
  std::int64_t only_model = 0;    ///< rows on which only the model is mistaken
  std::int64_t only_against = 0;  ///< rows on which only the other is
  double mcnemar_p = 1;           ///< of McNemar's exact test that both make as many mistakes
  std::vector<MetricComparison> metrics;
};

/// The rows with one value of a column.
struct GroupEvaluation {
  std::string value;
  Evaluation model;
  std::optional<Evaluation> against;
  std::optional<Comparison> comparison;  ///< of mistakes alone
};

struct FullEvaluation {
  Evaluation model;
  std::optional<Evaluation> against;
  std::optional<Comparison> comparison;
  std::vector<GroupEvaluation> groups;  ///< by value: numbers before words, each in ascending order
};

/// Measures a model, and what `request` asks for besides. One pass over the rows without `against`. With it, two passes
/// over both sources in step. The second draws bootstrap samples: 1,999 replicates, in each of which a row's weight is
/// a Poisson number from a keyed hash of the seed, the replicate and the row's number. So no figure depends on threads,
/// batches or workers. Memory is bounded: for the samples, 16 MB.
///
/// Throws an input Error if there are no rows or no labels, if the models don't have the same classes, if the sources
/// don't have the same rows, or if there are more than 1,000 groups.
FullEvaluation evaluate(Source& rows, const Model& model, const EvaluateRequest& request, Comm& comm,
                        const Observer& observe = {}, const RunLimits& limits = {});

}  // namespace linsep
