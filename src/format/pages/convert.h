// From texts to a page file, in bounded memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/shards/piece_reader.h"
#include "linsep/read.h"
#include "linsep/tools/file.h"

namespace linsep {

/// Writes the rows of texts as pages to `file`. `pages`: the path that the file will have, "" for none. Gives the file
/// back, not yet committed; it may have no rows. Throws Error with file, line and column.
StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe);

}  // namespace linsep
