// The files of a data set, looked at before they are read, and shared out among workers.
//
// A plain file is cut into ranges of bytes. A newline within a quoted field of CSV ends no row, and nobody can tell in
// the midst of a file whether a byte stands within quotes. So every worker goes through its range once as if it began
// with a row, and looks whether it ends with one. If all of them do, then by induction from the file's beginning every
// cut lies between two rows; else the file isn't cut.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "format/shards/pieces.h"
#include "linsep/comm.h"
#include "linsep/read.h"

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

/// The files that `paths` stand for: those below a folder, in the order of the bytes of their paths, without the page
/// files of texts among them. Throws an input Error for a folder without files, and for one that is called key=value,
/// whose rows would have one more column.
std::vector<std::string> text_files(std::span<const std::string> paths);

/// What this worker reads: at least one piece, which may be empty. A collective call; an Error is the same on all
/// workers. Where there are several files or workers, each ordinary file is opened once beforehand, and layouts that
/// don't agree are an input Error.
std::vector<Piece> share_files(std::span<const std::string> paths, const ReadOptions& options, const Stations& stations,
                               Comm& comm);

}  // namespace linsep
