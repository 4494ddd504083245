// Which bytes of which files a worker reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/text/range.h"

namespace linsep {

struct SizedFile {
  std::uint64_t bytes = 0;
  bool whole = false;  ///< can't be read from its midst
};

struct FilePart {
  std::size_t file = 0;
  TextRange range;
  bool operator==(const FilePart&) const = default;
};

/// The parts of every worker, in the order of the files: about as many bytes for each, the parts of one worker behind
/// those of the worker before. A cut that would fall into a whole file falls on its nearer end; where there are but
/// whole files, and enough of them, every worker gets one at least. A worker without bytes has one empty part.
/// REQUIRES: at least one file and one worker.
std::vector<std::vector<FilePart>> split_files(std::span<const SizedFile> files, int workers);

}  // namespace linsep
