// LabelColumns: the labels of a source, whether a row has one label, one in each of several columns, or a set of
// labels.
//
// Of several columns, each is resolved by itself as one alone would be. A row's label is then an index in the list of
// combinations that occur (Schema::combinations), so that a row still has one number for a label, however many columns
// there are.
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
  std::vector<std::vector<ClassFirstSeen>> classes;  ///< of each label column; of sets: the labels, as one column
  std::vector<std::string> combinations;  ///< of several label columns: an index ('0' or '1') in each column's classes
  std::vector<std::vector<std::uint64_t>> sets;  ///< of sets: indices in `classes[0]`, ascending
};

std::string shard_labels_to_bytes(const ShardLabels& labels);
ShardLabels shard_labels_from_bytes(const std::string& bytes);

/// A label that can't be taken, in row `row` (from 0) of shard `shard`.
struct ShardLabelError {
  std::size_t shard = 0;
  std::int64_t row = 0;
  std::string message;
};

/// The classes of column `column` over all shards, in the order of the rows. Throws ShardLabelError for the first that
/// `refuse` gives a reason against: it is asked with the classes before it.
std::vector<std::string> merge_classes(
    std::span<const ShardLabels> shards, std::size_t column,
    const std::function<std::string(std::span<const std::string>, const std::string&)>& refuse);

/// Where the classes that a shard met in a column stand in the merged list.
std::vector<std::size_t> places_in(const std::vector<std::string>& merged, const std::vector<ClassFirstSeen>& met);

class LabelSets {
 public:
  /// `options.classes`: "" and the name of the first label, of the second, …, where labels are known beforehand. Throws
  /// a usage Error for a stream without them.
  LabelSets(const ReadOptions& options, LabelScope scope);

  /// As those of LabelResolver: the label of a row becomes its index among the combinations.
  void take(ParsedPage& parsed);
  /// Puts the labels in their order: numbers by size, words by their bytes.
  void finish();

  /// As those of LabelColumns.
  ShardLabels met() const;
  void adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  void describe(Schema& schema) const;

 private:
  std::size_t place_of(const std::string& set, std::int64_t row);
  std::size_t label_of(const std::string& name, std::int64_t row);

  bool given_ = false;
  bool shard_ = false;
  std::int64_t rows_ = 0;                      ///< taken before the page at hand
  std::vector<std::string> names_;             ///< as they were met, or as given
  std::vector<std::int64_t> met_in_;           ///< the row in which each was met
  KeyedMap<std::string, std::size_t> number_;  ///< of each name
  std::map<std::vector<std::size_t>, std::size_t> place_;
  std::vector<std::vector<std::size_t>> sets_;  ///< numbers of labels, ascending, in the order of `place_`
  KeyedMap<std::string, std::size_t> known_;    ///< indices of sets as they were written
};

class LabelColumns {
 public:
  /// `names`: of several label columns; else empty. `options.classes` are then negative and positive of the first, of
  /// the second, …, or empty.
  LabelColumns(const ReadOptions& options, std::vector<std::string> names, LabelScope scope);

  /// As those of LabelResolver.
  void take(ParsedPage& parsed);
  void finish(std::span<Page> pages, std::int64_t rows, const std::string& name);

  /// Of a shard: what it has, after its last page; and with what all shards have (`own`: which is this one) it
  /// continues as if it had read them all. Throws ShardLabelError.
  ShardLabels met() const;
  void adopt(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  /// Writes classes, names of label columns and combinations as they are known by now.
  void describe(Schema& schema) const;

 private:
  void adopt_combinations(std::span<const ShardLabels> shards, std::size_t own, std::span<Page> pages);

  std::optional<LabelSets> sets_;  ///< in place of all below
  bool labelled_ = true;
  std::vector<std::string> names_;
  std::vector<LabelResolver> resolvers_;  ///< of each column; without several, the only one
  std::vector<std::string> combinations_;
  KeyedMap<std::string, std::size_t> place_;  ///< of each combination
};

/// What all workers have read, once each has read its own.
struct ShardTotals {
  std::int64_t rows = 0;
  std::int64_t rows_before = 0;  ///< of the workers before this one
  std::uint32_t features = 0;    ///< of the widest row
};

/// Adds up the rows of all workers. A collective call.
ShardTotals count_together(std::int64_t rows, std::uint32_t features, Comm& comm);

/// The workers tell each other their labels; each continues as if it had read those of all. `error_at` makes the Error
/// about the label of a row of this worker's, which is the same on all. A collective call.
using RowError = std::function<Error(std::int64_t row, const std::string& message)>;
void adopt_labels(LabelColumns& labels, std::span<Page> pages, Comm& comm, const RowError& error_at);

/// Ends the reading of rows into memory: counts them, resolves labels and numbers rows over all workers. `name` is that
/// of all files, for messages. Throws an input Error where there are no rows to learn from. A collective call.
ShardTotals finish_pages(LabelColumns& labels, std::span<Page> pages, std::uint32_t features,
                         const ReadOptions& options, const std::string& name, Comm& comm, const RowError& error_at);

}  // namespace linsep
