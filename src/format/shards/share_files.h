// Looks at the files of a data set before they are read, and divides them among workers.
//
// A plain file is cut into ranges of bytes. A newline within a quoted field of CSV doesn't end a row, and from the
// middle of a file nobody can tell whether a byte is within quotes. So every worker goes through its range once as if
// it began with a row, and checks whether it ends with one. If all of them do, then by induction from the file's
// beginning every cut lies between two rows. Otherwise the file isn't cut.
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
  bool whole = false;  ///< can't be read from its middle
};

struct FilePart {
  std::size_t file = 0;
  TextRange range;
  bool operator==(const FilePart&) const = default;
};

/// The parts of every worker, in the order of the files. Each worker gets about as many bytes, and parts follow those
/// of the previous worker. A cut that would fall into a whole file moves to its nearer end. If all files are whole and
/// there are enough of them, every worker gets at least one. A worker without bytes has one empty part. REQUIRES: at
/// least one file and one worker.
std::vector<std::vector<FilePart>> split_files(std::span<const SizedFile> files, int workers);

/// The files that `paths` stand for. A folder stands for those below it, sorted by the bytes of their paths, without
/// the page files of texts among them. Throws an input Error for a folder without files, and for one that is called
/// key=value, whose rows would have one more column.
std::vector<std::string> text_files(std::span<const std::string> paths);

/// Returns what this worker reads: at least one piece, which may be empty. If there are several files or workers, each
/// ordinary file is opened once in advance, and layouts that disagree are an input Error. A collective call, and an
/// Error is the same on all workers.
std::vector<Piece> share_files(std::span<const std::string> paths, const ReadOptions& options, const Stations& stations,
                               Comm& comm);

}  // namespace linsep
