#include "certify/sparse/sparse_factor.h"

#include <algorithm>
#include <utility>

#include "certify/sparse/prime_field.h"
#include "core/poll.h"

namespace linsep {
namespace {

constexpr std::size_t kDenseShare = 8;           ///< one entry in this many makes a matrix dense
constexpr std::size_t kMostSaved = 48'000'000;   ///< entries of sparse rows, eight bytes each
constexpr std::size_t kMostDense = 130'000'000;  ///< entries of the dense matrix, four bytes each
constexpr std::size_t kStepsBetweenQuestions = 16;

const FieldEntry* entry_at(const FieldRow& row, std::uint32_t index) {
  const auto found =
      std::lower_bound(row.begin(), row.end(), index, [](const FieldEntry& e, std::uint32_t i) { return e.index < i; });
  return found != row.end() && found->index == index ? &*found : nullptr;
}

}  // namespace

void SparseFactor::begin(std::uint32_t columns) {
  row_count_ = rows_.size();
  active_.assign(rows_.size(), true);
  holders_.assign(columns, {});
  count_.assign(columns, 0);
  waiting_ = {};
  pivot_.clear();
  step_.clear();
  saved_ = left_ = 0;
  dense_ = {};
  for (std::uint32_t r = 0; r < rows_.size(); ++r) {
    left_ += rows_[r].size();
    for (const FieldEntry& entry : rows_[r]) {
      holders_[entry.index].push_back(r);
      ++count_[entry.index];
    }
  }
  active_rows_ = rows_.size();
  active_columns_ = 0;
  for (std::uint32_t j = 0; j < columns; ++j) {
    if (count_[j] == 0) continue;
    ++active_columns_;
    waiting_.push({count_[j], j});
  }
}

// Counts that fell are in the queue anew; one that rose is put back when it comes up.
bool SparseFactor::next_column(std::uint32_t& column) {
  while (!waiting_.empty()) {
    const Waiting next = waiting_.top();
    waiting_.pop();
    if (count_[next.column] == 0) continue;
    if (count_[next.column] == next.count) {
      column = next.column;
      return true;
    }
    if (count_[next.column] > next.count) waiting_.push({count_[next.column], next.column});
  }
  return false;
}

void SparseFactor::count_less(std::uint32_t column) {
  if (--count_[column] == 0) {
    --active_columns_;
  } else {
    waiting_.push({count_[column], column});
  }
}

std::vector<std::uint32_t> SparseFactor::rows_with(std::uint32_t column) const {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t r : holders_[column]) {
    if (active_[r] && entry_at(rows_[r], column) != nullptr) rows.push_back(r);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// rows_[from] −= factor·pivot.
void SparseFactor::subtract(std::uint32_t factor, const FieldRow& pivot, std::uint32_t from) {
  const std::uint64_t minus = field_minus(factor);
  const FieldRow& row = rows_[from];
  FieldRow sum;
  sum.reserve(row.size() + pivot.size());
  std::size_t k = 0;
  for (const FieldEntry& entry : pivot) {
    while (k < row.size() && row[k].index < entry.index) sum.push_back(row[k++]);
    if (k == row.size() || row[k].index != entry.index) {
      sum.push_back({entry.index, fold(minus * entry.value)});
      holders_[entry.index].push_back(from);
      ++count_[entry.index];
      continue;
    }
    const std::uint32_t value = fold(row[k++].value + minus * entry.value);
    if (value != 0) {
      sum.push_back({entry.index, value});
    } else {
      count_less(entry.index);
    }
  }
  poll(5 * sum.size());
  sum.insert(sum.end(), row.begin() + static_cast<std::ptrdiff_t>(k), row.end());
  left_ += sum.size();
  left_ -= row.size();
  rows_[from] = std::move(sum);
}

void SparseFactor::eliminate(std::uint32_t column) {
  const std::vector<std::uint32_t> rows = rows_with(column);
  const std::uint32_t pivot = *std::min_element(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows_[a].size() != rows_[b].size() ? rows_[a].size() < rows_[b].size() : a < b;
  });
  Step step;
  step.inverse = field_inverse(entry_at(rows_[pivot], column)->value);
  active_[pivot] = false;
  --active_rows_;
  left_ -= rows_[pivot].size();
  step.row = std::move(rows_[pivot]);
  for (const std::uint32_t r : rows) {
    if (r == pivot) continue;
    const std::uint32_t factor = field_times(entry_at(rows_[r], column)->value, step.inverse);
    subtract(factor, step.row, r);
    step.taken.push_back({r, factor});
  }
  for (const FieldEntry& entry : step.row) {
    if (count_[entry.index] > 0) count_less(entry.index);
  }
  std::erase_if(step.row, [column](const FieldEntry& entry) { return entry.index == column; });
  step.row.shrink_to_fit();
  saved_ += step.row.size() + step.taken.size();
  holders_[column] = {};
  pivot_.push_back({pivot, column});
  step_.push_back(std::move(step));
}

bool SparseFactor::is_dense_enough() const { return left_ * kDenseShare >= active_rows_ * active_columns_; }

bool SparseFactor::end_densely(const std::function<bool()>& stop) {
  std::vector<std::uint32_t> rows, columns, place(count_.size());
  for (std::uint32_t r = 0; r < rows_.size(); ++r) {
    if (active_[r] && !rows_[r].empty()) rows.push_back(r);
  }
  for (std::uint32_t j = 0; j < count_.size(); ++j) {
    if (count_[j] == 0) continue;
    place[j] = static_cast<std::uint32_t>(columns.size());
    columns.push_back(j);
  }
  const std::vector<std::uint32_t> names = rows;
  dense_.begin(std::move(rows), std::move(columns));
  for (std::size_t r = 0; r < names.size(); ++r) {
    for (const FieldEntry& entry : rows_[names[r]]) dense_.at(r, place[entry.index]) = entry.value;
    rows_[names[r]] = {};
  }
  if (!dense_.factor(stop)) return false;
  for (std::size_t k = 0; k < dense_.rank(); ++k) pivot_.push_back({dense_.row(k), dense_.column(k)});
  return true;
}

SparseFactor::End SparseFactor::factor(std::vector<FieldRow> rows, std::uint32_t columns,
                                       const std::function<bool()>& stop) {
  rows_ = std::move(rows);
  begin(columns);
  std::uint32_t column = 0;
  for (std::size_t k = 0; next_column(column); ++k) {
    if (k % kStepsBetweenQuestions == 0) {
      if (stop && stop()) return End::kStopped;
      if (saved_ + left_ > kMostSaved) return End::kTooLarge;
      if (is_dense_enough()) break;
    }
    eliminate(column);
  }
  if (active_rows_ * active_columns_ > kMostDense) return End::kTooLarge;
  const bool ended = end_densely(stop);
  rows_ = {};
  holders_ = {};
  waiting_ = {};
  return ended ? End::kDone : End::kStopped;
}

std::vector<std::uint32_t> SparseFactor::combination(std::vector<std::uint32_t>& right) const {
  std::vector<std::uint32_t> x(row_count_, 0);
  for (std::size_t k = 0; k < step_.size(); ++k) {
    const std::uint32_t share = field_times(right[pivot_[k].column], step_[k].inverse);
    x[pivot_[k].row] = share;
    if (share == 0) continue;
    const std::uint64_t minus = field_minus(share);
    for (const FieldEntry& entry : step_[k].row) {
      right[entry.index] = fold(right[entry.index] + minus * entry.value);
    }
  }
  dense_.combination(right, x);
  for (std::size_t k = step_.size(); k-- > 0;) {
    std::uint64_t sum = x[pivot_[k].row];
    for (const FieldEntry& entry : step_[k].taken)
      sum = fold(sum + std::uint64_t{entry.value} * field_minus(x[entry.index]));
    x[pivot_[k].row] = static_cast<std::uint32_t>(sum);
  }
  return x;
}

}  // namespace linsep
