// exact/number.h on GMP. Included only from there.
#pragma once

namespace linsep {

static_assert(sizeof(mp_bitcnt_t) == 8, "GMP's functions of machine integers must take 64 bits; else build on Boost");

inline int sign_of(const Integer& a) { return sgn(a); }
inline int sign_of(const Rational& a) { return sgn(a); }
inline IntegerPart numerator(const Rational& a) { return a.get_num(); }
inline IntegerPart denominator(const Rational& a) { return a.get_den(); }
inline Rational ratio(const Integer& p, const Integer& q) {
  Rational result(p, q);
  result.canonicalize();
  return result;
}

inline std::string to_text(const Integer& a) { return a.get_str(); }
inline std::string to_text(const Rational& a) { return a.get_str(); }
inline Integer integer_of(std::string_view digits) { return Integer(std::string(digits), 10); }
inline Rational rational_of(std::string_view text) { return Rational(std::string(text), 10); }

inline void add_product(Integer& sum, const Integer& a, const Integer& b) {
  mpz_addmul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}
inline void subtract_product(Integer& sum, const Integer& a, const Integer& b) {
  mpz_submul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}
inline void divide_exactly(Integer& a, const Integer& b) { mpz_divexact(a.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t()); }
inline Integer floor_quotient(const Integer& a, const Integer& b) {
  Integer quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return quotient;
}
inline Integer ceiling_quotient(const Integer& a, const Integer& b) {
  Integer quotient;
  mpz_cdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return quotient;
}
inline std::uint64_t modulo(const Integer& a, std::uint64_t p) { return mpz_fdiv_ui(a.get_mpz_t(), p); }
inline Integer power_of(std::uint64_t base, std::uint64_t exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), base, exponent);
  return power;
}
inline void shrink_to_common_divisor(Integer& divisor, const Integer& a) {
  mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), a.get_mpz_t());
}
inline void grow_to_common_multiple(Integer& multiple, const Integer& a) {
  mpz_lcm(multiple.get_mpz_t(), multiple.get_mpz_t(), a.get_mpz_t());
}

inline std::uint64_t bit_length(const Integer& a) { return mpz_sizeinbase(a.get_mpz_t(), 2); }
inline std::uint64_t trailing_zero_bits(const Integer& a) { return mpz_scan1(a.get_mpz_t(), 0); }
inline Rational times_power_of_two(const Rational& a, std::int64_t exponent) {
  Rational product;
  if (exponent >= 0) {
    mpq_mul_2exp(product.get_mpq_t(), a.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(product.get_mpq_t(), a.get_mpq_t(), -static_cast<mp_bitcnt_t>(exponent));
  }
  return product;
}
inline bool fits_int64(const Integer& a) { return a.fits_slong_p(); }
inline std::int64_t to_int64(const Integer& a) { return a.get_si(); }
inline double fraction_and_exponent(const Integer& a, std::int64_t* exponent) {
  return mpz_get_d_2exp(exponent, a.get_mpz_t());
}
inline double approximate(const Rational& a) { return a.get_d(); }

}  // namespace linsep
