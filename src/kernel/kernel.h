// Kernels: dot, axpy and norms over rows. Every version gives the same bits as the scalar oracle on every CPU.
//
// The reason is a fixed order of additions: product k goes to partial sum k mod 8, and the eight partial sums are added
// as ((0+4)+(2+6))+((1+5)+(3+7)). Products are rounded before they are added (no fused multiply-add).
#pragma once

#include <cstddef>

#include "linsep/batch.h"
#include "linsep/tools/simd.h"

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

}  // namespace linsep
