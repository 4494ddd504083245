// LiveRows: one byte per row of this worker: its class, and whether it still takes part in the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linsep/error.h"

namespace linsep {

class LiveRows {
 public:
  void reserve(std::size_t rows) { bits_.reserve(rows); }
  std::size_t size() const { return bits_.size(); }
  std::int64_t first() const { return first_; }
  bool has(std::int64_t number) const {
    return number >= first_ && number < first_ + static_cast<std::int64_t>(bits_.size());
  }

  /// Takes in the next row, live. Throws a usage Error unless rows come in order.
  void add(std::int64_t number, int sign) {
    if (bits_.empty()) first_ = number;
    if (number != first_ + static_cast<std::int64_t>(bits_.size())) {
      throw usage_error("a source to certify must give its rows in order");
    }
    bits_.push_back(static_cast<std::uint8_t>(kLive | (sign > 0 ? kPositive : 0)));
  }

  /// Throws a usage Error where `add` never saw the row.
  std::size_t index_of(std::int64_t number) const {
    if (!has(number)) throw usage_error("a source to certify must give the same rows in every pass");
    return static_cast<std::size_t>(number - first_);
  }

  /// The label, −1 or +1.
  int sign(std::size_t index) const { return (bits_[index] & kPositive) != 0 ? 1 : -1; }
  int sign_of(std::int64_t number) const { return sign(index_of(number)); }
  /// Not peeled off.
  bool live(std::size_t index) const { return (bits_[index] & kLive) != 0; }
  /// Neither peeled off nor known to be at zero under every w that counts.
  bool undecided(std::size_t index) const { return (bits_[index] & (kLive | kAtZero)) == kLive; }

  void peel(std::size_t index) { bits_[index] = static_cast<std::uint8_t>(bits_[index] & ~kLive); }
  void set_at_zero(std::size_t index) { bits_[index] |= kAtZero; }
  /// Those that are known to be at zero, ascending.
  std::vector<std::uint64_t> at_zero() const {
    std::vector<std::uint64_t> rows;
    for (std::size_t index = 0; index < bits_.size(); ++index) {
      if ((bits_[index] & kAtZero) != 0) rows.push_back(index);
    }
    return rows;
  }

 private:
  enum Bit : std::uint8_t { kLive = 1, kPositive = 2, kAtZero = 4 };

  std::int64_t first_ = 0;
  std::vector<std::uint8_t> bits_;
};

}  // namespace linsep
