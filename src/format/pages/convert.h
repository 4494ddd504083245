// From text to a page file, in bounded memory.
#pragma once

#include <memory>
#include <string>

#include "format/text/input.h"
#include "linsep/read.h"
#include "os/streamed_file.h"

namespace linsep {

/// Writes the rows of a text as pages to `file`. `pages`: the path that the file will have, "" for none. Gives the file
/// back, not yet committed. Throws Error with file, line and column.
StreamedFile write_pages(const std::string& path, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe);

}  // namespace linsep
