#include "format/csv/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "format/csv/misfits.h"
#include "format/table/encoded_page.h"
#include "linsep/tools/shown_text.h"

namespace linsep::csv {
namespace {

/// A map is made ready once for all files and passes that use it at the same time.
std::shared_ptr<const PreparedTable> prepared_table(const std::shared_ptr<const TableMap>& map) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<const PreparedTable>> known;
  const std::scoped_lock lock(mutex);
  std::erase_if(known, [](const auto& one) { return one.expired(); });
  for (const auto& one : known) {
    if (auto table = one.lock(); table && table->shared_map() == map) return table;
  }
  auto table = std::make_shared<const PreparedTable>(map);
  known.push_back(table);
  return table;
}

/// Where a value of an encoded row came from, for messages.
struct Origin {
  const Layout& layout;
  const PreparedTable& table;
  const TableSplitter& splitter;
  std::string_view text;
};

std::string column_of(const PreparedTable& table, std::uint32_t feature) {
  const std::vector<std::uint32_t> starts = encoder_starts(table.map());
  const auto after = std::ranges::upper_bound(starts, feature);
  const Encoder& encoder = table.map().encoders[static_cast<std::size_t>(after - starts.begin()) - 1];
  return encoder.second.empty() ? encoder.column : encoder.column + "*" + encoder.second;
}

/// The first feature that a column has.
std::uint32_t first_feature(const PreparedTable& table, const std::string& column) {
  const auto& encoders = table.map().encoders;
  const auto found = std::ranges::find(encoders, column, &Encoder::column);
  return encoder_starts(table.map())[static_cast<std::size_t>(found - encoders.begin())];
}

/// The error about a value that isn't what the page's type can hold.
[[noreturn]] void refuse_value(const Origin& origin, std::size_t row, std::uint32_t feature, double value) {
  const bool single = origin.table.map().single && std::isfinite(value);
  throw error_at(origin.text, origin.splitter.rows()[row],
                 fmt::format("column '{}': the encoded value {} isn't {}", shown_text(column_of(origin.table, feature)),
                             value, single ? "within the range of a float (ask for double values)" : "finite"));
}

/// The rows asked for (ascending) out of a batch, as one of its own.
struct PickedRows {
  struct Column {
    std::vector<double> number;
    std::vector<std::string_view> text;
    std::vector<std::int64_t> seconds;
    std::vector<std::uint8_t> missing;
  };
  std::vector<Column> columns;
  TableBatch batch;
};

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const std::int64_t> rows) {
  std::vector<T> out;
  for (const std::int64_t row : rows) {
    if (!all.empty()) out.push_back(all[static_cast<std::size_t>(row)]);
  }
  return out;
}

PickedRows pick(const TableBatch& all, std::span<const std::int64_t> rows) {
  PickedRows few;
  few.batch.rows = static_cast<std::int64_t>(rows.size());
  for (const TableColumn& column : all.columns) {
    few.columns.push_back({picked(column.number, rows), picked(column.text, rows), picked(column.seconds, rows),
                           picked(column.missing, rows)});
  }
  for (const PickedRows::Column& column : few.columns) {
    few.batch.columns.push_back({column.number, column.text, column.seconds, column.missing});
  }
  return few;
}

}  // namespace

TableColumns table_columns(const TableMap& map) {
  TableColumns columns;
  columns.asked = asked_columns(map);
  columns.missing_words = map.missing_words;
  columns.decimal = map.decimal;
  columns.header = map.header;
  return columns;
}

/// What a thread works with.
struct TableReader::Desk {
  Desk(const Layout& layout, std::shared_ptr<const PreparedTable> table)
      : splitter(layout), encoder(std::move(table)) {}

  TableSplitter splitter;
  TableEncoder encoder;
  EncodedRows rows;
};

TableReader::TableReader(std::shared_ptr<const Layout> layout, std::shared_ptr<const TableMap> map,
                         std::shared_ptr<TableCounts> counts)
    : layout_(std::move(layout)), map_(std::move(map)), counts_(std::move(counts)) {}

TableReader::~TableReader() = default;

std::shared_ptr<const PreparedTable> TableReader::prepared() {
  std::call_once(once_, [&] { prepared_ = prepared_table(map_); });
  return prepared_;
}

std::unique_ptr<TableReader::Desk> TableReader::desk() {
  auto table = prepared();
  if (auto free = desks_.take()) return free;
  return std::make_unique<Desk>(*layout_, std::move(table));
}

ParsedPage TableReader::parse(const Chunk& chunk) {
  std::unique_ptr<Desk> own = desk();
  const TableBatch& batch = own->splitter.split(chunk);
  own->rows.clear();
  own->encoder.encode(batch, own->rows, counts_.get());
  ParsedPage parsed = own->splitter.page();
  const PreparedTable& table = own->encoder.table();
  if (const TinyValue& tiny = own->splitter.tiny(); tiny.row >= 0) {
    parsed.tiny = {tiny.row, first_feature(table, table.columns()[tiny.column].name)};
  }
  const Origin origin{*layout_, table, own->splitter, chunk.text};
  fill_page(
      own->rows, table, layout_->exact,
      [&origin](std::size_t row, std::uint32_t feature, double value) { refuse_value(origin, row, feature, value); },
      parsed);
  desks_.give(std::move(own));
  return parsed;
}

std::vector<WrittenRow> TableReader::written(const Chunk& chunk, const std::vector<std::int64_t>& rows) {
  std::unique_ptr<Desk> own = desk();
  const TableBatch& all = own->splitter.split(chunk, true);
  const auto there = std::ranges::lower_bound(rows, all.rows);
  const std::span<const std::int64_t> asked(rows.begin(), there);
  const PickedRows few = pick(all, asked);
  own->rows.clear();
  own->encoder.encode(few.batch, own->rows, nullptr);
  const PreparedTable& table = own->encoder.table();
  std::vector<WrittenRow> answer(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto local = static_cast<std::size_t>(asked[i]);
    WrittenRow& row = answer[i];
    row.row = asked[i];
    row.label = own->splitter.labels()[local];
    row.id = own->splitter.ids()[local];
    for (std::uint64_t k = own->rows.start[i]; k < own->rows.start[i + 1]; ++k) {
      WrittenValue& value = row.values.emplace_back();
      value.column = own->rows.column[k];
      value.binary = own->rows.value[k];
      const int column = table.written_column(value.column);
      if (column < 0) continue;
      const TableColumn& cells = few.batch.columns[static_cast<std::size_t>(column)];
      if (!cells.missing.empty() && cells.missing[i] != 0) continue;
      value.decimal = with_point(cells.text[i], map_->decimal);
      value.binary = 0;
    }
  }
  desks_.give(std::move(own));
  return answer;
}

}  // namespace linsep::csv
