"""Exact numbers of proofs: their text as Fractions, and doubles on the side that keeps a bound true."""

from __future__ import annotations

import math
from fractions import Fraction

# int() refuses more digits than sys.get_int_max_str_digits(): 4,300, or what somebody set, at least 640.
_DIGITS = 600


def integer(text: str) -> int:
    """Return the integer that a text of ASCII digits, perhaps after a minus sign, says; of any length.

    Examples
    --------
    >>> integer("-" + "9" * 10_000) == -(10**10_000 - 1)
    True
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{text[:40]!r} isn't an exact number")
    value = 0
    for begin in range(0, len(digits), _DIGITS):
        part = digits[begin : begin + _DIGITS]
        value = value * 10 ** len(part) + int(part)
    return -value if text.startswith("-") else value


def exact(text: str) -> Fraction:
    """Return the number that "p", "p/q" or "1.25" says.

    Examples
    --------
    >>> exact("-3/6"), exact("1.25")
    (Fraction(-1, 2), Fraction(5, 4))
    """
    top, slash, bottom = text.partition("/")
    if slash:
        return Fraction(integer(top), integer(bottom))
    whole, _, decimals = text.partition(".")
    return Fraction(integer(whole + decimals), 10 ** len(decimals))


def root_below(square: Fraction) -> float:
    """Return the greatest double whose square is at most `square`.

    Examples
    --------
    >>> root_below(Fraction(9, 4)), root_below(Fraction(2)) ** 2 <= 2
    (1.5, True)
    """
    root = _root(square)
    while Fraction(root) ** 2 > square:
        root = math.nextafter(root, 0.0)
    while (above := math.nextafter(root, math.inf)) < math.inf and Fraction(above) ** 2 <= square:
        root = above
    return root


def root_above(square: Fraction) -> float:
    """Return the least double whose square is at least `square`; infinity where there is none."""
    root = root_below(square)
    return root if Fraction(root) ** 2 == square else math.nextafter(root, math.inf)


def _root(square: Fraction) -> float:
    """Return about the root of a number that is at least 0; the greatest double where it is beyond."""
    # 2 * shift bits more than the integer part: the root has at least 60 bits.
    shift = max(0, 64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    root = math.isqrt((square.numerator << (2 * shift)) // square.denominator)
    try:
        return float(Fraction(root, 1 << shift))
    except OverflowError:
        return math.nextafter(math.inf, 0.0)
