#include "learn/margin/margin.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/elementary.h"
#include "core/parallel.h"
#include "learn/common_options.h"
#include "learn/learners.h"
#include "learn/margin/hard.h"
#include "learn/margin/softmax.h"
#include "linsep/error.h"
#include "numeric/gram.h"

namespace linsep {
namespace {

constexpr std::int64_t kLeastPasses = 10;  // between two measurements of the gap that a forecast rests on
constexpr double kPatience = 50;           // passes of Newton's method on rows that can be separated
constexpr double kLeastSweeps = 30;        // before the first measurements of the gap
constexpr double kNothing = 0.999;         // a gap above this: no dual point yet

MarginSettings settings_of(const Options& options, int threads) {
  MarginSettings settings;
  settings.loss = margin_loss(options);
  settings.penalty = margin_penalty(options);
  settings.group_features = get_flag(options, "group-features");
  settings.origin = get_flag(options, "origin");
  settings.lambda = get_number(options, "lambda");
  settings.c = get_number(options, "C");
  settings.gap = get_number(options, "gap");
  settings.positive_weight = get_number(options, "positive-weight");
  settings.negative_weight = get_number(options, "negative-weight");
  settings.passes = get_integer(options, "passes");
  settings.threads = thread_count(threads);
  return settings;
}

bool finds_separators(const Learner& solver) {
  const auto* finder = dynamic_cast<const SeparatorFinder*>(&solver);
  return finder != nullptr && finder->separates();
}

/// A solver that turns out to be slow gives way to the other one; the better of their bounds count. Two that may both
/// be slow take turns, each twice as long as the one before, so that the faster one decides how long it takes.
class Margin : public LambdaLearner, public GramSharer {
 public:
  Margin(Options options, const Model* start, LearnerRun run) : options_(std::move(options)), run_(std::move(run)) {
    if (start != nullptr) start_ = *start;
    started_ = given_start_ = start != nullptr;
  }

  void set_stop(const StopFunction& stop) override {
    stop_requested_ = false;
    stop_ = !stop ? stop : [this, stop] {
      if (stop()) stop_requested_ = true;
      return stop_requested_.load();
    };
    if (solver_) solver_->set_stop(stop_);
  }

  void begin(const Shape& shape) override {
    shape_ = shape;
    choice_ = run_.choice.solver.empty() ? choose_margin_solver(options_, shape, run_.workers) : run_.choice;
    start_over();
    make_solver(choice_.solver);
    solver_->begin(shape);
  }

  bool share_gram(const std::shared_ptr<SharedGram>& gram) override {
    gram_ = gram;
    if (takes_gram(*solver_, gram_)) return true;
    gram_.reset();
    return false;
  }
  WideLearner* wide_learner() override { return wide_learner_of(*solver_); }

  void visit(const Batch& batch) override { solver_->visit(batch); }
  void synchronise(Comm& comm) override { solver_->synchronise(comm); }

  Verdict end_pass(Progress& progress) override {
    Verdict verdict = solver_->end_pass(progress);
    ++passes_;
    ++turn_passes_;
    if (!progress.gap) return verdict;  // stopped before anything was known
    if (best_.known) verdict = join_bounds(progress, verdict);
    if (stop_requested_) return verdict;
    if (verdict == Verdict::kContinue && too_slow(*progress.gap)) change_solver(progress);
    return verdict;
  }

  std::int64_t passes_to_finish() override { return solver_->passes_to_finish(); }
  TrainingStats stats() const override {
    TrainingStats stats = solver_->stats();
    if (stats.margin) {
      stats.margin->solver = name_;
      stats.margin->because = why();
      if (start_objective_) stats.margin->start_objective = start_objective_;
    }
    return stats;
  }
  Model model() const override { return best_.known && best_.by_first ? first_model_ : solver_->model(); }

  bool change_lambda(double lambda) override;

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  /// Of the solvers for this loss and these workers, or none.
  bool can_solve(const std::string& name) const {
    const SolverEntry* solver = find_solver(name);
    if (solver == nullptr) return name.empty();
    return solver->solves(margin_loss(options_), margin_penalty(options_)) &&
           (run_.workers == 1 || solver->any_workers);
  }

  void start_over() {
    best_ = {};
    measured_ = {};
    start_objective_ = {};
    passes_ = turn_passes_ = turns_ = 0;
  }

  std::string why() const {
    if (turns_ == 0) return choice_.because;
    const std::string_view first = find_solver(choice_.solver)->method;
    if (turns_ == 1) return fmt::format("{}, tried first, was slow", first);
    return fmt::format("it took turns with {}", find_solver(other_solver())->method);
  }
  const std::string& other_solver() const { return turns_ % 2 == 0 ? choice_.otherwise : choice_.solver; }

  void make_solver(const std::string& name) {
    MarginSettings settings = settings_of(options_, run_.threads);
    settings.check_often = !choice_.otherwise.empty();
    settings.keep_start = given_start_;
    settings.passes -= passes_ - turn_passes_;
    name_ = name;
    solver_ = find_solver(name)->make(settings, started_ ? &start_ : nullptr);
    solver_->set_stop(stop_);
    if (gram_) takes_gram(*solver_, gram_);
  }

  /// Looks at how the gap has fallen since it was first measured, and from there to the gap wanted.
  ///
  /// Rows that can be separated are another matter. There Newton's method may go from one set of rows within the margin
  /// to the next for ever, and coordinate descent is faster than its first passes promise.
  bool too_slow(double gap) {
    if (choice_.otherwise.empty() || find_solver(name_)->steady) return false;
    const bool takes_turns = !find_solver(other_solver())->steady;
    const bool separates = takes_turns && finds_separators(*solver_);
    const auto longer = static_cast<int>(std::min<std::int64_t>(turns_, 60));
    const auto made = static_cast<double>(turn_passes_);
    if (!find_solver(name_)->forecasts) {
      if (!takes_turns) return made > 2 * choice_.worth_passes;
      const bool separable = separates || shape_.rows < shape_.features;
      return made > std::ldexp(separable ? kPatience : choice_.worth_passes, longer);
    }
    if (made > std::ldexp(2 * choice_.worth_passes, longer)) return true;
    if (separates || turns_ > 1) return false;
    if (gap > kNothing) return !takes_turns && made > std::max(kLeastSweeps, choice_.worth_passes / 5);
    if (gap == measured_.last || gap <= 0) return false;  // nothing new
    measured_.last = gap;
    if (measured_.first_pass == 0) {
      measured_.first = gap;
      measured_.first_pass = passes_;
    }
    if (passes_ - measured_.first_pass < kLeastPasses) return false;
    const double rate = elementary::log(measured_.first / gap) / static_cast<double>(passes_ - measured_.first_pass);
    // Sweeps converge faster towards the end, so that the forecast must be twice as bad before it counts.
    return elementary::log(gap / get_number(options_, "gap")) > rate * 2 * choice_.worth_passes;
  }

  void change_solver(const Progress& progress) {
    first_model_ = model();
    if (const auto found = stats().margin) start_objective_ = found->start_objective;
    best_ = {true, true, *progress.objective, *progress.objective * (1 - *progress.gap)};
    start_ = first_model_;
    started_ = true;
    given_start_ = false;
    const std::string next = other_solver();
    ++turns_;
    turn_passes_ = 0;
    measured_ = {};
    make_solver(next);
    solver_->begin(shape_);
  }

  Verdict join_bounds(Progress& progress, Verdict verdict) {
    const double low = std::max(best_.low, *progress.objective * (1 - *progress.gap));
    best_.by_first = best_.objective <= *progress.objective;
    progress.objective = std::min(best_.objective, *progress.objective);
    progress.gap = *progress.objective > 0 ? 1 - low / *progress.objective : 0;
    return *progress.gap <= get_number(options_, "gap") ? Verdict::kConverged : verdict;
  }

  Options options_;
  Model start_;
  std::optional<double> start_objective_;       // as the solvers before this one measured it
  bool started_ = false, given_start_ = false;  // from a model; from that of the caller
  LearnerRun run_;
  Shape shape_;
  SolverChoice choice_;
  std::string name_;
  std::shared_ptr<SharedGram> gram_;  // where many learners share one
  std::unique_ptr<Learner> solver_;
  StopFunction stop_;
  std::atomic<bool> stop_requested_ = false;
  // Passes for this λ, and those since another solver took over; how often one did.
  std::int64_t passes_ = 0, turn_passes_ = 0, turns_ = 0;
  struct {
    double first = 1, last = 1;  // gaps
    std::int64_t first_pass = 0;
  } measured_;
  /// Of all solvers before this one: their objective, their lower bound, and whether their classifier is better.
  struct {
    bool known = false, by_first = false;
    double objective = 0, low = 0;
  } best_;
  Model first_model_;
};

// A smaller λ makes descent slower. If it has given way to another solver, or nearly so, that one goes first from here
// on, and for good if its passes don't depend on the rows.
bool Margin::change_lambda(double lambda) {
  const bool gave_way = name_ != choose_margin_solver(options_, shape_, run_.workers).solver;
  const bool smaller = lambda < get_number(options_, "lambda");
  start_ = model();
  started_ = true;
  given_start_ = false;
  options_["lambda"] = lambda;
  choice_ = choose_margin_solver(options_, shape_, run_.workers);
  const bool slow = gave_way || static_cast<double>(passes_) > choice_.worth_passes / 2;
  if (smaller && slow && !choice_.otherwise.empty()) {
    const SolverEntry &first = *find_solver(choice_.solver), &second = *find_solver(choice_.otherwise);
    const std::string because = fmt::format("{} was slow at a greater λ", first.method);
    choice_ = {choice_.otherwise, because, second.steady ? "" : choice_.solver, choice_.worth_passes};
  }
  start_over();
  auto* able = name_ == choice_.solver ? dynamic_cast<LambdaLearner*>(solver_.get()) : nullptr;
  if (able != nullptr && able->change_lambda(lambda)) return true;
  make_solver(choice_.solver);
  solver_->begin(shape_);
  return true;
}

std::string Margin::save_state() const {
  ByteWriter writer;
  writer.text("margin 4");
  writer.text(name_);
  for (const std::string& x : {choice_.solver, choice_.because, choice_.otherwise}) writer.text(x);
  writer.number(choice_.worth_passes);
  writer.number(shape_.rows);
  writer.number(shape_.features);
  writer.number(shape_.nonzeros);
  for (const std::int64_t x : {passes_, turn_passes_, turns_, measured_.first_pass}) writer.number(x);
  for (const double x : {measured_.first, measured_.last, best_.objective, best_.low, first_model_.offset})
    writer.number(x);
  writer.number(start_objective_.value_or(0));
  for (const bool x : {best_.known, best_.by_first, given_start_, start_objective_.has_value()}) {
    writer.number(static_cast<std::uint8_t>(x));
  }
  writer.numbers(first_model_.theta);
  writer.text(solver_->save_state());
  return writer.bytes();
}

void Margin::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin 4");
  const std::string name = reader.text();
  for (std::string* x : {&choice_.solver, &choice_.because, &choice_.otherwise}) *x = reader.text();
  choice_.worth_passes = reader.ordered();
  for (const std::string& solver : {name, choice_.solver, choice_.otherwise}) {
    require_state(can_solve(solver), "a solver in it is unknown");
  }
  require_state(!name.empty() && !choice_.solver.empty() && (name == choice_.solver || name == choice_.otherwise));
  require_state(reader.number<std::int64_t>() == shape_.rows);
  require_state(reader.number<std::uint32_t>() == shape_.features);
  require_state(reader.number<std::int64_t>() == shape_.nonzeros);
  for (std::int64_t* x : {&passes_, &turn_passes_, &turns_, &measured_.first_pass}) *x = reader.count();
  for (double* x : {&measured_.first, &measured_.last, &best_.objective, &best_.low}) *x = reader.ordered();
  require_state(turns_ == 0 || !choice_.otherwise.empty(), "it took turns with no other solver");
  first_model_.offset = reader.finite();
  const double start_objective = reader.finite();
  bool measured_start = false;
  for (bool* x : {&best_.known, &best_.by_first, &given_start_, &measured_start}) *x = reader.flag();
  start_objective_ = measured_start ? std::optional(start_objective) : std::nullopt;
  first_model_.theta = reader.numbers_or_none<double>(shape_.features);
  require_state(!best_.known || first_model_.theta.size() == shape_.features);
  first_model_.origin = get_flag(options_, "origin");
  if (best_.known) {  // the solver at work was started from there
    start_ = first_model_;
    started_ = true;
  }
  make_solver(name);
  solver_->begin(shape_);
  solver_->load_state(reader.text());
  reader.end();
}

}  // namespace

namespace {

std::string_view loss_help() {
  static const std::string kHelp = [] {
    std::string text = "What a row's margin m costs.";
    for (const LossFacts& loss : kLosses) {
      text +=
          fmt::format(" {}: {}{}.", loss.name, loss.formula, loss.joint ? ", of all classes' scores z together" : "");
    }
    return text;
  }();
  return kHelp;
}

/// "hinge, squared hinge, logistic or softmax".
std::string loss_list() {
  std::string text;
  for (const LossFacts& loss : kLosses) {
    if (!text.empty()) text += &loss == &kLosses.back() ? " or " : ", ";
    text += loss.name;
  }
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

}  // namespace

OptionTable margin_options() {
  OptionTable objective = grouped(
      "objective",
      {
          choice_option("loss", "hinge", loss_names(), loss_help()),
          number_option("lambda", 0, 0, std::numeric_limits<double>::infinity(),
                        "The strength λ of the penalty beside the mean loss. 0: set by C."),
          positive_option("C", 1, "The inverse strength: λ = 1/(C·rows). A row of weight w counts C·w."),
          flag_option("hard",
                      "Hard margin: minimize ½‖θ‖² subject to y·z ≥ 1 on every row. The data must be separable."),
          positive_option("positive-weight", 1, "Count every row of the positive class this many times."),
          positive_option("negative-weight", 1, "Count every row of the negative class this many times."),
          text_option("class-weight", "",
                      "Weights of classes by name, such as a=2,b=0.5; or balanced: every class weighs the same."),
          choice_option(
              "penalty", "l2", {"l2", "l1", "elasticnet"},
              "The penalty on the weights: l2 (λ/2·‖θ‖²); l1 (λ·‖θ‖₁), which leaves most weights at exactly 0; "
              "or elasticnet, a mix of both by l1-ratio."),
          number_option("l1-ratio", 0, 0, 1,
                        "The share ρ of the L1 part: λ·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖²). elasticnet without it: 0.5."),
          flag_option(
              "group-features",
              "Loss softmax with an L1 part: keep or drop a feature for all classes at once. The L1 part is then "
              "ρ·Σ_j ‖Θ_j‖₂, Θ_j the weights of feature j in all classes."),
      });
  objective[1].details =
      "λ belongs to the mean loss, so it keeps its meaning when rows are added; C belongs to the sum: C = 1/(λ·Σ "
      "weight).";
  OptionSpec gap =
      in_group("stopping", positive_option("gap", 1e-3,
                                           "Stop once the objective is proven to be within this fraction of the best "
                                           "possible."));
  gap.details =
      "The gap is (primal − dual)/primal of the stated objective, intercept not penalized, with a bound on rounding "
      "added. "
      "With the penalty l2 it bounds the distance of the weights too: ‖θ − θ*‖² ≤ 2·gap·objective/λ.";
  return {
      passes_option(5000),
      objective[0],
      objective[1],
      objective[2],
      objective[3],
      objective[7],
      objective[8],
      objective[9],
      gap,
      in_group("numerics", choice_option("solver", "auto", solver_choices(), solver_help())),
      origin_option(),
      objective[4],
      objective[5],
      objective[6],
      seed_option(),
  };
}

namespace {

bool at_default(const Options& options, const char* name) {
  return options.find(name)->second == find_option(margin_entry().info.table, name)->fallback;
}

bool is_joint(const Options& options) { return !is_hard_margin(options) && facts_of(margin_loss(options)).joint; }

/// A loss of all classes together is of classes, and starts from 0.
void refuse_joint(const TrainingRequest& demand) {
  if (!demand.joint) {
    throw options_error({"loss", "loss"}, "{} softmax is for classes, not for label columns: use {} logistic");
  }
  if (demand.start) throw option_error("loss", "{} softmax can't start from a model");
}

void refuse_l1(const Options& options) {
  const double ratio = get_number(options, "l1-ratio");
  const std::string name = get_text(options, "penalty");
  if (name == "l1" && ratio > 0 && ratio < 1) {
    throw options_error({"penalty", "l1-ratio", "l1-ratio"}, "{} l1 is {} 1: leave out {}");
  }
  const Loss loss = margin_loss(options);
  const bool has_l1 = margin_penalty(options).has_l1();
  if (get_flag(options, "group-features")) {
    if (!facts_of(loss).joint) throw options_error({"group-features", "loss"}, "{} needs {} softmax");
    if (!has_l1) throw options_error({"group-features", "penalty"}, "{} needs {} l1 or elasticnet");
  }
}

/// Two ways to say the same, and weights of two classes where there are more.
void refuse_soft(const Options& options, const TrainingRequest& demand) {
  if (get_number(options, "lambda") > 0 && !at_default(options, "C")) {
    throw options_error({"lambda", "C"}, "{} and {} set the same thing, λ = 1/(C·rows): use only one of them");
  }
  refuse_l1(options);
  if (is_joint(options)) refuse_joint(demand);
  if (demand.parts == 0) return;
  for (const char* name : {"positive-weight", "negative-weight"}) {
    if (at_default(options, name)) continue;
    throw options_error({name, "class-weight"},
                        "{} is for two classes and one label column: use {} for several classes");
  }
}

/// The hard margin knows no loss and no weights, and two classes only.
void refuse(const Options& options, const TrainingRequest& demand) {
  if (!at_default(options, "class-weight")) {
    parse_class_weights(get_text(options, "class-weight"));
    for (const char* name : {"positive-weight", "negative-weight"}) {
      if (at_default(options, name)) continue;
      throw options_error({"class-weight", name}, "{} and {} both give weights to classes: use only one of them");
    }
  }
  if (!is_hard_margin(options)) return refuse_soft(options, demand);
  for (const char* name : {"loss", "lambda", "C", "penalty", "l1-ratio", "group-features", "solver", "positive-weight",
                           "negative-weight", "class-weight"}) {
    if (at_default(options, name)) continue;
    throw options_error({"hard", name}, "{} has no loss and no weights: leave out {}");
  }
  if (demand.parts > 0) throw usage_error("the hard margin is for two classes");
  if (demand.start) throw usage_error("the hard margin can't start from a model");
}

MemoryRates memory_rates(const Options& /*options*/, const Shape& shape, int threads, const SolverChoice& choice) {
  const auto count = static_cast<std::uint64_t>(thread_count(threads));
  const MemoryRates first = find_solver(choice.solver)->memory(count, shape);
  return choice.otherwise.empty() ? first : most_of(first, find_solver(choice.otherwise)->memory(count, shape));
}

}  // namespace

std::unique_ptr<Learner> make_joint_margin(const Options& options, std::size_t classes, const LearnerRun& run) {
  const MarginSettings settings = settings_of(options, run.threads);
  return (settings.penalty.has_l1() ? make_sparse_softmax : make_softmax)(settings, classes, run.choice);
}

const LearnerEntry& margin_entry() {
  static const std::string kHelp = fmt::format("Maximum margin: {} loss, to a certified gap.", loss_list());
  static const LearnerEntry kEntry = {
      .info =
          {.name = "margin",
           .help = kHelp,
           .formula =
               "min (1/n)·Σ ℓ(y·(θ·x + θ0)) + (λ/2)·‖θ‖², or another penalty; hard: min ½‖θ‖² under y·(θ·x + θ0) ≥ 1",
           .table = margin_options(),
           .many = true,
           .starts = true,
           .objective = true},
      .make = make_margin,
      .make_joint = make_joint_margin,
      .joint = is_joint,
      // The softmax of two classes is the logistic loss of the difference of their scores.
      .settle_single =
          [](Options& options) {
            if (!is_joint(options)) return;
            options["loss"] = std::string(LogisticLoss::kFacts.name);
            options["group-features"] = false;
          },
      .refuse = refuse,
      .choose =
          [](const Options& options, const Shape& shape, int workers) {
            return is_hard_margin(options) ? choose_hard_solver(shape, workers)
                                           : choose_margin_solver(options, shape, workers);
          },
      .order = [](const Options& /*options*/, const SolverChoice& choice) { return find_solver(choice.solver)->order; },
      .memory = memory_rates,
      .log_odds = [](const Options& options) { return facts_of(margin_loss(options)).log_odds; },
      .certifies = is_hard_margin,
  };
  return kEntry;
}

std::unique_ptr<Learner> make_margin(const Options& options, const Model* start, const LearnerRun& run) {
  if (!is_hard_margin(options)) return make_lambda_margin(options, start, run);
  refuse(options, {.start = start != nullptr});
  return make_hard_margin(settings_of(options, run.threads), run.choice);
}

std::unique_ptr<LambdaLearner> make_lambda_margin(const Options& options, const Model* start, const LearnerRun& run) {
  if (is_hard_margin(options)) throw option_error("hard", "the hard margin has no λ: leave out {}");
  if (is_joint(options)) {
    throw options_error({"loss", "loss"},
                        "{} softmax trains for a single λ and gives probabilities by itself: leave out the choice of "
                        "λ, or use {} logistic");
  }
  return std::make_unique<Margin>(options, start, run);
}

}  // namespace linsep
