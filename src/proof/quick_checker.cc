#include "proof/quick_checker.h"

#include <algorithm>

#include "proof/exact_text.h"
#include "proof/linear_form.h"

namespace linsep {

QuickChecker::QuickChecker(const ReadCertificate& read) : read_(read), mapped_(read.columns.degree() > 1) {
  for (const Vector& level : read.levels) levels_.emplace_back(read.columns, level);
  for (const Vector& direction : read.directions) directions_.emplace_back(read.columns, direction);
  if (read.file.mistakes.at_most) classifier_.emplace(read.columns, read.classifier);
  if (read.radius_squared) radius_squared_ = approximate(*read.radius_squared);
  if (!read.steps.empty() && !mapped_) steps_.emplace(read.columns, read.steps);
  if (read.file.margin.at_least_squared && levels_.size() == 1) threshold_ = threshold();
}

double QuickChecker::threshold() const {
  const MarginBounds& said = read_.file.margin;
  const auto at_least = parse_exact(*said.at_least_squared);
  const auto most = said.mistake_bound ? parse_exact(*said.mistake_bound) : std::nullopt;
  const LinearForm level(read_.columns, read_.levels.front());
  Rational squared = at_least ? Rational(*at_least * level.squared_norm()) : Rational(0);
  if (most && sign_of(*most) > 0 && read_.radius_squared) {
    const Rational length = *read_.radius_squared + (read_.columns.origin ? 0 : 1);
    squared = std::max(squared, Rational(length * level.squared_norm_with_offset() / *most));
  }
  squared /= level.scale() * level.scale();
  const double root = std::sqrt(approximate(times_power_of_two(squared, -2 * levels_.front().exponent())));
  return std::max(root * (1 + 0x1p-40), 1e-150);
}

}  // namespace linsep
