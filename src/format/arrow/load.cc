// load for an Arrow table. Every slice becomes a page of encoded rows.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "data/memory_source.h"
#include "format/arrow/files.h"
#include "format/arrow/pages.h"
#include "format/labels/columns.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"

namespace linsep {
namespace {

using arrow::ParserScratch;

/// Finds the rows of the source in the table, each page in its slice.
struct Rows {
  std::vector<std::int64_t> first;              ///< of each page
  std::vector<arrow::Slice> slice;              ///< of each page
  std::vector<std::vector<std::int64_t>> kept;  ///< of each page: rows of the slice, or empty for all

  arrow::Slice slice_of(std::int64_t row) const {
    const auto page = static_cast<std::size_t>(std::ranges::upper_bound(first, row) - first.begin()) - 1;
    std::int64_t local = row - first[page];
    if (!kept[page].empty()) local = kept[page][static_cast<std::size_t>(local)];
    arrow::Slice one = slice[page];
    one.begin += local;
    one.first_row += local;
    one.rows = 1;
    return one;
  }
  std::int64_t table_row(std::int64_t row) const { return slice_of(row).first_row; }
};

WrittenRow written_row(const arrow::PageRules& rules, const Rows& rows, std::int64_t row, ParserScratch& scratch) {
  const TableBatch& batch = scratch.reader.read(rows.slice_of(row), true);
  WrittenRow out;
  out.row = row;
  out.label = scratch.reader.labels()[0];
  out.id = scratch.reader.ids()[0];
  out.weight.decimal = scratch.reader.weights()[0];
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
  scratch.rows.clear();
  scratch.encoder->encode(batch, scratch.rows, nullptr);
  for (std::uint64_t k = 0; k < scratch.rows.start[1]; ++k) {
    add(scratch.rows.column[k], scratch.rows.value[k], rules.table->written_column(scratch.rows.column[k]));
  }
  return out;
}

/// Loads one worker's contiguous share of the rows, about as large as the others', in rank order.
std::unique_ptr<Source> load_share(const ArrowTable& table, const ReadOptions& options, Comm& comm,
                                   const Observer& observe) {
  const std::shared_ptr<const ArrowTable::Batches> batches = table.batches();
  std::shared_ptr<const arrow::PageRules> rules;
  std::optional<LabelColumns> labels;
  auto rows = std::make_shared<Rows>();
  std::vector<Page> pages;
  Schema schema;
  Progress progress;
  progress.phase = Phase::kReading;
  rethrow_on_all(comm, [&] {
    rules = std::make_shared<const arrow::PageRules>(*batches, options);
    labels.emplace(options, rules->layout.columns.labels, comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
    arrow::SliceReader reader(*rules, options);
    for (arrow::ReadSlice& read :
         reader.read(slices_of(*batches, arrow::kSliceRows, arrow::own_rows(batches->rows, comm)))) {
      schema.dropped += read.parsed.dropped;
      schema.tiny.join(read.parsed.tiny, progress.rows);
      if (read.parsed.page.batch.rows == 0) continue;
      take_labels(read, *labels, batches->name);
      Page& page = pages.emplace_back(std::move(read.parsed.page));
      page.batch.first_row = progress.rows;
      rows->first.push_back(progress.rows);
      rows->slice.push_back(read.slice);
      rows->kept.push_back(std::move(read.kept));
      progress.rows += page.batch.rows;
      if (observe) observe(progress);
    }
  });
  const ShardTotals all = finish_pages(*labels, pages, std::max(rules->features(), options.features), options,
                                       batches->name, comm, [&](std::int64_t row, const std::string& message) {
                                         return Error(Place{batches->name, 0, 0},
                                                      fmt::format("row {}: {}", rows->table_row(row) + 1, message));
                                       });
  for (std::int64_t& first : rows->first) first += all.rows_before;
  labels->describe(schema);
  rules->describe(schema);
  return std::make_unique<MemorySource>(std::move(pages), std::move(schema), all.features,
                                        [batches, rules, rows](std::span<const std::int64_t> asked) {
                                          ParserScratch scratch(*rules);
                                          std::vector<WrittenRow> out;
                                          for (const std::int64_t row : asked) {
                                            out.push_back(written_row(*rules, *rows, row, scratch));
                                          }
                                          return out;
                                        });
}

}  // namespace

std::unique_ptr<Source> load(const ArrowTable& table, const ReadOptions& options, const Observer& observe) {
  return load_share(table, options, *solo(), observe);
}

std::unique_ptr<Source> load(ArrowArrayStream* stream, const ReadOptions& options, const Observer& observe) {
  return load(ArrowTable(stream), options, observe);
}

std::unique_ptr<Source> load_arrow_files(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                                         const Observer& observe) {
  std::optional<ArrowTable> table;
  rethrow_on_all(comm, [&] { table.emplace(open_arrow_files(paths, options.memory)); });
  return load_share(*table, options, comm, observe);
}

}  // namespace linsep
