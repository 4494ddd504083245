#include "format/csv/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "bytes/number.h"
#include "core/deadline.h"
#include "format/csv/misfits.h"
#include "format/csv/plain.h"
#include "format/labels/labels.h"

namespace linsep::csv {

void RowLabels::take(const Field& field, std::size_t column) {
  switch (layout_.columns.role[column]) {
    case Role::kLabel:
      if (layout_.labelled) take_label(field, column);
      break;
    case Role::kWeight: {
      const double weight = read_number(field, column, "a weight");
      if (weight < 0) throw misfit(layout_.columns, text_, field, "a weight of 0 or more", column);
      weight_[rows_] = weight;
      break;
    }
    case Role::kFeature:
    case Role::kId:
    case Role::kIgnored:
      break;
  }
}

bool RowLabels::end_row() {
  if (unlabelled_) {
    unlabelled_ = false;
    ++dropped_;
    return false;
  }
  if (!layout_.columns.has_label || !layout_.labelled) {
    labels_.add_number(0);
  } else if (!row_.empty()) {
    std::string all;
    for (const std::string& label : row_) all.append(label).push_back(kLabelEnd);
    labels_.add_word(all);
  }
  ++rows_;
  return true;
}

void RowLabels::take_missing(const Field& field) {
  unlabelled_ = layout_.missing.drop();
  if (unlabelled_) return;
  TextError error = error_at(text_, field.text.data(), missing_label_message(trimmed(field.text)));
  error.options = {kMissingLabelOption};
  throw error;
}

void RowLabels::take_label(const Field& field, std::size_t column) {
  if (layout_.missing.is_missing(trimmed(field.text))) return take_missing(field);
  if (!row_.empty()) {
    row_[layout_.columns.label[column]] = field_text(field);
    return;
  }
  if (layout_.regression) {
    labels_.add_number(read_number(field, column, "a number as label"));
    return;
  }
  const std::string_view number = trimmed(field.text);
  double value = 0;
  const NumberEnd got = parse_number(number.data(), number.data() + number.size(), value);
  const bool whole = got.end == number.data() + number.size();
  if (got.fault == NumberFault::kTooLarge) {
    throw misfit(layout_.columns, text_, field, "a label no larger than 1.8e308", column);
  }
  if (got.fault == NumberFault::kNone && whole) {
    if (got.tiny && layout_.exact) refuse_tiny(field);
    labels_.add_number(value, number);
  } else if (field.doubled) {
    labels_.add_word(field_text(field));
  } else {
    labels_.add_word(field.text);
  }
}

double RowLabels::read_number(const Field& field, std::size_t column, std::string_view wanted) const {
  const std::string_view number = trimmed(field.text);
  const char* end = number.data() + number.size();
  double value = 0;
  const NumberEnd got = parse_number(number.data(), end, value);
  if (got.fault == NumberFault::kNone && got.end == end) return value;
  const bool infinite = got.fault == NumberFault::kTooLarge || looks_infinite(number.data(), end);
  throw misfit(layout_.columns, text_, field, infinite ? "a finite number" : wanted, column);
}

void RowLabels::refuse_tiny(const Field& field) const {
  throw error_at(text_, field.text.data(), tiny_message(shown_field(field.text)));
}

bool has_weights(const Columns& columns) {
  return std::find(columns.role.begin(), columns.role.end(), Role::kWeight) != columns.role.end();
}

TextError misfit(const Columns& columns, std::string_view text, const Field& field, std::string_view wanted,
                 std::size_t column, std::string_view hint, std::vector<std::string> options) {
  TextError error = error_at(
      text, field.text.data(),
      fmt::format("expected {} in {}, found {}{}", wanted, columns.shown(column), shown_field(field.text), hint));
  error.options = std::move(options);
  return error;
}

TextError wrong_count(const Layout& layout, std::string_view text, const Field& field, std::size_t column) {
  const char* end = text.data() + text.size();
  std::size_t found = column + 1;
  for (const char* at = field.end; at != end && *at != '\n'; ++found) {
    at = read_field(layout.syntax, text, at + 1).end;
  }
  return error_at(text, field.end,
                  fmt::format("expected {} fields, as in the {}, found {}", layout.columns.size(),
                              layout.columns.header ? "header" : "first row", found));
}

namespace {

/// Owns what a page's spans point into. Sizes are upper bounds, and memory that is never written costs next to nothing.
template <class V>
struct Storage {
  std::unique_ptr<V[]> value;
  std::unique_ptr<double[]> label;
  std::unique_ptr<double[]> weight;
};

template <class V>
std::span<const float> as_single(const V* value, std::size_t size) {
  if constexpr (sizeof(V) == sizeof(float)) {
    return {value, size};
  } else {
    return {};
  }
}

template <class V>
std::span<const double> as_double(const V* value, std::size_t size) {
  if constexpr (sizeof(V) == sizeof(double)) {
    return {value, size};
  } else {
    return {};
  }
}

template <class V, bool kFast>
class PageParser {
 public:
  PageParser(const Layout& layout, const Chunk& chunk)
      : layout_(layout),
        columns_(layout.columns),
        chunk_(chunk),
        text_(chunk.text),
        end_(text_.data() + text_.size()),
        lines_(static_cast<std::uint64_t>(std::count(text_.begin(), text_.end(), '\n'))),
        storage_(make_storage()),
        labels_(layout, text_, storage_->label.get(), storage_->weight.get()) {}

  ParsedPage parse() {
    const char* at = text_.data();
    for (;;) {
      if (at == end_ || *at == '\n' || *at == '\r' || layout_.syntax.is_blank(*at)) {
        at = skip_empty_lines(layout_.syntax, text_, at);
        if (at == end_) return finish();
      }
      if (columns_.size() == 0)
        throw error_at(text_, at, "expected the first row nearer to the beginning of the input");
      at = read_row(at);
    }
  }

 private:
  static constexpr std::size_t kPollEvery = 1024;  // fields

  std::shared_ptr<Storage<V>> make_storage() const {
    // A row ends its line and has a delimiter between each two fields.
    const std::size_t most =
        std::min<std::uint64_t>(lines_ + 1, text_.size() / std::max<std::size_t>(columns_.size(), 1) + 1);
    auto storage = std::make_shared<Storage<V>>();
    storage->value.reset(new V[most * columns_.features]);
    storage->label.reset(new double[most]);
    if (has_weights(columns_)) storage->weight.reset(new double[most]);
    return storage;
  }

  /// Reads one row and returns the beginning of the next.
  const char* read_row(const char* at) {
    V* row = storage_->value.get() + rows_ * columns_.features;
    const std::size_t last = columns_.size() - 1;
    poll(20 * std::min(columns_.size(), kPollEvery));
    for (std::size_t c = 0;; ++c) {
      if (c % kPollEvery == kPollEvery - 1) [[unlikely]]
        poll(20 * kPollEvery);
      if constexpr (kFast) {
        if (columns_.role[c] == Role::kFeature) [[likely]] {
          V& value = row[columns_.feature[c]];
          const char* behind = behind_number(read_plain(at, value), c == last);
          if (behind == nullptr) behind = behind_number(read_bare(at, value), c == last);
          if (behind != nullptr) {
            at = behind;
            if (c == last) break;
            continue;
          }
        }
      }
      const Field field = read_field(layout_.syntax, text_, at);
      const bool ends = field.end == end_ || *field.end == '\n';
      if (ends != (c == last)) throw wrong_count(layout_, text_, field, c);
      if (columns_.role[c] == Role::kFeature) {
        row[columns_.feature[c]] = read_number(field, c);
      } else {
        labels_.take(field, c);
      }
      at = field.end == end_ ? end_ : field.end + 1;
      if (c == last) break;
    }
    const TinyValues tiny = std::exchange(tiny_of_row_, {});
    if (labels_.end_row()) {
      tiny_.join(tiny, 0);
      ++rows_;
    }
    return at;
  }

  /// Reads a number without blanks or quotes around it that isn't too small for its type. Returns the byte after it, or
  /// nullptr.
  const char* read_bare(const char* at, V& value) const {
    const NumberEnd got = parse_number(at, end_, value);
    return got.fault == NumberFault::kNone && !got.tiny ? got.end : nullptr;
  }

  /// The beginning of the next field or row, if a number that ends at `end` fills its field.
  const char* behind_number(const char* end, bool last) const {
    if (end == nullptr) return nullptr;
    if (last && *end == '\r') ++end;
    return end < end_ && *end == (last ? '\n' : layout_.syntax.delimiter) ? end + 1 : nullptr;
  }

  V read_number(const Field& field, std::size_t column) {
    const std::string_view number = trimmed(field.text);
    const char* end = number.data() + number.size();
    V value = 0;
    const NumberEnd got = parse_number(number.data(), end, value);
    if (got.fault == NumberFault::kNone && got.end == end) {
      if (got.tiny) take_tiny(field, column);
      return value;
    }
    if (got.fault == NumberFault::kTooLarge) {
      const bool is_float = sizeof(V) == sizeof(float);
      refuse(field, is_float ? "a number within the range of a float (or ask for double values)" : "a finite number",
             column);
    }
    if (layout_.looked_at > 0) refuse_later(field, column);
    if (looks_infinite(number.data(), end)) refuse(field, "a finite number", column);
    const bool word = got.fault == NumberFault::kNoDigits && !number.empty();
    if (!word || layout_.for_model) refuse(field, "a number", column);
    refuse(
        field, "a number", column,
        fmt::format("; to use words and dates, fit a table first (fit_table, ReadOptions::table), or leave the column "
                    "out with {{}} {}",
                    columns_.argument(column)));
  }

  void take_tiny(const Field& field, std::size_t column) {
    if (layout_.exact) throw error_at(text_, field.text.data(), tiny_message(shown_field(field.text)));
    tiny_of_row_.add(static_cast<std::int64_t>(rows_), columns_.feature[column]);
  }

  /// Refuses something that didn't occur in the first rows.
  [[noreturn]] void refuse_later(const Field& field, std::size_t column) const {
    const Misfit said = misfit_of_number(layout_, field, column);
    TextError error = error_at(text_, field.text.data(), said.message);
    error.options = said.options;
    throw error;
  }

  [[noreturn]] void refuse(const Field& field, std::string_view wanted, std::size_t column,
                           std::string_view hint = "") const {
    throw misfit(columns_, text_, field, wanted, column, hint,
                 hint.empty() ? std::vector<std::string>{} : std::vector<std::string>{"ignore"});
  }

  ParsedPage finish() {
    ParsedPage parsed;
    Page& page = parsed.page;
    Batch& batch = page.batch;
    batch.rows = static_cast<std::int64_t>(rows_);
    batch.features = columns_.features;
    batch.dense = true;
    batch.is_float = sizeof(V) == sizeof(float);
    batch.stride = columns_.features;
    batch.value32 = as_single(storage_->value.get(), rows_ * columns_.features);
    batch.value64 = as_double(storage_->value.get(), rows_ * columns_.features);
    page.label = {storage_->label.get(), rows_};
    batch.label = page.label;
    if (storage_->weight) batch.weight = {storage_->weight.get(), rows_};
    page.first_byte = chunk_.first_byte;
    page.bytes = text_.size();
    page.lines = lines_;
    page.storage = storage_;
    parsed.label_words = std::move(labels_.words());
    parsed.tiny = tiny_;
    parsed.dropped = labels_.dropped();
    return parsed;
  }

  const Layout& layout_;
  const Columns& columns_;
  const Chunk& chunk_;
  std::string_view text_;
  const char* end_;
  std::uint64_t lines_;
  std::size_t rows_ = 0;
  std::shared_ptr<Storage<V>> storage_;
  RowLabels labels_;
  TinyValues tiny_, tiny_of_row_;
};

}  // namespace

ParsedPage parse_rows(const Layout& layout, const Chunk& chunk) {
  return layout.double_values ? PageParser<double, true>(layout, chunk).parse()
                              : PageParser<float, true>(layout, chunk).parse();
}

ParsedPage parse_rows_strictly(const Layout& layout, const Chunk& chunk) {
  return layout.double_values ? PageParser<double, false>(layout, chunk).parse()
                              : PageParser<float, false>(layout, chunk).parse();
}

std::string label_text(const Field& field) {
  const std::string_view number = trimmed(field.text);
  double value = 0;
  if (parse_whole_number(number.data(), number.data() + number.size(), value)) return std::string(number);
  return field_text(field);
}

namespace {

void take(const Columns& columns, std::size_t column, const Field& field, WrittenRow& row) {
  switch (columns.role[column]) {
    case Role::kFeature: {
      WrittenValue& value = row.values[columns.feature[column]];
      value.column = columns.feature[column];
      value.decimal = trimmed(field.text);
      break;
    }
    case Role::kLabel:
      if (!row.label.empty()) row.label += ',';
      row.label += label_text(field);
      break;
    case Role::kId:
      row.id = field_text(field);
      break;
    case Role::kWeight:
      row.weight.decimal = trimmed(field.text);
      break;
    case Role::kIgnored:
      break;
  }
}

/// Whether the row is left out because this label is missing.
bool is_dropped(const Layout& layout, std::size_t column, const Field& field) {
  return layout.missing.drop() && column < layout.columns.size() && layout.columns.role[column] == Role::kLabel &&
         layout.missing.is_missing(trimmed(field.text));
}

}  // namespace

std::vector<WrittenRow> written_rows(const Layout& layout, const Chunk& chunk, const std::vector<std::int64_t>& rows) {
  const char* end = chunk.text.data() + chunk.text.size();
  std::vector<WrittenRow> answer;
  auto asked = rows.begin();
  const char* at = skip_empty_lines(layout.syntax, chunk.text, chunk.text.data());
  for (std::int64_t number = 0; at != end && asked != rows.end();) {
    bool dropped = false;
    const bool wanted = *asked == number;
    WrittenRow row;
    row.row = number;
    if (wanted) row.values.resize(layout.columns.features);
    std::size_t column = 0;
    for (bool ends = false; !ends; ++column) {
      const Field field = read_field(layout.syntax, chunk.text, at);
      if (wanted && column < layout.columns.size()) take(layout.columns, column, field, row);
      dropped = dropped || is_dropped(layout, column, field);
      ends = field.end == end || *field.end == '\n';
      at = field.end == end ? end : field.end + 1;
    }
    if (wanted && !dropped) {
      ++asked;
      answer.push_back(std::move(row));
    }
    if (!dropped) ++number;
    at = skip_empty_lines(layout.syntax, chunk.text, at);
  }
  return answer;
}

std::vector<std::string> raw_fields(const Layout& layout, const Chunk& chunk, std::span<const std::size_t> columns) {
  const char* end = chunk.text.data() + chunk.text.size();
  std::vector<std::string> all;
  std::vector<std::string> row(columns.size());
  const char* at = skip_empty_lines(layout.syntax, chunk.text, chunk.text.data());
  while (at != end) {
    bool dropped = false;
    std::size_t column = 0;
    for (bool ends = false; !ends; ++column) {
      const Field field = read_field(layout.syntax, chunk.text, at);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k] == column) row[k] = field_text(field);
      }
      dropped = dropped || is_dropped(layout, column, field);
      ends = field.end == end || *field.end == '\n';
      at = field.end == end ? end : field.end + 1;
    }
    if (!dropped) all.insert(all.end(), row.begin(), row.end());
    at = skip_empty_lines(layout.syntax, chunk.text, at);
  }
  return all;
}

}  // namespace linsep::csv
