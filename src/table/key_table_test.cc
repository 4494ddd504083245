#include "table/key_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/colliding_testing.h"
#include "core/random.h"
#include "table/vocabulary.h"

namespace linsep {
namespace {

constexpr std::size_t kCount = 60000;

std::vector<std::uint64_t> ordinary() {
  std::vector<std::uint64_t> keys(kCount);
  for (std::size_t i = 0; i < kCount; ++i) keys[i] = keyed_hash(5, i);
  return keys;
}

/// Keys that are alike in all bits but the highest. A table that looks at any other bits sees equal ones. Terms with
/// such keys can be chosen, since XXH3 of short words can be undone.
std::vector<std::uint64_t> alike() {
  std::vector<std::uint64_t> keys(kCount);
  for (std::size_t i = 0; i < kCount; ++i) keys[i] = static_cast<std::uint64_t>(i) << 48;
  return keys;
}

/// Keys that are alike after a multiplication by a well-known constant.
std::vector<std::uint64_t> alike_when_multiplied() {
  constexpr std::uint64_t kKnown = 0x9E3779B97F4A7C15;
  std::uint64_t inverse = kKnown;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kKnown * inverse;
  std::vector<std::uint64_t> keys(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(i) << 40) * inverse;
    keys[i] = mixed ^ (mixed >> 32);
  }
  return keys;
}

double looked_up(const std::vector<std::uint64_t>& keys) {
  return test::seconds_of([&] {
    const KeyTable table(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(table.find(keys[i]), i);
  });
}

double counted_in_a_row(const std::vector<std::uint64_t>& keys) {
  return test::seconds_of([&] {
    Vocabulary vocabulary({.bits = 18, .most_names = 0});
    vocabulary.begin_batch(0);
    vocabulary.take_row(keys, [](std::size_t) { return std::string_view("term"); });
  });
}

TEST(KeyTable, FindsItsKeysAndNoOthers) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 1000}) {
    std::vector<std::uint64_t> keys = ordinary();
    const std::uint64_t other = keys[count];
    keys.resize(count);
    const KeyTable table(keys);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(table.find(keys[i]), i);
    EXPECT_EQ(table.find(other), KeyTable::kNone);
  }
  EXPECT_EQ(KeyTable().find(3), KeyTable::kNone);
  EXPECT_EQ(KeyTable(std::vector<std::uint64_t>{4, 4}).find(4), 0) << "of equal keys the first";
}

TEST(KeyTable, KeysThatWereChosenCostNoMoreThanOthers) {
  const double time = looked_up(ordinary());
  EXPECT_LT(looked_up(alike()), 10 * time + 0.1);
  EXPECT_LT(looked_up(alike_when_multiplied()), 10 * time + 0.1);
}

TEST(Vocabulary, TermsOfARowThatWereChosenCostNoMoreThanOthers) {
  const double time = counted_in_a_row(ordinary());
  EXPECT_LT(counted_in_a_row(alike()), 10 * time + 0.1);
  EXPECT_LT(counted_in_a_row(alike_when_multiplied()), 10 * time + 0.1);
}

}  // namespace
}  // namespace linsep
