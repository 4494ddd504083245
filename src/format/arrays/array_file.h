// One array in a file of NumPy (.npy, a member of an .npz) or of safetensors, memory-mapped.
//
// The bytes are untrusted. Every length is checked against the file's length before it is used, and nothing is
// allocated because a header claims a size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/half.h"

namespace linsep {

/// Types of the values that an array may have, beginning with those of ValueType. Labels may be any of them, rows only
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
  std::string dtype;  ///< the file's name for the type
  ElementType type = ElementType::kFloat32;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;  ///< exactly those of the values

  /// REQUIRES: the index is that of a value.
  double value(std::uint64_t index) const;
  /// The same value as a decimal. Integers have all their digits.
  std::string written(std::uint64_t index) const;
};

// These parse the bytes of a whole file. They throw BadFile (bytes/zip.h).

ArrayBytes parse_npy(std::string_view file);
/// `member` may have ".npy" or not. "" stands for the only member.
ArrayBytes parse_npz(std::string_view file, std::string_view member);
/// `tensor` "" stands for the only tensor.
ArrayBytes parse_safetensors(std::string_view file, std::string_view tensor);

/// An array in a file, which stays mapped as long as this lives.
struct ArrayFile {
  std::string name;  ///< the path as given, for messages
  ArrayBytes array;
  std::shared_ptr<const void> mapping;
};
/// `path` is as in linsep/tools/array_path.h. Throws an input Error that names it.
ArrayFile open_array(const std::string& path);

}  // namespace linsep
