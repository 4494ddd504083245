#include "map/kernel_function.h"

#include <cstddef>

#include "core/elementary.h"

namespace linsep {
namespace {

/// Calls `f(a's value, b's value)` for every column that a or b has, in order. A value that one of them lacks is 0.
template <class F>
void for_each_column(const SparseRow<double>& a, const SparseRow<double>& b, F&& f) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size && j < b.size) {
    if (a.column[i] == b.column[j]) {
      f(a.value[i++], b.value[j++]);
    } else if (a.column[i] < b.column[j]) {
      f(a.value[i++], 0.0);
    } else {
      f(0.0, b.value[j++]);
    }
  }
  while (i < a.size) f(a.value[i++], 0.0);
  while (j < b.size) f(0.0, b.value[j++]);
}

double dot_product(const SparseRow<double>& a, const SparseRow<double>& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size && j < b.size;) {
    if (a.column[i] == b.column[j]) {
      sum += a.value[i++] * b.value[j++];
    } else if (a.column[i] < b.column[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return sum;
}

double squared_distance(const SparseRow<double>& a, const SparseRow<double>& b) {
  double sum = 0;
  for_each_column(a, b, [&](double x, double y) { sum += (x - y) * (x - y); });
  return sum;
}

double power(double base, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

double kernel_value(const Kernel& kernel, const SparseRow<double>& a, const SparseRow<double>& b) {
  switch (kernel.kind) {
    case Kernel::Kind::kLinear:
      return dot_product(a, b);
    case Kernel::Kind::kPolynomial:
      return power(dot_product(a, b) + kernel.constant, kernel.degree);
    case Kernel::Kind::kGaussian:
      return elementary::exp(-kernel.gamma * squared_distance(a, b));
  }
  return 0;
}

}  // namespace linsep
