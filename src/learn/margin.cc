#include "learn/margin.h"

#include <fmt/format.h>

#include <utility>

#include "core/parallel.h"
#include "data/permute.h"
#include "learn/common_options.h"
#include "learn/hinge_dual.h"
#include "learn/interior.h"
#include "learn/newton.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::uint32_t kInteriorFeatures = 2000;

Loss loss_of(const Options& options) {
  const std::string& name = get_text(options, "loss");
  if (name == "squared-hinge") return Loss::kSquaredHinge;
  return name == "logistic" ? Loss::kLogistic : Loss::kHinge;
}

MarginSettings settings_of(const Options& options, int threads) {
  MarginSettings settings;
  settings.loss = loss_of(options);
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

/// The choice can only be made when the shape is known; from then on everything goes to the chosen solver.
class Margin : public Learner {
 public:
  Margin(Options options, const Model* start, int threads) : options_(std::move(options)), threads_(threads) {
    if (start != nullptr) start_ = *start;
    started_ = start != nullptr;
  }

  void begin(const Shape& shape) override {
    choose(choose_margin_solver(options_, shape).solver);
    solver_->begin(shape);
  }
  void visit(const Batch& batch) override { solver_->visit(batch); }
  void synchronise(Comm& comm) override { solver_->synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return solver_->end_pass(progress); }
  Model model() const override { return solver_->model(); }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("margin 1");
    writer.text(name_);
    writer.text(solver_->save_state());
    return writer.bytes();
  }
  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("margin 1");
    const std::string name = reader.text();
    if (name != "dual" && name != "interior" && name != "newton") throw input_error("this saved state is damaged");
    choose(name);
    solver_->load_state(reader.text());
    reader.end();
  }

 private:
  void choose(std::string_view name) {
    const MarginSettings settings = settings_of(options_, threads_);
    const Model* start = started_ ? &start_ : nullptr;
    name_ = name;
    if (name == "dual") {
      solver_ = make_hinge_dual(settings, start);
    } else if (name == "interior") {
      solver_ = make_interior(settings, start);
    } else {
      solver_ = make_newton(settings, start);
    }
  }

  Options options_;
  Model start_;
  bool started_ = false;
  int threads_;
  std::string name_;
  std::unique_ptr<Learner> solver_;
};

}  // namespace

OptionTable margin_options() {
  OptionTable table = {
      passes_option(5000),
      choice_option("loss", "hinge", {"hinge", "squared-hinge", "logistic"},
                    "What a row's margin m costs: max(0, 1 − m), its square, or log(1 + e^−m)."),
      number_option("lambda", 0, 0, std::numeric_limits<double>::infinity(),
                    "The strength of (λ/2)‖θ‖² beside the mean loss; 0: by C."),
      positive_option("C", 1, "Strength the other way round: λ = 1/(C·rows), or C·weight for each row."),
      positive_option("gap", 1e-3, "Stop when the objective is proven to be within this share of the least possible."),
      choice_option("solver", "auto", {"auto", "dual", "interior", "newton"},
                    "Coordinate descent on the dual, an interior-point method, Newton's method, or what suits the data."),
      origin_option(),
      positive_option("positive-weight", 1, "Every row of the positive class counts so many times."),
      positive_option("negative-weight", 1, "Every row of the negative class counts so many times."),
      seed_option(),
  };
  return table;
}

std::unique_ptr<Learner> make_margin(const Options& options, const Model* start, int threads) {
  return std::make_unique<Margin>(options, start, threads);
}

MarginChoice choose_margin_solver(const Options& options, const Shape& shape) {
  const Loss loss = loss_of(options);
  const std::string& asked = get_text(options, "solver");
  if (asked == "newton" && loss == Loss::kHinge) {
    throw usage_error("the solver newton needs a loss with a curvature: squared-hinge or logistic");
  }
  if (asked == "interior" && loss != Loss::kHinge) throw usage_error("the solver interior solves the loss hinge only");
  if (asked == "dual" && loss == Loss::kLogistic) {
    throw usage_error("the solver dual solves the losses hinge and squared-hinge; take newton for logistic");
  }
  if (asked == "dual") return {"dual", "it was asked for"};
  if (asked == "interior") return {"interior", "it was asked for"};
  if (asked == "newton") return {"newton", "it was asked for"};

  const double rows = static_cast<double>(shape.rows), features = shape.features;
  if (loss == Loss::kLogistic) return {"newton", "the loss logistic is smooth"};
  if (loss == Loss::kSquaredHinge) {
    if (rows < features) return {"dual", fmt::format("there are fewer rows than features ({} < {})", rows, features)};
    return {"newton", "the loss squared-hinge is smooth"};
  }
  if (shape.features > kInteriorFeatures) {
    return {"dual", fmt::format("{} features are more than the interior-point method's {}", shape.features,
                                kInteriorFeatures)};
  }
  // Work in multiplications: 40 iterations of assembly and factoring, against sweeps that grow with C.
  const double per_row = static_cast<double>(shape.nonzeros) / std::max(rows, 1.0);
  const double assembly = rows * std::min(per_row * per_row, features * features / 16) + features * features * features / 16;
  const double interior = 40 * (assembly + 8 * static_cast<double>(shape.nonzeros));
  const double c = c_of(options, shape);
  const double sweeps = 30 * std::max(1.0, c) * std::max(1.0, 1e-3 / get_number(options, "gap"));
  const double dual = sweeps * 1.5 * static_cast<double>(shape.nonzeros);
  if (dual < interior) {
    return {"dual", fmt::format("C = {:.3g} is small enough for coordinate descent to beat the interior-point method", c)};
  }
  return {"interior", fmt::format("with {} features one matrix of that size is quick to factor, whatever C is ({:.3g})",
                                  shape.features, c)};
}

std::unique_ptr<Source> margin_source(Source& source, const Options& options, bool take, int threads) {
  if (choose_margin_solver(options, source.shape()).solver != "dual") return nullptr;
  auto* memory = dynamic_cast<MemorySource*>(&source);
  if (memory == nullptr) throw usage_error("the solver dual needs the data in memory, not a stream");
  const auto seed = static_cast<std::uint64_t>(get_integer(options, "seed"));
  return take ? permute_and_take_rows(*memory, seed, threads) : permute_rows(*memory, seed, threads);
}

}  // namespace linsep
