// LambdaPath: the margin learner for several λ, one after the other, each started from what the one before it found.
//
// When a λ is done, because its gap is reached or its passes are used up, one more pass shows every row to whoever
// wants to score it with that λ's classifier.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/entry.h"
#include "learn/margin/solvers.h"
#include "linsep/options.h"
#include "numeric/gram.h"

namespace linsep {

/// One λ of a path.
struct LambdaPoint {
  double lambda = 0;
  double objective = 0;
  double gap = 1;
  std::int64_t passes = 0;  ///< that trained, without the one that scored
  bool converged = false;   ///< the gap asked for was reached
  bool scored = false;      ///< the pass that shows its rows has ended
  std::string solver;       ///< that ended it, and why that one
  std::string because;
  Model model;  ///< as the learner gives it: without schema, map and options
};

/// Sees the rows of the scoring pass of the path's λ number `index`, a batch at a time.
using PathScorer = std::function<void(std::size_t index, const Model& model, const Batch& batch)>;

class LambdaPath : public Learner, public GramSharer {
 public:
  /// `options` are margin's, complete; their "lambda" and "C" don't count. `lambdas` should descend, and there is one
  /// at least. `start` may be nullptr. Without `keep_models` only the last θ that is done is kept.
  LambdaPath(Options options, std::vector<double> lambdas, const Model* start, PathScorer scorer, bool keep_models,
             const LearnerRun& run = {});

  void set_stop(const StopFunction& stop) override;
  void begin(const Shape& shape) override;
  bool share_gram(const std::shared_ptr<SharedGram>& gram) override;
  WideLearner* wide_learner() override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  std::int64_t passes_to_finish() override { return scoring_ ? 1 : learner_->passes_to_finish(); }
  /// Of the λ being trained or scored.
  Model model() const override;

  /// Between two passes: one more λ at the end of the path. A greater one than the last is trained from the start that
  /// the first had.
  void add(double lambda);

  /// The λ that are done, in the order given, and the one at work, as far as it has come.
  std::vector<LambdaPoint> points() const;
  std::size_t size() const { return done_.size() + (current_.passes > 0 || done_.empty() ? 1 : 0); }
  /// One of them.
  LambdaPoint point(std::size_t l) const;
  /// How many of the λ, from the first on, have been scored.
  std::size_t scored() const { return done_.size() + (current_.scored ? 1 : 0); }
  /// The number of the λ whose rows the pass under way, or the next, shows.
  std::optional<std::size_t> scoring() const {
    return scoring_ && !current_.scored ? std::optional(done_.size()) : std::nullopt;
  }

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  void advance();
  void note_solver(LambdaPoint& point) const;
  void make_learner(const Model* start);
  void begin_learner();
  /// What λ number `done_.size()` is started from, unless by the learner of the one before it.
  const Model* fresh_start() const { return start_ ? &*start_ : nullptr; }

  Options options_;
  std::shared_ptr<SharedGram> gram_;
  std::vector<double> lambdas_;
  PathScorer scorer_;
  bool keep_models_;
  LearnerRun run_;
  Shape shape_;
  std::int64_t most_passes_;
  std::optional<Model> start_;
  std::unique_ptr<LambdaLearner> learner_;
  StopFunction stop_;
  std::vector<LambdaPoint> done_;
  LambdaPoint current_;
  bool scoring_ = false;
};

}  // namespace linsep
