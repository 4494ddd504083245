// Reading data sets from files, standard input and arrays.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

struct Model;
struct TableCounts;
struct TableMap;

struct ReadOptions {
  enum class Format { kAuto, kSvmlight, kCsv, kTsv };
  Format format = Format::kAuto;  ///< kAuto goes by the name's ending (before .gz, .zst), otherwise the first line
  bool double_values = false;     ///< keep values as double instead of float
  /// For proofs. A value that isn't 0 as written but is read as 0, or as a double below 2^-1022, is an Error.
  bool exact_values = false;
  int threads = 0;                        ///< parsing threads, 0 for one per core. Never changes the result
  std::uint32_t features = 0;             ///< at least this many features (a model's, for prediction)
  bool regression = false;                ///< labels are numbers to be predicted, not classes
  bool labelled = true;                   ///< if false, labels are skipped, and rows without one are fine
  bool many_classes = false;              ///< allow more than two classes, see Schema. Otherwise a third is an Error
  std::vector<std::string> classes = {};  ///< {negative, positive} as written. If empty, found in the data
  bool label_sets = false;  ///< a label such as 1,3,7 is a set, and every label in it is a label column, see Schema
  /// A label that is empty, NA, NaN, null or ? is an Error with its row. If true, such rows are left out
  /// (Schema::dropped).
  bool drop_missing_labels = false;
  std::string positive = {};  ///< which class is positive. If empty, the larger number or later word
  bool cache = false;         ///< keep a page file next to each text, and use it if it is up to date
  /// Bytes for all of this process. Rows that might not fit stay on disk. If 0, all rows are held in memory, as far as
  /// the system has it.
  std::uint64_t memory = 0;
  /// Set from elsewhere to stop. `load`, `convert` and a stream that waits for input then throw an Error of kind
  /// kInterrupted.
  const std::atomic<bool>* interrupt = nullptr;

  // CSV and TSV only.
  std::optional<bool> header = {};       ///< if unset, the first line is a header if a feature field isn't a number
  char delimiter = 0;                    ///< 0: ',' for CSV, tab for TSV
  std::string label = {};                ///< name or number (from 1) of the label's column. If empty, the last
  std::vector<std::string> labels = {};  ///< several label columns, of two classes each. Then `label` is ignored
  std::string id = {};                   ///< a column that names rows and isn't a feature
  std::string weight = {};               ///< a column with row weights
  std::vector<std::string> ignore = {};  ///< columns to leave out
  /// A model's feature names. If this isn't empty and there is a header, these columns are the features, wherever they
  /// are, and a column without another purpose is ignored.
  std::vector<std::string> feature_names = {};
  /// How columns become features (table/map.h). Rows are handed out encoded. If null or empty, features are numbers,
  /// taken as they are. Columns that the map doesn't name and that have no other purpose are ignored.
  std::shared_ptr<const TableMap> table = {};
  std::shared_ptr<TableCounts> counts = {};  ///< if set, filled with the counts of rows that are encoded
};

/// The format that an option calls "svmlight", "csv" or "tsv", or kAuto for "auto". Throws a usage Error for another
/// name.
ReadOptions::Format format_named(const std::string& name);
/// These names, without "auto".
std::vector<std::string> format_names();

/// Reads everything into memory, one page per chunk. "-" is standard input. gzip, zstd and page files are recognized by
/// content. With `memory` rows may stay on disk (see `convert`), and then few pages are in memory at once. Throws Error
/// with file, line and column.
std::unique_ptr<Source> load(const std::string& path, const ReadOptions& options, const Observer& observe = {});

/// Several files as one data set, whose rows continue from one file to the next, shared among workers. The bytes of all
/// files are cut into `comm.size()` ranges of about the same length. A worker has the rows that begin in its range, so
/// all shards together, by rank, are what one worker reads. Compressed files aren't cut, and neither are CSV files with
/// a newline in quotes at the place of a cut. Every worker must see the same files.
/// Rows are numbered and labels resolved over all shards. `shape` counts this worker's rows, but the features of all. A
/// worker may have no rows. `written` returns this worker's rows. With `memory` and `cache` each worker makes the page
/// files of its own rows.
/// A collective call. Bad input is the same Error on all workers, the one of the lowest rank.
std::unique_ptr<Source> load(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                             const Observer& observe = {});

/// The same for svmlight text that is in memory already, as if `load` read a file called `name` with this content.
/// Options about files don't count, and there are no label sets.
std::unique_ptr<Source> load_text(std::string text, const std::string& name, const ReadOptions& options);

/// A source that reads the file again in each pass, in bounded memory. Standard input can be read only once. Labels
/// other than {−1,+1} or {0,1} need `classes`, and so do several label columns.
std::unique_ptr<Source> open_stream(const std::string& path, const ReadOptions& options);

/// Several files as one, shared among workers as by `load`. Opening is a collective call, but reading isn't. So bad
/// input is an Error of the worker that finds it, and rows are numbered from 0 on every worker.
std::unique_ptr<Source> open_stream(std::span<const std::string> paths, const ReadOptions& options, Comm& comm);
/// The content of a page file.
struct Conversion {
  Shape shape;
  std::uint64_t pages = 0, bytes = 0;
};

/// Writes the rows of a text as a page file (docs/reference/formats/pages.md), in bounded memory. It appears whole or
/// not at all. Classes aren't resolved by it, and `options` only determine how to read rows, and whether labels make
/// sense.
Conversion convert(const std::string& path, const std::string& output, const ReadOptions& options,
                   const Observer& observe = {});
/// Several texts as one page file, whose rows continue from one text to the next.
Conversion convert(std::span<const std::string> paths, const std::string& output, const ReadOptions& options,
                   const Observer& observe = {});

/// A worker's shard as a source that also has access to the other shards. Passes and batches are those of `shard`.
/// `shape` counts the rows and nonzeros of all. `written` returns rows of all of them, so it is a collective call, for
/// which every worker asks for the same rows. REQUIRES: shards of known size, numbered through in the order of the
/// ranks, and `shard` and `comm` outlive the result. A collective call.
std::unique_ptr<Source> rows_of_all(Source& shard, Comm& comm);

/// The options to read rows that `model` will score. They are `base` with the model's classes, its label columns and
/// its features, by name if they have names.
ReadOptions read_options_for(const Model& model, ReadOptions base = {});

/// Throws an input Error, which names `path`, if the columns of `source` don't have the names of the model's features.
void check_feature_names(const Model& model, const Source& source, const std::string& path);

/// Arrays owned by someone else as a source, without a copy. They must outlive it, but the Batch itself needn't. Throws
/// a usage Error if sizes don't fit. Throws an input Error if a label isn't possible under the schema, labels are
/// missing though it names classes, or a weight is negative or not finite. Columns and values are left to `check_rows`.
std::unique_ptr<Source> view(const Batch& batch, Schema schema);

/// Goes through arrays that nobody has checked yet, on `threads` threads (0 for one per core). Offsets must ascend,
/// columns ascend strictly and lie below `features`, values be finite, labels be possible under the schema, and weights
/// be finite and not negative. If one of these doesn't hold, throws an input Error that names the first row, and in it
/// the first column, as in "row 17, column 3: NaN is not a finite number". Rows and columns count from 1. Sizes that
/// don't fit are a usage Error.
void check_rows(const Batch& batch, const Schema& schema, int threads = 0);

}  // namespace linsep
