#include "format/arrow/pages.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "format/arrow/go_through.h"
#include "format/labels/missing.h"
#include "format/table/encoded_page.h"
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

/// Columns that are all numbers.
std::shared_ptr<const csv::TableColumns> plain_columns(const ArrowTable::Batches& batches, const ReadOptions& options) {
  auto table = std::make_shared<csv::TableColumns>();
  table->refuse_holes = true;
  for (const std::string& name : csv::find_columns(batches.names, options).feature_names()) {
    table->asked.push_back({name, Encoder::Kind::kNumber, "", 0});
  }
  return table;
}

ParsedPage page_of(const PageRules& rules, const Slice& slice, Desk& desk) {
  const TableBatch& batch = desk.reader.read(slice);
  ParsedPage parsed = desk.reader.page();
  if (!rules.table) {
    if (rules.layout.double_values) {
      fill_numbers<double>(batch, desk.reader, rules.layout, parsed);
    } else {
      fill_numbers<float>(batch, desk.reader, rules.layout, parsed);
    }
    return parsed;
  }
  desk.rows.clear();
  desk.encoder->encode(batch, desk.rows, rules.counts.get());
  const auto refuse = [&](std::size_t row, std::uint32_t feature, double value) {
    throw desk.reader.error_at(
        desk.reader.kept()[row], {},
        fmt::format("the encoded value {} of {} isn't finite as the type asked for (or ask for double values)", value,
                    shown_text(encoded_name(rules.table->map(), feature))));
  };
  fill_page(desk.rows, *rules.table, rules.layout.exact, refuse, parsed);
  return parsed;
}

}  // namespace

csv::Layout layout_of(const ArrowTable::Batches& batches, const ReadOptions& options,
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

Desks::Desks(const PageRules& rules, const ReadOptions& options)
    : rules_(rules), options_(options), desks_(static_cast<std::size_t>(thread_count(options.threads))) {}

std::vector<ReadSlice> Desks::read(const std::vector<Slice>& slices) {
  std::vector<ReadSlice> all(slices.size());
  go_through(slices.size(), options_, [&](std::size_t k, std::size_t worker) {
    std::unique_ptr<Desk>& desk = desks_[worker];
    if (!desk) desk = std::make_unique<Desk>(rules_);
    all[k] = {slices[k], page_of(rules_, slices[k], *desk), {}};
    if (all[k].parsed.dropped > 0) all[k].kept = desk->reader.kept();
  });
  return all;
}

}  // namespace linsep::arrow
