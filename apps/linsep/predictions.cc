#include "predictions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iterator>

#include "linsep/error.h"
#include "linsep/tools/arrow_writer.h"
#include "report/words.h"

namespace linsep::app {
namespace {

/// Kept columns keep their types, labels are text, and everything else is numbers. A regression predicts numbers.
std::vector<ArrowField> fields_of(const Model& model, const PredictionColumns& columns) {
  std::vector<ArrowField> fields;
  for (std::size_t k = 0; k < columns.kept.size(); ++k) fields.push_back({columns.kept[k], columns.types[k]});
  fields.push_back({"prediction", model.regression ? FieldType::kNumber : FieldType::kText});
  const auto add_numbers = [&](std::string_view what) {
    for (const std::string& name : names_of_parts(model, what)) fields.push_back({name, FieldType::kNumber});
  };
  if (columns.scores && !model.regression) add_numbers("score");
  if (columns.probabilities) add_numbers("probability");
  return fields;
}

template <class T>
T integer_in(const std::string& text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// A field of a kept column, which the file that it comes from wrote in the form of its type. If empty, null.
void keep_field(const std::string& text, FieldType type, ArrowColumn& column) {
  if (type == FieldType::kText) return column.text.push_back(text);
  column.null.push_back(text.empty());
  switch (type) {
    case FieldType::kNumber:
      return column.number.push_back(std::strtod(text.c_str(), nullptr));
    case FieldType::kInteger:
      return column.integer.push_back(static_cast<std::uint64_t>(integer_in<std::int64_t>(text)));
    case FieldType::kUnsigned:
      return column.integer.push_back(integer_in<std::uint64_t>(text));
    default:
      return column.integer.push_back(text == "true" ? 1 : 0);
  }
}

std::string arrow_file_header(const Model& model, const PredictionColumns& columns) {
  return arrow_file_begin(fields_of(model, columns));
}

std::string arrow_stream_header(const Model& model, const PredictionColumns& columns) {
  return arrow_stream_begin(fields_of(model, columns));
}

std::string arrow_rows(const PredictedRows& rows, const PredictionColumns& columns) {
  const std::vector<ArrowField> fields = fields_of(rows.model, columns);
  const std::size_t parts = scores_per_row(rows.model), count = rows.z.size() / parts, kept = columns.kept.size();
  std::vector<ArrowColumn> cells(fields.size());
  for (std::size_t k = 0; k < kept; ++k) {
    for (std::size_t i = 0; i < count; ++i) keep_field(rows.kept[i * kept + k], columns.types[k], cells[k]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> z = rows.z.subspan(i * parts, parts);
    if (rows.model.regression) {
      cells[kept].number.push_back(z[0]);
    } else {
      cells[kept].text.push_back(predicted_label(rows.model, z));
    }
  }
  std::size_t next = kept + 1;
  const auto take = [&](std::span<const double> numbers) {
    for (std::size_t p = 0; p < parts; ++p, ++next) {
      for (std::size_t i = 0; i < count; ++i) cells[next].number.push_back(numbers[i * parts + p]);
    }
  };
  if (columns.scores && !rows.model.regression) take(rows.z);
  if (columns.probabilities) take(rows.probabilities);
  return arrow_batch(fields, cells);
}

std::string arrow_file_footer(const Model& model, const PredictionColumns& columns,
                              std::span<const std::uint64_t> sizes) {
  return arrow_file_end(fields_of(model, columns), sizes);
}

std::string arrow_stream_footer(const Model&, const PredictionColumns&, std::span<const std::uint64_t>) {
  return arrow_stream_end();
}

using Buffer = fmt::memory_buffer;

/// Calls `f(i, z, probabilities)` for every row.
template <class F>
void for_each_prediction(const PredictedRows& rows, F&& f) {
  const std::size_t parts = scores_per_row(rows.model);
  for (std::size_t i = 0; i * parts < rows.z.size(); ++i) {
    const auto shares = rows.probabilities.empty() ? rows.probabilities : rows.probabilities.subspan(i * parts, parts);
    f(i, rows.z.subspan(i * parts, parts), shares);
  }
}

void append_numbers(Buffer& text, std::span<const double> numbers, char before) {
  for (const double number : numbers) fmt::format_to(std::back_inserter(text), "{}{}", before, number);
}

std::string no_header(const Model&, const PredictionColumns&) { return ""; }

std::string line_rows(const PredictedRows& rows, const PredictionColumns& columns) {
  Buffer text;
  for_each_prediction(rows, [&](std::size_t, std::span<const double> z, std::span<const double> shares) {
    text.append(predicted_label(rows.model, z));
    if (columns.scores && !rows.model.regression) append_numbers(text, z, '\t');
    append_numbers(text, shares, '\t');
    text.push_back('\n');
  });
  return fmt::to_string(text);
}

/// Label, then 1:score …, and after the scores the probabilities.
std::string svmlight_rows(const PredictedRows& rows, const PredictionColumns& columns) {
  Buffer text;
  for_each_prediction(rows, [&](std::size_t, std::span<const double> z, std::span<const double> shares) {
    text.append(predicted_label(rows.model, z));
    std::size_t place = 1;
    const auto append = [&](std::span<const double> numbers) {
      for (const double number : numbers) fmt::format_to(std::back_inserter(text), " {}:{}", place++, number);
    };
    if (columns.scores && !rows.model.regression) append(z);
    append(shares);
    text.push_back('\n');
  });
  return fmt::to_string(text);
}

void append_names(Buffer& text, const std::vector<std::string>& names, char delimiter) {
  for (const std::string& name : names) {
    fmt::format_to(std::back_inserter(text), "{}{}", delimiter, csv_field(name, delimiter));
  }
}

template <char Delimiter>
std::string table_header(const Model& model, const PredictionColumns& columns) {
  Buffer text;
  for (const std::string& name : columns.kept) {
    text.append(csv_field(name, Delimiter));
    text.push_back(Delimiter);
  }
  text.append(std::string_view("prediction"));
  if (columns.scores && !model.regression) append_names(text, names_of_parts(model, "score"), Delimiter);
  if (columns.probabilities) append_names(text, names_of_parts(model, "probability"), Delimiter);
  text.push_back('\n');
  return fmt::to_string(text);
}

template <char Delimiter>
std::string table_rows(const PredictedRows& rows, const PredictionColumns& columns) {
  Buffer text;
  const std::size_t kept = columns.kept.size();
  for_each_prediction(rows, [&](std::size_t i, std::span<const double> z, std::span<const double> shares) {
    for (const std::string& field : rows.kept.subspan(i * kept, kept)) {
      text.append(csv_field(field, Delimiter));
      text.push_back(Delimiter);
    }
    text.append(csv_field(predicted_label(rows.model, z), Delimiter));
    if (columns.scores && !rows.model.regression) append_numbers(text, z, Delimiter);
    append_numbers(text, shares, Delimiter);
    text.push_back('\n');
  });
  return fmt::to_string(text);
}

const std::array<PredictionFormat, 7>& formats() {
  static const std::array<PredictionFormat, 7> all = {{
      {"lines", {}, false, no_header, line_rows},
      {"csv", {".csv"}, true, table_header<','>, table_rows<','>},
      {"tsv", {}, true, table_header<'\t'>, table_rows<'\t'>},
      {"svmlight", {".svm", ".svmlight"}, false, no_header, svmlight_rows},
      {"arrow", {".arrow", ".feather"}, true, arrow_file_header, arrow_rows, arrow_file_footer},
      {"arrow-stream", {".arrows"}, true, arrow_stream_header, arrow_rows, arrow_stream_footer},
      {"parquet", {".parquet"}, true, arrow_stream_header, arrow_rows, arrow_stream_footer, true},
  }};
  return all;
}

}  // namespace

std::span<const PredictionFormat> prediction_formats() { return formats(); }

const PredictionFormat& prediction_format(const std::string& name, const std::string& path, bool keeps_columns) {
  const auto called = [](std::string_view wanted) {
    return std::ranges::find(formats(), wanted, &PredictionFormat::name);
  };
  const PredictionFormat* found = nullptr;
  if (!name.empty()) {
    found = called(name);
    if (found == formats().end()) {
      std::vector<std::string_view> names;
      for (const PredictionFormat& format : formats()) names.push_back(format.name);
      throw usage_error(fmt::format("--to takes one of {}, not '{}'", fmt::join(names, ", "), name));
    }
  } else {
    const auto of_ending = [&](const PredictionFormat& format) {
      return std::ranges::any_of(format.endings, [&](std::string_view ending) { return path.ends_with(ending); });
    };
    found = std::ranges::find_if(formats(), of_ending);
    if (found == formats().end()) found = called(!keeps_columns ? "lines" : path.ends_with(".tsv") ? "tsv" : "csv");
  }
  if (keeps_columns && !found->keeps_columns) {
    throw usage_error(fmt::format("--keep and --id need --to csv, tsv, arrow or parquet, not {}", found->name));
  }
  return *found;
}

std::string predicted_label(const Model& model, std::span<const double> z) {
  if (model.regression) return fmt::format("{}", z[0]);
  const std::vector<std::string>& classes = model.schema.classes;
  if (model.form == Model::Form::kClasses) return classes[predicted_class(z)];
  const double threshold = model.form == Model::Form::kLabels ? 0 : model.threshold;
  std::string label;
  bool first = true;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const std::string& name = classes[2 * k + (z[k] >= threshold ? 1 : 0)];
    if (name.empty()) continue;  // a label of the set that the row doesn't have
    if (!first) label += ',';
    label += name;
    first = false;
  }
  return label;
}

std::vector<std::string> names_of_parts(const Model& model, std::string_view what) {
  const bool several = model.form == Model::Form::kClasses || model.form == Model::Form::kLabels;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < scores_per_row(model); ++k) {
    names.push_back(several ? fmt::format("{}_{}", what, part_name(model, k)) : std::string(what));
  }
  return names;
}

}  // namespace linsep::app
