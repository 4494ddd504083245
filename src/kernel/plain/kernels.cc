// Every kernel as its scalar version.
#include "core/elementary.h"
#include "kernel/dense_kernels.h"
#include "kernel/exact_terms.h"
#include "kernel/exponentials.h"
#include "kernel/kernel.h"
#include "kernel/margin_kernels.h"
#include "kernel/scalar.h"
#include "kernel/units.h"
#include "kernel/widen.h"

namespace linsep {

std::string_view kernel_version() { return "scalar"; }
std::vector<std::string_view> kernel_versions() { return {"scalar"}; }
bool use_kernel_version(std::string_view name) { return name == kernel_version(); }

double dot(const SparseRow<float>& x, const double* w) { return scalar::dot(x, w); }
double dot(const SparseRow<double>& x, const double* w) { return scalar::dot(x, w); }
double dot(const DenseRow<float>& x, const double* w) { return scalar::dot(x, w); }
double dot(const DenseRow<double>& x, const double* w) { return scalar::dot(x, w); }

void axpy(double a, const SparseRow<float>& x, double* w) { scalar::axpy(a, x, w); }
void axpy(double a, const SparseRow<double>& x, double* w) { scalar::axpy(a, x, w); }
void axpy(double a, const DenseRow<float>& x, double* w) { scalar::axpy(a, x, w); }
void axpy(double a, const DenseRow<double>& x, double* w) { scalar::axpy(a, x, w); }

double squared_norm(const SparseRow<float>& x) { return scalar::squared_norm(x); }
double squared_norm(const SparseRow<double>& x) { return scalar::squared_norm(x); }
double squared_norm(const DenseRow<float>& x) { return scalar::squared_norm(x); }
double squared_norm(const DenseRow<double>& x) { return scalar::squared_norm(x); }

void widen_float16(const std::uint16_t* from, std::size_t count, float* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = scalar::widen_float16(from[k]);
}

void rank_update(const double* a, std::size_t rows, std::size_t a_stride, double sign, double* h, std::size_t h_stride,
                 std::size_t begin, std::size_t end, std::size_t size) {
  scalar::rank_update(a, rows, a_stride, sign, h, h_stride, begin, end, size);
}

void rank_update_of_floats(const double* a, std::size_t rows, std::size_t a_stride, double* h, std::size_t h_stride,
                           std::size_t begin, std::size_t end, std::size_t size) {
  scalar::rank_update(a, rows, a_stride, 1, h, h_stride, begin, end, size);
}

void add_products(const double* a, std::size_t a_stride, const double* b, std::size_t b_stride, std::size_t rows,
                  double* h, std::size_t h_stride, std::size_t height, std::size_t width) {
  scalar::add_products(a, a_stride, b, b_stride, rows, h, h_stride, height, width);
}

void exponentials(double* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = elementary::exp(x[i]);
}

void logarithms(double* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = elementary::log1p(x[i]);
}

void add_terms(ExactSum& sum, const double* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum.add(x[i]);
}

void add_in_units(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  scalar::add_in_units(rows, by, [=](const auto& row, double a) { scalar::add_row(row, a, sum); });
}
void add_in_units_with_squares(const Batch& rows, const UnitFactors& by, std::int64_t* sum) {
  scalar::add_in_units_with_squares(
      rows, by, [=](const auto& row, double a, double b, double square) { scalar::add_row(row, a, b, square, sum); });
}

void PackedWeights::set(const double* weight, std::size_t columns, std::size_t column_stride, std::size_t outputs,
                        std::size_t output_stride) {
  columns_ = columns;
  outputs_ = outputs;
  packed_.resize(columns * outputs);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t c = 0; c < outputs; ++c) {
      packed_[j * outputs + c] = weight[j * column_stride + c * output_stride];
    }
  }
}

void block_scores(const DenseBlock<float>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& /*scratch*/) {
  scalar::block_scores(x, w.tile(0), w.outputs(), w.outputs(), out, out_stride);
}
void block_scores(const DenseBlock<double>& x, const PackedWeights& w, double* out, std::size_t out_stride,
                  std::vector<double>& /*scratch*/) {
  scalar::block_scores(x, w.tile(0), w.outputs(), w.outputs(), out, out_stride);
}

void add_rows(const DenseBlock<float>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  scalar::add_rows(x, power, a, a_stride, outputs, sum, sum_stride);
}
void add_rows(const DenseBlock<double>& x, Power power, const double* a, std::size_t a_stride, std::size_t outputs,
              double* sum, std::size_t sum_stride) {
  scalar::add_rows(x, power, a, a_stride, outputs, sum, sum_stride);
}

}  // namespace linsep
