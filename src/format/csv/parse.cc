#include "format/csv/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "format/csv/plain.h"
#include "format/labels/page_labels.h"
#include "format/text/number.h"
#include "format/text/shown.h"

namespace linsep::csv {
namespace {

/// What a page's spans point into. Sizes are upper bounds; what is never written costs no memory worth the name.
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
        storage_(std::make_shared<Storage<V>>()) {
    // A row ends its line and has a delimiter between each two fields.
    const std::size_t most = std::min(lines_ + 1, text_.size() / std::max<std::size_t>(columns_.size(), 1) + 1);
    storage_->value.reset(new V[most * columns_.features]);
    storage_->label.reset(new double[most]);
    if (has_weights()) storage_->weight.reset(new double[most]);
    labels_ = PageLabels(storage_->label.get());
  }

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
  bool has_weights() const {
    return std::find(columns_.role.begin(), columns_.role.end(), Role::kWeight) != columns_.role.end();
  }

  /// Reads one row and returns the beginning of the next.
  const char* read_row(const char* at) {
    V* row = storage_->value.get() + rows_ * columns_.features;
    const std::size_t last = columns_.size() - 1;
    for (std::size_t c = 0;; ++c) {
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
      if (ends != (c == last)) refuse_count(field, c);
      take(field, c, row);
      at = field.end == end_ ? end_ : field.end + 1;
      if (c == last) break;
    }
    if (unlabelled_) {
      drop_row();
      return at;
    }
    if (!columns_.has_label || !layout_.labelled) {
      labels_.add_number(0);
    } else if (!columns_.labels.empty()) {
      std::string all;
      for (std::string& label : row_labels_) all.append(label).push_back(kLabelEnd);
      labels_.add_word(all);
    }
    ++rows_;
    return at;
  }

  /// A number without blanks or quotes around it, not too small for its type; the byte behind, or nullptr.
  const char* read_bare(const char* at, V& value) const {
    const NumberEnd got = parse_number(at, end_, value);
    return got.fault == NumberFault::kNone && !got.tiny ? got.end : nullptr;
  }

  /// The beginning of the next field or row, if a number that ends at `end` is all its field has.
  const char* behind_number(const char* end, bool last) const {
    if (end == nullptr) return nullptr;
    if (last && *end == '\r') ++end;
    return end < end_ && *end == (last ? '\n' : layout_.syntax.delimiter) ? end + 1 : nullptr;
  }

  void take(const Field& field, std::size_t column, V* row) {
    switch (columns_.role[column]) {
      case Role::kFeature:
        row[columns_.feature[column]] = read_number<V>(field, column, "a number");
        break;
      case Role::kLabel:
        if (layout_.labelled) take_label(field, column);
        break;
      case Role::kWeight: {
        const auto weight = read_number<double>(field, column, "a weight");
        if (weight < 0) refuse(field, "a weight of 0 or more", column);
        storage_->weight[rows_] = weight;
        break;
      }
      case Role::kId:
      case Role::kIgnored:
        break;
    }
  }

  /// A row without a label: what was written of it is written over by the next.
  void drop_row() {
    unlabelled_ = false;
    ++dropped_;
    if (tiny_.row == static_cast<std::int64_t>(rows_)) tiny_ = {};
  }

  void take_missing(const Field& field) {
    unlabelled_ = layout_.missing.drop();
    if (unlabelled_) return;
    TextError error = error_at(text_, field.text.data(), missing_label_message(trimmed(field.text)));
    error.options = {kMissingLabelOption};
    throw error;
  }

  void take_label(const Field& field, std::size_t column) {
    if (layout_.missing.is_missing(trimmed(field.text))) return take_missing(field);
    if (!columns_.labels.empty()) {
      row_labels_[columns_.label[column]] = field_text(field);
      return;
    }
    if (layout_.regression) {
      labels_.add_number(read_number<double>(field, column, "a number as label"));
      return;
    }
    const std::string_view number = trimmed(field.text);
    double value = 0;
    const NumberEnd got = parse_number(number.data(), number.data() + number.size(), value);
    const bool whole = got.end == number.data() + number.size();
    if (got.fault == NumberFault::kTooLarge) refuse(field, "a label no larger than 1.8e308", column);
    if (got.fault == NumberFault::kNone && whole) {
      if (got.tiny && layout_.exact) refuse_tiny(field);
      labels_.add_number(value);
    } else if (field.doubled) {
      labels_.add_word(field_text(field));
    } else {
      labels_.add_word(field.text);
    }
  }

  template <class N>
  N read_number(const Field& field, std::size_t column, std::string_view wanted) {
    const std::string_view number = trimmed(field.text);
    const char* end = number.data() + number.size();
    N value = 0;
    const NumberEnd got = parse_number(number.data(), end, value);
    if (got.fault == NumberFault::kNone && got.end == end) {
      if (got.tiny && columns_.role[column] == Role::kFeature) take_tiny(field, column);
      return value;
    }
    if (got.fault == NumberFault::kTooLarge) {
      const bool is_float = sizeof(N) == sizeof(float);
      refuse(field, is_float ? "a number within the range of a float (or ask for double values)" : "a finite number",
             column);
    }
    if (looks_infinite(number.data(), end)) refuse(field, "a finite number", column);
    const bool word = columns_.role[column] == Role::kFeature && got.fault == NumberFault::kNoDigits && !number.empty();
    refuse(field, wanted, column,
           word ? fmt::format("; leave the column out with {{}} {}", columns_.argument(column)) : "");
  }

  void take_tiny(const Field& field, std::size_t column) {
    if (layout_.exact) refuse_tiny(field);
    if (tiny_.row < 0) tiny_ = {static_cast<std::int64_t>(rows_), columns_.feature[column]};
  }

  [[noreturn]] void refuse_tiny(const Field& field) const {
    throw error_at(text_, field.text.data(), tiny_message(shown_field(field.text)));
  }

  [[noreturn]] void refuse(const Field& field, std::string_view wanted, std::size_t column,
                           std::string_view hint = "") const {
    TextError error = error_at(
        text_, field.text.data(),
        fmt::format("expected {} in {}, found {}{}", wanted, columns_.shown(column), shown_field(field.text), hint));
    if (!hint.empty()) error.options = {"ignore"};
    throw error;
  }

  /// A row that ends before or continues after its last column.
  [[noreturn]] void refuse_count(const Field& field, std::size_t column) const {
    std::size_t found = column + 1;
    for (const char* at = field.end; at != end_ && *at != '\n'; ++found)
      at = read_field(layout_.syntax, text_, at + 1).end;
    throw error_at(text_, field.end,
                   fmt::format("expected {} fields, as in the {}, found {}", columns_.size(),
                               columns_.header ? "header" : "first row", found));
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
    parsed.dropped = dropped_;
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
  PageLabels labels_{nullptr};
  TinyValue tiny_;
  bool unlabelled_ = false;  ///< the row at hand has no label and is left out
  std::int64_t dropped_ = 0;
  std::vector<std::string> row_labels_ = std::vector<std::string>(columns_.labels.size());  ///< of the row at hand
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

}  // namespace linsep::csv
