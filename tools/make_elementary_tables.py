#!/usr/bin/env python3
"""Writes src/core/elementary_tables.inc: the constants of exp, log and their relatives (src/core/elementary.cc).

Usage: tools/make_elementary_tables.py [--check]

Every constant is computed with 80 decimal digits and rounded once. The polynomials interpolate at Chebyshev points, where their
largest error is close to the least possible; that error is written beside each. --check compares the file with what would be
written.
"""
import argparse
import decimal
import math
import pathlib
import sys
from decimal import Decimal

FILE = pathlib.Path(__file__).resolve().parent.parent / "src/core/elementary_tables.inc"
EXP_STEPS, LOG_STEPS = 128, 128  # elementary.cc says what they mean
UPPER_HALF = 53                 # from 1 + 53/128 > sqrt 2 on, a number is halved before its logarithm is taken
INVERSE_BITS, LOG_BITS = 15, 42
EXPM1_BOUND = Decimal("0.125")

decimal.getcontext().prec = 80
LN2 = Decimal(2).ln()


def literal(number):
    """A double as C++ writes it exactly, without trailing zeros."""
    mantissa, exponent = float(number).hex().split("p")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}p{int(exponent)}"


def rounded(number, bits):
    """The nearest multiple of 2^-bits."""
    return (number * 2**bits).to_integral_value(decimal.ROUND_HALF_EVEN) / 2**bits


def parts(number, bits=None):
    """A double, or a multiple of 2^-bits, and the double that is nearest to the rest."""
    high = rounded(number, bits) if bits else Decimal(float(number))
    assert Decimal(float(high)) == high
    return high, Decimal(float(number - high))


def polynomial(function, bound, degree):
    """Coefficients, from the constant on, of the polynomial that meets function at the Chebyshev points of [-bound, bound]."""
    points = [bound * Decimal(f"{math.cos(math.pi * (2 * i + 1) / (2 * degree + 2)):.9f}") for i in range(degree + 1)]
    assert all(points), "an odd degree has no point at 0, where these functions are 0/0"
    divided = [function(x) for x in points]
    for order in range(1, degree + 1):
        for i in range(degree, order - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (points[i] - points[i - order])
    coefficients = [Decimal(0)] * (degree + 1)
    for i in range(degree, -1, -1):  # Horner's rule with polynomials
        coefficients = [(coefficients[k - 1] if k else divided[i]) - points[i] * coefficients[k] for k in range(degree + 1)]
    return [Decimal(float(c)) for c in coefficients]


def polynomial_text(name, what, function, bound, degree, weight):
    """The array of coefficients, with the largest error where the result is function·x^weight beside x."""
    coefficients = polynomial(function, bound, degree)
    value = lambda x: sum(c * x**k for k, c in enumerate(coefficients))
    error = max(abs((value(x) - function(x)) * x**weight) for x in (bound * i / 500 for i in range(-500, 501) if i))
    power = math.log2(error)
    yield f"// {what} for |x| ≤ {literal(bound)}; off by less than 2^{math.ceil(power)} of x."
    yield f"inline constexpr double {name}[] = {{"
    yield from rows(coefficients)
    yield "};"


def rows(numbers, each=5):
    texts = [literal(n) for n in numbers]
    for i in range(0, len(texts), each):
        yield "    " + " ".join(text + "," for text in texts[i:i + each])


def pair(name, what, number, bits=None):
    high, low = parts(number, bits)
    return f"inline constexpr double {name}High = {literal(high)}, {name}Low = {literal(low)};  // {what}"


def text():
    yield "// Written by tools/make_elementary_tables.py. Don't edit."
    # exp: a step number of at most 18 bits times the high part is exact.
    yield f"inline constexpr double kStepsPerUnit = {literal(EXP_STEPS / LN2)};  // {EXP_STEPS}/ln 2"
    yield pair("kStep", f"ln 2/{EXP_STEPS}", LN2 / EXP_STEPS, 41)
    yield pair("kLn2", "ln 2", LN2, LOG_BITS)
    yield pair("kLog10E", "1/ln 10", 1 / Decimal(10).ln())
    yield pair("kLog2E", "1/ln 2", 1 / LN2)

    yield f"// 2^(i/{EXP_STEPS}), and what of it the double leaves out, as a share of it."
    yield f"inline constexpr double kPowers[{EXP_STEPS}][2] = {{"
    for i in range(0, EXP_STEPS, 2):
        line = []
        for k in (i, i + 1):
            exact = (LN2 * k / EXP_STEPS).exp()
            high = Decimal(float(exact))
            line.append(f"{{{literal(high)}, {literal((exact - high) / high)}}},")
        yield "    " + " ".join(line)
    yield "};"

    yield f"// With c = 1 + i/{LOG_STEPS}, halved from i = {UPPER_HALF} on: 1/c as a multiple of 2^-{INVERSE_BITS}, and minus the logarithm of that multiple in two parts."
    yield f"inline constexpr double kLogs[{LOG_STEPS + 1}][3] = {{"
    widest = Decimal(0)
    for i in range(0, LOG_STEPS + 1, 2):
        line = []
        for k in range(i, min(i + 2, LOG_STEPS + 1)):
            c = 1 + Decimal(k) / LOG_STEPS
            half = Decimal(1) / (2 * LOG_STEPS)
            low, high = (c if k == 0 else c - half), (c if k == LOG_STEPS else c + half)
            if k >= UPPER_HALF:
                c, low, high = c / 2, low / 2, high / 2
            inverse = rounded(1 / c, INVERSE_BITS)
            widest = max(widest, abs(low * inverse - 1), abs(high * inverse - 1))
            line.append("{" + ", ".join(map(literal, (inverse, *parts(-inverse.ln(), LOG_BITS)))) + "},")
        yield "    " + " ".join(line)
    yield "};"

    bound = Decimal(float(widest * (1 + Decimal(2)**-40)))
    yield from polynomial_text("kLogTerms", "(ln(1 + x) − x + x²/2)/x³", lambda x: ((1 + x).ln() - x + x * x / 2) / x**3, bound, 5, 2)
    step = Decimal(float(LN2 / (2 * EXP_STEPS) * (1 + Decimal(2)**-30)))
    yield from polynomial_text("kExpTerms", "(e^x − 1 − x)/x²", lambda x: (x.exp() - 1 - x) / x**2, step, 3, 1)
    yield from polynomial_text("kExpm1Terms", "(e^x − 1 − x − x²/2)/x³", lambda x: (x.exp() - 1 - x - x * x / 2) / x**3, EXPM1_BOUND, 7, 2)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--check", action="store_true")
    check = arguments.parse_args().check
    wanted = "\n".join(text()) + "\n"
    if not check:
        FILE.write_text(wanted, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != wanted:
        sys.exit(f"{FILE.name} isn't what tools/make_elementary_tables.py writes")


if __name__ == "__main__":
    main()
