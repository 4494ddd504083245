// Kernels: dot, axpy and norms over rows. Every version gives the same bits as the scalar oracle on every CPU.
//
// That is had by fixing the order of additions: product k goes to partial sum k mod 8, and the eight partial sums are
// added as ((0+4)+(2+6))+((1+5)+(3+7)). Products are rounded before they are added (no fused multiply-add).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "linsep/batch.h"

namespace linsep {

/// θ·x. REQUIRES: every column of the row is below w's size.
double dot(const SparseRow<float>& x, const double* w);
double dot(const SparseRow<double>& x, const double* w);
double dot(const DenseRow<float>& x, const double* w);
double dot(const DenseRow<double>& x, const double* w);

/// w += a·x.
void axpy(double a, const SparseRow<float>& x, double* w);
void axpy(double a, const SparseRow<double>& x, double* w);
void axpy(double a, const DenseRow<float>& x, double* w);
void axpy(double a, const DenseRow<double>& x, double* w);

/// x·x.
double squared_norm(const SparseRow<float>& x);
double squared_norm(const SparseRow<double>& x);
double squared_norm(const DenseRow<float>& x);
double squared_norm(const DenseRow<double>& x);

/// The version in use: "scalar", or a Highway target such as "AVX2" or "AVX3".
std::string_view kernel_version();
/// Every version that this CPU can run: "scalar", then the best, then the others.
std::vector<std::string_view> kernel_versions();
/// Chooses a version by name. Returns false, and changes nothing, when this CPU can't run it. Not thread safe.
bool use_kernel_version(std::string_view name);

}  // namespace linsep
