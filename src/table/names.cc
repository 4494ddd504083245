// What encoded features are called. For people: who needs to know what a feature is asks the encoder.
#include <fmt/format.h>

#include <algorithm>

#include "linsep/table/map.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Part = Encoder::Part;

constexpr std::string_view kBetween = "\x1f";  // the values of a cross

/// `a=x*b=y` of a cross, `a=x` of a category; `a:x` of a text, and `a:'x '` where x are characters, which may be blank.
std::string term_name(const Encoder& e, std::string_view term) {
  if (e.kind == Kind::kText) {
    return e.chars.none() ? fmt::format("{}:{}", e.column, term) : fmt::format("{}:'{}'", e.column, term);
  }
  if (e.kind == Kind::kCategory) return fmt::format("{}={}", e.column, term);
  const std::size_t at = term.find(kBetween);
  if (at == std::string_view::npos) return fmt::format("{}*{}={}", e.column, e.second, term);
  return fmt::format("{}={}*{}={}", e.column, term.substr(0, at), e.second, term.substr(at + kBetween.size()));
}

/// What stands before the value of a feature that isn't a term's.
std::string block_name(const Encoder& e) {
  if (e.kind == Kind::kText) return e.column + ":";
  return (e.kind == Kind::kCross ? e.column + "*" + e.second : e.column) + "=";
}

/// Of values or terms; `place` counts within the encoder.
std::string value_name(const Encoder& e, std::uint32_t place) {
  if (e.bits == 0) return place < e.terms.size() ? term_name(e, e.terms[place]) : block_name(e) + "(rare)";
  const auto found =
      std::lower_bound(e.names.begin(), e.names.end(), place,
                       [](const BucketName& name, std::uint32_t bucket) { return name.bucket < bucket; });
  if (found != e.names.end() && found->bucket == place) return term_name(e, found->first);
  return fmt::format("{}#{}", block_name(e), place);
}

/// Days of the week count from 1, Monday, as ISO 8601 has them; months from 1; hours from 0.
std::string date_name(const Encoder& e, std::uint32_t place) {
  for (const Part part : e.parts) {
    std::uint32_t size = 1;
    std::string name = e.column + ":days";
    if (part == Part::kWeekday) {
      size = 7;
      name = fmt::format("{}:weekday={}", e.column, place + 1);
    } else if (part == Part::kMonth) {
      size = 12;
      name = fmt::format("{}:month={}", e.column, place + 1);
    } else if (part == Part::kHour) {
      size = 24;
      name = fmt::format("{}:hour={}", e.column, place);
    }
    if (place < size) return name;
    place -= size;
  }
  return e.column + " is missing";
}

std::string name_within(const TableMap& map, const Encoder& e, std::uint32_t place) {
  const std::uint64_t values = e.bits > 0 ? std::uint64_t{1} << e.bits : e.terms.size() + (e.rare ? 1 : 0);
  switch (e.kind) {
    case Kind::kNumber:
      return place == 0 ? e.column : e.column + " is missing";
    case Kind::kCategory:
      return place < values ? value_name(e, place) : e.column + " is missing";
    case Kind::kText:
      return value_name(e, place);
    case Kind::kDate:
      return date_name(e, place);
    case Kind::kVector:
      return fmt::format("{}[{}]", e.column, place);
    case Kind::kCross:
      break;
  }
  if (e.cross == Encoder::Cross::kNumbers) return e.column + "*" + e.second;
  if (e.cross == Encoder::Cross::kCategories) return value_name(e, place);
  for (const Encoder& other : map.encoders) {
    if (other.kind == Kind::kCategory && other.column == e.second) {
      return e.column + "*" + name_within(map, other, place);
    }
  }
  return fmt::format("{}*{}=#{}", e.column, e.second, place);
}

}  // namespace

std::string encoded_name(const TableMap& map, std::uint32_t feature) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    const std::uint64_t features = encoder_features(map, i);
    if (feature < start + features) {
      // A column that has only a number is called x1, as features without a name are everywhere.
      const std::string name = name_within(map, map.encoders[i], static_cast<std::uint32_t>(feature - start));
      return map.header ? name : fmt::format("x{}", name);
    }
    start += features;
  }
  return fmt::format("#{}", feature);
}

}  // namespace linsep
