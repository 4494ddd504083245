#include "format/arrow/pages.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "core/parallel.h"
#include "format/arrow/files.h"
#include "format/arrow/value.h"
#include "format/csv/table.h"
#include "format/labels/labels.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep::arrow {
namespace {

template <class V>
struct Values {
  std::shared_ptr<void> labels;
  std::unique_ptr<V[]> value;
};

template <class V>
void fill_numbers(const TableBatch& rows, const RowReader& reader, const csv::Layout& layout, ParsedPage& parsed) {
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
      if (value == 0 && number != 0) parsed.tiny.add(static_cast<std::int64_t>(i), static_cast<std::uint32_t>(c));
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

/// Columns that all hold numbers.
std::shared_ptr<const csv::TableColumns> plain_columns(const ArrowTable::Batches& batches, const ReadOptions& options) {
  auto table = std::make_shared<csv::TableColumns>();
  table->refuse_holes = true;
  for (const std::string& name : csv::find_columns(batches.names, options).feature_names()) {
    table->asked.push_back({name, ColumnKind::kNumber, "", 0});
  }
  return table;
}

ParsedPage page_of(const PageRules& rules, const Slice& slice, ParserScratch& scratch) {
  const TableBatch& batch = scratch.reader.read(slice);
  ParsedPage parsed = scratch.reader.page();
  if (!rules.table) {
    if (rules.layout.double_values) {
      fill_numbers<double>(batch, scratch.reader, rules.layout, parsed);
    } else {
      fill_numbers<float>(batch, scratch.reader, rules.layout, parsed);
    }
    return parsed;
  }
  scratch.rows.clear();
  scratch.encoder->encode(batch, scratch.rows, rules.counts.get());
  const auto refuse = [&](std::size_t row, std::uint32_t feature, double value) {
    throw scratch.reader.error_at(
        scratch.reader.kept()[row], {},
        fmt::format("the encoded value {} of {} isn't finite as the type asked for (or ask for double values)", value,
                    shown_text(encoded_name(rules.table->map(), feature))));
  };
  fill_page(scratch.rows, *rules.table, rules.layout.exact, refuse, parsed);
  return parsed;
}

FieldType type_of(Column::Type type) {
  switch (type) {
    case Column::Type::kBool:
      return FieldType::kBool;
    case Column::Type::kSigned:
      return FieldType::kInteger;
    case Column::Type::kUnsigned:
      return FieldType::kUnsigned;
    case Column::Type::kFloat:
      return FieldType::kNumber;
    default:
      return FieldType::kText;
  }
}

}  // namespace

PageRules::PageRules(const ArrowTable::Batches& all, const ReadOptions& options)
    : batches(all), counts(options.counts) {
  ReadOptions named = options;
  named.header = true;
  std::shared_ptr<const csv::TableColumns> columns;
  if (options.table && !options.table->empty()) {
    map = options.table;
    table = std::make_shared<const PreparedTable>(map);
    columns = std::make_shared<const csv::TableColumns>(csv::table_columns(*map));
  } else {
    columns = plain_columns(batches, named);
  }
  layout = layout_of(batches, named, columns);
  if (layout.columns.features == 0) throw Error(Place{batches.name, 0, 0}, "no column is left for features");
}

void PageRules::describe(Schema& schema) const {
  if (table) {
    schema.table = map;
  } else {
    schema.feature_names = layout.columns.feature_names();
  }
}

void take_labels(ReadSlice& read, LabelColumns& labels, const std::string& name) {
  try {
    labels.take(read.parsed);
  } catch (const LabelError& error) {
    const std::int64_t row = read.slice.first_row + read.slice_row(error.row) + 1;
    throw Error(Place{name, 0, 0}, fmt::format("row {}: {}", row, error.message));
  }
}

SliceReader::SliceReader(const PageRules& rules, const ReadOptions& options)
    : rules_(rules), options_(options), scratch_(static_cast<std::size_t>(thread_count(options.threads))) {}

std::vector<ReadSlice> SliceReader::read(const std::vector<Slice>& slices) {
  std::vector<ReadSlice> all(slices.size());
  for_each_slice(slices.size(), options_, [&](std::size_t k, std::size_t worker) {
    std::unique_ptr<ParserScratch>& scratch = scratch_[worker];
    if (!scratch) scratch = std::make_unique<ParserScratch>(rules_);
    all[k] = {slices[k], page_of(rules_, slices[k], *scratch), {}};
    if (all[k].parsed.dropped > 0) all[k].kept = scratch->reader.kept();
  });
  return all;
}

PageStream::PageStream(std::unique_ptr<Intake> intake, const ReadOptions& options, RowRange range)
    : intake_(std::move(intake)), range_(range) {
  intake_->describe(batches_);
  rules_.emplace(batches_, options);
  slices_.emplace(*rules_, options);
  layout_.name = batches_.name;
  layout_.known = true;
  layout_.kind = ReadOptions::Format::kCsv;
  layout_.columns = rules_->features();
  if (!rules_->map) layout_.feature_names = rules_->layout.columns.feature_names();
  layout_.label_names = rules_->layout.columns.labels;
  layout_.table = rules_->map;
}

std::optional<ReadPage> PageStream::next() {
  for (;;) {
    if (begun_) waiting_.pop_front();
    begun_ = !waiting_.empty();
    if (begun_) {
      ReadSlice& read = waiting_.front();
      dropped_ += read.parsed.dropped;
      Batch& batch = read.parsed.page.batch;
      if (batch.rows == 0) continue;
      batch.first_row = rows_;
      rows_ += batch.rows;
      last_rows_ = batch.rows;
      return ReadPage{std::move(read.parsed), {}};
    }
    batches_.first_row = batches_.rows;
    batches_.release();
    if (batches_.first_row >= range_.end || !intake_->next(batches_)) return std::nullopt;
    std::vector<ReadSlice> read = slices_->read(slices_of(batches_, kSliceRows, range_));
    waiting_.assign(std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
  }
}

Error PageStream::error_at_row(const ReadPage&, std::int64_t row, const std::string& message) const {
  const ReadSlice& read = waiting_.front();
  return {Place{batches_.name, 0, 0},
          fmt::format("row {}: {}", read.slice.first_row + read.slice_row(row) + 1, message)};
}

std::vector<std::size_t> PageStream::places_of(std::span<const std::string> columns) const {
  std::vector<std::size_t> places;
  for (const std::string& column : columns) {
    places.push_back(csv::column_named(rules_->layout.columns, column, "keep"));
  }
  return places;
}

std::vector<std::string> PageStream::names(std::span<const std::string> columns) const {
  std::vector<std::string> all;
  for (const std::size_t place : places_of(columns)) all.push_back(batches_.names[place]);
  return all;
}

std::vector<FieldType> PageStream::types(std::span<const std::string> columns) const {
  std::vector<FieldType> all;
  for (const std::size_t place : places_of(columns)) all.push_back(type_of(batches_.columns[place].values().type));
  return all;
}

std::vector<std::string> PageStream::fields(std::span<const std::string> columns) const {
  std::vector<std::string> all;
  const std::vector<std::size_t> places = places_of(columns);
  if (!begun_) return all;
  const ReadSlice& read = waiting_.front();
  for (std::int64_t k = 0; k < last_rows_; ++k) {
    const std::int64_t row = read.slice.child_row(read.slice_row(k));
    for (const std::size_t c : places) {
      const Cell cell = cell_at(batches_.columns[c], *read.slice.array->children[c], row);
      all.push_back(cell.null ? std::string() : written_of(cell));
    }
  }
  return all;
}

}  // namespace linsep::arrow

namespace linsep {

std::unique_ptr<PageStream> open_arrow_pages(std::span<const std::string> paths, const ReadOptions& options,
                                             arrow::RowRange range) {
  return std::make_unique<arrow::PageStream>(open_arrow_intake(paths, options.memory), options, range);
}

}  // namespace linsep
