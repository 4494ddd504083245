// TextEncoder: from a text to the weights of its terms.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"
#include "table/key_table.h"
#include "table/terms.h"

namespace linsep {

/// An encoded value: a feature of the encoder (from 0) and its value, in double, before any rounding to float.
struct EncodedValue {
  std::uint32_t feature = 0;
  double value = 0;

  bool operator==(const EncodedValue&) const = default;
};

/// What every thread may share of an encoder of kind kText: look-up tables.
class TextIndex {
 public:
  /// REQUIRES: encoder.kind is kText; the encoder outlives this object.
  explicit TextIndex(const Encoder& encoder);

  const Encoder& encoder() const { return encoder_; }
  /// The feature of a key; KeyTable::kNone where it weighs nothing. `sign` is −1 where the term counts negatively.
  std::uint32_t feature_of(std::uint64_t key, double& sign) const;
  /// The idf of a feature that `feature_of` returned.
  double idf_of(std::uint32_t feature) const;

 private:
  const Encoder& encoder_;
  KeyTable table_;                     ///< exact: from keys to features
  std::vector<std::uint32_t> places_;  ///< hashed: the place of each bucket in `buckets`, or kNone
};

/// One for each thread.
class TextEncoder {
 public:
  explicit TextEncoder(const TextIndex& index);

  /// Appends the values of a text, features ascending, none of them 0. In this order: count·sign per feature (terms that
  /// share a bucket add up); its weight: √|count|, count or 1, with the count's sign; times idf; divided by the square
  /// root of the sum of squares in ascending order of features, where `norm`. Returns whether any term was known.
  bool encode(std::string_view text, std::vector<EncodedValue>& out);

 private:
  const TextIndex& index_;
  TermReader reader_;
  std::vector<std::uint32_t> touched_;
  std::vector<double> count_;  ///< by feature; 0 but while a text is encoded
};

}  // namespace linsep
