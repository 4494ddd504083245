#include "certify/sparse/squared_hinge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr int kMostSteps = 100;
constexpr int kHalvings = 60;  ///< of a line search
constexpr double kResidual = 1e-12;

using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) { return dot(DenseRow<double>{a.data(), a.size()}, b.data()); }

SparseRow<double> row_of(const UnitRows& rows, std::size_t i) {
  return {rows.column.data() + rows.begin[i], rows.value.data() + rows.begin[i], rows.begin[i + 1] - rows.begin[i]};
}

class HingeNewton {
 public:
  HingeNewton(const UnitRows& rows, int most_conjugate, const std::function<bool()>& stop)
      : rows_(rows),
        stop_(stop),
        patience_(most_conjugate),
        margin_(rows.size(), 0.0),
        along_(rows.size(), 0.0),
        step_(rows.columns) {}

  LeastHinge run() {
    LeastHinge result;
    const int patience = patience_;
    for (int k = 0; k < kMostSteps && patience_ > 0 && result.end == LeastHinge::End::kStalled; ++k) {
      result.end = advance();
    }
    result.conjugate = patience - patience_;
    result.slack.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) result.slack[i] = slack(i, 0);
    return result;
  }

 private:
  double slack(std::size_t i, double length) const { return std::max(0.0, 1 - margin_[i] - length * along_[i]); }

  // One Newton step; kStalled: another one is wanted.
  LeastHinge::End advance() {
    if (std::all_of(margin_.begin(), margin_.end(), [](double m) { return m > 0; })) return LeastHinge::End::kSeparated;
    Vector downhill(rows_.columns, 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double s = slack(i, 0);
      if (s == 0) continue;
      sum += s;
      axpy(s, row_of(rows_, i), downhill.data());
    }
    if (std::sqrt(inner(downhill, downhill)) <= kResidual * sum) return LeastHinge::End::kMinimum;
    if (!solve(downhill)) return LeastHinge::End::kStopped;
    for (std::size_t i = 0; i < rows_.size(); ++i) along_[i] = dot(row_of(rows_, i), step_.data());
    const double length = best_length();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      margin_[i] += length * along_[i];
      along_[i] = 0;
    }
    return LeastHinge::End::kStalled;
  }

  // step_ with Σ over rows with slack of u(u·step) = right, nearly. False: `stop` said so.
  bool solve(const Vector& right) {
    Vector diagonal(rows_.columns, 0.0);
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (slack(i, 0) == 0) continue;
      active.push_back(i);
      for (std::size_t k = rows_.begin[i]; k < rows_.begin[i + 1]; ++k) {
        diagonal[rows_.column[k]] += rows_.value[k] * rows_.value[k];
      }
    }
    const auto precondition = [&](const Vector& v) {
      Vector result(v.size());
      for (std::size_t j = 0; j < v.size(); ++j) result[j] = diagonal[j] > 0 ? v[j] / diagonal[j] : 0;
      return result;
    };
    std::fill(step_.begin(), step_.end(), 0.0);
    Vector rest = right, bent = precondition(rest), direction = bent, image(rows_.columns);
    double product = inner(rest, bent);
    const double wanted = product * 1e-12;
    for (; patience_ > 0 && product > wanted; --patience_) {
      if (stop_ && stop_()) return false;
      std::fill(image.begin(), image.end(), 0.0);
      for (const std::size_t i : active) axpy(dot(row_of(rows_, i), direction.data()), row_of(rows_, i), image.data());
      const double curvature = inner(direction, image);
      if (!(curvature > 0)) break;
      const double length = product / curvature;
      for (std::size_t j = 0; j < step_.size(); ++j) {
        step_[j] += length * direction[j];
        rest[j] -= length * image[j];
      }
      bent = precondition(rest);
      const double before = product;
      product = inner(rest, bent);
      for (std::size_t j = 0; j < step_.size(); ++j) direction[j] = bent[j] + product / before * direction[j];
    }
    return true;
  }

  // The slope of ½Σ s_i² along the step grows with the length: the root by halving, 1 where it is as good as that.
  double best_length() const {
    const auto slope = [&](double length) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) sum -= slack(i, length) * along_[i];
      return sum;
    };
    if (std::all_of(margin_.begin(), margin_.end(), [&, i = std::size_t{0}](double) mutable {
          const bool same = (slack(i, 0) > 0) == (slack(i, 1) > 0);
          ++i;
          return same;
        })) {
      return 1;
    }
    double low = 0, high = 1;
    while (slope(high) < 0 && high < 1e6) {
      low = high;
      high *= 2;
    }
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return high;
  }

  const UnitRows& rows_;
  const std::function<bool()>& stop_;
  int patience_;
  Vector margin_;  ///< u_i·w
  Vector along_;   ///< u_i·step
  Vector step_;
};

}  // namespace

LeastHinge least_squared_hinge(const UnitRows& rows, int most_conjugate, const std::function<bool()>& stop) {
  return HingeNewton(rows, most_conjugate, stop).run();
}

}  // namespace linsep
