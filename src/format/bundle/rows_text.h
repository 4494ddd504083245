// The rows of a proof as a file that can be read: from leaves back to CSV or svmlight.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// Makes the text whose rows are a certificate's, read as its own were: the same root. Columns that were left out are
/// there without a value.
class RowsText {
 public:
  /// REQUIRES: the rows were read from text and not encoded by a table.
  explicit RowsText(const DataDigest& data);

  /// "rows.csv" or "rows.svm".
  std::string name() const { return csv_ ? "rows.csv" : "rows.svm"; }
  /// What stands above the rows; "" where nothing does.
  std::string head() const;
  /// A leaf ("17 +1 1:0.5 3:-2") as a line. REQUIRES: a leaf of these data.
  std::string row(std::string_view leaf);
  /// What checker/read_rows.py must be told to read it so, after all rows. Words as they are, not quoted; where
  /// `readable`, each is safe in double quotes.
  std::vector<std::string> options() const;
  /// False: no options say how to read it (classes must be named, and one has a comma or what a shell would read
  /// something into).
  bool readable() const;

 private:
  static constexpr std::int64_t kLabel = -1, kBlank = -2;

  bool names_classes() const;

  const DataDigest& data_;
  std::vector<std::string> classes_;
  bool csv_;
  std::vector<std::int64_t> columns_;  // csv: a feature from 0, kLabel or kBlank
  std::vector<std::string> blanks_;    // csv: how to name those that were left out
  std::vector<bool> met_;              // classes that have rows
  bool first_ = true;
};

/// A table as CSV text, with the columns that a proof uses as they are written; the others are empty. `table` reads its
/// files as the proof says.
std::string used_columns_text(const DataDigest& data, Source& table);

/// Whether no shell reads anything into a word that is in double quotes: letters, digits, blanks and what has no
/// meaning there.
bool is_safe_word(std::string_view word);

/// A field of a CSV row, in quotes where it needs them.
std::string csv_field(std::string_view text, char delimiter);

}  // namespace linsep
