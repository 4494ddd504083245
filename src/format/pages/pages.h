// Page files as data: recognised, opened with the classes that are asked for, made where they are wanted.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/shards/piece_reader.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// Whether the file begins as a page file does, or is called one. False for what can't be opened.
bool is_page_file_at(const std::string& path);

/// The rows of page files, those of one behind those of another: all mapped, or, where `options.memory` is given, with
/// few pages in memory at once. Throws a usage Error for options that only reading the text could have met.
/// Of several workers each has the pages that begin in its share of all; the Error is the same on all.
std::unique_ptr<Source> open_pages(std::span<const std::string> paths, const ReadOptions& options, Comm& comm);

/// The rows of pieces of text by way of page files: one beside each text (`options.cache`), or one without a name. A
/// collective call; every worker has its own pieces. `name` is that of all files, for messages.
std::unique_ptr<Source> load_by_pages(const std::vector<Piece>& pieces, const ReadOptions& options,
                                      const std::string& name, Comm& comm, const Observer& observe);

/// Where the page file of a text lies under `options.cache`. `share`: of the rows of one worker, where it has a part of
/// them: "2-of-4"; else "".
std::string cache_path(const std::string& text, const ReadOptions& options, const std::string& share = "");

/// Whether these are page files. Throws a usage Error where only some are.
bool are_page_files(std::span<const std::string> paths);

/// Whether text should be read by way of page files: a cache is wanted, or some worker's rows might not fit into the
/// memory it has. A collective call.
bool want_pages(const std::vector<Piece>& pieces, const ReadOptions& options, Comm& comm);

}  // namespace linsep
