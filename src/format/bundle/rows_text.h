// Writes the rows of a proof as a file that can be read, from leaves back to CSV or svmlight.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// Makes a text whose rows have the same root as a certificate's if they are read like its rows were. Columns that were
/// left out are present without values.
class RowsText {
 public:
  /// REQUIRES: the rows were read from text and not encoded by a table.
  explicit RowsText(const DataDigest& data);

  /// "rows.csv" or "rows.svm".
  std::string name() const { return csv_ ? "rows.csv" : "rows.svm"; }
  /// The lines above the rows, or "" if there are none.
  std::string head() const;
  /// A leaf ("17 +1 1:0.5 3:-2") as a line. Throws std::out_of_range for a leaf of other data, or with a weight.
  std::string row(std::string_view leaf);
  /// The options with which checker/read_rows.py reads the text this way, once all rows are written. Words are
  /// unquoted. If `readable`, each is safe in double quotes.
  std::vector<std::string> options() const;
  /// Returns false if no options make the text readable. This happens if classes must be named and one has a comma or
  /// something that a shell would interpret.
  bool readable() const;

 private:
  static constexpr std::int64_t kLabel = -1, kBlank = -2;

  bool names_classes() const;

  const DataDigest& data_;
  std::vector<std::string> classes_;
  bool csv_;
  std::vector<std::int64_t> columns_;  // csv: a feature from 0, kLabel or kBlank
  std::vector<std::string> blanks_;    // csv: how to name columns that were left out
  std::vector<bool> met_;              // classes that have rows
  bool first_ = true;
};

/// A table as CSV text, with the columns that a proof uses as they are written. Other columns are empty. `table` reads
/// its files like the proof's were read.
std::string used_columns_text(const DataDigest& data, Source& table);

/// Whether no shell gives a word in double quotes a meaning. It then consists of letters, digits, blanks and other
/// characters that are plain there.
bool is_safe_word(std::string_view word);

}  // namespace linsep
