// A batch is encoded in two steps: column by column, what each encoder makes of every field (numbers, places, parts of
// dates), which keeps look-ups independent of each other; then row by row, what isn't 0.
#include "table/encode.h"

#include <cmath>
#include <optional>
#include <utility>

#include "table/date.h"
#include "table/prepared.h"
#include "table/terms.h"
#include "table/text_encoder.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;

constexpr std::uint32_t kNone = KeyTable::kNone;

bool is_missing(const TableColumn& column, std::size_t row) {
  return !column.missing.empty() && column.missing[row] != 0;
}

/// What an encoder makes of the rows of a batch, before they are put together.
struct Fields {
  std::vector<double> number;  ///< encoded: of numbers, and the days of dates
  std::vector<std::uint32_t>
      place;  ///< of categories: the feature or kNone; of dates: month · 256 + weekday · 32 + hour
  std::vector<std::uint8_t> negative;  ///< of categories with signs
  std::vector<std::uint8_t> missing;   ///< of numbers and dates that have a feature for it
  std::optional<TextEncoder> text;
  std::int64_t unseen = 0, holes = 0;
};

double encoded_number(const Encoder& encoder, double x) { return (x - encoder.shift) * encoder.factor; }

void take_numbers(const PreparedEncoder& prepared, const TableColumn& column, std::size_t rows, Fields& fields) {
  const Encoder& encoder = *prepared.encoder;
  fields.number.resize(rows);
  fields.missing.assign(prepared.hole == kNone ? 0 : rows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.number[row];
    const bool hole = is_missing(column, row) || std::isnan(x);
    fields.number[row] = encoded_number(encoder, hole ? encoder.fill : x);
    if (!hole) continue;
    ++fields.holes;
    if (prepared.hole != kNone) fields.missing[row] = 1;
  }
}

void take_dates(const PreparedEncoder& prepared, const TableColumn& column, std::size_t rows, Fields& fields) {
  const Encoder& encoder = *prepared.encoder;
  fields.number.resize(rows);
  fields.place.resize(rows);
  fields.missing.assign(prepared.hole == kNone ? 0 : rows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      fields.number[row] = encoded_number(encoder, encoder.fill);
      fields.place[row] = kNone;
      ++fields.holes;
      if (prepared.hole != kNone) fields.missing[row] = 1;
      continue;
    }
    const DateParts parts = parts_of(column.seconds[row]);
    fields.number[row] = encoded_number(encoder, parts.days);
    fields.place[row] = static_cast<std::uint32_t>(parts.month * 256 + parts.weekday * 32 + parts.hour);
  }
}

void take_key(const PreparedEncoder& prepared, std::uint64_t key, std::size_t row, Fields& fields) {
  bool seen = false;
  fields.place[row] = prepared.categories.feature_of(key, seen);
  if (!seen) ++fields.unseen;
  if (prepared.encoder->has_signs) fields.negative[row] = static_cast<std::uint8_t>(key >> 63);
}

void take_categories(const PreparedEncoder& prepared, const TableColumn& column, std::size_t rows, Fields& fields) {
  fields.place.resize(rows);
  fields.negative.assign(prepared.encoder->has_signs ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      fields.place[row] = prepared.hole;
      ++fields.holes;
    } else {
      take_key(prepared, value_key(column.text[row]), row, fields);
    }
  }
}

void take_pairs(const PreparedEncoder& prepared, const TableBatch& batch, std::size_t rows, Fields& fields) {
  const TableColumn& a = batch.columns[prepared.column];
  const TableColumn& b = batch.columns[prepared.second];
  fields.place.resize(rows);
  fields.negative.assign(prepared.encoder->has_signs ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(a, row) || is_missing(b, row)) {
      fields.place[row] = kNone;
      ++fields.holes;
    } else {
      take_key(prepared, pair_key(value_key(a.text[row]), value_key(b.text[row])), row, fields);
    }
  }
}

void take_column(const PreparedEncoder& prepared, const TableBatch& batch, Fields& fields) {
  const auto rows = static_cast<std::size_t>(batch.rows);
  const TableColumn& column = batch.columns[prepared.column];
  const Encoder& encoder = *prepared.encoder;
  fields.unseen = fields.holes = 0;
  if (encoder.kind == Kind::kNumber) take_numbers(prepared, column, rows, fields);
  if (encoder.kind == Kind::kDate) take_dates(prepared, column, rows, fields);
  if (encoder.kind == Kind::kCategory) take_categories(prepared, column, rows, fields);
  if (encoder.kind == Kind::kCross && encoder.cross == Cross::kCategories) take_pairs(prepared, batch, rows, fields);
}

/// Where values of a row go.
struct Emitter {
  EncodedRows& out;

  void emit(std::uint32_t column, double value) const {
    if (value == 0) return;
    out.column.push_back(column);
    out.value.push_back(value);
  }
};

double sign_of(const Fields& fields, std::size_t row) {
  return !fields.negative.empty() && fields.negative[row] != 0 ? -1 : 1;
}

void emit_date(const PreparedEncoder& prepared, const Fields& fields, std::size_t row, const Emitter& to) {
  std::uint32_t at = prepared.start;
  const std::uint32_t parts = fields.place[row];
  const auto one_of = [&](std::uint32_t part, std::uint32_t size) {
    if (parts != kNone) to.emit(at + part, 1);
    at += size;
  };
  for (const Encoder::Part part : prepared.encoder->parts) {
    switch (part) {
      case Encoder::Part::kDays:
        to.emit(at++, fields.number[row]);
        break;
      case Encoder::Part::kWeekday:
        one_of(parts / 32 % 8, 7);
        break;
      case Encoder::Part::kMonth:
        one_of(parts / 256, 12);
        break;
      case Encoder::Part::kHour:
        one_of(parts % 32, 24);
        break;
    }
  }
}

void emit_cross(const PreparedEncoder& prepared, const std::vector<Fields>& all, std::size_t e, std::size_t row,
                const Emitter& to) {
  if (prepared.encoder->cross == Cross::kCategories) {
    if (all[e].place[row] != kNone) to.emit(prepared.start + all[e].place[row], sign_of(all[e], row));
    return;
  }
  const Fields& a = all[prepared.first_of];
  const Fields& b = all[prepared.second_of];
  if (prepared.encoder->cross == Cross::kNumbers) {
    to.emit(prepared.start, a.number[row] * b.number[row]);
  } else if (b.place[row] != kNone) {
    to.emit(prepared.start + b.place[row], a.number[row] * sign_of(b, row));
  }
}

}  // namespace

struct TableEncoder::State {
  std::vector<Fields> fields;  ///< of each encoder
  std::vector<EncodedValue> values;

  void emit_text(const PreparedEncoder& prepared, const TableColumn& column, std::size_t e, std::size_t row,
                 const Emitter& to) {
    if (is_missing(column, row)) {
      ++fields[e].holes;
      return;
    }
    values.clear();
    if (!fields[e].text->encode(column.text[row], values)) ++fields[e].unseen;
    for (const EncodedValue& value : values) to.emit(prepared.start + value.feature, value.value);
  }

  static void emit_vector(const PreparedEncoder& prepared, const TableColumn& column, std::size_t row, Fields& mine,
                          const Emitter& to) {
    if (is_missing(column, row)) {
      ++mine.holes;
      return;
    }
    const std::uint32_t size = prepared.encoder->size;
    for (std::uint32_t k = 0; k < size; ++k) to.emit(prepared.start + k, column.number[row * size + k]);
  }

  void emit(const PreparedEncoder& prepared, const TableBatch& batch, std::size_t e, std::size_t row,
            const Emitter& to) {
    const Fields& mine = fields[e];
    switch (prepared.encoder->kind) {
      case Kind::kNumber:
        to.emit(prepared.start, mine.number[row]);
        break;
      case Kind::kCategory:
        if (mine.place[row] != kNone) to.emit(prepared.start + mine.place[row], sign_of(mine, row));
        break;
      case Kind::kText:
        emit_text(prepared, batch.columns[prepared.column], e, row, to);
        break;
      case Kind::kDate:
        emit_date(prepared, mine, row, to);
        break;
      case Kind::kVector:
        emit_vector(prepared, batch.columns[prepared.column], row, fields[e], to);
        break;
      case Kind::kCross:
        emit_cross(prepared, fields, e, row, to);
        break;
    }
    if (!mine.missing.empty() && mine.missing[row] != 0) to.emit(prepared.start + prepared.hole, 1);
  }
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
  std::vector<Fields>& fields = state_->fields;
  for (std::size_t e = 0; e < encoders.size(); ++e) take_column(encoders[e], batch, fields[e]);
  const auto rows = static_cast<std::size_t>(batch.rows);
  out.start.reserve(out.start.size() + rows);
  const Emitter to{out};
  std::int64_t nothing = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t e = 0; e < encoders.size(); ++e) state_->emit(encoders[e], batch, e, row, to);
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
