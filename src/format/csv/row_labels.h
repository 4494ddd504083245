// RowLabels: labels and weights of the rows of a chunk, while they are parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/parse.h"
#include "format/labels/page_labels.h"

namespace linsep::csv {

class RowLabels {
 public:
  /// REQUIRES: room for a label of every row behind `label`, and for a weight behind `weight` where a column has
  /// weights. `layout` outlives this object.
  RowLabels(const Layout& layout, std::string_view text, double* label, double* weight)
      : layout_(layout), text_(text), labels_(label), weight_(weight), row_(layout.columns.labels.size()) {}

  /// A field of a column that isn't a feature's. Throws TextError.
  void take(const Field& field, std::size_t column);
  /// Behind the last field of a row. False: the row has no label and is left out.
  bool end_row();

  /// Rows that are left out, and names of labels, see ParsedPage.
  std::int64_t dropped() const { return dropped_; }
  std::vector<std::string>& words() { return labels_.words(); }

 private:
  void take_label(const Field& field, std::size_t column);
  void take_missing(const Field& field);
  double read_number(const Field& field, std::size_t column, std::string_view wanted) const;
  [[noreturn]] void refuse_tiny(const Field& field) const;

  const Layout& layout_;
  std::string_view text_;
  PageLabels labels_;
  double* weight_;
  std::size_t rows_ = 0;
  bool unlabelled_ = false;  ///< the row at hand has no label and is left out
  std::int64_t dropped_ = 0;
  std::vector<std::string> row_;  ///< of the row at hand: the label of each of several columns
};

/// Whether a column has row weights.
bool has_weights(const Columns& columns);

/// The error about a field that isn't what is wanted in its column. `hint` may hold a "{}" for each of `options`.
TextError misfit(const Columns& columns, std::string_view text, const Field& field, std::string_view wanted,
                 std::size_t column, std::string_view hint = "", std::vector<std::string> options = {});

/// The error about a row that ends before or continues after its last column; `field` is where that shows.
TextError wrong_count(const Layout& layout, std::string_view text, const Field& field, std::size_t column);

}  // namespace linsep::csv
