// The least-squares classifier.
//
// Problem: Minimize Σw·(y − θ·x − θ0)² over rows with y = ±1, and two simpler variants.
// Method: θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖), the bracket being Σw·y·x. With `origin` M is the scatter Σw·x·xᵀ as it is, and θ0 = 0.
// Otherwise features and labels are centered. The bracket becomes b = Σw·(x − μ)(y − ȳ) = (2·n⊕·n⊖/n)·(μ⊕ − μ⊖) and M
// the scatter S about the mean μ.
//   identity  M = I. Threshold half way between the class means.
//   diagonal  only M's diagonal (features taken as uncorrelated). Threshold likewise. A constant feature weighs 0.
//   full      the whole matrix: least squares on (x, 1), θ0 = ȳ − θ·μ. If there are several solutions, the one with the
//             smallest ‖θ‖.
//   cg        the same by conjugate gradients on S·θ = b, without the matrix.
//   auto      full up to 2,000 features, else cg.
// `ridge` adds ridge·I to M (not for identity), and the intercept is not penalized. Row weights count.
// The scatter about the mean is computed as Σw·x·xᵀ − n·μ·μᵀ (with cg it is never formed). This loses (mean/spread)² of
// relative precision, so subtract a constant from features whose mean is 10⁶ times their spread.
//
// Stops: After one pass. cg stops when ‖b − S·θ‖ ≤ tolerance·‖b‖, or when no direction with curvature is left.
// Cost of a pass: One vector update per row. full takes k²/2 additions for a row of k nonzeros and d²/2 numbers of
// memory, then d³/3 once. cg takes a first pass for b and μ, then a dot product and a vector update per row, with one
// step per pass.
// Workers: Sums, matrix and products are added over all of them. identity, diagonal and cg give the same bits for any
// number of workers, full for a given number.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/deadline.h"
#include "core/parallel.h"
#include "kernel/kernel.h"
#include "learn/common_options.h"
#include "learn/learners.h"
#include "linsep/error.h"
#include "numeric/class_sums.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"
#include "numeric/scatter.h"

namespace linsep {
namespace {

// Conjugate gradients for S·θ = b with S symmetric and positive semidefinite, one product S·p at a time. The caller
// computes the product (a pass over the rows) and hands it in. Hestenes & Stiefel, 1952.

/// Starts from θ = 0, so that for a singular S with b in its range θ tends to the solution with the smallest norm.
class ConjugateGradients {
 public:
  /// Begins with θ = 0.
  void begin(std::vector<double> b);
  /// p. The next step needs S·p.
  const std::vector<double>& direction() const { return p_; }
  /// Takes S·p and makes one step.
  void step(const std::vector<double>& product);

  const std::vector<double>& theta() const { return theta_; }
  /// ‖b − S·θ‖ / ‖b‖ by the recurrence, or 0 if b = 0.
  double relative_residual() const;
  /// True if no further step is possible because the direction has no curvature above rounding error, or the residual
  /// is 0.
  bool exhausted() const { return exhausted_; }

  void save(ByteWriter& writer) const;
  /// The state has `size` equations, or none if it hasn't begun.
  void load(ByteReader& reader, std::size_t size);

 private:
  std::vector<double> theta_, r_, p_;
  double rr_ = 0;  ///< ‖r‖²
  double bb_ = 0;  ///< ‖b‖²
  bool exhausted_ = false;
};

DenseRow<double> as_row(const std::vector<double>& v) { return {v.data(), v.size()}; }

void ConjugateGradients::begin(std::vector<double> b) {
  theta_.assign(b.size(), 0.0);
  r_ = std::move(b);
  p_ = r_;
  rr_ = bb_ = squared_norm(as_row(r_));
  exhausted_ = !(rr_ > 0);
}

void ConjugateGradients::step(const std::vector<double>& product) {
  if (exhausted_) return;
  const double curvature = dot_dense(p_, product);
  if (!(curvature > 0) || !std::isfinite(curvature)) {
    exhausted_ = true;
    return;
  }
  const double length = rr_ / curvature;
  axpy(length, as_row(p_), theta_.data());
  axpy(-length, as_row(product), r_.data());
  const double before = std::exchange(rr_, squared_norm(as_row(r_)));
  const double turn = rr_ / before;
  for (std::size_t j = 0; j < p_.size(); ++j) p_[j] = r_[j] + turn * p_[j];
  exhausted_ = !(rr_ > 0);
}

double ConjugateGradients::relative_residual() const { return bb_ > 0 ? std::sqrt(rr_ / bb_) : 0; }

void ConjugateGradients::save(ByteWriter& writer) const {
  writer.numbers(theta_);
  writer.numbers(r_);
  writer.numbers(p_);
  writer.number(rr_);
  writer.number(bb_);
  writer.number<std::uint8_t>(exhausted_ ? 1 : 0);
}

void ConjugateGradients::load(ByteReader& reader, std::size_t size) {
  theta_ = reader.numbers_or_none<double>(size);
  r_ = reader.numbers<double>(theta_.size());
  p_ = reader.numbers<double>(theta_.size());
  rr_ = reader.at_least_zero();
  bb_ = reader.at_least_zero();
  exhausted_ = reader.flag();
}

constexpr std::size_t kAutoFull = 2000;
constexpr std::size_t kMostFull = 32768;

// Ordered so that workers agree on the largest. Once one has given up the matrix, all do.
enum class Matrix : std::int32_t { kIdentity, kDiagonal, kFull, kGradients };

class LeastSquares final : public Learner {
 public:
  explicit LeastSquares(const Options& options)
      : choice_(get_text(options, "matrix")),
        origin_(get_flag(options, "origin")),
        ridge_(get_number(options, "ridge")),
        tolerance_(get_number(options, "tolerance")) {}

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }
  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  Model model() const override;
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

 private:
  void widen(std::size_t features);
  void gather(const Batch& batch);
  std::vector<double> right_side() const;
  Verdict end_whole_pass(Progress& progress);
  Verdict end_first_pass(Progress& progress);
  void solve_full(std::vector<double> b);
  Verdict end_step(Progress& progress);
  std::vector<double> divided_by_diagonal(std::vector<double> b) const;
  void set_fitted_offset();
  void begin_product() { product_.begin(gradients_.direction(), mu_, total_); }

  const std::string choice_;
  const bool origin_;
  const double ridge_;
  const double tolerance_;
  Deadline deadline_;

  Matrix matrix_ = Matrix::kFull;
  bool gathered_ = false;  ///< the first pass has ended
  std::int64_t rows_ = 0;
  ClassSums sums_;
  BinnedSums diagonal_;  ///< Σw·x_j²
  Scatter scatter_;
  std::vector<double> mu_;  ///< empty with `origin`
  double total_ = 0;        ///< Σw
  ConjugateGradients gradients_;
  ScatterProduct product_;
  std::vector<double> theta_;
  double offset_ = 0;
};

void LeastSquares::begin(const Shape& shape) {
  matrix_ = choice_ == "identity"   ? Matrix::kIdentity
            : choice_ == "diagonal" ? Matrix::kDiagonal
            : choice_ == "cg"       ? Matrix::kGradients
                                    : Matrix::kFull;
  gathered_ = false;
  rows_ = 0;
  sums_ = {};
  diagonal_ = {};
  product_ = {};
  scatter_ = {};
  mu_.clear();
  total_ = 0;
  theta_.clear();
  offset_ = 0;
  widen(shape.features);
}

void LeastSquares::widen(std::size_t features) {
  sums_.widen(features);
  if (matrix_ == Matrix::kDiagonal && features > diagonal_.size()) diagonal_.resize(features);
  if (matrix_ == Matrix::kFull || matrix_ == Matrix::kGradients) product_.widen(features);
  if (matrix_ != Matrix::kFull) return;
  if (choice_ == "auto" && features > kAutoFull) {
    matrix_ = Matrix::kGradients;
    scatter_ = {};
    return;
  }
  if (features > kMostFull) {
    throw options_error({"matrix", "matrix"},
                        fmt::format("{{}} full takes up to {} features, not {}; use {{}} cg", kMostFull, features));
  }
  scatter_.widen(features);
}

void LeastSquares::visit(const Batch& batch) {
  deadline_.run([&] {
    if (!gathered_) return gather(batch);
    if (matrix_ == Matrix::kGradients) product_.add(batch, gradients_.direction().data());
  });
}

void LeastSquares::gather(const Batch& batch) {
  widen(batch.features);
  rows_ += batch.rows;
  sums_.add(batch);
  if (matrix_ == Matrix::kFull) scatter_.add(batch);
  // With the choice auto the matrix may still be given up.
  if (matrix_ == Matrix::kGradients || (matrix_ == Matrix::kFull && choice_ != "full")) product_.survey(batch);
  if (matrix_ != Matrix::kDiagonal) return;
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const double w = batch.weight_of(i);
    for_each_entry(x, [&](std::uint32_t column, double value) { diagonal_.add(column, w * value * value); });
  });
}

void LeastSquares::synchronise(Comm& comm) {
  if (deadline_.cut_off() || (gathered_ && matrix_ != Matrix::kGradients)) return;
  if (gathered_) return product_.synchronise(comm);
  if (comm.size() == 1) {
    if (matrix_ == Matrix::kGradients) product_.end_survey(comm);
    return;
  }
  matrix_ = static_cast<Matrix>(all_reduce_max(comm, static_cast<std::int64_t>(matrix_)));
  sums_.synchronise(comm);
  widen(sums_.features());
  rows_ = all_reduce_sum(comm, rows_);
  if (matrix_ == Matrix::kFull) scatter_.synchronise(comm);
  if (matrix_ == Matrix::kDiagonal) exact_all_reduce(comm, diagonal_);
  if (matrix_ == Matrix::kGradients) product_.end_survey(comm);
}

Verdict LeastSquares::end_pass(Progress& progress) {
  Verdict verdict = Verdict::kContinue;
  deadline_.run([&] { verdict = end_whole_pass(progress); });
  return verdict;
}

Verdict LeastSquares::end_whole_pass(Progress& progress) {
  if (!gathered_) return end_first_pass(progress);
  return matrix_ == Matrix::kGradients ? end_step(progress) : Verdict::kConverged;
}

std::vector<double> LeastSquares::right_side() const {
  std::vector<double> b(sums_.features());
  const std::vector<double> negative = sums_.sum(0), positive = sums_.sum(1);
  const double negatives = sums_.weight(0), positives = sums_.weight(1);
  if (origin_) {
    for (std::size_t j = 0; j < b.size(); ++j) b[j] = positive[j] - negative[j];
  } else if (negatives > 0 && positives > 0) {
    const double factor = 2 * negatives * positives / total_;
    for (std::size_t j = 0; j < b.size(); ++j) b[j] = factor * (positive[j] / positives - negative[j] / negatives);
  }
  return b;
}

Verdict LeastSquares::end_first_pass(Progress& progress) {
  gathered_ = true;
  total_ = sums_.weight(0) + sums_.weight(1);
  if (!(total_ > 0)) throw input_error("least squares needs a row of weight above 0");
  if (!origin_) {
    mu_ = sums_.sum(0);
    const std::vector<double> positive = sums_.sum(1);
    for (std::size_t j = 0; j < mu_.size(); ++j) mu_[j] = (mu_[j] + positive[j]) / total_;
  }
  std::vector<double> b = right_side();
  if (matrix_ == Matrix::kGradients) {
    theta_.assign(b.size(), 0.0);
    gradients_.begin(std::move(b));
    set_fitted_offset();
    begin_product();
    progress.residual = gradients_.relative_residual();
    return gradients_.exhausted() ? Verdict::kConverged : Verdict::kContinue;
  }
  if (matrix_ == Matrix::kFull) {
    solve_full(std::move(b));
    set_fitted_offset();
    return Verdict::kConverged;
  }
  theta_ = matrix_ == Matrix::kIdentity ? std::move(b) : divided_by_diagonal(std::move(b));
  if (!origin_) {
    sums_.require_both("least squares with this matrix");
    offset_ = halfway_offset(theta_, sums_.mean(0), sums_.mean(1));
  }
  return Verdict::kConverged;
}

void LeastSquares::solve_full(std::vector<double> b) {
  constexpr std::size_t kLong = 500;  // with this many features a solution takes tens of milliseconds
  if (b.size() < kLong || !deadline_) {
    theta_ = solve_scatter(scatter_, mu_, total_, ridge_, b, rows_);
    return;
  }
  struct Equations {
    Scatter scatter;
    std::vector<double> mu, b, theta;
  };
  const auto own = std::make_shared<Equations>(Equations{std::move(scatter_), mu_, std::move(b), {}});
  scatter_ = {};
  run_aside([own, total = total_, ridge = ridge_, rows = rows_] {
    own->theta = solve_scatter(own->scatter, own->mu, total, ridge, own->b, rows);
  });
  theta_ = std::move(own->theta);
  scatter_ = std::move(own->scatter);
}

std::vector<double> LeastSquares::divided_by_diagonal(std::vector<double> b) const {
  for (std::size_t j = 0; j < b.size(); ++j) {
    const double before = diagonal_.value(j) + ridge_;
    const double after = before - (mu_.empty() ? 0 : total_ * mu_[j] * mu_[j]);
    // What is left of a constant feature is rounding error.
    const double noise = mu_.empty() ? 0 : std::numeric_limits<double>::epsilon() * 10 * before;
    b[j] = after > noise ? b[j] / after : 0;
  }
  return b;
}

void LeastSquares::set_fitted_offset() {
  if (origin_) return;
  offset_ = (sums_.weight(1) - sums_.weight(0)) / total_ - dot_dense(theta_, mu_);
}

Verdict LeastSquares::end_step(Progress& progress) {
  std::vector<double> product = product_.value(mu_);
  if (ridge_ > 0) {
    axpy(ridge_, DenseRow<double>{gradients_.direction().data(), product.size()}, product.data());
  }
  gradients_.step(product);
  theta_ = gradients_.theta();
  set_fitted_offset();
  begin_product();
  progress.residual = gradients_.relative_residual();
  const bool done = gradients_.exhausted() || *progress.residual <= tolerance_;
  return done ? Verdict::kConverged : Verdict::kContinue;
}

Model LeastSquares::model() const {
  Model model;
  model.learner = "least-squares";
  model.origin = origin_;
  model.features = static_cast<std::uint32_t>(sums_.features());
  model.theta = theta_;
  model.theta.resize(sums_.features());
  model.offset = offset_;
  return model;
}

std::string LeastSquares::save_state() const {
  ByteWriter writer;
  writer.text("least-squares 2");
  writer.number(static_cast<std::underlying_type_t<Matrix>>(matrix_));
  writer.number<std::uint8_t>(gathered_ ? 1 : 0);
  writer.number(rows_);
  sums_.save(writer);
  save_sums(writer, diagonal_);
  product_.save(writer);
  writer.number<std::uint64_t>(scatter_.features());
  writer.numbers(scatter_.entries());
  writer.numbers(mu_);
  writer.number(total_);
  gradients_.save(writer);
  writer.numbers(theta_);
  writer.number(offset_);
  return writer.bytes();
}

void LeastSquares::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("least-squares 2");
  const auto matrix = reader.choice(Matrix::kGradients);
  // With the choice auto the matrix may have been given up since it began.
  require_state(matrix == matrix_ || (choice_ == "auto" && matrix == Matrix::kGradients));
  matrix_ = matrix;
  gathered_ = reader.flag();
  rows_ = reader.count();
  sums_.load(reader);
  diagonal_ = load_sums(reader, diagonal_.size());
  product_.load(reader);
  const auto features = reader.number<std::uint64_t>();
  const std::size_t d = sums_.features();
  require_state(features == (matrix_ == Matrix::kFull ? d : 0));
  scatter_.set_entries(features, reader.numbers<double>(features * (features + 1) / 2));
  mu_ = reader.numbers<double>(gathered_ && !origin_ ? d : 0);
  total_ = reader.at_least_zero();
  const bool steps = gathered_ && matrix_ == Matrix::kGradients;
  gradients_.load(reader, steps ? d : 0);
  theta_ = reader.numbers<double>(gathered_ ? d : 0);
  offset_ = reader.finite();
  reader.end();
  require_state(gradients_.theta().size() == (steps ? d : 0) && (!gathered_ || total_ > 0));
  if (steps) begin_product();
}

OptionTable least_squares_options() {
  return {
      passes_option(1000),
      origin_option(),
      in_group(
          "objective",
          choice_option("matrix", "auto", {"auto", "identity", "diagonal", "full", "cg"},
                        "The matrix M: the identity, the diagonal of the scatter matrix, all of it, or all of it by "
                        "conjugate gradients (one pass per step). auto: full up to 2,000 features, then cg.")),
      in_group("objective", number_option("ridge", 0, 0, std::numeric_limits<double>::infinity(),
                                          "Added to the diagonal of M; the intercept is not penalized.")),
      in_group("stopping", positive_option("tolerance", 1e-8, "cg stops when ‖b − M·θ‖ ≤ tolerance·‖b‖.")),
  };
}

void refuse(const Options& options, const TrainingRequest& /*demand*/) {
  const std::string& matrix = get_text(options, "matrix");
  const OptionTable& table = least_squares_entry().info.table;
  if (matrix == "identity") refuse_options(options, table, {"ridge"}, "the identity has no {}: leave it out");
  if (matrix != "cg" && matrix != "auto") {
    refuse_options(options, table, {"tolerance"}, "{} is for conjugate gradients: leave it out");
  }
}

/// As `widen` decides: with the choice auto the matrix is kept up to kAutoFull features.
MemoryRates memory_rates(const Options& options, const Shape& shape, int /*threads*/, const SolverChoice& /*choice*/) {
  const std::string& matrix = get_text(options, "matrix");
  const bool full = matrix == "full" || (matrix == "auto" && shape.features <= kAutoFull);
  return {.column = 8 * 32, .square = full ? 3 * 8ULL : 0, .least_column = 100};
}

}  // namespace

const LearnerEntry& least_squares_entry() {
  static const LearnerEntry kEntry = {
      .info = {.name = "least-squares",
               .help = "θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖), in one pass or by conjugate gradients.",
               .formula = "min Σ (y − θ·x − θ0)² + ridge·‖θ‖²",
               .table = least_squares_options(),
               .many = true},
      .make = [](const Options& options, const Model* /*start*/, const LearnerRun& /*run*/)
          -> std::unique_ptr<Learner> { return std::make_unique<LeastSquares>(options); },
      .refuse = refuse,
      .memory = memory_rates,
  };
  return kEntry;
}

}  // namespace linsep
