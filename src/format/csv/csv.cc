#include "format/csv/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <utility>

#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "format/csv/parse.h"
#include "format/csv/table.h"
#include "format/text/pool.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

void require_delimiter(char delimiter) {
  const auto c = static_cast<unsigned char>(delimiter);
  if (std::isalnum(c) != 0 || c >= 0x80 || (c < 0x20 && c != '\t') || std::strchr("\"+-.", c) != nullptr) {
    throw usage_error("the delimiter must be a tab, a space or a character that can't be part of a number or a quote");
  }
}

/// The first row must have features. A wrong delimiter shows as a single column.
void require_features(const csv::Layout& layout, std::string_view first_row) {
  if (layout.columns.features > 0 || layout.table) return;
  std::string hint;
  std::vector<std::string> options;
  for (const auto& [c, name] : {std::pair{',', "','"}, {';', "';'"}, {'\t', "a tab"}, {'|', "'|'"}}) {
    if (layout.columns.size() == 1 && first_row.find(c) != std::string_view::npos) {
      hint = fmt::format("; perhaps the delimiter is {} ({{}})", name);
      options = {"delimiter"};
    }
  }
  throw Error(Error::Kind::kInput, Place{}, options,
              fmt::format("no column is left for features: the first row has {} field{}{}", layout.columns.size(),
                          layout.columns.size() == 1 ? "" : "s", hint));
}

csv::Columns columns_of(const std::vector<std::string>& fields, const ReadOptions& options,
                        const csv::TableColumns* table) {
  if (table == nullptr) return csv::find_columns(fields, options);
  for (const AskedColumn& column : table->asked) {
    if (column.kind != ColumnKind::kVector) continue;
    throw input_error(fmt::format("the model's column '{}' is a vector of numbers, which CSV can't hold", column.name));
  }
  if (table->header && !options.header.value_or(true)) {
    throw option_error("no-header", "{}: the model knows its columns by name, so the input needs a header");
  }
  // Without names, columns keep their numbers, and there may still be a header above them.
  return csv::find_asked_columns(fields, options, table->header || options.header.value_or(false), !table->header,
                                 table->names());
}

/// Everything in a format except what becomes of a chunk.
struct Opened {
  std::shared_ptr<csv::Layout> layout;
  TextFormat format;
};

Opened open_layout(std::string_view first_bytes, const ReadOptions& options,
                   std::shared_ptr<const csv::TableColumns> table) {
  csv::refuse_wide_text(first_bytes);
  auto layout = std::make_shared<csv::Layout>();
  layout->syntax.delimiter = delimiter_of(first_bytes, options);
  layout->double_values = options.double_values;
  layout->exact = options.exact_values;
  layout->labelled = options.labelled;
  layout->regression = options.regression;
  layout->missing = MissingLabels(options);
  layout->table = std::move(table);

  TextFormat format;
  format.header_bytes = byte_order_mark(first_bytes);
  const std::string_view text = first_bytes.substr(format.header_bytes);
  const char* begin = csv::skip_empty_lines(layout->syntax, text, text.data());
  const char* at = begin;
  if (begin != text.data() + text.size()) {
    const std::vector<std::string> fields = csv::read_record(layout->syntax, text, at);
    try {
      layout->columns = columns_of(fields, options, layout->table.get());
      require_features(*layout, {begin, static_cast<std::size_t>(at - begin)});
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::kInput) throw;
      TextError at_row = csv::error_at(text, begin, error.sentence());
      at_row.options = error.options();
      throw at_row;
    }
  }
  format.label_names = layout->columns.labels;
  format.columns = layout->columns.features;
  format.reading = csv::reading_of(layout->columns, layout->syntax.delimiter);
  if (layout->columns.header) {
    format.header_bytes += static_cast<std::uint64_t>(at - text.data());
    format.header_lines = static_cast<std::uint64_t>(std::count(text.data(), at, '\n'));
    if (!layout->table) format.feature_names = layout->columns.feature_names();
  }
  format.fields = [layout](const Chunk& chunk, std::span<const std::size_t> columns) {
    return csv::raw_fields(*layout, chunk, columns);
  };
  format.column_named = [layout](const std::string& column) {
    const std::size_t place = csv::column_named(layout->columns, column, "keep");
    const bool named = layout->columns.header;
    return std::pair(place, named ? layout->columns.names[place] : fmt::format("column {}", place + 1));
  };
  format.whole_rows = [layout](std::string_view rows) { return csv::whole_rows(layout->syntax, rows); };
  return {std::move(layout), std::move(format)};
}

TextFormat encoded_format(std::string_view first_bytes, const ReadOptions& options) {
  Opened opened =
      open_layout(first_bytes, options, std::make_shared<const csv::TableColumns>(csv::table_columns(*options.table)));
  TextFormat& format = opened.format;
  format.table = options.table;
  if (opened.layout->columns.size() > 0) format.columns = encoder_starts(*options.table).back();
  auto reader = std::make_shared<csv::TableReader>(opened.layout, options.table, options.counts);
  format.parse = [reader](const Chunk& chunk) { return reader->parse(chunk); };
  format.written = [reader](const Chunk& chunk, const std::vector<std::int64_t>& rows) {
    return reader->written(chunk, rows);
  };
  return std::move(format);
}

}  // namespace

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

char delimiter_of(std::string_view first_bytes, const ReadOptions& options) {
  if (options.delimiter != 0) {
    require_delimiter(options.delimiter);
    return options.delimiter;
  }
  if (options.format == ReadOptions::Format::kTsv) return '\t';
  return csv::find_delimiter(first_bytes.substr(byte_order_mark(first_bytes)));
}

TextFormat csv_format(std::string_view first_bytes, const ReadOptions& options) {
  if (options.table && !options.table->empty()) return encoded_format(first_bytes, options);
  Opened opened = open_layout(first_bytes, options, nullptr);
  if (options.table) opened.layout->looked_at = options.table->rows;
  opened.layout->for_model = options.features > 0 || !options.feature_names.empty();
  opened.format.parse = [layout = opened.layout](const Chunk& chunk) { return csv::parse_rows(*layout, chunk); };
  opened.format.written = [layout = opened.layout](const Chunk& chunk, const std::vector<std::int64_t>& rows) {
    return csv::written_rows(*layout, chunk, rows);
  };
  return std::move(opened.format);
}

TextFormat table_format(std::string_view first_bytes, const ReadOptions& options,
                        const std::shared_ptr<const csv::TableColumns>& table, TakeTable take) {
  Opened opened = open_layout(first_bytes, options, table);
  auto splitters = std::make_shared<Pool<csv::TableSplitter>>();
  opened.format.parse = [layout = opened.layout, splitters, take = std::move(take)](const Chunk& chunk) {
    std::unique_ptr<csv::TableSplitter> splitter = splitters->take();
    if (!splitter) splitter = std::make_unique<csv::TableSplitter>(*layout);
    const TableBatch& rows = splitter->split(chunk);
    ParsedPage page = splitter->page();
    take(rows, chunk.first_byte, page);
    splitters->give(std::move(splitter));
    return page;
  };
  opened.format.written = [](const Chunk&, const std::vector<std::int64_t>&) { return std::vector<WrittenRow>{}; };
  return std::move(opened.format);
}

}  // namespace linsep
