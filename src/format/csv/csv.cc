#include "format/csv/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <utility>

#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "format/csv/parse.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

char chosen_delimiter(const ReadOptions& options) {
  if (options.delimiter == 0) return options.format == ReadOptions::Format::kTsv ? '\t' : ',';
  const auto c = static_cast<unsigned char>(options.delimiter);
  if (std::isalnum(c) != 0 || c >= 0x80 || (c < 0x20 && c != '\t') || std::strchr("\"+-.", c) != nullptr) {
    throw usage_error("the delimiter must be a tab, a blank or a sign that is no part of a number and no quote");
  }
  return options.delimiter;
}

/// The first row must have features; a wrong delimiter shows as a single column.
void require_features(const csv::Layout& layout, std::string_view first_row) {
  if (layout.columns.features > 0) return;
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

}  // namespace

TextFormat csv_format(std::string_view first_bytes, const ReadOptions& options) {
  auto layout = std::make_shared<csv::Layout>();
  layout->syntax.delimiter = chosen_delimiter(options);
  layout->double_values = options.double_values;
  layout->exact = options.exact_values;
  layout->labelled = options.labelled;
  layout->regression = options.regression;
  layout->missing = MissingLabels(options);

  TextFormat format;
  if (first_bytes.starts_with(kByteOrderMark)) format.header_bytes = kByteOrderMark.size();
  const std::string_view text = first_bytes.substr(format.header_bytes);
  const char* begin = csv::skip_empty_lines(layout->syntax, text, text.data());
  const char* at = begin;
  if (begin != text.data() + text.size()) {
    const std::vector<std::string> fields = csv::read_record(layout->syntax, text, at);
    try {
      layout->columns = csv::find_columns(fields, options);
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
    format.feature_names = layout->columns.feature_names();
  }
  format.whole_rows = [layout](std::string_view rows) { return csv::whole_rows(layout->syntax, rows); };
  format.parse = [layout](const Chunk& chunk) { return csv::parse_rows(*layout, chunk); };
  format.written = [layout](const Chunk& chunk, const std::vector<std::int64_t>& rows) {
    return csv::written_rows(*layout, chunk, rows);
  };
  return format;
}

}  // namespace linsep
