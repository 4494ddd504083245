#include "train/logit/likelihood.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/deadline.h"
#include "core/elementary.h"
#include "core/parallel.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "numeric/compensated_sum.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr std::int64_t kPanel = LogisticPanel::kRows;
/// A column depends on those before it if the part that they leave of it is below this share, squared, of its length.
constexpr double kDependent = 1e-11;
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

/// Collects rows into panels. Rows before the first whole panel of a shard go to the worker before.
class Likelihood::PanelPass final : public Pass {
 public:
  using Process = std::function<void(const LogisticPanel&, std::int64_t, std::size_t)>;

  PanelPass(const Likelihood& owner, const Process& process, const std::function<void(Comm&)>& synchronise)
      : owner_(owner),
        process_(process),
        synchronise_(synchronise),
        offset_(owner.has_units_ ? owner.design_.offset : std::nullopt) {
    panels_.resize(kPanelsPerThread * static_cast<std::size_t>(owner.threads_));
    for (auto& [panel, first] : panels_) panel.resize(owner.size_);
    empty_row_.assign(owner.size_, 0);
    for (std::size_t c = 0; c < owner.size_; ++c) empty_row_[c] = -owner.shift_[c] * owner.factor_[c];
    empty_row_[0] = owner.factor_[0];  // shift_[0] is 0, because the intercept's column is 1, or 0 without one
  }

  void set_stop(const StopFunction& stop) override { deadline_ = stop; }
  void begin(const Shape& /*shape*/) override {}

  void visit(const Batch& batch) override {
    deadline_.run([&] {
      for_each_row(batch, [&](const auto& row, std::int64_t i) {
        const std::int64_t number = batch.number_of(i);
        double* x = next_row(number, batch.label[static_cast<std::size_t>(i)], batch.weight_of(i));
        std::copy(empty_row_.begin(), empty_row_.end(), x);
        double fixed = 0;
        for_each_entry(row, [&](std::uint32_t j, double value) {
          x[j + 1] = (value - owner_.shift_[j + 1]) * owner_.factor_[j + 1];
          if (offset_ == j) fixed = value;
        });
        set_fixed(fixed);
      });
    });
  }

  void synchronise(Comm& comm) override {
    deadline_.run([&] {
      if (comm.size() > 1) take_heads(comm);
      flush();
      synchronise_(comm);
    });
  }

  Verdict end_pass(Progress& /*progress*/) override { return Verdict::kConverged; }

 private:
  /// A row of another worker's panel has number, label, weight and fixed part of the score, then its columns.
  static constexpr std::size_t kHeadNumbers = 4;

  double* next_row(std::int64_t number, double label, double weight) {
    const std::int64_t first = number / kPanel * kPanel;
    if (current_ < 0 && first != number && owner_.run_.comm.rank() > 0) {
      head_.resize(head_.size() + kHeadNumbers + owner_.size_);
      double* at = head_.data() + head_.size() - kHeadNumbers - owner_.size_;
      at[0] = static_cast<double>(number);
      at[1] = label;
      at[2] = weight;
      fixed_ = at + 3;
      return at + kHeadNumbers;
    }
    if (first != current_) {
      current_ = first;
      if (used_ == panels_.size()) flush();
      panels_[used_].first.rows = 0;
      panels_[used_].second = first;
      ++used_;
    }
    LogisticPanel& panel = panels_[used_ - 1].first;
    const std::size_t at = panel.rows++;
    panel.sign[at] = label;
    panel.weight[at] = weight;
    fixed_ = &panel.fixed[at];
    return panel.row(at);
  }
  void set_fixed(double value) { *fixed_ = value; }

  void flush() {
    const double work = 50.0 * static_cast<double>(used_ * kPanel) * static_cast<double>(owner_.size_);
    parallel_for(used_, owner_.threads_, work, [&](std::size_t at, std::size_t thread) {
      process_(panels_[at].first, panels_[at].second, thread);
      poll(100000);
    });
    used_ = 0;
  }

  /// Takes the rows of this worker's last panel that other workers have.
  void take_heads(Comm& comm) {
    const auto all = comm.all_gather(std::as_bytes(std::span(head_)));
    const std::size_t length = kHeadNumbers + owner_.size_;
    const std::int64_t mine = current_;
    for (std::size_t rank = static_cast<std::size_t>(comm.rank()) + 1; rank < all.size() && mine >= 0; ++rank) {
      std::vector<double> rows(all[rank].size() / sizeof(double));
      if (!rows.empty()) std::memcpy(rows.data(), all[rank].data(), all[rank].size());
      for (std::size_t at = 0; at < rows.size(); at += length) {
        const auto number = static_cast<std::int64_t>(rows[at]);
        if (number / kPanel * kPanel != mine) return;
        double* x = next_row(number, rows[at + 1], rows[at + 2]);
        set_fixed(rows[at + 3]);
        std::copy_n(rows.data() + at + kHeadNumbers, owner_.size_, x);
      }
    }
  }

  const Likelihood& owner_;
  const Process& process_;
  const std::function<void(Comm&)>& synchronise_;
  const std::optional<std::uint32_t> offset_;
  Deadline deadline_;
  std::vector<std::pair<LogisticPanel, std::int64_t>> panels_;  ///< with the number of their first row
  std::size_t used_ = 0;
  std::int64_t current_ = -1;  ///< the first row of the panel being filled. −1 if there is none yet
  std::vector<double> empty_row_, head_;
  double* fixed_ = nullptr;
};

void Likelihood::for_each_panel(const std::function<void(const LogisticPanel&, std::int64_t, std::size_t)>& process,
                                const std::function<void(Comm&)>& synchronise) {
  PanelPass pass(*this, process, synchronise);
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
  enum : std::size_t { kWeights, kPositives, kRows, kColumns };
  struct Partial {
    BinnedSums sums;
    std::vector<double> greatest;
  };
  std::vector<Partial> partial(static_cast<std::size_t>(threads_));
  for (Partial& each : partial) {
    each.sums.resize(kColumns + size_);
    each.greatest.assign(size_, 0);
  }
  const auto process = [&](const LogisticPanel& panel, std::int64_t /*first*/, std::size_t thread) {
    Partial& mine = partial[thread];
    std::vector<double> sum(kColumns + size_, 0);
    for (std::size_t i = 0; i < panel.rows; ++i) {
      const double weight = panel.weight[i];
      if (!(weight >= 0) || !std::isfinite(panel.fixed[i])) throw input_error("a weight or an offset isn't a number");
      if (weight == 0) continue;
      sum[kWeights] += weight;
      sum[kPositives] += panel.sign[i] > 0 ? weight : 0;
      sum[kRows] += 1;
      for (std::size_t c = 0; c < size_; ++c) {
        sum[kColumns + c] += weight * panel.row(i)[c];
        mine.greatest[c] = std::max(mine.greatest[c], std::abs(panel.row(i)[c]));
      }
    }
    for (std::size_t k = 0; k < sum.size(); ++k) mine.sums.add(k, sum[k]);
  };
  for_each_panel(process, [&](Comm& comm) {
    for (std::size_t t = 1; t < partial.size(); ++t) {
      partial[0].sums.add(partial[t].sums);
      for (std::size_t c = 0; c < size_; ++c) {
        partial[0].greatest[c] = std::max(partial[0].greatest[c], partial[t].greatest[c]);
      }
    }
    exact_all_reduce(comm, partial[0].sums);
    comm.all_reduce(std::span(partial[0].greatest), Comm::Op::kMax);
  });
  const BinnedSums& sums = partial[0].sums;
  weights_ = sums.value(kWeights);
  positives_ = sums.value(kPositives);
  rows_ = static_cast<std::int64_t>(sums.value(kRows));
  greatest_ = partial[0].greatest;
  for (std::size_t c = 0; c < size_; ++c) {
    if (!std::isfinite(sums.value(kColumns + c))) throw input_error("the values of a column are too large to add up");
    if (design_.intercept && c > 0 && weights_ > 0) shift_[c] = sums.value(kColumns + c) / weights_;
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
    if (factor_[c] == 0 || constant) {
      active_[c] = 0;
    } else if (c > 0) {
      then[c] = exponent_to_one(deviation);
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) matrix.at(i, j) = std::ldexp(matrix.at(i, j), then[i] + then[j]);
  }
  find_dependent(matrix);
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

/// Uses Cholesky's factor, column after column, to find how much of each column those before it explain. A column that
/// isn't active here is constant, or not in the model.
void Likelihood::find_dependent(SymmetricMatrix& matrix) {
  std::vector<std::vector<double>> row(size_);
  for (std::size_t k = 0; k < size_; ++k) {
    row[k].assign(k + 1, 0);
    double rest = matrix.at(k, k);
    for (std::size_t l = 0; l < k && active_[k] != 0; ++l) {
      if (active_[l] == 0) continue;
      double entry = matrix.at(l, k);
      for (std::size_t m = 0; m < l; ++m) entry -= row[k][m] * row[l][m];
      row[k][l] = entry / row[l][l];
      rest -= row[k][l] * row[k][l];
    }
    if (active_[k] != 0 && rest > kDependent * matrix.at(k, k)) {
      row[k][k] = std::sqrt(rest);
      continue;
    }
    active_[k] = 0;
    if (factor_[k] == 0) continue;  // not in the model
    DependentColumn dependent;
    dependent.coordinate = k;
    dependent.relation.assign(size_, 0);
    std::vector<double>& relation = dependent.relation;
    for (std::size_t l = k; l-- > 0;) {
      if (active_[l] == 0) continue;
      double weight = -row[k][l];
      for (std::size_t m = l + 1; m < k; ++m) weight -= active_[m] != 0 ? relation[m] * row[m][l] : 0;
      relation[l] = weight / row[l][l];
    }
    relation[k] = 1;
    dependent_.push_back(std::move(dependent));
  }
}

void Likelihood::evaluate(std::span<LogitPoint* const> points) {
  std::vector<const LogisticPoint*> at;
  for (const LogitPoint* point : points) at.push_back(&point->at);
  std::vector<LogisticSums> partial(static_cast<std::size_t>(threads_));
  for (LogisticSums& sums : partial) sums.begin(at, size_);
  for_each_panel(
      [&](const LogisticPanel& panel, std::int64_t /*first*/, std::size_t thread) { partial[thread].add(panel); },
      [&](Comm& comm) {
        for (std::size_t t = 1; t < partial.size(); ++t) partial[0].add(partial[t]);
        partial[0].synchronise(comm);
      });
  for (std::size_t k = 0; k < points.size(); ++k) {
    points[k]->value = partial[0].value(k);
    points[k]->gradient = partial[0].gradient(k);
    if (points[k]->at.matrix != LogisticPoint::Matrix::kNone) points[k]->matrix = partial[0].matrix(k);
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
