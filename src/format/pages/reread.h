// Reads rows of files again, exactly as they were written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/memory_source.h"
#include "format/shards/pieces.h"
#include "linsep/read.h"

namespace linsep {

/// The positions of pages in files, for reading again just the chunks that hold the requested rows. Plain files are
/// read at the chunk's position, and compressed ones from their beginning. Keeps nothing else of the pages.
class PagePlaces {
 public:
  /// Adds pages in the order of their rows. `piece` is the index of the reader's piece that a page came from.
  void add(const Page& page, std::size_t piece);
  /// Sets which files these are, once all pages are read. From then on rows are numbered from `first_row`.
  void complete(const PieceReader& reader, std::int64_t first_row);

  /// The requested rows (ascending). Throws an input Error if a file has changed since it was read, and a usage Error
  /// for standard input.
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) const;
  /// The place where a row begins, without a line if it can't be read again. Reads its page again.
  Place place_of(std::int64_t row) const;
  /// An Error about a row (counted as in the pages that were added), with its line. Reads its page again.
  Error error_at_row(const PieceReader& reader, std::int64_t row, const std::string& message) const;

 private:
  struct Extent {
    std::size_t piece = 0;
    std::int64_t first_row = 0, rows = 0;
    std::uint64_t first_byte = 0, bytes = 0, first_line = 0;
  };
  struct File {
    std::string path, name;
    bool regular = false, compressed = false;
    FileStamp stamp;
    TextFormat format;
    LinesBefore lines_before;
  };
  static File file_of(const PieceReader& reader, std::size_t piece);
  const Extent& page_of(std::int64_t row) const;
  static Place place_in(const File& file, const Extent& page, std::int64_t row);

  std::vector<File> files_;
  std::vector<Extent> pages_;
};

/// The requested rows (ascending), from a reader that has just been opened.
std::vector<WrittenRow> reread_rows(PieceReader& reader, std::span<const std::int64_t> rows);

}  // namespace linsep
