#include "proof/class_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proof/columns.h"

namespace linsep {
namespace {

DataDigest three_classes() {
  DataDigest data;
  data.rows = 9;
  data.features = 2;
  data.classes = {"ant", "bee", "cat"};
  return data;
}

std::vector<std::string> made(const ClassRows& rows, const std::string& leaf) {
  std::vector<std::string> all;
  if (!rows.for_each(leaf, [&](const std::string& text) { all.push_back(text); })) all = {"refused"};
  return all;
}

using Texts = std::vector<std::string>;

TEST(ClassRows, AgainstTheRestARowHasTheSignOfItsClass) {
  DataDigest data = three_classes();
  data.positive = "bee";
  const ClassRows rows(data, false);
  EXPECT_EQ(rows.rows(), 9);
  EXPECT_EQ(made(rows, "4 2 1:0.5 2:-3"), Texts{"4 +1 1:0.5 2:-3"});
  EXPECT_EQ(made(rows, "4 3 2:-3"), Texts{"4 -1 2:-3"});
}

TEST(ClassRows, JointlyARowIsComparedWithEveryOtherClass) {
  const DataDigest data = three_classes();
  const ClassRows rows(data, false);
  EXPECT_EQ(rows.rows(), 18);
  EXPECT_EQ(made(rows, "1 1 1:0.5 2:-3"), (Texts{"1 +1 1:0.5 2:-3 3:1 4:-0.5 5:3 6:-1", "2 +1 1:0.5 2:-3 3:1"}));
  EXPECT_EQ(made(rows, "2 2 2:7"), (Texts{"3 +1 2:-7 3:-1 5:7 6:1", "4 +1 5:7 6:1"}));
  EXPECT_EQ(made(rows, "9 3"), (Texts{"17 +1 3:-1", "18 +1 6:-1"})) << "the last class has no columns";
  EXPECT_EQ(made(ClassRows(data, true), "2 2 2:7"), (Texts{"3 +1 2:-7 4:7", "4 +1 4:7"}));
}

TEST(ClassRows, OnlyTheWantedOnesAreMade) {
  const DataDigest data = three_classes();
  const ClassRows rows(data, true);
  Texts all;
  rows.for_each(
      "2 2 2:7", [&](const std::string& text) { all.push_back(text); }, [](std::int64_t row) { return row == 3; });
  EXPECT_EQ(all, Texts{"4 +1 4:7"});
}

TEST(ClassRows, ALeafOfOtherDataIsRefused) {
  const DataDigest data = three_classes();
  const ClassRows rows(data, false);
  for (const char* leaf : {"1 +1 1:1", "1 4 1:1", "10 1 1:1", "1 1 3:1", "1 01 1:1", "1 1 1:0", "x"}) {
    EXPECT_EQ(made(rows, leaf), Texts{"refused"}) << leaf;
  }
}

TEST(ClassRows, ClassesThatMakeNoSenseAreNamed) {
  DataDigest data = three_classes();
  EXPECT_EQ(ClassRows(data, false).problem(), nullptr);
  data.positive = "dog";
  EXPECT_NE(ClassRows(data, false).problem(), nullptr);
  data = three_classes();
  data.classes = {"1", "1.0", "2"};
  EXPECT_NE(ClassRows(data, false).problem(), nullptr);
  data = three_classes();
  data.negative = "ant";
  EXPECT_NE(ClassRows(data, false).problem(), nullptr);
  data = three_classes();
  data.rows = std::int64_t{1} << 61;
  EXPECT_NE(ClassRows(data, false).problem(), nullptr);
}

TEST(ClassRows, ColumnsAreNamedByClassAndFeature) {
  Certificate certificate;
  certificate.data = three_classes();
  Columns columns = columns_of(certificate);
  EXPECT_EQ(columns.count(), 6U);
  EXPECT_EQ(columns.name(0), "1:1");
  EXPECT_EQ(columns.name(4), "2:2");
  EXPECT_EQ(columns.name(5), "2:offset");
  for (std::uint32_t column = 0; column < 6; ++column) EXPECT_EQ(columns.number(columns.name(column)), column);
  for (const char* name : {"3:1", "0:1", "1:3", "1", "offset", "1:", ":1", "1:offset2", "01:1", "1:01", "1:1*2"}) {
    EXPECT_FALSE(columns.number(name)) << name;
  }
  certificate.origin = true;
  columns = columns_of(certificate);
  EXPECT_EQ(columns.count(), 4U);
  EXPECT_FALSE(columns.number("1:offset"));
}

}  // namespace
}  // namespace linsep
