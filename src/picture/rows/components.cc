#include "picture/rows/components.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "numeric/length.h"

namespace linsep {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// The rows, brought to numbers of at most 1 so that no square overflows, less their mean.
class CentredRows {
 public:
  CentredRows(std::span<const SampledRow> rows, std::uint32_t features) : rows_(rows), mean_(features) {
    double greatest = 0;
    for (const SampledRow& row : rows) {
      for (const double value : row.value) greatest = std::max(greatest, std::fabs(value));
    }
    if (greatest > 0) scale_ = 1 / greatest;
    if (!std::isfinite(scale_)) scale_ = 1;
    for (const SampledRow& row : rows) {
      values_ += row.value.size();
      for (std::size_t k = 0; k < row.column.size(); ++k) mean_[row.column[k]] += row.value[k] * scale_;
    }
    for (double& one : mean_) one /= static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t values() const { return values_; }
  /// The mean of the rows as they are.
  double middle(std::span<const double> v) const { return dot(mean_, v) / scale_; }
  double product(std::size_t i, std::span<const double> v) const {
    double sum = 0;
    const SampledRow& row = rows_[i];
    for (std::size_t k = 0; k < row.column.size(); ++k) sum += v[row.column[k]] * (row.value[k] * scale_);
    return sum;
  }
  /// Σ weight_i·(row i − mean)
  std::vector<double> sum(std::span<const double> weight) const {
    std::vector<double> result(mean_.size());
    double all = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      all += weight[i];
      for (std::size_t k = 0; k < rows_[i].column.size(); ++k) {
        result[rows_[i].column[k]] += weight[i] * (rows_[i].value[k] * scale_);
      }
    }
    for (std::size_t j = 0; j < result.size(); ++j) result[j] -= all * mean_[j];
    return result;
  }
  /// The covariance times v, but for a factor.
  std::vector<double> turned(std::span<const double> v) const {
    const double middle_here = dot(mean_, v);
    std::vector<double> weight(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) weight[i] = product(i, v) - middle_here;
    return sum(weight);
  }

 private:
  std::span<const SampledRow> rows_;
  std::vector<double> mean_;
  double scale_ = 1;
  std::size_t values_ = 0;
};

/// Makes v a unit vector across the given ones; false where nothing of it is left.
bool make_unit(std::vector<double>& v, std::span<const std::vector<double>> across) {
  const double before = length_of(v);
  for (int twice = 0; twice < 2; ++twice) {
    for (const std::vector<double>& other : across) {
      const double along = dot(v, other);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] -= along * other[j];
    }
  }
  const double length = length_of(v);
  if (!(length > 1e-12 * before) || !std::isfinite(length)) return false;
  for (double& one : v) one /= length;
  return true;
}

void fix_sign(std::vector<double>& v) {
  const auto heaviest =
      std::max_element(v.begin(), v.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  if (heaviest == v.end() || *heaviest >= 0) return;
  for (double& one : v) one = -one;
}

}  // namespace

Direction principal_component(std::span<const SampledRow> sample, std::uint32_t features,
                              std::span<const std::vector<double>> across) {
  const CentredRows rows(sample, features);
  std::vector<double> weight(rows.size());
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = Random(1, i).normal();
  std::vector<double> v = rows.sum(weight);
  if (!make_unit(v, across)) return {};
  const std::size_t most = std::clamp<std::size_t>(20'000'000 / (rows.values() + features + 1), 10, 100);
  for (std::size_t turn = 0; turn < most; ++turn) {
    std::vector<double> next = rows.turned(v);
    if (!make_unit(next, across)) return {};
    double change = 0;
    for (std::size_t j = 0; j < v.size(); ++j) change = std::max(change, std::fabs(next[j] - v[j]));
    v = std::move(next);
    if (change < 1e-7) break;
  }
  fix_sign(v);
  const double middle = rows.middle(v);
  return {std::move(v), middle};
}

}  // namespace linsep
