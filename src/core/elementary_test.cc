#include "core/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "core/random.h"

#ifdef LINSEP_MPFR
#include <mpfr.h>
#endif

namespace linsep::elementary {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = std::numeric_limits<double>::denorm_min(), kMost = std::numeric_limits<double>::max();

/// Equal, zeros with their sign. NaN equals NaN.
void expect_same(double found, double wanted) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(found)) << found;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(wanted)) << found << " for " << wanted;
  }
}

TEST(Elementary, ExponentialsHaveTheirSpecialValues) {
  for (const double zero : {0.0, -0.0}) {
    expect_same(exp(zero), 1);
    expect_same(expm1(zero), zero);
  }
  for (const double tiny : {kLeast, -kLeast, 0x1p-1022, -0x1p-60}) {
    expect_same(exp(tiny), 1);
    expect_same(expm1(tiny), tiny);
  }
  for (const auto function : {exp, expm1}) {
    expect_same(function(kInfinite), kInfinite);
    expect_same(function(kMost), kInfinite);
    expect_same(function(0x1.62e42fefa39fp9), kInfinite);
    expect_same(function(0x1.62e42fefa39efp9), 0x1.fffffffffff2ap1023);
    expect_same(function(kNan), kNan);
  }
  expect_same(exp(-kInfinite), 0);
  expect_same(exp(-kMost), 0);
  expect_same(exp(-0x1.74910d52d3051p9), kLeast);
  expect_same(exp(-0x1.74910d52d3052p9), 0);
  expect_same(exp(1), 0x1.5bf0a8b145769p1);
  expect_same(expm1(-kInfinite), -1);
  expect_same(expm1(-kMost), -1);
  expect_same(expm1(-60), -1);
  expect_same(expm1(1), 0x1.b7e151628aed3p0);
}

TEST(Elementary, LogarithmsHaveTheirSpecialValues) {
  for (const auto function : {log, log2, log10}) {
    expect_same(function(1), 0);
    expect_same(function(0), -kInfinite);
    expect_same(function(-0.0), -kInfinite);
    expect_same(function(kInfinite), kInfinite);
    for (const double nowhere : {-kLeast, -1.0, -kMost, -kInfinite, kNan}) expect_same(function(nowhere), kNan);
  }
  expect_same(log(kLeast), -0x1.74385446d71c3p9);
  expect_same(log(kMost), 0x1.62e42fefa39efp9);
  expect_same(log(2), 0x1.62e42fefa39efp-1);
  expect_same(log1p(-1), -kInfinite);
  expect_same(log1p(kInfinite), kInfinite);
  expect_same(log1p(kMost), 0x1.62e42fefa39efp9);
  expect_same(log1p(1), 0x1.62e42fefa39efp-1);
  for (const double nowhere : {-1 - 0x1p-52, -2.0, -kMost, -kInfinite, kNan}) expect_same(log1p(nowhere), kNan);
  for (const double itself : {0.0, -0.0, kLeast, -kLeast, 0x1p-1022, -0x1p-60}) expect_same(log1p(itself), itself);
}

TEST(Elementary, LogarithmsOfPowersOfTheBaseAreExact) {
  for (int k = -1074; k < 1024; ++k) expect_same(log2(std::ldexp(1.0, k)), k);
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) expect_same(log10(power), k);
}

TEST(Elementary, PowersHaveTheirSpecialValues) {
  const double all[] = {0.0, -0.0, kLeast, -kLeast, 0.5,   -0.5,   1,         -1,         2,
                        -2,  3,    -3,     2.5,     kMost, -kMost, kInfinite, -kInfinite, kNan};
  for (const double x : all) {  // annex F, in the order of its paragraphs
    for (const double zero : {0.0, -0.0}) expect_same(pow(x, zero), 1);
    expect_same(pow(1, x), 1);
    expect_same(pow(x, 1), x);
  }
  expect_same(pow(0, -3), kInfinite);
  expect_same(pow(-0.0, -3), -kInfinite);
  for (const double y : {-2.0, -2.5, -kMost, -kInfinite}) {
    expect_same(pow(0, y), kInfinite);
    expect_same(pow(-0.0, y), kInfinite);
  }
  expect_same(pow(0, 3), 0);
  expect_same(pow(-0.0, 3), -0.0);
  for (const double y : {2.0, 2.5, kMost, kInfinite}) {
    expect_same(pow(0, y), 0);
    expect_same(pow(-0.0, y), 0);
  }
  for (const double y : {kInfinite, -kInfinite}) {
    expect_same(pow(-1, y), 1);
    expect_same(pow(0.5, y), y > 0 ? 0 : kInfinite);
    expect_same(pow(-2, y), y > 0 ? kInfinite : 0);
  }
  for (const double y : {2.5, -0.5, kLeast, -kLeast}) expect_same(pow(-2, y), kNan);
  expect_same(pow(-kInfinite, -3), -0.0);
  expect_same(pow(-kInfinite, -2.5), 0);
  expect_same(pow(-kInfinite, 3), -kInfinite);
  expect_same(pow(-kInfinite, 2.5), kInfinite);
  expect_same(pow(kInfinite, -kLeast), 0);
  expect_same(pow(kInfinite, kLeast), kInfinite);
  for (const double x : {2.0, -2.0, 0.5}) {
    expect_same(pow(x, kNan), kNan);
    expect_same(pow(kNan, x), kNan);
  }
  expect_same(pow(1 + 0x1p-52, kMost), kInfinite);
  expect_same(pow(1 - 0x1p-53, kMost), 0);
  expect_same(pow(-1 - 0x1p-52, -kMost), 0);
  expect_same(pow(kMost, kLeast), 1);
}

TEST(Elementary, PowersThatAreDoublesAreExact) {
  for (int k = -1074; k < 1024; ++k) expect_same(pow(2, k), std::ldexp(1.0, k));
  for (int base = 2; base <= 100; ++base) {
    double power = 1;
    for (int k = 0; power < 0x1p53; ++k, power *= base) {
      expect_same(pow(base, k), power);
      expect_same(pow(-base, k), k % 2 == 0 ? power : -power);
    }
  }
  for (int root = 1; root < 2000; ++root) expect_same(pow(root * root, 0.5), root);
}

/// One function of one or two arguments, and how arguments are drawn: everywhere, and densely for values that are
/// common or hard.
struct Case {
  const char* name;
  double (*one)(double);
  double (*draw)(Random&);
  std::uint64_t hash;  ///< of its first 100,000 results
  double most;         ///< units in the last place
};

double any(Random& random) { return std::bit_cast<double>(random.bits()); }
double between(Random& random, double low, double high) { return low + (high - low) * random.uniform(); }

/// A number of either sign, with every exponent between these equally often.
double magnitude(Random& random, int low, int high) {
  const auto exponent = low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low)));
  return std::ldexp(random.below(2) == 0 ? 1 + random.uniform() : -1 - random.uniform(), exponent);
}

double draw_exp(Random& random) {
  const std::uint64_t kind = random.below(4);
  return kind == 0   ? any(random)
         : kind == 1 ? between(random, -746, 710)
         : kind == 2 ? between(random, -40, 1)
                     : magnitude(random, -60, 6);
}
double draw_expm1(Random& random) {
  const std::uint64_t kind = random.below(3);
  return kind == 0 ? between(random, -50, 711) : kind == 1 ? between(random, -1, 1) : magnitude(random, -60, 6);
}
double draw_log(Random& random) {
  const std::uint64_t kind = random.below(3);
  return kind == 0 ? std::abs(any(random)) : kind == 1 ? between(random, 0.5, 2) : 1 + magnitude(random, -53, -2);
}
double draw_log1p(Random& random) {
  const std::uint64_t kind = random.below(3);
  return kind == 0 ? std::abs(any(random)) : kind == 1 ? between(random, -1, 3) : magnitude(random, -60, -1);
}

/// A base, and an exponent that keeps most powers finite.
struct PowerOf {
  double x, y;
};
PowerOf draw_power(Random& random) {
  const double x = draw_log(random);
  return {x, random.below(4) == 0 ? any(random) : between(random, -750, 750) / log(x)};
}

const Case kCases[] = {
    {"exp", exp, draw_exp, 5054545764384946608ULL, 0.8},    {"expm1", expm1, draw_expm1, 7569752706919191661ULL, 0.6},
    {"log", log, draw_log, 16851499975168905898ULL, 0.6},   {"log1p", log1p, draw_log1p, 15520180367951639505ULL, 0.6},
    {"log2", log2, draw_log, 12477779144304745559ULL, 0.6}, {"log10", log10, draw_log, 15060846448628018201ULL, 0.6},
};

std::uint64_t hashed(std::uint64_t hash, double result) {
  return keyed_hash(hash, std::isnan(result) ? 0 : std::bit_cast<std::uint64_t>(result));
}

TEST(Elementary, KeepsItsBitsForEver) {
  // Models and predictions must have the same bytes on every machine and from release to release.
  for (const Case& each : kCases) {
    Random random(1);
    std::uint64_t hash = 0;
    for (int i = 0; i < 100000; ++i) hash = hashed(hash, each.one(each.draw(random)));
    EXPECT_EQ(hash, each.hash) << each.name;
  }
  Random random(1);
  std::uint64_t hash = 0;
  for (int i = 0; i < 100000; ++i) {
    const PowerOf power = draw_power(random);
    hash = hashed(hash, pow(power.x, power.y));
  }
  EXPECT_EQ(hash, 3346367904215944576ULL) << "pow";
}

#ifdef LINSEP_MPFR
/// CI draws this many arguments of each function, and LINSEP_DRAWN_ARGUMENTS asks for more.
std::int64_t arguments() {
  const char* more = std::getenv("LINSEP_DRAWN_ARGUMENTS");
  return more == nullptr ? 100000 : std::atoll(more);
}

/// A number of 200 bits.
class Wide {
 public:
  explicit Wide(double x = 0) {
    mpfr_init2(number_, 200);
    mpfr_set_d(number_, x, MPFR_RNDN);
  }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;
  ~Wide() { mpfr_clear(number_); }
  mpfr_ptr get() { return number_; }

 private:
  mpfr_t number_;
};

/// How far a double is from the exact value, in units of that value's last place.
double units_off(double found, Wide& exact) {
  const double nearest = mpfr_get_d(exact.get(), MPFR_RNDN);
  if (!std::isfinite(nearest) || !std::isfinite(found)) {
    return found == nearest || (std::isnan(found) && std::isnan(nearest)) ? 0 : kInfinite;
  }
  int exponent = 0;
  std::frexp(nearest, &exponent);
  mpfr_sub_d(exact.get(), exact.get(), found, MPFR_RNDN);
  mpfr_mul_2si(exact.get(), exact.get(), -std::max(exponent - 53, -1074), MPFR_RNDN);
  return std::abs(mpfr_get_d(exact.get(), MPFR_RNDN));
}

TEST(ElementaryProperty, ResultsLieWithinOneUnitOfTheLastPlace) {
  using Reference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  const Reference references[] = {mpfr_exp, mpfr_expm1, mpfr_log, mpfr_log1p, mpfr_log2, mpfr_log10};
  for (std::size_t k = 0; k < std::size(kCases); ++k) {
    Random random(2);
    double most = 0, at = 0;
    Wide wide, exact;
    for (std::int64_t i = 0; i < arguments(); ++i) {
      const double x = kCases[k].draw(random);
      mpfr_set_d(wide.get(), x, MPFR_RNDN);
      references[k](exact.get(), wide.get(), MPFR_RNDN);
      const double off = units_off(kCases[k].one(x), exact);
      if (off > most) most = off, at = x;
    }
    EXPECT_LT(most, kCases[k].most) << kCases[k].name << " at " << at;
    RecordProperty(kCases[k].name, testing::PrintToString(most));
  }
}

TEST(ElementaryProperty, PowersLieWithinOneUnitOfTheLastPlace) {
  Random random(2);
  double most = 0;
  PowerOf at = {0, 0};
  Wide base, exponent, exact;
  for (std::int64_t i = 0; i < arguments(); ++i) {
    const PowerOf power = draw_power(random);
    mpfr_set_d(base.get(), power.x, MPFR_RNDN);
    mpfr_set_d(exponent.get(), power.y, MPFR_RNDN);
    mpfr_pow(exact.get(), base.get(), exponent.get(), MPFR_RNDN);
    const double off = units_off(pow(power.x, power.y), exact);
    if (off > most) most = off, at = power;
  }
  EXPECT_LT(most, 0.8) << at.x << "^" << at.y;
  RecordProperty("pow", testing::PrintToString(most));
}
#endif

}  // namespace
}  // namespace linsep::elementary
