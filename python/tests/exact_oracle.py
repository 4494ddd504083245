"""A slow, obvious judge of separation for a handful of points, in Fractions; shares nothing with the library.

Gordan and Farkas: with z_i = y_i·(x_i, 1) and C the directions w that have z_i·w ≥ 0 on every row, z_i·w is 0
on all of C exactly when row i is in the support of some α ≥ 0 with Σ α_i z_i = 0. Every such α is a sum of
ones of least support, and the rows of least support have but one dependency, so trying all sets of at most
dim + 1 rows finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

Vector = tuple[Fraction, ...]


def rows_of(points: Sequence[Sequence[int]], labels: Sequence[int], offset: bool) -> list[Vector]:
    """Return z for each point; labels are -1 and 1."""
    ones = [1] if offset else []
    return [tuple(Fraction(y * x) for x in [*point, *ones]) for point, y in zip(points, labels, strict=True)]


def comparisons_of(points: Sequence[Sequence[int]], places: Sequence[int], classes: int) -> list[Vector]:
    """Return a z for each point and other class: how far its own score is above; the last score is 0."""
    found = []
    for point, own in zip(points, places, strict=True):
        x = [Fraction(value) for value in [*point, 1]]
        for other in range(classes):
            if other != own:
                parts = [x if place == own else [-v for v in x] if place == other else [Fraction(0)] * len(x)
                         for place in range(classes - 1)]  # fmt: skip
                found.append(tuple(value for part in parts for value in part))
    return found


def dependency(rows: Sequence[Vector]) -> Vector | None:
    """Return the coefficients that make the rows sum to 0, where they are unique up to a factor."""
    size = len(rows)
    equations = [list(column) for column in zip(*rows, strict=True)]
    pivots: list[int] = []
    for column in range(size):
        pivot = next((line for line in range(len(pivots), len(equations)) if equations[line][column]), None)
        if pivot is None:
            continue
        place = len(pivots)
        equations[place], equations[pivot] = equations[pivot], equations[place]
        lead = equations[place][column]
        equations[place] = [value / lead for value in equations[place]]
        for line in range(len(equations)):
            factor = equations[line][column]
            if line != place and factor:
                equations[line] = [
                    a - factor * b for a, b in zip(equations[line], equations[place], strict=True)
                ]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    found = [Fraction(0)] * size
    found[free[0]] = Fraction(1)
    for place, column in enumerate(pivots):
        found[column] = -equations[place][free[0]]
    return tuple(found)


def at_zero(rows: Sequence[Vector]) -> set[int]:
    """Return the rows that no direction separates."""
    found: set[int] = set()
    for size in range(1, len(rows[0]) + 2):
        for chosen in combinations(range(len(rows)), size):
            weights = dependency([rows[row] for row in chosen])
            if weights and (all(w > 0 for w in weights) or all(w < 0 for w in weights)):
                found.update(chosen)
    return found


def verdict(rows: Sequence[Vector]) -> str:
    """Return "separable", "quasi-separable" or "overlapping"."""
    left = len(at_zero(rows))
    return "separable" if left == 0 else "overlapping" if left == len(rows) else "quasi-separable"


def estimate(rows: Sequence[Vector], column: int) -> str:
    """Return a coefficient's estimate: whether w_j ≥ 0, ≤ 0 or both for all w in C."""
    unit = tuple(Fraction(int(place == column)) for place in range(len(rows[0])))
    never_below = len(rows) in at_zero([*rows, tuple(-value for value in unit)])
    never_above = len(rows) in at_zero([*rows, unit])
    words = {(True, True): "finite", (True, False): "+infinity", (False, True): "-infinity"}
    return words.get((never_below, never_above), "undetermined")
