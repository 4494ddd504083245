// Dense rows of 16-bit floats, in which embeddings are often stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "linsep/batch.h"
#include "linsep/source.h"

namespace linsep {

/// Types of values in binary arrays. kFloat16 is IEEE 754's binary16, and kBfloat16 is the upper half of a float.
enum class ValueType : std::uint8_t { kFloat16, kBfloat16, kFloat32, kFloat64 };

/// Bytes of a value.
constexpr std::size_t size_of(ValueType type) {
  if (type == ValueType::kFloat64) return 8;
  return type == ValueType::kFloat32 ? 4 : 2;
}

/// Dense rows of values of any of these types as a source, without a copy. The values needn't be aligned. A few rows at
/// a time are widened to floats (kFloat64 to doubles), exactly, so results are those of an array of floats with the
/// same values. `batch` describes everything but the values, so `value32` and `value64` are empty and `stride` counts
/// values. As with `view`, the arrays must outlive the source. With `check`, values that aren't finite are an input
/// Error as by `check_rows`. They are widened on `threads` threads (0 for one per core).
/// REQUIRES: `values` has as many bytes as rows, stride and features of the batch imply.
std::unique_ptr<Source> view_values(const Batch& batch, const void* values, ValueType type, Schema schema, bool check,
                                    int threads = 0);

}  // namespace linsep
