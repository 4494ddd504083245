// BinnedSums holds many sums of doubles whose values depend neither on the order of the terms nor on how they are
// spread over workers. It doesn't have to know beforehand how large they get. Demmel & Nguyen's idea, in integers.
//
// Doubles are numbers in units of 2⁻¹⁰⁷⁴. Their digits to the base 2³⁰ lie in bins, three for each. A sum keeps the
// three bins of its largest terms. When a larger term comes, bins at the lower end are dropped. They hold nothing that
// would have counted had it come first, so what is kept depends on the terms alone. What is lost of each term is less
// than 2⁻⁵² of the largest.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/bytes.h"
#include "core/exact_sum.h"

namespace linsep {

class BinnedSums {
 public:
  static constexpr std::size_t kBins = 3;

  std::size_t size() const { return sums_.size(); }
  void resize(std::size_t size) { sums_.resize(size); }

  /// REQUIRES: fewer than 2³² terms, unless in different objects.
  void add(std::size_t k, double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const unsigned biased = (bits >> 52) & 0x7ff;
    auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << 52) - 1));
    if (biased > 0) mantissa |= std::int64_t{1} << 52;
    if (mantissa == 0) return;
    if ((bits >> 63) != 0) mantissa = -mantissa;
    const int place = biased > 0 ? static_cast<int>(biased) - 1 : 0, bin = place / kDigit, shift = place % kDigit;
    const std::int64_t low = static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) << shift) & kMask;
    const std::int64_t middle = (mantissa >> (kDigit - shift)) & kMask;
    const std::int64_t high = mantissa >> (2 * kDigit - shift);  // carries the sign
    Sum& sum = sums_[k];
    if (bin > sum.base) raise(sum, biased == 0x7ff ? kNoNumber : std::int64_t{bin});
    const std::int64_t below = sum.base - bin;
    if (below == 0) {
      sum.bin[0] += low;
      sum.bin[1] += middle;
      sum.bin[2] += high;
    } else if (below == 1) {
      sum.bin[0] += middle;
      sum.bin[1] += high;
    } else if (below == 2) {
      sum.bin[0] += high;
    }
  }

  /// Adds sum to sum. REQUIRES: equally many of them, and fewer than 2³² terms together.
  void add(const BinnedSums& other) {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      Sum& mine = sums_[k];
      Sum theirs = other.sums_[k];
      if (theirs.base > mine.base) raise(mine, theirs.base);
      if (mine.base > theirs.base) raise(theirs, mine.base);
      for (std::size_t b = 0; b < kBins; ++b) mine.bin[b] += theirs.bin[b];
    }
  }

  /// The sum, rounded, or NaN once a term was not finite.
  double value(std::size_t k) const {
    Sum sum = sums_[k];
    if (sum.base == kNoNumber) return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t b = 0; b + 1 < kBins; ++b) {
      sum.bin[b + 1] += sum.bin[b] >> kDigit;
      sum.bin[b] &= kMask;
    }
    ExactSum exact;
    for (std::size_t b = 0; b < kBins; ++b) {
      exact.add(std::ldexp(static_cast<double>(sum.bin[b]),
                           kDigit * static_cast<int>(sum.base + static_cast<int>(b)) - 1074));
    }
    return exact.value();
  }

  /// What workers exchange. First comes the largest base of each sum. Once all have that, the bins follow, to be added
  /// up.
  std::vector<std::int64_t> bases() const {
    std::vector<std::int64_t> all;
    for (const Sum& sum : sums_) all.push_back(sum.base);
    return all;
  }
  void raise_to(const std::vector<std::int64_t>& bases) {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      if (bases[k] > sums_[k].base) raise(sums_[k], bases[k]);
    }
  }
  /// Whether a sum can have this base.
  static bool is_base(std::int64_t base) {
    return base == kNoNumber || (base >= kNoTerms && base <= (0x7fe - 1) / kDigit);
  }
  std::vector<std::int64_t> bins() const {
    std::vector<std::int64_t> all;
    for (const Sum& sum : sums_) all.insert(all.end(), sum.bin.begin(), sum.bin.end());
    return all;
  }
  void set(const std::vector<std::int64_t>& bases, const std::vector<std::int64_t>& bins) {
    sums_.resize(bases.size());
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      sums_[k].base = bases[k];
      for (std::size_t b = 0; b < kBins; ++b) sums_[k].bin[b] = bins[k * kBins + b];
    }
  }

 private:
  static constexpr int kDigit = 30;
  static constexpr std::int64_t kNoNumber = 1000;  ///< the base of a sum that isn't finite
  static constexpr std::int64_t kNoTerms = -4;     ///< and of one without terms
  static constexpr std::int64_t kMask = (std::int64_t{1} << kDigit) - 1;

  struct alignas(32) Sum {
    std::array<std::int64_t, kBins> bin{};  ///< digits base … base + 2
    std::int64_t base = kNoTerms;           ///< of the largest term, the position of its lowest digit
  };

  static void raise(Sum& sum, std::int64_t base) {
    const std::int64_t by = base - sum.base;
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(kBins); ++b) {
      sum.bin[static_cast<std::size_t>(b)] =
          b + by < static_cast<std::int64_t>(kBins) ? sum.bin[static_cast<std::size_t>(b + by)] : 0;
    }
    sum.base = base;
  }

  std::vector<Sum> sums_;
};

}  // namespace linsep
