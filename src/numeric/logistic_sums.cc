#include "numeric/logistic_sums.h"

#include <algorithm>
#include <cmath>

#include "core/elementary.h"
#include "kernel/kernel.h"
#include "kernel/margin_kernels.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

/// With fewer points the kernel for many would mostly multiply zeros.
constexpr std::size_t kManyPoints = 4;

std::size_t whole_tiles(std::size_t size) { return (size + kRankTile - 1) / kRankTile * kRankTile; }

}  // namespace

void LogisticPanel::resize(std::size_t size) {
  columns = size;
  stride = whole_tiles(size);
  rows = 0;
  x.assign(kRows * stride, 0);
  for (auto* by_row : {&sign, &weight, &fixed}) by_row->assign(kRows, 0);
}

void LogisticSums::begin(const std::vector<const LogisticPoint*>& points, std::size_t columns) {
  points_ = points;
  columns_ = columns;
  width_ = whole_tiles(points.size());
  first_.clear();
  std::size_t size = 0;
  for (const LogisticPoint* point : points) {
    first_.push_back(size);
    size += 1 + columns;
    if (point->matrix != LogisticPoint::Matrix::kNone) size += columns * (columns + 1) / 2;
  }
  sums_ = {};
  sums_.resize(size);
  beta_.assign(columns * width_, 0);
  for (std::size_t k = 0; k < points.size(); ++k) {
    for (std::size_t j = 0; j < columns; ++j) beta_[j * width_ + k] = points[k]->beta[j];
  }
  constexpr std::size_t kRows = LogisticPanel::kRows;
  transposed_.assign(columns * kRows, 0);
  score_.assign(kRows * width_, 0);
  second_.assign(kRows * width_, 0);
  gradient_.assign(columns * width_, 0);
  leverage_.assign(kRows, 0);
  linear_.assign(points.size(), 0);
  product_.assign(points.size(), 1);
  block_.resize(columns);
  scaled_.assign(kRows * whole_tiles(columns), 0);
}

void LogisticSums::add(const LogisticPanel& panel) {
  scores_of(panel);
  add_values(panel);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k]->leverage != nullptr) weigh_leverages(panel, k);
  }
  add_gradients(panel);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k]->matrix != LogisticPoint::Matrix::kNone) add_matrix(panel, k);
  }
}

void LogisticSums::scores_of(const LogisticPanel& panel) {
  constexpr std::size_t kRows = LogisticPanel::kRows;
  for (std::size_t i = 0; i < panel.rows; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) transposed_[j * kRows + i] = panel.row(i)[j];
    std::fill_n(score_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_, panel.fixed[i]);
  }
  if (points_.size() >= kManyPoints) {
    add_products(transposed_.data(), kRows, beta_.data(), width_, columns_, score_.data(), width_, panel.rows,
                 points_.size());
    return;
  }
  for (std::size_t i = 0; i < panel.rows; ++i) {
    for (std::size_t k = 0; k < points_.size(); ++k) {
      score_[i * width_ + k] += dot(DenseRow<double>{panel.row(i), columns_}, points_[k]->beta.data());
    }
  }
}

/// From scores to residuals. ln P = min(m, 0) − ln(1 + e^−|m|) of the margin m. Where rows weigh 1 the second
/// logarithms of a panel are one of a product, of at most 256 factors between 1 and 2.
void LogisticSums::add_values(const LogisticPanel& panel) {
  const std::size_t count = points_.size();
  std::fill(linear_.begin(), linear_.end(), 0.0);
  std::fill(product_.begin(), product_.end(), 1.0);
  for (std::size_t i = 0; i < panel.rows; ++i) {
    const double sign = panel.sign[i], weight = panel.weight[i];
    double* score = score_.data() + i * width_;
    double* second = second_.data() + i * width_;
    for (std::size_t k = 0; k < count; ++k) {
      const double margin = sign * score[k], e = elementary::exp(-std::abs(margin)), inverse = 1 / (1 + e);
      const double wrong = margin >= 0 ? e * inverse : inverse;  // the probability of the other class
      if (weight == 1) {
        linear_[k] += std::min(margin, 0.0);
        product_[k] *= 1 + e;
      } else {
        linear_[k] += weight * (std::min(margin, 0.0) - elementary::log1p(e));
      }
      score[k] = weight * sign * wrong;
      second[k] =
          weight * (points_[k]->matrix == LogisticPoint::Matrix::kScores ? wrong * wrong : e * inverse * inverse);
    }
  }
  for (std::size_t k = 0; k < count; ++k) sums_.add(first_[k], linear_[k] - elementary::log(product_[k]));
}

/// T = U⁻ᵀ·xᵀ, column after column of x; h_i is the curvature times the squared length of T's column i. Residuals
/// become h_i·(½ − p_i): y_i − p_i is known as weight·sign·wrong, and p_i is `wrong` of a negative row.
void LogisticSums::weigh_leverages(const LogisticPanel& panel, std::size_t k) {
  constexpr std::size_t kRows = LogisticPanel::kRows;
  const SymmetricMatrix& factor = *points_[k]->leverage;
  std::vector<double>& t = scaled_;
  t.assign(transposed_.begin(), transposed_.end());
  std::fill(leverage_.begin(), leverage_.end(), 0.0);
  for (std::size_t j = 0; j < columns_; ++j) {
    const double* row = factor.entries().data() + j * factor.stride();
    double* mine = t.data() + j * kRows;
    for (std::size_t i = 0; i < panel.rows; ++i) {
      mine[i] /= row[j];
      leverage_[i] += mine[i] * mine[i];
    }
    for (std::size_t l = j + 1; l < columns_; ++l) {
      if (row[l] != 0) axpy(-row[l], DenseRow<double>{mine, panel.rows}, t.data() + l * kRows);
    }
  }
  for (std::size_t i = 0; i < panel.rows; ++i) {
    const double weight = panel.weight[i];
    double& residual = score_[i * width_ + k];
    if (weight == 0) continue;
    const double wrong = std::abs(residual) / weight;
    const double half_less_p = panel.sign[i] > 0 ? wrong - 0.5 : 0.5 - wrong;
    double& second = second_[i * width_ + k];
    residual = second * leverage_[i] * half_less_p;
    if (points_[k]->matrix == LogisticPoint::Matrix::kAugmented) second *= 1 + second / weight * leverage_[i];
  }
  scaled_.assign(kRows * whole_tiles(columns_), 0);
}

void LogisticSums::add_gradients(const LogisticPanel& panel) {
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  if (points_.size() >= kManyPoints) {
    add_products(panel.x.data(), panel.stride, score_.data(), width_, panel.rows, gradient_.data(), width_, columns_,
                 points_.size());
    for (std::size_t k = 0; k < points_.size(); ++k) {
      for (std::size_t j = 0; j < columns_; ++j) sums_.add(first_[k] + 1 + j, gradient_[j * width_ + k]);
    }
    return;
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    std::fill_n(gradient_.begin(), columns_, 0.0);
    for (std::size_t i = 0; i < panel.rows; ++i) {
      axpy(score_[i * width_ + k], DenseRow<double>{panel.row(i), columns_}, gradient_.data());
    }
    for (std::size_t j = 0; j < columns_; ++j) sums_.add(first_[k] + 1 + j, gradient_[j]);
  }
}

void LogisticSums::add_matrix(const LogisticPanel& panel, std::size_t k) {
  for (std::size_t i = 0; i < panel.rows; ++i) {
    const double root = std::sqrt(second_[i * width_ + k]);
    for (std::size_t j = 0; j < columns_; ++j) scaled_[i * panel.stride + j] = root * panel.row(i)[j];
  }
  block_.clear();
  rank_update(scaled_.data(), panel.rows, panel.stride, 1, block_.data(), block_.stride(), 0, columns_, columns_);
  std::size_t at = first_[k] + 1 + columns_;
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = i; j < columns_; ++j) sums_.add(at++, block_.at(i, j));
  }
}

void LogisticSums::synchronise(Comm& comm) { exact_all_reduce(comm, sums_); }

std::vector<double> LogisticSums::gradient(std::size_t k) const {
  std::vector<double> gradient(columns_);
  for (std::size_t j = 0; j < columns_; ++j) gradient[j] = sums_.value(first_[k] + 1 + j);
  return gradient;
}

SymmetricMatrix LogisticSums::matrix(std::size_t k) const {
  SymmetricMatrix matrix;
  matrix.resize(columns_);
  std::size_t at = first_[k] + 1 + columns_;
  for (std::size_t i = 0; i < columns_; ++i) {
    for (std::size_t j = i; j < columns_; ++j) matrix.at(i, j) = sums_.value(at++);
  }
  return matrix;
}

}  // namespace linsep
