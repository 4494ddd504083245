// A probe: encoders behind those of a map, one for each column, that tell what is written in a row.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// The map's encoders, and behind them probes: numbers and days without scaling, counts of terms. Missing values and
/// values that aren't known have features of their own. Values are doubles.
TableMap with_probes(const TableMap& map);

/// Where the probe of each encoder of `map` is in with_probes(map).
class ProbeIndex {
 public:
  explicit ProbeIndex(const TableMap& map);

  /// The feature of the probe that says what is written for a feature of the map; nothing where none does.
  std::optional<std::uint32_t> written(std::size_t encoder, std::uint32_t place) const;
  /// The features that are 1 for a missing value, and for a value that isn't known.
  std::optional<std::uint32_t> missing(std::size_t encoder) const { return probes_[encoder].missing; }
  std::optional<std::uint32_t> unseen(std::size_t encoder) const { return probes_[encoder].unseen; }
  /// Of a text or a hashed category: the features that say that something is known.
  std::uint32_t begin(std::size_t encoder) const { return probes_[encoder].begin; }
  std::uint32_t end(std::size_t encoder) const { return probes_[encoder].end; }

 private:
  struct Probe {
    std::uint32_t begin = 0, end = 0;  ///< its features, but for missing values and unseen values
    std::uint32_t written = 0;         ///< of so many of them, the first, the value is what is written
    std::optional<std::uint32_t> missing, unseen;
  };
  std::vector<Probe> probes_;
};

}  // namespace linsep
