// Compares certify with the oracle on small sets, and with what is known of a few named ones.
#include "linsep/certify.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "linsep/read.h"
#include "linsep/table/fit.h"
#include "train/certify/testing.h"

namespace linsep {
namespace {

SmallSet set_of(std::vector<std::vector<std::string>> text, std::vector<int> label) {
  SmallSet set;
  set.features = text.empty() ? 0 : static_cast<std::uint32_t>(text.front().size());
  set.text = std::move(text);
  set.label = std::move(label);
  return set;
}

const std::vector<std::vector<std::string>> kCorners = {{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}};

TEST(Certify, XorOverlapsAtTheMiddle) {
  const CertifyOutcome outcome = certified(set_of(kCorners, {-1, 1, 1, -1}));
  EXPECT_EQ(outcome.certificate.claim, Claim::kOverlapping);
  ASSERT_EQ(outcome.certificate.witness.size(), 4U);
  for (const RowWeight& weight : outcome.certificate.witness) EXPECT_EQ(weight.alpha, "1");
  EXPECT_EQ(outcome.common_point, (std::vector<double>{0.5, 0.5}));
}

TEST(Certify, AndOrNotAreSeparable) {
  EXPECT_EQ(certified(set_of(kCorners, {-1, -1, -1, 1})).certificate.claim, Claim::kSeparable);
  EXPECT_EQ(certified(set_of(kCorners, {-1, 1, 1, 1})).certificate.claim, Claim::kSeparable);
  EXPECT_EQ(certified(set_of({{"0"}, {"1"}}, {1, -1})).certificate.claim, Claim::kSeparable);
}

TEST(Certify, XorIsSeparableThroughProducts) {
  FeatureMap products;
  products.kind = FeatureMap::Kind::kProducts;
  const SmallSet set = set_of(kCorners, {-1, 1, 1, -1});
  CertifyOutcome outcome = certified(set, false, products);
  EXPECT_EQ(outcome.certificate.claim, Claim::kSeparable);
  SmallSource source(set);
  seal_certificate(outcome.certificate, source);
  EXPECT_TRUE(verify_certificate(outcome.certificate, &source).valid);
}

TEST(Certify, DecimalsCountAsWrittenAndBinaryNumbersAsTheyAre) {
  // In decimals 0.1 + 0.2 = 0.3, so the + lies on the segment of the −. In doubles it lies next to it.
  const SmallSet decimals = set_of({{"0.1", "0.1"}, {"0.3", "0.3"}, {"0.2", "0.2"}}, {-1, -1, 1});
  EXPECT_EQ(certified(decimals).certificate.claim, Claim::kOverlapping);
  SmallSet binary;
  binary.binary = true;
  binary.features = 2;
  binary.number = {{0.1, 0.3}, {0.3, 0.1}, {0.2, 0.2}};
  binary.label = {-1, -1, 1};
  expect_truth(binary, false, "binary");
  EXPECT_EQ(certified(binary).certificate.claim, Claim::kSeparable);
}

/// The claim about a CSV table, encoded as floats (`single`) or doubles. The checker accepts it.
Claim claim_of_table(const std::string& text, const TableSpec& spec, bool single) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "linsep_certify_table.csv").string();
  std::ofstream(path, std::ios::binary) << text;
  ReadOptions options;
  options.exact_values = true;
  TableMap map = fit_table(std::vector{path}, options, spec, *solo()).map;
  EXPECT_FALSE(map.empty());
  map.single = single;
  options.table = std::make_shared<const TableMap>(std::move(map));
  const auto source = load(path, options);
  CertifyOutcome outcome = certify(*source, {}, *solo());
  seal_certificate(outcome.certificate, *source);
  const CheckResult result = verify_certificate(outcome.certificate, source.get());
  EXPECT_TRUE(result.valid) << result.reason;
  std::filesystem::remove(path);
  return outcome.certificate.claim;
}

// The first row shows no decimal, but the others do. As written, (0.2, 0.2) lies on the segment from (0.1, 0.3) to
// (0.3, 0.1), and in doubles next to it.
TEST(Certify, DecimalsCountAsWrittenWhereTheFirstRowHasNoNumber) {
  TableSpec spec;
  spec.as_written = true;
  const std::string text = "a,b,ill\n,,yes\n0.1,0.3,no\n0.3,0.1,no\n0.2,0.2,yes\n";
  EXPECT_EQ(claim_of_table(text, spec, false), Claim::kQuasiSeparable);
  EXPECT_EQ(claim_of_table(text, spec, true), Claim::kQuasiSeparable);
}

// Scaled values are doubles, and the batches show the nearest floats. The claim is about the doubles.
TEST(Certify, ATableOfFloatsIsCertifiedAsItsDoubles) {
  TableSpec spec;
  spec.scale = Scale::kDeviation;
  for (int table = 1; table <= 8; ++table) {
    std::string text = "a,b,ill\n";
    for (int i = 1; i < 60; ++i) {
      const int a = i * i * table % 101, b = i * 37 % 97;
      const std::string written = std::to_string(a) + ".3," + std::to_string(b) + ".7,";
      text += written + (a + 2 * b > 130 + table ? "yes" : "no") + "\n";
    }
    EXPECT_EQ(claim_of_table(text, spec, false), Claim::kSeparable) << table;
    EXPECT_EQ(claim_of_table(text, spec, true), Claim::kSeparable) << table;
  }
}

/// Hulls that touch at 0. The + row named first can be moved by a very small step along the last coordinate.
SmallSet touching_set(std::uint32_t features, double step) {
  SmallSet set;
  set.binary = true;
  set.features = features;
  if (features == 1) {  // the ends of two segments
    set.number = {{step}, {1}, {0}, {-1}};
    set.label = {1, 1, -1, -1};
  } else if (features == 2) {  // a point on the side of a triangle
    set.number = {{0, step}, {0, 1}, {3, 2}, {-1, 0}, {1, 0}, {0, -1}};
    set.label = {1, 1, 1, -1, -1, -1};
  } else {  // a point on the face of a tetrahedron
    set.number = {{0, 0, step}, {5, 1, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}, {0, 0, -1}};
    set.label = {1, 1, -1, -1, -1, -1};
  }
  return set;
}

TEST(Certify, TouchingHullsMovedByTheLeastAmountAreToldApart) {
  const std::map<double, Claim> verdicts = {
      {0x1p-200, Claim::kSeparable}, {0, Claim::kQuasiSeparable}, {-0x1p-200, Claim::kOverlapping}};
  for (const std::uint32_t features : {1U, 2U, 3U}) {
    for (const auto& [step, verdict] : verdicts) {
      const SmallSet set = touching_set(features, step);
      EXPECT_EQ(certified(set).certificate.claim, verdict) << features << " features moved by " << step;
      expect_truth(set, false, std::to_string(features) + " features moved by " + std::to_string(step));
    }
  }
}

TEST(Certify, PatternsInAllPositionsOverlap) {
  SmallSet set;
  set.features = 16;
  int label = 1;
  for (const std::string pattern : {"1111000000000000", "1101010000000000"}) {
    for (std::size_t shift = 0; shift < pattern.size(); ++shift) {
      std::vector<std::string>& row = set.text.emplace_back();
      for (std::size_t j = 0; j < pattern.size(); ++j) row.emplace_back(1, pattern[(j + shift) % pattern.size()]);
      set.label.push_back(label);
    }
    label = -1;
  }
  CertifyOutcome outcome = certified(set);
  EXPECT_EQ(outcome.certificate.claim, Claim::kOverlapping);
  SmallSource source(set);
  seal_certificate(outcome.certificate, source);
  EXPECT_TRUE(verify_certificate(outcome.certificate, &source).valid);
  // The two averages, at (0.25, …), are a witness of their own.
  outcome.certificate.witness.clear();
  for (std::int64_t row = 0; row < 32; ++row) outcome.certificate.witness.push_back({row, "1/16"});
  seal_certificate(outcome.certificate, source);
  const CheckResult averages = verify_certificate(outcome.certificate, &source);
  EXPECT_TRUE(averages.valid) << averages.reason;
}

TEST(Certify, OddSetsAreDecided) {
  expect_truth(set_of({{"1", "2"}, {"3", "4"}}, {1, 1}), false, "one class");
  expect_truth(set_of({{"1", "2"}, {"3", "4"}}, {-1, -1}), true, "one class through the origin");
  expect_truth(set_of({{"0", "0"}, {"0", "0"}}, {1, -1}), true, "rows of zeros");
  expect_truth(set_of({{"0", "0"}, {"1", "0"}}, {1, -1}), true, "a row of zeros");
  expect_truth(set_of({{"0", "0"}, {"0", "0"}}, {1, -1}), false, "the same row twice");
  expect_truth(set_of({{"7", "0"}, {"7", "1"}, {"7", "2"}}, {1, -1, 1}), false, "a constant column");
  expect_truth(set_of({{"1"}}, {1}), false, "one row");
}

TEST(Certify, NoRowsAreSeparable) {
  SmallSet set;
  set.features = 2;
  CertifyOutcome outcome = certified(set);
  EXPECT_EQ(outcome.certificate.claim, Claim::kSeparable);
}

// Every labeling of every set of at most `most` of the points.
void enumerate(const std::vector<std::vector<std::string>>& points, std::size_t most) {
  const std::size_t count = points.size();
  for (std::size_t chosen = 1; chosen < (std::size_t{1} << count); ++chosen) {
    std::vector<std::vector<std::string>> text;
    for (std::size_t k = 0; k < count; ++k) {
      if ((chosen >> k) & 1) text.push_back(points[k]);
    }
    if (text.size() > most) continue;
    for (std::size_t labels = 0; labels < (std::size_t{1} << text.size()); ++labels) {
      std::vector<int> label;
      for (std::size_t k = 0; k < text.size(); ++k) label.push_back((labels >> k) & 1 ? 1 : -1);
      for (const bool origin : {false, true}) {
        expect_truth(set_of(text, label), origin,
                     "points " + std::to_string(chosen) + " labels " + std::to_string(labels) +
                         (origin ? " through the origin" : ""));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(CertifyExhaustive, EveryLabellingOfTheGrid) {
  std::vector<std::vector<std::string>> grid;
  for (const char* x : {"0", "1", "2"}) {
    for (const char* y : {"0", "1", "2"}) grid.push_back({x, y});
  }
  enumerate(grid, 5);
}

TEST(CertifyExhaustive, EveryLabellingOfTheCube) {
  std::vector<std::vector<std::string>> cube;
  for (const char* x : {"0", "1"}) {
    for (const char* y : {"0", "1"}) {
      for (const char* z : {"0", "1"}) cube.push_back({x, y, z});
    }
  }
  enumerate(cube, 5);
}

}  // namespace
}  // namespace linsep
