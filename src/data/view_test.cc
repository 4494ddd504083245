// Nobody has checked these arrays. The first fault is found and named, whatever it is and on any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Schema kTwo{{"no", "yes"}, {}};

/// Three rows of four features, as arrays that a test spoils.
struct Arrays {
  std::vector<std::uint64_t> start{0, 2, 3, 6};
  std::vector<std::uint32_t> column{0, 3, 1, 0, 2, 3};
  std::vector<std::int64_t> column64{0, 3, 1, 0, 2, 3};
  std::vector<double> value{1, 2, 3, 4, 5, 6};
  std::vector<double> label{1, -1, 1};
  std::vector<double> weight{1, 0, 2};

  Batch batch(bool wide = false) const {
    Batch b;
    b.rows = 3;
    b.features = 4;
    b.is_float = false;
    b.start = start;
    if (wide) {
      b.column64 = column64;
    } else {
      b.column = column;
    }
    b.value64 = value;
    b.label = label;
    b.weight = weight;
    return b;
  }
};

std::string fault(const Batch& batch, const Schema& schema = kTwo, int threads = 1) {
  try {
    check_rows(batch, schema, threads);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    return error.what();
  }
  return "";
}

TEST(CheckRows, FindsNothingWrongWithGoodRows) {
  const Arrays a;
  EXPECT_EQ(fault(a.batch()), "");
  EXPECT_EQ(fault(a.batch(true)), "");
}

TEST(CheckRows, RefusesValuesThatAreNotFiniteByRowAndColumn) {
  Arrays a;
  a.value[4] = kNaN;
  EXPECT_EQ(fault(a.batch()), "row 3, column 3: NaN is not a finite number");
  EXPECT_EQ(fault(a.batch(true)), "row 3, column 3: NaN is not a finite number");
  a.value[1] = -kInfinity;
  EXPECT_EQ(fault(a.batch()), "row 1, column 4: -infinity is not a finite number");
}

TEST(CheckRows, RefusesDenseValuesThatAreNotFinite) {
  const std::vector<float> values{1, 2, 99, 3, std::numeric_limits<float>::infinity(), 99};
  Batch batch;
  batch.dense = true;
  batch.rows = 2;
  batch.features = 2;
  batch.stride = 3;
  batch.value32 = values;
  EXPECT_EQ(fault(batch, {}), "row 2, column 2: infinity is not a finite number");
}

TEST(CheckRows, RefusesColumnsThatDoNotAscendOrReachTooFar) {
  for (const bool wide : {false, true}) {
    Arrays a;
    a.column[4] = 0;
    a.column64[4] = 0;
    EXPECT_EQ(fault(a.batch(wide)), "row 3, column 1: it comes after column 1");
    a.column[1] = 4;
    a.column64[1] = 4;
    EXPECT_EQ(fault(a.batch(wide)), "row 1, column 5: there are 4 features");
  }
  Arrays far;
  far.column64[2] = -1;
  EXPECT_EQ(fault(far.batch(true)), "row 2, column 0: there are 4 features");
  far.column64[2] = (std::int64_t{1} << 32) + 1;
  EXPECT_EQ(fault(far.batch(true)), "row 2, column 4294967298: there are 4 features");
}

TEST(CheckRows, RefusesOffsetsThatDescendOnTheWay) {
  Arrays a;
  a.start = {0, 2, 1, 6};
  EXPECT_EQ(fault(a.batch()), "row 2: its offsets don't ascend");
  a.start = {0, 7, 7, 6};
  EXPECT_EQ(fault(a.batch()), "row 1: its offsets don't ascend") << "they reach past the last";
}

TEST(CheckRows, RefusesLabelsThatTheSchemaHasNot) {
  Arrays a;
  a.label[1] = 0;
  EXPECT_EQ(fault(a.batch()), "row 2: the label 0 is neither -1 nor 1");
  a.label[1] = -1;
  EXPECT_EQ(fault(a.batch(), {{"a", "b", "c"}, {}}), "row 2: the label -1 isn't the index of a class");
  a.label = {0, 2, 0.5};
  EXPECT_EQ(fault(a.batch(), {{"a", "b", "c"}, {}}), "row 3: the label 0.5 isn't the index of a class");
  a.label = {0, 3, 1};
  EXPECT_EQ(fault(a.batch(), {{"a", "b", "c"}, {}}), "row 2: the label 3 isn't the index of a class");
  a.label = {0, kNaN, 1};
  EXPECT_EQ(fault(a.batch(), {}), "row 2: the label NaN is not a finite number");
  a.label = {0, 17.5, 1};
  EXPECT_EQ(fault(a.batch(), {}), "") << "a regression's";
}

TEST(CheckRows, RefusesMissingLabelsWhereThereAreClasses) {
  const Arrays a;
  Batch batch = a.batch();
  batch.label = {};
  EXPECT_EQ(fault(batch), "the rows have no labels, but the schema names classes");
  EXPECT_EQ(fault(batch, {}), "") << "rows to be scored";
}

TEST(CheckRows, RefusesWeightsThatAreNegativeOrNotFinite) {
  Arrays a;
  a.weight[2] = -1;
  EXPECT_EQ(fault(a.batch()), "row 3: the weight -1 isn't a finite number of at least 0");
  a.weight[1] = kNaN;
  EXPECT_EQ(fault(a.batch()), "row 2: the weight NaN isn't a finite number of at least 0");
}

TEST(CheckRows, NamesTheFirstFaultOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> start(1);
  std::vector<std::uint32_t> column;
  std::vector<float> value;
  for (std::uint64_t i = 0; i < 50000; ++i) {
    column.push_back(0);
    value.push_back(i > 20000 ? std::numeric_limits<float>::quiet_NaN() : 1);
    start.push_back(i + 1);
  }
  Batch batch;
  batch.rows = 50000;
  batch.features = 1;
  batch.start = start;
  batch.column = column;
  batch.value32 = value;
  for (const int threads : {1, 2, 7}) {
    EXPECT_EQ(fault(batch, {}, threads), "row 20002, column 1: NaN is not a finite number");
  }
}

TEST(View, RefusesImpossibleLabelsAndWeightsAtOnce) {
  Arrays a;
  EXPECT_NO_THROW(view(a.batch(), kTwo));
  a.label[2] = 7;
  EXPECT_THROW(view(a.batch(), kTwo), Error);
  a.label[2] = 1;
  a.weight[0] = kInfinity;
  EXPECT_THROW(view(a.batch(), kTwo), Error);
  a.weight[0] = 1;
  Batch without = a.batch();
  without.label = {};
  EXPECT_THROW(view(without, kTwo), Error);
  EXPECT_NO_THROW(view(without, {}));
}

}  // namespace
}  // namespace linsep
