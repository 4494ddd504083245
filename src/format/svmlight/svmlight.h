// The svmlight (libsvm) text format: "label index:value index:value …", one row per line. See
// docs/reference/formats/svmlight.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/text/format.h"
#include "linsep/read.h"

namespace linsep {

/// `first_bytes` are the beginning of the input. A byte-order mark there is skipped. Pages are in blocks of memory of
/// at most `largest_block` bytes, which live as long as any of their pages.
TextFormat svmlight_format(std::string_view first_bytes, const ReadOptions& options, std::size_t largest_block);

/// The versions of the parser that this processor can run, best first, out of "avx512", "avx2" and, always, "scalar".
/// All give the same pages and the same errors.
std::vector<std::string_view> svmlight_versions();

/// Makes formats created from now on use this version, or the best if it is "". For tests and benchmarks. Throws a
/// usage Error for a version that this processor can't run.
void use_svmlight_version(std::string_view name);

}  // namespace linsep
