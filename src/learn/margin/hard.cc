#include "learn/margin/hard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "learn/margin/solvers.h"
#include "linsep/error.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

/// As saved states number them.
std::span<const SolverEntry* const> hard_solvers() {
  static const std::array kSolvers = {&hard_nearest_solver(), &hard_descent_solver(), &hard_gathered_solver()};
  return kSolvers;
}

/// Hands everything on to the method that was chosen.
class HardMargin : public Learner {
 public:
  HardMargin(const MarginSettings& settings, SolverChoice choice) : settings_(settings), choice_(std::move(choice)) {}

  void set_stop(const StopFunction& stop) override {
    stop_ = stop;
    if (method_) method_->set_stop(stop_);
  }
  void begin(const Shape& shape) override {
    make(*find_solver((choice_.solver.empty() ? choose_hard_solver(shape) : choice_).solver));
    method_->begin(shape);
  }
  void visit(const Batch& batch) override { method_->visit(batch); }
  void synchronise(Comm& comm) override { method_->synchronise(comm); }
  Verdict end_pass(Progress& progress) override { return method_->end_pass(progress); }
  std::int64_t passes_to_finish() override { return method_->passes_to_finish(); }
  Model model() const override { return method_->model(); }
  TrainingStats stats() const override { return method_->stats(); }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("hard margin 1");
    writer.number(static_cast<std::uint8_t>(std::ranges::find(hard_solvers(), solver_) - hard_solvers().begin()));
    writer.text(method_->save_state());
    return writer.bytes();
  }
  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("hard margin 1");
    const auto solver = reader.number<std::uint8_t>();
    require_state(solver < hard_solvers().size() && hard_solvers()[solver] == solver_);
    method_->load_state(reader.text());
    reader.end();
  }

 private:
  void make(const SolverEntry& solver) {
    solver_ = &solver;
    method_ = solver.make(settings_, nullptr);
    method_->set_stop(stop_);
  }

  MarginSettings settings_;
  SolverChoice choice_;
  const SolverEntry* solver_ = nullptr;
  std::unique_ptr<Learner> method_;
  StopFunction stop_;
};

}  // namespace

std::unique_ptr<Learner> make_hard_margin(const MarginSettings& settings, SolverChoice choice) {
  return std::make_unique<HardMargin>(settings, std::move(choice));
}

void HardTask::begin(const Shape& shape) {
  if (shape.rows < 0) throw usage_error("the hard margin needs data of known size, not a stream");
  if (shape.rows == 0) throw input_error("there are no rows to train on");
  features_ = shape.features;
  extent_ = {};
  one_class_ = false;
  margin_ = 0;
  margin_most_ = std::numeric_limits<double>::infinity();
  theta_.clear();
  offset_ = 0;
}

int HardTask::sign_of(const Batch& batch, std::int64_t i) const {
  const double y = batch.label[static_cast<std::size_t>(i)];
  if (y != 1 && y != -1) {
    throw input_error(fmt::format("row {}: the label must be −1 or +1, not {}", batch.number_of(i) + 1, y));
  }
  return y > 0 ? 1 : -1;
}

bool HardTask::end_labels(const RowExtent& extent, std::int64_t positive, std::int64_t negative) {
  extent_ = extent;
  one_class_ = !settings_.origin && (positive == 0 || negative == 0);
  if (!one_class_) return false;
  theta_.assign(features_, 0);
  offset_ = positive > 0 ? 1 : -1;
  margin_ = margin_most_;
  return true;
}

void HardTask::offer_separator(const std::vector<double>& theta, double positive, double negative) {
  const double norm = std::sqrt(squared_length(theta));
  const double score = 1.01 * kUnit * (extent_.most_values / 8 + 5) * norm * extent_.longest;
  const double half = settings_.origin ? std::min(positive, negative) : (positive + negative) / 2;
  const double halving = settings_.origin ? 0 : 2 * kUnit * (std::abs(positive) + std::abs(negative));
  const double sure = half - score - halving;
  const double margin = sure / (norm * (1 + 4 * kUnit));
  if (!(margin > margin_) || !std::isfinite(margin)) return;
  margin_ = margin;
  theta_ = theta;
  for (double& weight : theta_) weight /= half;
  offset_ = settings_.origin ? 0 : (negative - positive) / 2 / half;
}

void HardTask::offer_hull(double norm, double rows) {
  const double rounding = 1.01 * kUnit * (rows + 3) * extent_.longest;
  const double bound = settings_.origin ? norm + rounding : norm / 2 + rounding;
  margin_most_ = std::min(margin_most_, bound * (1 + 4 * kUnit));
}

double HardTask::gap() const {
  if (one_class_) return 0;
  if (!(margin_ > 0) || !std::isfinite(margin_most_)) return 1;
  const double share = margin_ / margin_most_;
  return std::max(0.0, (1 - share) * (1 + share));
}

void HardTask::report(Progress& progress) const {
  if (margin_ > 0) progress.objective = one_class_ ? 0 : 1 / (2 * margin_ * margin_);
  progress.gap = gap();
}

Model HardTask::model() const {
  Model model;
  model.origin = settings_.origin;
  model.theta = theta_.empty() ? std::vector<double>(features_, 0) : theta_;
  model.offset = offset_;
  return model;
}

void HardTask::save(ByteWriter& writer) const {
  writer.number<std::uint64_t>(features_);
  writer.number(static_cast<std::uint8_t>(one_class_));
  for (const double x : {extent_.longest, extent_.most_values, margin_, margin_most_, offset_}) writer.number(x);
  writer.numbers(theta_);
}

void HardTask::load(ByteReader& reader) {
  require_state(reader.number<std::uint64_t>() == features_);
  one_class_ = reader.flag();
  for (double* x : {&extent_.longest, &extent_.most_values}) *x = reader.at_least_zero();
  for (double* x : {&margin_, &margin_most_}) *x = reader.ordered();  // of one class infinite
  require_state(margin_ >= 0 && margin_most_ >= 0);
  offset_ = reader.finite();
  theta_ = reader.numbers_or_none<double>(features_);
}

}  // namespace linsep
