#include "certify/mistake_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/poll.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

/// Kept rows have at most about kEntries entries in all, and there are at most kRows of each kind.
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
    // Beyond the range of doubles nothing is known of the scaled weight, so every row is judged exactly.
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
  // Equal rows are different witnesses' rows, so the row's number stands in for a hash.
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

}  // namespace linsep
