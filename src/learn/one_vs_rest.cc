#include "learn/one_vs_rest.h"

#include <algorithm>
#include <utility>

#include "core/bytes.h"
#include "core/parallel.h"
#include "core/slice.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

// Half of an ordinary second-level cache. The other half is for a task's weights.
constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
// Pieces gathered before the threads set to work, and the most batches that they may have.
constexpr std::size_t kPieces = 16, kMostBatches = std::size_t{1} << 14;
// Groups of tasks for each thread. More groups keep threads busy to the end, and fewer fetch rows less often.
constexpr std::size_t kGroups = 2;
// Tasks that must share a product of dense rows for it to be faster than one product for each.
constexpr std::size_t kLeastWide = 4;

/// One of `parts` parts, all of about the same size.
template <class T>
std::span<T> share(std::span<T> all, std::size_t part, std::size_t parts) {
  const std::size_t first = part * all.size() / parts, last = (part + 1) * all.size() / parts;
  return all.subspan(first, last - first);
}

std::uint64_t bytes_of(const Batch& batch) {
  const std::uint64_t value = batch.is_float ? sizeof(float) : sizeof(double);
  if (batch.dense) return static_cast<std::uint64_t>(batch.rows) * batch.features * value;
  const std::uint64_t values = batch.rows == 0 ? 0 : batch.start[static_cast<std::size_t>(batch.rows)] - batch.start[0];
  return values * (value + sizeof(std::uint32_t));
}

template <class T>
void take_greatest(std::optional<T>& most, const std::optional<T>& value) {
  if (value) most = most ? std::max(*most, *value) : *value;
}
template <class T>
void exact_all_reduce(std::optional<T>& sum, const std::optional<T>& value) {
  if (value) sum = sum.value_or(T{}) + *value;
}

}  // namespace

OneVsRest::OneVsRest(std::vector<ManyTask> tasks, int threads)
    : tasks_(std::move(tasks)), states_(tasks_.size()), threads_(thread_count(threads)) {
  scratch_.resize(static_cast<std::size_t>(threads_));
}

void OneVsRest::set_stop(const StopFunction& stop) {
  stop_requested_ = false;
  const StopFunction of_all = !stop ? stop : [this, stop] {
    if (stop()) stop_requested_ = true;
    return stop_requested_.load();
  };
  deadline_ = of_all;
  for (ManyTask& task : tasks_) task.learner->set_stop(of_all);
}

void OneVsRest::begin(const Shape& shape) {
  gathered_.clear();
  pieces_.clear();
  piece_bytes_ = 0;
  pass_begun_ = false;
  states_.assign(tasks_.size(), {});
  rows_ = static_cast<double>(std::max<std::int64_t>(shape.rows, 0));
  parallel_for(tasks_.size(), threads_, end_nanoseconds(tasks_.size()),
               [&](std::size_t t, std::size_t) { tasks_[t].learner->begin(shape); });
  dense_ = true;
  decided_ = false;
  features_ = shape.features;
  gram_ = std::make_shared<SharedGram>();
  bool used = false;
  for (ManyTask& task : tasks_) {
    if (takes_gram(*task.learner, gram_)) used = true;
  }
  if (!used) gram_.reset();
}

void OneVsRest::visit(const Batch& batch) {
  deadline_.run([&] { take(batch); });
}

void OneVsRest::take(const Batch& batch) {
  dense_ = dense_ && batch.dense;
  if (gram_ && gram_->gram.sampling() && batch.dense) gram_->gram.sample(batch, 0);
  // A batch as large as all data would be read from memory once per task.
  const std::uint64_t parts = std::min(bytes_of(batch) / kPieceBytes + 1, static_cast<std::uint64_t>(batch.rows));
  const std::int64_t rows = parts == 0 ? 0 : batch.rows / static_cast<std::int64_t>(parts);
  for (std::int64_t first = 0; first < batch.rows;) {
    const std::int64_t count = std::min(rows, batch.rows - first);
    gather(count == batch.rows ? batch : slice(batch, first, count));
    first += count;
  }
  if (!batch.pinned) dispatch();
}

void OneVsRest::gather(const Batch& batch) {
  if (pieces_.empty() || piece_bytes_ >= kPieceBytes) {
    if (pieces_.size() == kPieces || gathered_.size() >= kMostBatches) dispatch();
    pieces_.push_back(gathered_.size());
    piece_bytes_ = 0;
  }
  gathered_.push_back(batch);
  pieces_.back() = gathered_.size();
  piece_bytes_ += bytes_of(batch);
}

std::vector<std::size_t> OneVsRest::active() const {
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    if (states_[t].verdict == Verdict::kContinue) all.push_back(t);
  }
  return all;
}

void OneVsRest::begin_pass() {
  pass_begun_ = true;
  std::vector<WideLearner*> wide;
  std::vector<std::size_t> narrow;
  const std::vector<std::size_t> tasks = active();
  for (const std::size_t t : tasks) {
    if (WideLearner* learner = wide_learner_of(*tasks_[t].learner)) {
      wide.push_back(learner);
    } else {
      narrow.push_back(t);
    }
  }
  if (wide.size() < kLeastWide) {
    wide.clear();
    narrow = tasks;
  }
  const auto threads = static_cast<std::size_t>(threads_);
  wide_.reset();
  if (!wide.empty()) wide_.emplace(wide, features_, threads);
  narrow_.clear();
  const std::size_t narrow_groups = std::min(kGroups * threads, narrow.size());
  for (std::size_t g = 0; g < narrow_groups; ++g) {
    const auto own = share<const std::size_t>(narrow, g, narrow_groups);
    narrow_.emplace_back(own.begin(), own.end());
  }
}

void OneVsRest::visit_narrow(std::size_t group, Scratch& scratch) {
  std::size_t begin = 0;
  for (const std::size_t end : pieces_) {
    for (const std::size_t t : narrow_[group]) {
      for (std::size_t b = begin; b < end; ++b) {
        visit_as(tasks_[t], gathered_[b], scratch);
        poll(values_in(gathered_[b]));
      }
    }
    begin = end;
  }
}

void OneVsRest::dispatch() {
  if (!pass_begun_) begin_pass();
  double work = 0;
  for (const Batch& batch : gathered_) work += pass_nanoseconds(batch.rows, values_in(batch));
  work *= static_cast<double>(active().size());
  // Tasks that make the pass together share out its rows. The others are themselves shared out.
  const std::size_t slots = wide_ ? wide_->slots() : 0;
  parallel_for(slots + narrow_.size(), threads_, work, [&](std::size_t part, std::size_t worker) {
    if (part >= slots) return visit_narrow(part - slots, scratch_[worker]);
    for (const Batch& batch : share<const Batch>(gathered_, part, slots)) wide_->add(batch, part);
  });
  gathered_.clear();
  pieces_.clear();
  piece_bytes_ = 0;
}

void OneVsRest::visit_as(ManyTask& task, const Batch& rows, Scratch& scratch) {
  if (!task.relabel) return task.learner->visit(rows);
  const auto count = static_cast<std::size_t>(rows.rows);
  Batch own = rows;
  scratch.label.resize(count);
  std::copy_n(rows.label.data(), std::min(count, rows.label.size()), scratch.label.data());
  if (task.weighs) {
    scratch.weight.resize(count);
    for (std::size_t i = 0; i < count; ++i) scratch.weight[i] = rows.weight_of(static_cast<std::int64_t>(i));
    own.weight = scratch.weight;
  }
  own.label = scratch.label;
  task.relabel(rows, scratch.label, task.weighs ? std::span(scratch.weight) : std::span<double>());
  task.learner->visit(own);
}

void OneVsRest::synchronise_gram(Comm& comm) {
  if (!gram_) return;
  if (gram_->gram.sampling()) return gram_->gram.end_sample(comm, gram_->centred, threads_);
  if (decided_) return;
  decided_ = true;
  const bool dense = !all_reduce_any(comm, !dense_);
  all_rows_ = all_reduce_sum(comm, static_cast<std::int64_t>(rows_));
  gram_->expected = dense && all_rows_ > 0 && GramPreconditioner::pays(static_cast<double>(all_rows_), features_, 1);
  if (gram_->expected) gram_->gram.begin_sample(features_, all_rows_, 1);
}

void OneVsRest::synchronise(Comm& comm) {
  if (!deadline_.run([&] { dispatch(); })) return;
  if (wide_) wide_->end();
  if (!deadline_.run([&] { synchronise_gram(comm); })) return;
  const std::vector<std::size_t> tasks = active();
  const auto one = [&](std::size_t k, std::size_t) { tasks_[tasks[k]].learner->synchronise(comm); };
  // Workers must all handle the same task at a time.
  parallel_for(tasks.size(), comm.size() == 1 ? threads_ : 1, end_nanoseconds(tasks.size()), one);
}

Verdict OneVsRest::end_pass(Progress& progress) {
  pass_begun_ = false;
  const std::vector<std::size_t> tasks = deadline_.cut_off() ? std::vector<std::size_t>() : active();
  parallel_for(tasks.size(), threads_, end_nanoseconds(tasks.size()), [&](std::size_t k, std::size_t) {
    TaskState& state = states_[tasks[k]];
    ++state.passes;
    Progress last;
    last.pass = state.passes;
    last.rows = progress.rows;
    last.rows_in_all = progress.rows_in_all;
    state.verdict = tasks_[tasks[k]].learner->end_pass(last);
    last.pass_ended = true;
    state.last = last;
  });
  // A task that has converged keeps its objective, but makes no mistake in this pass.
  for (const std::size_t t : tasks) exact_all_reduce(progress.mistakes, states_[t].last.mistakes);
  for (const TaskState& state : states_) {
    exact_all_reduce(progress.objective, state.last.objective);
    take_greatest(progress.gap, state.last.gap);
    take_greatest(progress.residual, state.last.residual);
  }
  return active().empty() ? Verdict::kConverged : Verdict::kContinue;
}

std::int64_t OneVsRest::passes_to_finish() {
  if (!deadline_.run([&] { dispatch(); })) return 0;  // a task is asked when it has seen what came so far
  std::int64_t most = 0;
  for (const std::size_t t : active()) most = std::max(most, tasks_[t].learner->passes_to_finish());
  return most;
}

void OneVsRest::reopen() {
  for (TaskState& state : states_) state.verdict = Verdict::kContinue;
}

std::vector<Model> OneVsRest::models() const {
  std::vector<Model> all;
  all.reserve(tasks_.size());
  for (const ManyTask& task : tasks_) all.push_back(task.learner->model());
  return all;
}

TrainingStats OneVsRest::stats() const {
  TrainingStats all;
  for (const ManyTask& task : tasks_) all.mistakes += task.learner->stats().mistakes;
  return all;
}

std::string OneVsRest::save_state() const {
  ByteWriter writer;
  writer.text("many 2");
  writer.number<std::uint64_t>(tasks_.size());
  writer.number(static_cast<std::uint8_t>(gram_ && gram_->expected));
  writer.number(static_cast<std::uint8_t>(decided_));
  writer.number(all_rows_);
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    writer.number(static_cast<std::uint8_t>(states_[t].verdict));
    writer.number(states_[t].passes);
    const Progress& last = states_[t].last;
    writer.number(last.mistakes.value_or(-1));
    for (const auto& x : {last.objective, last.gap, last.residual}) {
      writer.number(static_cast<std::uint8_t>(x.has_value()));
      writer.number(x.value_or(0));
    }
    writer.text(tasks_[t].learner->save_state());
  }
  return writer.bytes();
}

void OneVsRest::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("many 2");
  require_state(reader.number<std::uint64_t>() == tasks_.size());
  const bool expected = reader.flag();
  decided_ = reader.flag();
  pass_begun_ = false;
  all_rows_ = reader.count();
  require_state(!expected || gram_);
  if (gram_) gram_->expected = expected;
  if (expected && !gram_->gram.sampled()) gram_->gram.begin_sample(features_, all_rows_, 1);
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    TaskState& state = states_[t];
    const auto verdict = reader.number<std::uint8_t>();
    require_state(verdict <= static_cast<std::uint8_t>(Verdict::kStalled));
    state.verdict = static_cast<Verdict>(verdict);
    state.passes = reader.count();
    state.last = {};
    state.last.pass = state.passes;
    state.last.pass_ended = state.passes > 0;
    const auto mistakes = reader.number<std::int64_t>();
    require_state(mistakes >= -1 && mistakes < std::int64_t{1} << 53);
    if (mistakes >= 0) state.last.mistakes = mistakes;
    for (auto* x : {&state.last.objective, &state.last.gap, &state.last.residual}) {
      const bool known = reader.flag();
      const double value = reader.ordered();
      if (known) *x = value;
    }
    tasks_[t].learner->load_state(reader.text());
  }
  reader.end();
}

}  // namespace linsep
