// What PreparedTable keeps of each encoder: where its features and columns are, and look-up tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "table/encode.h"
#include "table/key_table.h"
#include "table/text_encoder.h"

namespace linsep {

/// From the key of a value to the feature of its encoder: of categories, and of crosses of categories.
class CategoryIndex {
 public:
  static constexpr std::uint32_t kNone = KeyTable::kNone;

  CategoryIndex() = default;
  /// REQUIRES: the encoder is of kind kCategory, or a cross of categories.
  explicit CategoryIndex(const Encoder& encoder);

  /// kNone where the value has no feature. `seen` is whether it was known in training, as far as the encoder tells.
  std::uint32_t feature_of(std::uint64_t key, bool& seen) const {
    if (bits_ == 0) {
      const std::uint32_t place = table_.find(key);
      seen = place != kNone;
      return seen ? place : rare_;
    }
    const auto bucket = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << bits_) - 1));
    seen = used_.empty() || (used_[bucket / 64] >> (bucket % 64) & 1) != 0;
    return seen ? bucket : kNone;
  }

 private:
  KeyTable table_;
  std::uint32_t rare_ = kNone;
  int bits_ = 0;
  std::vector<std::uint64_t> used_;  ///< a bit for each bucket; empty: all count
};

/// The key of a category's value, or of two with U+001F between them: the first such sign is the one between.
std::uint64_t key_of_value(const Encoder& encoder, std::string_view term);

struct PreparedEncoder {
  const Encoder* encoder = nullptr;
  std::uint32_t start = 0;                  ///< its first feature
  std::uint32_t hole = KeyTable::kNone;     ///< its feature for a hole, counted from `start`
  std::size_t column = 0, second = 0;       ///< places in PreparedTable::columns
  std::size_t first_of = 0, second_of = 0;  ///< kCross but of categories: the encoders that it multiplies
  CategoryIndex categories;
  std::unique_ptr<TextIndex> text;
};

struct PreparedTable::Parts {
  std::vector<PreparedEncoder> encoders;
};

}  // namespace linsep
