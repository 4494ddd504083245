// Page files as data: made from texts, recognized, opened with the classes that are asked for.
//
// A page file knows the texts it was made of: which files, in what state, read how, and the labels they had. So one
// page file serves every question about classes, and rows can be read again as they were written.
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

/// The different labels of a file in the order in which they are met, by name.
class LabelTable {
 public:
  struct Label {
    std::string name;
    std::int64_t first_row = 0;  ///< that has it
  };

  /// Takes the labels of the next page. Words become indices in `labels`; numbers stay.
  void take(ParsedPage& parsed, std::int64_t first_row);

  std::vector<Label> labels;
  bool has_words = false;     ///< some label is no number
  bool more_numbers = false;  ///< there were more numbers than there can be classes; the list isn't complete

 private:
  std::size_t place_of(const std::string& name, std::int64_t row);

  KeyedMap<std::string, std::size_t> place_;
  KeyedMap<double, bool> known_;
};

/// That pages hold labels of the table and no others, where the table has all; else that they are finite.
LabelMeaning known_labels(const LabelTable& table);

/// A text, or the rows that begin in a range of it, that pages were made of.
struct PageText {
  std::string path;          ///< seen from the page file's folder where that is possible; "": can't be read again
  FileStamp stamp;           ///< the device isn't recorded; inode and change time only of a text with a cache
  std::uint64_t digest = 0;  ///< `text_digest`, of a text with a cache
  bool compressed = false;
  TextRange range;
  std::int64_t first_row = 0;  ///< in the page file
};

struct PageOrigin {
  bool cache = false;           ///< kept beside its text, by `--cache`
  std::vector<PageText> texts;  ///< at least one, in the order of their rows; no page has rows of two
  ReadOptions reading;  ///< what decides on rows and values; the meaning of labels is resolved when pages are read
  ReadOptions::Format format = ReadOptions::Format::kAuto;  ///< as it turned out
  std::vector<std::string> feature_names, label_names;
  LabelTable labels;
  TinyValues tiny;           ///< of all rows; their number is not kept
  std::int64_t dropped = 0;  ///< rows of the texts that were left out because they have no label
  Reading read;              ///< how the texts were read, for Schema
};

std::string origin_bytes(const PageOrigin& origin);
/// The version of a page file with this origin.
std::uint32_t version_of(const PageOrigin& origin);
/// Throws an input Error: the bytes are untrusted. `name` and `version` are the page file's.
PageOrigin parse_origin(const std::string& bytes, const std::string& name, std::uint32_t version);

/// Whether what it says of rows, features, labels and values is true of the pages.
bool fits_pages(const PageOrigin& origin, const PageFile& file);

/// Device, inode and change time don't count: a page file may move with its text.
bool same_state(const FileStamp& a, const FileStamp& b);

/// Whether nobody touched the file: inode and change time count too, since times of writing can be set.
bool untouched(const FileStamp& a, const FileStamp& b);

/// A digest of a file's bytes: of all in a small one, else of its head, its tail and samples between. For file systems
/// that record no change times.
std::uint64_t text_digest(const std::string& path);

/// Whether these are the same map, or none both times.
bool same_table(const std::shared_ptr<const TableMap>& a, const std::shared_ptr<const TableMap>& b);

/// Whether pages read by `have` are those that `want` asks for.
bool same_rows(const ReadOptions& have, const ReadOptions& want);

/// The path of a text as recorded in a page file at `pages`, and back.
std::string recorded_path(const std::string& text, const std::string& pages);
std::string resolved_path(const std::string& recorded, const std::string& pages);

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

/// The texts of a page file once they are all read: given the first row of each that has rows, else −1, and the number
/// of all rows.
using TextsOfPages = std::function<std::vector<PageText>(std::vector<std::int64_t> first_row, std::int64_t rows)>;

/// Writes the rows of a stream as pages to `file`. `texts`: none where rows can't be read again as written. `cache`:
/// `--cache` will keep it. Gives the file back, not yet committed; it may have no rows. Throws Error with file, line
/// and column.
StreamedFile write_pages(PageStream& stream, const ReadOptions& options, StreamedFile file, const TextsOfPages& texts,
                         const Observer& observe, bool cache = false);

/// The same of texts. `pages`: the path that the file will have, "" for none.
StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe, bool cache = false);

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
