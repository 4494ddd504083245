// The files of a data set, looked at before they are read, and shared out among workers.
//
// A plain file is cut into ranges of bytes. A newline within a quoted field of CSV ends no row, and nobody can tell in
// the midst of a file whether a byte stands within quotes. So every worker goes through its range once as if it began
// with a row, and looks whether it ends with one. If all of them do, then by induction from the file's beginning every
// cut lies between two rows; else the file isn't cut.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/shards/piece_reader.h"
#include "linsep/comm.h"
#include "linsep/read.h"

namespace linsep {

/// What this worker reads: at least one piece, which may be empty. A collective call; an Error is the same on all
/// workers. Where there are several files or workers, each ordinary file is opened once beforehand, and layouts that
/// don't agree are an input Error.
std::vector<Piece> share_files(std::span<const std::string> paths, const ReadOptions& options, const Stations& stations,
                               Comm& comm);

}  // namespace linsep
