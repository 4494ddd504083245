// A batch is encoded in two steps. The first goes column by column and makes numbers, places and parts of dates of
// every field, so look-ups stay independent of each other. The second goes row by row and emits what isn't 0.
#include "table/encode.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/deadline.h"
#include "core/keyed_map.h"
#include "table/kind.h"

namespace linsep {
namespace {

/// The encoder of the column itself, which crosses multiply.
std::size_t encoder_of(const TableMap& map, const std::string& column) {
  for (std::size_t i = 0; i < map.encoders.size(); ++i) {
    if (!map.encoders[i].is<CrossEncoder>() && map.encoders[i].column == column) return i;
  }
  return 0;
}

}  // namespace

std::vector<AskedColumn> asked_columns(const TableMap& map) {
  std::vector<AskedColumn> columns;
  KeyedSet<std::string> known;
  for (const Encoder& encoder : map.encoders) {
    for (AskedColumn& column :
         std::visit([&](const auto& kind) { return asked_of(encoder.column, kind); }, encoder.kind)) {
      if (known.insert(column.name).second) columns.push_back(std::move(column));
    }
  }
  return columns;
}

bool has_dense_rows(const TableMap& map) {
  return std::ranges::all_of(map.encoders, [](const Encoder& encoder) {
    const auto* cross = encoder.get<CrossEncoder>();
    return encoder.is<NumberEncoder>() || encoder.is<VectorEncoder>() ||
           (cross != nullptr && cross->of == CrossEncoder::Of::kNumbers);
  });
}

PreparedTable::PreparedTable(std::shared_ptr<const TableMap> map) : map_(std::move(map)) {
  columns_ = asked_columns(*map_);
  const std::vector<std::uint32_t> starts = encoder_starts(*map_);
  features_ = starts.back();
  dense_ = has_dense_rows(*map_);
  auto parts = std::make_unique<Parts>();
  KeyedMap<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < columns_.size(); ++i) places.emplace(columns_[i].name, i);
  for (std::size_t i = 0; i < map_->encoders.size(); ++i) {
    const Encoder& encoder = map_->encoders[i];
    PreparedEncoder& prepared = parts->encoders.emplace_back();
    prepared.encoder = &encoder;
    prepared.start = starts[i];
    if (encoder.has_indicator()) prepared.hole = starts[i + 1] - starts[i] - 1;
    prepared.column = places.at(encoder.column);
    if (const auto* category = encoder.get<CategoryEncoder>()) prepared.categories = CategoryIndex(*category, false);
    if (const auto* text = encoder.get<TextEncoder>()) prepared.text = std::make_unique<TextIndex>(*text);
    if (const auto* cross = encoder.get<CrossEncoder>()) {
      prepared.second = places.at(cross->second);
      if (cross->of == CrossEncoder::Of::kCategories) prepared.categories = CategoryIndex(*cross, true);
      prepared.first_of = encoder_of(*map_, encoder.column);
      prepared.second_of = encoder_of(*map_, cross->second);
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
  const auto* number = prepared.encoder->get<NumberEncoder>();
  const bool written = number != nullptr && feature == prepared.start && number->shift == 0 && number->factor == 1;
  return written ? static_cast<int>(prepared.column) : -1;
}

struct TableEncoder::State {
  std::vector<EncodedFields> fields;  ///< of each encoder
};

TableEncoder::TableEncoder(std::shared_ptr<const PreparedTable> table)
    : table_(std::move(table)), state_(std::make_unique<State>()) {
  const std::vector<PreparedEncoder>& encoders = table_->parts().encoders;
  state_->fields.resize(encoders.size());
  for (std::size_t e = 0; e < encoders.size(); ++e) {
    if (encoders[e].text) state_->fields[e].text.emplace(*encoders[e].text);
  }
}

TableEncoder::~TableEncoder() = default;

void TableEncoder::encode(const TableBatch& batch, EncodedRows& out, TableCounts* counts) {
  const std::vector<PreparedEncoder>& encoders = table_->parts().encoders;
  std::vector<EncodedFields>& fields = state_->fields;
  for (std::size_t e = 0; e < encoders.size(); ++e) {
    fields[e].unseen = fields[e].holes = 0;
    std::visit([&](const auto& kind) { take_fields(encoders[e], kind, batch, fields[e]); }, encoders[e].encoder->kind);
  }
  const auto rows = static_cast<std::size_t>(batch.rows);
  out.start.reserve(out.start.size() + rows);
  EncodedRow to{batch, fields, out};
  std::int64_t nothing = 0;
  for (; to.row < rows; ++to.row) {
    poll(20 * encoders.size());
    for (to.encoder = 0; to.encoder < encoders.size(); ++to.encoder) {
      const PreparedEncoder& prepared = encoders[to.encoder];
      std::visit([&](const auto& kind) { emit_row(prepared, kind, to); }, prepared.encoder->kind);
    }
    if (out.column.size() == out.start.back()) ++nothing;
    out.start.push_back(out.column.size());
  }
  if (counts == nullptr) return;
  counts->rows += batch.rows;
  counts->nothing += nothing;
  for (std::size_t e = 0; e < encoders.size(); ++e) {
    counts->unseen[e] += fields[e].unseen;
    counts->holes[e] += fields[e].holes;
  }
}

}  // namespace linsep
