// One λ path on all rows and, with folds, one on each fold's rows, for each classifier, through the same passes: when
// the passes end, every λ has its classifiers and every row a score by ones that didn't see it.
//
// All paths have the same λ. The objective's loss is a mean, so that λ means the same on fewer rows. Where the best λ
// stands at an end of the grid, all paths go on beyond it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learn/margin/lambda_path.h"
#include "learn/one_vs_rest.h"
#include "train/select/held_out.h"
#include "train/select/plan.h"

namespace linsep {

/// What the paths are made of. REQUIRES: what is referred to outlives them.
struct PathsSetting {
  const SelectionPlan& plan;
  const Options& options;       ///< of the learner, as it takes them
  const ClassWeights& classes;  ///< of the objective
  const RowSurvey& survey;
  const Source& source;                ///< what the rows come from, decorated or not
  std::span<const std::int32_t> fold;  ///< by row, of the caller's; empty: folds are dealt out
  const Model* start = nullptr;
  int threads = 0;
};

/// The paths as one learner, and what they find.
class SelectionPaths final : public Learner {
 public:
  /// A collective call.
  SelectionPaths(const PathsSetting& setting, std::vector<double> lambdas, Comm& comm);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override { learner_->visit(batch); }
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  void set_stop(const StopFunction& stop) override { learner_->set_stop(stop); }
  std::int64_t passes_to_finish() override { return learner_->passes_to_finish(); }
  Model model() const override { return learner_->model(); }
  TrainingStats stats() const override { return learner_->stats(); }
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

  /// λ descending: those that every classifier has come to.
  std::vector<SelectionPoint> points() const;
  /// λ beyond those that were asked for.
  std::size_t added() const { return lambdas_.size() - asked_; }
  /// The classifiers of point number `point`, a model each, and how each of them ended.
  std::vector<Model> models_of(std::size_t point) const;
  std::vector<PartOutcome> parts_of(std::size_t point) const;
  /// Scores of all workers' rows by classifier number `part`. REQUIRES: `point` is the best of those that are held out.
  /// A collective call.
  std::vector<ScoredRow> held_out(std::size_t point, std::size_t part, Comm& comm) const;

 private:
  /// One λ. Scores are by part and row; they are kept while they are needed.
  struct Scores {
    std::vector<double> whole, held;
    std::int64_t mistakes = -1;
    std::optional<HeldOut> held_out;
    bool complete() const { return mistakes >= 0 && held_out; }
  };

  std::size_t row_of(const Batch& batch, std::int64_t i) const {
    return static_cast<std::size_t>(batch.number_of(i) - set_.survey.first_row);
  }
  ManyTask whole_task(std::size_t part);
  ManyTask fold_task(std::int64_t k, std::size_t part);
  void score_whole(std::size_t part, std::size_t l, const Model& model, const Batch& batch);
  void score_held_out(std::int64_t k, std::size_t part, std::size_t l, const Model& model, const Batch& batch);
  void make_room();
  void drop_scores();
  bool extend();
  std::vector<std::size_t> descending(std::size_t count) const;
  SelectionPoint judged(std::size_t l) const;
  SelectionPoint point_of(std::size_t l) const;

  const PathsSetting set_;
  const int workers_;
  const std::size_t asked_;
  std::vector<double> lambdas_;         // in the order in which they are trained
  std::vector<std::uint16_t> fold_;     // by row
  std::vector<Scores> scores_;          // by λ
  std::vector<LambdaPath*> whole_;      // by part
  std::vector<LambdaPath*> folds_;      // by fold and part
  std::unique_ptr<OneVsRest> learner_;  // owns the paths
};

}  // namespace linsep
