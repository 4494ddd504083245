// Kernel functions K(x, x′) of two sparse rows, for the dual form.
#pragma once

#include "linsep/batch.h"
#include "linsep/model.h"

namespace linsep {

/// K(a, b), symmetric to the last bit. Sums run in column order, and a polynomial's power is taken by repeated
/// multiplication. A Gaussian sums the squared differences themselves, so K(a, a) is exactly 1 and near rows keep their
/// distance.
double kernel_value(const Kernel& kernel, const SparseRow<double>& a, const SparseRow<double>& b);

}  // namespace linsep
