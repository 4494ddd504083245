// From a spec to an outcome: the place where names become objects.
#include <fmt/format.h>

#include <optional>

#include "data/map_source.h"
#include "data/order_source.h"
#include "learn/learners.h"
#include "learn/margin/margin.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "train/fit.h"
#include "train/fit_many.h"
#include "train/hard_fit.h"
#include "train/loop.h"
#include "train/memory.h"

namespace linsep {
namespace {

RowOrder row_order(const Options& options) {
  const auto order = options.find("order");
  if (order == options.end() || option_text(order->second) == "given") return RowOrder::kGiven;
  return option_text(order->second) == "shuffled" ? RowOrder::kShuffled : RowOrder::kDrawn;
}

std::unique_ptr<Learner> make_learner(const LearnerInfo& info, const Options& options, const Model* start,
                                      const MarginRun& run) {
  if (info.name == "perceptron") return make_perceptron(options, start);
  if (info.name == "margin") return make_margin(options, start, run);
  if (start != nullptr) throw usage_error(fmt::format("the learner {} can't start from a model", info.name));
  if (info.name == "dual") return make_dual_perceptron(options);
  if (info.name == "basic") return make_basic(options);
  if (info.name == "least-squares") return make_least_squares(options);
  return make_regression(options);
}

// Rows in the order asked for, or nullptr where the source's own serves. Shuffling needs rows that can be reached by
// number.
std::unique_ptr<Source> ordered(Source& source, const LearnerInfo& info, const Options& options, bool take,
                                const MarginRun& run) {
  if (info.name == "margin") return margin_source(source, options, take, run);
  const RowOrder order = row_order(options);
  if (order == RowOrder::kGiven) return nullptr;
  const auto seed = static_cast<std::uint64_t>(get_integer(options, "seed"));
  if (auto* memory = dynamic_cast<MemorySource*>(&source)) return order_rows(*memory, order, seed);
  if (auto* pages = dynamic_cast<PagedSource*>(&source)) return order_rows(*pages, order, seed);
  throw option_error("order", "rows of a stream come in the given order; leave out {}");
}

// The logistic loss is the log loss of a sigmoid of the score.
bool scores_are_log_odds(const LearnerInfo& info, const Options& options) {
  return info.name == "margin" && get_text(options, "loss") == "logistic";
}

void check_many(const LearnerInfo& info, const Options& options) {
  if (!info.many) throw usage_error(fmt::format("the learner {} is for two classes", info.name));
  const auto given = [&](const char* name, const OptionValue& nothing) {
    const auto option = options.find(name);
    return option != options.end() && option->second != nothing;
  };
  if (given("hard", false)) throw usage_error("the hard margin is for two classes");
  if (given("trace", false)) throw usage_error("a trace is kept of two classes only");
  if (given("init", std::vector<double>{}) || given("init-offset", 0.0)) {
    throw option_error("init", "weights to start from ({}) are those of one classifier, and here are several");
  }
  const auto variant = options.find("variant");
  if (variant != options.end() && option_text(variant->second) == "voted") {
    throw usage_error("the voted perceptron is for two classes");
  }
}

bool is_joint(const Options& options, const Schema& schema) {
  const auto multiclass = options.find("multiclass");
  return schema.labels.empty() && multiclass != options.end() && option_text(multiclass->second) == "joint";
}

}  // namespace

void check_start(const Model* start, const FeatureMap& map, std::uint32_t features, const Schema& schema) {
  if (start == nullptr) return;
  if (part_count(schema) == 0) {
    if (start->form != Model::Form::kLinear) throw usage_error("only a linear model can be started from");
  } else if (scores_a_row(*start) != part_count(schema) || start->schema.classes != schema.classes ||
             start->schema.labels != schema.labels) {
    throw usage_error("the model to start from has other classes or labels than the data");
  }
  if (start->map != map) throw usage_error("the model to start from has another feature map");
  if (weights_of(*start, 0).size() > features) {
    throw usage_error(fmt::format("the model to start from has {} weights, the data {} features",
                                  weights_of(*start, 0).size(), features));
  }
}

void complete_model(Model& model, const LearnerInfo& info, const Options& options, const FeatureMap& map,
                    const Source& source) {
  const bool mapped = map.kind != FeatureMap::Kind::kNone;
  model.learner = info.name;
  model.options = options;
  model.map = map;
  model.regression = info.regression;
  model.schema = source.schema();
  model.schema.combinations.clear();
  // A stream learns its width as it goes; without a map θ shows it.
  const auto width = static_cast<std::uint32_t>(weights_of(model, 0).size());
  model.features = std::max(source.shape().features, mapped ? 0U : width);
  if (model.offsets.empty() && scores_are_log_odds(info, options)) model.calibration.kind = Calibration::Kind::kSigmoid;
}

std::span<const LearnerInfo> learners() {
  static const std::vector<LearnerInfo> kLearners = {
      {"perceptron", "Corrects θ by every mistake until a pass makes none.", perceptron_options(), false, true},
      {"dual", "The perceptron in its dual form: mistakes by row, and kernels.", dual_perceptron_options(), false},
      {"basic", "θ is the difference of the class means, the threshold half way between them.", basic_options(), false,
       true},
      {"least-squares", "θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖), in one pass or by conjugate gradients.", least_squares_options(), false,
       true},
      {"margin", "Maximum margin: hinge, squared hinge or logistic loss, to a certified gap.", margin_options(), false,
       true},
      {"regression", "Perceptron regression: predicts a number, corrected by every residual.", regression_options(),
       true},
  };
  return kLearners;
}

const LearnerInfo& learner_info(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LearnerInfo& info : learners()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string near = nearest_word(name, names);
  throw usage_error(near.empty() ? fmt::format("there is no learner '{}': take one of {}", name, fmt::join(names, ", "))
                                 : fmt::format("there is no learner '{}'; did you mean '{}'?", name, near));
}

Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe) {
  const LearnerInfo& info = learner_info(spec.learner);
  const Options options = complete_options(info.table, spec.options);
  const std::uint32_t features = mapped_features(spec.map, source.shape().features);
  const std::size_t parts = part_count(source.schema());
  if (parts > 0) check_many(info, options);
  check_start(spec.start, spec.map, features, source.schema());
  TrainOptions limits = base;
  if (options.contains("passes")) limits.max_passes = get_integer(options, "passes");
  const Shape raw = source.shape();
  const Shape mapped_shape{raw.rows, features, features == raw.features ? raw.nonzeros : -1};
  const std::uint64_t need = learner_bytes(info, options, mapped_shape, parts, {base.threads, comm.size()});
  share_memory(source, copies_of_state(base) * need, base.memory);
  const std::unique_ptr<Checkpoints> checkpoints = open_checkpoints(limits, info, options, spec, source, comm);
  const bool hard = info.name == "margin" && is_hard_margin(options);
  const HardQuestion question{hard && get_flag(options, "origin"), spec.map};
  const bool resumed = checkpoints && checkpoints->resumed() != nullptr;  // then the rows are known to be separable
  std::optional<Outcome> refused =
      hard && !resumed ? refuse_inseparable(source, question, limits, comm, observe) : std::nullopt;
  if (refused) {
    complete_model(refused->model, info, options, spec.map, source);
    return std::move(*refused);
  }

  const std::unique_ptr<Source> in_order =
      ordered(source, info, options, spec.take_rows && parts == 0 && !hard, {base.threads, comm.size()});
  Source& rows = in_order ? *in_order : source;
  const bool mapped = spec.map.kind != FeatureMap::Kind::kNone;
  const std::unique_ptr<Source> through_map = mapped ? map_rows(rows, spec.map) : nullptr;

  std::unique_ptr<Learner> learner;
  const OneVsRest* several = nullptr;
  if (parts == 0) {
    learner = make_learner(info, options, spec.start, {base.threads, comm.size()});
  } else if (is_joint(options, source.schema())) {
    if (spec.start != nullptr) throw usage_error("the perceptron of several classes starts from 0");
    learner = make_joint_perceptron(options, parts);
  } else {
    auto many = make_parts(source, base.threads, [&](std::size_t part) {
      const std::optional<Model> start =
          spec.start != nullptr ? std::optional(part_of(*spec.start, part)) : std::nullopt;
      return make_learner(info, options, start ? &*start : nullptr, {1, comm.size()});
    });
    several = many.get();
    learner = std::move(many);
  }
  Outcome outcome = train_from(checkpoints.get(), mapped ? *through_map : rows, *learner, limits, comm, observe);
  if (several != nullptr) join_parts(*several, source.schema(), outcome);
  complete_model(outcome.model, info, options, spec.map, source);
  if (hard) prove_margin(source, question, spec.prove, comm, outcome);
  if (spec.on_finished) spec.on_finished(rows, outcome);
  return outcome;
}

}  // namespace linsep
