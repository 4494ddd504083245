// Compensated sums: nearly exact, in one pass.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/parallel.h"

namespace linsep {

/// A compensated sum (Neumaier): its error is 2⁻⁵³ of the result plus about n²·2⁻¹⁰⁶ of the sum of absolute values.
class Sum {
 public:
  void add(double x) {
    const double t = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  void add(const Sum& other) {
    add(other.sum_);
    add(other.rest_);
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

/// Σ f(i) for begin ≤ i < end, compensated. Eight sums take turns, so that none has to wait for its last addition.
template <class F>
Sum sum_between(std::size_t begin, std::size_t end, F&& f) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sum{}, rest{};
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double x = f(i + lane), t = sum[lane] + x, added = t - sum[lane];
      rest[lane] += (sum[lane] - (t - added)) + (x - added);  // what the addition lost (Knuth)
      sum[lane] = t;
    }
  }
  Sum all;
  for (; i < end; ++i) all.add(f(i));
  for (const double x : sum) all.add(x);
  for (const double x : rest) all.add(x);
  return all;
}

/// Σ f(i) for i below `count`: compensated, in blocks of fixed size, so that threads don't change it.
template <class F>
double sum_over(std::size_t count, int threads, F&& f) {
  constexpr std::size_t kBlock = 16384;
  constexpr double kTermNanoseconds = 5;
  std::vector<Sum> part((count + kBlock - 1) / kBlock);
  parallel_for(part.size(), threads, kTermNanoseconds * static_cast<double>(count), [&](std::size_t b, std::size_t) {
    part[b] = sum_between(b * kBlock, std::min(count, (b + 1) * kBlock), f);
  });
  Sum all;
  for (const Sum& sum : part) all.add(sum);
  return all.value();
}

/// Compensated.
inline double inner_product(std::span<const double> a, std::span<const double> b) {
  return sum_between(0, a.size(), [a, b](std::size_t j) { return a[j] * b[j]; }).value();
}
/// ‖v‖², compensated.
inline double squared_length(std::span<const double> v) {
  return sum_between(0, v.size(), [v](std::size_t j) { return v[j] * v[j]; }).value();
}

/// ‖v‖, also where its square is beyond the range of doubles; infinite only where it is itself. std::hypot differs
/// between C libraries.
inline double length_of(std::span<const double> v) {
  const double square = squared_length(v);
  if (square > 1e-280 && square < 1e280) return std::sqrt(square);
  double greatest = 0;
  for (const double x : v) greatest = std::max(greatest, std::fabs(x));
  if (greatest == 0 || !std::isfinite(greatest)) return greatest;
  const int exponent = std::ilogb(greatest);
  Sum sum;
  for (const double x : v) {
    const double scaled = std::ldexp(x, -exponent);
    sum.add(scaled * scaled);
  }
  return std::ldexp(std::sqrt(sum.value()), exponent);
}

}  // namespace linsep
