// ShardLabels: the labels that a shard of the rows has, for the other shards to know; and those of all put together.
//
// Classes, labels of sets and combinations count as met in the order of the rows, so the shards' lists put behind one
// another, each entry where it stands first, are the list that one reader of all rows would have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/labels/labels.h"

namespace linsep {

struct ShardLabels {
  std::vector<std::vector<MetClass>> classes;  ///< of each label column; of sets: the labels, as one column
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
std::vector<std::size_t> places_in(const std::vector<std::string>& merged, const std::vector<MetClass>& met);

}  // namespace linsep
