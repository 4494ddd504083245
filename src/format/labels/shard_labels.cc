#include "format/labels/shard_labels.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/bytes.h"

namespace linsep {

std::string shard_labels_to_bytes(const ShardLabels& labels) {
  ByteWriter writer;
  writer.number<std::uint64_t>(labels.classes.size());
  for (const std::vector<MetClass>& column : labels.classes) {
    writer.number<std::uint64_t>(column.size());
    for (const MetClass& met : column) {
      writer.text(met.name);
      writer.number(met.row);
    }
  }
  writer.number<std::uint64_t>(labels.combinations.size());
  for (const std::string& combination : labels.combinations) writer.text(combination);
  writer.number<std::uint64_t>(labels.sets.size());
  for (const auto& set : labels.sets) writer.numbers(set);
  return writer.bytes();
}

ShardLabels shard_labels_from_bytes(const std::string& bytes) {
  ByteReader reader(bytes);
  ShardLabels labels;
  labels.classes.resize(reader.number<std::uint64_t>());
  for (std::vector<MetClass>& column : labels.classes) {
    column.resize(reader.number<std::uint64_t>());
    for (MetClass& met : column) {
      met.name = reader.text();
      met.row = reader.number<std::int64_t>();
    }
  }
  labels.combinations.resize(reader.number<std::uint64_t>());
  for (std::string& combination : labels.combinations) combination = reader.text();
  labels.sets.resize(reader.number<std::uint64_t>());
  for (auto& set : labels.sets) set = reader.numbers<std::uint64_t>();
  return labels;
}

std::vector<std::string> merge_classes(
    std::span<const ShardLabels> shards, std::size_t column,
    const std::function<std::string(std::span<const std::string>, const std::string&)>& refuse) {
  std::vector<std::string> merged;
  std::unordered_set<std::string> known;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (const MetClass& met : shards[s].classes[column]) {
      if (!known.insert(met.name).second) continue;
      std::string reason = refuse(merged, met.name);
      if (!reason.empty()) throw ShardLabelError{s, met.row, std::move(reason)};
      merged.push_back(met.name);
    }
  }
  return merged;
}

std::vector<std::size_t> places_in(const std::vector<std::string>& merged, const std::vector<MetClass>& met) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t k = 0; k < merged.size(); ++k) place.emplace(merged[k], k);
  std::vector<std::size_t> places;
  for (const MetClass& one : met) places.push_back(place.at(one.name));
  return places;
}

}  // namespace linsep
