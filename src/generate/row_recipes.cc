// Recipes of rows: small textbook examples (truth tables, translated patterns, the points of the three-classifier
// comparison), dense and sparse rows around hidden classifiers, and flipped labels.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/random.h"
#include "generate/recipes.h"

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

// Inputs count up in binary, and the first feature is the highest bit.
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

// Two patterns of four points on a ring of sixteen, each in all sixteen positions. Summed over positions, every point
// has the same count in both classes. So the classes' means agree, and no linear classifier can tell the classes apart.
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

// A hundred positive points to the upper right and fifty negative ones to the lower left, in two slanted clouds. A line
// separates them (points nearer than 0.1 to it are moved away), but the line half way between the means doesn't, and
// outliers pull the least-squares line.
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

namespace {

// Dense rows, nearly normal, that a hidden classifier separates with a given margin.
//
// The classifier has a unit vector u and an intercept b. A row x is drawn from the normal distribution and gets the
// sign y of u·x + b. If y(u·x + b) is below the margin, x is moved along y·u. What counts is the margin of the decimals
// as written. Rounding to p decimals moves u·x by at most ‖u‖₁·10^−p/2, and rows are moved that much further.

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

// Four decimals, or enough to make rounding small compared with the margin.
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
  // A billionth more than requested covers the rounding of double arithmetic, including that of u's norm.
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

namespace {

// Sparse rows whose columns follow Zipf's law: column k (from 1) is drawn with weight 1/k.
//
// The draw needs no tables and is exact for any number of columns. 1/k lies below 2^−j for k in the octave 2^j …
// 2^(j+1) − 1, and every whole octave has the same weight under that bound. So one uniform number gives the octave and
// the position in it, and the draw is kept with probability 2^j/k, which is above one half.
//
// Labels come from a hidden weight for each column. It is a hash of the column's number, so nothing grows with the
// columns. The few most frequent columns and half of the others have weight 0. If there are several classes, each has
// its own hidden weights.

class Zipf {
 public:
  explicit Zipf(std::uint32_t columns) {
    int octaves = 0;
    while ((std::uint64_t{2} << octaves) - 1 <= columns) ++octaves;
    const std::uint64_t begin = std::uint64_t{1} << octaves;
    weight_ = octaves + static_cast<double>(columns - begin + 1) / static_cast<double>(begin);
  }

  /// Draws a column, counted from 0.
  std::uint32_t draw(Random& random) const {
    for (;;) {
      const double place = random.uniform() * weight_;
      const int octave = static_cast<int>(place);
      const double begin = static_cast<double>(std::uint64_t{1} << octave);
      const auto k = static_cast<std::uint64_t>(begin * (1 + (place - octave)));
      if (random.uniform() * static_cast<double>(k) < begin) return static_cast<std::uint32_t>(k - 1);
    }
  }

 private:
  double weight_ = 0;  // of all octaves, of which a whole one weighs 1
};

// Draws distinct columns into `column`, in the order drawn. Remembers them in an open-addressed table.
class DistinctDraw {
 public:
  void draw(const Zipf& zipf, std::uint32_t count, Random& random, std::vector<std::uint32_t>& column) {
    std::size_t size = 64;
    while (size < 4 * std::size_t{count}) size *= 2;
    seen_.assign(size, 0);
    column.clear();
    // A row that needs nearly all columns would wait long for the rare ones. It takes the first ones it lacks instead.
    for (std::uint64_t tries = 64 * std::uint64_t{count}; tries > 0 && column.size() < count; --tries) {
      insert(zipf.draw(random), column);
    }
    for (std::uint32_t next = 0; column.size() < count; ++next) insert(next, column);
  }

 private:
  void insert(std::uint32_t number, std::vector<std::uint32_t>& column) {
    const std::size_t mask = seen_.size() - 1;
    std::size_t at = (number * 0x9e3779b1U) & mask;
    const std::uint64_t mark = std::uint64_t{number} + 1;
    for (; seen_[at] != 0; at = (at + 1) & mask) {
      if (seen_[at] == mark) return;
    }
    seen_[at] = mark;
    column.push_back(number);
  }

  std::vector<std::uint64_t> seen_;  // column + 1, or 0
};

constexpr std::int64_t kHighest = 220000;  // values are 0.000001 … 0.22, so that 82 of them have length about 1

// Nearly every row has these columns, so they have no weight.
std::uint32_t silent_columns(std::uint32_t features) { return std::min(8U, features / 16); }

double hidden_weight(std::uint64_t key, std::uint32_t silent, std::uint32_t column) {
  const std::uint64_t bits = keyed_hash(key, column);
  if (column < silent || (bits & 1) != 0) return 0;
  return static_cast<double>(static_cast<std::int64_t>(bits) >> 11);
}

}  // namespace

Recipe make_sparse(std::int64_t rows, std::uint32_t features, std::uint32_t nonzeros, int classes, std::uint64_t seed) {
  Recipe recipe{.rows = rows, .features = features, .entries = nonzeros, .places = 6};
  const Zipf zipf(features);
  const std::uint64_t key = keyed_hash(seed, static_cast<std::uint64_t>(Stream::kHiddenWeights));
  const std::uint32_t silent = silent_columns(features);
  recipe.make = [zipf, nonzeros, classes, seed, key, silent](std::int64_t i, DecimalRow& row) {
    static thread_local DistinctDraw distinct;
    Random random(seed, static_cast<std::uint64_t>(i));
    distinct.draw(zipf, nonzeros, random, row.column);
    std::sort(row.column.begin(), row.column.end());
    row.units.resize(nonzeros);
    for (std::int64_t& units : row.units) units = 1 + static_cast<std::int64_t>(random.below(kHighest));
    const auto score = [&](std::uint64_t own) {
      double z = 0;
      for (std::size_t k = 0; k < row.column.size(); ++k) {
        z += hidden_weight(own, silent, row.column[k]) * static_cast<double>(row.units[k]);
      }
      return z;
    };
    if (classes == 0) {
      row.label = score(key) >= 0 ? 1 : -1;
      return;
    }
    double most = 0;
    for (int c = 1; c <= classes; ++c) {
      const double z = score(keyed_hash(key, static_cast<std::uint64_t>(c)));
      if (c == 1 || z > most) row.label = c;
      most = c == 1 ? z : std::max(most, z);
    }
  };
  return recipe;
}

namespace {

// Flipped labels depend on the row's number alone, like the rows themselves, so no list of them is kept.

bool by_chance(double chance, std::uint64_t seed, std::int64_t row) {
  const std::uint64_t key = keyed_hash(seed, static_cast<std::uint64_t>(Stream::kFlips));
  return Random(key, static_cast<std::uint64_t>(row)).uniform() < chance;
}

// The first row of block b when `rows` rows are cut into `blocks` blocks as equal as possible.
std::int64_t block_begin(std::int64_t block, std::int64_t blocks, std::int64_t rows) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(rows) * block / blocks);
}

// Flips one row in each of `flips` blocks.
bool one_a_block(std::int64_t flips, std::int64_t rows, std::uint64_t seed, std::int64_t row) {
  if (flips == 0) return false;
  __extension__ using Wide = __int128;
  auto block = static_cast<std::int64_t>(static_cast<Wide>(row) * flips / rows);
  if (block_begin(block + 1, flips, rows) <= row) ++block;
  const std::int64_t begin = block_begin(block, flips, rows);
  const std::int64_t size = block_begin(block + 1, flips, rows) - begin;
  const std::uint64_t key = keyed_hash(seed, static_cast<std::uint64_t>(Stream::kFlipBlocks));
  return row - begin == static_cast<std::int64_t>(
                            Random(key, static_cast<std::uint64_t>(block)).below(static_cast<std::uint64_t>(size)));
}

}  // namespace

Recipe flip_labels(Recipe recipe, const FlipRule& rule, std::uint64_t seed) {
  auto plain = std::move(recipe.make);
  recipe.make = [plain, rule, seed, rows = recipe.rows](std::int64_t i, DecimalRow& row) {
    plain(i, row);
    const bool flip = !rule.listed.empty() ? std::binary_search(rule.listed.begin(), rule.listed.end(), i)
                                           : (rule.flips >= 0 ? one_a_block(rule.flips, rows, seed, i)
                                                              : by_chance(rule.chance, seed, i));
    if (flip) row.label = -row.label;
  };
  return recipe;
}

Recipe next_class(Recipe recipe, int classes) {
  auto plain = std::move(recipe.make);
  recipe.make = [plain, classes](std::int64_t i, DecimalRow& row) {
    plain(i, row);
    if (row.label < 0) row.label = -row.label % classes + 1;
  };
  return recipe;
}

}  // namespace linsep
