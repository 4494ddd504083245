// Turns rows of more than two classes into the rows z of a certificate (docs/reference/formats/certificate.md, "Several
// classes").
//
// One against the rest: a row keeps its number and values, and y is +1 if it is of the named class. Jointly: row i of
// class y makes one row per other class c, which stands for "the score of y is higher than that of c". Class k, the
// last, has score 0, because only differences of scores count. Every other class has a block of columns. The row has
// (x, 1) in block y and −(x, 1) in block c. The rows made are numbered consecutively over all rows, and those of one
// row come by ascending c.
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

  /// True if all classes are treated jointly, false for two classes or one against the rest.
  bool jointly() const { return !data_.classes.empty() && data_.positive.empty(); }
  /// How many rows z there are for each row of the data, and in all.
  std::int64_t per_row() const { return jointly() ? static_cast<std::int64_t>(data_.classes.size()) - 1 : 1; }
  std::int64_t rows() const { return data_.rows * per_row(); }
  /// Columns of a block, which are the features and, unless through the origin, the intercept.
  std::uint64_t block() const { return std::uint64_t{data_.features} + (origin_ ? 0 : 1); }
  /// What is wrong with the classes of the data, or nullptr if nothing is.
  const char* problem() const;

  /// Calls f with the text of each z that a leaf makes, as a leaf of two classes. With more than two classes the text
  /// has no salt. `wanted` (may be empty) picks some by number. False if the leaf isn't one of this data.
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
