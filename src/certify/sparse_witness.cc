#include "certify/sparse_witness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "certify/exact/lifting.h"
#include "core/deadline.h"
#include "core/elementary.h"
#include "core/keyed_map.h"
#include "kernel/kernel.h"

namespace linsep {

void UnitRows::end_row(std::int64_t row_number) {
  double squared = 0;
  for (std::size_t k = begin.back(); k < value.size(); ++k) squared += value[k] * value[k];
  if (!(squared > 1e-280 && squared < 1e280)) {
    column.resize(begin.back());
    value.resize(begin.back());
    return;
  }
  const double length = std::sqrt(squared);
  for (std::size_t k = begin.back(); k < value.size(); ++k) value[k] /= length;
  begin.push_back(column.size());
  number.push_back(row_number);
  norm.push_back(length);
}

UnitRows restricted(const UnitRows& rows, std::span<const std::size_t> chosen) {
  constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(rows.columns, kUnused);
  for (const std::size_t i : chosen) {
    for (const std::uint32_t j : rows.columns_of(i)) place[j] = 0;
  }
  UnitRows result;
  for (std::uint32_t& at : place) {
    if (at != kUnused) at = result.columns++;
  }
  for (const std::size_t i : chosen) {
    for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
      result.column.push_back(place[rows.column[k]]);
      result.value.push_back(rows.value[k]);
    }
    result.begin.push_back(result.column.size());
    result.number.push_back(rows.number[i]);
    result.norm.push_back(rows.norm[i]);
  }
  return result;
}

std::vector<std::size_t> peeled(const UnitRows& rows, std::span<const std::size_t> chosen) {
  std::vector<std::size_t> left(chosen.begin(), chosen.end());
  std::vector<std::uint8_t> seen(rows.columns);
  while (true) {
    std::fill(seen.begin(), seen.end(), std::uint8_t{0});
    for (const std::size_t i : left) {
      for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
        seen[rows.column[k]] |= static_cast<std::uint8_t>((rows.value[k] > 0 ? 1 : 0) | (rows.value[k] < 0 ? 2 : 0));
      }
    }
    const auto one_sided = [&](std::size_t i) {
      const auto used = rows.columns_of(i);
      return std::any_of(used.begin(), used.end(), [&](std::uint32_t j) { return seen[j] == 1 || seen[j] == 2; });
    };
    if (std::erase_if(left, one_sided) == 0) return left;
  }
}

std::vector<std::size_t> by_rarest_column(const UnitRows& rows) {
  std::vector<std::size_t> count(rows.columns), rarest(rows.size()), order(rows.size());
  for (const std::uint32_t j : rows.column) ++count[j];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rarest[i] = std::numeric_limits<std::size_t>::max();
    for (const std::uint32_t j : rows.columns_of(i)) rarest[i] = std::min(rarest[i], count[j]);
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rarest[a] > rarest[b]; });
  return order;
}

namespace {

constexpr int kMostSteps = 100;
constexpr int kHalvings = 60;  ///< of a line search
constexpr double kResidual = 1e-12;

using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) { return dot(DenseRow<double>{a.data(), a.size()}, b.data()); }

SparseRow<double> row_of(const UnitRows& rows, std::size_t i) {
  return {rows.column.data() + rows.begin[i], rows.value.data() + rows.begin[i], rows.begin[i + 1] - rows.begin[i]};
}

class HingeNewton {
 public:
  HingeNewton(const UnitRows& rows, int most_conjugate, const Deadline& deadline)
      : rows_(rows),
        deadline_(deadline),
        patience_(most_conjugate),
        margin_(rows.size(), 0.0),
        along_(rows.size(), 0.0),
        step_(rows.columns) {}

  LeastHinge run() {
    LeastHinge result;
    const int patience = patience_;
    for (int k = 0; k < kMostSteps && patience_ > 0 && result.end == LeastHinge::End::kStalled; ++k) {
      result.end = advance();
    }
    result.conjugate = patience - patience_;
    result.slack.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) result.slack[i] = slack(i, 0);
    return result;
  }

 private:
  double slack(std::size_t i, double length) const { return std::max(0.0, 1 - margin_[i] - length * along_[i]); }

  // Makes one Newton step. kStalled means that another one is wanted.
  LeastHinge::End advance() {
    if (std::all_of(margin_.begin(), margin_.end(), [](double m) { return m > 0; })) return LeastHinge::End::kSeparated;
    Vector downhill(rows_.columns, 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double s = slack(i, 0);
      if (s == 0) continue;
      sum += s;
      axpy(s, row_of(rows_, i), downhill.data());
    }
    if (std::sqrt(inner(downhill, downhill)) <= kResidual * sum) return LeastHinge::End::kMinimum;
    if (!solve(downhill)) return LeastHinge::End::kStopped;
    for (std::size_t i = 0; i < rows_.size(); ++i) along_[i] = dot(row_of(rows_, i), step_.data());
    const double length = best_length();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      margin_[i] += length * along_[i];
      along_[i] = 0;
    }
    return LeastHinge::End::kStalled;
  }

  // step_ with Σ over rows with slack of u(u·step) = right, nearly. False if the deadline has expired.
  bool solve(const Vector& right) {
    Vector diagonal(rows_.columns, 0.0);
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (slack(i, 0) == 0) continue;
      active.push_back(i);
      for (std::size_t k = rows_.begin[i]; k < rows_.begin[i + 1]; ++k) {
        diagonal[rows_.column[k]] += rows_.value[k] * rows_.value[k];
      }
    }
    const auto precondition = [&](const Vector& v) {
      Vector result(v.size());
      for (std::size_t j = 0; j < v.size(); ++j) result[j] = diagonal[j] > 0 ? v[j] / diagonal[j] : 0;
      return result;
    };
    std::fill(step_.begin(), step_.end(), 0.0);
    Vector rest = right, bent = precondition(rest), direction = bent, image(rows_.columns);
    double product = inner(rest, bent);
    const double wanted = product * 1e-12;
    for (; patience_ > 0 && product > wanted; --patience_) {
      if (deadline_.expired()) return false;
      std::fill(image.begin(), image.end(), 0.0);
      for (const std::size_t i : active) axpy(dot(row_of(rows_, i), direction.data()), row_of(rows_, i), image.data());
      const double curvature = inner(direction, image);
      if (!(curvature > 0)) break;
      const double length = product / curvature;
      for (std::size_t j = 0; j < step_.size(); ++j) {
        step_[j] += length * direction[j];
        rest[j] -= length * image[j];
      }
      bent = precondition(rest);
      const double before = product;
      product = inner(rest, bent);
      for (std::size_t j = 0; j < step_.size(); ++j) direction[j] = bent[j] + product / before * direction[j];
    }
    return true;
  }

  // The slope of ½Σ s_i² along the step grows with the length. This is its root by halving, or 1 if that is as good.
  double best_length() const {
    const auto slope = [&](double length) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) sum -= slack(i, length) * along_[i];
      return sum;
    };
    if (std::all_of(margin_.begin(), margin_.end(), [&, i = std::size_t{0}](double) mutable {
          const bool same = (slack(i, 0) > 0) == (slack(i, 1) > 0);
          ++i;
          return same;
        })) {
      return 1;
    }
    double low = 0, high = 1;
    while (slope(high) < 0 && high < 1e6) {
      low = high;
      high *= 2;
    }
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return high;
  }

  const UnitRows& rows_;
  const Deadline& deadline_;
  int patience_;
  Vector margin_;  ///< u_i·w
  Vector along_;   ///< u_i·step
  Vector step_;
};

}  // namespace

LeastHinge least_squared_hinge(const UnitRows& rows, int most_conjugate, const Deadline& deadline) {
  return HingeNewton(rows, most_conjugate, deadline).run();
}

namespace {

constexpr std::size_t kFirstRows = 64;
constexpr std::size_t kNearEnough = 16;  ///< how close the shortest beginning is found, to one row in this many
/// Slacks below this share of the largest are rounding.
constexpr double kLeastSlack = 1e-9;
/// How many products of numbers are spent on one set of rows. Close to the smallest number of rows it takes ever more
/// of them.
constexpr double kPatience = 4e9;
/// While halving, this many times the products of the last set that wasn't separable, and at least the second number.
constexpr double kTimesLast = 4;
constexpr double kAtLeast = 1e9;
constexpr double kFewestConjugate = 1500;
/// How many supports are kept. If one can't be made exact, the next may.
constexpr std::size_t kMostKept = 4;

Support support_of(const UnitRows& rows, const std::vector<double>& slack) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows.number[a] < rows.number[b]; });
  const double least = kLeastSlack * *std::max_element(slack.begin(), slack.end());
  Support support;
  std::vector<bool> used(rows.columns, false);
  for (const std::size_t i : order) {
    if (slack[i] <= least) continue;
    for (const std::uint32_t j : rows.columns_of(i)) used[j] = true;
    support.row.push_back(rows.number[i]);
    support.slack.push_back(slack[i]);
    support.share.push_back(slack[i] / rows.norm[i]);
  }
  support.columns = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  return support;
}

/// kSeparated if peeling leaves nothing. `patience` falls to what the halving of such a set deserves.
LeastHinge try_rows(const UnitRows& rows, std::span<const std::size_t> chosen, double& patience,
                    const Deadline& deadline, std::vector<Support>& found) {
  LeastHinge hinge;
  const std::vector<std::size_t> left = peeled(rows, chosen);
  if (left.empty()) {
    hinge.end = LeastHinge::End::kSeparated;
    return hinge;
  }
  const UnitRows core = restricted(rows, left);
  const double cost = 2 * static_cast<double>(core.entries());
  hinge =
      least_squared_hinge(core, static_cast<int>(std::min(1e9, std::max(patience / cost, kFewestConjugate))), deadline);
  if (hinge.end == LeastHinge::End::kMinimum) {
    found.insert(found.begin(), support_of(core, hinge.slack));
    patience = std::clamp(kTimesLast * cost * hinge.conjugate, kAtLeast, kPatience);
  }
  return hinge;
}

}  // namespace

SupportSearch find_supports(const UnitRows& rows, const Deadline& deadline) {
  SupportSearch search;
  if (rows.size() == 0) return search;
  const std::vector<std::size_t> order = by_rarest_column(rows);
  double patience = kPatience;
  const auto inseparable = [&](std::size_t count) {
    const LeastHinge hinge = try_rows(rows, std::span(order).first(count), patience, deadline, search.found);
    search.stopped = search.stopped || hinge.end == LeastHinge::End::kStopped;
    return hinge.end == LeastHinge::End::kMinimum;
  };
  std::size_t low = 0, high = std::min(kFirstRows, order.size());
  while (!inseparable(high)) {
    if (search.stopped || high == order.size()) return search;
    low = high;
    high = std::min(2 * high, order.size());
  }
  while (!search.stopped && high - low > std::max(high / kNearEnough, std::size_t{1})) {
    const std::size_t middle = low + (high - low) / 2;
    (inseparable(middle) ? high : low) = middle;
  }
  if (search.found.size() > kMostKept) search.found.resize(kMostKept);
  return search;
}

SupportSearch support_of_all(const UnitRows& rows, const Deadline& deadline) {
  SupportSearch search;
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  double patience = kPatience;
  search.stopped = try_rows(rows, all, patience, deadline, search.found).end == LeastHinge::End::kStopped;
  return search;
}

namespace {

/// Bits of the largest share that is kept. It has fewer if entries are long, so that no sum leaves its range.
constexpr int kShareBits = 56;
constexpr int kSumBits = 118;
constexpr std::int64_t kLargestEntry = (std::int64_t{1} << 62) - 1;
/// The most digits of all numbers together while they are solved for, four bytes each, and the most bits of the
/// witness's weights.
constexpr double kMostDigits = 40e6;
constexpr double kMostBits = 3e8;

struct MachineRows {
  std::vector<MachineRow> row;
  std::uint32_t columns = 0;
  std::int64_t largest = 1;  ///< of all entries' sizes
};

std::optional<MachineRows> machine_rows(const std::vector<ExactRow>& rows) {
  KeyedMap<std::uint32_t, std::uint32_t> place;
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

/// Shares of the integer rows. The largest has as many bits as are allowed.
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
  ExactFinish(const std::vector<ExactRow>& exact, const Support& support, MachineRows rows, const Deadline& deadline)
      : exact_(exact),
        deadline_(deadline),
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
    // Rows with much slack stay above 0 when they are solved for, so the basis is taken from them if they are enough.
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
    const SparseFactor::End end = factor_.factor(std::move(rows), rows_.columns, deadline_);
    if (end == SparseFactor::End::kStopped) result_.end = SparseWitness::End::kStopped;
    if (end == SparseFactor::End::kTooLarge) result_.end = SparseWitness::End::kTooLong;
    return end == SparseFactor::End::kDone;
  }

  double row_bits(std::size_t i) const {
    double squared = 0;
    for (const std::int64_t v : rows_.row[i].value) squared += static_cast<double>(v) * static_cast<double>(v);
    return elementary::log2(squared) / 2;
  }
  /// Hadamard's bound on a determinant, in bits, by its rows.
  double determinant_bits() const {
    double bits = 0;
    for (const SparseFactor::Pivot& pivot : factor_.pivots()) bits += row_bits(order_[pivot.row]);
    return bits;
  }
  /// For all weights together. Each has about the bits of a determinant of as many rows as there are columns.
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
    return solve_by_lifting(factor_, ordered, std::move(right), static_cast<std::size_t>(digits), deadline_);
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
  const Deadline& deadline_;
  MachineRows rows_;
  std::vector<std::int64_t> share_;  ///< per row
  std::vector<std::size_t> order_;   ///< rows, by falling slack
  std::vector<bool> in_basis_;
  SparseFactor factor_;  ///< its row k is order_[k]
  SparseWitness result_;
};

}  // namespace

SparseWitness sparse_witness(const std::vector<ExactRow>& rows, const Support& support, const Deadline& deadline) {
  if (rows.empty()) return {};
  std::optional<MachineRows> machine = machine_rows(rows);
  if (!machine) return {};
  return ExactFinish(rows, support, std::move(*machine), deadline).run();
}

}  // namespace linsep
