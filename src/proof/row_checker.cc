#include "proof/row_checker.h"

#include <algorithm>

#include "core/deadline.h"

namespace linsep {

RationalRow signed_row(const CheckedRow& row) {
  RationalRow z = row.mapped();
  if (row.sign() < 0) {
    for (auto& [column, value] : z) value = -value;
  }
  return z;
}

RowChecker::RowChecker(const ReadCertificate& read)
    : read_(read), wanted_(named_rows(read.file)), row_(read.columns), named_entries_(read) {
  for (const Vector& level : read.levels) levels_.emplace_back(read.columns, level);
  for (const Vector& equation : read.equations) equations_.emplace_back(read.columns, equation);
  for (const Vector& direction : read.directions) directions_.emplace_back(read.columns, direction);
  if (read.file.mistakes.at_most) classifier_.emplace(read.columns, read.classifier);
  radius_squared_ = read.radius_squared;
  if (levels_.empty()) return;
  found_.squared_norm = levels_.front().squared_norm();
  found_.squared_norm_with_offset = levels_.front().squared_norm_with_offset();
}

void RowChecker::visit(const std::string& leaf) {
  poll(100 + leaf.size());
  if (!row_.read(leaf)) return fail("has a feature past the last");
  need_few_products(read_, row_.leaf().entries.size());
  int side = 0;
  for (std::size_t k = 0; k < levels_.size() && side == 0; ++k) side = row_.sign() * levels_[k].sign(row_);
  if (is_wanted()) {
    named_entries_.add(leaf.size(), row_);
    found_.rows[row_.row()] = signed_row(row_);
    if (side > 0) found_.separated.insert(row_.row());
  }
  if (side < 0) return fail("is on the wrong side");
  if (side == 0) {
    ++found_.left_at_zero;
    for (const LinearForm& equation : equations_) {
      if (equation.sign(row_) != 0) return fail("is outside the witness's span");
    }
  }
  if (read_.file.margin.at_least_squared && levels_.size() == 1) {
    const Rational margin = row_.sign() * levels_.front().value(row_);
    if (!found_.least || margin < *found_.least) found_.least = margin;
  }
  if (radius_squared_ && row_.squared_norm() > *radius_squared_) return fail("is longer than the radius");
  for (const LinearForm& direction : directions_) {
    if (row_.sign() * direction.sign(row_) < 0) return fail("is on the wrong side of a direction");
  }
  if (!read_.steps.empty()) check_steps();
  if (classifier_ && row_.sign() * classifier_->sign(row_) <= 0) ++found_.mistakes;
}

/// directions[0] with a step at one column. Only rows that have an entry there can make a difference.
void RowChecker::check_steps() {
  const Rational value = directions_.front().value(row_) / directions_.front().scale();
  for (const auto& [column, entry] : row_.mapped()) {
    poll(300);
    const auto step = std::ranges::lower_bound(read_.steps, column, {}, [](const auto& each) { return each.first; });
    if (step == read_.steps.end() || step->first != column) continue;
    const Rational moved = value + entry * step->second;
    if (row_.sign() * sign_of(moved) < 0) return fail("is on the wrong side of a direction with a step");
  }
}

bool RowChecker::is_wanted() const { return std::ranges::binary_search(wanted_, row_.row()); }

void RowChecker::fail(const std::string& what) {
  if (problem_.empty()) problem_ = "row " + std::to_string(row_.row() + 1) + " " + what;
}

}  // namespace linsep
