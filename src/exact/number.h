// Exact numbers: the two types that finder and checker have in common, and what both need beyond operators.
//
// Two back ends keep these promises. One is GMP, the other is Boost's cpp_int for builds without GMP (WebAssembly).
// CMake's LINSEP_EXACT chooses. Code may use only those operations of the types that both back ends have:
//  - An Integer is made from machine integers. A Rational is made from an Integer, from a finite double (its dyadic
//    value), or from two machine integers p, q in lowest terms with q > 0.
//  - Both have + − · and their assignments, / (which truncates for integers), also between an Integer and a Rational,
//    and comparisons.
//  - Integers have << and >>, the latter only if all bits that fall off are 0. Both can be written to streams.
// The value of an operator goes into a named type, never into `auto`, because GMP's is an expression that refers to its
// operands.
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
/// The divisor becomes the greatest common divisor of itself and a, at least 0. It becomes |a| if it was 0.
inline void shrink_to_common_divisor(Integer& divisor, const Integer& a);
/// The multiple becomes the least common multiple of itself and a, at least 0.
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
/// f with |f| in [1/2, 1) and a = f·2^exponent, except that bits of a past the 53rd are cut off. f and the exponent are
/// 0 if a is.
inline double fraction_and_exponent(const Integer& a, std::int64_t* exponent);
/// The double nearest to a on the side of 0, which may be subnormal. An infinity if a is past the largest double.
inline double approximate(const Rational& a);

}  // namespace linsep

#ifdef LINSEP_EXACT_BOOST
#include "exact/number_boost.h"
#else
#include "exact/number_gmp.h"
#endif
