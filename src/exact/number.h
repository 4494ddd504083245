// Exact numbers: the two types that finder and checker have in common, and nothing else.
//
// Natively they are GMP's. A build without GMP (WebAssembly) puts Boost's cpp_int behind the same few names.
#pragma once

#include <gmpxx.h>

#include <string>
#include <string_view>

namespace linsep {

using Integer = mpz_class;
using Rational = mpq_class;

inline int sign_of(const Integer& a) { return sgn(a); }
inline int sign_of(const Rational& a) { return sgn(a); }
inline const Integer& numerator(const Rational& a) { return a.get_num(); }
inline const Integer& denominator(const Rational& a) { return a.get_den(); }
inline std::string to_text(const Integer& a) { return a.get_str(); }
/// "p" or "p/q" in lowest terms.
inline std::string to_text(const Rational& a) { return a.get_str(); }

/// REQUIRES: `digits` is decimal digits, at least one, perhaps behind a minus sign.
inline Integer integer_of(std::string_view digits) { return Integer(std::string(digits), 10); }
/// REQUIRES: q ≠ 0.
inline Rational ratio(const Integer& p, const Integer& q) {
  Rational result(p, q);
  result.canonicalize();
  return result;
}
inline Integer power_of(unsigned long base, unsigned long exponent) {
  Integer result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}
inline Integer least_common_multiple(const Integer& a, const Integer& b) { return lcm(a, b); }
/// a modulo p, from 0 to p − 1. REQUIRES: p > 0.
inline unsigned long modulo(const Integer& a, unsigned long p) { return mpz_fdiv_ui(a.get_mpz_t(), p); }

}  // namespace linsep
