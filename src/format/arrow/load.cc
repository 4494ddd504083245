// load of an Arrow table: every slice becomes a page of encoded rows.
#include <algorithm>
#include <memory>
#include <utility>

#include "data/memory_source.h"
#include "format/arrow/go_through.h"
#include "format/arrow/pages.h"
#include "format/labels/columns.h"
#include "format/labels/missing.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"

namespace linsep {
namespace {

using arrow::Desk;

/// Where the rows of the source are in the table: those of a page in its slice.
struct Rows {
  std::vector<std::int64_t> first;              ///< of each page
  std::vector<arrow::Slice> slice;              ///< of each page
  std::vector<std::vector<std::int64_t>> kept;  ///< of each page: rows of the slice; empty: all
};

WrittenRow written_row(const arrow::PageRules& rules, const Rows& rows, std::int64_t row, Desk& desk) {
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
  if (!rules.table) {
    for (std::uint32_t c = 0; c < batch.columns.size(); ++c) add(c, batch.columns[c].number[0], static_cast<int>(c));
    return out;
  }
  desk.rows.clear();
  desk.encoder->encode(batch, desk.rows, nullptr);
  for (std::uint64_t k = 0; k < desk.rows.start[1]; ++k) {
    add(desk.rows.column[k], desk.rows.value[k], rules.table->written_column(desk.rows.column[k]));
  }
  return out;
}

}  // namespace

std::unique_ptr<Source> load(const ArrowTable& table, const ReadOptions& options, const Observer& observe) {
  const std::shared_ptr<const ArrowTable::Batches> batches = table.batches();
  const auto rules = std::make_shared<const arrow::PageRules>(*batches, options);
  arrow::Desks desks(*rules, options);
  std::vector<arrow::ReadSlice> slices = desks.read(arrow::slices_of(*batches, arrow::kSliceRows));
  LabelColumns labels(options, rules->layout.columns.labels, LabelScope::kAll);
  auto rows = std::make_shared<Rows>();
  std::vector<Page> pages;
  Schema schema;
  Progress progress;
  progress.phase = Phase::kReading;
  for (arrow::ReadSlice& read : slices) {
    schema.dropped += read.parsed.dropped;
    if (read.parsed.page.batch.rows == 0) continue;
    take_labels(read, labels, batches->name);
    Page& page = pages.emplace_back(std::move(read.parsed.page));
    page.batch.first_row = progress.rows;
    rows->first.push_back(progress.rows);
    rows->slice.push_back(read.slice);
    rows->kept.push_back(std::move(read.kept));
    progress.rows += page.batch.rows;
    if (observe) observe(progress);
  }
  if (pages.empty() && options.labelled) throw no_rows_error(batches->name, options);
  labels.finish(pages, progress.rows, batches->name);
  labels.describe(schema);
  rules->describe(schema);
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema),
                                        std::max(rules->features(), options.features),
                                        [batches, rules, rows](std::span<const std::int64_t> asked) {
                                          Desk desk(*rules);
                                          std::vector<WrittenRow> out;
                                          for (const std::int64_t row : asked) {
                                            out.push_back(written_row(*rules, *rows, row, desk));
                                          }
                                          return out;
                                        });
}

std::unique_ptr<Source> load(ArrowArrayStream* stream, const ReadOptions& options, const Observer& observe) {
  return load(ArrowTable(stream), options, observe);
}

}  // namespace linsep
