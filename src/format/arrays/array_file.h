// One array in a file of NumPy (.npy, a member of an .npz) or of safetensors, memory-mapped.
//
// The bytes are untrusted: every length is checked against the file's before it is used, and nothing is allocated by
// what a header claims.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/half.h"

namespace linsep {

/// Types of the values that an array may have; the first are those of ValueType. Labels may be any of them, rows only
/// floats.
enum class ElementType : std::uint8_t {
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64
};

/// An array in C order, little-endian, as bytes that needn't be aligned.
struct ArrayBytes {
  std::string dtype;  ///< as the file calls it
  ElementType type = ElementType::kFloat32;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;  ///< exactly those of the values

  /// REQUIRES: there is such a value.
  double value(std::uint64_t index) const;
  /// The same as a decimal, of integers with all their digits.
  std::string written(std::uint64_t index) const;
};

// What stands in the bytes of a whole file. Throw BadFile (bytes/zip.h).

ArrayBytes parse_npy(std::string_view file);
/// `member`: with or without ".npy"; "": the only one.
ArrayBytes parse_npz(std::string_view file, std::string_view member);
/// `tensor`: "": the only one.
ArrayBytes parse_safetensors(std::string_view file, std::string_view tensor);

/// An array of a file, which stays mapped as long as this lives.
struct ArrayFile {
  std::string name;  ///< the path as given, for messages
  ArrayBytes array;
  std::shared_ptr<const void> mapping;
};
/// `path`: see linsep/tools/array_path.h. Throws an input Error with it.
ArrayFile open_array(const std::string& path);

}  // namespace linsep
