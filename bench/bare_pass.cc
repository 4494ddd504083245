#include "bare_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace linsep {
namespace {

double plain_sum(const std::uint32_t* column, const float* value, std::size_t size, const double* weight) {
  std::array<double, 8> part{};
  std::size_t k = 0;
  for (; k + 8 <= size; k += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      part[lane] += weight[column[k + lane]] * static_cast<double>(value[k + lane]);
    }
  }
  for (; k < size; ++k) part[0] += weight[column[k]] * static_cast<double>(value[k]);
  double sum = 0;
  for (const double p : part) sum += p;
  return sum;
}

#if defined(__x86_64__)

__attribute__((target("avx512f"))) double avx512_sum(const std::uint32_t* column, const float* value, std::size_t size,
                                                     const double* weight) {
  // Masked forms with an explicit source: the plain ones leave it undefined, which the compiler warns about.
  const __m512d zero = _mm512_setzero_pd();
  __m512d part0 = zero;
  __m512d part1 = zero;
  std::size_t k = 0;
  for (; k + 16 <= size; k += 16) {
    const __m256i c0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + k));
    const __m256i c1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + k + 8));
    const __m512d w0 = _mm512_mask_i32gather_pd(zero, 0xff, c0, weight, 8);
    const __m512d w1 = _mm512_mask_i32gather_pd(zero, 0xff, c1, weight, 8);
    part0 = _mm512_fmadd_pd(w0, _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(value + k)), part0);
    part1 = _mm512_fmadd_pd(w1, _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(value + k + 8)), part1);
  }
  std::array<double, 8> lane{};
  _mm512_storeu_pd(lane.data(), _mm512_add_pd(part0, part1));
  double sum = plain_sum(column + k, value + k, size - k, weight);
  for (const double l : lane) sum += l;
  return sum;
}

__attribute__((target("avx2,fma"))) double avx2_sum(const std::uint32_t* column, const float* value, std::size_t size,
                                                    const double* weight) {
  const __m256d zero = _mm256_setzero_pd();
  const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
  __m256d part0 = zero;
  __m256d part1 = zero;
  std::size_t k = 0;
  for (; k + 8 <= size; k += 8) {
    const __m128i c0 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(column + k));
    const __m128i c1 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(column + k + 4));
    const __m256d w0 = _mm256_mask_i32gather_pd(zero, weight, c0, all, 8);
    const __m256d w1 = _mm256_mask_i32gather_pd(zero, weight, c1, all, 8);
    part0 = _mm256_fmadd_pd(w0, _mm256_cvtps_pd(_mm_loadu_ps(value + k)), part0);
    part1 = _mm256_fmadd_pd(w1, _mm256_cvtps_pd(_mm_loadu_ps(value + k + 4)), part1);
  }
  std::array<double, 4> lane{};
  _mm256_storeu_pd(lane.data(), _mm256_add_pd(part0, part1));
  double sum = plain_sum(column + k, value + k, size - k, weight);
  for (const double l : lane) sum += l;
  return sum;
}

bool has_avx512() { return __builtin_cpu_supports("avx512f") != 0; }
bool has_avx2() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }

#endif

/// The fastest that this CPU runs.
auto sum_version() {
#if defined(__x86_64__)
  if (has_avx512()) return avx512_sum;
  if (has_avx2()) return avx2_sum;
#endif
  return plain_sum;
}

/// Rows by 64: `factors(scores, count)` makes their factors of their scores, then `add(row, column, value, size)`.
template <class Factors, class Add>
void by_blocks(const Batch& batch, const double* weight, Factors factors, Add add) {
  constexpr std::size_t kTogether = 64;
  const auto sum = sum_version();
  const auto rows = static_cast<std::size_t>(batch.rows);
  std::array<double, kTogether> score;
  for (std::size_t first = 0; first < rows; first += kTogether) {
    const std::size_t count = std::min(kTogether, rows - first);
    const auto each_row = [&](auto f) {
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t begin = batch.start[first + r], size = batch.start[first + r + 1] - begin;
        f(r, batch.column.data() + begin, batch.value32.data() + begin, size);
      }
    };
    each_row(
        [&](std::size_t r, auto column, auto value, std::size_t size) { score[r] = sum(column, value, size, weight); });
    factors(score.data(), count);
    each_row(add);
  }
}

}  // namespace

double bare_sum(const Batch& batch, const double* weight) {
  if (batch.rows == 0) return 0;
  const std::size_t begin = batch.start[0];
  const std::size_t size = batch.start[static_cast<std::size_t>(batch.rows)] - begin;
  return sum_version()(batch.column.data() + begin, batch.value32.data() + begin, size, weight);
}

void bare_gradient(const Batch& batch, const double* weight, bool exponential, double* sums) {
  std::array<double, 64> slope, curved;
  by_blocks(
      batch, weight,
      [&](const double* score, std::size_t count) {
        for (std::size_t r = 0; r < count; ++r) {
          const double share = exponential ? 1 / (1 + std::exp(score[r])) : std::max(0.0, 1 - score[r]);
          slope[r] = share;
          curved[r] = exponential ? share * (1 - share) : (share > 0 ? 1.0 : 0.0);
        }
      },
      [&](std::size_t r, const std::uint32_t* column, const float* value, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) {
          double* to = sums + std::size_t{3} * column[k];
          const double x = static_cast<double>(value[k]), term = curved[r] * x;
          to[0] += slope[r] * x;
          to[1] += term;
          to[2] += term * x;
        }
      });
}

void bare_product(const Batch& batch, const double* weight, double* sums) {
  std::array<double, 64> factor;
  by_blocks(
      batch, weight, [&](const double* score, std::size_t count) { std::copy_n(score, count, factor.data()); },
      [&](std::size_t r, const std::uint32_t* column, const float* value, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) sums[column[k]] += factor[r] * static_cast<double>(value[k]);
      });
}

std::string_view bare_version() {
#if defined(__x86_64__)
  if (has_avx512()) return "AVX-512";
  if (has_avx2()) return "AVX2";
#endif
  return "plain";
}

}  // namespace linsep
