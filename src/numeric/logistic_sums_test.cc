#include "numeric/logistic_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace linsep {
namespace {

LogisticPanel drawn_panel(std::size_t rows, std::size_t columns, std::uint64_t seed, bool weighted) {
  Random random(seed);
  LogisticPanel panel;
  panel.resize(columns);
  panel.rows = rows;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) panel.row(i)[j] = random.normal();
    panel.sign[i] = random.below(2) == 0 ? -1 : 1;
    panel.weight[i] = weighted ? static_cast<double>(random.below(4)) : 1;
    panel.fixed[i] = 0.3 * random.normal();
  }
  return panel;
}

/// The definition, row after row, with the C library's functions.
struct Plain {
  double value = 0;
  std::vector<double> gradient;
  std::vector<std::vector<double>> information, scores;

  Plain(const std::vector<LogisticPanel>& panels, const std::vector<double>& beta) {
    const std::size_t size = beta.size();
    gradient.assign(size, 0);
    information.assign(size, std::vector<double>(size, 0));
    scores = information;
    for (const LogisticPanel& panel : panels) {
      for (std::size_t i = 0; i < panel.rows; ++i) {
        double z = panel.fixed[i];
        for (std::size_t j = 0; j < size; ++j) z += beta[j] * panel.row(i)[j];
        const double p = 1 / (1 + std::exp(-z)), y = panel.sign[i] > 0 ? 1 : 0, w = panel.weight[i];
        value -= w * std::log1p(std::exp(-panel.sign[i] * z));
        for (std::size_t j = 0; j < size; ++j) {
          gradient[j] += w * (y - p) * panel.row(i)[j];
          for (std::size_t k = 0; k < size; ++k) {
            information[j][k] += w * p * (1 - p) * panel.row(i)[j] * panel.row(i)[k];
            scores[j][k] += w * (y - p) * (y - p) * panel.row(i)[j] * panel.row(i)[k];
          }
        }
      }
    }
  }
};

std::vector<LogisticPoint> drawn_points(std::size_t count, std::size_t columns, LogisticPoint::Matrix matrix) {
  Random random(7, count);
  std::vector<LogisticPoint> points(count);
  for (LogisticPoint& point : points) {
    point.matrix = matrix;
    for (std::size_t j = 0; j < columns; ++j) point.beta.push_back(random.normal());
  }
  return points;
}

LogisticSums summed(const std::vector<LogisticPanel>& panels, const std::vector<LogisticPoint>& points) {
  std::vector<const LogisticPoint*> each;
  for (const LogisticPoint& point : points) each.push_back(&point);
  LogisticSums sums;
  sums.begin(each, panels.front().columns);
  for (const LogisticPanel& panel : panels) sums.add(panel);
  return sums;
}

TEST(LogisticSums, AreThoseOfTheDefinition) {
  for (const bool weighted : {false, true}) {
    for (const std::size_t columns : {1U, 3U, 17U}) {
      const std::vector<LogisticPanel> panels = {drawn_panel(256, columns, 1, weighted),
                                                 drawn_panel(90, columns, 2, weighted)};
      for (const std::size_t count : {1U, 3U, 4U, 21U}) {
        for (const auto matrix : {LogisticPoint::Matrix::kInformation, LogisticPoint::Matrix::kScores}) {
          const auto points = drawn_points(count, columns, matrix);
          const LogisticSums sums = summed(panels, points);
          for (std::size_t k = 0; k < count; ++k) {
            const Plain plain(panels, points[k].beta);
            EXPECT_NEAR(sums.value(k), plain.value, 1e-11 * std::abs(plain.value));
            SymmetricMatrix found = sums.matrix(k);
            for (std::size_t i = 0; i < columns; ++i) {
              EXPECT_NEAR(sums.gradient(k)[i], plain.gradient[i], 1e-10);
              for (std::size_t j = i; j < columns; ++j) {
                const auto& wanted = matrix == LogisticPoint::Matrix::kScores ? plain.scores : plain.information;
                EXPECT_NEAR(found.at(i, j), wanted[i][j], 1e-10);
              }
            }
          }
        }
      }
    }
  }
}

TEST(LogisticSums, DependOnNoOrderOfPanels) {
  std::vector<LogisticPanel> panels;
  for (std::uint64_t seed = 0; seed < 9; ++seed) panels.push_back(drawn_panel(256, 5, seed, seed % 2 == 0));
  const auto points = drawn_points(6, 5, LogisticPoint::Matrix::kInformation);
  const LogisticSums forwards = summed(panels, points);
  LogisticSums halves = summed({panels.begin() + 4, panels.end()}, points);
  halves.add(summed({panels.begin(), panels.begin() + 4}, points));
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(halves.value(k), forwards.value(k));
    EXPECT_EQ(halves.gradient(k), forwards.gradient(k));
    EXPECT_EQ(halves.matrix(k).entries(), forwards.matrix(k).entries());
  }
}

TEST(LogisticSums, LeveragesGiveTheSlopeOfHalfTheLogDeterminant) {
  const std::vector<LogisticPanel> panels = {drawn_panel(200, 4, 3, true)};
  auto points = drawn_points(1, 4, LogisticPoint::Matrix::kInformation);
  const auto half_log_determinant = [&](const std::vector<double>& beta) {
    auto moved = points;
    moved[0].beta = beta;
    SymmetricMatrix factor = summed(panels, moved).matrix(0);
    EXPECT_TRUE(factor.factor(1));
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += std::log(factor.at(j, j));
    return sum;
  };
  SymmetricMatrix factor = summed(panels, points).matrix(0);
  ASSERT_TRUE(factor.factor(1));
  auto leveraged = points;
  leveraged[0].leverage = &factor;
  const std::vector<double> slope = summed(panels, leveraged).gradient(0);
  for (std::size_t j = 0; j < 4; ++j) {
    constexpr double kStep = 1e-5;
    std::vector<double> up = points[0].beta, down = up;
    up[j] += kStep;
    down[j] -= kStep;
    EXPECT_NEAR(slope[j], (half_log_determinant(up) - half_log_determinant(down)) / (2 * kStep), 1e-7);
  }
}

TEST(LogisticSums, AugmentedInformationCountsRowsByTheirLeverages) {
  const std::vector<LogisticPanel> panels = {drawn_panel(120, 3, 5, true)};
  auto points = drawn_points(1, 3, LogisticPoint::Matrix::kInformation);
  SymmetricMatrix factor = summed(panels, points).matrix(0);
  ASSERT_TRUE(factor.factor(1));
  points[0].leverage = &factor;
  points[0].matrix = LogisticPoint::Matrix::kAugmented;
  SymmetricMatrix found = summed(panels, points).matrix(0);
  SymmetricMatrix wanted;
  wanted.resize(3);
  for (std::size_t i = 0; i < panels[0].rows; ++i) {
    const double* x = panels[0].row(i);
    double z = panels[0].fixed[i], squared = 0;
    std::vector<double> solved(x, x + 3);
    factor.solve(solved);
    for (std::size_t j = 0; j < 3; ++j) {
      z += points[0].beta[j] * x[j];
      squared += x[j] * solved[j];
    }
    const double p = 1 / (1 + std::exp(-z)), curvature = p * (1 - p);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = j; k < 3; ++k) {
        wanted.at(j, k) += panels[0].weight[i] * curvature * (1 + curvature * squared) * x[j] * x[k];
      }
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = j; k < 3; ++k) EXPECT_NEAR(found.at(j, k), wanted.at(j, k), 1e-11);
  }
}

}  // namespace
}  // namespace linsep
