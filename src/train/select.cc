// One λ path on all rows and, with folds, one on each fold's rows, through the same passes: when the passes end, every
// λ has its classifier and every row a score by a classifier that didn't see it.
//
// All paths have the same λ. The objective's loss is a mean, so that λ means the same on fewer rows.
#include "linsep/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/bytes.h"
#include "data/map_source.h"
#include "kernel/kernel.h"
#include "learn/margin/lambda_path.h"
#include "learn/margin/margin.h"
#include "learn/one_vs_rest.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "numeric/saved_rows.h"
#include "train/fit.h"
#include "train/fit_many.h"
#include "train/folds.h"
#include "train/held_out.h"
#include "train/lambdas.h"
#include "train/loop.h"
#include "train/memory.h"

namespace linsep {
namespace {

constexpr std::int64_t kFoldsOfProbabilities = 5;

/// What is to be done, as far as options say it.
struct Plan {
  Options options;  // of the learner, complete
  Loss loss = Loss::kHinge;
  ClassWeights classes;
  bool origin = false;
  std::uint64_t seed = 1;
  std::int64_t folds = 0;
  bool own_lambda = false;
  bool by_loss = false;
  std::string lambdas, cs, probabilities;
};

Plan make_plan(const TrainSpec& spec, const Options& given) {
  const Options selection = complete_options(selection_options(), given);
  if (learner_info(spec.learner).name != "margin") {
    throw options_error({"lambdas", "Cs", "cv", "probabilities"},
                        fmt::format("{{}}, {{}}, {{}} and {{}} are for the learner margin, not {}", spec.learner));
  }
  Plan plan;
  plan.options = complete_options(learner_info(spec.learner).table, spec.options);
  plan.loss = margin_loss(plan.options);
  plan.classes = {get_number(plan.options, "positive-weight"), get_number(plan.options, "negative-weight")};
  plan.origin = get_flag(plan.options, "origin");
  plan.seed = static_cast<std::uint64_t>(get_integer(plan.options, "seed"));
  plan.lambdas = get_text(selection, "lambdas");
  plan.cs = get_text(selection, "Cs");
  plan.by_loss = get_text(selection, "choose") == "loss";
  plan.probabilities = get_text(selection, "probabilities");
  plan.folds = get_integer(selection, "cv");
  if (plan.by_loss && plan.folds == 0) {
    throw options_error({"choose", "cv"}, "{} decides in a cross-validation: add {} FOLDS");
  }
  if (plan.folds == 1) throw option_error("cv", "{} takes two folds at least");
  const bool strength = spec.options.contains("lambda") || spec.options.contains("C");
  const bool listed = !plan.lambdas.empty() || !plan.cs.empty();
  if (!plan.lambdas.empty() && !plan.cs.empty()) {
    throw options_error({"lambdas", "Cs"}, "{} and {} say the same: leave one out");
  }
  if (listed && strength) {
    throw options_error({"lambdas", "Cs", "lambda", "C"}, "{} and {} say what {} or {} would: leave those out");
  }
  plan.own_lambda = !listed && (strength || plan.folds == 0);
  if (plan.folds == 0 && plan.probabilities != "none") plan.folds = kFoldsOfProbabilities;
  // What is wrong with them should be said before reading.
  if (!plan.lambdas.empty()) parse_lambdas(plan.lambdas);
  if (!plan.cs.empty()) parse_lambdas(plan.cs, "Cs");
  return plan;
}

std::vector<double> lambdas_of(const Plan& plan, const RowSurvey& survey) {
  if (!plan.lambdas.empty()) return parse_lambdas(plan.lambdas);
  const double weight = total_weight(survey, plan.classes);
  if (!plan.cs.empty()) {
    std::vector<double> values = parse_lambdas(plan.cs, "Cs");
    std::reverse(values.begin(), values.end());
    for (double& value : values) value = 1 / (value * weight);
    return values;
  }
  if (!plan.own_lambda) return usual_lambdas(survey.square);
  const double lambda = get_number(plan.options, "lambda");
  return {lambda > 0 ? lambda : 1 / (get_number(plan.options, "C") * weight)};
}

/// The rows in random order, where the solver of any λ wants them so; else nullptr.
std::unique_ptr<Source> ordered_rows(Source& source, const Plan& plan, const std::vector<double>& lambdas,
                                     const Shape& mapped, int threads) {
  Options options = plan.options;
  for (const double lambda : lambdas) {
    options["lambda"] = lambda;
    if (choose_margin_solver(options, mapped).solver != "dual") continue;
    options["solver"] = std::string("dual");
    return margin_source(source, options, false, threads);
  }
  return nullptr;
}

double norm_of(const std::vector<double>& theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  return std::sqrt(square);
}

/// The path on all rows and those of the folds, as one learner, and what they find.
class Paths final : public Learner {
 public:
  Paths(const Plan& plan, const std::vector<double>& lambdas, const Model* start, const RowSurvey& survey, int threads)
      : plan_(plan), survey_(survey), mistakes_(lambdas.size(), 0) {
    const bool folds = plan.folds > 0;
    auto whole = std::make_unique<LambdaPath>(
        plan.options, lambdas, start, [this](auto&&... rows) { count_mistakes(rows...); }, true, folds ? 1 : threads);
    whole_ = whole.get();
    std::vector<ManyTask> tasks;
    tasks.push_back({std::move(whole), {}, false});
    if (folds) {
      fold_ = deal_folds(survey.positive, plan.folds, plan.seed);
      score_.assign(lambdas.size(), std::vector<double>(fold_.size()));
    }
    // A fold starts from nothing: a model to start from may have seen the rows that it holds out.
    for (std::int64_t k = 0; k < plan.folds; ++k) {
      auto path = std::make_unique<LambdaPath>(
          plan.options, lambdas, nullptr, [this, k](auto&&... rows) { score_held_out(k, rows...); }, false, 1);
      folds_.push_back(path.get());
      const auto leave_out = [this, k](const Batch& rows, std::span<double> /*label*/, std::span<double> weight) {
        for (std::int64_t i = 0; i < rows.rows; ++i) {
          if (fold_[row_of(rows, i)] == k) weight[static_cast<std::size_t>(i)] = 0;
        }
      };
      tasks.push_back({std::move(path), leave_out, true});
    }
    learner_ = std::make_unique<OneVsRest>(std::move(tasks), threads);
  }

  void begin(const Shape& shape) override { learner_->begin(shape); }
  void visit(const Batch& batch) override { learner_->visit(batch); }
  void synchronise(Comm& comm) override { learner_->synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return learner_->end_pass(progress); }
  std::int64_t passes_to_finish() override { return learner_->passes_to_finish(); }
  Model model() const override { return learner_->model(); }
  TrainingStats stats() const override { return learner_->stats(); }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("paths 1");
    writer.numbers(mistakes_);
    for (const std::vector<double>& scores : score_) writer.numbers(scores);
    writer.text(learner_->save_state());
    return writer.take();
  }
  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("paths 1");
    const std::size_t lambdas = mistakes_.size();
    mistakes_ = reader.numbers<std::int64_t>();
    require_state(mistakes_.size() == lambdas);
    for (std::vector<double>& scores : score_) {
      scores = reader.numbers<double>();
      require_state(scores.size() == fold_.size());
    }
    learner_->load_state(reader.text());
    reader.end();
  }

  std::vector<SelectionPoint> points() const {
    std::vector<SelectionPoint> all;
    std::size_t scored = plan_.folds > 0 ? mistakes_.size() : 0;
    for (const LambdaPath* path : folds_) scored = std::min(scored, path->scored());
    for (const LambdaPoint& point : whole_->points()) {
      const std::size_t l = all.size();
      SelectionPoint& shown = all.emplace_back();
      shown.lambda = point.lambda;
      shown.objective = point.objective;
      shown.gap = point.gap;
      shown.norm = norm_of(point.model.theta);
      if (point.scored) shown.mistakes = mistakes_[l];
      shown.passes = point.passes;
      shown.converged = point.converged;
      if (l < scored && point.scored) {
        shown.held_out = summarise_held_out(survey_, fold_, plan_.folds, score_[l], plan_.loss, plan_.classes);
      }
    }
    return all;
  }

  Model model_of(std::size_t l) const { return whole_->points()[l].model; }
  /// REQUIRES: all folds are done with λ number l.
  std::vector<ScoredRow> held_out(std::size_t l) const { return scored_rows(survey_, score_[l]); }

 private:
  std::size_t row_of(const Batch& batch, std::int64_t i) const {
    return static_cast<std::size_t>(batch.number_of(i) - survey_.first_row);
  }

  void count_mistakes(std::size_t l, const Model& model, const Batch& batch) {
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      const double z = dot(row, model.theta.data()) + model.offset;
      if (!(batch.label[static_cast<std::size_t>(i)] * z > 0)) ++mistakes_[l];
    });
  }

  void score_held_out(std::int64_t k, std::size_t l, const Model& model, const Batch& batch) {
    for_each_row(batch, [&](const auto& row, std::int64_t i) {
      const std::size_t at = row_of(batch, i);
      if (fold_[at] == k) score_[l][at] = dot(row, model.theta.data()) + model.offset;
    });
  }

  const Plan& plan_;
  const RowSurvey& survey_;
  std::vector<std::uint16_t> fold_;         // by row
  std::vector<std::int64_t> mistakes_;      // by λ, on all rows
  std::vector<std::vector<double>> score_;  // by λ and row, from the fold that holds the row out
  LambdaPath* whole_ = nullptr;
  std::vector<LambdaPath*> folds_;
  std::unique_ptr<OneVsRest> learner_;  // owns the paths
};

/// Of equals the first, whose λ is greatest. Without a λ that all folds are done with, or without folds, the last that
/// is finished on all rows.
std::size_t choose(const std::vector<SelectionPoint>& path, bool by_loss) {
  std::size_t best = 0, finished = 0;
  bool found = false;
  for (std::size_t l = 0; l < path.size(); ++l) {
    if (path[l].mistakes >= 0) finished = l;
    if (!path[l].held_out) continue;
    const auto value = [&](std::size_t k) { return by_loss ? path[k].held_out->loss : path[k].held_out->error; };
    if (!found || value(l) < value(best)) best = l;
    found = true;
  }
  return found ? best : finished;
}

std::int64_t most_passes(const Plan& plan, std::size_t lambdas) {
  const double most = (static_cast<double>(get_integer(plan.options, "passes")) + 1) * static_cast<double>(lambdas);
  return static_cast<std::int64_t>(std::min(most, 1e18));
}

void finish(Selection& result, const Plan& plan, const Paths& paths) {
  const SelectionPoint& chosen = result.path[result.chosen];
  Outcome& outcome = result.outcome;
  outcome.model = paths.model_of(result.chosen);
  if (outcome.reason == StopReason::kConverged && !chosen.converged) outcome.reason = StopReason::kPasses;
  if (!outcome.history.empty()) {
    outcome.history.back().objective = chosen.objective;
    outcome.history.back().gap = chosen.gap;
  }
  if (plan.probabilities == "none" || !chosen.held_out) return;
  auto rows = paths.held_out(result.chosen);
  outcome.model.calibration =
      plan.probabilities == "platt" ? fit_sigmoid(std::move(rows)) : fit_isotonic(std::move(rows));
}

}  // namespace

const OptionTable& selection_options() {
  static const OptionTable kTable = {
      text_option("lambdas", "",
                  "Train for each of these λ, from the greatest to the least: 1e-2,1e-3 or FROM:TO:COUNT."),
      text_option("Cs", "", "The same by C: λ = 1/(C·rows)."),
      integer_option("cv", 0, 0, 1000, "Choose λ by cross-validation with so many folds."),
      choice_option("choose", "error", {"error", "loss"},
                    "What decides in a cross-validation: held-out error or loss."),
      choice_option("probabilities", "none", {"none", "platt", "isotonic"},
                    "Fit probabilities to scores of rows held out: a sigmoid, or a function that never falls."),
  };
  return kTable;
}

bool asks_for_selection(const Options& selection) {
  return !get_text(selection, "lambdas").empty() || !get_text(selection, "Cs").empty() ||
         get_integer(selection, "cv") != 0 || get_text(selection, "probabilities") != "none";
}

void check_selection(const TrainSpec& spec, const Options& selection) {
  if (!selection.empty()) make_plan(spec, selection);
}

Selection select(Source& source, const TrainSpec& spec, const Options& selection, const TrainOptions& limits,
                 Comm& comm, const Observer& observe) {
  const Plan plan = make_plan(spec, selection);
  if (part_count(source.schema()) > 0) {
    throw options_error({"lambdas", "cv", "probabilities"}, "{}, {} and {} are for two classes and one label column");
  }
  check_start(spec.start, spec.map, mapped_features(spec.map, source.shape().features), source.schema());
  if (source.shape().rows < 0) throw option_error("online", "λ can't be chosen on a stream: leave out {}");
  const LearnerInfo& info = learner_info(spec.learner);
  const Shape shape{source.shape().rows, mapped_features(spec.map, source.shape().features), source.shape().nonzeros};
  const auto paths_in_all = static_cast<std::uint64_t>(plan.folds) + 2;  // the scores of all rows count as one more
  const std::uint64_t need = paths_in_all * learner_bytes(info, plan.options, shape, 0, limits.threads);
  share_memory(source, copies_of_state(limits) * need, limits.memory);
  Options said = plan.options;
  said.merge(complete_options(selection_options(), selection));
  const auto checkpoints = open_checkpoints(limits, info, said, spec, source, comm);
  const bool mapped = spec.map.kind != FeatureMap::Kind::kNone;
  const std::unique_ptr<Source> given = mapped ? map_rows(source, spec.map) : nullptr;
  Source& in_given_order = given ? *given : source;
  const RowSurvey survey = survey_rows(in_given_order, plan.origin);
  const std::vector<double> lambdas = lambdas_of(plan, survey);
  const std::unique_ptr<Source> in_order = ordered_rows(source, plan, lambdas, in_given_order.shape(), limits.threads);
  const std::unique_ptr<Source> both = in_order && mapped ? map_rows(*in_order, spec.map) : nullptr;
  Source& rows = both ? *both : (in_order ? *in_order : in_given_order);

  Paths paths(plan, lambdas, spec.start, survey, limits.threads);
  TrainOptions all = limits;
  all.max_passes = most_passes(plan, lambdas.size());
  Selection result;
  result.outcome = train_from(checkpoints.get(), rows, paths, all, comm, observe);
  result.asked = lambdas.size();
  result.folds = plan.folds;
  result.total_weight = total_weight(survey, plan.classes);
  result.by_loss = plan.by_loss;
  result.path = paths.points();
  result.chosen = choose(result.path, plan.by_loss);
  finish(result, plan, paths);
  Options options = plan.options;
  options["lambda"] = result.path[result.chosen].lambda;
  Calibration fitted = std::move(result.outcome.model.calibration);
  complete_model(result.outcome.model, info, options, spec.map, source);
  if (fitted.kind != Calibration::Kind::kNone) result.outcome.model.calibration = std::move(fitted);
  return result;
}

}  // namespace linsep
