"""Sentences about proofs and separation, for reprs, reports and errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from .._shown import shown_text

Certificate = Any  # that of certificate.py, which uses these sentences

INFINITY = {1: "+∞", -1: "−∞"}
ESTIMATES = {
    "+infinity": "goes to +∞",
    "-infinity": "goes to −∞",
    "finite": "finite",
    "undetermined": "not finite; the sign isn't determined",
    "not unique": "not unique: columns are dependent",
    "unknown": "not worked out",
}


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(4601, "row")
    ('1 row', '4,601 rows')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[object], limit: int = 10) -> str:
    """Return words with commas and "and", as a terminal may show them; of more than `limit` the first ones and how many more there are.

    Examples
    --------
    >>> listed("abc"), listed(range(5), limit=2)
    ('a, b and c', '0, 1 and 3 more')
    """
    names = [shown_text(word) for word in words]
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit:,} more"
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def short(number: float) -> str:
    """Return six digits of a number.

    Examples
    --------
    >>> short(0.35355339), short(-2.0)
    ('0.353553', '−2')
    """
    return f"{number:.6g}".replace("-", "−")


def at_least(number: float) -> str:
    """Return "at least" and six digits that aren't above the number.

    Examples
    --------
    >>> at_least(2 / 3), at_most(2 / 3), at_most(0.5)
    ('at least 0.666666', 'at most 0.666667', 'at most 0.5')
    """
    return f"at least {_six_digits(number, ROUND_FLOOR)}"


def at_most(number: float) -> str:
    """Return "at most" and six digits that aren't below the number."""
    return f"at most {_six_digits(number, ROUND_CEILING)}"


def _six_digits(number: float, rounding: str) -> str:
    exact = Decimal(number)
    if not exact.is_finite() or not exact:
        return short(number)
    return short(float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - 5), rounding, Context(prec=40))))


def verdict_sentence(certificate: Certificate) -> str:
    """Return what a certificate says, without its first word: the verdict."""
    known = certificate._core.verdict_words
    if certificate.verdict != "undecided":
        return f"{known}."
    return f"{known or 'no verdict is proven'}; {ended_early(certificate)}."


def capitalized(sentence: str) -> str:
    """Return a sentence with a capital letter; the rest stays as it is.

    Examples
    --------
    >>> capitalized("no line separates A from B")
    'No line separates A from B'
    """
    return sentence[:1].upper() + sentence[1:]


def proof_in_words(certificate: Certificate) -> str:
    """Return the proof's parts in a few words, for a repr of one line."""
    parts = ["through the origin"] if certificate.origin else []
    if certificate.map != "none":
        parts.append(f"map {certificate.map}")
    if certificate.against_the_rest is not None:
        parts.append(f"{certificate.against_the_rest} against the rest")
    known = len(parts)
    levels = len(certificate.levels)
    if certificate.margin is not None:
        parts.append(f"margin {at_least(certificate.margin)}")
    elif levels and certificate.left_at_zero and not certificate.jointly:
        parts.append(f"{counted(certificate.rows - certificate.left_at_zero, 'row')} separated")
    elif levels:
        parts.append(f"{counted(levels, 'level')} of weights")
    if number := certificate._file.witness_size():
        parts.append(f"witness of {counted(number, 'comparison' if certificate.jointly else 'row')}")
    elif certificate.margin_at_most is not None:
        parts.append(f"margin {at_most(certificate.margin_at_most)}")
    if len(parts) == known:
        parts.append(ended_early(certificate))
    return ", ".join(parts)


def ended_early(certificate: Certificate) -> str:
    """Return why a run ended before a verdict."""
    reasons = {
        "time": "the time ran out",
        "interrupted": "it was interrupted",
        "passes": "the passes ran out",
    }
    return f"the run ended early: {reasons.get(certificate.stopped_because, certificate.stopped_because)}"


def level_in_words(weights: dict[str, Fraction], offset: str, limit: int = 8) -> str:
    """Return a weight vector as a formula, "12·x1 + 12·x2 − 18"; of many weights the first ones."""
    text = ""
    for name, weight in list(weights.items())[:limit]:
        number = (
            str(abs(weight))
            if max(abs(weight.numerator), weight.denominator) < 10**6
            else short(abs(float(weight)))
        )
        term = number if name == offset else shown_text(name) if number == "1" else f"{number}·{shown_text(name)}"
        sign = "−" if weight < 0 else "+"
        text += f" {sign} {term}" if text else f"{'−' if weight < 0 else ''}{term}"
    return text + (" + …" if len(weights) > limit else "")


def point_in_words(point: Sequence[float], names: Sequence[str], limit: int = 6) -> str:
    """Return a point as "(NV = 0, PI = 19.5948)"; of more than `limit` columns the first ones."""
    shown = [f"{shown_text(name)} = {short(value)}" for name, value in zip(names, point, strict=False)][:limit]
    return f"({', '.join(shown)}{', …' if len(point) > limit else ''})"
