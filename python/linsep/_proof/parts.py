"""Small answers about proofs: what a checker found, and bounds on mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .. import _html
from .._shown import Shown
from .file import Weights


@dataclass(frozen=True)
class Check(Shown):
    """What a checker found; true where the certificate is valid.

    Attributes
    ----------
    valid : bool
        Every part that the certificate claims is proven.
    needs_data : bool
        It isn't valid only because the rows weren't given.
    reason : str
        Of a valid certificate its claim in a sentence; else what is wrong or missing.
    proven : tuple of str
        In words, what was proven in all, or before the rows were found missing.
    about : tuple of str
        What the certificate is about, in words: the label, the columns used and how they were encoded, those
        left out, rows left out, and whether its encoding was accepted unseen (``as_encoded=True``).
    certain_labels : int or None
        Of a proof about a model (`Audit`): how many rows get the same label by every best possible classifier. None of other
        certificates.
    zeros : tuple of int
        Of a proof about a model whose penalty has an L1 part: the columns, from 0, whose weight is 0 in every optimum.

    Examples
    --------
    >>> import linsep
    >>> check = linsep.certify([[0.0], [1.0], [2.0]], [0, 1, 0]).verify()
    >>> check.valid, check.proven
    (True, ('no linear classifier separates these rows',))
    """

    valid: bool
    needs_data: bool
    reason: str
    proven: tuple[str, ...]
    about: tuple[str, ...] = ()
    certain_labels: int | None = None
    zeros: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.valid

    def _repr_html_(self) -> str:
        return _html.check_html(self)


@dataclass(frozen=True)
class MistakeBounds(Shown):
    """Bounds on the least number of mistakes of any linear classifier; a row on the boundary is a mistake.

    Attributes
    ----------
    at_least : int
        Every classifier makes as many: one on each of the `witnesses`.
    at_most : int or None
        The classifier `weights` makes this many.
    witnesses : tuple of dict
        Sets of rows (from 0) with their alpha; no two share a row, and every classifier is wrong on a row of
        each.
    weights : dict
        A weight for each column that has one.
    """

    at_least: int
    at_most: int | None
    witnesses: tuple[dict[int, Fraction], ...]
    weights: Weights

    def __repr__(self) -> str:
        return f"MistakeBounds(at_least={self.at_least}, at_most={self.at_most})"
