// fit_table for an Arrow table. It is planned like CSV, from the names and the first rows, and counted by all threads.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "core/parallel.h"
#include "format/arrow/files.h"
#include "format/arrow/rows.h"
#include "format/labels/columns.h"
#include "format/shards/pieces.h"
#include "format/table/plan.h"
#include "format/table/tally.h"
#include "linsep/error.h"
#include "linsep/table/arrow.h"
#include "linsep/tools/shards.h"
#include "table/number_style.h"

namespace linsep::arrow {
namespace {

using Kind = ColumnKind;

/// The number of values of a vector, taken from the first list that isn't null.
std::uint32_t vector_size(const ArrowTable::Batches& batches, std::size_t column) {
  for (const Slice& slice : slices_of(batches, std::int64_t{1} << 40)) {
    for (std::int64_t row = 0; row < slice.rows; ++row) {
      const Cell cell = cell_at(batches.columns[column], *slice.array->children[column], slice.child_row(row));
      if (!cell.null) return static_cast<std::uint32_t>(items_of(cell).size);
    }
  }
  return 0;
}

/// Decides what the type alone can decide. Strings have to be looked at.
std::optional<PlannedColumn> kind_of(const ArrowTable::Batches& batches, std::size_t c) {
  const Column& column = batches.columns[c];
  PlannedColumn planned;
  if (column.is_list()) {
    planned.kind = Kind::kVector;
    planned.size = vector_size(batches, c);
  } else if (column.values().is_string()) {
    if (!column.words) return std::nullopt;
    planned.kind = Kind::kCategory;
  } else if (column.values().is_date()) {
    planned.kind = Kind::kDate;
  } else if (column.values().type == Column::Type::kNull) {
    return std::nullopt;
  } else if (column.values().type == Column::Type::kBool) {
    planned.number_format = kBooleanStyle;
  }
  return planned;
}

std::string_view field_of(const Cell& cell, Sample& sample) {
  if (cell.null) return {};
  if (cell.column->is_string()) return string_of(cell);
  if (cell.column->type == Column::Type::kBool) return number_of(cell) != 0 ? "1" : "0";
  const std::string& text = sample.unquoted.emplace_back(written_of(cell));
  return text == "nan" ? std::string_view() : std::string_view(text);
}

/// The bytes that a field takes in CSV, including its delimiter.
std::size_t bytes_of(std::string_view field) {
  const bool quoted = field.find_first_of(",\"\r\n") != std::string_view::npos;
  const auto doubled = static_cast<std::size_t>(std::ranges::count(field, '"'));
  return field.size() + 1 + (quoted ? 2 + doubled : 0);
}

/// Reads as many rows as CSV would have within kSampleBytes bytes, below a row of names.
void read_sample(const ArrowTable::Batches& batches, Sample& sample) {
  sample.name = batches.name;
  sample.syntax.delimiter = 0;
  sample.columns.resize(batches.columns.size());
  std::size_t bytes = 0;
  for (std::size_t c = 0; c < batches.columns.size(); ++c) {
    sample.first.push_back(batches.names[c]);
    sample.typed.push_back(kind_of(batches, c));
    bytes += bytes_of(batches.names[c]);
  }
  for (const Slice& slice : slices_of(batches, std::int64_t{1} << 40)) {
    for (std::int64_t row = 0; row < slice.rows; ++row) {
      std::vector<std::string_view> fields;
      for (std::size_t c = 0; c < batches.columns.size(); ++c) {
        const Cell cell = cell_at(batches.columns[c], *slice.array->children[c], slice.child_row(row));
        fields.push_back(field_of(cell, sample));
        bytes += bytes_of(fields.back());
      }
      if (bytes > kSampleBytes && sample.rows_below() > 0) return;
      for (std::size_t c = 0; c < fields.size(); ++c) sample.columns[c].push_back(fields[c]);
    }
  }
  sample.whole = true;
}

/// Reads enough of the first batches to plan the table. They stay in `batches`, whose arrays the sample points into.
void read_sample(Intake& intake, ArrowTable::Batches& batches, std::optional<Sample>& sample) {
  bool more = true;
  const auto is_open = [](const std::optional<PlannedColumn>& column) {  // no list, and so no length, was met
    return column && column->kind == Kind::kVector && column->size == 0;
  };
  do {
    more = intake.next(batches);
    read_sample(batches, sample.emplace());
  } while (more && (sample->whole || std::ranges::any_of(sample->typed, is_open)));
  sample->whole = sample->whole && !more;
}

/// `first` is the number of the first row, counted over all workers.
void count_rows(const ArrowTable::Batches& batches, const ReadOptions& options, const TablePlan& plan,
                std::int64_t first, const CountRows& take) {
  const csv::Layout layout = layout_of(batches, options, plan.table);
  const std::vector<Slice> slices = slices_of(batches, kSliceRows);
  std::vector<std::unique_ptr<RowReader>> readers(static_cast<std::size_t>(thread_count(options.threads)));
  for_each_slice(slices.size(), options, [&](std::size_t slice, std::size_t worker) {
    std::unique_ptr<RowReader>& reader = readers[worker];
    if (!reader) reader = std::make_unique<RowReader>(batches, layout);
    const TableBatch& rows = reader->read(slices[slice]);
    take(rows, static_cast<std::uint64_t>(first + slices[slice].first_row), reader->page());
  });
}

}  // namespace
}  // namespace linsep::arrow

namespace linsep {

FittedTable fit_table_shard(const ArrowTable& first_rows, bool whole, const ArrowTable& own, const ReadOptions& options,
                            const TableSpec& spec, Comm& comm) {
  const ArrowTable::Batches& batches = *own.batches();
  const ShardTotals all = count_together(batches.rows, 0, comm);
  ReadOptions named = options;
  named.header = true;
  Sample sample;
  TablePlan plan;
  rethrow_on_all(comm, [&] {
    arrow::read_sample(*first_rows.batches(), sample);
    sample.whole = sample.whole && whole;
    plan = plan_table(sample, named, spec);
  });
  if (!plan.numbers_only) {
    return fit_planned(plan, options, spec, plan.whole, batches.name, comm,
                       [&](const CountRows& take) { arrow::count_rows(batches, named, plan, all.rows_before, take); });
  }
  FittedTable result;
  result.account = plan.account;
  result.account.rows = all.rows;
  result.map.rows = plan.account.looked_at;  // as for CSV
  return result;
}

FittedTable fit_table(const ArrowTable& table, const ReadOptions& options, const TableSpec& spec,
                      const Observer& observe) {
  FittedTable result = fit_table_shard(table, true, table, options, spec, *solo());
  if (observe && !result.map.empty()) {
    Progress progress;
    progress.phase = Phase::kReading;
    progress.rows = table.rows();
    observe(progress);
  }
  return result;
}

FittedTable fit_arrow_files(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec,
                            const Observer& observe) {
  ReadOptions named = options;
  named.header = true;
  const auto go_through = [&](const std::function<void(const ArrowTable::Batches&)>& take) {
    const std::unique_ptr<arrow::Intake> intake = open_arrow_intake(paths, options.memory);
    ArrowTable::Batches batches;
    intake->describe(batches);
    while (intake->next(batches)) {
      take(batches);
      batches.release();
      batches.first_row = batches.rows;
      poll_now();
    }
    return batches.rows;
  };
  TablePlan plan;
  {
    const std::unique_ptr<arrow::Intake> intake = open_arrow_intake(paths, options.memory);
    ArrowTable::Batches batches;
    intake->describe(batches);
    std::optional<Sample> sample;
    arrow::read_sample(*intake, batches, sample);
    plan = plan_table(*sample, named, spec);
  }
  FittedTable result;
  std::int64_t rows = 0;
  if (plan.numbers_only) {
    rows = go_through([](const ArrowTable::Batches&) {});
    result.account = plan.account;
    result.account.rows = rows;
    result.map.rows = plan.account.looked_at;  // as for CSV
  } else {
    result = fit_planned(plan, options, spec, plan.whole, files_name(paths), *solo(), [&](const CountRows& take) {
      rows = go_through([&](const ArrowTable::Batches& some) { arrow::count_rows(some, named, plan, 0, take); });
    });
  }
  if (observe && !result.map.empty()) {
    Progress progress;
    progress.phase = Phase::kReading;
    progress.rows = rows;
    observe(progress);
  }
  return result;
}

}  // namespace linsep
