#include "certify/sparse/sparse_witness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "certify/sparse/lifting.h"
#include "certify/sparse/prime_field.h"
#include "certify/sparse/sparse_factor.h"
#include "core/poll.h"

namespace linsep {
namespace {

/// Bits of the greatest share that is kept: so many, or less where entries are long, so that no sum leaves its range.
constexpr int kShareBits = 56;
constexpr int kSumBits = 118;
constexpr std::int64_t kLargestEntry = (std::int64_t{1} << 62) - 1;
/// Digits of all numbers together while they are solved for, four bytes each; and bits of the witness's weights.
constexpr double kMostDigits = 40e6;
constexpr double kMostBits = 3e8;

struct MachineRows {
  std::vector<MachineRow> row;
  std::uint32_t columns = 0;
  std::int64_t largest = 1;  ///< of all entries' sizes
};

std::optional<MachineRows> machine_rows(const std::vector<ExactRow>& rows) {
  std::unordered_map<std::uint32_t, std::uint32_t> place;
  MachineRows result;
  for (const ExactRow& z : rows) {
    MachineRow row;
    for (std::size_t k = 0; k < z.column.size(); ++k) {
      if (!fits_int64(z.value[k]) || std::llabs(to_int64(z.value[k])) > kLargestEntry) return std::nullopt;
      row.column.push_back(place.emplace(z.column[k], static_cast<std::uint32_t>(place.size())).first->second);
      row.value.push_back(to_int64(z.value[k]));
      result.largest = std::max<std::int64_t>(result.largest, std::llabs(row.value.back()));
    }
    result.row.push_back(std::move(row));
  }
  result.columns = static_cast<std::uint32_t>(place.size());
  return result;
}

FieldRow field_row(const MachineRow& row) {
  FieldRow result;
  for (std::size_t k = 0; k < row.column.size(); ++k) {
    const std::int64_t rest = row.value[k] % std::int64_t{kFieldPrime};
    if (rest == 0) continue;
    result.push_back({row.column[k], static_cast<std::uint32_t>(rest < 0 ? rest + kFieldPrime : rest)});
  }
  std::sort(result.begin(), result.end(), [](const FieldEntry& a, const FieldEntry& b) { return a.index < b.index; });
  return result;
}

/// Shares of the integer rows, the greatest with as many bits as there may be.
std::vector<std::int64_t> rounded_shares(const std::vector<ExactRow>& rows, const std::vector<double>& share,
                                         std::int64_t largest) {
  const int taken = std::ilogb(static_cast<double>(largest)) + std::ilogb(static_cast<double>(rows.size())) + 2;
  const int bits = std::min(kShareBits, kSumBits - taken);
  std::vector<double> wanted(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) wanted[i] = share[i] / approximate(rows[i].scale);
  const double greatest = *std::max_element(wanted.begin(), wanted.end());
  std::vector<std::int64_t> rounded(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double scaled = std::ldexp(wanted[i] / greatest, bits);
    rounded[i] = scaled >= 1 ? static_cast<std::int64_t>(scaled) : 1;
  }
  return rounded;
}

class ExactFinish {
 public:
  ExactFinish(const std::vector<ExactRow>& exact, const Support& support, MachineRows rows,
              const std::function<bool()>& stop)
      : exact_(exact),
        stop_(stop),
        rows_(std::move(rows)),
        share_(rounded_shares(exact, support.share, rows_.largest)) {
    order_.resize(exact.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return support.slack[a] > support.slack[b]; });
  }

  SparseWitness run() {
    if (foreseen_bits() > kMostBits) {
      result_.end = SparseWitness::End::kTooLong;
      return result_;
    }
    // Rows with much slack stay above 0 when they are solved for, so the basis is taken from them where they suffice.
    const std::size_t few = std::min(order_.size(), std::size_t{rows_.columns} + rows_.columns / 32 + 64);
    if (!factor_first(few)) return result_;
    if (factor_.rank() < rows_.columns && few < order_.size() && !factor_first(order_.size())) return result_;
    if (factor_.rank() == order_.size()) return result_;  // independent rows have no witness
    const Lifted lifted = solve();
    if (lifted.end == Lifted::End::kSolved && set_weights(lifted)) result_.end = SparseWitness::End::kFound;
    if (lifted.end == Lifted::End::kTooLong) result_.end = SparseWitness::End::kTooLong;
    if (lifted.end == Lifted::End::kStopped) result_.end = SparseWitness::End::kStopped;
    return result_;
  }

 private:
  bool factor_first(std::size_t count) {
    std::vector<FieldRow> rows;
    for (std::size_t k = 0; k < count; ++k) rows.push_back(field_row(rows_.row[order_[k]]));
    const SparseFactor::End end = factor_.factor(std::move(rows), rows_.columns, stop_);
    if (end == SparseFactor::End::kStopped) result_.end = SparseWitness::End::kStopped;
    if (end == SparseFactor::End::kTooLarge) result_.end = SparseWitness::End::kTooLong;
    return end == SparseFactor::End::kDone;
  }

  double row_bits(std::size_t i) const {
    double squared = 0;
    for (const std::int64_t v : rows_.row[i].value) squared += static_cast<double>(v) * static_cast<double>(v);
    return std::log2(squared) / 2;
  }
  /// Hadamard's bound on a determinant, in bits, by its rows.
  double determinant_bits() const {
    double bits = 0;
    for (const SparseFactor::Pivot& pivot : factor_.pivots()) bits += row_bits(order_[pivot.row]);
    return bits;
  }
  /// Of all weights: each has about the bits of a determinant of as many rows as there are columns.
  double foreseen_bits() const {
    double bits = 0;
    for (const std::size_t i : order_) bits += row_bits(i);
    return bits * static_cast<double>(std::min(order_.size(), std::size_t{rows_.columns}));
  }

  Lifted solve() {
    in_basis_.assign(order_.size(), false);
    for (const SparseFactor::Pivot& pivot : factor_.pivots()) in_basis_[order_[pivot.row]] = true;
    if (factor_.rank() + 1 == order_.size()) std::fill(share_.begin(), share_.end(), std::int64_t{1});
    std::vector<WideInteger> right(rows_.columns, 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (in_basis_[i]) continue;
      const MachineRow& row = rows_.row[i];
      for (std::size_t k = 0; k < row.column.size(); ++k) {
        right[row.column[k]] -= static_cast<WideInteger>(share_[i]) * row.value[k];
      }
    }
    const double digits = (2 * determinant_bits() + kShareBits + 256) / 31 + 16;
    if (digits * static_cast<double>(factor_.rank()) > kMostDigits) return {};
    std::vector<MachineRow> ordered;
    for (const std::size_t i : order_) ordered.push_back(rows_.row[i]);
    return solve_by_lifting(factor_, ordered, std::move(right), static_cast<std::size_t>(digits), stop_);
  }

  bool set_weights(const Lifted& lifted) {
    IntegerVector alpha(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!in_basis_[i]) alpha[i] = lifted.denominator * Integer(share_[i]);
    }
    bool whole = true;
    for (std::size_t k = 0; k < factor_.rank(); ++k) {
      const std::size_t i = order_[factor_.pivots()[k].row];
      if (lifted.numerator[k] < 0) return false;
      whole = whole && lifted.numerator[k] != 0;
      alpha[i] = lifted.numerator[k];
    }
    if (!adds_up_to_zero(alpha)) return false;
    std::vector<std::pair<std::int64_t, Rational>> weights;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      if (alpha[i] != 0) weights.emplace_back(exact_[i].row, alpha[i] * exact_[i].scale);
      if (whole && in_basis_[i]) result_.basis.push_back(exact_[i].row);
    }
    result_.witness = as_witness(std::move(weights));
    return true;
  }

  bool adds_up_to_zero(const IntegerVector& alpha) const {
    IntegerVector sum(rows_.columns);
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const MachineRow& row = rows_.row[i];
      for (std::size_t k = 0; k < row.column.size(); ++k) {
        poll(50 + bit_length(alpha[i]) / 32);
        add_product(sum[row.column[k]], alpha[i], exact_[i].value[k]);
      }
    }
    return all_zero(sum);
  }

  const std::vector<ExactRow>& exact_;
  const std::function<bool()>& stop_;
  MachineRows rows_;
  std::vector<std::int64_t> share_;  ///< per row
  std::vector<std::size_t> order_;   ///< rows, by falling slack
  std::vector<bool> in_basis_;
  SparseFactor factor_;  ///< its row k is order_[k]
  SparseWitness result_;
};

}  // namespace

SparseWitness sparse_witness(const std::vector<ExactRow>& rows, const Support& support,
                             const std::function<bool()>& stop) {
  if (rows.empty()) return {};
  std::optional<MachineRows> machine = machine_rows(rows);
  if (!machine) return {};
  return ExactFinish(rows, support, std::move(*machine), stop).run();
}

}  // namespace linsep
