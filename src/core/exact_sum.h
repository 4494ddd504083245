// ExactSum is a sum of doubles without any rounding until it is read. Its value depends neither on the order of the
// terms nor on how they are spread over threads and workers.
//
// The sum is kept as an integer in units of 2⁻¹⁰⁷⁴, in words of 32 bits with room for carries above each. A term
// touches three of them. Kulisch's long accumulator.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace linsep {

class ExactSum {
 public:
  static constexpr std::size_t kWords = 68;

  /// Inlined, since a call through the library's table takes half as long again.
  [[gnu::always_inline]] void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const unsigned biased = (bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased == 0x7ff) {
      finite_ = false;
      return;
    }
    if (biased > 0) mantissa |= std::uint64_t{1} << 52;
    const unsigned place = biased > 0 ? biased - 1 : 0, shift = place % 32;
    std::int64_t* word = &word_[place / 32];
    const auto low = static_cast<std::int64_t>((mantissa << shift) & 0xffffffff);
    const auto middle = static_cast<std::int64_t>((mantissa >> (32 - shift)) & 0xffffffff);  // with shift 0, by 32
    const auto high = static_cast<std::int64_t>(shift == 0 ? 0 : mantissa >> (64 - shift));
    if (bits >> 63 != 0) {
      word[0] -= low;
      word[1] -= middle;
      word[2] -= high;
    } else {
      word[0] += low;
      word[1] += middle;
      word[2] += high;
    }
    if (++terms_ == kMostTerms) carry();
  }

  void add(const ExactSum& other) { add_multiple(other, 1); }
  void subtract(const ExactSum& other) { add_multiple(other, -1); }

  /// The sum, rounded to within two units of its last place, or NaN once a term was not finite.
  double value() const {
    if (!finite_) return std::numeric_limits<double>::quiet_NaN();
    ExactSum whole = *this;
    whole.carry();
    const bool negative = whole.word_.back() < 0;
    if (negative) {
      for (std::int64_t& word : whole.word_) word = -word;
      whole.carry();
    }
    std::size_t top = kWords;
    while (top > 0 && whole.word_[top - 1] == 0) --top;
    double sum = 0;
    for (std::size_t k = top > 4 ? top - 4 : 0; k < top; ++k) {
      sum += std::ldexp(static_cast<double>(whole.word_[k]), static_cast<int>(32 * k) - 1074);
    }
    return negative ? -sum : sum;
  }

  /// The words, to be added up over workers (at most 2³⁰ of them) and put back.
  std::array<std::int64_t, kWords> words() {
    carry();
    return word_;
  }
  void set_words(std::span<const std::int64_t> words, bool finite) {
    for (std::size_t k = 0; k < kWords; ++k) word_[k] = words[k];
    finite_ = finite;
    carry();
  }
  bool finite() const { return finite_; }

 private:
  static constexpr std::int64_t kMostTerms = std::int64_t{1} << 29;

  void add_multiple(const ExactSum& other, std::int64_t factor) {
    ExactSum theirs = other;
    theirs.carry();
    carry();
    for (std::size_t k = 0; k < kWords; ++k) word_[k] += factor * theirs.word_[k];
    finite_ = finite_ && other.finite_;
    terms_ = 2;
  }

  /// Every word but the last into 0 … 2³² − 1. The last carries the sign.
  void carry() {
    for (std::size_t k = 0; k + 1 < kWords; ++k) {
      const std::int64_t over = word_[k] >> 32;
      word_[k] -= over * (std::int64_t{1} << 32);
      word_[k + 1] += over;
    }
    terms_ = 1;
  }

  std::array<std::int64_t, kWords> word_{};
  std::int64_t terms_ = 0;
  bool finite_ = true;
};

}  // namespace linsep
