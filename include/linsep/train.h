// train is the one loop, and fit goes from a spec to an outcome.
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
  /// Kept by `fit`, which can identify the run, for data that can be gone through again.
  Checkpoint checkpoint = {};
};

/// How good a model's probabilities are. With several classes `brier` is the mean of the sum over classes, and there
/// are no bins. A bin holds the rows with a probability from k/10 up to (k+1)/10.
struct ProbabilityEvaluation {
  struct Bin {
    std::int64_t rows = 0;
    std::int64_t positive = 0;  ///< rows that are of the positive class
    double predicted = 0;       ///< mean probability, or 0 without rows
  };
  double log_loss = 0;  ///< mean of −log of the true class's probability
  double brier = 0;     ///< mean of (probability − 1 or 0)²
  std::array<Bin, 10> bins;
  /// Ten bins of about as many rows each, by ascending score. Rows with one score are in one bin. Empty unless the
  /// rows' ranking was asked for.
  std::vector<Bin> equal_count;
};

/// The results of a model on labeled rows.
struct Evaluation {
  std::int64_t rows = 0;
  std::int64_t mistakes = 0;    ///< not y·z > 0. For a model with a threshold other than 0, wrong predictions
  std::int64_t not_finite = 0;  ///< rows with a score that isn't a finite number: mistakes, and in no other figure
  std::int64_t true_positive = 0, true_negative = 0, false_positive = 0, false_negative = 0;  ///< by prediction
  double sum_of_squares = 0;                                                                  ///< regression: Σ(y − z)²
  /// The area under the ROC curve, with half for ties. NaN if a class is missing or it wasn't asked for. If `scores`
  /// aren't exact, the middle of its bounds (`rank_rows`).
  double area_under_curve = 0;
  /// Rows by each score that a row has, if their ranking was asked for: positive and negative, each class against the
  /// rest, each label column.
  std::vector<ScoreCounts> scores;
  std::optional<ProbabilityEvaluation> probabilities;  ///< of a model with a calibration
  /// With more than two classes (k), rows of class a that were predicted as b stand at a·k + b. A mistake is a row with
  /// a wrong class that scores as high as its own.
  std::vector<std::int64_t> confusion;
  /// With label columns, each by itself. `mistakes` are then the rows with a mistake in any of them.
  std::vector<Evaluation> labels;
};

/// One of several classifiers that were trained together.
struct PartOutcome {
  bool converged = false;
  std::int64_t passes = 0;
  std::int64_t mistakes = 0;  ///< in all passes, if the learner counts them
  std::optional<double> objective, gap;
};

/// The geometric margin of a hard-margin classifier, for the values as written.
struct HardMarginResult {
  double margin = 0;              ///< rounded down
  double margin_upper_bound = 0;  ///< no separator's is larger. For the values as stored
  std::string margin_squared;     ///< exact, with about 60 bits. The margin's square is at least this
};

/// The course of a run of the loop.
struct PassOutcome {
  StopReason reason = StopReason::kConverged;
  std::vector<Progress> history;  ///< one record for each whole pass
  std::int64_t passes = 0;        ///< whole passes made
};

struct Outcome : PassOutcome {
  Model model;  ///< under every reason the best that the learner has
  TrainingStats stats;
  std::vector<PartOutcome> parts;  ///< one against the rest, and label columns: each classifier. Otherwise empty
  /// Hard margin. Missing if rows of one class need no θ, or if no separator was found.
  std::optional<HardMarginResult> hard_margin;
  /// How the margin learner went about it, with a loss.
  std::optional<MarginResult> margin;
  /// With the hard margin, the proof that the rows aren't separable. With `TrainSpec::prove`, also the proof of a
  /// separator with both bounds on the margin. Not yet sealed.
  std::optional<Certificate> certificate;
};

/// The only function where sources, passes and workers meet. For each pass it calls rewind, visit for every batch,
/// synchronise, end_pass and observe. Keeps no checkpoint.
PassOutcome run_passes(Source& source, Pass& pass, const TrainOptions& options, Comm& comm,
                       const Observer& observe = {});

/// The same for a learner, with its model and stats.
/// `model.schema` and `model.features` come from the source, and the caller fills in options and map.
Outcome train(Source& source, Learner& learner, const TrainOptions& options, Comm& comm, const Observer& observe = {});

/// A learner by name with its options, as on the command line, in Python and in model files.
struct TrainSpec {
  std::string learner = "margin";
  Options options = {};  ///< may be incomplete, and what is missing has its default
  FeatureMap map = {};
  /// Start from this classifier instead of zero, if the learner can. Same features, no map of its own.
  const Model* start = nullptr;
  bool prove = false;  ///< hard margin: also make `Outcome::certificate` of a separator
  /// The rows of a source in memory may be taken instead of copied, if the learner wants them in another order. The
  /// source has none afterwards. `on_finished` still sees them, in any order, with the finished outcome.
  bool take_rows = false;
  std::function<void(Source& rows, const Outcome& outcome)> on_finished = {};
  /// The rows of somebody else's arrays (`view`, `label_rows`) may be copied, if the learner visits them in an order
  /// other than theirs. That is faster, but takes as much memory again. Otherwise they are visited in place.
  bool copy_rows = false;
  /// Record every visit of a row in `stats.visits`, as long as there are at most this many. With more, only those with
  /// a mistake. For two classes or a regression, on one worker, by a learner that goes row by row. 0 for none.
  std::int64_t visits = 0;
};

/// Carries out `plan_training` (plan.h): wraps the source (feature map, order of rows), makes the learner, runs the
/// loop and completes the model. `base.max_passes` is overridden by the spec's "passes" option. With more than two
/// classes, each is trained against the rest, all in the same passes (or jointly, by the option "multiclass"). With
/// label columns, each is trained by itself, likewise.
Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe = {});
/// The same on one worker.
Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base = {}, const Observer& observe = {});

/// One pass over the source, in bounded memory. `ranking` also asks for what the order of scores decides, `scores` and
/// the area under the curve, with tables of at most 24 MB, or 100 MB for several scores per row.
/// An interrupt is an Error of kind kInterrupted. The limits `threads` and `memory` count too.
Evaluation evaluate(Source& source, const Model& model, bool ranking = false, const Observer& observe = {},
                    const RunLimits& limits = {});
/// The same over the shards of all workers, the same for any number of them. A collective call.
Evaluation evaluate(Source& source, const Model& model, bool ranking, Comm& comm, const Observer& observe = {},
                    const RunLimits& limits = {});

}  // namespace linsep
