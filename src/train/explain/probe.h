// A probe is a set of additional encoders after those of a map, one for each column, that show what is written in a
// row.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// The map's encoders followed by probes: numbers and days without scaling, counts of terms. Missing values and values
/// that aren't known have features of their own. Values are doubles.
TableMap with_probes(const TableMap& map);

/// The position of each encoder of `map`'s probe in with_probes(map).
class ProbeIndex {
 public:
  explicit ProbeIndex(const TableMap& map);

  /// The feature of the probe that shows what is written for a feature of the map. Nothing if none does.
  std::optional<std::uint32_t> written(std::size_t encoder, std::uint32_t place) const;
  /// The features that are 1 for a missing value, and for a value that isn't known.
  std::optional<std::uint32_t> missing(std::size_t encoder) const { return probes_[encoder].missing; }
  std::optional<std::uint32_t> unseen(std::size_t encoder) const { return probes_[encoder].unseen; }
  /// The features of a text or a hashed category that show that something is known.
  std::uint32_t begin(std::size_t encoder) const { return probes_[encoder].begin; }
  std::uint32_t end(std::size_t encoder) const { return probes_[encoder].end; }

 private:
  struct Probe {
    std::uint32_t begin = 0, end = 0;  ///< its features, except for missing values and unseen values
    std::uint32_t written = 0;         ///< in the first `written` of them, the value is what is written
    std::optional<std::uint32_t> missing, unseen;
  };
  std::vector<Probe> probes_;
};

}  // namespace linsep
