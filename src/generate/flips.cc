// Flipped labels. Like the rows themselves they depend on the row's number alone, so no list of them is kept.
#include <algorithm>
#include <utility>

#include "core/random.h"
#include "generate/kinds.h"

namespace linsep {
namespace {

bool by_chance(double chance, std::uint64_t seed, std::int64_t row) {
  const std::uint64_t key = keyed_hash(seed, static_cast<std::uint64_t>(Stream::kFlips));
  return Random(key, static_cast<std::uint64_t>(row)).uniform() < chance;
}

// The first row of block b when `rows` rows are cut into `blocks` blocks as equal as possible.
std::int64_t block_begin(std::int64_t block, std::int64_t blocks, std::int64_t rows) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(rows) * block / blocks);
}

// One row of each of `flips` blocks is flipped.
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
