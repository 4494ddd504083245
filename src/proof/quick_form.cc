#include "proof/quick_form.h"

#include <algorithm>
#include <limits>

#include "core/deadline.h"

namespace linsep {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The error of a stored value relative to what was written, and the most that a nonzero value can have lost if it was
/// stored as 0.
constexpr double kFloatError = 0x1p-24, kFloatLost = 0x1p-149, kDoubleError = 0x1p-53;
/// Products that fall below the normal doubles each lose at most this much.
constexpr double kUnderflow = 0x1p-1022;
/// Scaled weights below this aren't used, because their products could vanish.
constexpr std::int64_t kLeastExponent = -400;

/// f·2^e = value, f in [1/2, 1) or 0.
double fraction_of(const Rational& value, std::int64_t* exponent) {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  const double numerator_part = fraction_and_exponent(numerator(value), &top);
  const double denominator_part = fraction_and_exponent(denominator(value), &bottom);
  int more = 0;
  const double fraction = std::frexp(numerator_part / denominator_part, &more);
  *exponent = top - bottom + more;
  return fraction;
}

}  // namespace

QuickForm::QuickForm(const Columns& columns, const Vector& weights) : mapped_(columns.degree() > 1) {
  std::vector<std::pair<double, std::int64_t>> parts;
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (const auto& [column, weight] : weights) {
    std::int64_t exponent = 0;
    const double fraction = fraction_of(weight, &exponent);
    parts.emplace_back(fraction, exponent);
    if (fraction != 0) highest = std::max(highest, exponent);
  }
  if (highest == std::numeric_limits<std::int64_t>::min()) return;
  usable_ = std::llabs(highest) < 1'000'000;
  if (!usable_) return;
  exponent_ = static_cast<int>(highest);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    poll(1000);
    const auto& [fraction, exponent] = parts[k];
    if (fraction == 0) continue;
    usable_ = usable_ && exponent - highest >= kLeastExponent;
    if (!usable_) return;
    add_weight(columns, weights[k].first, std::ldexp(fraction, static_cast<int>(exponent - highest)));
  }
}

void QuickForm::add_weight(const Columns& columns, std::uint32_t column, double weight) {
  total_ += std::fabs(weight);
  if (!columns.origin && column == columns.offset()) {
    offset_ = weight;
  } else if (mapped_) {
    terms_.push_back({weight, columns.factors(column)});
  } else {
    if (table_.size() <= column) table_.resize(std::size_t{column} + 1);
    table_[column] = weight;
  }
}

Approximation QuickForm::value(const SpreadRow& row) const {
  Sum sum{offset_, std::fabs(offset_), 1, offset_ == 0};
  double degree = 1;
  poll(10 * terms_.size());
  for (const Term& term : terms_) {
    double product = term.weight;
    for (const std::uint32_t factor : term.factors) product *= row[factor];
    // A factor of 0 makes a term of 0. A product that isn't normal may have lost all of its digits.
    const bool zero = std::ranges::any_of(term.factors, [&row](std::uint32_t f) { return row[f] == 0; });
    if (zero) continue;
    if (!std::isnormal(product)) return {0, kInfinite, false};
    degree = std::max(degree, static_cast<double>(term.factors.size()));
    sum.value += product;
    sum.size += std::fabs(product);
    sum.count += 1;
    sum.empty = false;
  }
  return bounded(sum, degree, row.is_float());
}

Approximation QuickForm::bounded(const Sum& sum, double degree, bool is_float) const {
  const Approximation unknown{0, kInfinite, false};
  if (!usable_ || (is_float && mapped_)) return unknown;
  const double stored = is_float ? kFloatError : kDoubleError;
  // Weights are within 2⁻⁵⁰ of the exact ones. Each product and each sum rounds once more.
  double error = sum.size * (sum.count * 0x1p-52 + degree * (stored + 0x1p-52) + 0x1p-49) * 1.01;
  error += sum.count * kUnderflow;
  // A nonzero value that was written may have been stored as 0.
  if (is_float) error += total_ * kFloatLost;
  if (!(error < kInfinite)) return unknown;
  return {sum.value, error, sum.empty && (!is_float || total_ == std::fabs(offset_))};
}

}  // namespace linsep
