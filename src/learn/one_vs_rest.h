// OneVsRest runs many learners over the same rows, each with its own labels and weights. They share every pass.
//
// One-vs-rest, several label columns, folds and grids of options are all of this kind. Rows that last are gathered.
// Then each thread takes a group of tasks through them, a piece of the rows that fits in the cache at a time, one task
// after another through each piece. So a row comes from memory a few times per pass, not once per task, and threads
// seldom wait for each other. For dense rows many tasks share one matrix product (wide_pass.h). Tasks are independent
// of each other. Each ends with the bits it would have had alone, whatever the number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/deadline.h"
#include "learn/wide_pass.h"
#include "linsep/learner.h"
#include "numeric/gram.h"

namespace linsep {

/// Gives the rows of a batch (known by batch.number_of(i)) the labels and weights of one task. Both spans come filled
/// with the batch's own, and `weight` is empty unless the task `weighs`. A row of weight 0 is not part of the task.
/// Called from several threads, for different tasks at a time.
using Relabel = std::function<void(const Batch& rows, std::span<double> label, std::span<double> weight)>;

struct ManyTask {
  std::unique_ptr<Learner> learner;  ///< should itself use one thread
  Relabel relabel;                   ///< if empty, the labels and weights of the batch
  bool weighs = false;               ///< `relabel` gives weights as well as labels
};

/// How far one task has come.
struct TaskState {
  Verdict verdict = Verdict::kContinue;
  std::int64_t passes = 0;  ///< made so far. None is made after the task has converged
  Progress last;            ///< of its last whole pass
};

/// Converges when every task has. A converged task is no longer visited. If a batch lasts, a learner may keep only the
/// rows, because labels and weights are gone after `visit`.
class OneVsRest final : public Learner {
 public:
  /// `threads` is 0 for one per core. REQUIRES: at least one task.
  explicit OneVsRest(std::vector<ManyTask> tasks, int threads = 0);

  void set_stop(const StopFunction& stop) override;
  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  /// Mistakes and objectives are summed over the tasks. Gap and residual are the largest of theirs.
  Verdict end_pass(Progress& progress) override;

  std::int64_t passes_to_finish() override;

  /// Call this between two passes. Every task is visited again, even one that had converged.
  void reopen();

  std::size_t size() const { return tasks_.size(); }
  const TaskState& state(std::size_t task) const { return states_[task]; }
  const Learner& learner(std::size_t task) const { return *tasks_[task].learner; }
  /// The model of each task; `model` is that of the first.
  std::vector<Model> models() const;
  Model model() const override { return tasks_.front().learner->model(); }
  /// Mistakes of all tasks together.
  TrainingStats stats() const override;

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// Memory of a thread: the labels and weights of a batch, as one task sees them.
  struct Scratch {
    std::vector<double> label, weight;
  };

  void take(const Batch& batch);
  /// Collects what the tasks share of dense rows. It is decided at the end of the first pass and sampled in the next.
  void synchronise_gram(Comm& comm);
  void gather(const Batch& batch);
  void dispatch();
  /// Decides how the tasks share the pass, once its first rows are there.
  void begin_pass();
  void visit_narrow(std::size_t group, Scratch& scratch);
  static void visit_as(ManyTask& task, const Batch& rows, Scratch& scratch);
  std::vector<std::size_t> active() const;
  /// About how long this many tasks take to begin or to end a pass.
  double end_nanoseconds(std::size_t tasks) const { return 10 * rows_ * static_cast<double>(tasks); }

  Deadline deadline_;
  std::atomic<bool> stop_requested_ = false;  // by one of the tasks
  std::vector<ManyTask> tasks_;
  std::vector<TaskState> states_;
  int threads_;
  double rows_ = 0;
  std::shared_ptr<SharedGram> gram_;  // none if no task has a use for it
  bool dense_ = true, decided_ = false;
  std::uint32_t features_ = 0;
  std::int64_t all_rows_ = 0;
  // How the pass is shared. Some tasks make it together, others are visited one after another, by group.
  bool pass_begun_ = false;
  std::optional<WidePass> wide_;
  std::vector<std::vector<std::size_t>> narrow_;
  std::vector<Batch> gathered_;
  std::vector<std::size_t> pieces_;  // where a piece ends in `gathered_`. The last may still grow
  std::uint64_t piece_bytes_ = 0;    // of the last piece
  std::vector<Scratch> scratch_;     // of each thread
};

}  // namespace linsep
