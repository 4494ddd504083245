#include "certify/exact/lifting.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/deadline.h"

namespace linsep {
namespace {

constexpr std::size_t kPanel = 48;
constexpr std::size_t kAtOnce = 3;  ///< products below 2⁶² whose sum, with one number more, stays below 2⁶⁴

// to[j] += a·x[j] + b·y[j] + c·z[j].
void add_three(std::uint32_t* to, std::size_t size, std::uint64_t a, const std::uint32_t* x, std::uint64_t b,
               const std::uint32_t* y, std::uint64_t c, const std::uint32_t* z) {
  for (std::size_t j = 0; j < size; ++j) to[j] = fold(to[j] + a * x[j] + b * y[j] + c * z[j]);
}

}  // namespace

void DenseFactor::begin(std::vector<std::uint32_t> row, std::vector<std::uint32_t> column) {
  row_ = std::move(row);
  column_ = std::move(column);
  value_.assign(row_.size() * column_.size(), 0);
  inverse_.clear();
}

// Finds a pivot for the next column that has one. The rows from the rank on have had the panel's pivots, `first` and
// after, subtracted only in the columns before. A column without a pivot goes to the end.
bool DenseFactor::find_pivot(std::size_t first, std::size_t& end) {
  const std::size_t k = rank();
  while (k < end) {
    poll(2 * (row_.size() - k) * (k - first + 1));
    std::size_t found = row_.size();
    for (std::size_t r = k; r < row_.size(); ++r) {
      std::uint32_t value = line(r)[k];
      for (std::size_t p = first; p < k; ++p) value = fold(value + std::uint64_t{field_minus(line(r)[p])} * line(p)[k]);
      line(r)[k] = value;
      if (value != 0 && found == row_.size()) found = r;
    }
    if (found < row_.size()) {
      if (found != k) {
        std::swap_ranges(line(found), line(found) + column_.size(), line(k));
        std::swap(row_[found], row_[k]);
      }
      return true;
    }
    --end;
    for (std::size_t r = 0; r < row_.size(); ++r) std::swap(line(r)[k], line(r)[end]);
    std::swap(column_[k], column_[end]);
  }
  return false;
}

// False if no pivot is left.
bool DenseFactor::factor_panel(std::size_t& end) {
  const std::size_t first = rank();
  while (rank() < first + kPanel) {
    if (rank() == row_.size() || !find_pivot(first, end)) return false;
    const std::size_t k = rank();
    for (std::size_t p = first; p < k; ++p) {
      const std::uint64_t minus = field_minus(line(k)[p]);
      for (std::size_t j = k + 1; j < end; ++j) line(k)[j] = fold(line(k)[j] + minus * line(p)[j]);
    }
    inverse_.push_back(field_inverse(line(k)[k]));
    for (std::size_t r = k + 1; r < row_.size(); ++r) line(r)[k] = field_times(line(r)[k], inverse_[k]);
  }
  return true;
}

// Subtracts the multiples of a whole panel's rows from the rows below it.
void DenseFactor::clear_below(std::size_t first, std::size_t end) {
  const std::size_t from = rank();
  for (std::size_t r = from; r < row_.size(); ++r) {
    std::uint32_t* value = line(r);
    poll(kPanel * (end - from));
    for (std::size_t p = first; p < from; p += kAtOnce) {
      add_three(value + from, end - from, field_minus(value[p]), line(p) + from, field_minus(value[p + 1]),
                line(p + 1) + from, field_minus(value[p + 2]), line(p + 2) + from);
    }
  }
}

bool DenseFactor::factor(const Deadline& deadline) {
  static_assert(kPanel % kAtOnce == 0);
  std::size_t end = column_.size();
  while (true) {
    if (deadline.expired()) return false;
    const std::size_t first = rank();
    if (!factor_panel(end)) return true;
    clear_below(first, end);
  }
}

void DenseFactor::combination(const std::vector<std::uint32_t>& right, std::vector<std::uint32_t>& x) const {
  std::vector<std::uint32_t> y(rank());
  for (std::size_t k = 0; k < rank(); ++k) y[k] = right[column_[k]];
  for (std::size_t k = 0; k < rank(); ++k) {
    y[k] = field_times(y[k], inverse_[k]);
    const std::uint64_t minus = field_minus(y[k]);
    for (std::size_t j = k + 1; j < rank(); ++j) y[j] = fold(y[j] + minus * line(k)[j]);
  }
  // Rows lost multiples of the rows above, so that much less of the latter is in the sum.
  for (std::size_t k = rank(); k-- > 0;) {
    const std::uint64_t minus = field_minus(y[k]);
    for (std::size_t j = 0; j < k; ++j) y[j] = fold(y[j] + minus * line(k)[j]);
    x[row_[k]] = y[k];
  }
}

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

// Counts that fell are in the queue again. One that rose is put back when it comes up.
bool SparseFactor::next_column(std::uint32_t& column) {
  while (!waiting_.empty()) {
    const PivotCandidate next = waiting_.top();
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

bool SparseFactor::end_densely(const Deadline& deadline) {
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
  if (!dense_.factor(deadline)) return false;
  for (std::size_t k = 0; k < dense_.rank(); ++k) pivot_.push_back({dense_.row(k), dense_.column(k)});
  return true;
}

SparseFactor::End SparseFactor::factor(std::vector<FieldRow> rows, std::uint32_t columns, const Deadline& deadline) {
  rows_ = std::move(rows);
  begin(columns);
  std::uint32_t column = 0;
  for (std::size_t k = 0; next_column(column); ++k) {
    if (k % kStepsBetweenQuestions == 0) {
      if (deadline.expired()) return End::kStopped;
      if (saved_ + left_ > kMostSaved) return End::kTooLarge;
      if (is_dense_enough()) break;
    }
    eliminate(column);
  }
  if (active_rows_ * active_columns_ > kMostDense) return End::kTooLarge;
  const bool ended = end_densely(deadline);
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

namespace {

/// A fraction must be shorter than the modulus by this many bits.
constexpr std::uint64_t kSpareBits = 64;
constexpr std::size_t kFirstTry = 6;

std::uint32_t wide_modulo(WideInteger a) {
  const WideInteger rest = a % static_cast<WideInteger>(kFieldPrime);
  return static_cast<std::uint32_t>(rest < 0 ? rest + kFieldPrime : rest);
}

bool short_enough(const Integer& n, const Integer& d, const Integer& modulus) {
  return bit_length(n) + bit_length(d) + kSpareBits <= bit_length(modulus);
}

// p, p², p⁴, …
class Powers {
 public:
  const Integer& doubled(std::size_t k) {
    while (power_.size() <= k) power_.push_back(power_.empty() ? Integer(kFieldPrime) : square(power_.back()));
    return power_[k];
  }
  /// Σ digit_k·p^k.
  Integer number(std::span<const std::uint32_t> digits) {
    if (digits.empty()) return 0;
    if (digits.size() == 1) return Integer(std::uint64_t{digits.front()});
    std::size_t half = 1, k = 0;
    for (; 2 * half < digits.size(); half *= 2) ++k;
    const Integer high = number(digits.subspan(half));
    Integer value = number(digits.first(half));
    add_product(value, high, doubled(k));
    return value;
  }

 private:
  static Integer square(const Integer& a) { return Integer(a * a); }
  std::vector<Integer> power_;
};

class Lifting {
 public:
  Lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right)
      : factor_(factor), rows_(rows), rest_(std::move(right)), digits_(factor.rank()) {}

  void add_digit() {
    std::vector<std::uint32_t> right(rest_.size());
    for (std::size_t j = 0; j < rest_.size(); ++j) right[j] = wide_modulo(rest_[j]);
    const std::vector<std::uint32_t> x = factor_.combination(right);
    for (std::size_t k = 0; k < digits_.size(); ++k) {
      const std::uint32_t name = factor_.pivots()[k].row;
      const WideInteger digit = x[name];
      digits_[k].push_back(x[name]);
      if (digit == 0) continue;
      const MachineRow& row = rows_[name];
      for (std::size_t e = 0; e < row.column.size(); ++e) rest_[row.column[e]] -= digit * row.value[e];
    }
    for (WideInteger& rest : rest_) rest /= static_cast<WideInteger>(kFieldPrime);
  }

  std::size_t digits() const { return digits_.empty() ? 0 : digits_.front().size(); }

  // False if there are too few digits, or the deadline has expired.
  bool recover(Lifted& solution, const Deadline& deadline) const {
    solution.denominator = 1;
    return recover_fractions(digits_, solution, deadline);
  }

 private:
  const SparseFactor& factor_;
  const std::vector<MachineRow>& rows_;
  std::vector<WideInteger> rest_;
  std::vector<std::vector<std::uint32_t>> digits_;  ///< per pivot, the lowest first
};

}  // namespace

bool recover_fractions(const std::vector<std::vector<std::uint32_t>>& digits, Lifted& solution,
                       const Deadline& deadline) {
  Powers powers;
  const Integer modulus = power_of(kFieldPrime, digits.front().size());
  solution.numerator.clear();
  for (const std::vector<std::uint32_t>& number : digits) {
    if (deadline.expired()) return false;
    poll(100 * number.size());
    Integer value = powers.number(number) * solution.denominator;
    value -= floor_quotient(value, modulus) * modulus;
    Integer low = value - modulus;  // the same modulo p^k, below 0
    if (short_enough(value, solution.denominator, modulus)) {
      solution.numerator.push_back(std::move(value));
    } else if (short_enough(low, solution.denominator, modulus)) {
      solution.numerator.push_back(std::move(low));
    } else {
      Integer n, d;
      if (!recover_fraction(value, modulus, n, d)) return false;
      solution.denominator *= d;
      for (Integer& earlier : solution.numerator) earlier *= d;
      if (!short_enough(n, solution.denominator, modulus)) return false;
      solution.numerator.push_back(std::move(n));
    }
  }
  return true;
}

bool recover_fraction(const Integer& residue, const Integer& modulus, Integer& numerator, Integer& denominator) {
  const std::uint64_t half = bit_length(modulus) / 2;
  Integer before = modulus, now = residue, share_before = 0, share = 1;
  while (bit_length(now) > half && now != 0) {
    poll(100 + bit_length(now) / 16);
    const Integer quotient = before / now;
    subtract_product(before, quotient, now);
    std::swap(before, now);
    subtract_product(share_before, quotient, share);
    std::swap(share_before, share);
  }
  numerator = now;
  denominator = share;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  return denominator != 0 && short_enough(numerator, denominator, modulus);
}

Lifted solve_by_lifting(const SparseFactor& factor, const std::vector<MachineRow>& rows, std::vector<WideInteger> right,
                        std::size_t most_digits, const Deadline& deadline) {
  Lifting lifting(factor, rows, std::move(right));
  Lifted solution;
  if (factor.rank() == 0) {
    solution.end = Lifted::End::kSolved;
    return solution;
  }
  for (std::size_t next = kFirstTry; lifting.digits() < most_digits; next += next / 4) {
    while (lifting.digits() < std::min(next, most_digits)) {
      if (deadline.expired()) {
        solution.end = Lifted::End::kStopped;
        return solution;
      }
      lifting.add_digit();
    }
    if (lifting.recover(solution, deadline)) {
      solution.end = Lifted::End::kSolved;
      return solution;
    }
  }
  return solution;
}

}  // namespace linsep
