#include "format/csv/row_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/text/number.h"
#include "format/text/shown.h"

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
    labels_.add_number(value);
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

}  // namespace linsep::csv
