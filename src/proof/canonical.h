// Canonical rows have one text each, however they were written.
//
// A leaf reads "17 +1 1:0.5 3:-2": the row's number from 1, the sign of its label, and its entries that aren't 0 by
// ascending feature number from 1. Of more than two classes "17 3 1:0.5 3:-2", with the number of its class. Where
// weights count, a row whose weight isn't 1 has it behind the class: "17 +1*0.5 1:0.5 3:-2". A value or a weight is
// a decimal without exponent, without a plus sign and without a zero that could be left out (but for the one before the
// point). Every finite decimal and every binary number has exactly one. In proofs about models, rows with several
// labels have a character for each label column: "17 +-? 1:0.5 3:-2", "?" without a label.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/certificate.h"

namespace linsep {

/// Appends the canonical text of a decimal as written ("+1.50", "15e-1", ".5"), which is "0" for zero. Returns false
/// and appends nothing if `text` isn't a decimal or its exponent has more than four digits.
bool append_canonical(std::string_view text, std::string& out);
/// The same for the exact value of a binary number. False if it isn't finite.
bool append_canonical(double value, std::string& out);
/// The same without the short cut for numbers that fit in 128 bits. It is the oracle for that short cut.
bool append_any_canonical(double value, std::string& out);

/// How labels appear in a leaf. Labels that are numbers are compared as numbers, others as words.
class LabelSigns {
 public:
  /// {negative, positive}, or more than two classes in their order. REQUIRES: at least two.
  explicit LabelSigns(std::span<const std::string> classes);
  LabelSigns(const std::string& negative, const std::string& positive);
  /// Those of the source's rows. Of several label columns a pass finds them, by the numbers of the rows.
  static LabelSigns of(Source& data);
  /// False if two classes are the same.
  bool distinct() const { return mark_.size() == classes_; }
  /// "-1" or "+1", or for more than two classes the number of the class, from 1. "" for a label of no class.
  std::string_view mark(std::string_view label) const;
  /// The same of a row; of several label columns "+", "-" or "?" for each.
  std::string_view mark(const WrittenRow& row) const;

 private:
  LabelSigns() = default;

  std::size_t classes_ = 0;
  std::map<std::string, std::string> mark_;  // by canonical class
  std::vector<std::string> combination_;     // of labels in several columns
  std::vector<std::uint32_t> of_row_;        // which of them, from row number first_ on
  std::int64_t first_ = 0;
};

/// One row of a leaf's text; views into it.
struct LeafEntry {
  std::uint32_t column = 0;  // from 0
  std::string_view value;    // canonical, not 0
  // With at most nine digits before the point and nine behind it: ±(whole + fraction·10⁻⁹), both of the value's sign.
  bool is_short = false;
  std::int32_t whole = 0, fraction = 0;
};
struct Leaf {
  std::int64_t row = 0;            // from 0
  int sign = 0;                    // 0: of more than two classes
  std::uint32_t class_number = 0;  // from 1; 0: of two classes
  std::string_view labels;         // of several label columns: '+', '-' or '?' for each; then both others are 0
  std::string_view weight;         // canonical, not negative; "": 1
  std::vector<LeafEntry> entries;
};
/// Reads a leaf, salted or not; false when it isn't canonical. `weights`: it may have one, and several labels.
bool parse_leaf(std::string_view text, Leaf& leaf, bool weights = false);

/// A row that has no leaf: its label is of no class, a value isn't a number, its weight isn't one of at least 0 or a
/// feature occurs twice.
struct BadRow : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Writes the leaf of a row, without salt, and with its weight if `weights`. Throws BadRow, which names the row.
void write_leaf(const WrittenRow& row, const LabelSigns& labels, std::string& out, bool weights = false);
/// Appends the salt of row `number` (from 1): " #" and the first half of SHA-256(0x04 ‖ secret ‖ number).
void append_salt(std::string_view secret, std::int64_t number, std::string& leaf);

/// How many rows a source has. The rows of a stream are counted in a pass.
std::int64_t count_rows(Source& data);

}  // namespace linsep
