#include "train/logit/likelihood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/parallel.h"
#include "kernel/kernel.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

constexpr std::int64_t kPanel = PanelSums::kRows;
/// A column is constant if its deviation is below this share of its largest value.
constexpr double kConstant = 1e-13;
constexpr std::size_t kPanelsPerThread = 4;
/// 2^this and its inverse are numbers.
constexpr int kMostExponent = 1000;

/// The k with 2^k·value in [1, 2), or 0 for 0.
int exponent_to_one(double value) { return value > 0 ? -std::ilogb(value) : 0; }
double power_of_two(int exponent) { return std::ldexp(1.0, std::clamp(exponent, -kMostExponent, kMostExponent)); }

}  // namespace

double product(std::span<const double> a, std::span<const double> b) {
  Sum sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum.add(a[j] * b[j]);
  return sum.value();
}

SymmetricMatrix restricted_factor(SymmetricMatrix matrix, const std::vector<char>& free, int threads) {
  const std::size_t size = matrix.size();
  double greatest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i; j < size; ++j) {
      if (free[i] == 0 || free[j] == 0) matrix.at(i, j) = i == j ? 1 : 0;
    }
    if (free[i] != 0) greatest = std::max(greatest, matrix.at(i, i));
  }
  constexpr double kLeast = 1e-290;
  for (double ridge = 0;; ridge = std::max({kLeast, 1e-14 * greatest, 10 * ridge})) {
    SymmetricMatrix factor = matrix;
    for (std::size_t i = 0; i < size && ridge > 0; ++i) factor.at(i, i) += free[i] != 0 ? ridge : 0;
    if (factor.factor(threads)) return factor;
    if (!(ridge <= std::max(greatest, kLeast)))
      throw input_error("the information matrix isn't finite: are there huge values?");
  }
}

/// Collects rows into panels, about which it asks. Rows before the first whole panel of a shard go to the worker
/// before.
class Likelihood::PanelPass final : public Pass {
 public:
  PanelPass(const Likelihood& owner, RowQuery query) : owner_(owner), factor_(owner.factor_) {
    if (owner.offset()) factor_[*owner.offset()] = 1;
    empty_row_.assign(owner.size_, 0);
    for (std::size_t c = 0; c < owner.size_; ++c) empty_row_[c] = -owner.shift_[c] * factor_[c];
    empty_row_[0] = factor_[0];  // shift_[0] is 0, because the intercept's column is 1, or 0 without one
    const std::size_t most = kPanelsPerThread * static_cast<std::size_t>(owner.threads_) * PanelSums::kRows;
    x_.resize(most * owner.size_);
    label_.resize(most);
    weight_.resize(most);
    KnownRows known{.rows = std::numeric_limits<std::ptrdiff_t>::max(), .threads = owner.threads_};
    known.panel_columns = owner.size_;
    engine_.set(known);
    engine_.begin(std::move(query));
  }
  RowAnswer& answer() { return answer_; }

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }
  void begin(const Shape& /*shape*/) override {}

  void visit(const Batch& batch) override {
    deadline_.run([&] {
      for_each_row(batch, [&](const auto& row, std::int64_t i) {
        double* x = next_row(batch.number_of(i), batch.label[static_cast<std::size_t>(i)], batch.weight_of(i));
        std::copy(empty_row_.begin(), empty_row_.end(), x);
        for_each_entry(
            row, [&](std::uint32_t j, double value) { x[j + 1] = (value - owner_.shift_[j + 1]) * factor_[j + 1]; });
      });
    });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] {
      if (comm.size() > 1) take_heads(comm);
      flush();
      answer_ = engine_.end(comm);
    });
  }

  Verdict end_pass(Progress& /*progress*/) override { return Verdict::kConverged; }

 private:
  /// A row of another worker's panel has number, label and weight, then its columns.
  static constexpr std::size_t kHeadNumbers = 3;

  double* next_row(std::int64_t number, double label, double weight) {
    const std::int64_t panel = number / kPanel * kPanel;
    if (panel_ < 0 && panel != number && owner_.run_.comm.rank() > 0) {
      head_.insert(head_.end(), {static_cast<double>(number), label, weight});
      head_.resize(head_.size() + owner_.size_);
      return head_.data() + head_.size() - owner_.size_;
    }
    if (rows_ == label_.size()) flush();
    if (rows_ == 0) first_ = number;
    panel_ = panel;
    label_[rows_] = label;
    weight_[rows_] = weight;
    return x_.data() + owner_.size_ * rows_++;
  }

  void flush() {
    if (rows_ == 0) return;
    Batch batch;
    batch.first_row = first_;
    batch.rows = static_cast<std::int64_t>(rows_);
    batch.features = static_cast<std::uint32_t>(owner_.size_);
    batch.dense = true;
    batch.is_float = false;
    batch.stride = owner_.size_;
    batch.value64 = std::span(x_).first(rows_ * owner_.size_);
    batch.label = std::span(label_).first(rows_);
    batch.weight = std::span(weight_).first(rows_);
    engine_.add(batch);
    rows_ = 0;
  }

  /// Takes the rows of this worker's last panel that other workers have.
  void take_heads(Comm& comm) {
    const auto all = comm.all_gather(std::as_bytes(std::span(head_)));
    const std::size_t length = kHeadNumbers + owner_.size_;
    const std::int64_t mine = panel_;
    for (std::size_t rank = static_cast<std::size_t>(comm.rank()) + 1; rank < all.size() && mine >= 0; ++rank) {
      std::vector<double> rows(all[rank].size() / sizeof(double));
      if (!rows.empty()) std::memcpy(rows.data(), all[rank].data(), all[rank].size());
      for (std::size_t at = 0; at < rows.size(); at += length) {
        const auto number = static_cast<std::int64_t>(rows[at]);
        if (number / kPanel * kPanel != mine) return;
        std::copy_n(rows.data() + at + kHeadNumbers, owner_.size_, next_row(number, rows[at + 1], rows[at + 2]));
      }
    }
  }

  const Likelihood& owner_;
  Deadline deadline_;
  RowEngine engine_;
  RowAnswer answer_;
  std::vector<double> factor_, empty_row_, x_, label_, weight_;
  std::size_t rows_ = 0;     // collected so far
  std::int64_t first_ = 0;   // the first of them
  std::int64_t panel_ = -1;  // the first row of the panel being filled. −1 if there is none yet
  std::vector<double> head_;
};

RowAnswer Likelihood::ask(RowQuery query) {
  PanelPass pass(*this, std::move(query));
  TrainOptions options{run_.limits};
  options.max_passes = 1;
  const Observer observe = [&](const Progress& progress) {
    if (!run_.observe) return;
    Progress record = progress;
    record.pass = run_.passes + 1;
    record.passes_in_all = 0;
    run_.observe(record);
  };
  const PassOutcome outcome = run_passes(source_, pass, options, run_.comm, observe);
  if (outcome.reason != StopReason::kConverged) throw interrupted_error();
  ++run_.passes;
  return std::move(pass.answer());
}

std::vector<double> Likelihood::weights_at(std::span<const double> beta) const {
  std::vector<double> weights(beta.begin(), beta.end());
  if (offset()) weights[*offset()] = 1;
  return weights;
}

std::optional<std::size_t> Likelihood::offset() const {
  if (!has_units_ || !design_.offset) return std::nullopt;
  return std::size_t{*design_.offset} + 1;
}

Likelihood::Likelihood(Source& source, LogitDesign design, LogitRun& run)
    : source_(source),
      design_(std::move(design)),
      run_(run),
      threads_(thread_count(run.limits.threads)),
      size_(std::size_t{source.shape().features} + 1),
      shift_(size_, 0),
      factor_(size_, 1),
      greatest_(size_, 0),
      deviation_(size_, 0),
      active_(size_, 1) {
  if (source.shape().rows < 0) throw usage_error("logit needs a file, because it reads the rows more than once");
  if (!design_.intercept) factor_[0] = 0;
  if (design_.offset) factor_[*design_.offset + 1] = 0;
  for (const std::uint32_t column : design_.left_out) factor_[column + 1] = 0;
  survey();
  find_units();
}

/// Computes sums of weights, rows and columns, and the largest values.
void Likelihood::survey() {
  enum : std::size_t { kWeights, kPositives, kRows, kTotals };
  std::vector<std::vector<double>> greatest(static_cast<std::size_t>(threads_), std::vector<double>(size_, 0));
  RowQuery query;
  query.sums = {{}};
  query.totals = kTotals;
  query.function = [&](const ScoredRows& rows) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const double weight = rows.panel->weight[r];
      if (!(weight >= 0)) throw input_error("a weight isn't a number, or is below 0");
      rows.factor[r * rows.stride] = weight;
      rows.total[kWeights].add(weight);
      rows.total[kPositives].add(rows.panel->label[r] > 0 ? weight : 0);
      rows.total[kRows].add(weight > 0 ? 1 : 0);
    }
    for_each_row(*rows.panel, [&](const auto& row, std::int64_t i) {
      if (rows.panel->weight_of(i) == 0) return;
      std::vector<double>& most = greatest[rows.slot];
      for_each_entry(row, [&](std::uint32_t c, double x) { most[c] = std::max(most[c], std::abs(x)); });
    });
  };
  const RowAnswer answer = ask(std::move(query));
  for (const std::vector<double>& each : greatest) {
    for (std::size_t c = 0; c < size_; ++c) greatest_[c] = std::max(greatest_[c], each[c]);
  }
  run_.comm.all_reduce(std::span(greatest_), Comm::Op::kMax);
  weights_ = answer.totals[kWeights].value();
  positives_ = answer.totals[kPositives].value();
  rows_ = static_cast<std::int64_t>(answer.totals[kRows].value());
  const std::vector<double>& sums = answer.sums.front().sum;
  for (std::size_t c = 0; c < size_; ++c) {
    if (!std::isfinite(sums[c])) throw input_error("the values of a column are too large to add up");
    if (design_.intercept && c > 0 && weights_ > 0) shift_[c] = sums[c] / weights_;
  }
}

/// The information at β = 0 is a quarter of Σ w·x·xᵀ. It has the spreads on its diagonal, and its rank is that of the
/// columns. Columns are first brought to values near 1, so that no square overflows or vanishes.
void Likelihood::find_units() {
  std::vector<int> first(size_, 0), then(size_, 0);
  for (std::size_t c = 1; c < size_; ++c) {
    if (factor_[c] == 0) continue;
    first[c] = exponent_to_one(std::max(greatest_[c], std::abs(shift_[c])));
    factor_[c] = power_of_two(first[c]);
  }
  LogitPoint zero;
  zero.at.beta.assign(size_, 0);
  zero.at.matrix = LogisticPoint::Matrix::kInformation;
  LogitPoint* const point = &zero;
  evaluate(std::span(&point, 1));
  SymmetricMatrix& matrix = zero.matrix;
  unit_.assign(size_, 1);
  for (std::size_t c = 0; c < size_; ++c) {
    const double deviation = weights_ > 0 ? std::sqrt(4 * matrix.at(c, c) / weights_) : 0;
    deviation_[c] = std::ldexp(deviation, -first[c]);
    const bool constant = deviation <= kConstant * std::ldexp(std::max(greatest_[c], std::abs(shift_[c])), first[c]);
    if (factor_[c] == 0) active_[c] = 0;
    if (constant) {  // reads as 0, which depends on nothing
      for (std::size_t j = 0; j < size_; ++j) matrix.at(std::min(j, c), std::max(j, c)) = 0;
    } else if (c > 0) {
      then[c] = exponent_to_one(deviation);
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) matrix.at(i, j) = std::ldexp(matrix.at(i, j), then[i] + then[j]);
  }
  dependent_ = find_dependent_columns(matrix, active_);
  for (std::size_t c = 1; c < size_; ++c) {
    unit_[c] = power_of_two(first[c] + then[c]);
  }
  longest_ = 0;
  for (std::size_t c = 0; c < size_; ++c) {
    factor_[c] = active_[c] != 0 ? unit_[c] : 0;
    const double most = greatest_[c] * factor_[c] + std::abs(shift_[c]) * factor_[c];
    longest_ += most * most;
  }
  longest_ = std::sqrt(longest_);
  has_units_ = true;
}

namespace {

enum : std::size_t { kGradient, kSecond };

/// What scores of a panel's rows make at several points. The factors of gradients are residuals w·(y − p). Those of
/// matrices are the second derivatives of ln P, or squares of residuals.
///
/// ln P = min(m, 0) − ln(1 + e^−|m|) of the margin m. Where rows weigh 1 the second logarithms of a panel are one of a
/// product, of at most 256 factors between 1 and 2.
void weigh_rows(std::span<LogitPoint* const> points, const ScoredRows& rows) {
  const std::size_t count = points.size();
  std::vector<double> linear(count, 0), product(count, 1);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double sign = rows.panel->label[r], weight = rows.panel->weight[r];
    const double* score = rows.score + r * rows.score_stride;
    double* factor = rows.factor + r * rows.stride;
    double *residual = factor + rows.place[kGradient], *second = factor + rows.place[kSecond];
    for (std::size_t k = 0; k < count; ++k) {
      const double margin = sign * score[k], e = elementary::exp(-std::abs(margin)), inverse = 1 / (1 + e);
      const double wrong = margin >= 0 ? e * inverse : inverse;  // the probability of the other class
      if (weight == 1) {
        linear[k] += std::min(margin, 0.0);
        product[k] *= 1 + e;
      } else {
        linear[k] += weight * (std::min(margin, 0.0) - elementary::log1p(e));
      }
      residual[k] = weight * sign * wrong;
      second[k] =
          weight * (points[k]->at.matrix == LogisticPoint::Matrix::kScores ? wrong * wrong : e * inverse * inverse);
    }
  }
  for (std::size_t k = 0; k < count; ++k) rows.total[k].add(linear[k] - elementary::log(product[k]));
}

/// T = U⁻ᵀ·xᵀ, column after column of x, which stand in rows of t; h_i is the curvature times the squared length of T's
/// column i. Residuals of point k become h_i·(½ − p_i): y_i − p_i is known as weight·sign·wrong, and p_i is `wrong` of
/// a negative row.
void weigh_leverages(const LogisticPoint& point, std::size_t k, std::vector<double>& t, const ScoredRows& rows) {
  constexpr std::size_t kRows = PanelSums::kRows;
  const SymmetricMatrix& cholesky = *point.leverage;
  std::array<double, kRows> length{};
  for (std::size_t j = 0; j < cholesky.size(); ++j) {
    const double* row = cholesky.entries().data() + j * cholesky.stride();
    double* mine = t.data() + j * kRows;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      mine[r] /= row[j];
      length[r] += mine[r] * mine[r];
    }
    for (std::size_t l = j + 1; l < cholesky.size(); ++l) {
      if (row[l] != 0) axpy(-row[l], DenseRow<double>{mine, rows.rows}, t.data() + l * kRows);
    }
  }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double weight = rows.panel->weight[r];
    if (weight == 0) continue;
    double* factor = rows.factor + r * rows.stride;
    double &residual = factor[rows.place[kGradient] + k], &second = factor[rows.place[kSecond] + k];
    const double wrong = std::abs(residual) / weight;
    const double half_less_p = rows.panel->label[r] > 0 ? wrong - 0.5 : 0.5 - wrong;
    residual = second * length[r] * half_less_p;
    if (point.matrix == LogisticPoint::Matrix::kAugmented) second *= 1 + second / weight * length[r];
  }
}

/// Columns as rows, each kRows long. That of the offset has zeros.
void transpose(const Batch& panel, std::optional<std::size_t> offset, std::vector<double>& to) {
  to.resize(panel.features * PanelSums::kRows);
  for_each_row(panel, [&](const auto& row, std::int64_t i) {
    for_each_entry(row, [&](std::uint32_t j, double x) {
      to[j * PanelSums::kRows + static_cast<std::size_t>(i)] = j == offset ? 0 : x;
    });
  });
}

}  // namespace

void Likelihood::evaluate(std::span<LogitPoint* const> points) {
  const std::size_t count = points.size();
  std::vector<double> weight(size_ * count);
  RowQuery query;
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> mine = weights_at(points[k]->at.beta);
    for (std::size_t j = 0; j < size_; ++j) weight[j * count + k] = mine[j];
    if (points[k]->at.matrix != LogisticPoint::Matrix::kNone) query.matrices.push_back(k);
  }
  query.scores = {{weight, {}, count}};
  query.sums = {{.outputs = count}, {.outputs = count, .columns = false}};
  query.totals = count;
  const bool levered = std::ranges::any_of(points, [](const LogitPoint* each) { return each->at.leverage != nullptr; });
  struct Columns {
    std::vector<double> of_panel, solved;
  };
  std::vector<Columns> columns(static_cast<std::size_t>(threads_));
  query.function = [&](const ScoredRows& rows) {
    weigh_rows(points, rows);
    if (!levered) return;
    Columns& mine = columns[rows.slot];
    transpose(*rows.panel, offset(), mine.of_panel);
    for (std::size_t k = 0; k < count; ++k) {
      if (points[k]->at.leverage == nullptr) continue;
      mine.solved = mine.of_panel;
      weigh_leverages(points[k]->at, k, mine.solved, rows);
    }
  };
  RowAnswer answer = ask(std::move(query));
  std::size_t next = 0;
  for (std::size_t k = 0; k < count; ++k) {
    points[k]->value = answer.totals[k].value();
    points[k]->gradient.resize(size_);
    for (std::size_t j = 0; j < size_; ++j) points[k]->gradient[j] = answer.sums[kGradient].sum[j * count + k];
    if (points[k]->at.matrix != LogisticPoint::Matrix::kNone) points[k]->matrix = std::move(answer.matrices[next++]);
    if (!offset()) continue;
    points[k]->gradient[*offset()] = 0;
    SymmetricMatrix& matrix = points[k]->matrix;
    for (std::size_t j = 0; j < matrix.size(); ++j) matrix.at(std::min(j, *offset()), std::max(j, *offset())) = 0;
  }
}

std::size_t Likelihood::rank() const {
  return static_cast<std::size_t>(std::count_if(active_.begin(), active_.end(), [](char a) { return a != 0; }));
}

std::vector<double> Likelihood::functional(std::size_t coordinate) const {
  std::vector<double> a(size_, 0);
  a[coordinate] = factor_[coordinate] != 0 ? 1 : 0;
  if (coordinate > 0) return a;
  for (std::size_t c = 1; c < size_; ++c) a[c] = -shift_[c] * factor_[c];
  return a;
}

bool Likelihood::determines(std::size_t coordinate) const {
  constexpr double kRounding = 1e-7;
  return std::ranges::all_of(dependent_, [&](const DependentColumn& each) {
    // Along the relation scores don't change. The intercept as written is β_0 − Σ mean·unit·β.
    double along = each.relation[coordinate] * unit_[coordinate], size = std::abs(along);
    for (std::size_t c = 1; c < size_ && coordinate == 0; ++c) {
      const double term = shift_[c] * unit_[c] * each.relation[c];
      along -= term;
      size += std::abs(term);
    }
    return std::abs(along) <= kRounding * std::max(size, unit_[coordinate]);
  });
}

double Likelihood::as_written(std::size_t coordinate, std::span<const double> beta) const {
  return product(functional(coordinate), beta) * scale(coordinate);
}

double Likelihood::log_determinant_shift() const {
  double sum = 0;
  for (std::size_t c = 0; c < size_; ++c) {
    if (active_[c] != 0) sum -= 2 * elementary::log(factor_[c]);
  }
  return sum;
}

/// Columns are scaled to a deviation below 2, and |x| ≤ (1 + x²)/2.
double Likelihood::greatest_sum() const { return 2.5 * weights_; }

}  // namespace linsep
