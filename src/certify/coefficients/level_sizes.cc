#include "certify/coefficients/level_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace linsep {
namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
/// A ratio of levels beyond 2 to this isn't worth a weight vector.
constexpr double kGreatestRatio = 8000;

}  // namespace

LevelSizes::LevelSizes(RowScaling scaling, SeparatedRows separated, std::vector<Level> levels)
    : scaling_(std::move(scaling)), separated_(std::move(separated)), levels_(std::move(levels)) {
  const std::size_t columns = scaling_.space.columns();
  level_of_.assign(columns, levels_.size());
  size_.assign(columns, 0);
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (const auto& [column, weight] : levels_[k]) {
      highest = std::max(highest, static_cast<std::int64_t>(bit_length(weight)));
    }
    exponent_.push_back(highest);
    for (const auto& [column, weight] : levels_[k]) {
      level_of_[column] = k;
      size_[column] = static_cast<std::int64_t>(bit_length(weight)) - highest;
      if (scaling_.mapped() && column != scaling_.space.mapped) size_[column] += scaling_.exponent[column];
    }
  }
  greatest_.assign(levels_.size() * levels_.size(), -kGreatestRatio);
  top_.assign(levels_.size() + 1, kNothing);
}

void LevelSizes::begin(const Shape& /*shape*/) {}

void LevelSizes::visit(const Batch& batch) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    if (!separated_(batch.number_of(i))) return;
    scaling_.show(x, [&](const auto& z) { look_at(z); });
  });
}

// A term lies between 2 to (top − 1) and 2 to (top + 1), and a level's terms are at most as many as the row's entries.
template <class Row>
void LevelSizes::look_at(const Row& z) {
  std::fill(top_.begin(), top_.end(), kNothing);
  const auto add = [&](std::uint32_t column, double value) {
    if (value == 0 || level_of_[column] == levels_.size()) return;
    std::int64_t& top = top_[level_of_[column]];
    top = std::max(top, std::ilogb(value) + size_[column]);
  };
  for_each_entry(z, add);
  if (!scaling_.space.origin) add(scaling_.space.mapped, 1.0);
  std::size_t first = 0;
  while (first < levels_.size() && top_[first] == kNothing) ++first;
  const int terms = std::ilogb(static_cast<double>(z.size + 1)) + 1;
  for (std::size_t later = first + 1; later < levels_.size(); ++later) {
    if (top_[later] == kNothing) continue;
    double& greatest = greatest_[first * levels_.size() + later];
    greatest = std::max(greatest, static_cast<double>(top_[later] - top_[first] + 2 + terms));
  }
}

void LevelSizes::synchronise(Comm& comm) { comm.all_reduce(std::span(greatest_), Comm::Op::kMax); }

Verdict LevelSizes::end_pass(Progress& /*progress*/) { return Verdict::kConverged; }

// 2^a of a level is at least 4·levels times what any later one can come to: floats are right to far better than that.
IntegerVector LevelSizes::combined() const {
  const std::size_t count = levels_.size();
  std::vector<std::int64_t> shift(count, 0);
  IntegerVector w(scaling_.space.columns());
  for (std::size_t first = count; first-- > 0;) {
    for (std::size_t later = first + 1; later < count; ++later) {
      const double ratio = greatest_[first * count + later];
      if (ratio >= kGreatestRatio) return {};
      const int slack = std::ilogb(4 * static_cast<double>(count)) + 1;
      if (ratio > -kGreatestRatio) {
        shift[first] = std::max(shift[first], shift[later] + exponent_[later] - exponent_[first] +
                                                  static_cast<std::int64_t>(ratio) + slack);
      }
    }
    for (const auto& [column, weight] : levels_[first]) w[column] = weight << static_cast<std::uint64_t>(shift[first]);
  }
  return w;
}

}  // namespace linsep
