// certify on drawn sets, compared with the oracle and the checker. The result is the same however rows are split.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "core/random.h"
#include "train/certify/testing.h"

namespace linsep {
namespace {

/// CI tries this many drawn sets. Set LINSEP_DRAWN_SETS for more.
std::int64_t drawn_sets() {
  const char* more = std::getenv("LINSEP_DRAWN_SETS");
  return more == nullptr ? 3000 : std::atoll(more);
}

std::string decimal_in(Random& random, int kind) {
  const std::string sign = random.below(2) == 0 ? "-" : "";
  switch (kind) {
    case 0:
      return sign + std::to_string(random.below(3));
    case 1:
      return sign + "0." + std::to_string(random.below(10));
    case 2:
      return sign + std::to_string(random.below(1000)) + "." + std::to_string(random.below(1000));
    default: {
      const auto exponent = static_cast<int>(random.below(601)) - 300;
      return sign + std::to_string(random.below(10)) + "." + std::to_string(random.below(10)) + "e" +
             std::to_string(exponent);
    }
  }
}

double binary_in(Random& random, int kind) {
  switch (kind) {
    case 0:
      return static_cast<double>(random.below(5)) - 2;
    case 1:
      return (static_cast<double>(random.below(9)) - 4) / 10;
    case 2:
      return random.normal();
    default:
      return std::ldexp(static_cast<double>(random.below(9)) - 4, static_cast<int>(random.below(2000)) - 1000);
  }
}

/// A small set that is deliberately degenerate, with duplicates, constant columns, repeated columns and rows that are
/// sums of others.
SmallSet drawn_set(std::uint64_t seed) {
  Random random(2024, seed);
  SmallSet set;
  set.binary = random.below(2) == 0;
  const int kind = static_cast<int>(random.below(4));
  // The oracle tries all bases, so sets that are wide or have long numbers are kept small.
  set.features = 1 + static_cast<std::uint32_t>(random.below(kind != 3 && random.below(8) == 0 ? 8 : 3));
  const std::size_t rows = 1 + random.below(set.features + 5);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> text;
    std::vector<double> number;
    for (std::uint32_t j = 0; j < set.features; ++j) {
      text.push_back(decimal_in(random, kind));
      number.push_back(binary_in(random, kind));
    }
    const std::uint64_t trick = random.below(8);
    if (i > 0 && trick == 0) {
      text = set.text[random.below(i)];
      number = set.number[text == set.text[0] ? 0 : i - 1];
    } else if (i > 1 && trick == 1) {
      for (std::uint32_t j = 0; j < set.features; ++j) number[j] = (set.number[i - 1][j] + set.number[i - 2][j]) / 2;
    } else if (trick == 2) {
      for (std::uint32_t j = 0; j < set.features; ++j) {
        text[j] = "0";
        number[j] = 0;
      }
    }
    if (random.below(16) == 0) text[0] = "3", number[0] = 3;
    set.text.push_back(text);
    set.number.push_back(number);
    set.label.push_back(random.below(2) == 0 ? -1 : 1);
  }
  if (random.below(4) == 0) {  // a column twice
    for (std::size_t i = 0; i < rows; ++i) {
      set.text[i].back() = set.text[i].front();
      set.number[i].back() = set.number[i].front();
    }
  }
  if (random.below(3) == 0) {  // labels by a hyperplane, so that separable and touching sets are common
    for (std::size_t i = 0; i < rows; ++i) {
      Rational sum = 0;
      for (std::uint32_t j = 0; j < set.features; ++j) sum += set.value(i, j) * (j % 2 == 0 ? 1 : -1);
      if (sum != 0) set.label[i] = sum > 0 ? 1 : -1;
    }
  }
  return set;
}

TEST(CertifyDrawn, AgreesWithTheOracle) {
  const std::int64_t count = drawn_sets();
  for (std::int64_t seed = 0; seed < count; ++seed) {
    const SmallSet set = drawn_set(static_cast<std::uint64_t>(seed));
    expect_truth(set, seed % 2 == 1, "drawn set " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(CertifyDrawn, BatchesDontChangeTheCertificate) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const SmallSet set = drawn_set(seed);
    const Certificate whole = certified(set).certificate;
    EXPECT_EQ(certified(set, false, {}, 1).certificate, whole) << seed;
    EXPECT_EQ(certified(set, false, {}, 3).certificate, whole) << seed;
  }
}

TEST(CertifyDrawn, LayoutsDontChangeTheVerdict) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const SmallSet set = drawn_set(seed);
    SmallSource dense(set, 1000, true);
    EXPECT_EQ(certify(dense, {}, *solo()).certificate.claim, certified(set).certificate.claim) << seed;
  }
}

TEST(CertifyDrawn, WorkersDontChangeTheCertificate) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SmallSet set = drawn_set(seed);
    const bool origin = seed % 2 == 1;
    const Certificate alone = certified(set, origin).certificate;
    run_threads(3, [&](Comm& comm) {
      const auto rows = static_cast<std::int64_t>(set.rows());
      SmallSource shard(set, 1000, false, rows * comm.rank() / 3, rows * (comm.rank() + 1) / 3);
      CertifyOptions options;
      options.origin = origin;
      EXPECT_EQ(certify(shard, options, comm).certificate, alone) << seed;
    });
  }
}

/// The set through φ, for the oracle.
std::vector<std::vector<Rational>> mapped(const SmallSet& set, bool origin, const FeatureMap& map) {
  std::vector<std::vector<Rational>> z(set.rows());
  for (std::size_t i = 0; i < set.rows(); ++i) {
    const auto x = [&](std::uint32_t j) { return set.value(i, j); };
    for (std::uint32_t j = 0; j < set.features; ++j) z[i].push_back(x(j));
    for (std::uint32_t j = 0; j < set.features; ++j) {
      for (std::uint32_t k = map.kind == FeatureMap::Kind::kProducts ? j + 1 : j; k < set.features; ++k) {
        z[i].push_back(x(j) * x(k));
      }
    }
    if (!origin) z[i].push_back(1);
    for (Rational& value : z[i]) value *= set.label[i];
  }
  return z;
}

TEST(CertifyDrawn, MapsAgreeWithTheOracle) {
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    const SmallSet set = drawn_set(seed);
    if (set.features > 3 || set.rows() > 8) continue;
    FeatureMap map;
    map.kind = seed % 3 == 0 ? FeatureMap::Kind::kProducts : FeatureMap::Kind::kPolynomial;
    map.degree = 2;
    const bool origin = seed % 2 == 1;
    CertifyOutcome outcome = certified(set, origin, map);
    const Truth truth = truth_of(mapped(set, origin, map));
    ASSERT_EQ(claim_name(outcome.certificate.claim), claim_name(truth.claim)) << "seed " << seed;
    if (truth.claim == Claim::kQuasiSeparable) {
      ASSERT_EQ(outcome.certificate.left_at_zero, truth.at_zero) << seed;
    }
    SmallSource source(set);
    seal_certificate(outcome.certificate, source);
    const CheckResult result = verify_certificate(outcome.certificate, &source);
    ASSERT_TRUE(result.valid) << "seed " << seed << ": " << result.reason;
  }
}

/// Larger sets that are separated in stages: block b of columns only matters on rows of blocks ≥ b. A certificate that
/// claims more than undecided proves its own verdict, so the checker is oracle enough.
SmallSet staged_set(std::uint64_t seed) {
  Random random(77, seed);
  SmallSet set;
  set.binary = random.below(2) == 0;
  const std::size_t blocks = 1 + random.below(4);
  const std::size_t width = 1 + random.below(4);
  set.features = static_cast<std::uint32_t>(blocks * width);
  const std::size_t rows = 20 + random.below(150);
  const bool wide = random.below(2) == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t block = random.below(blocks);
    std::vector<std::string> text(set.features, "0");
    std::vector<double> number(set.features, 0.0);
    for (std::size_t j = 0; j < (block + 1) * width; ++j) {
      const auto value = static_cast<std::int64_t>(random.below(wide ? 2001 : 7)) - (wide ? 1000 : 3);
      text[j] = std::to_string(value) + (wide ? "e-3" : "");
      number[j] = static_cast<double>(value) / (wide ? 1000 : 1);
    }
    // The last column of a block may determine the label.
    const std::size_t last = (block + 1) * width - 1;
    int label = random.below(2) == 0 ? -1 : 1;
    if (block % 2 == 1 && number[last] != 0) label = number[last] > 0 ? 1 : -1;
    set.text.push_back(std::move(text));
    set.number.push_back(std::move(number));
    set.label.push_back(label);
  }
  return set;
}

TEST(CertifyDrawn, SetsThatFallApartInStagesAreProven) {
  std::map<Claim, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const SmallSet set = staged_set(seed);
    CertifyOutcome outcome = certified(set, seed % 3 == 0);
    ++seen[outcome.certificate.claim];
    SmallSource source(set);
    seal_certificate(outcome.certificate, source);
    const CheckResult result = verify_certificate(outcome.certificate, &source);
    ASSERT_TRUE(result.valid) << "seed " << seed << ": " << result.reason;
    ASSERT_NE(outcome.certificate.claim, Claim::kUndecided) << seed;
    if (outcome.certificate.claim != Claim::kSeparable) {
      ASSERT_TRUE(outcome.certificate.span.has_value()) << seed;
    }
  }
  EXPECT_GT(seen[Claim::kOverlapping], 20);
  EXPECT_GT(seen[Claim::kQuasiSeparable], 20);
}

}  // namespace
}  // namespace linsep
