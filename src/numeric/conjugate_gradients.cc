#include "numeric/conjugate_gradients.h"

#include <cmath>
#include <utility>

#include "kernel/kernel.h"
#include "numeric/class_sums.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

DenseRow<double> as_row(const std::vector<double>& v) { return {v.data(), v.size()}; }

}  // namespace

void ConjugateGradients::begin(std::vector<double> b) {
  theta_.assign(b.size(), 0.0);
  r_ = std::move(b);
  p_ = r_;
  rr_ = bb_ = squared_norm(as_row(r_));
  exhausted_ = !(rr_ > 0);
}

void ConjugateGradients::step(const std::vector<double>& product) {
  if (exhausted_) return;
  const double curvature = dot_dense(p_, product);
  if (!(curvature > 0) || !std::isfinite(curvature)) {
    exhausted_ = true;
    return;
  }
  const double length = rr_ / curvature;
  axpy(length, as_row(p_), theta_.data());
  axpy(-length, as_row(product), r_.data());
  const double before = std::exchange(rr_, squared_norm(as_row(r_)));
  const double turn = rr_ / before;
  for (std::size_t j = 0; j < p_.size(); ++j) p_[j] = r_[j] + turn * p_[j];
  exhausted_ = !(rr_ > 0);
}

double ConjugateGradients::relative_residual() const { return bb_ > 0 ? std::sqrt(rr_ / bb_) : 0; }

void ConjugateGradients::save(ByteWriter& writer) const {
  writer.numbers(theta_);
  writer.numbers(r_);
  writer.numbers(p_);
  writer.number(rr_);
  writer.number(bb_);
  writer.number<std::uint8_t>(exhausted_ ? 1 : 0);
}

void ConjugateGradients::load(ByteReader& reader, std::size_t size) {
  theta_ = reader.numbers_or_none<double>(size);
  r_ = reader.numbers<double>(theta_.size());
  p_ = reader.numbers<double>(theta_.size());
  rr_ = reader.at_least_zero();
  bb_ = reader.at_least_zero();
  exhausted_ = reader.flag();
}

}  // namespace linsep
