#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/scatter.h"

namespace linsep {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The matrix with its columns scaled to unit diagonal; constant (or zero) features are left out.
struct Scaled {
  std::vector<std::size_t> feature;  ///< which features are in
  VectorXd scale;                    ///< square roots of the diagonal
  MatrixXd matrix;                   ///< lower triangle
  double noise = 0;                  ///< eigenvalues up to this may be rounding error
};

Scaled scaled_matrix(const Scatter& scatter, const std::vector<double>& mu, double total, double ridge,
                     std::int64_t rows) {
  const std::size_t d = scatter.features();
  const double rounding =
      std::numeric_limits<double>::epsilon() *
      (10 * static_cast<double>(d) + std::sqrt(static_cast<double>(std::max<std::int64_t>(rows, 0))));
  const auto entry = [&](std::size_t i, std::size_t j) {
    return mu.empty() ? scatter.at(i, j) : scatter.at(i, j) - total * mu[i] * mu[j];
  };
  Scaled scaled;
  double lost = 1;  // how much larger the entries were before the means were taken off
  for (std::size_t j = 0; j < d; ++j) {
    const double before = scatter.at(j, j) + ridge;
    const double after = entry(j, j) + ridge;
    if (!(after > rounding * before)) continue;
    scaled.feature.push_back(j);
    lost = std::max(lost, before / after);
  }
  scaled.noise = rounding * lost;
  const auto size = static_cast<Index>(scaled.feature.size());
  scaled.scale.resize(size);
  scaled.matrix.resize(size, size);
  for (Index i = 0; i < size; ++i) {
    const std::size_t f = scaled.feature[static_cast<std::size_t>(i)];
    scaled.scale[i] = std::sqrt(entry(f, f) + ridge);
  }
  for (Index j = 0; j < size; ++j) {
    scaled.matrix(j, j) = 1;
    for (Index i = j + 1; i < size; ++i) {
      scaled.matrix(i, j) =
          entry(scaled.feature[static_cast<std::size_t>(i)], scaled.feature[static_cast<std::size_t>(j)]) /
          scaled.scale[i] / scaled.scale[j];
    }
  }
  return scaled;
}

/// The solution of least norm, in the features' own units.
VectorXd least_norm(const Scaled& scaled, const VectorXd& b) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled.matrix);
  const VectorXd& value = eigen.eigenvalues();  // ascending
  const Index size = value.size();
  Index null = 0;
  while (null < size && value[null] <= scaled.noise) ++null;
  const auto range = eigen.eigenvectors().rightCols(size - null);
  VectorXd part = range.transpose() * b.cwiseQuotient(scaled.scale);
  part = part.cwiseQuotient(value.tail(size - null));
  VectorXd theta = (range * part).cwiseQuotient(scaled.scale);
  if (null > 0) {
    const MatrixXd directions = scaled.scale.cwiseInverse().asDiagonal() * eigen.eigenvectors().leftCols(null);
    const Eigen::HouseholderQR<MatrixXd> qr(directions);
    VectorXd inside = qr.householderQ().adjoint() * theta;
    inside.tail(size - null).setZero();
    theta -= qr.householderQ() * inside;
  }
  return theta;
}

}  // namespace

std::vector<double> solve_scatter(const Scatter& scatter, const std::vector<double>& mu, double total, double ridge,
                                  const std::vector<double>& b, std::int64_t rows) {
  const Scaled scaled = scaled_matrix(scatter, mu, total, ridge, rows);
  const Index size = scaled.scale.size();
  VectorXd right(size);
  for (Index i = 0; i < size; ++i) right[i] = b[scaled.feature[static_cast<std::size_t>(i)]];
  VectorXd solution(size);
  if (size > 0) {
    const Eigen::LLT<MatrixXd> cholesky(scaled.matrix);
    if (cholesky.info() == Eigen::Success && cholesky.rcond() > scaled.noise) {
      solution = cholesky.solve(right.cwiseQuotient(scaled.scale)).cwiseQuotient(scaled.scale);
    } else {
      solution = least_norm(scaled, right);
    }
  }
  std::vector<double> theta(scatter.features());
  for (Index i = 0; i < size; ++i) theta[scaled.feature[static_cast<std::size_t>(i)]] = solution[i];
  return theta;
}

}  // namespace linsep
