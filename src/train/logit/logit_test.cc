// Compares logit with tables of counts, whose estimates are known in closed form, and with plain maximization for other
// data. The bits are the same however the rows are spread. tests/logit compares it with R and statsmodels.
#include "linsep/logit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/random.h"
#include "data/decorators.h"
#include "format/text/test_input.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "train/logit/clusters.h"
#include "train/logit/likelihood.h"

namespace linsep {
namespace {

using test::TempFile;
using Method = LogitOptions::Method;
constexpr double kQuantile = 3.8414588206941254;  // of χ² with one degree of freedom, 95 %

ReadOptions exact_reading() {
  ReadOptions reading;
  reading.format = ReadOptions::Format::kCsv;
  reading.double_values = reading.exact_values = true;
  reading.header = true;
  return reading;
}

LogitResult fitted(const std::string& csv, const LogitOptions& options = {},
                   const ReadOptions& reading = exact_reading()) {
  const TempFile file(csv);
  const auto source = load(file.path(), reading);
  return logit(*source, options);
}

/// Rows x, y as often as counted.
std::string counts_csv(int negative_0, int positive_0, int negative_1, int positive_1) {
  std::string csv = "x,y\n";
  const auto add = [&](int count, const char* row) {
    for (int i = 0; i < count; ++i) csv += row;
  };
  add(negative_0, "0,0\n");
  add(positive_0, "0,1\n");
  add(negative_1, "1,0\n");
  add(positive_1, "1,1\n");
  return csv;
}

TEST(Logit, OfATwoByTwoTableIsItsLogOddsRatio) {
  const LogitResult result = fitted(counts_csv(30, 12, 9, 25));
  EXPECT_EQ(result.separation.certificate.claim, Claim::kOverlapping);
  ASSERT_EQ(result.coefficients.size(), 2U);
  const LogitCoefficient &intercept = result.coefficients[0], &slope = result.coefficients[1];
  EXPECT_EQ(intercept.column, 1U);
  EXPECT_NEAR(intercept.estimate, std::log(12.0 / 30), 1e-13);
  EXPECT_NEAR(slope.estimate, std::log(25.0 / 9 * 30 / 12), 1e-13);
  EXPECT_NEAR(intercept.standard_error, std::sqrt(1.0 / 12 + 1.0 / 30), 1e-12);
  EXPECT_NEAR(slope.standard_error, std::sqrt(1.0 / 12 + 1.0 / 30 + 1.0 / 9 + 1.0 / 25), 1e-12);
  const auto part = [](double observed, double of, double share) {
    return 2 * observed * std::log(observed / (of * share));
  };
  const double share = 37.0 / 76;
  const double ratio = part(30, 42, 1 - share) + part(12, 42, share) + part(9, 34, 1 - share) + part(25, 34, share);
  EXPECT_NEAR(slope.chi_square, ratio, 1e-9);
  EXPECT_NEAR(result.overall.chi_square, ratio, 1e-9);
  EXPECT_EQ(result.overall.degrees, 1);
}

TEST(Logit, ProvesHowFarEstimatesMayBeOff) {
  const LogitResult result = fitted(counts_csv(30, 12, 9, 25));
  const std::vector<double> truth = {std::log(12.0 / 30), std::log(25.0 / 9 * 30 / 12)};
  for (std::size_t k = 0; k < 2; ++k) {
    const LogitCoefficient& each = result.coefficients[k];
    EXPECT_LE(std::abs(each.estimate - truth[k]), each.error);
    EXPECT_LT(each.error, 1e-9);
  }
}

/// The intercept at which ln P is largest, with the slope at b, by golden section.
double intercept_of_counts(double b, double negative_0, double positive_0, double negative_1, double positive_1) {
  const auto value = [&](double a) {
    return -negative_0 * std::log1p(std::exp(a)) - positive_0 * std::log1p(std::exp(-a)) -
           negative_1 * std::log1p(std::exp(a + b)) - positive_1 * std::log1p(std::exp(-a - b));
  };
  double low = -50, high = 50;
  for (int step = 0; step < 200; ++step) {
    const double left = low + 0.381966 * (high - low), right = high - 0.381966 * (high - low);
    (value(left) < value(right) ? low : high) = value(left) < value(right) ? left : right;
  }
  return 0.5 * (low + high);
}

/// max over the intercept of ln P at slope b.
double profile_of_counts(double b, double negative_0, double positive_0, double negative_1, double positive_1) {
  const double a = intercept_of_counts(b, negative_0, positive_0, negative_1, positive_1);
  return -negative_0 * std::log1p(std::exp(a)) - positive_0 * std::log1p(std::exp(-a)) -
         negative_1 * std::log1p(std::exp(a + b)) - positive_1 * std::log1p(std::exp(-a - b));
}

LogitOptions with_interval(LogitOptions::InfiniteInterval interval) {
  LogitOptions options;
  options.infinite_interval = interval;
  return options;
}

TEST(Logit, IntervalsEndWhereTheProfileHasFallen) {
  const LogitResult result = fitted(counts_csv(30, 12, 9, 25));
  const LogitCoefficient& slope = result.coefficients[1];
  for (const double end : {slope.low, slope.high}) {
    EXPECT_NEAR(profile_of_counts(end, 30, 12, 9, 25), result.log_likelihood - kQuantile / 2, 1e-9);
  }
  EXPECT_LT(slope.low, slope.estimate);
  EXPECT_GT(slope.high, slope.estimate);
}

TEST(Logit, AnEmptyCellIsAnInfiniteCoefficientWithAOneSidedInterval) {
  for (const bool positive : {true, false}) {
    const LogitResult result = fitted(positive ? counts_csv(14, 9, 0, 11) : counts_csv(14, 9, 11, 0),
                                      with_interval(LogitOptions::InfiniteInterval::kProfile));
    EXPECT_EQ(result.separation.certificate.claim, Claim::kQuasiSeparable);
    EXPECT_EQ(result.separated, 11);
    const LogitCoefficient &intercept = result.coefficients[0], &slope = result.coefficients[1];
    EXPECT_NEAR(intercept.estimate, std::log(9.0 / 14), 1e-13);
    EXPECT_NEAR(intercept.standard_error, std::sqrt(1.0 / 9 + 1.0 / 14), 1e-12);
    EXPECT_EQ(slope.status, positive ? CoefficientStatus::kPlusInfinity : CoefficientStatus::kMinusInfinity);
    EXPECT_TRUE(std::isinf(slope.estimate));
    EXPECT_TRUE(std::isnan(slope.standard_error));
    EXPECT_TRUE(std::isnan(slope.z));
    const double supremum = 9 * std::log(9.0 / 23) + 14 * std::log(14.0 / 23);
    EXPECT_NEAR(result.log_likelihood, supremum, 1e-12);
    const double end = positive ? slope.low : slope.high, open = positive ? slope.high : slope.low;
    EXPECT_TRUE(std::isinf(open));
    const double level = positive ? profile_of_counts(end, 14, 9, 0, 11) : profile_of_counts(end, 14, 9, 11, 0);
    EXPECT_NEAR(level, supremum - kQuantile / 2, 1e-8);
    const double zero = positive ? profile_of_counts(0, 14, 9, 0, 11) : profile_of_counts(0, 14, 9, 11, 0);
    EXPECT_NEAR(slope.chi_square, 2 * (supremum - zero), 1e-8);
  }
}

TEST(Logit, TheIntervalOfAnInfiniteCoefficientEndsWhereItsRowsAreUnlikely) {
  using Interval = LogitOptions::InfiniteInterval;
  for (const bool positive : {true, false}) {
    for (const Interval interval : {Interval::kMidP, Interval::kFace}) {
      const LogitResult result =
          fitted(positive ? counts_csv(49, 17, 0, 13) : counts_csv(49, 17, 13, 0), with_interval(interval));
      const LogitCoefficient& slope = result.coefficients[1];
      const double end = positive ? slope.low : slope.high, open = positive ? slope.high : slope.low;
      EXPECT_TRUE(std::isinf(open));
      const double intercept =
          positive ? intercept_of_counts(end, 49, 17, 0, 13) : intercept_of_counts(end, 49, 17, 13, 0);
      const double margin = positive ? intercept + end : -intercept - end;
      EXPECT_NEAR(std::pow(1 / (1 + std::exp(-margin)), 13), interval == Interval::kMidP ? 0.05 : 0.025, 1e-7);
      if (positive) {
        EXPECT_NEAR(std::exp(end), interval == Interval::kMidP ? 9.085 : 6.904, 5e-4);
      }
    }
  }
}

/// Two of the 66 rows without x are negative. As x goes to −∞, a larger intercept makes up for it, and the 13 rows with
/// x keep a probability of (11/13)^13 = 0.114.
TEST(Logit, TheIntervalOfAnInfiniteCoefficientReachesNoFurtherThanAWideProfile) {
  const double quantile = 10.827566170662733;  // of χ² with one degree of freedom, 99.9 %
  const LogitResult result = fitted(counts_csv(2, 64, 0, 13));
  const LogitCoefficient& slope = result.coefficients[1];
  EXPECT_NEAR(profile_of_counts(slope.low, 2, 64, 0, 13), result.log_likelihood - quantile / 2, 1e-8);
  EXPECT_TRUE(std::isinf(slope.high));
}

TEST(Logit, OtherInfiniteCoefficientsHaveNoSayInAnInterval) {
  // b is 1 in three positive rows, which its own coefficient fits.
  std::string csv = "x,b,y\n", alone = "x,y\n";
  const auto add = [&](int count, const char* row, const char* without) {
    for (int i = 0; i < count; ++i) {
      csv += row;
      if (without != nullptr) alone += without;
    }
  };
  add(49, "0,0,0\n", "0,0\n");
  add(17, "0,0,1\n", "0,1\n");
  add(13, "1,0,1\n", "1,1\n");
  add(3, "0,1,1\n", nullptr);
  const LogitResult both = fitted(csv), one = fitted(alone);
  EXPECT_EQ(both.coefficients[2].status, CoefficientStatus::kPlusInfinity);
  EXPECT_NEAR(both.coefficients[1].low, one.coefficients[1].low, 1e-8);
  EXPECT_LT(both.coefficients[2].low, both.coefficients[1].low);
}

TEST(Logit, AnUndeterminedCoefficientHasEveryValueInItsInterval) {
  // The other column separates all rows, along x and along −x alike.
  const LogitResult result = fitted("x,z,y\n1,1,0\n2,1,0\n1,5,1\n2,5,1\n3,6,1\n");
  const LogitCoefficient& each = result.coefficients[1];
  ASSERT_EQ(each.status, CoefficientStatus::kUndetermined);
  EXPECT_TRUE(std::isnan(each.estimate));
  EXPECT_EQ(each.chi_square, 0);
  EXPECT_EQ(each.p, 1);
  EXPECT_EQ(each.low, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(each.high, std::numeric_limits<double>::infinity());
}

/// Units are powers of two here, so that every figure is the same except for its unit.
TEST(Logit, TheUnitOfAColumnChangesNothingElse) {
  LogitOptions options;
  options.terms = {{"x and z", {0, 1}}};
  const auto csv = [](int exponent) {
    std::string rows = "x,z,y\n";
    for (std::uint64_t i = 0; i < 40; ++i) {
      Random random(8, i);
      const double z = std::ldexp(static_cast<double>(random.below(16)) - 8, exponent);
      rows += fmt::format("{},{},{}\n", random.below(9), z, random.below(2));
    }
    return rows;
  };
  for (const auto errors : {LogitOptions::Errors::kInformation, LogitOptions::Errors::kRobust}) {
    options.errors = errors;
    const LogitResult wanted = fitted(csv(0), options);
    for (const int exponent : {515, -530}) {
      const LogitResult found = fitted(csv(exponent), options);
      ASSERT_TRUE(found.aliases.empty());
      const LogitCoefficient &a = found.coefficients[2], &b = wanted.coefficients[2];
      for (const auto member : {&LogitCoefficient::estimate, &LogitCoefficient::standard_error, &LogitCoefficient::low,
                                &LogitCoefficient::high, &LogitCoefficient::error}) {
        EXPECT_EQ(std::ldexp(a.*member, exponent), b.*member);
      }
      EXPECT_EQ(a.chi_square, b.chi_square);
      EXPECT_EQ(std::ldexp(a.deviation, -exponent), b.deviation);
      EXPECT_EQ(found.terms[0].chi_square, wanted.terms[0].chi_square);
      EXPECT_EQ(found.coefficients[0].low, wanted.coefficients[0].low);
    }
  }
}

TEST(Logit, SeparableRowsHaveNoFiniteCoefficientButTests) {
  const LogitResult result = fitted("x,y\n1,0\n2,0\n3,0\n4,1\n5,1\n6,1\n7,1\n");
  EXPECT_EQ(result.separation.certificate.claim, Claim::kSeparable);
  EXPECT_EQ(result.separated, 7);
  EXPECT_EQ(result.log_likelihood, 0);
  const LogitCoefficient& slope = result.coefficients[1];
  EXPECT_EQ(slope.status, CoefficientStatus::kPlusInfinity);
  EXPECT_EQ(result.coefficients[0].status, CoefficientStatus::kMinusInfinity);
  const double null = 3 * std::log(3.0 / 7) + 4 * std::log(4.0 / 7);
  EXPECT_NEAR(slope.chi_square, -2 * null, 1e-9);
  EXPECT_GT(slope.low, 0);
  EXPECT_TRUE(std::isinf(slope.high));
  EXPECT_TRUE(std::isnan(slope.standard_error));
}

TEST(Logit, SaysWhichColumnsAreAliasedAndGoesOnWithoutThem) {
  std::string csv = "a,b,c,k,y\n", plain = "a,b,y\n";
  for (std::uint64_t i = 0; i < 60; ++i) {
    Random random(3, i);
    const int a = static_cast<int>(random.below(90)), b = static_cast<int>(random.below(90));
    const int y = random.below(2) == 0 ? 1 : 0;
    csv += fmt::format("{}.{},{},{}.{},7,{}\n", a, 3, b, a + 2 * b, 3, y);
    plain += fmt::format("{}.{},{},{}\n", a, 3, b, y);
  }
  const LogitResult result = fitted(csv), without = fitted(plain);
  ASSERT_EQ(result.aliases.size(), 2U);
  EXPECT_EQ(result.aliases[0].column, 2U);
  EXPECT_EQ(result.aliases[0].of, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(result.aliases[1].column, 3U);
  EXPECT_TRUE(result.aliases[0].proven && result.aliases[1].proven);
  EXPECT_EQ(result.coefficients[3].status, CoefficientStatus::kAliased);
  EXPECT_TRUE(std::isnan(result.coefficients[3].estimate));
  EXPECT_EQ(result.degrees, 3);
  for (const std::size_t k : {0, 1, 2}) {
    EXPECT_NEAR(result.coefficients[k].estimate, without.coefficients[k].estimate, 1e-11);
    EXPECT_NEAR(result.coefficients[k].low, without.coefficients[k].low, 1e-9);
  }
}

TEST(Logit, AColumnThatIsNearlyAliasedIsntProvenToBe) {
  std::string csv = "a,c,y\n";
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t a = Random(3, i).below(90);
    csv += fmt::format("{},{}{},{}\n", a, a, i == 11 ? ".000000001" : "", Random(4, i).below(2));
  }
  const LogitResult result = fitted(csv);
  ASSERT_EQ(result.aliases.size(), 1U);
  EXPECT_EQ(result.aliases[0].column, 1U);
  EXPECT_FALSE(result.aliases[0].proven);
}

TEST(Logit, WeightsCountAsRepeatedRowsAndZeroAsNone) {
  ReadOptions reading = exact_reading();
  reading.weight = "w";
  reading.label = "y";
  const std::string weighted = "x,w,y\n0,30,0\n0,12,1\n1,9,0\n1,25,1\n5,0,1\n-9,0,0\n";
  for (const Method method : {Method::kMaximumLikelihood, Method::kFirth}) {
    LogitOptions options;
    options.method = method;
    const LogitResult found = fitted(weighted, options, reading);
    const LogitResult wanted = fitted(counts_csv(30, 12, 9, 25), options);
    EXPECT_EQ(found.weightless, 2);
    EXPECT_EQ(found.observations, 76);
    for (const std::size_t k : {0, 1}) {
      EXPECT_NEAR(found.coefficients[k].estimate, wanted.coefficients[k].estimate, 1e-9);
      EXPECT_NEAR(found.coefficients[k].standard_error, wanted.coefficients[k].standard_error, 1e-9);
      EXPECT_NEAR(found.coefficients[k].high, wanted.coefficients[k].high, 1e-7);
      EXPECT_NEAR(found.coefficients[k].chi_square, wanted.coefficients[k].chi_square, 1e-8);
    }
  }
}

/// With an offset of 2·x the coefficient of x is 2 less.
TEST(Logit, AnOffsetIsAColumnWithACoefficientOfOne) {
  std::string csv = "o,x,y\n", plain = "x,y\n";
  for (std::uint64_t i = 0; i < 50; ++i) {
    Random random(5, i);
    const int x = static_cast<int>(random.below(9)), y = random.below(3) == 0 ? 1 : 0;
    csv += fmt::format("{},{},{}\n", 2 * x, x, y);
    plain += fmt::format("{},{}\n", x, y);
  }
  for (const Method method : {Method::kMaximumLikelihood, Method::kFirth, Method::kFlac}) {
    LogitOptions options, without;
    options.method = without.method = method;
    options.offset = 0;
    const LogitResult found = fitted(csv, options), wanted = fitted(plain, without);
    ASSERT_EQ(found.coefficients.size(), 2U);
    EXPECT_NEAR(found.coefficients[0].estimate, wanted.coefficients[0].estimate, 1e-11);
    EXPECT_NEAR(found.coefficients[1].estimate, wanted.coefficients[1].estimate - 2, 1e-11);
    EXPECT_NEAR(found.coefficients[1].high, wanted.coefficients[1].high - 2, 1e-8);
    if (method == Method::kFlac) continue;  // has no likelihood of its own
    EXPECT_NEAR(found.log_likelihood, wanted.log_likelihood, 1e-11);
  }
}

/// Rows with weights and an offset, and their likelihood by its definition, row after row, with the C library's
/// functions. There is no intercept.
struct DrawnRows {
  std::size_t columns;
  std::vector<double> x, sign, weight, offset;
  std::string csv = "o,w";

  DrawnRows(std::size_t rows, std::size_t some_columns, bool weighted) : columns(some_columns) {
    Random random(7, columns);
    for (std::size_t j = 0; j < columns; ++j) csv += fmt::format(",x{}", j);
    csv += ",y\n";
    for (std::size_t i = 0; i < rows; ++i) {
      offset.push_back(0.3 * random.normal());
      weight.push_back(weighted ? static_cast<double>(random.below(4)) : 1);
      sign.push_back(random.below(2) == 0 ? -1 : 1);
      csv += fmt::format("{},{}", offset.back(), weight.back());
      for (std::size_t j = 0; j < columns; ++j) {
        x.push_back(random.normal());
        csv += fmt::format(",{}", x.back());
      }
      csv += sign.back() > 0 ? ",1\n" : ",0\n";
    }
  }
};

/// A likelihood of such rows. Coordinates 0 and 1 are those of the intercept and the offset.
class DrawnLikelihood {
 public:
  explicit DrawnLikelihood(const DrawnRows& rows) : rows_(rows), source_(loaded(rows.csv)) {}

  LogitPoint point(std::uint64_t seed) const {
    Random random(9, seed);
    LogitPoint point;
    point.at.beta.assign(rows_.columns + 2, 0);
    for (std::size_t j = 0; j < rows_.columns; ++j) point.at.beta[j + 2] = random.normal();
    return point;
  }
  void evaluate(LogitPoint& point) {
    LogitPoint* const at = &point;
    likelihood.evaluate(std::span(&at, 1));
  }
  double value(std::size_t i, std::size_t j) const { return rows_.x[i * rows_.columns + j] * likelihood.scale(j + 2); }
  double score(std::size_t i, const LogitPoint& point) const {
    double score = rows_.offset[i];
    for (std::size_t j = 0; j < rows_.columns; ++j) score += point.at.beta[j + 2] * value(i, j);
    return score;
  }

 private:
  static std::unique_ptr<Source> loaded(const std::string& csv) {
    const TempFile file(csv);
    ReadOptions reading = exact_reading();
    reading.weight = "w";
    reading.label = "y";
    return load(file.path(), reading);
  }

  const DrawnRows& rows_;
  const std::unique_ptr<Source> source_;
  const Observer nobody_;
  decltype(solo()) alone_ = solo();
  LogitRun run_{{}, *alone_, nobody_};

 public:
  Likelihood likelihood{*source_, {.intercept = false, .offset = 0}, run_};
};

TEST(Likelihood, IsThatOfTheDefinition) {
  for (const bool weighted : {false, true}) {
    for (const std::size_t columns : {1U, 3U, 17U}) {
      const DrawnRows rows(346, columns, weighted);
      DrawnLikelihood drawn(rows);
      for (const std::size_t count : {1U, 3U, 4U, 21U}) {
        std::vector<LogitPoint> points;
        std::vector<LogitPoint*> each;
        for (std::size_t k = 0; k < count; ++k) {
          points.push_back(drawn.point(k));
          points.back().at.matrix = k % 2 == 0 ? LogisticPoint::Matrix::kInformation : LogisticPoint::Matrix::kScores;
        }
        for (LogitPoint& point : points) each.push_back(&point);
        drawn.likelihood.evaluate(each);
        for (LogitPoint& point : points) {
          double value = 0;
          std::vector<double> gradient(columns, 0), matrix(columns * columns, 0);
          for (std::size_t i = 0; i < rows.sign.size(); ++i) {
            const double z = drawn.score(i, point), w = rows.weight[i];
            const double p = 1 / (1 + std::exp(-z)), wrong = (rows.sign[i] > 0 ? 1 : 0) - p;
            value -= w * std::log1p(std::exp(-rows.sign[i] * z));
            const bool scores = point.at.matrix == LogisticPoint::Matrix::kScores;
            const double factor = w * (scores ? wrong * wrong : p * (1 - p));
            for (std::size_t j = 0; j < columns; ++j) {
              gradient[j] += w * wrong * drawn.value(i, j);
              for (std::size_t l = j; l < columns; ++l) {
                matrix[j * columns + l] += factor * drawn.value(i, j) * drawn.value(i, l);
              }
            }
          }
          EXPECT_NEAR(point.value, value, 1e-11 * std::abs(value));
          EXPECT_EQ(point.gradient[1], 0);
          for (std::size_t j = 0; j < columns; ++j) {
            EXPECT_NEAR(point.gradient[j + 2], gradient[j], 1e-10);
            EXPECT_EQ(point.matrix.at(1, j + 2), 0);
            for (std::size_t l = j; l < columns; ++l) {
              EXPECT_NEAR(point.matrix.at(j + 2, l + 2), matrix[j * columns + l], 1e-10);
            }
          }
        }
      }
    }
  }
}

TEST(Likelihood, LeveragesGiveTheSlopeOfHalfTheLogDeterminant) {
  const DrawnRows rows(300, 4, true);
  DrawnLikelihood drawn(rows);
  const auto factor_at = [&](const std::vector<double>& beta) {
    LogitPoint point;
    point.at.beta = beta;
    point.at.matrix = LogisticPoint::Matrix::kInformation;
    drawn.evaluate(point);
    return restricted_factor(point.matrix, drawn.likelihood.active(), 1);
  };
  const auto half_log_determinant = [&](const std::vector<double>& beta) {
    SymmetricMatrix factor = factor_at(beta);
    double sum = 0;
    for (std::size_t c = 2; c < beta.size(); ++c) sum += std::log(factor.at(c, c));
    return sum;
  };
  LogitPoint point = drawn.point(0);
  const SymmetricMatrix factor = factor_at(point.at.beta);
  point.at.leverage = &factor;
  drawn.evaluate(point);
  for (std::size_t c = 2; c < point.at.beta.size(); ++c) {
    constexpr double kStep = 1e-5;
    std::vector<double> up = point.at.beta, down = up;
    up[c] += kStep;
    down[c] -= kStep;
    EXPECT_NEAR(point.gradient[c], (half_log_determinant(up) - half_log_determinant(down)) / (2 * kStep), 1e-7);
  }
}

TEST(Likelihood, AugmentedInformationCountsRowsByTheirLeverages) {
  const DrawnRows rows(300, 3, true);
  DrawnLikelihood drawn(rows);
  LogitPoint point = drawn.point(0);
  point.at.matrix = LogisticPoint::Matrix::kInformation;
  drawn.evaluate(point);
  const SymmetricMatrix factor = restricted_factor(point.matrix, drawn.likelihood.active(), 1);
  point.at.leverage = &factor;
  point.at.matrix = LogisticPoint::Matrix::kAugmented;
  drawn.evaluate(point);
  std::vector<double> wanted(9, 0);
  for (std::size_t i = 0; i < rows.sign.size(); ++i) {
    std::vector<double> x(5, 0);
    for (std::size_t j = 0; j < 3; ++j) x[j + 2] = drawn.value(i, j);
    std::vector<double> solved = x;
    factor.solve(solved);
    const double p = 1 / (1 + std::exp(-drawn.score(i, point))), curvature = p * (1 - p);
    const double leverage = curvature * product(x, solved);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t l = j; l < 3; ++l) {
        wanted[3 * j + l] += rows.weight[i] * curvature * (1 + leverage) * x[j + 2] * x[l + 2];
      }
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t l = j; l < 3; ++l) EXPECT_NEAR(point.matrix.at(j + 2, l + 2), wanted[3 * j + l], 1e-10);
  }
}

std::string drawn_csv(std::uint64_t seed, int rows) {
  std::string csv = "a,b,c,y\n";
  for (int i = 0; i < rows; ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    const double a = random.normal(), b = random.normal() + 1000;
    const int c = random.below(4) == 0 ? 1 : 0;
    const double z = 0.7 * a - 0.4 * (b - 1000) + 0.9 * c - 0.3;
    csv += fmt::format("{:.3f},{:.3f},{},{}\n", a, b, c, random.uniform() < 1 / (1 + std::exp(-z)) ? 1 : 0);
  }
  return csv;
}

void expect_same_bits(const LogitResult& a, const LogitResult& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  ASSERT_EQ(a.coefficients.size(), b.coefficients.size());
  EXPECT_EQ(a.log_likelihood, b.log_likelihood);
  for (std::size_t k = 0; k < a.coefficients.size(); ++k) {
    const LogitCoefficient &x = a.coefficients[k], &y = b.coefficients[k];
    EXPECT_TRUE(same(x.estimate, y.estimate) && same(x.standard_error, y.standard_error) && same(x.low, y.low) &&
                same(x.high, y.high) && same(x.chi_square, y.chi_square) && same(x.error, y.error))
        << k;
  }
}

TEST(Logit, GivesTheSameBitsOnAnyThreadsAndWorkers) {
  for (const Method method : {Method::kMaximumLikelihood, Method::kFirth}) {
    const TempFile file(drawn_csv(1, 1500));
    const std::vector<std::string> paths{file.path()};
    LogitOptions options;
    options.method = method;
    options.threads = 1;
    const auto alone = load(paths, exact_reading(), *solo());
    const LogitResult wanted = logit(*alone, options);
    options.threads = 3;
    expect_same_bits(logit(*alone, options), wanted);
    for (const int workers : {2, 3, 8}) {
      run_threads(workers, [&](Comm& comm) {
        const auto shard = load(paths, exact_reading(), comm);
        expect_same_bits(logit(*shard, options, comm), wanted);
      });
    }
  }
}

TEST(Logit, WorkersAgreeUnderSeparationToo) {
  std::string csv = "n,x,y\n";
  for (std::uint64_t i = 0; i < 400; ++i) {
    Random random(9, i);
    const bool n = random.below(5) == 0;
    csv += fmt::format("{},{},{}\n", n ? 1 : 0, random.below(100), n || random.below(2) == 0 ? 1 : 0);
  }
  const TempFile file(csv);
  const std::vector<std::string> paths{file.path()};
  const auto alone = load(paths, exact_reading(), *solo());
  const LogitResult wanted = logit(*alone);
  EXPECT_EQ(wanted.coefficients[1].status, CoefficientStatus::kPlusInfinity);
  run_threads(3, [&](Comm& comm) {
    const auto shard = load(paths, exact_reading(), comm);
    expect_same_bits(logit(*shard, {}, comm), wanted);
  });
}

TEST(Logit, FirthOfATwoByTwoTableAddsHalfToEveryCell) {
  LogitOptions options;
  options.method = Method::kFirth;
  const LogitResult result = fitted(counts_csv(14, 9, 0, 11), options);
  EXPECT_NEAR(result.coefficients[0].estimate, std::log(9.5 / 14.5), 1e-9);
  EXPECT_NEAR(result.coefficients[1].estimate, std::log(11.5 / 0.5) - std::log(9.5 / 14.5), 1e-9);
}

TEST(Logit, FlicAndFlacHaveTheMeanProbabilityOfTheRows) {
  for (const Method method : {Method::kFlic, Method::kFlac}) {
    LogitOptions options;
    options.method = method;
    const LogitResult result = fitted(counts_csv(30, 4, 9, 1), options);
    const auto p = [](double z) { return 1 / (1 + std::exp(-z)); };
    const double a = result.coefficients[0].estimate, b = result.coefficients[1].estimate;
    EXPECT_NEAR(34 * p(a) + 10 * p(a + b), 5, 1e-8);
  }
}

TEST(Logit, JointTestsOfOneColumnAreItsLikelihoodRatio) {
  const TempFile file(drawn_csv(4, 200));
  const auto source = load(file.path(), exact_reading());
  for (const Method method : {Method::kMaximumLikelihood, Method::kFirth}) {
    LogitOptions options;
    options.method = method;
    options.terms = {{"a", {0}}, {"b and c", {1, 2}}};
    const LogitResult result = logit(*source, options);
    ASSERT_EQ(result.terms.size(), 2U);
    EXPECT_NEAR(result.terms[0].chi_square, result.coefficients[1].chi_square, 1e-8);
    EXPECT_EQ(result.terms[1].degrees, 2);
    EXPECT_GT(result.terms[1].chi_square, result.coefficients[2].chi_square - 1e-9);
  }
}

LogitOptions by_clusters(std::vector<std::uint32_t> cluster) {
  LogitOptions options;
  options.profile = false;
  options.errors = LogitOptions::Errors::kClustered;
  options.cluster = std::move(cluster);
  return options;
}

TEST(Logit, AClusterForEachRowIsRobust) {
  const std::string csv = drawn_csv(5, 300);
  LogitOptions robust;
  robust.profile = false;
  robust.errors = LogitOptions::Errors::kRobust;
  robust.terms = {{"b and c", {1, 2}}};
  std::vector<std::uint32_t> cluster;
  for (std::uint32_t i = 0; i < 300; ++i) cluster.push_back(299 - i);
  LogitOptions clustered = by_clusters(cluster);
  clustered.terms = robust.terms;
  const LogitResult wanted = fitted(csv, robust), found = fitted(csv, clustered);
  EXPECT_EQ(found.clusters, 300);
  for (std::size_t k = 0; k < found.coefficients.size(); ++k) {
    EXPECT_NEAR(found.coefficients[k].standard_error / wanted.coefficients[k].standard_error, 1, 1e-9);
  }
  EXPECT_TRUE(found.terms[0].wald && found.overall.wald);
  EXPECT_NEAR(found.terms[0].chi_square / wanted.terms[0].chi_square, 1, 1e-8);
  EXPECT_GT(found.overall.chi_square, found.terms[0].chi_square);
}

TEST(Logit, RowsThatAreThereTwiceCountOnceInAClusterOfTheirOwn) {
  const std::string once = drawn_csv(6, 200), head = once.substr(0, once.find('\n') + 1);
  const std::string twice = once + once.substr(head.size());
  std::vector<std::uint32_t> cluster;
  for (std::uint32_t i = 0; i < 400; ++i) cluster.push_back(i % 200);
  LogitOptions robust;
  robust.profile = false;
  robust.errors = LogitOptions::Errors::kRobust;
  const LogitResult wanted = fitted(once, robust), found = fitted(twice, by_clusters(cluster));
  const double factors = (200.0 / 199 * 399 / 396) / (200.0 / 196);
  for (std::size_t k = 0; k < found.coefficients.size(); ++k) {
    const double error = wanted.coefficients[k].standard_error;
    EXPECT_NEAR(found.coefficients[k].standard_error / (error * std::sqrt(factors)), 1, 1e-9);
  }
}

TEST(Logit, ClustersGiveTheSameBitsOnAnyThreadsAndWorkers) {
  const TempFile file(drawn_csv(7, 1500));
  const std::vector<std::string> paths{file.path()};
  std::vector<std::uint32_t> cluster;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const std::uint64_t number = Random(3, i).below(40);
    cluster.push_back(number == 7 ? LogitOptions::kNoCluster : static_cast<std::uint32_t>(number));
  }
  LogitOptions options = by_clusters(cluster);
  options.threads = 1;
  const auto alone = load(paths, exact_reading(), *solo());
  const LogitResult wanted = logit(*alone, options);
  EXPECT_EQ(wanted.clusters, 39);
  EXPECT_EQ(wanted.incomplete, std::ranges::count(cluster, LogitOptions::kNoCluster));
  EXPECT_EQ(wanted.rows, 1500 - wanted.incomplete);
  options.threads = 3;
  expect_same_bits(logit(*alone, options), wanted);
  for (const int workers : {2, 5}) {
    run_threads(workers, [&](Comm& comm) {
      const auto shard = load(paths, exact_reading(), comm);
      const RowsOfAll all(*shard, comm);
      LogitOptions mine = options;
      mine.cluster.assign(cluster.begin() + all.first_row(), cluster.begin() + all.end_row());
      expect_same_bits(logit(*shard, mine, comm), wanted);
    });
  }
}

TEST(ClusterScores, DontDependOnHowManyFitInMemory) {
  const TempFile file(drawn_csv(8, 600));
  const auto source = load(file.path(), exact_reading());
  const Observer nobody;
  const auto alone = solo();
  LogitRun run{{}, *alone, nobody};
  Likelihood likelihood(*source, {}, run);
  std::vector<std::uint32_t> cluster;
  for (std::uint64_t i = 0; i < 600; ++i) cluster.push_back(static_cast<std::uint32_t>(3 * Random(4, i).below(20)));
  const std::vector<double> beta = {0.1, -0.2, 0.3, 0.4};
  const ClusterScores at_once = cluster_scores(likelihood, beta, cluster);
  const ClusterScores one_by_one = cluster_scores(likelihood, beta, cluster, 1);
  EXPECT_EQ(at_once.clusters, 20);
  EXPECT_EQ(one_by_one.clusters, 20);
  EXPECT_EQ(at_once.matrix.entries(), one_by_one.matrix.entries());
}

TEST(Logit, RefusesOneClusterAndRowsWithoutOne) {
  const std::string csv = drawn_csv(5, 50);
  EXPECT_THROW(fitted(csv, by_clusters(std::vector<std::uint32_t>(50, 3))), Error);
  EXPECT_THROW(fitted(csv, by_clusters({1, 2})), Error);
  LogitOptions firth = by_clusters(std::vector<std::uint32_t>(50, 3));
  firth.method = Method::kFirth;
  EXPECT_THROW(fitted(csv, firth), Error);
}

TEST(Logit, RefusesOneClassAndRowsWithoutWeight) {
  EXPECT_THROW(fitted("x,y\n1,1\n2,1\n"), Error);
  ReadOptions reading = exact_reading();
  reading.weight = "w";
  reading.label = "y";
  EXPECT_THROW(fitted("x,w,y\n1,0,1\n2,0,0\n", {}, reading), Error);
}

TEST(SelectRows, NumbersRowsAndColumnsAnew) {
  const TempFile file("a,b,c,y\n1,2,3,0\n4,5,6,1\n7,8,9,0\n");
  const auto source = load(file.path(), exact_reading());
  const auto some = select_rows(*source, {{1, 0, 1}, {1}}, *solo());
  EXPECT_EQ(some->shape().rows, 2);
  EXPECT_EQ(some->shape().features, 2U);
  EXPECT_EQ(some->schema().feature_names, (std::vector<std::string>{"a", "c"}));
  some->rewind(0);
  const auto batch = some->next();
  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->rows, 2);
  EXPECT_EQ(batch->number_of(1), 1);
  EXPECT_EQ(std::vector<double>(batch->value64.begin(), batch->value64.end()), (std::vector<double>{1, 3, 7, 9}));
  const std::vector<std::int64_t> last = {1};
  const auto written = some->written(last);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].row, 1);
  ASSERT_EQ(written[0].values.size(), 2U);
  EXPECT_EQ(written[0].values[1].column, 1U);
  EXPECT_EQ(written[0].values[1].decimal, "9");
}

}  // namespace
}  // namespace linsep
