// Rows of more than two classes as the rows z of a certificate (docs/reference/formats/certificate.md, "Several
// classes").
//
// Against the rest: a row keeps its number and values; y is +1 where it is of the named class. Jointly: row i of class
// y makes one row per other class c, that says "the score of y is greater than that of c". Class k, the last, has score
// 0 (only differences of scores count), every other has a block of columns; the row has (x, 1) in block y and −(x, 1)
// in block c. The made rows of all rows are numbered through, those of one row by ascending c.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "linsep/certificate.h"
#include "proof/canonical.h"

namespace linsep {

class ClassRows {
 public:
  /// `origin`: the scores have no offsets. REQUIRES: `data` outlives the object.
  ClassRows(const DataDigest& data, bool origin);

  /// All classes jointly; else two classes, or one against the rest.
  bool jointly() const { return !data_.classes.empty() && data_.positive.empty(); }
  /// How many rows z there are for each row of the data, and in all.
  std::int64_t per_row() const { return jointly() ? static_cast<std::int64_t>(data_.classes.size()) - 1 : 1; }
  std::int64_t rows() const { return data_.rows * per_row(); }
  /// Columns of a block: the features, and with offsets one more.
  std::uint64_t block() const { return std::uint64_t{data_.features} + (origin_ ? 0 : 1); }
  /// What is wrong with the classes of the data; nullptr: nothing.
  const char* problem() const;

  /// Calls f with the text of each z that a leaf makes, as a leaf of two classes; without salt where there are more
  /// classes. `wanted` (may be empty) picks some by number. False where the leaf isn't one of this data.
  bool for_each(const std::string& leaf, const std::function<void(const std::string& made)>& f,
                const std::function<bool(std::int64_t row)>& wanted = {}) const;

 private:
  void write_block(const Leaf& leaf, std::uint64_t first_column, bool negated, std::string& out) const;
  void write_joint(const Leaf& leaf, std::int64_t which, std::string& out) const;

  const DataDigest& data_;
  bool origin_;
  std::uint32_t positive_ = 0;  // its number, from 1
};

}  // namespace linsep
