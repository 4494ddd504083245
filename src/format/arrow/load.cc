// load of an Arrow table: every slice becomes a page of encoded rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "data/memory_source.h"
#include "format/arrow/go_through.h"
#include "format/arrow/rows.h"
#include "format/labels/columns.h"
#include "format/labels/missing.h"
#include "format/table/encoded_page.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"
#include "linsep/tools/shown_text.h"
#include "table/encode.h"

namespace linsep {
namespace {

/// What all threads share, and rows as written are read with later.
struct Shared {
  std::shared_ptr<const ArrowTable::Batches> batches;
  csv::Layout layout;
  std::shared_ptr<const PreparedTable> table;  ///< null: features are numbers, taken as they are
  std::shared_ptr<TableCounts> counts;
  std::vector<arrow::Slice> slices;
};

/// What a thread works with.
struct Desk {
  explicit Desk(const Shared& shared) : reader(*shared.batches, shared.layout) {
    if (shared.table) encoder.emplace(shared.table);
  }

  arrow::RowReader reader;
  std::optional<TableEncoder> encoder;
  EncodedRows rows;
};

template <class V>
struct Values {
  std::shared_ptr<void> labels;
  std::unique_ptr<V[]> value;
};

template <class V>
void fill_numbers(const TableBatch& rows, const arrow::RowReader& reader, const csv::Layout& layout,
                  ParsedPage& parsed) {
  const std::size_t features = rows.columns.size(), size = static_cast<std::size_t>(rows.rows);
  auto values = std::make_shared<Values<V>>();
  values->value.reset(new V[features * size]);
  for (std::size_t c = 0; c < features; ++c) {
    for (std::size_t i = 0; i < size; ++i) {
      const double number = rows.columns[c].number[i];
      const V value = static_cast<V>(number);
      if (!std::isfinite(value)) {
        throw reader.error_at(reader.kept()[i], {},
                              fmt::format("expected a number within the range of a float (or ask for double values) in "
                                          "column '{}', found {}",
                                          shown_text(layout.table->asked[c].name), number));
      }
      if (value == 0 && number != 0 && parsed.tiny.row < 0) {
        parsed.tiny = {static_cast<std::int64_t>(i), static_cast<std::uint32_t>(c)};
      }
      values->value[i * features + c] = value;
    }
  }
  Batch& batch = parsed.page.batch;
  batch.features = static_cast<std::uint32_t>(features);
  batch.dense = true;
  batch.stride = features;
  batch.is_float = sizeof(V) == sizeof(float);
  if constexpr (sizeof(V) == sizeof(float)) {
    batch.value32 = {values->value.get(), features * size};
  } else {
    batch.value64 = {values->value.get(), features * size};
  }
  values->labels = std::exchange(parsed.page.storage, nullptr);
  parsed.page.storage = std::move(values);
}

ParsedPage page_of(const Shared& shared, const arrow::Slice& slice, Desk& desk) {
  const TableBatch& batch = desk.reader.read(slice);
  ParsedPage parsed = desk.reader.page();
  if (!shared.table) {
    if (shared.layout.double_values) {
      fill_numbers<double>(batch, desk.reader, shared.layout, parsed);
    } else {
      fill_numbers<float>(batch, desk.reader, shared.layout, parsed);
    }
    return parsed;
  }
  desk.rows.clear();
  desk.encoder->encode(batch, desk.rows, shared.counts.get());
  const auto refuse = [&](std::size_t row, std::uint32_t feature, double value) {
    throw desk.reader.error_at(
        desk.reader.kept()[row], {},
        fmt::format("the encoded value {} of {} isn't finite as the type asked for (or ask for double values)", value,
                    shown_text(encoded_name(shared.table->map(), feature))));
  };
  fill_page(desk.rows, *shared.table, shared.layout.exact, refuse, parsed);
  return parsed;
}

/// Where the rows of the source are in the table: those of a page in its slice.
struct Rows {
  std::vector<std::int64_t> first;              ///< of each page
  std::vector<arrow::Slice> slice;              ///< of each page
  std::vector<std::vector<std::int64_t>> kept;  ///< of each page: rows of the slice; empty: all
};

WrittenRow written_row(const Shared& shared, const Rows& rows, std::int64_t row, Desk& desk) {
  const auto page = static_cast<std::size_t>(std::ranges::upper_bound(rows.first, row) - rows.first.begin()) - 1;
  std::int64_t local = row - rows.first[page];
  if (!rows.kept[page].empty()) local = rows.kept[page][static_cast<std::size_t>(local)];
  arrow::Slice one = rows.slice[page];
  one.begin += local;
  one.first_row += local;
  one.rows = 1;
  const TableBatch& batch = desk.reader.read(one, true);
  WrittenRow out;
  out.row = row;
  out.label = desk.reader.labels()[0];
  out.id = desk.reader.ids()[0];
  const auto add = [&](std::uint32_t feature, double value, int column) {
    WrittenValue& written = out.values.emplace_back();
    written.column = feature;
    written.binary = value;
    if (column < 0) return;
    const TableColumn& cells = batch.columns[static_cast<std::size_t>(column)];
    if (cells.text.empty() || cells.text[0].empty() || (!cells.missing.empty() && cells.missing[0] != 0)) return;
    written.decimal = cells.text[0];
    written.binary = 0;
  };
  if (!shared.table) {
    for (std::uint32_t c = 0; c < batch.columns.size(); ++c) add(c, batch.columns[c].number[0], static_cast<int>(c));
    return out;
  }
  desk.rows.clear();
  desk.encoder->encode(batch, desk.rows, nullptr);
  for (std::uint64_t k = 0; k < desk.rows.start[1]; ++k) {
    add(desk.rows.column[k], desk.rows.value[k], shared.table->written_column(desk.rows.column[k]));
  }
  return out;
}

/// Columns that are all numbers.
std::shared_ptr<const csv::TableColumns> plain_columns(const ArrowTable::Batches& batches, const ReadOptions& options) {
  auto table = std::make_shared<csv::TableColumns>();
  table->refuse_holes = true;
  for (const std::string& name : csv::find_columns(batches.names, options).feature_names()) {
    table->asked.push_back({name, Encoder::Kind::kNumber, "", 0});
  }
  return table;
}

std::shared_ptr<const Shared> prepare(const ArrowTable& table, const ReadOptions& options) {
  auto shared = std::make_shared<Shared>();
  shared->batches = table.batches();
  shared->counts = options.counts;
  shared->slices = arrow::slices_of(*shared->batches, arrow::kSliceRows);
  const bool encoded = options.table && !options.table->empty();
  std::shared_ptr<const csv::TableColumns> columns;
  if (encoded) {
    shared->table = std::make_shared<const PreparedTable>(options.table);
    columns = std::make_shared<const csv::TableColumns>(csv::table_columns(*options.table));
  } else {
    columns = plain_columns(*shared->batches, options);
  }
  shared->layout = arrow::layout_of(*shared->batches, options, columns);
  if (shared->layout.columns.features == 0) {
    throw Error(Place{shared->batches->name, 0, 0}, "no column is left for features");
  }
  return shared;
}

}  // namespace

csv::Layout arrow::layout_of(const ArrowTable::Batches& batches, const ReadOptions& options,
                             std::shared_ptr<const csv::TableColumns> table) {
  csv::Layout layout;
  layout.double_values = options.double_values;
  layout.exact = options.exact_values;
  layout.labelled = options.labelled;
  layout.regression = options.regression;
  layout.missing = MissingLabels(options);
  layout.table = std::move(table);
  layout.columns = csv::find_asked_columns(batches.names, options, true, !layout.table->header, layout.table->names());
  return layout;
}

std::unique_ptr<Source> load(const ArrowTable& table, const ReadOptions& options, const Observer& observe) {
  ReadOptions named = options;
  named.header = true;
  const std::shared_ptr<const Shared> shared = prepare(table, named);
  const std::string& name = shared->batches->name;
  std::vector<std::unique_ptr<Desk>> desks(static_cast<std::size_t>(thread_count(options.threads)));
  std::vector<ParsedPage> parsed(shared->slices.size());
  auto rows = std::make_shared<Rows>();
  std::vector<std::vector<std::int64_t>> kept(parsed.size());
  arrow::go_through(parsed.size(), named, [&](std::size_t slice, std::size_t worker) {
    if (!desks[worker]) desks[worker] = std::make_unique<Desk>(*shared);
    parsed[slice] = page_of(*shared, shared->slices[slice], *desks[worker]);
    if (parsed[slice].dropped > 0) kept[slice] = desks[worker]->reader.kept();
  });
  LabelColumns labels(named, shared->layout.columns.labels, LabelScope::kAll);
  std::vector<Page> pages;
  Schema schema;
  Progress progress;
  progress.phase = Phase::kReading;
  for (std::size_t k = 0; k < parsed.size(); ++k) {
    schema.dropped += parsed[k].dropped;
    if (parsed[k].page.batch.rows == 0) continue;
    const std::int64_t first_row = shared->slices[k].first_row;
    try {
      labels.take(parsed[k]);
    } catch (const LabelError& error) {
      const std::int64_t row = kept[k].empty() ? error.row : kept[k][static_cast<std::size_t>(error.row)];
      throw Error(Place{name, 0, 0}, fmt::format("row {}: {}", first_row + row + 1, error.message));
    }
    Page& page = pages.emplace_back(std::move(parsed[k].page));
    page.batch.first_row = progress.rows;
    rows->first.push_back(progress.rows);
    rows->slice.push_back(shared->slices[k]);
    rows->kept.push_back(std::move(kept[k]));
    progress.rows += page.batch.rows;
    if (observe) observe(progress);
  }
  if (pages.empty() && options.labelled) throw no_rows_error(name, named);
  labels.finish(pages, progress.rows, name);
  labels.describe(schema);
  if (shared->table) {
    schema.table = options.table;
  } else {
    schema.feature_names = shared->layout.columns.feature_names();
  }
  const std::uint32_t features = shared->table ? shared->table->features() : shared->layout.columns.features;
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), std::max(features, options.features),
                                        [shared, rows](std::span<const std::int64_t> asked) {
                                          Desk desk(*shared);
                                          std::vector<WrittenRow> out;
                                          for (const std::int64_t row : asked) {
                                            out.push_back(written_row(*shared, *rows, row, desk));
                                          }
                                          return out;
                                        });
}

std::unique_ptr<Source> load(ArrowArrayStream* stream, const ReadOptions& options, const Observer& observe) {
  return load(ArrowTable(stream), options, observe);
}

}  // namespace linsep
