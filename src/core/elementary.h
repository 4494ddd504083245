// The elementary functions, with the same bits on every machine. The C library's exp and log differ from one library to
// the next, and with one library from one processor to the next. These use only additions, multiplications and tables,
// in a fixed order.
//
// The result is the exact value rounded, at most 0.6 units in the last place off (elementary_test.cc measures it).
// Special values are those of the C standard, annex F. Neither errno nor floating-point exceptions are promised.
// Rounding is to nearest.
#pragma once

namespace linsep::elementary {

double exp(double x);
/// e^x − 1, without loss of figures near 0.
double expm1(double x);
double log(double x);
/// ln(1 + x), without loss of figures near 0.
double log1p(double x);
/// Exact if the result is a power of the base.
double log2(double x);
double log10(double x);
/// Exact if the result is a double.
double pow(double x, double y);

}  // namespace linsep::elementary
