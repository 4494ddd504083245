// Page files as data: made from texts, recognized, and opened with the requested classes.
//
// A page file records the texts it was made of: which files, in what state, how they were read, and the labels they
// had. So one page file serves every question about classes, and rows can be read again the way they were written.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "core/keyed_map.h"
#include "data/paged/page_file.h"
#include "format/shards/input.h"
#include "format/shards/pieces.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/tools/file.h"

namespace linsep {

/// The distinct labels of a file, by name, in the order in which they are met.
class LabelTable {
 public:
  struct Label {
    std::string name;
    std::int64_t first_row = 0;  ///< the first row that has it
  };

  /// Takes the labels of the next page. Words become indices in `labels`, and numbers stay.
  void take(ParsedPage& parsed, std::int64_t first_row);

  std::vector<Label> labels;
  bool has_words = false;     ///< some label isn't a number
  bool more_numbers = false;  ///< there were more numbers than there can be classes, so the list isn't complete

 private:
  std::size_t place_of(const std::string& name, std::int64_t row);

  KeyedMap<std::string, std::size_t> place_;
  KeyedMap<double, bool> known_;
};

/// The check that pages hold only labels of the table. If the table isn't complete, only that labels are finite.
LabelMeaning known_labels(const LabelTable& table);

/// A text, or the rows that begin in a range of it, from which pages were made.
struct PageText {
  std::string path;          ///< relative to the page file's folder if possible, or "" if it can't be read again
  FileStamp stamp;           ///< the device isn't recorded, and inode and change time only for a text with a cache
  std::uint64_t digest = 0;  ///< `text_digest`, for a text with a cache
  bool compressed = false;
  TextRange range;
  std::int64_t first_row = 0;  ///< in the page file
};

struct PageOrigin {
  bool cache = false;           ///< kept next to its text, by `--cache`
  std::vector<PageText> texts;  ///< at least one, in the order of their rows. No page has rows of two texts
  ReadOptions reading;          ///< what decides on rows and values (labels get their meaning when pages are read)
  ReadOptions::Format format = ReadOptions::Format::kAuto;  ///< as it turned out
  std::vector<std::string> feature_names, label_names;
  LabelTable labels;
  TinyValues tiny;           ///< of all rows. Their number isn't kept
  std::int64_t dropped = 0;  ///< rows of the texts that were left out because they have no label
  Reading read;              ///< how the texts were read, for Schema
};

std::string origin_bytes(const PageOrigin& origin);
/// The version of a page file with this origin.
std::uint32_t version_of(const PageOrigin& origin);
/// Throws an input Error, since the bytes are untrusted. `name` and `version` are the page file's.
PageOrigin parse_origin(const std::string& bytes, const std::string& name, std::uint32_t version);

/// Whether the origin's facts about rows, features, labels and values hold for the pages.
bool fits_pages(const PageOrigin& origin, const PageFile& file);

/// Compares without device, inode and change time, because a page file may move with its text.
bool same_state(const FileStamp& a, const FileStamp& b);

/// Whether nobody touched the file. Inode and change time count too, since modification times can be set.
bool untouched(const FileStamp& a, const FileStamp& b);

/// A digest of a file's bytes. It covers all of a small file, else the head, the tail and samples between. For file
/// systems that record no change times.
std::uint64_t text_digest(const std::string& path);

/// Whether these are the same map, or both are none.
bool same_table(const std::shared_ptr<const TableMap>& a, const std::shared_ptr<const TableMap>& b);

/// Whether pages read with `have` are those that `want` asks for.
bool same_rows(const ReadOptions& have, const ReadOptions& want);

/// The path of a text as recorded in a page file at `pages`, and back.
std::string recorded_path(const std::string& text, const std::string& pages);
std::string resolved_path(const std::string& recorded, const std::string& pages);

struct PagePart {
  std::shared_ptr<PageFile> file;
  PageOrigin origin;
  std::string path;  ///< of the page file, or "" if it has no name
};

/// Reads the file's origin. Throws an input Error.
PagePart part_of(std::shared_ptr<PageFile> file, const std::string& path);

/// The parts as one data set.
struct PageSet {
  std::vector<PagePart> parts;  ///< their labels now have a meaning
  Schema schema;
  std::uint32_t features = 0;    ///< of all workers
  std::int64_t rows_before = 0;  ///< of the workers before this one
};

/// Resolves the meaning of labels under these options, over the parts of all workers. `name` is that of all files, for
/// messages. A collective call, and an Error is the same on all workers.
PageSet resolve_parts(std::vector<PagePart> parts, const ReadOptions& options, const std::string& name, Comm& comm);

/// The share of one among several workers that see the same parts. Each has the pages that begin in its share.
struct PageShare {
  int rank = 0, workers = 1;
};

/// The rows of a set. All are mapped or, if `options.memory` is given, few pages are in memory at once.
std::unique_ptr<Source> source_of(PageSet set, const ReadOptions& options, const std::string& name, PageShare share);

/// Returns the texts of a page file once they are all read. It gets the first row of each text, or −1 if that has none,
/// and the number of all rows.
using TextsOfPages = std::function<std::vector<PageText>(std::vector<std::int64_t> first_row, std::int64_t rows)>;

/// Writes the rows of a stream as pages to `file`. `texts` is empty if rows can't be read again as written. `cache` is
/// true if `--cache` will keep the file. Returns the file, not yet committed, and possibly without rows. Throws Error
/// with file, line and column.
StreamedFile write_pages(PageStream& stream, const ReadOptions& options, StreamedFile file, const TextsOfPages& texts,
                         const Observer& observe, bool cache = false);

/// The same for texts. `pages` is the path that the file will have, or "" for none.
StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe, bool cache = false);

/// Whether the file begins like a page file, or is named like one. False for files that can't be opened.
bool is_page_file_at(const std::string& path);

/// The rows of page files, one file after another. All are mapped or, if `options.memory` is given, few pages are in
/// memory at once. Throws a usage Error for options that could only be honored by reading the text. Each of several
/// workers has the pages that begin in its share of all, and an Error is the same on all.
std::unique_ptr<Source> open_pages(std::span<const std::string> paths, const ReadOptions& options, Comm& comm);

/// The rows of pieces of text by way of page files, either one next to each text (`options.cache`) or one without a
/// name. A collective call in which every worker has its own pieces. `name` is that of all files, for messages.
std::unique_ptr<Source> load_by_pages(const std::vector<Piece>& pieces, const ReadOptions& options,
                                      const std::string& name, Comm& comm, const Observer& observe);

/// The path of a text's page file under `options.cache`. If one worker has a part of the rows, `share` names its part:
/// "2-of-4". Else it is "".
std::string cache_path(const std::string& text, const ReadOptions& options, const std::string& share = "");

/// Whether these are page files. Throws a usage Error if only some are.
bool are_page_files(std::span<const std::string> paths);

/// Whether text should be read by way of page files. That is so if a cache is wanted, or if some worker's rows might
/// not fit into its memory. A collective call.
bool want_pages(const std::vector<Piece>& pieces, const ReadOptions& options, Comm& comm);

}  // namespace linsep
