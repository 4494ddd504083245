// Sparse rows whose columns follow Zipf's law: column k (from 1) is drawn with weight 1/k.
//
// A draw without tables, exact for any number of columns: 1/k lies below 2^−j for k in the octave 2^j … 2^(j+1) − 1,
// and every whole octave has the same weight under that bound. So one uniform number gives the octave and the position
// in it, and the draw is kept with probability 2^j/k, which is above one half.
//
// Labels come from a hidden weight for each column, a hash of its number, so nothing grows with the columns. The few
// most frequent columns and half of the others weigh nothing. Several classes have a hidden weight each.
#include <algorithm>

#include "core/random.h"
#include "generate/kinds.h"

namespace linsep {
namespace {

class Zipf {
 public:
  explicit Zipf(std::uint32_t columns) {
    int octaves = 0;
    while ((std::uint64_t{2} << octaves) - 1 <= columns) ++octaves;
    const std::uint64_t begin = std::uint64_t{1} << octaves;
    weight_ = octaves + static_cast<double>(columns - begin + 1) / static_cast<double>(begin);
  }

  /// A column, from 0.
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
  double weight_ = 0;  // of all octaves, a whole one weighing 1
};

// Draws distinct columns into `column`, in the order drawn. Keeps what it has seen in an open-addressed table.
class DistinctDraw {
 public:
  void draw(const Zipf& zipf, std::uint32_t count, Random& random, std::vector<std::uint32_t>& column) {
    std::size_t size = 64;
    while (size < 4 * std::size_t{count}) size *= 2;
    seen_.assign(size, 0);
    column.clear();
    // A row that asks for nearly all columns would wait long for the rare ones: it takes the first it lacks instead.
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

// Columns that weigh nothing because nearly every row has them.
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

}  // namespace linsep
