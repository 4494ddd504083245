#include "format/bundle/rows_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "format/csv/columns.h"
#include "format/labels/labels.h"
#include "linsep/error.h"
#include "linsep/table/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/fields.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ",").append(word);
  return text;
}

bool has_comma(const std::string& word) { return word.find(',') != std::string::npos; }

}  // namespace

bool is_safe_word(std::string_view word) {
  constexpr std::string_view kSafe = " _-+=./:;|,()[]{}#@~?*&<>'";
  // PowerShell takes the quotes from U+2018 to U+201E for plain ones.
  for (std::size_t at = 0; (at = word.find("\xe2\x80", at)) != std::string_view::npos; ++at) {
    if (at + 2 < word.size() && word[at + 2] >= '\x98' && word[at + 2] <= '\x9e') return false;
  }
  return shown_text(word) == word && std::ranges::all_of(word, [&](unsigned char c) {
           return std::isalnum(c) != 0 || c >= 0x80 || kSafe.find(static_cast<char>(c)) != std::string_view::npos;
         });
}

RowsText::RowsText(const DataDigest& data)
    : data_(data),
      classes_(data.classes.empty() ? std::vector{data.negative, data.positive} : data.classes),
      csv_(data.reading.format == "csv"),
      met_(classes_.size(), false) {
  if (!csv_) return;
  const Reading& reading = data.reading;
  const std::size_t width = data.features + 1 + reading.left_out.size();
  std::vector<std::int64_t> features(data.features);
  std::iota(features.begin(), features.end(), 0);
  if (reading.header) {  // names identify the columns, so the label can be where readers expect it
    columns_.assign(reading.left_out.size(), kBlank);
    columns_.insert(columns_.end(), features.begin(), features.end());
    columns_.push_back(kLabel);
  } else {
    const auto place = [](const std::string& number) { return std::strtoull(number.c_str(), nullptr, 10) - 1; };
    columns_.assign(width, 0);
    for (const std::string& number : reading.left_out) columns_.at(place(number)) = kBlank;
    columns_.at(place(reading.label)) = kLabel;
    std::int64_t next = 0;
    for (std::int64_t& column : columns_) column = column < 0 ? column : next++;
  }
  for (std::size_t k = 0; k < reading.left_out.size(); ++k) {
    const std::string& name = reading.left_out[k];
    blanks_.push_back(has_comma(name) || !is_safe_word(name) ? std::to_string(k + 1) : name);
  }
}

std::string RowsText::head() const {
  if (!csv_ || !data_.reading.header) return "";
  const char delimiter = data_.reading.delimiter[0];
  std::string line;
  std::size_t blank = 0;
  for (const std::int64_t column : columns_) {
    const std::string& name = column == kLabel   ? data_.reading.label
                              : column == kBlank ? data_.reading.left_out[blank++]
                                                 : data_.names[static_cast<std::size_t>(column)];
    if (!line.empty()) line += delimiter;
    line += csv_field(name, delimiter);
  }
  line += '\n';
  return line;
}

std::string RowsText::row(std::string_view leaf) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= leaf.size();) {
    const std::size_t end = std::min(leaf.find(' ', begin), leaf.size());
    words.push_back(leaf.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string_view mark = words.at(1);
  if (mark.find('*') != std::string_view::npos) throw std::out_of_range("a weight");
  const std::size_t label = mark == "-1"   ? 0
                            : mark == "+1" ? 1
                                           : std::strtoull(std::string(mark).c_str(), nullptr, 10) - 1;
  met_.at(label) = true;
  if (!csv_) {
    std::string line = classes_[label];
    for (std::size_t k = 2; k < words.size(); ++k) line.append(" ").append(words[k]);
    // Columns up to the last one, even if no row has a value there.
    const std::string last = fmt::format("{}:", data_.features);
    if (std::exchange(first_, false) && data_.features > 0 && !words.back().starts_with(last)) {
      line += fmt::format(" {}0", last);
    }
    line += '\n';
    return line;
  }
  std::vector<std::string_view> value(data_.features, "0");
  for (std::size_t k = 2; k < words.size(); ++k) {
    const std::size_t colon = words[k].find(':');
    value.at(std::strtoull(words[k].data(), nullptr, 10) - 1) = words[k].substr(colon + 1);
  }
  const char delimiter = data_.reading.delimiter[0];
  std::string line;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (k > 0) line += delimiter;
    if (columns_[k] == kLabel) line += csv_field(classes_[label], delimiter);
    if (columns_[k] >= 0) line += value[static_cast<std::size_t>(columns_[k])];
  }
  line += '\n';
  return line;
}

/// Whether the classes can't be inferred from the rows in the right order.
bool RowsText::names_classes() const {
  if (std::ranges::any_of(classes_, looks_missing) || std::ranges::count(met_, false) > 0) return true;
  std::vector<std::string> found = classes_;
  std::ranges::sort(found, ClassOrder(std::ranges::all_of(found, ClassOrder::is_number)));
  return found != classes_;
}

bool RowsText::readable() const {
  const std::string& delimiter = data_.reading.delimiter;
  if (csv_ && delimiter != "\t" && !is_safe_word(delimiter)) return false;
  return !names_classes() ||
         std::ranges::all_of(classes_, [](const std::string& name) { return !has_comma(name) && is_safe_word(name); });
}

std::vector<std::string> RowsText::options() const {
  std::vector<std::string> words;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (value.starts_with('-')) {  // the scripts would take it for another option
      words.push_back(name + "=" + value);
    } else {
      words.insert(words.end(), {name, value});
    }
  };
  const Reading& reading = data_.reading;
  if (csv_) {
    if (!reading.header) {
      words.emplace_back("--no-header");
    } else if (std::ranges::none_of(data_.names, csv::is_name)) {
      words.emplace_back("--header");
    }
    const auto last = std::find_if(columns_.rbegin(), columns_.rend(), [](std::int64_t one) { return one != kBlank; });
    if (*last != kLabel) add("--label", reading.label);
    if (!blanks_.empty()) add("--ignore", joined(blanks_));
    if (reading.delimiter != ",") add("--delimiter", reading.delimiter == "\t" ? "tab" : reading.delimiter);
  }
  if (names_classes()) add("--classes", joined(classes_));
  if (reading.drop_missing_labels) add("--missing-label", "drop");
  return words;
}

namespace {

/// The columns that encoders read, each once, and the label's column.
std::vector<std::string> used_columns(const TableMap& map, const std::string& label) {
  std::vector<std::string> used;
  const auto add = [&](const std::string& column) {
    if (std::ranges::find(used, column) == used.end()) used.push_back(column);
  };
  for (const Encoder& encoder : map.encoders) {
    add(encoder.column);
    if (const auto* cross = encoder.get<CrossEncoder>()) add(cross->second);
  }
  add(label);
  return used;
}

/// The columns of the text: in any order with a header, in their original places without one.
std::vector<std::string> all_columns(const Reading& reading, const std::vector<std::string>& used) {
  std::vector<std::string> columns = reading.left_out;
  columns.insert(columns.end(), used.begin(), used.end());
  for (std::size_t k = 0; k < columns.size() && !reading.header; ++k) columns[k] = std::to_string(k + 1);
  return columns;
}

}  // namespace

std::string used_columns_text(const DataDigest& data, Source& table) {
  const Reading& reading = data.reading;
  const char delimiter = reading.delimiter[0];
  const std::vector<std::string> used = used_columns(*table.schema().table, reading.label);
  const std::vector<std::string> columns = all_columns(reading, used);
  std::string text;
  const auto write = [&](auto&& field) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k > 0) text += delimiter;
      text += csv_field(field(columns[k]), delimiter);
    }
    text += '\n';
  };
  if (reading.header) write([](const std::string& column) { return column; });
  table.rewind(0);
  while (const std::optional<Batch> batch = table.next()) {
    const std::vector<std::string> fields = fields_of_batch(table, used);
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch->rows); ++row) {
      write([&](const std::string& column) {
        const auto place = static_cast<std::size_t>(std::ranges::find(used, column) - used.begin());
        return place < used.size() ? fields[row * used.size() + place] : std::string();
      });
    }
  }
  return text;
}

namespace {

constexpr std::uint32_t kManyColumns = 1000;
constexpr std::int64_t kRowsAtOnce = 4096;

void append_number(std::string& out, double value, bool is_float) {
  char digits[32];
  char* const end = digits + sizeof digits;
  const auto written =
      is_float ? std::to_chars(digits, end, static_cast<float>(value)) : std::to_chars(digits, end, value);
  out.append(digits, written.ptr);
}

std::vector<std::string> names_of(const Source& rows) {
  std::vector<std::string> names = rows.schema().feature_names;
  for (std::uint32_t j = static_cast<std::uint32_t>(names.size()); j < rows.shape().features; ++j) {
    names.push_back(fmt::format("x{}", j + 1));
  }
  return names;
}

void require_words(const std::vector<std::string>& classes) {
  for (const std::string& name : classes) {
    if (name.empty() || name.find_first_of(" \t\r\n#:") != std::string::npos) {
      throw usage_error(fmt::format("sparse rows are written as svmlight, which can't hold a class called '{}'", name));
    }
  }
}

}  // namespace

ShortestText shortest_text(Source& rows, const std::string& label) {
  const std::vector<std::string>& classes = rows.schema().classes;
  if (classes.size() < 2 || !rows.schema().labels.empty()) throw input_error("the rows don't have two or more classes");
  rows.rewind(0);
  const std::optional<Batch> first = rows.next();
  const bool is_float = first && first->is_float;
  const bool sparse = first && !first->dense && rows.shape().features > kManyColumns;
  ShortestText made{sparse ? "svmlight" : "csv", label, ""};
  if (sparse) {
    require_words(classes);
  } else {
    const std::vector<std::string> names = names_of(rows);
    while (std::ranges::count(names, made.label) > 0) made.label += '_';
    for (const std::string& name : names) made.text.append(csv_field(name, ',')).append(",");
    made.text.append(csv_field(made.label, ',')).append("\n");
  }
  const std::uint32_t features = rows.shape().features;
  const std::int64_t count = rows.shape().rows;
  std::vector<std::int64_t> numbers;
  std::vector<double> value(features);
  for (std::int64_t begin = 0; begin < count; begin += kRowsAtOnce) {
    numbers.resize(static_cast<std::size_t>(std::min(kRowsAtOnce, count - begin)));
    std::iota(numbers.begin(), numbers.end(), begin);
    for (const WrittenRow& row : rows.written(numbers)) {
      if (sparse) {
        made.text += row.label;
        for (const WrittenValue& one : row.values) {
          made.text += fmt::format(" {}:", one.column + 1);
          append_number(made.text, one.binary, is_float);
        }
        // Columns up to the last one, even if no row has a value there.
        if (row.row == 0 && (row.values.empty() || row.values.back().column + 1 < features)) {
          made.text += fmt::format(" {}:0", features);
        }
      } else {
        std::ranges::fill(value, 0);
        for (const WrittenValue& one : row.values) value[one.column] = one.binary;
        for (const double one : value) {
          append_number(made.text, one, is_float);
          made.text += ',';
        }
        made.text += csv_field(row.label, ',');
      }
      made.text += '\n';
    }
  }
  return made;
}

}  // namespace linsep
