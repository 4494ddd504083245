// Which version of the kernels runs. All give the same bits, so this is for tests and comparisons only.
#pragma once

#include <string_view>
#include <vector>

namespace linsep {

/// The version in use: "scalar", or a Highway target such as "AVX2" or "AVX3".
std::string_view kernel_version();
/// Every version that this CPU can run: "scalar", then the best, then the others.
std::vector<std::string_view> kernel_versions();
/// Chooses a version by name. Returns false, and changes nothing, when this CPU can't run it. Not thread safe.
bool use_kernel_version(std::string_view name);

}  // namespace linsep
