// LabelColumns: the labels of a source, whether a row has one label, one in each of several columns, or a set of
// labels.
//
// Several columns are resolved one by one, each like a single label. A row's label is then an index in the list of
// combinations that occur (Schema::combinations), so a row still has one number for a label, however many columns there
// are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/keyed_map.h"
#include "format/labels/labels.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {

struct ShardLabels {
  std::vector<std::vector<ClassFirstSeen>> classes;  ///< of each label column. Sets have their labels as one column
  std::vector<std::string> combinations;  ///< for several label columns: an index ('0' or '1') in each column's classes
  std::vector<std::vector<std::uint64_t>> sets;  ///< for sets: indices in `classes[0]`, ascending
};

std::string shard_labels_to_bytes(const ShardLabels& labels);
ShardLabels shard_labels_from_bytes(const std::string& bytes);

/// A label that can't be accepted, in row `row` (from 0) of shard `shard`.
struct ShardLabelError {
  std::size_t shard = 0;
  std::int64_t row = 0;
  std::string message;
};

/// The classes of column `column` over all shards, in the order of the rows. `refuse` is called for each class with the
/// classes before it. Throws ShardLabelError for the first class for which it returns a reason.
std::vector<std::string> merge_classes(
    std::span<const ShardLabels> shards, std::size_t column,
    const std::function<std::string(std::span<const std::string>, const std::string&)>& refuse);

/// The positions in the merged list of the classes that a shard met in a column.
std::vector<std::size_t> places_in(const std::vector<std::string>& merged, const std::vector<ClassFirstSeen>& met);

class LabelSets {
 public:
  /// If labels are known beforehand, `options.classes` is "" and the name of the first label, "" and that of the
  /// second, …. Throws a usage Error for a stream without them.
  LabelSets(const ReadOptions& options, LabelScope scope);

  /// Like LabelResolver's. The label of a row becomes its index among the combinations.
  void take(ParsedPage& parsed);
  /// Sorts the labels: numbers by size, words by their bytes.
  void finish();

  /// Like those of LabelColumns.
  ShardLabels met() const;
  void adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  void describe(Schema& schema) const;

 private:
  std::size_t place_of(const std::string& set, std::int64_t row);
  std::size_t label_of(const std::string& name, std::int64_t row);

  bool given_ = false;
  bool shard_ = false;
  std::int64_t rows_ = 0;                      ///< taken before the current page
  std::vector<std::string> names_;             ///< in the order met, or as given
  std::vector<std::int64_t> met_in_;           ///< the row in which each was met
  KeyedMap<std::string, std::size_t> number_;  ///< of each name
  std::map<std::vector<std::size_t>, std::size_t> place_;
  std::vector<std::vector<std::size_t>> sets_;  ///< numbers of labels, ascending, in the order of `place_`
  KeyedMap<std::string, std::size_t> known_;    ///< indices of sets, by their text
};

class LabelColumns {
 public:
  /// `names` are those of several label columns, else empty. `options.classes` is then empty, or has negative and
  /// positive of the first column, of the second, ….
  LabelColumns(const ReadOptions& options, std::vector<std::string> names, LabelScope scope);

  /// Like those of LabelResolver.
  void take(ParsedPage& parsed);
  void finish(std::span<Page> pages, std::int64_t rows, const std::string& name);

  /// For a shard. `met` returns what it has, after its last page. `adopt` gets what all shards have (`own` is the index
  /// of this one), and continues as if this shard had read them all. Throws ShardLabelError.
  ShardLabels met() const;
  void adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  /// Writes the classes, names of label columns and combinations known so far.
  void describe(Schema& schema) const;

 private:
  void adopt_combinations(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  std::optional<LabelSets> sets_;  ///< used instead of everything below
  bool labelled_ = true;
  std::vector<std::string> names_;
  std::vector<LabelResolver> resolvers_;  ///< of each column, or the only one
  std::vector<std::string> combinations_;
  KeyedMap<std::string, std::size_t> place_;  ///< of each combination
};

/// Totals over all workers, once each has read its own rows.
struct ShardTotals {
  std::int64_t rows = 0;
  std::int64_t rows_before = 0;  ///< of the workers before this one
  std::uint32_t features = 0;    ///< of the widest row
};

/// Adds up the rows of all workers. A collective call.
ShardTotals count_together(std::int64_t rows, std::uint32_t features, Comm& comm);

/// Exchanges labels among the workers, so that each continues as if it had read those of all. `error_at` makes the
/// Error about the label of a row of this worker's, and all workers throw the same one. A collective call.
using RowError = std::function<Error(std::int64_t row, const std::string& message)>;
void adopt_labels(LabelColumns& labels, std::span<Page> pages, Comm& comm, const RowError& error_at);

/// Ends the reading of rows into memory: counts them, resolves labels and numbers rows over all workers. `name` is that
/// of all files, for messages. Throws an input Error if there are no rows to learn from. A collective call.
ShardTotals finish_pages(LabelColumns& labels, std::span<Page> pages, std::uint32_t features,
                         const ReadOptions& options, const std::string& name, Comm& comm, const RowError& error_at);

}  // namespace linsep
