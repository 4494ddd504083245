// Page files as data: recognised, opened with the classes that are asked for, made where they are wanted.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "data/paged/page_file.h"
#include "format/pages/origin.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// Whether the file begins as a page file does, or is called one. False for what can't be opened.
bool is_page_file_at(const std::string& path);

/// Resolves what the labels of a file mean under these options, and says how classes are called. Throws Error.
Schema resolve_pages(PageFile& file, const PageOrigin& origin, const ReadOptions& options);

/// The rows of a page file at `path`: all mapped, or, where `options.memory` is given, with few pages in memory at
/// once. Throws a usage Error for options that only reading the text could have met.
/// Of several workers each has the pages that begin in its share of the file; the Error is the same on all.
std::unique_ptr<Source> open_pages(const std::string& path, const ReadOptions& options, Comm& comm);

/// The rows of a text by way of a page file: beside it (`options.cache`), or one without a name.
std::unique_ptr<Source> load_by_pages(const std::string& path, const ReadOptions& options, const Observer& observe);

/// Where the page file of a text lies under `options.cache`.
std::string cache_path(const std::string& text, const ReadOptions& options);

/// Whether the rows come from a page file, or should go by way of one. Throws a usage Error where that is asked for
/// with several files, or for text with several workers.
bool comes_in_pages(std::span<const std::string> paths, const ReadOptions& options, const Comm& comm);

}  // namespace linsep
