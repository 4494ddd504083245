#include "numeric/symmetric_matrix.h"

#include "core/deadline.h"
#include "core/parallel.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr std::size_t kBlock = 64;  // columns factored at a time; a multiple of kRankTile
static_assert(kBlock % kRankTile == 0);

constexpr double kProductNanoseconds = 0.1;  // a multiplication and an addition

}  // namespace

void SymmetricMatrix::resize(std::size_t size) {
  size_ = size;
  stride_ = padded_stride(size);
  entry_.assign(size_ * stride_, 0);
}

void SymmetricMatrix::clear() { std::fill(entry_.begin(), entry_.end(), 0.0); }

void SymmetricMatrix::add(const SymmetricMatrix& other) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) entry_[i * stride_ + j] += other.entry_[i * stride_ + j];
  }
}

bool SymmetricMatrix::factor(int threads) {
  for (std::size_t begin = 0; begin < size_; begin += kBlock) {
    const std::size_t end = std::min(size_, begin + kBlock);
    // The block's own rows, to their full length: row k less what the block's rows above it explain.
    for (std::size_t k = begin; k < end; ++k) {
      double* row = entry_.data() + k * stride_;
      for (std::size_t t = begin; t < k; ++t) {
        const double* above = entry_.data() + t * stride_;
        axpy(-above[k], DenseRow<double>{above + k, size_ - k}, row + k);
      }
      if (!(row[k] > 0) || !std::isfinite(row[k])) return false;
      const double root = std::sqrt(row[k]), inverse = 1 / root;
      row[k] = root;
      for (std::size_t j = k + 1; j < size_; ++j) row[j] *= inverse;
      std::fill(row + size_, row + stride_, 0.0);
    }
    // The rest of the matrix, less what the block explains: strips of rows, each by one thread.
    const std::size_t strips = (size_ - end + kBlock - 1) / kBlock;
    const auto rest = static_cast<double>(size_ - end);
    parallel_for(strips, threads, kProductNanoseconds * rest * rest / 2 * kBlock, [&](std::size_t strip, std::size_t) {
      const std::size_t from = end + strip * kBlock;
      poll((size_ - from) * kBlock * kBlock);
      rank_update(entry_.data() + begin * stride_, end - begin, stride_, -1, entry_.data(), stride_, from,
                  std::min(size_, from + kBlock), size_);
    });
  }
  return true;
}

void SymmetricMatrix::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* row = entry_.data() + i * stride_;
    x[i] /= row[i];
    axpy(-x[i], DenseRow<double>{row + i + 1, size_ - i - 1}, x.data() + i + 1);
  }
  for (std::size_t i = size_; i-- > 0;) {
    const double* row = entry_.data() + i * stride_;
    x[i] = (x[i] - dot(DenseRow<double>{row + i + 1, size_ - i - 1}, x.data() + i + 1)) / row[i];
  }
}

void SymmetricMatrix::mirror() {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < i; ++j) entry_[i * stride_ + j] = entry_[j * stride_ + i];
  }
}

void SymmetricMatrix::solve_many(double* x, std::size_t width) const {
  const auto row = [&](double* of, std::size_t i) { return of + i * width; };
  const auto add = [&](double factor, const double* from, double* to) {
    axpy(factor, DenseRow<double>{from, width}, to);
  };
  const auto divide = [&](std::size_t i) {
    const double diagonal = entry_[i * stride_ + i];
    for (std::size_t c = 0; c < width; ++c) row(x, i)[c] /= diagonal;
  };
  std::vector<double> negative(size_ * width);  // −x, as the kernel adds
  const auto negate = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin * width; k < end * width; ++k) negative[k] = -x[k];
  };
  for (std::size_t begin = 0; begin < size_; begin += kBlock) {
    const std::size_t end = std::min(size_, begin + kBlock);
    for (std::size_t i = begin; i < end; ++i) {
      divide(i);
      for (std::size_t k = i + 1; k < end; ++k) add(-entry_[i * stride_ + k], row(x, i), row(x, k));
    }
    poll((size_ - begin) * width);
    negate(begin, end);
    add_products(entry_.data() + begin * stride_ + end, stride_, row(negative.data(), begin), width, end - begin,
                 row(x, end), width, size_ - end, width);
  }
  for (std::size_t end = size_; end > 0;) {
    const std::size_t begin = (end - 1) / kBlock * kBlock;
    add_products(entry_.data() + end * stride_ + begin, stride_, row(negative.data(), end), width, size_ - end,
                 row(x, begin), width, end - begin, width);
    for (std::size_t i = end; i-- > begin;) {
      for (std::size_t k = i + 1; k < end; ++k) add(-entry_[i * stride_ + k], row(x, k), row(x, i));
      divide(i);
    }
    negate(begin, end);
    end = begin;
  }
}

void RowAssembler::resize(std::size_t size, bool offset) {
  offset_ = offset;
  size_ = size;
  stride_ = padded_stride(size);
  filled_ = 0;
  panel_.clear();
}

void RowAssembler::flush(SymmetricMatrix& matrix) {
  if (filled_ == 0) return;
  rank_update(panel_.data(), filled_, stride_, 1, matrix.data(), matrix.stride(), 0, size_, size_);
  filled_ = 0;
}

}  // namespace linsep
