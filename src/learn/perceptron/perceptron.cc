// The perceptron.
//
// Problem: Find θ, θ0 with y·(θ·x + θ0) > 0 on every row. (Rosenblatt 1958; averaged and voted: Freund & Schapire,
// "Large margin classification using the perceptron algorithm", 1999.)
//
// Method: For each row visited, z = θ·x + θ0. On a mistake, y·z ≤ 0, θ += η·y·x and θ0 += η·y (not with `origin`).
//   last      the θ reached.
//   averaged  the mean of θ over all steps, with θ_t being θ after row visit t has been dealt with (Averaging).
//   voted     every θ_t votes sign(θ_t·x + θ0_t). The rows of the mistakes are kept, so memory grows with mistakes.
//
// Stops: At the first pass without a mistake among its rows (among those drawn if rows are drawn). For separable rows
// within radius R and with margin γ, a run from θ = 0 makes at most (R/γ)² mistakes before that. Otherwise it never
// stops.
//
// Cost of a pass: One dot product per row and one or (averaged) two vector updates per mistake.
//
// Workers: Each goes over its shard, then all resume from the mean of their θ (`mix`). The averaged variant is then the
// mean over the steps of all workers. A run depends on the number of workers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "learn/common_options.h"
#include "learn/learners.h"
#include "learn/perceptron/multiclass.h"
#include "learn/perceptron/record.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

// Averaging computes the mean of a perceptron's θ over all its steps, without touching all of θ at each of them.
//
// θ_t is θ after row visit t = 1 … N. A mistake at visit t adds (t − 1)·η·y·x to a vector u, and mean = (N·θ − u) / N.
// The order of operations is a = (t − 1)·(η·y), u_j += a·x_j, then at the end (N·θ_j − u_j) / N, each rounded once. If
// sums are exact, this is the rounded mean itself. With several workers it is the mean over the steps of all.

class Averaging {
 public:
  void widen(std::size_t features) { late_.resize(features); }

  /// θ += a·x (and θ0 += a, unless `origin`) after `step` visits.
  template <class Row>
  void correct(double a, const Row& x, bool origin, std::int64_t step) {
    const double late = static_cast<double>(step) * a;
    axpy(late, x, late_.data());
    if (!origin) late_offset_ += late;
  }

  /// Call this when all workers are about to resume from the same θ. It adds up what they have done in `steps` visits
  /// each.
  void synchronise(Comm& comm, const std::vector<double>& theta, double offset, std::int64_t steps);

  /// Replaces the θ and θ0 reached, after `steps` visits since workers were synchronized, by the mean of all.
  void average(std::vector<double>& theta, double& offset, std::int64_t steps) const;

  void save(ByteWriter& writer) const;
  /// Loads what was saved with this number of features.
  void load(ByteReader& reader, std::size_t features);

 private:
  /// Σθ_t over the steps since workers were synchronized, and at the end Σθ0_t.
  std::vector<double> sum_of_steps(const std::vector<double>& theta, double offset, std::int64_t steps) const;

  std::vector<double> late_;  ///< u
  double late_offset_ = 0;
  std::vector<double> mixed_sum_;  ///< with workers: Σθ_t over their steps in the passes that have ended, the last
  std::int64_t mixed_steps_ = 0;   ///< number is that of θ0. Also how many steps these are
};

std::vector<double> Averaging::sum_of_steps(const std::vector<double>& theta, double offset,
                                            std::int64_t visits) const {
  const auto steps = static_cast<double>(visits);
  std::vector<double> sum(theta.size() + 1);
  for (std::size_t j = 0; j < theta.size(); ++j) sum[j] = steps * theta[j] - late_[j];
  sum.back() = steps * offset - late_offset_;
  return sum;
}

void Averaging::synchronise(Comm& comm, const std::vector<double>& theta, double offset, std::int64_t steps) {
  std::vector<double> sum = sum_of_steps(theta, offset, steps);
  exact_all_reduce(comm, std::span<double>(sum));
  if (!mixed_sum_.empty()) {  // grown features go before the intercept
    mixed_sum_.insert(mixed_sum_.end() - 1, sum.size() - mixed_sum_.size(), 0.0);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += mixed_sum_[j];
  }
  mixed_sum_ = std::move(sum);
  mixed_steps_ += all_reduce_sum(comm, steps);
  late_.assign(theta.size(), 0.0);
  late_offset_ = 0;
}

void Averaging::average(std::vector<double>& theta, double& offset, std::int64_t visits) const {
  const std::int64_t steps = mixed_steps_ + visits;
  if (steps == 0) return;
  std::vector<double> sum = sum_of_steps(theta, offset, visits);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    if (j + 1 < mixed_sum_.size()) sum[j] += mixed_sum_[j];
    theta[j] = sum[j] / static_cast<double>(steps);
  }
  if (!mixed_sum_.empty()) sum.back() += mixed_sum_.back();
  offset = sum.back() / static_cast<double>(steps);
}

void Averaging::save(ByteWriter& writer) const {
  writer.numbers(late_);
  writer.number(late_offset_);
  writer.numbers(mixed_sum_);
  writer.number(mixed_steps_);
}

void Averaging::load(ByteReader& reader, std::size_t features) {
  late_ = reader.numbers<double>(features);
  late_offset_ = reader.finite();
  mixed_sum_ = reader.numbers_or_none<double>(features + 1);
  mixed_steps_ = reader.count();
  require_state(!mixed_sum_.empty() || mixed_steps_ == 0);
}

enum class Variant { kLast, kAveraged, kVoted };

Variant variant_named(const std::string& name) {
  if (name == "averaged") return Variant::kAveraged;
  return name == "voted" ? Variant::kVoted : Variant::kLast;
}

class Perceptron final : public Learner {
 public:
  Perceptron(const Options& options, const Model* start)
      : variant_(variant_named(get_text(options, "variant"))),
        origin_(get_flag(options, "origin")),
        traced_(get_flag(options, "trace")),
        weighted_(get_flag(options, "weighted")),
        rate_(get_number(options, "rate")),
        init_(get_numbers(options, "init")),
        init_offset_(get_number(options, "init-offset")),
        init_given_(!init_.empty()) {
    if (!init_given_ && start != nullptr) {
      if (start->form != Model::Form::kLinear) throw usage_error("the perceptron starts from linear models only");
      init_ = start->theta;
      if (init_offset_ == 0) init_offset_ = start->offset;
    }
    if (origin_ && init_offset_ != 0) {
      throw option_error("origin", "{} keeps the offset at 0, so training can't start from another offset");
    }
  }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override;
  TrainingStats stats() const override;
  void record_visits(std::int64_t most) override { visits_.set_most(most); }
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// `visit`, with a record of each row.
  void visit_recorded(const Batch& batch);
  /// `y` comes with the row's weight if weights count. `step` is the number of rows visited before this one.
  template <class Row>
  void correct(const Row& x, double y, std::int64_t row, std::int64_t step);
  void widen(std::size_t features);

  const Variant variant_;
  const bool origin_;
  const bool traced_;
  const bool weighted_;
  const double rate_;
  std::vector<double> init_;
  double init_offset_;
  const bool init_given_;

  std::vector<double> theta_;
  double offset_ = 0;
  std::int64_t pass_ = 1;   ///< the one under way
  std::int64_t steps_ = 0;  ///< rows visited. With workers, since θ was last averaged over them
  MistakeCount mistakes_;

  Averaging averaging_;  ///< averaged
  KeptRows kept_;        ///< voted
  std::vector<double> coefficient_;
  std::vector<double> votes_;     ///< of the classifiers that have been corrected since
  std::int64_t voter_since_ = 0;  ///< the step at which the present classifier came

  Trace trace_;
  Visits visits_;
};

void Perceptron::begin(const Shape& shape) {
  if (init_given_ && shape.rows >= 0 && init_.size() != shape.features) {
    throw option_error("init",
                       fmt::format("{{}} has {} numbers, but the data have {} features", init_.size(), shape.features));
  }
  theta_ = init_;
  offset_ = init_offset_;
  pass_ = 1;
  steps_ = 0;
  mistakes_.begin(shape);
  averaging_ = {};
  kept_ = {};
  coefficient_.clear();
  votes_.clear();
  voter_since_ = 0;
  trace_ = {};
  widen(std::max<std::size_t>(theta_.size(), shape.features));
  visits_.begin(theta_, offset_);
}

void Perceptron::widen(std::size_t features) {
  if (features > theta_.size()) theta_.resize(features);
  if (variant_ == Variant::kAveraged) averaging_.widen(theta_.size());
}

void Perceptron::visit(const Batch& batch) {
  widen(batch.features);
  mistakes_.visit(batch);
  if (visits_.on()) return visit_recorded(batch);
  const double* label = batch.label.data();
  const double* theta = theta_.data();
  std::int64_t step = steps_;
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    if (batch.weight_of(i) == 0) return;
    const double y = label[i];
    const double z = dot(x, theta) + offset_;
    if (!(y * z > 0)) [[unlikely]]
      correct(x, weighted_ ? y * batch.weight_of(i) : y, batch.number_of(i), step);  // NaN is a mistake as well
    ++step;
  });
  steps_ = step;
}

void Perceptron::visit_recorded(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    if (batch.weight_of(i) == 0) return;
    const double y = batch.label[static_cast<std::size_t>(i)];
    const auto margin = [&] { return y * (dot(x, theta_.data()) + offset_); };
    RowVisit visit;
    visit.row = batch.number_of(i);
    visit.before = margin();
    visit.mistake = !(visit.before > 0);
    if (visit.mistake) correct(x, weighted_ ? y * batch.weight_of(i) : y, visit.row, steps_);
    visit.after = visit.mistake ? margin() : visit.before;
    visit.theta = theta_;
    visit.offset = offset_;
    visits_.record(std::move(visit));
    ++steps_;
  });
}

template <class Row>
[[gnu::noinline]] void Perceptron::correct(const Row& x, double y, std::int64_t row, std::int64_t step) {
  const double a = rate_ * y;
  axpy(a, x, theta_.data());
  if (!origin_) offset_ += a;
  mistakes_.add(row);
  if (variant_ == Variant::kAveraged) {
    averaging_.correct(a, x, origin_, step);
  } else if (variant_ == Variant::kVoted) {
    keep_row(kept_, x);
    coefficient_.push_back(a);
    votes_.push_back(static_cast<double>(step - voter_since_));
    voter_since_ = step;
  }
  if (traced_) trace_.record({pass_, row, theta_, offset_});
}

void Perceptron::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  if (variant_ == Variant::kVoted) throw usage_error("the voted perceptron runs on one worker");
  mistakes_.synchronise(comm);
  widen(static_cast<std::size_t>(all_reduce_max(comm, static_cast<std::int64_t>(theta_.size()))));
  if (variant_ == Variant::kAveraged) averaging_.synchronise(comm, theta_, offset_, steps_);
  steps_ = 0;
  // Without a mistake all have the same θ already, and a mean would only round it.
  if (mistakes_.in_pass() > 0) mix(comm, theta_, offset_);
}

Verdict Perceptron::end_pass(Progress& progress) {
  ++pass_;
  visits_.end_pass();
  progress.mistakes = mistakes_.end_pass();
  return *progress.mistakes == 0 ? Verdict::kConverged : Verdict::kContinue;
}

Model Perceptron::model() const {
  Model model;
  model.learner = "perceptron";
  model.origin = origin_;
  model.theta = theta_;
  model.offset = offset_;
  if (variant_ == Variant::kAveraged) {
    averaging_.average(model.theta, model.offset, steps_);
  } else if (variant_ == Variant::kVoted) {
    model.form = Model::Form::kVoted;
    model.theta = init_;
    model.theta.resize(theta_.size());
    model.offset = init_offset_;
    model.kept = kept_;
    model.coefficient = coefficient_;
    model.votes = votes_;
    model.votes.push_back(static_cast<double>(steps_ - voter_since_));
  }
  model.features = static_cast<std::uint32_t>(theta_.size());
  return model;
}

TrainingStats Perceptron::stats() const {
  TrainingStats stats;
  mistakes_.report(stats);
  stats.trace = trace_.steps();
  stats.visits = visits_.so_far();
  return stats;
}

std::string Perceptron::save_state() const {
  ByteWriter writer;
  writer.text("perceptron 1");
  writer.number(static_cast<std::int32_t>(variant_));
  writer.numbers(theta_);
  writer.number(offset_);
  writer.number(pass_);
  writer.number(steps_);
  mistakes_.save(writer);
  averaging_.save(writer);
  save_rows(writer, kept_);
  writer.numbers(coefficient_);
  writer.numbers(votes_);
  writer.number(voter_since_);
  trace_.save(writer);
  return writer.bytes();
}

void Perceptron::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("perceptron 1");
  if (reader.number<std::int32_t>() != static_cast<std::int32_t>(variant_)) {
    throw input_error("this saved state is of another variant of the perceptron");
  }
  theta_ = reader.numbers<double>(theta_.size());
  offset_ = reader.finite();
  pass_ = reader.count();
  steps_ = reader.count();
  mistakes_.load(reader);
  averaging_.load(reader, variant_ == Variant::kAveraged ? theta_.size() : 0);
  kept_ = load_rows(reader, theta_.size());
  coefficient_ = reader.numbers<double>(kept_.size());
  votes_ = reader.numbers<double>(kept_.size());
  voter_since_ = reader.count();
  trace_.load(reader, theta_.size());
  reader.end();
  visits_.begin(theta_, offset_, pass_);
  require_state(variant_ == Variant::kVoted || kept_.size() == 0);
  require_state(voter_since_ <= steps_ && std::ranges::all_of(votes_, [](double votes) { return votes >= 0; }));
}

OptionTable perceptron_options() {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  return {
      passes_option(100),
      order_option(),
      seed_option(),
      origin_option(),
      in_group("objective", positive_option("rate", 1,
                                            "The learning rate η: a mistake adds η·y·x to θ. Rows of weight 0 are left "
                                            "out.")),
      weighted_option(),
      in_group("start", numbers_option("init", "Start from these weights, one per feature; by default from 0.")),
      in_group("start", number_option("init-offset", 0, -kAny, kAny, "Start from this intercept.")),
      in_group("objective",
               choice_option("variant", "last", {"last", "averaged", "voted"},
                             "Which classifier to keep: the last, the average over all steps, or a vote of all steps "
                             "(which stores the row of every mistake).")),
      in_group("objective",
               choice_option("multiclass", "rest", {"rest", "joint"},
                             "With more than two classes: one classifier per class against the rest, or all of them "
                             "trained jointly.")),
      in_group("reports", flag_option("trace", "Record θ after every mistake, until 8,388,608 numbers are kept.")),
  };
}

void refuse(const Options& options, const TrainingRequest& demand) {
  const std::string& variant = get_text(options, "variant");
  if (demand.parts > 0) {
    if (get_flag(options, "trace")) throw usage_error("a trace needs two classes");
    if (!get_numbers(options, "init").empty() || get_number(options, "init-offset") != 0) {
      throw option_error("init", "{} gives the weights of one classifier, but several are trained here");
    }
    if (variant == "voted") throw usage_error("the voted perceptron is for two classes");
    if (demand.joint && demand.start) throw usage_error("with several classes, the perceptron starts from 0");
  }
  if (demand.workers == 1) return;
  if (variant == "voted") throw usage_error("the voted perceptron runs on one worker");
  if (demand.joint && variant == "averaged") {
    throw usage_error("the averaged perceptron of several classes runs on one worker");
  }
}

}  // namespace

const LearnerEntry& perceptron_entry() {
  static const LearnerEntry kEntry = {
      .info = {.name = "perceptron",
               .help = "Corrects θ after every mistake until a pass makes none.",
               .formula = "θ += η·y·x and θ0 += η·y on a mistake, y·(θ·x + θ0) ≤ 0",
               .table = perceptron_options(),
               .many = true,
               .starts = true,
               .mistake_bound = true},
      .make = [](const Options& options, const Model* start, const LearnerRun& /*run*/) -> std::unique_ptr<Learner> {
        return std::make_unique<Perceptron>(options, start);
      },
      .make_joint = make_joint_perceptron,
      .joint = [](const Options& options) { return get_text(options, "multiclass") == "joint"; },
      .refuse = refuse,
      .order = order_asked,
      // Mistakes by row, θ and a few like it.
      .memory =
          [](const Options& /*options*/, const Shape& /*shape*/, int /*threads*/, const SolverChoice& /*choice*/) {
            return MemoryRates{.row = 32, .column = 8 * 8, .least_column = 12};
          },
  };
  return kEntry;
}

}  // namespace linsep
