#include "table/prepared.h"

#include <algorithm>
#include <utility>

#include "table/terms.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

/// The kind of the columns that a cross names.
Kind crossed_kind(const Encoder& encoder, bool second) {
  switch (encoder.cross) {
    case Encoder::Cross::kCategories:
      return Kind::kCategory;
    case Encoder::Cross::kNumberCategory:
      return second ? Kind::kCategory : Kind::kNumber;
    case Encoder::Cross::kNumbers:
      return Kind::kNumber;
  }
  return Kind::kNumber;
}

std::size_t place_of(const std::vector<AskedColumn>& columns, const std::string& name) {
  return static_cast<std::size_t>(
      std::find_if(columns.begin(), columns.end(), [&](const AskedColumn& column) { return column.name == name; }) -
      columns.begin());
}

/// The encoder of a column itself, that crosses multiply.
std::size_t encoder_of(const TableMap& map, const std::string& column) {
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    if (map.encoders[i].kind != Kind::kCross && map.encoders[i].column == column) return i;
  }
  return 0;
}

bool is_number(const Encoder& encoder) {
  return encoder.kind == Kind::kNumber || encoder.kind == Kind::kVector ||
         (encoder.kind == Kind::kCross && encoder.cross == Encoder::Cross::kNumbers);
}

}  // namespace

std::vector<AskedColumn> asked_columns(const TableMap& map) {
  std::vector<AskedColumn> columns;
  const auto ask = [&](AskedColumn column) {
    if (place_of(columns, column.name) == columns.size()) columns.push_back(std::move(column));
  };
  for (const Encoder& encoder : map.encoders) {
    if (encoder.kind == Kind::kCross) {
      ask({encoder.column, crossed_kind(encoder, false), "", 0});
      ask({encoder.second, crossed_kind(encoder, true), "", 0});
    } else {
      ask({encoder.column, encoder.kind, encoder.kind == Kind::kDate ? encoder.format : "",
           encoder.kind == Kind::kVector ? encoder.size : 0});
    }
  }
  return columns;
}

std::uint64_t key_of_value(const Encoder& encoder, std::string_view term) {
  if (encoder.kind != Kind::kCross) return value_key(term);
  const std::size_t between = std::min(term.find('\x1f'), term.size());
  return pair_key(value_key(term.substr(0, between)), value_key(term.substr(std::min(between + 1, term.size()))));
}

CategoryIndex::CategoryIndex(const Encoder& encoder) : bits_(encoder.bits) {
  if (bits_ == 0) {
    std::vector<std::uint64_t> keys;
    keys.reserve(encoder.terms.size());
    for (const std::string& term : encoder.terms) keys.push_back(key_of_value(encoder, term));
    table_ = KeyTable(keys);
    if (encoder.rare) rare_ = static_cast<std::uint32_t>(encoder.terms.size());
  } else if (!encoder.every_bucket) {
    used_.resize(((std::size_t{1} << bits_) + 63) / 64);
    for (const std::uint32_t bucket : encoder.buckets) used_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
  }
}

PreparedTable::PreparedTable(std::shared_ptr<const TableMap> map) : map_(std::move(map)) {
  columns_ = asked_columns(*map_);
  const std::vector<std::uint32_t> starts = encoder_starts(*map_);
  features_ = starts.back();
  dense_ = std::all_of(map_->encoders.begin(), map_->encoders.end(), is_number);
  auto parts = std::make_unique<Parts>();
  for (std::size_t i = 0; i < map_->encoders.size(); ++i) {
    const Encoder& encoder = map_->encoders[i];
    PreparedEncoder& prepared = parts->encoders.emplace_back();
    prepared.encoder = &encoder;
    prepared.start = starts[i];
    if (encoder.missing) prepared.hole = starts[i + 1] - starts[i] - 1;
    prepared.column = place_of(columns_, encoder.column);
    const bool cross = encoder.kind == Kind::kCross;
    if (cross) prepared.second = place_of(columns_, encoder.second);
    if (encoder.kind == Kind::kCategory || (cross && encoder.cross == Encoder::Cross::kCategories)) {
      prepared.categories = CategoryIndex(encoder);
    } else if (cross) {
      prepared.first_of = encoder_of(*map_, encoder.column);
      prepared.second_of = encoder_of(*map_, encoder.second);
    } else if (encoder.kind == Kind::kText) {
      prepared.text = std::make_unique<TextIndex>(encoder);
    }
  }
  parts_ = std::move(parts);
}

PreparedTable::~PreparedTable() = default;

int PreparedTable::written_column(std::uint32_t feature) const {
  const auto& encoders = parts_->encoders;
  const auto behind = std::upper_bound(encoders.begin(), encoders.end(), feature,
                                       [](std::uint32_t f, const PreparedEncoder& e) { return f < e.start; });
  if (behind == encoders.begin()) return -1;
  const PreparedEncoder& prepared = *std::prev(behind);
  const Encoder& encoder = *prepared.encoder;
  const bool written =
      encoder.kind == Kind::kNumber && feature == prepared.start && encoder.shift == 0 && encoder.factor == 1;
  return written ? static_cast<int>(prepared.column) : -1;
}

}  // namespace linsep
