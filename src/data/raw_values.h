// Dense values as bytes, of types that no kernel takes or that aren't aligned: decoded a few rows at a time, exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linsep/batch.h"
#include "linsep/half.h"

namespace linsep {

/// In the machine's order of bytes (little-endian). Row i begins at value i · stride of its batch.
struct RawValues {
  ValueType type = ValueType::kFloat32;
  const void* data = nullptr;  ///< null: there are none

  bool empty() const { return data == nullptr; }
};

/// Values first … first + count − 1 as floats or, of kFloat64, as doubles. Every 16-bit float is a float.
void decode(const RawValues& raw, std::uint64_t first, std::size_t count, float* to);
void decode(const RawValues& raw, std::uint64_t first, std::size_t count, double* to);

/// How many rows from `first` on to decode at once: at least one, and few megabytes.
std::int64_t decoded_rows(const Batch& batch, std::int64_t first);

/// Rows of a batch whose values are raw, as everyone else takes them.
class Decoded {
 public:
  /// Rows first … first + count − 1, which are valid until the next call; not pinned.
  Batch rows(const Batch& batch, const RawValues& raw, std::int64_t first, std::int64_t count);

 private:
  std::vector<float> value32_;
  std::vector<double> value64_;
};

}  // namespace linsep
