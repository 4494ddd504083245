// The version of the kernels in use, and the calls that go through it.
#include <hwy/targets.h>

#include "kernel/kernel.h"
#include "kernel/scalar.h"
#include "kernel/table.h"

namespace linsep {
namespace {

constexpr KernelTable kScalarTable = {scalar::dot<float>,
                                      scalar::dot<double>,
                                      scalar::dot<float>,
                                      scalar::dot<double>,
                                      scalar::axpy<float>,
                                      scalar::axpy<double>,
                                      scalar::axpy<float>,
                                      scalar::axpy<double>,
                                      scalar::squared_norm<SparseRow<float>>,
                                      scalar::squared_norm<SparseRow<double>>,
                                      scalar::squared_norm<DenseRow<float>>,
                                      scalar::squared_norm<DenseRow<double>>};

struct Choice {
  KernelTable table;
  std::string_view name;
};

Choice highway_choice(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return {best_kernel_table(), hwy::TargetName(usable & -usable)};  // the lowest bit is the best target
}

// Set when the program is loaded, so that calls need no check whether it is set.
Choice current = highway_choice(0);

std::vector<std::int64_t> compiled_targets() {
  hwy::SetSupportedTargetsForTest(0);
  return hwy::SupportedAndGeneratedTargets();
}

}  // namespace

std::string_view kernel_version() { return current.name; }

std::vector<std::string_view> kernel_versions() {
  std::vector<std::string_view> names = {"scalar"};
  for (const std::int64_t target : compiled_targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_kernel_version(std::string_view name) {
  if (name == "scalar") {
    current = {kScalarTable, "scalar"};
    return true;
  }
  for (const std::int64_t target : compiled_targets()) {
    if (name == hwy::TargetName(target)) {
      current = highway_choice(target);
      return true;
    }
  }
  return false;
}

double dot(const SparseRow<float>& x, const double* w) { return current.table.dot_sparse32(x, w); }
double dot(const SparseRow<double>& x, const double* w) { return current.table.dot_sparse64(x, w); }
double dot(const DenseRow<float>& x, const double* w) { return current.table.dot_dense32(x, w); }
double dot(const DenseRow<double>& x, const double* w) { return current.table.dot_dense64(x, w); }

void axpy(double a, const SparseRow<float>& x, double* w) { current.table.axpy_sparse32(a, x, w); }
void axpy(double a, const SparseRow<double>& x, double* w) { current.table.axpy_sparse64(a, x, w); }
void axpy(double a, const DenseRow<float>& x, double* w) { current.table.axpy_dense32(a, x, w); }
void axpy(double a, const DenseRow<double>& x, double* w) { current.table.axpy_dense64(a, x, w); }

double squared_norm(const SparseRow<float>& x) { return current.table.squared_norm_sparse32(x); }
double squared_norm(const SparseRow<double>& x) { return current.table.squared_norm_sparse64(x); }
double squared_norm(const DenseRow<float>& x) { return current.table.squared_norm_dense32(x); }
double squared_norm(const DenseRow<double>& x) { return current.table.squared_norm_dense64(x); }

}  // namespace linsep
