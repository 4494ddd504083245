// Exact numbers: the two types that finder and checker have in common, and what both need beyond operators.
//
// Two back ends keep these promises: GMP, and Boost's cpp_int for builds without GMP (WebAssembly); CMake's
// LINSEP_EXACT chooses. Of the types themselves code may use what both back ends have:
//  - an Integer from machine integers; a Rational from an Integer, from a finite double (its dyadic value) and from two
//    machine integers p, q in lowest terms with q > 0;
//  - + − · and their assignments, / (of integers: truncated), also between an Integer and a Rational; comparisons;
//  - of integers << and >>, the latter where only bits that are 0 fall off; output to streams.
// An operator's value goes into a named type, never into `auto`: GMP's is an expression that refers to its operands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#ifdef LINSEP_EXACT_BOOST
#include <boost/multiprecision/cpp_int.hpp>
#else
#include <gmpxx.h>
#endif

namespace linsep {

#ifdef LINSEP_EXACT_BOOST
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using IntegerPart = Integer;
#else
using Integer = mpz_class;
using Rational = mpq_class;
using IntegerPart = const Integer&;
#endif

// Signs, parts and texts.

/// −1, 0 or 1.
inline int sign_of(const Integer& a);
inline int sign_of(const Rational& a);
/// In lowest terms, the denominator above 0.
inline IntegerPart numerator(const Rational& a);
inline IntegerPart denominator(const Rational& a);
/// p / q. REQUIRES: q ≠ 0.
inline Rational ratio(const Integer& p, const Integer& q);

inline std::string to_text(const Integer& a);
/// "p" or "p/q" in lowest terms.
inline std::string to_text(const Rational& a);
/// REQUIRES: `digits` is decimal digits, at least one, perhaps behind a minus sign.
inline Integer integer_of(std::string_view digits);
/// What to_text wrote. REQUIRES: it did.
inline Rational rational_of(std::string_view text);

// Products and quotients.

/// sum += a·b.
inline void add_product(Integer& sum, const Integer& a, const Integer& b);
/// sum −= a·b.
inline void subtract_product(Integer& sum, const Integer& a, const Integer& b);
/// a /= b. REQUIRES: b ≠ 0, and it divides a.
inline void divide_exactly(Integer& a, const Integer& b);
/// ⌊a / b⌋. REQUIRES: b ≠ 0.
inline Integer floor_quotient(const Integer& a, const Integer& b);
/// ⌈a / b⌉. REQUIRES: b ≠ 0.
inline Integer ceiling_quotient(const Integer& a, const Integer& b);
/// a modulo p, from 0 to p − 1. REQUIRES: p > 0.
inline std::uint64_t modulo(const Integer& a, std::uint64_t p);
inline Integer power_of(std::uint64_t base, std::uint64_t exponent);
/// The divisor becomes the greatest that it has in common with a, at least 0: |a| where it was 0.
inline void shrink_to_common_divisor(Integer& divisor, const Integer& a);
/// The multiple becomes the least that it has in common with a, at least 0.
inline void grow_to_common_multiple(Integer& multiple, const Integer& a);

// Bits and machine numbers.

/// Binary digits of |a|; 1 for 0.
inline std::uint64_t bit_length(const Integer& a);
/// The exponent of 2 in a. REQUIRES: a ≠ 0.
inline std::uint64_t trailing_zero_bits(const Integer& a);
/// a·2^exponent.
inline Rational times_power_of_two(const Rational& a, std::int64_t exponent);
inline bool fits_int64(const Integer& a);
/// REQUIRES: it fits.
inline std::int64_t to_int64(const Integer& a);
/// f with |f| in [1/2, 1) and a = f·2^exponent, but for bits of a past the 53rd, which are cut off; 0 and 0 for 0.
inline double fraction_and_exponent(const Integer& a, std::int64_t* exponent);
/// The double nearest to a on the side of 0, be it subnormal; an infinity past the largest.
inline double approximate(const Rational& a);

}  // namespace linsep

#ifdef LINSEP_EXACT_BOOST
#include "exact/number_boost.h"
#else
#include "exact/number_gmp.h"
#endif
