#include "certify/mistakes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/deadline.h"
#include "exact/decimal.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

/// Kept rows have at most about kEntries entries in all, and at most kRows of each kind.
constexpr std::int64_t kEntries = std::int64_t{1} << 25;
constexpr std::int64_t kRows = 250000;
constexpr std::size_t kJudgedAtOnce = 4096;

}  // namespace

MistakePool::MistakePool(PoolOptions options) : options_(std::move(options)) {
  const RowSpace& space = options_.scaling.space;
  options_.theta.resize(space.mapped, 0.0);
  std::vector<std::uint32_t> column;
  std::vector<double> scaled, weight = options_.theta;
  if (!space.origin) weight.push_back(options_.offset);
  double relative_error = 0;
  for (std::uint32_t j = 0; j < weight.size(); ++j) {
    column.push_back(j);
    scaled.push_back(std::ldexp(weight[j], options_.scaling.exponent[j]));
    // The scaled weight is unknown beyond the range of doubles, so every row is judged exactly.
    const double back = std::ldexp(scaled.back(), -options_.scaling.exponent[j]);
    if (back != weight[j]) relative_error = std::numeric_limits<double>::infinity();
  }
  scan_ = options_.scaling.scan_weights(column, scaled, relative_error);
  exact_ = integers_of(weight);
}

void MistakePool::begin(const Shape& shape) {
  std::int64_t entries = std::max<std::int64_t>(1, options_.scaling.space.mapped);
  if (shape.rows > 0 && shape.nonzeros > 0 && !options_.scaling.mapped()) entries = 1 + shape.nonzeros / shape.rows;
  const auto limit = static_cast<std::size_t>(std::clamp<std::int64_t>(kEntries / entries, 1000, kRows));
  wrong_ = WorstRows(limit);
  right_ = WorstRows(limit);
}

template <class Row>
void MistakePool::keep(const Row& z, std::int64_t number, int sign, double share, bool wrong) {
  if (wrong) ++mistakes_;
  WorstRows& rows = wrong ? wrong_ : right_;
  // Equal rows belong to different witnesses, so the row's number stands in for a hash.
  if (rows.wants(share)) rows.offer(share, static_cast<std::uint64_t>(number), number, sign, z);
}

template <class Row>
void MistakePool::look_at(const Row& x, std::int64_t number, int sign) {
  options_.scaling.show(x, [&](const auto& z) {
    const std::int16_t exponent = RowScaling::size_exponent(options_.scaling.scaled_square(z));
    const double score = sign * (dot(z, scan_.weight.data()) + scan_.offset);
    const double size = exponent == RowScaling::kNoExponent ? 1 : std::ldexp(1.0, exponent);
    const double bound =
        exponent == RowScaling::kNoExponent ? std::numeric_limits<double>::infinity() : scan_.bound(z.size, size);
    if (std::fabs(score) > bound) {
      keep(z, number, sign, score / size, score < 0);
      return;
    }
    WorkRow copy;
    copy.row = number;
    copy.sign = sign;
    for_each_entry(z, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      copy.column.push_back(column);
      copy.value.push_back(value);
    });
    undecided_.emplace_back(Undecided{number, sign, std::isfinite(score) ? score / size : 0}, std::move(copy));
  });
}

void MistakePool::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    look_at(x, batch.number_of(i), batch.label[static_cast<std::size_t>(i)] > 0 ? 1 : -1);
  });
}

bool MistakePool::is_mistake(const ExactRow& z) const {
  poll(100 * z.column.size());
  return exact_dot(z, exact_) <= 0;
}

void MistakePool::judge_open() {
  for (std::size_t from = 0; from < undecided_.size(); from += kJudgedAtOnce) {
    const std::size_t end = std::min(undecided_.size(), from + kJudgedAtOnce);
    std::vector<std::int64_t> rows;
    for (std::size_t k = from; k < end; ++k) rows.push_back(undecided_[k].first.row);
    const std::vector<WrittenRow> written = options_.written(rows);
    for (std::size_t k = from; k < end; ++k) {
      const auto& [open, copy] = undecided_[k];
      const bool wrong = is_mistake(exact_row(written[k - from], open.sign, options_.scaling.space));
      keep(SparseRow<double>{copy.column.data(), copy.value.data(), copy.column.size()}, open.row, open.sign,
           open.share, wrong);
    }
  }
  undecided_.clear();
}

void MistakePool::synchronise(Comm& comm) {
  judge_open();
  wrong_.synchronise(comm);
  right_.synchronise(comm);
  mistakes_ = all_reduce_sum(comm, mistakes_);
}

Verdict MistakePool::end_pass(Progress& progress) {
  progress.mistakes = mistakes_;
  return Verdict::kConverged;
}

namespace {

/// With more columns than this a witness has too many rows to be worth a search.
constexpr std::size_t kMostColumns = 2048;
constexpr std::size_t kPairsAtOnce = 1024;
constexpr int kMostRounds = 60;
/// Rows with z·p within this share of ‖p‖² aren't worth adding.
constexpr double kNearEnough = 1e-6;

/// Divides by the largest, for squares beyond the range of doubles, and returns the sum of the new squares. Values that
/// aren't finite become 0.
double shrink(std::vector<double>& values) {
  double greatest = 0;
  for (const double v : values) greatest = std::max(greatest, std::fabs(v));
  const bool fits = greatest > 0 && std::isfinite(greatest);
  double squared = 0;
  for (double& v : values) {
    v = fits ? v / greatest : 0;
    squared += v * v;
  }
  return squared;
}

}  // namespace

/// Rows in scaled columns, of norm 1, labels multiplied in. The first are the wrong ones.
struct WitnessPacking::Pool {
  std::vector<std::int64_t> row;
  KeptRows value;
  std::vector<char> used;
  std::size_t wrong = 0;
  std::vector<std::uint32_t> column;  ///< of z, ascending. `place` is its inverse
  std::vector<std::int32_t> place;

  void add(const WorkRow& work, const RowScaling& scaling) {
    std::vector<double> scaled;
    double squared = 0;
    const auto put = [&](std::uint32_t c, double v) {
      value.column.push_back(static_cast<std::uint32_t>(place[c]));
      scaled.push_back(work.sign * v);
      squared += v * v;
    };
    for (std::size_t k = 0; k < work.column.size(); ++k) {
      const std::uint32_t c = work.column[k];
      put(c, scaling.mapped() ? work.value[k] : work.value[k] * scaling.column_scale[c]);
    }
    if (!scaling.space.origin) put(scaling.space.mapped, std::ldexp(1.0, -scaling.exponent[scaling.space.mapped]));
    if (!(squared > 1e-280 && squared < 1e280)) squared = shrink(scaled);
    for (double& v : scaled) v = squared > 0 ? v / std::sqrt(squared) : 0;
    value.value.insert(value.value.end(), scaled.begin(), scaled.end());
    value.start.push_back(value.column.size());
    row.push_back(work.row);
    used.push_back(0);
  }
  void spread(std::size_t i, std::vector<double>& dense) const {
    dense.assign(column.size(), 0.0);
    const SparseRow<double> z = value.row(i);
    for (std::size_t k = 0; k < z.size; ++k) dense[z.column[k]] = z.value[k];
  }
};

void WitnessPacking::add_pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, std::size_t limit,
                               const Deadline& deadline) {
  for (std::size_t from = 0; from < pairs.size(); from += kPairsAtOnce) {
    const std::size_t end = std::min(pairs.size(), from + kPairsAtOnce);
    std::vector<std::int64_t> rows;
    for (std::size_t k = from; k < end; ++k) {
      rows.push_back(pairs[k].first);
      rows.push_back(pairs[k].second);
    }
    std::sort(rows.begin(), rows.end());
    std::unordered_map<std::int64_t, ExactRow> exact;
    for (ExactRow& z : read_(rows)) exact.emplace(z.row, std::move(z));
    for (std::size_t k = from; k < end; ++k) {
      if (witnesses_.size() >= limit || deadline.expired()) return;
      const ExactRow& a = exact.at(pairs[k].first);
      const ExactRow& b = exact.at(pairs[k].second);
      Witness witness = witness_of_pair(a, b);
      if (witness.empty()) continue;
      witnesses_.push_back(std::move(witness));
      used_.insert(a.row);
      used_.insert(b.row);
    }
  }
}

void WitnessPacking::pack(const std::vector<WorkRow>& wrong, const std::vector<WorkRow>& right, std::size_t limit,
                          const Deadline& deadline, const Observer& observe) {
  Pool pool;
  std::vector<char> seen(scaling_.space.columns(), 0);
  for (const auto* rows : {&wrong, &right}) {
    for (const WorkRow& work : *rows) {
      for (const std::uint32_t c : work.column) seen[c] = 1;
    }
  }
  if (!scaling_.space.origin) seen.back() = 1;
  pool.place.assign(seen.size(), -1);
  for (std::uint32_t c = 0; c < seen.size(); ++c) {
    if (seen[c] == 0) continue;
    pool.place[c] = static_cast<std::int32_t>(pool.column.size());
    pool.column.push_back(c);
  }
  if (pool.column.empty() || pool.column.size() > kMostColumns) return;
  for (const WorkRow& work : wrong) {
    if (!used_.contains(work.row)) pool.add(work, scaling_);
  }
  pool.wrong = pool.row.size();
  for (const WorkRow& work : right) {
    if (!used_.contains(work.row)) pool.add(work, scaling_);
  }

  std::unordered_map<std::int64_t, std::size_t> place_of_row;
  for (std::size_t i = 0; i < pool.row.size(); ++i) place_of_row.emplace(pool.row[i], i);
  for (std::size_t i = 0; i < pool.wrong; ++i) {
    if (witnesses_.size() >= limit || deadline.expired()) return;
    if (observe) {
      Progress progress;
      progress.rows = static_cast<std::int64_t>(i);
      progress.rows_in_all = static_cast<std::int64_t>(pool.wrong);
      progress.witnesses = static_cast<std::int64_t>(witnesses_.size());
      observe(progress);
    }
    auto witness = find(pool, i, deadline);
    if (!witness) continue;
    for (const auto& [row, alpha] : *witness) {
      used_.insert(row);
      pool.used[place_of_row.at(row)] = 1;
    }
    witnesses_.push_back(std::move(*witness));
  }
}

std::optional<Witness> WitnessPacking::find(const Pool& pool, std::size_t wrong, const Deadline& deadline) const {
  const std::size_t size = pool.column.size();
  MinNormPoint solver(size);
  std::vector<double> dense;
  pool.spread(wrong, dense);
  solver.add(dense, static_cast<std::int64_t>(wrong));
  std::unordered_set<std::size_t> known;
  std::vector<std::pair<double, std::size_t>> scored;
  for (int round = 0; round < kMostRounds; ++round) {
    switch (solver.solve(deadline)) {
      case MinNormPoint::End::kStopped:
        return std::nullopt;
      case MinNormPoint::End::kZero:
      case MinNormPoint::End::kStalled:
        return exactly(pool, solver);
      case MinNormPoint::End::kSeparated:
        break;
    }
    scored.clear();
    bool violated = false;
    const double enough = solver.squared_norm() * (1 - kNearEnough);
    for (std::size_t i = pool.wrong; i < pool.row.size(); ++i) {
      if (pool.used[i] != 0 || known.contains(i)) continue;
      poll(pool.value.row(i).size + 10);
      const double score = dot(pool.value.row(i), solver.nearest().data());
      if (score >= enough) continue;
      violated = violated || score <= 0;
      scored.emplace_back(score, i);
    }
    if (!violated) return std::nullopt;  // p separates everything that is left
    const std::size_t count = std::min(scored.size(), size + 16);
    std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(count), scored.end());
    for (std::size_t k = 0; k < count; ++k) {
      known.insert(scored[k].second);
      pool.spread(scored[k].second, dense);
      solver.add(dense, static_cast<std::int64_t>(scored[k].second));
    }
  }
  return std::nullopt;
}

std::optional<Witness> WitnessPacking::exactly(const Pool& pool, const MinNormPoint& solver) const {
  std::vector<std::pair<std::int64_t, double>> support;
  for (std::size_t k = 0; k < solver.corral().size(); ++k) {
    support.emplace_back(pool.row[static_cast<std::size_t>(solver.name(solver.corral()[k]))], solver.weights()[k]);
  }
  std::sort(support.begin(), support.end());
  std::vector<std::int64_t> rows;
  for (const auto& [row, weight] : support) rows.push_back(row);
  const std::vector<ExactRow> exact = read_(rows);
  // The rows' own columns, because a product may be 0 in the pool and not as written.
  std::vector<std::int32_t> place(scaling_.space.columns(), -1);
  for (const ExactRow& z : exact) {
    for (const std::uint32_t c : z.column) place[c] = 0;
  }
  std::int32_t columns = 0;
  for (std::int32_t& at : place) at = at < 0 ? -1 : columns++;
  IntegerRows dense;
  std::vector<Rational> guess;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    dense.push_back(dense_entries(exact[k], place, static_cast<std::size_t>(columns)));
    // If the rows have one dependency, only the order of guesses counts. Otherwise a rough size is enough.
    guess.push_back(rational_of_double(support[k].second));
    guess.back() /= exact[k].scale;
  }
  const auto alpha = exact_witness(dense, guess);
  if (!alpha) return std::nullopt;
  std::vector<std::pair<std::int64_t, Rational>> weights;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    if ((*alpha)[k] > 0) weights.emplace_back(exact[k].row, (*alpha)[k] * exact[k].scale);
  }
  return as_witness(std::move(weights));
}

}  // namespace linsep
