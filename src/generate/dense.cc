// Dense rows, nearly normal, that a hidden classifier separates with a given margin.
//
// Given a unit vector u and an offset b, a row x drawn from the normal distribution gets the sign y of u·x + b. If
// y(u·x + b) is below the margin, x is moved along y·u. What counts is the margin of the decimals as written: rounding
// to p decimals moves u·x by at most ‖u‖₁·10^−p/2, and rows are moved that much further.
#include <cmath>
#include <memory>
#include <utility>

#include "core/random.h"
#include "generate/kinds.h"
#include "generate/write_text.h"

namespace linsep {
namespace {

struct Hidden {
  std::vector<double> u;
  double offset = 0;
  double length = 0;  // Σ|u_j|
};

Hidden draw_hidden(std::uint32_t features, std::uint64_t seed) {
  Random random(seed, static_cast<std::uint64_t>(Stream::kHidden));
  Hidden hidden{.u = std::vector<double>(features), .offset = random.uniform() - 0.5};
  double squares = 0;
  for (double& value : hidden.u) {
    value = random.normal();
    squares += value * value;
  }
  const double norm = std::sqrt(squares);
  for (double& value : hidden.u) {
    value /= norm;
    hidden.length += std::fabs(value);
  }
  return hidden;
}

// Four decimals, or as many as make rounding matter little against the margin.
int places_for(double margin, double length) {
  constexpr int kFewest = 4;
  constexpr int kMost = 14;
  int places = kFewest;
  while (places < kMost && margin > 0 && length / static_cast<double>(power_of_ten(places)) > margin / 10) ++places;
  return places;
}

}  // namespace

Recipe make_separable(std::int64_t rows, std::uint32_t features, double margin, std::uint64_t seed) {
  const auto hidden = std::make_shared<const Hidden>(draw_hidden(features, seed));
  Recipe recipe{.rows = rows, .features = features, .entries = features};
  recipe.places = places_for(margin, hidden->length);
  recipe.theta = hidden->u;
  recipe.offset = hidden->offset;
  const auto scale = static_cast<double>(power_of_ten(recipe.places));
  // A billionth more than asked for covers the rounding of double arithmetic, u's norm included.
  const double goal = margin * (1 + 1e-9) + hidden->length / scale / 2 + 1e-12;
  recipe.make = [hidden, scale, goal, seed](std::int64_t i, DecimalRow& row) {
    const std::vector<double>& u = hidden->u;
    static thread_local std::vector<double> x;
    x.resize(u.size());
    Random random(seed, static_cast<std::uint64_t>(i));
    double z = hidden->offset;
    for (std::size_t j = 0; j < u.size(); ++j) {
      x[j] = random.normal();
      z += u[j] * x[j];
    }
    row.label = z >= 0 ? 1 : -1;
    const double lack = goal - row.label * z;
    const double move = lack > 0 ? lack * row.label : 0;
    row.column.resize(u.size());
    row.units.resize(u.size());
    for (std::size_t j = 0; j < u.size(); ++j) {
      row.column[j] = static_cast<std::uint32_t>(j);
      row.units[j] = static_cast<std::int64_t>(std::nearbyint((x[j] + move * u[j]) * scale));
    }
  };
  return recipe;
}

}  // namespace linsep
