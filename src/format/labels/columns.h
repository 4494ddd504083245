// LabelColumns: the labels of a source, whether there is one label column or several.
//
// Of several, each is resolved by itself as one alone would be. A row's label is then an index in the list of
// combinations that occur (Schema::combinations), so that a row still has one number for a label, however many columns
// there are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/labels/labels.h"
#include "format/labels/sets.h"
#include "format/labels/shard_labels.h"

namespace linsep {

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
  std::unordered_map<std::string, std::size_t> place_;  ///< of each combination
};

}  // namespace linsep
