// KernelTable: one version of every kernel.
#pragma once

#include "linsep/batch.h"

namespace linsep {

struct KernelTable {
  double (*dot_sparse32)(const SparseRow<float>&, const double*);
  double (*dot_sparse64)(const SparseRow<double>&, const double*);
  double (*dot_dense32)(const DenseRow<float>&, const double*);
  double (*dot_dense64)(const DenseRow<double>&, const double*);
  void (*axpy_sparse32)(double, const SparseRow<float>&, double*);
  void (*axpy_sparse64)(double, const SparseRow<double>&, double*);
  void (*axpy_dense32)(double, const DenseRow<float>&, double*);
  void (*axpy_dense64)(double, const DenseRow<double>&, double*);
  double (*squared_norm_sparse32)(const SparseRow<float>&);
  double (*squared_norm_sparse64)(const SparseRow<double>&);
  double (*squared_norm_dense32)(const DenseRow<float>&);
  double (*squared_norm_dense64)(const DenseRow<double>&);
};

/// The table of the Highway target in use (hwy::SetSupportedTargetsForTest changes it).
const KernelTable& best_kernel_table();

}  // namespace linsep
