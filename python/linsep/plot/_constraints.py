"""Rows as half-planes of two weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._plane import corners, cut
from ._read import trace_of
from ._rows import Array, as_table, columns_of, feature_names_of
from ._style import count, short


@dataclass(frozen=True, eq=False)
class Constraints:
    """One line (a, b, c) per row: it is classified correctly where a·u + b·v + c > 0.

    Parameters
    ----------
    lines : ndarray of shape (n_rows, 3)
        The constraints.
    names : (str, str)
        What u and v are.
    sentence : str
        What is held, in words.
    is_slice : bool
        Whether there are weights besides u and v.
    weights : ndarray of shape (2,), optional
        A classifier.
    path : ndarray of shape (n_steps, 2), optional
        How training came to it.
    """

    lines: Array
    names: tuple[str, str]
    sentence: str = ""
    is_slice: bool = False
    weights: Array | None = None
    path: Array | None = None

    def values(self, weights: Array) -> Array:
        """y·z of every row."""
        return np.asarray(self.lines[:, :2] @ weights + self.lines[:, 2])

    def feet(self) -> Array:
        """The points nearest to the origin on the lines, without those that are far beyond the usual."""
        lengths = (self.lines[:, :2] ** 2).sum(axis=1)
        lines, lengths = self.lines[lengths > 0], lengths[lengths > 0]
        feet = -lines[:, :2] * (lines[:, 2] / lengths)[:, None]
        far = np.hypot(feet[:, 0], feet[:, 1])
        return np.asarray(feet[far <= 3 * np.median(far)] if len(far) else feet)

    def _size(self) -> float:
        sizes = [np.abs(self.feet()).max(initial=0.0)]
        if self.weights is not None:
            sizes.append(np.abs(self.weights).max())
        return float(max(sizes)) or 1.0

    def feasible_region(self) -> Array:
        """Cut from a box that is large beside all else; no corners where no weights are right on all rows."""
        return self._cut_from(1e4 * self._size())

    def feasible_corners(self) -> Array:
        """Those corners of the feasible region that aren't too far away to be shown."""
        region = self.feasible_region()
        far = np.abs(region).max(axis=1, initial=0.0)
        return np.asarray(region[far <= 4 * self._size()])

    def _cut_from(self, size: float) -> Array:
        region = corners((-size, size, -size, size))
        for line in self.lines:
            region = cut(region, line[0], line[1], line[2])
        return region if _area(region) > 1e-12 * self._size() ** 2 else region[:0]

    def without_line(self) -> str:
        """The rows on which u and v have no bearing, in words."""
        flat = np.flatnonzero(~self.lines[:, :2].any(axis=1))
        if len(flat) == 0:
            return ""
        which = f"Row {flat[0]} has" if len(flat) == 1 else f"{count(len(flat), 'row')} have"
        good = (self.lines[flat, 2] > 0).all()
        return f"{which} no line: {'right' if good else 'wrong'} whatever the two weights are."


def _area(polygon: Array) -> float:
    if len(polygon) < 3:
        return 0.0
    x, y = polygon[:, 0], polygon[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def constraints_of_rows(X: Any, sign: NDArray[Any], fit_intercept: bool, offset: float) -> Constraints:
    """Of rows with one or two features."""
    columns = as_table(X).shape[1]
    if columns > 2:
        raise ValueError(
            f"of {columns} features a slice is drawn: from_estimator holds the others at a classifier's"
        )
    names = feature_names_of(X)
    values = columns_of(X, range(columns))
    if columns == 1:
        if not fit_intercept:
            raise ValueError("one feature without an intercept is a single weight: there is no plane to draw")
        lines = np.column_stack([np.ones(len(values)), values[:, 0], np.zeros(len(values))])
        return Constraints(lines=lines * sign[:, None], names=("θ0, the intercept", _weight(0, names)))
    constant = offset if fit_intercept else 0.0
    lines = np.column_stack([values, np.full(len(values), constant)]) * sign[:, None]
    sentence = f"The slice at θ0 = {short(constant)} of three weights." if fit_intercept else ""
    return Constraints(lines, (_weight(0, names), _weight(1, names)), sentence, is_slice=fit_intercept)


def constraints_of_estimator(estimator: Any, X: Any, sign: NDArray[Any]) -> Constraints:
    """Of rows and a linear classifier of two classes."""
    weights = getattr(estimator, "coef_", None)
    columns = as_table(X).shape[1]
    if weights is None or np.shape(np.atleast_2d(weights)) != (1, columns):
        raise ValueError(
            "weight space is drawn for a linear classifier of two classes that has one weight per feature"
        )
    theta, offset = np.asarray(weights, dtype=np.float64).ravel(), float(np.ravel(estimator.intercept_)[0])
    fit_intercept = bool(getattr(estimator, "fit_intercept", True))
    names = feature_names_of(X, estimator)
    if columns <= 2:
        scale = abs(offset) if columns == 2 and fit_intercept and offset != 0 else 1.0
        plain = constraints_of_rows(X, sign, fit_intercept, offset / scale)
        point = np.array([offset, theta[0]]) if columns == 1 else theta / scale
        path = None if plain.is_slice else _path(estimator, columns)
        said = f" θ is divided by |θ0| = {short(scale)}." if scale != 1 else ""
        axes = plain.names if columns == 1 else (_weight(0, names), _weight(1, names))
        return Constraints(plain.lines, axes, plain.sentence + said, plain.is_slice, point, path)
    table = as_table(X)
    rest = np.asarray(table[:, 2:] @ theta[2:]).ravel() + offset
    lines = np.column_stack([columns_of(X, (0, 1)), rest]) * sign[:, None]
    others = "other weight" if columns == 3 else f"other {columns - 2:,} weights"
    sentence = f"A slice: the {others} and the intercept are held at the classifier's."
    return Constraints(
        lines, (_weight(0, names), _weight(1, names)), sentence, is_slice=True, weights=theta[:2]
    )


def _weight(place: int, names: list[str]) -> str:
    return f"θ{place + 1}, the weight of {names[place]}"


def _path(estimator: Any, columns: int) -> Array | None:
    trace = trace_of(estimator)
    if trace is None:
        return None
    theta, offset = trace.theta, trace.offset
    return np.column_stack([offset, theta[:, 0]]) if columns == 1 else theta[:, :2]
