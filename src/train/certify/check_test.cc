// Compares the check of what was found with the checker of files. Both accept and refuse the same.
#include <gtest/gtest.h>

#include "core/random.h"
#include "linsep/error.h"
#include "train/certify/steps.h"
#include "train/certify/testing.h"

namespace linsep {
namespace {

/// Rows of small decimals, deliberately near a plane.
SmallSet drawn_rows(std::uint64_t seed) {
  Random random(31, seed);
  SmallSet set;
  set.features = 1 + static_cast<std::uint32_t>(random.below(4));
  const std::size_t rows = 2 + random.below(30);
  const bool separable = random.below(3) > 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> text;
    std::int64_t sum = 0;
    for (std::uint32_t j = 0; j < set.features; ++j) {
      const std::int64_t value = static_cast<std::int64_t>(random.below(41)) - 20;
      sum += value * (1 + j);
      text.push_back(std::to_string(value) + "e-1");
    }
    set.text.push_back(std::move(text));
    set.number.emplace_back(set.features, 0.0);
    set.label.push_back(separable && sum != 0 ? (sum > 0 ? 1 : -1) : random.below(2) == 0 ? -1 : 1);
  }
  return set;
}

/// Puts another number in one of the places that prove something.
bool change(Certificate& certificate, Random& random) {
  std::vector<std::string*> numbers;
  for (ExactWeights& level : certificate.levels) {
    for (ColumnWeight& weight : level) numbers.push_back(&weight.weight);
  }
  for (RowWeight& weight : certificate.witness) numbers.push_back(&weight.alpha);
  for (auto* bound :
       {&certificate.margin.at_least_squared, &certificate.margin.radius_squared, &certificate.margin.mistake_bound}) {
    if (*bound) numbers.push_back(&**bound);
  }
  for (ColumnWeight& weight : certificate.coefficients.steps) numbers.push_back(&weight.weight);
  for (ExactWeights& direction : certificate.coefficients.directions) {
    for (ColumnWeight& weight : direction) numbers.push_back(&weight.weight);
  }
  if (random.below(8) == 0 && !certificate.levels.empty()) {
    ++certificate.left_at_zero;
    return true;
  }
  if (numbers.empty()) return false;
  std::string& text = *numbers[random.below(numbers.size())];
  const char* const kOthers[] = {"1", "-1", "2", "1/3", "0.001", "1000000", "7/2"};
  text = kOthers[random.below(std::size(kOthers))];
  return true;
}

CheckResult checked(const Certificate& certificate, const SmallSet& set, int workers) {
  CheckResult result;
  run_threads(workers, [&](Comm& comm) {
    const auto rows = static_cast<std::int64_t>(set.rows());
    SmallSource shard(set, 7, comm.rank() % 2 == 1, rows * comm.rank() / workers, rows * (comm.rank() + 1) / workers);
    const CheckResult mine = check_unsealed(certificate, shard, comm);
    if (comm.rank() == 0) result = mine;
  });
  return result;
}

TEST(CheckUnsealed, AcceptsAndRefusesWhatTheCheckerDoes) {
  int accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const SmallSet set = drawn_rows(seed);
    Random random(5, seed);
    Certificate certificate = certified(set, seed % 2 == 1).certificate;
    for (int k = 0; k < 6; ++k) {
      Certificate other = certificate;
      if (k > 0 && !change(other, random)) break;
      SmallSource source(set);
      seal_certificate(other, source);
      const CheckResult slow = verify_certificate(other, &source);
      for (const int workers : {1, 3}) {
        const CheckResult quick = checked(other, set, workers);
        ASSERT_EQ(quick.valid, slow.valid) << seed << " " << quick.reason << " / " << slow.reason;
      }
      ++(slow.valid ? accepted : refused);
    }
  }
  EXPECT_GT(accepted, 600);
  EXPECT_GT(refused, 500);
}

TEST(CheckUnsealed, ARefusedVerdictIsABug) {
  const SmallSet set = drawn_rows(1);
  Certificate certificate = certified(set).certificate;
  certificate.claim = certificate.claim == Claim::kSeparable ? Claim::kOverlapping : Claim::kSeparable;
  SmallSource source(set);
  try {
    require_accepted(certificate, source, {}, *solo());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kBug);
  }
}

TEST(CheckUnsealed, RowsWithinRoundingOfTheBoundaryAreJudgedAsWritten) {
  // 0.1 + 0.2 − 0.3 is 0 as written and above 0 in doubles.
  SmallSet set;
  set.features = 3;
  set.text = {{"0.1", "0.2", "-0.3"}, {"1", "1", "1"}};
  set.number = {{0, 0, 0}, {0, 0, 0}};
  set.label = {1, 1};
  Certificate certificate;
  certificate.claim = Claim::kSeparable;
  certificate.origin = true;
  certificate.levels = {{{0, "1"}, {1, "1"}, {2, "1"}}};
  certificate.data.rows = 2;
  certificate.data.features = 3;
  EXPECT_FALSE(checked(certificate, set, 1).valid);
  certificate.levels[0][2].weight = "0.99999999999999999";
  EXPECT_TRUE(checked(certificate, set, 1).valid);
}

}  // namespace
}  // namespace linsep
