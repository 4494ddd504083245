#include "linsep/table/map.h"

#include <algorithm>
#include <limits>

#include "linsep/error.h"

namespace linsep {
namespace {

std::uint64_t part_features(Encoder::Part part) {
  switch (part) {
    case Encoder::Part::kDays:
      return 1;
    case Encoder::Part::kWeekday:
      return 7;
    case Encoder::Part::kMonth:
      return 12;
    case Encoder::Part::kHour:
      return 24;
  }
  return 0;
}

/// Of values or terms, without the feature of a hole.
std::uint64_t term_features(const Encoder& encoder) {
  if (encoder.bits > 0) return std::uint64_t{1} << encoder.bits;
  return encoder.terms.size() + (encoder.rare ? 1 : 0);
}

std::uint64_t features_of_column(const TableMap& map, const std::string& column) {
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    const Encoder& encoder = map.encoders[i];
    if (encoder.kind != Encoder::Kind::kCross && encoder.column == column) return encoder_features(map, i);
  }
  return 0;
}

}  // namespace

std::uint64_t encoder_features(const TableMap& map, std::size_t encoder) {
  const Encoder& e = map.encoders[encoder];
  const std::uint64_t hole = e.missing ? 1 : 0;
  switch (e.kind) {
    case Encoder::Kind::kNumber:
      return 1 + hole;
    case Encoder::Kind::kCategory:
      return term_features(e) + hole;
    case Encoder::Kind::kText:
      return term_features(e);
    case Encoder::Kind::kVector:
      return e.size;
    case Encoder::Kind::kDate: {
      std::uint64_t features = hole;
      for (const Encoder::Part part : e.parts) features += part_features(part);
      return features;
    }
    case Encoder::Kind::kCross:
      if (e.cross == Encoder::Cross::kNumbers) return 1;
      return e.cross == Encoder::Cross::kCategories ? term_features(e) : features_of_column(map, e.second);
  }
  return 0;
}

std::vector<std::uint32_t> encoder_starts(const TableMap& map) {
  std::vector<std::uint32_t> starts;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i <= map.encoders.size(); ++i) {
    if (at > std::numeric_limits<std::uint32_t>::max()) {
      throw input_error("the table has more than 4294967295 features: say fewer bits, or leave columns out");
    }
    starts.push_back(static_cast<std::uint32_t>(at));
    if (i < map.encoders.size()) at += encoder_features(map, i);
  }
  return starts;
}

}  // namespace linsep
