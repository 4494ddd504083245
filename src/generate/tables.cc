// The texts' small examples: truth tables, translated patterns, and the points of the three-classifier comparison.
#include <array>
#include <cmath>
#include <string>

#include "core/random.h"
#include "generate/kinds.h"

namespace linsep {
namespace {

// Fills a row in which every column is written.
void fill_dense(DecimalRow& row, std::size_t features) {
  row.column.resize(features);
  row.units.resize(features);
  for (std::size_t j = 0; j < features; ++j) row.column[j] = static_cast<std::uint32_t>(j);
}

bool truth(std::string_view name, bool a, bool b) {
  if (name == "and") return a && b;
  if (name == "or") return a || b;
  return a != b;
}

}  // namespace

// Inputs count up in binary, the first feature being the highest bit.
Recipe make_truth_table(std::string_view name) {
  const std::uint32_t inputs = name == "not" ? 1 : 2;
  Recipe recipe{.rows = std::int64_t{1} << inputs, .features = inputs, .entries = inputs};
  recipe.make = [inputs, name = std::string(name)](std::int64_t i, DecimalRow& row) {
    fill_dense(row, inputs);
    for (std::uint32_t j = 0; j < inputs; ++j) row.units[j] = (i >> (inputs - 1 - j)) & 1;
    const bool answer = inputs == 1 ? i == 0 : truth(name, row.units[0] != 0, row.units[1] != 0);
    row.label = answer ? 1 : -1;
  };
  return recipe;
}

// Two patterns of four points on a ring of sixteen, each in all sixteen positions. Summed over positions every point
// has the same count in both classes, so the classes' means agree and no linear classifier can tell them apart.
Recipe make_translations() {
  constexpr std::uint32_t kRing = 16;
  Recipe recipe{.rows = 2 * kRing, .features = kRing, .entries = kRing};
  recipe.make = [](std::int64_t i, DecimalRow& row) {
    constexpr std::array<std::array<std::uint32_t, 4>, 2> kPattern{{{0, 1, 2, 3}, {0, 1, 3, 6}}};
    fill_dense(row, kRing);
    row.units.assign(kRing, 0);
    const auto position = static_cast<std::uint32_t>(i) % kRing;
    const bool second = i >= kRing;
    for (const std::uint32_t point : kPattern[second ? 1 : 0]) row.units[(position + point) % kRing] = 1;
    row.label = second ? -1 : 1;
  };
  return recipe;
}

// A hundred positive points to the upper right, fifty negative ones to the lower left, in two clouds that lie
// slantwise: a line separates them (points nearer than 0.1 to it are moved away), but not the line half way between
// the means, and outliers pull the least-squares line.
Recipe make_comparison(std::uint64_t seed) {
  constexpr int kPlaces = 3;
  constexpr int kPositive = 100;
  // The line u·x = 3 with u = (0.6, 0.8), and v along it.
  static constexpr std::array<double, 2> kAcross{0.6, 0.8};
  static constexpr std::array<double, 2> kAlong{0.8, -0.6};
  constexpr double kThreshold = 3;
  constexpr double kMargin = 0.1;
  Recipe recipe{.rows = 150, .features = 2, .entries = 2, .places = kPlaces};
  recipe.theta = {kAcross[0], kAcross[1]};
  recipe.offset = -kThreshold;
  recipe.make = [seed](std::int64_t i, DecimalRow& row) {
    fill_dense(row, 2);
    row.label = i < kPositive ? 1 : -1;
    Random random(seed, static_cast<std::uint64_t>(i));
    const double distance = row.label > 0 ? 1.3 + 0.9 * random.normal() : 0.9 + 0.5 * random.normal();
    const double along = (row.label > 0 ? 0.9 : -0.9) + 1.4 * random.normal();
    const double across = kThreshold + row.label * std::fmax(distance, kMargin + 0.001);
    for (std::size_t j = 0; j < 2; ++j) {
      row.units[j] = static_cast<std::int64_t>(std::nearbyint((across * kAcross[j] + along * kAlong[j]) * 1000));
    }
  };
  return recipe;
}

}  // namespace linsep
