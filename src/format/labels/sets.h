// LabelSets: labels such as "1,3,7", where a row has any number of labels out of many.
//
// Each label becomes a label column: a row has it (its positive class, named like the label) or not (the negative
// class, whose name is empty). Names are those of classes: "1.0" and "1" are one label.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/labels/labels.h"
#include "format/labels/shard_labels.h"

namespace linsep {

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
  std::int64_t rows_ = 0;                                ///< taken before the page at hand
  std::vector<std::string> names_;                       ///< as they were met, or as given
  std::vector<std::int64_t> met_in_;                     ///< the row in which each was met
  std::unordered_map<std::string, std::size_t> number_;  ///< of each name
  std::map<std::vector<std::size_t>, std::size_t> place_;
  std::vector<std::vector<std::size_t>> sets_;          ///< numbers of labels, ascending, in the order of `place_`
  std::unordered_map<std::string, std::size_t> known_;  ///< indices of sets as they were written
};

}  // namespace linsep
