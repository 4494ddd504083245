#include "numeric/scatter.h"

// Eigen's vectorized code fuses multiplication and addition on some processors only. Without it, results have the same
// bits everywhere.
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/deadline.h"
#include "kernel/kernel.h"
#include "numeric/class_sums.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

/// Dense rows that are gone through together: a row of the matrix stays in cache meanwhile.
constexpr std::int64_t kBlock = 64;

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

void Scatter::widen(std::size_t features) {
  if (features <= features_) return;
  features_ = features;
  entry_.resize(features * (features + 1) / 2);
}

void Scatter::add(const Batch& batch) {
  widen(batch.features);
  if (!batch.dense) {
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if constexpr (requires { x.column; }) {
        const double w = batch.weight_of(i);
        poll(x.size * x.size / 2);
        for (std::size_t k = 0; k < x.size; ++k) {
          auto head = x;
          head.size = k + 1;
          axpy(w * static_cast<double>(x.value[k]), head, row(x.column[k]));
        }
      }
    });
    return;
  }
  const auto add_dense = [&](const auto* value) {
    using V = std::remove_cvref_t<decltype(*value)>;
    for (std::int64_t begin = 0; begin < batch.rows; begin += kBlock) {
      const std::int64_t end = std::min(begin + kBlock, batch.rows);
      for (std::size_t j = 0; j < batch.features; ++j) {
        poll((j + 1) * static_cast<std::size_t>(end - begin));
        for (std::int64_t i = begin; i < end; ++i) {
          const V* x = value + static_cast<std::uint64_t>(i) * batch.stride;
          if (x[j] != 0) axpy(batch.weight_of(i) * static_cast<double>(x[j]), DenseRow<V>{x, j + 1}, row(j));
        }
      }
    }
  };
  if (batch.is_float) {
    add_dense(batch.value32.data());
  } else {
    add_dense(batch.value64.data());
  }
}

void Scatter::synchronise(Comm& comm) { exact_all_reduce(comm, std::span<double>(entry_)); }

void Scatter::set_entries(std::size_t features, std::vector<double> entries) {
  require_state(features <= std::size_t{1} << 31 && entries.size() == features * (features + 1) / 2);
  features_ = features;
  entry_ = std::move(entries);
}

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

void ScatterProduct::survey(const Batch& batch) {
  survey_.add(batch);
  for (std::int64_t i = 0; i < batch.rows; ++i) heaviest_ = std::max(heaviest_, batch.weight_of(i));
}

void ScatterProduct::end_survey(Comm& comm) {
  survey_.synchronise(comm);
  heaviest_ = all_reduce_max(comm, heaviest_);
}

void ScatterProduct::begin(const std::vector<double>& p, const std::vector<double>& mu, double total) {
  if (!units_) fixed_.set(survey_, total, heaviest_);
  units_ = true;
  product_.assign(p.size(), 0);
  sum_ = {};
  shift_ = mu.empty() ? 0 : dot_dense(mu, p);
  const double farthest = survey_.farthest_score(p) + std::abs(shift_);
  step_ = FixedColumns::step(std::max(farthest, 1e-200));
}

void ScatterProduct::add(const Batch& batch, const double* p) {
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const double s = batch.weight_of(i) * (dot(x, p) - shift_);
    fixed_.add(s * step_, x, product_.data());
    sum_.add(s);
  });
}

void ScatterProduct::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  comm.all_reduce(std::span(product_), Comm::Op::kSum);
  const std::array<ExactSum*, 1> sums = {&sum_};
  exact_all_reduce(comm, sums);
}

std::vector<double> ScatterProduct::value(const std::vector<double>& mu) const {
  std::vector<double> product(product_.size());
  for (std::size_t j = 0; j < product.size(); ++j) product[j] = fixed_.value(j, product_[j], step_);
  if (!mu.empty()) axpy(-sum_.value(), DenseRow<double>{mu.data(), mu.size()}, product.data());
  return product;
}

void ScatterProduct::save(ByteWriter& writer) const {
  survey_.save(writer);
  writer.number(heaviest_);
}

void ScatterProduct::load(ByteReader& reader) {
  survey_.load(reader);
  heaviest_ = reader.at_least_zero();
  units_ = false;
}

}  // namespace linsep
