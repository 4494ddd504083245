// QueryLearner: the Learner of a solver that asks (numeric/row_query.h) instead of going over rows. The first pass is
// the learner's own: it looks at labels and surveys the columns. Every later pass answers one question.
//
// A solver has
//   Solver(Task& task)                      what it solves; bounds and the best classifier go there
//   kName                                   of its saved states
//   kBlocks                                 dense rows go by blocks if they suit them
//   kUnits                                  of sums by column over other rows
//   begin()                                 the numbers of rows and columns are known
//   start(known, comm), resume(known)       the first pass has ended; or the solver's fields have been loaded after it
//   next()                                  what it asks of all rows, from its fields alone
//   take(answer, comm)                      its verdict on the answer; `comm` is for sums over rows' scores
//   fields(self, archive)                   what its saved state holds (core/fields.h)
// and may have
//   share(gram)                             takes its preconditioner from outside (numeric/gram.h)
//   change_lambda(lambda)                   goes on with another λ, or returns false
//   complete(model)                         what it knows of the model besides θ
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/deadline.h"
#include "core/fields.h"
#include "learn/margin/solvers.h"
#include "learn/margin/task.h"
#include "learn/wide_pass.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_query.h"

namespace linsep {

template <class Solver, class Task = SurveyedTask>
class QueryLearner : public LambdaLearner, public GramSharer, public WideLearner, public SeparatorFinder {
 public:
  /// What the task is made of.
  template <class... Facts>
  explicit QueryLearner(const MarginSettings& settings, const Facts&... facts)
      : task_(settings, facts...), solver_(task_) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }

  void begin(const Shape& shape) override {
    task_.begin(shape);
    stage_ = Stage::kSurvey;
    dense_ = true;
    all_rows_ = 0;
    solver_.begin();
    engine_.drop();
    set_engine();
  }

  void visit(const Batch& batch) override {
    if (stage_ == Stage::kSurvey) {
      task_.visit_labels(batch);
      dense_ = dense_ && batch.dense;
    }
    deadline_.run([&] {
      ask();
      engine_.add(batch);
    });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] {
      ask();
      const RowAnswer answer = engine_.end(comm);
      if (stage_ == Stage::kSurvey) {
        end_survey(comm);
      } else if (stage_ == Stage::kAsking) {
        verdict_ = solver_.take(answer, comm);
      }
    });
  }

  Verdict end_pass(Progress& progress) override {
    if (deadline_.cut_off()) return report_stopped(task_, progress);
    task_.report(progress);
    return verdict_;
  }

  bool change_lambda(double lambda) override {
    if constexpr (requires { solver_.change_lambda(lambda); }) {
      if (stage_ != Stage::kAsking || !solver_.change_lambda(lambda)) return false;
      engine_.drop();
      set_engine();
      return true;
    }
    return false;
  }

  Model model() const override {
    Model model = task_.model();
    if constexpr (requires { solver_.complete(model); }) solver_.complete(model);
    return model;
  }
  TrainingStats stats() const override { return task_.stats(); }
  bool separates() const override {
    if constexpr (requires { task_.separates(); }) return task_.separates();
    return false;
  }

  std::string save_state() const override { return save_fields(Solver::kName, *this); }
  void load_state(const std::string& bytes) override { load_fields(Solver::kName, *this, bytes); }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.part(self.task_);
    archive.choice(self.stage_, Stage::kDone);
    archive.flag(self.dense_);
    archive.count(self.all_rows_);
    archive.part(self.solver_);
    archive.loaded(self, [](auto& learner) { learner.resume(); });
  }

  bool share_gram(const std::shared_ptr<SharedGram>& gram) override {
    if constexpr (requires { solver_.share(gram); }) {
      gram_ = gram;
      gram_->centred = !task_.settings().origin;
      solver_.share(gram);
      return true;
    }
    return false;
  }
  WideLearner* wide_learner() override {
    if (!gram_ || !gram_->expected || stage_ != Stage::kAsking) return nullptr;
    ask();
    return engine_.shareable() ? this : nullptr;
  }
  PassRequest begin_wide(std::size_t slots) override {
    engine_.share(slots);
    const RowQuery& query = engine_.query();
    PassRequest request{query.scores[0].weight, &task_.fixed(), {}, query.sums.size()};
    for (std::size_t s = 0; s < query.sums.size(); ++s) request.step[s] = engine_.step(s);
    return request;
  }
  void take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot, const double* score,
                   std::size_t score_stride, double* factor, std::size_t factor_stride) override {
    engine_.take_scores(batch, first, rows, slot, score, score_stride, factor, factor_stride);
  }
  void take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) override {
    engine_.take_units(sum, units, stride);
  }

 private:
  enum class Stage : std::uint8_t { kSurvey, kAsking, kDone };

  /// Begins the pass, unless that has been done.
  void ask() {
    if (engine_.begun()) return;
    if (stage_ == Stage::kAsking) return engine_.begin(solver_.next());
    RowQuery query;
    if (stage_ == Stage::kSurvey) query.survey = &task_.own_survey();
    engine_.begin(std::move(query));
  }

  void end_survey(Comm& comm) {
    if (task_.end_survey(comm)) {
      stage_ = Stage::kDone;
      verdict_ = Verdict::kConverged;
      return;
    }
    dense_ =
        Solver::kBlocks && !all_reduce_any(comm, !dense_) && RowEngine::suits_blocks(task_.columns(), task_.costs());
    all_rows_ = all_reduce_sum(comm, static_cast<std::int64_t>(task_.rows()));
    stage_ = Stage::kAsking;
    set_engine();
    solver_.start(engine_.known(), comm);
    verdict_ = task_.verdict();
  }

  void resume() {
    require_state(stage_ == Stage::kSurvey || task_.labelled());
    engine_.drop();
    set_engine();
    if (stage_ == Stage::kAsking) solver_.resume(engine_.known());
  }

  void set_engine() {
    const bool surveyed = stage_ != Stage::kSurvey, blocks = surveyed && dense_ && Solver::kBlocks;
    if (surveyed) task_.set_units(blocks ? ColumnUnits::kBlocks : Solver::kUnits);
    KnownRows known{task_.rows(), task_.first_row(), task_.threads(), all_rows_, &task_.columns()};
    if (surveyed) known.fixed = &task_.fixed();
    known.blocks = blocks;
    if constexpr (requires { task_.ones(); }) known.ones = &task_.ones();
    engine_.set(known);
  }

  Task task_;
  Solver solver_;
  RowEngine engine_;
  Deadline deadline_;
  Stage stage_ = Stage::kSurvey;
  Verdict verdict_ = Verdict::kContinue;
  bool dense_ = true;  // all rows: of this worker so far, and after the first pass of all workers, suiting blocks
  std::int64_t all_rows_ = 0;
  std::shared_ptr<SharedGram> gram_;
};

}  // namespace linsep
