// train: the one loop, and fit: from a spec to an outcome.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/checkpoint.h"
#include "linsep/comm.h"
#include "linsep/learner.h"
#include "linsep/learner_info.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/options.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "linsep/stop_reason.h"
#include "linsep/tools/ranking.h"

namespace linsep {

struct TrainOptions : RunLimits {
  std::int64_t max_passes = 100;
  /// Kept by `fit`, which knows what run it is, for data that can be gone through again.
  Checkpoint checkpoint = {};
};

/// How a model's probabilities do. Of several classes `brier` is the mean of the sum over classes, and there are no
/// bins. A bin holds the rows with a probability from k/10 up to (k+1)/10.
struct ProbabilityEvaluation {
  struct Bin {
    std::int64_t rows = 0;
    std::int64_t positive = 0;  ///< rows that are of the positive class
    double predicted = 0;       ///< mean probability; 0 without rows
  };
  double log_loss = 0;  ///< mean of −log of the true class's probability
  double brier = 0;     ///< mean of (probability − 1 or 0)²
  std::array<Bin, 10> bins;
  /// Ten bins of about as many rows each, by ascending score; rows of one score are in one bin. Empty unless the rows'
  /// ranking was asked for.
  std::vector<Bin> equal_count;
};

/// How a model does on labelled rows.
struct Evaluation {
  std::int64_t rows = 0;
  std::int64_t mistakes = 0;    ///< not y·z > 0; of a model with a threshold other than 0, wrong predictions
  std::int64_t not_finite = 0;  ///< rows with a score that isn't a finite number: mistakes, and in no other figure
  std::int64_t true_positive = 0, true_negative = 0, false_positive = 0, false_negative = 0;  ///< by prediction
  double sum_of_squares = 0;                                                                  ///< regression: Σ(y − z)²
  /// Of the ROC; half for ties; NaN when a class is missing or it wasn't asked for. The middle of its bounds
  /// (`rank_rows`) where `scores` aren't exact.
  double area_under_curve = 0;
  /// Rows by each score that a row has, where their ranking was asked for: positive and negative, each class against
  /// the rest, each label column.
  std::vector<ScoreCounts> scores;
  std::optional<ProbabilityEvaluation> probabilities;  ///< of a model with a calibration
  /// More than two classes (k): rows of class a that were predicted as b stand at a·k + b. A mistake is a row with a
  /// wrong class that scores as high as its own.
  std::vector<std::int64_t> confusion;
  /// Label columns: each by itself. `mistakes` are then the rows with a mistake in any of them.
  std::vector<Evaluation> labels;
};

/// One of several classifiers that were trained together.
struct PartOutcome {
  bool converged = false;
  std::int64_t passes = 0;
  std::int64_t mistakes = 0;  ///< in all passes, where the learner counts them
  std::optional<double> objective, gap;
};

/// The geometric margin of a hard-margin classifier, for the values as written.
struct HardMarginResult {
  double margin = 0;              ///< rounded down
  double margin_upper_bound = 0;  ///< no separator's is greater; of the values as stored
  std::string margin_squared;     ///< exact, of about 60 bits: the margin's square is at least this
};

/// How a run of the loop went.
struct PassOutcome {
  StopReason reason = StopReason::kConverged;
  std::vector<Progress> history;  ///< one record for each whole pass
  std::int64_t passes = 0;        ///< whole passes made
};

struct Outcome : PassOutcome {
  Model model;  ///< under every reason the best the learner has
  TrainingStats stats;
  std::vector<PartOutcome> parts;  ///< one against the rest, and label columns: each classifier; else empty
  /// Hard margin: not there where rows of one class need no θ, or where no separator was found.
  std::optional<HardMarginResult> hard_margin;
  /// The margin learner with a loss: how it went about it.
  std::optional<MarginResult> margin;
  /// Hard margin: that the rows aren't separable; or with `TrainSpec::prove` the separator and both bounds on the
  /// margin. Not yet sealed.
  std::optional<Certificate> certificate;
};

/// The only function where sources, passes and workers meet: rewind; visit every batch; synchronise; end_pass; observe.
/// Keeps no checkpoint.
PassOutcome run_passes(Source& source, Pass& pass, const TrainOptions& options, Comm& comm,
                       const Observer& observe = {});

/// The same for a learner, with its model and stats.
/// `model.schema` and `model.features` come from the source; options and map are the caller's to fill in.
Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe = {});

/// A learner by name with its options: what the command line, Python and model files speak of.
struct TrainSpec {
  std::string learner = "margin";
  Options options = {};  ///< incomplete: what is missing has its default
  FeatureMap map = {};
  /// Start from this classifier instead of zero, where the learner can. Same features, no map of its own.
  const Model* start = nullptr;
  bool prove = false;  ///< hard margin: also make `Outcome::certificate` of a separator
  /// The rows of a source in memory may be taken instead of copied, where the learner wants them in another order: the
  /// source has none afterwards. `on_finished` still sees them, in any order, with the finished outcome.
  bool take_rows = false;
  std::function<void(Source& rows, const Outcome& outcome)> on_finished = {};
  /// Arrays of somebody else's (`view`, `label_rows`) may be copied into the order in which they are visited, where the
  /// learner wants another than theirs: faster, for as much memory again. Otherwise they are visited where they are.
  bool copy_rows = false;
  /// Record every visit of a row in `stats.visits`, as long as there are at most so many; with more, those with a
  /// mistake. Two classes or a regression, on one worker, by a learner that goes row by row. 0: none.
  std::int64_t visits = 0;
};

/// Carries out `plan_training` (plan.h): wraps the source (feature map, order of rows), makes the learner, runs the
/// loop and completes the model. `base.max_passes` is overridden by the spec's "passes" option. More than two classes:
/// each against the rest, all in the same passes (or jointly, by the option "multiclass"); label columns: each by
/// itself, likewise.
Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe = {});
/// The same on one worker.
Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base = {}, const Observer& observe = {});

/// One pass over the source, in bounded memory. `ranking`: also what the order of scores decides, `scores` and the area
/// under the curve; tables of at most 24 MB, or 100 MB for several scores per row.
/// An interrupt is an Error of kind kInterrupted; of the limits, `threads` and `memory` count too.
Evaluation evaluate(Source& source, const Model& model, bool ranking = false, const Observer& observe = {},
                    const RunLimits& limits = {});
/// The same over the shards of all workers, the same for any number of them. A collective call.
Evaluation evaluate(Source& source, const Model& model, bool ranking, Comm& comm, const Observer& observe = {},
                    const RunLimits& limits = {});

}  // namespace linsep
