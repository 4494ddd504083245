// One λ path on all rows and, with folds, one on each fold's rows, through the same passes: when the passes end, every
// λ has its classifier and every row a score by a classifier that didn't see it.
//
// All paths have the same λ. The objective's loss is a mean, so that λ means the same on fewer rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "learn/margin/lambda_path.h"
#include "learn/one_vs_rest.h"
#include "train/select/plan.h"

namespace linsep {

/// The path on all rows and those of the folds, as one learner, and what they find. REQUIRES: `plan` and `survey`
/// outlive it.
class SelectionPaths final : public Learner {
 public:
  SelectionPaths(const SelectionPlan& plan, const std::vector<double>& lambdas, const Model* start,
                 const RowSurvey& survey, int threads);

  void begin(const Shape& shape) override { learner_->begin(shape); }
  void visit(const Batch& batch) override { learner_->visit(batch); }
  void synchronise(Comm& comm) override { learner_->synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return learner_->end_pass(progress); }
  std::int64_t passes_to_finish() override { return learner_->passes_to_finish(); }
  Model model() const override { return learner_->model(); }
  TrainingStats stats() const override { return learner_->stats(); }
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

  std::vector<SelectionPoint> points() const;
  Model model_of(std::size_t l) const { return whole_->points()[l].model; }
  /// REQUIRES: all folds are done with λ number l.
  std::vector<ScoredRow> held_out(std::size_t l) const { return scored_rows(survey_, score_[l]); }

 private:
  std::size_t row_of(const Batch& batch, std::int64_t i) const {
    return static_cast<std::size_t>(batch.number_of(i) - survey_.first_row);
  }
  ManyTask fold_task(std::int64_t k, const std::vector<double>& lambdas);
  void count_mistakes(std::size_t l, const Model& model, const Batch& batch);
  void score_held_out(std::int64_t k, std::size_t l, const Model& model, const Batch& batch);

  const SelectionPlan& plan_;
  const RowSurvey& survey_;
  std::vector<std::uint16_t> fold_;         // by row
  std::vector<std::int64_t> mistakes_;      // by λ, on all rows
  std::vector<std::vector<double>> score_;  // by λ and row, from the fold that holds the row out
  LambdaPath* whole_ = nullptr;
  std::vector<LambdaPath*> folds_;
  std::unique_ptr<OneVsRest> learner_;  // owns the paths
};

}  // namespace linsep
