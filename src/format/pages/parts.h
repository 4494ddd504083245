// Page files that hold the rows of one worker together: labels resolved as those of one data set, rows as one source.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/paged/page_file.h"
#include "format/pages/origin.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

struct PagePart {
  std::shared_ptr<PageFile> file;
  PageOrigin origin;
  std::string path;  ///< of the page file; "": it has no name
};

/// Reads what the file was made of. Throws an input Error.
PagePart part_of(std::shared_ptr<PageFile> file, const std::string& path);

/// What the parts are as one data set.
struct PageSet {
  std::vector<PagePart> parts;  ///< their labels have a meaning now
  Schema schema;
  std::uint32_t features = 0;    ///< of all workers
  std::int64_t rows_before = 0;  ///< of the workers before this one
};

/// Resolves what labels mean under these options, over the parts of all workers. `name` is that of all files, for
/// messages. A collective call; an Error is the same on all workers.
PageSet resolve_parts(std::vector<PagePart> parts, const ReadOptions& options, const std::string& name, Comm& comm);

/// Which of several workers that see the same parts this is: each has the pages that begin in its share of them.
struct PageShare {
  int rank = 0, workers = 1;
};

/// The rows of a set: all mapped, or, where `options.memory` is given, with few pages in memory at once.
std::unique_ptr<Source> source_of(PageSet set, const ReadOptions& options, const std::string& name, PageShare share);

}  // namespace linsep
