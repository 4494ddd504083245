// Paths of arrays in files of NumPy and of safetensors.
#pragma once

#include <string>

namespace linsep {

/// "FILE.npz:MEMBER" and "FILE.safetensors:TENSOR" in two parts. The second is "" if there is none.
struct ArrayPath {
  std::string file, member;
};
ArrayPath split_array_path(const std::string& path);

/// Whether a path, by its name, leads to a file of arrays: .npy, .npz or .safetensors.
bool is_array_path(const std::string& path);

}  // namespace linsep
