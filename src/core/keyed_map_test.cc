#include "core/keyed_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/colliding_testing.h"

namespace linsep {
namespace {

TEST(KeyedMap, NamesThatAreMadeToCollideDoNot) {
  std::set<std::size_t> standard, keyed;
  for (const std::string& name : test::colliding_names(1000)) {
    standard.insert(std::hash<std::string>()(name));
    keyed.insert(KeyedHash()(name));
  }
#ifdef __GLIBCXX__
  EXPECT_EQ(standard.size(), 1) << "they are made for this standard library";
#endif
  EXPECT_EQ(keyed.size(), 1000);
}

TEST(KeyedMap, EveryByteAndTheLengthCount) {
  std::set<std::size_t> hashes;
  for (std::size_t length = 0; length <= 20; ++length) {
    const std::string zeros(length, '\0');
    hashes.insert(KeyedHash()(zeros));
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = zeros;
      other[at] = '\x80';
      hashes.insert(KeyedHash()(other));
    }
  }
  EXPECT_EQ(hashes.size(), 21 + 210);
}

TEST(KeyedMap, ANumberHasOneHash) {
  KeyedMap<double, int> places;
  places[0.0] = 1;
  EXPECT_EQ(places.at(-0.0), 1);
  KeyedSet<std::uint32_t> columns = {7};
  EXPECT_TRUE(columns.contains(7));
  EXPECT_FALSE(columns.contains(8));
}

TEST(KeyedMap, ColumnsThatAreMultiplesOfAPrimeCostNoMoreThanOthers) {
  // The standard library's tables have a prime number of buckets, and its hash of a number is the number.
  const auto filled = [](std::uint32_t step) {
    return test::seconds_of([&] {
      KeyedMap<std::uint32_t, std::uint32_t> map;
      for (std::uint32_t i = 0; i < 60000; ++i) map.emplace(i * step, i);
      EXPECT_EQ(map.size(), 60000);
    });
  };
  EXPECT_LT(filled(62233), 10 * filled(3) + 0.1);
}

}  // namespace
}  // namespace linsep
