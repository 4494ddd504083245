#include "learn/margin/margin.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "data/paged/permute_pages.h"
#include "data/permute.h"
#include "learn/common_options.h"
#include "learn/margin/cutting_planes.h"
#include "learn/margin/dual.h"
#include "learn/margin/hard.h"
#include "learn/margin/interior.h"
#include "learn/margin/newton.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::uint32_t kInteriorFeatures = 2000;
constexpr double kLargeC = 30;  // from here on coordinate descent is slow on most data

// Measured costs, in nanoseconds: of a sweep (with rows asleep), and of an iteration of the interior-point method.
constexpr double kSweepValue = 0.3, kSweepRow = 20;
constexpr double kSparseSquare = 0.6, kDenseSquare = 0.06, kIterationValue = 6, kIterationRow = 120;
constexpr double kSparseIterations = 35, kDenseIterations = 8, kFewSweeps = 20;
constexpr std::int64_t kLeastPasses = 10;  // between two measurements of the gap that a forecast rests on

MarginSettings settings_of(const Options& options, int threads) {
  MarginSettings settings;
  settings.loss = margin_loss(options);
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

/// C whatever way the strength was given; rows are taken to weigh 1, as their weights aren't known yet.
double c_of(const Options& options, const Shape& shape) {
  const double lambda = get_number(options, "lambda");
  return lambda > 0 ? 1 / (lambda * static_cast<double>(std::max<std::int64_t>(shape.rows, 1)))
                    : get_number(options, "C");
}

/// The choice can only be made when the shape is known. Coordinate descent that turns out to be slow gives way to the
/// other solver; the better of their bounds count.
class Margin : public LambdaLearner {
 public:
  Margin(Options options, const Model* start, const MarginRun& run) : options_(std::move(options)), run_(run) {
    if (start != nullptr) start_ = *start;
    started_ = start != nullptr;
  }

  void begin(const Shape& shape) override {
    shape_ = shape;
    choice_ = choose_margin_solver(options_, shape, run_.workers);
    best_ = {};
    measured_ = {};
    passes_ = 0;
    choose(choice_.solver);
    solver_->begin(shape);
  }

  void visit(const Batch& batch) override { solver_->visit(batch); }
  void synchronise(Comm& comm) override { solver_->synchronise(comm); }

  Verdict end_pass(Progress& progress) override {
    Verdict verdict = solver_->end_pass(progress);
    ++passes_;
    if (best_.known) verdict = join_bounds(progress, verdict);
    if (verdict == Verdict::kContinue && name_ == choice_.solver && too_slow(*progress.gap)) change_solver(progress);
    return verdict;
  }

  std::int64_t passes_to_finish() override { return solver_->passes_to_finish(); }
  TrainingStats stats() const override {
    TrainingStats stats = solver_->stats();
    if (stats.margin) {
      stats.margin->solver = name_;
      stats.margin->because = name_ == choice_.solver ? choice_.because : "coordinate descent, tried first, was slow";
    }
    return stats;
  }
  Model model() const override { return best_.known && best_.by_first ? first_model_ : solver_->model(); }

  bool change_lambda(double lambda) override;

  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  void choose(std::string_view name) {
    MarginSettings settings = settings_of(options_, run_.threads);
    settings.check_often = !choice_.otherwise.empty();
    const Model* start = started_ ? &start_ : nullptr;
    name_ = name;
    path_solver_ = nullptr;
    if (name == "dual") {
      auto dual = make_hinge_dual(settings, start);
      path_solver_ = dual.get();
      solver_ = std::move(dual);
    } else if (name == "interior") {
      solver_ = make_interior(settings, start);
    } else if (name == "planes") {
      solver_ = make_planes(settings, start);
    } else {
      solver_ = make_newton(settings, start);
    }
  }

  /// Looks at how the gap has fallen since it was first measured, and from there to the gap wanted.
  bool too_slow(double gap) {
    if (choice_.otherwise.empty()) return false;
    if (static_cast<double>(passes_) > 2 * choice_.worth_passes) return true;
    if (gap == measured_.last || gap <= 0 || gap > 0.999) return false;  // nothing new, or no dual point yet
    measured_.last = gap;
    if (measured_.first_pass == 0) {
      measured_.first = gap;
      measured_.first_pass = passes_;
    }
    if (passes_ - measured_.first_pass < kLeastPasses) return false;
    const double rate = std::log(measured_.first / gap) / static_cast<double>(passes_ - measured_.first_pass);
    // Sweeps converge faster towards the end, so that the forecast must be twice as bad before it counts.
    return std::log(gap / get_number(options_, "gap")) > rate * 2 * choice_.worth_passes;
  }

  void change_solver(const Progress& progress) {
    best_ = {true, true, *progress.objective, *progress.objective * (1 - *progress.gap)};
    first_model_ = solver_->model();
    start_ = first_model_;
    started_ = true;
    choose(choice_.otherwise);
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
  bool started_ = false;
  MarginRun run_;
  Shape shape_;
  MarginChoice choice_;
  std::string name_;
  std::unique_ptr<Learner> solver_;
  LambdaLearner* path_solver_ = nullptr;  // the same, where it can change λ by itself
  std::int64_t passes_ = 0;
  struct {
    double first = 1, last = 1;  // gaps
    std::int64_t first_pass = 0;
  } measured_;
  /// Of the first solver, when there has been a second: its objective, its lower bound, and whose classifier is better.
  struct {
    bool known = false, by_first = false;
    double objective = 0, low = 0;
  } best_;
  Model first_model_;
};

// A smaller λ makes descent slower. Where it has given way to another solver, or nearly so, that one takes over for
// good.
bool Margin::change_lambda(double lambda) {
  const bool gave_way = name_ != choose_margin_solver(options_, shape_, run_.workers).solver;
  const bool smaller = lambda < get_number(options_, "lambda");
  start_ = model();
  started_ = true;
  options_["lambda"] = lambda;
  choice_ = choose_margin_solver(options_, shape_, run_.workers);
  const bool slow = gave_way || static_cast<double>(passes_) > choice_.worth_passes / 2;
  if (smaller && slow && !choice_.otherwise.empty()) {
    choice_ = {choice_.otherwise, "coordinate descent was slow at a greater λ"};
  }
  best_ = {};
  measured_ = {};
  passes_ = 0;
  const bool same = name_ == choice_.solver;
  if (same && path_solver_ != nullptr && path_solver_->change_lambda(lambda)) return true;
  choose(choice_.solver);
  solver_->begin(shape_);
  return true;
}

std::string Margin::save_state() const {
  ByteWriter writer;
  writer.text("margin 2");
  writer.text(name_);
  for (const std::string& x : {choice_.solver, choice_.because, choice_.otherwise}) writer.text(x);
  writer.number(choice_.worth_passes);
  writer.number(shape_.rows);
  writer.number(shape_.features);
  writer.number(shape_.nonzeros);
  for (const std::int64_t x : {passes_, measured_.first_pass}) writer.number(x);
  for (const double x : {measured_.first, measured_.last, best_.objective, best_.low, first_model_.offset})
    writer.number(x);
  for (const bool x : {best_.known, best_.by_first}) writer.number(static_cast<std::uint8_t>(x));
  writer.numbers(first_model_.theta);
  writer.text(solver_->save_state());
  return writer.bytes();
}

void Margin::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("margin 2");
  const std::string name = reader.text();
  for (std::string* x : {&choice_.solver, &choice_.because, &choice_.otherwise}) *x = reader.text();
  choice_.worth_passes = reader.number<double>();
  if (name != "dual" && name != "interior" && name != "newton" && name != "planes")
    throw input_error("this saved state is damaged");
  shape_.rows = reader.number<std::int64_t>();
  shape_.features = reader.number<std::uint32_t>();
  shape_.nonzeros = reader.number<std::int64_t>();
  for (std::int64_t* x : {&passes_, &measured_.first_pass}) *x = reader.number<std::int64_t>();
  for (double* x : {&measured_.first, &measured_.last, &best_.objective, &best_.low, &first_model_.offset})
    *x = reader.number<double>();
  for (bool* x : {&best_.known, &best_.by_first}) *x = reader.number<std::uint8_t>() != 0;
  first_model_.theta = reader.numbers<double>();
  first_model_.origin = get_flag(options_, "origin");
  if (best_.known) {  // the solver at work was started from there
    start_ = first_model_;
    started_ = true;
  }
  choose(name);
  solver_->load_state(reader.text());
  reader.end();
}

}  // namespace

OptionTable margin_options() {
  OptionTable table = {
      passes_option(5000),
      choice_option("loss", "hinge", {"hinge", "squared-hinge", "logistic"},
                    "What a row's margin m costs: max(0, 1 − m), its square, or log(1 + e^−m)."),
      number_option("lambda", 0, 0, std::numeric_limits<double>::infinity(),
                    "The strength of (λ/2)‖θ‖² beside the mean loss; 0: by C."),
      positive_option("C", 1, "Strength the other way round: λ = 1/(C·rows), or C·weight for each row."),
      flag_option("hard",
                  "The hard margin: no row within the margin, min ½‖θ‖² under y·z ≥ 1; the data must be separable."),
      positive_option("gap", 1e-3, "Stop when the objective is proven to be within this share of the least possible."),
      choice_option("solver", "auto", {"auto", "dual", "interior", "newton", "planes"},
                    "Coordinate descent on the dual, an interior-point method, Newton's method, cutting planes, or "
                    "what suits the "
                    "data."),
      origin_option(),
      positive_option("positive-weight", 1, "Every row of the positive class counts so many times."),
      positive_option("negative-weight", 1, "Every row of the negative class counts so many times."),
      seed_option(),
  };
  return table;
}

Loss margin_loss(const Options& options) {
  const std::string& name = get_text(options, "loss");
  if (name == "squared-hinge") return Loss::kSquaredHinge;
  return name == "logistic" ? Loss::kLogistic : Loss::kHinge;
}

bool is_hard_margin(const Options& options) {
  if (!get_flag(options, "hard")) return false;
  static const OptionTable kTable = margin_options();
  for (const char* name : {"loss", "lambda", "C", "solver", "positive-weight", "negative-weight"}) {
    if (options.find(name)->second == find_option(kTable, name)->fallback) continue;
    throw options_error({"hard", name}, "{} knows no loss and no weights, only the margin: leave out {}");
  }
  return true;
}

std::unique_ptr<Learner> make_margin(const Options& options, const Model* start, const MarginRun& run) {
  if (is_hard_margin(options)) {
    if (start != nullptr) throw usage_error("the hard margin can't start from a model");
    return make_hard_margin({get_flag(options, "origin"), get_number(options, "gap"), thread_count(run.threads)});
  }
  return make_lambda_margin(options, start, run);
}

std::unique_ptr<LambdaLearner> make_lambda_margin(const Options& options, const Model* start, const MarginRun& run) {
  if (is_hard_margin(options)) throw option_error("hard", "the hard margin has no λ: leave out {}");
  return std::make_unique<Margin>(options, start, run);
}

MarginChoice choose_margin_solver(const Options& options, const Shape& shape, int workers) {
  const Loss loss = margin_loss(options);
  const std::string& asked = get_text(options, "solver");
  if (asked == "newton" && loss == Loss::kHinge) {
    throw usage_error("the solver newton needs a loss with a curvature: squared-hinge or logistic");
  }
  if (asked == "interior" && loss != Loss::kHinge) throw usage_error("the solver interior solves the loss hinge only");
  if (asked == "dual" && loss == Loss::kLogistic) {
    throw usage_error("the solver dual solves the losses hinge and squared-hinge; take newton for logistic");
  }
  if (asked == "planes" && loss != Loss::kHinge) throw usage_error("the solver planes solves the loss hinge only");
  if (workers > 1 && (asked == "dual" || asked == "interior")) {
    throw option_error("solver", fmt::format("the solver {} runs on one worker: take {}, or leave out {{}}", asked,
                                             loss == Loss::kHinge ? "planes" : "newton"));
  }
  if (asked == "dual") return {"dual", "it was asked for"};
  if (asked == "interior") return {"interior", "it was asked for"};
  if (asked == "newton") return {"newton", "it was asked for"};
  if (asked == "planes") return {"planes", "it was asked for"};
  if (workers > 1) {
    return {loss == Loss::kHinge ? "planes" : "newton", fmt::format("the rows are spread over {} workers", workers)};
  }

  const double rows = static_cast<double>(shape.rows), features = shape.features;
  const double values = shape.nonzeros >= 0 ? static_cast<double>(shape.nonzeros) : rows * features;
  if (loss == Loss::kLogistic) return {"newton", "the loss logistic is smooth"};
  if (loss == Loss::kSquaredHinge) {
    if (rows >= features) return {"newton", "the loss squared-hinge is smooth"};
    return {"dual", fmt::format("there are fewer rows than features ({} < {})", rows, features), "newton", 200};
  }
  if (shape.features > kInteriorFeatures) {
    return {"dual",
            fmt::format("{} features are more than the interior-point method's {}", shape.features, kInteriorFeatures)};
  }
  const double sweep = kSweepValue * values + kSweepRow * rows;
  const double per_row = values / std::max(rows, 1.0);
  const double sparse = kSparseSquare * per_row * per_row, dense = kDenseSquare * features * features;
  const double iteration =
      rows * std::min(sparse, dense) + kIterationValue * values + kIterationRow * rows + dense * features / 3;
  const double worth = (sparse < dense ? kSparseIterations : kDenseIterations) * iteration / sweep;
  const double c = c_of(options, shape);
  if (worth < kFewSweeps || c >= kLargeC) {
    return {"interior",
            fmt::format("with {} features and C = {:.3g} it takes less than coordinate descent", shape.features, c)};
  }
  return {"dual", fmt::format("at C = {:.3g} coordinate descent should need less than the interior-point method", c),
          "interior", worth};
}

std::unique_ptr<Source> margin_source(Source& source, const Options& options, bool take, const MarginRun& run) {
  const bool descends = is_hard_margin(options)
                            ? source.shape().features > kNearestColumns
                            : choose_margin_solver(options, source.shape(), run.workers).solver == "dual";
  if (!descends) return nullptr;
  const auto seed = static_cast<std::uint64_t>(get_integer(options, "seed"));
  if (auto* pages = dynamic_cast<PagedSource*>(&source)) return permute_pages(*pages, seed);
  auto* memory = dynamic_cast<MemorySource*>(&source);
  if (memory == nullptr) throw usage_error("coordinate descent needs the data in memory or in pages, not a stream");
  if (memory->borrowed()) return index_rows(*memory, seed);
  return take ? permute_and_take_rows(*memory, seed, run.threads) : permute_rows(*memory, seed, run.threads);
}

}  // namespace linsep
