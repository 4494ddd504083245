#include "data/raw_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/slice.h"

namespace linsep {
namespace {

// Without a branch, so that loops over them are vectorised.

/// A float has 13 bits more for fractions, and exponents that are greater by 112.
float from_float16(std::uint16_t half) {
  constexpr std::uint32_t kBias = std::uint32_t{112} << 23;
  constexpr std::uint32_t kLeastNormal = std::uint32_t{113} << 23;  // 2^-14
  const std::uint32_t size = (half & 0x7fffU) << 13;
  const std::uint32_t exponent = half & 0x7c00U;
  const std::uint32_t special = exponent == 0x7c00U ? kBias : 0;  // infinity and NaN
  const std::uint32_t normal = size + kBias + special;
  // Below 2^-14 the fraction counts multiples of 2^-24: 2^-14 with that fraction, less 2^-14, is exact.
  const auto small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(size + kLeastNormal) - std::bit_cast<float>(kLeastNormal));
  return std::bit_cast<float>((exponent == 0 ? small : normal) | (half & 0x8000U) << 16);
}

float from_bfloat16(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16); }

template <class From, class To, class Convert>
void decode_each(const unsigned char* from, std::size_t count, To* to, const Convert& convert) {
  for (std::size_t k = 0; k < count; ++k) {
    From value;
    std::memcpy(&value, from + k * sizeof(From), sizeof(From));
    to[k] = convert(value);
  }
}

template <class To>
void decode_as(const RawValues& raw, std::uint64_t first, std::size_t count, To* to) {
  const unsigned char* from = static_cast<const unsigned char*>(raw.data) + first * size_of(raw.type);
  switch (raw.type) {
    case ValueType::kFloat16: return decode_each<std::uint16_t>(from, count, to, from_float16);
    case ValueType::kBfloat16: return decode_each<std::uint16_t>(from, count, to, from_bfloat16);
    case ValueType::kFloat32: return decode_each<float>(from, count, to, [](float value) { return value; });
    case ValueType::kFloat64:
      return decode_each<double>(from, count, to, [](double value) { return static_cast<To>(value); });
  }
}

}  // namespace

void decode(const RawValues& raw, std::uint64_t first, std::size_t count, float* to) {
  decode_as(raw, first, count, to);
}

void decode(const RawValues& raw, std::uint64_t first, std::size_t count, double* to) {
  decode_as(raw, first, count, to);
}

std::int64_t decoded_rows(const Batch& batch, std::int64_t first) {
  constexpr std::int64_t kMostValues = std::int64_t{1} << 20;
  const std::int64_t most = std::max<std::int64_t>(kMostValues / std::max<std::int64_t>(batch.features, 1), 1);
  return std::min({batch.rows - first, most, std::int64_t{1} << 13});
}

Batch Decoded::rows(const Batch& batch, const RawValues& raw, std::int64_t first, std::int64_t count) {
  Batch part = slice(batch, first, count);
  part.pinned = false;
  part.stride = batch.features;
  const std::size_t features = batch.features;
  const auto fill = [&](auto& values) {
    values.resize(static_cast<std::size_t>(count) * features);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      decode(raw, (static_cast<std::uint64_t>(first) + i) * batch.stride, features, values.data() + i * features);
    }
  };
  if (batch.is_float) {
    fill(value32_);
    part.value32 = value32_;
  } else {
    fill(value64_);
    part.value64 = value64_;
  }
  return part;
}

}  // namespace linsep
