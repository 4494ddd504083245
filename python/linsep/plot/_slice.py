"""A classifier restricted to a plane: two features move, the others are held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._rows import Array, as_table, means_of
from ._style import count

_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False)
class Slice:
    """Scores in the plane of two features.

    Parameters
    ----------
    lines : ndarray of shape (1 or n_classes, 3), optional
        z = a·x + b·y + c, of the positive class or of each class; None where scores aren't linear in the
        features.
    scores_at : callable
        From points of shape (n, 2) to scores of shape (n,) or (n, n_classes).
    sentence : str
        What is held where; "" with at most two features.
    """

    lines: Array | None
    scores_at: Callable[[Array], Array]
    sentence: str = ""

    @classmethod
    def of(cls, estimator: Any, X: Any, features: Sequence[int], at: Any = None) -> Slice:
        """The slice through `at`, by default through the means of the features of X."""
        columns = as_table(X).shape[1]
        if at is not None:
            point = np.asarray(at, dtype=np.float64).ravel()
            if len(point) != columns:
                raise ValueError(
                    f"at holds {count(len(point), 'value')}, but there are {count(columns, 'feature')}"
                )
        else:
            point = means_of(X) if columns > len(features) else np.zeros(columns)
        held = columns - len(features)
        where = "their means" if at is None else "the values given"
        what = "The other feature is" if held == 1 else f"The other {held:,} features are"
        sentence = (
            f"{what} held at {where if held > 1 or at is not None else 'its mean'}; rows are projected."
            if held
            else ""
        )
        return cls(
            lines=_lines(estimator, features, point),
            scores_at=lambda points: _scores(estimator, X, features, point, points),
            sentence=sentence,
        )

    def scores(self, across: Array, up: Array) -> Array:
        """On a grid: shape (1 or n_classes, len(up), len(across))."""
        x, y = np.meshgrid(across, up)
        values = np.asarray(self.scores_at(np.column_stack([x.ravel(), y.ravel()])), dtype=np.float64)
        return values.reshape(len(values), -1).T.reshape(-1, len(up), len(across))


def _lines(estimator: Any, features: Sequence[int], point: Array) -> Array | None:
    weights = getattr(estimator, "coef_", None)
    if weights is None:
        return None
    weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    if weights.shape[1] != len(point):
        return None
    held = point.copy()
    held[list(features)] = 0
    offset = np.asarray(estimator.intercept_, dtype=np.float64).ravel() + weights @ held
    second = weights[:, features[1]] if len(features) > 1 else np.zeros(len(weights))
    return np.column_stack([weights[:, features[0]], second, offset])


def _scores(estimator: Any, X: Any, features: Sequence[int], point: Array, points: Array) -> Array:
    step = max(1, _NUMBERS_AT_ONCE // len(point))
    parts = []
    for begin in range(0, len(points), step):
        block = points[begin : begin + step]
        rows = np.tile(point, (len(block), 1))
        rows[:, list(features)] = block[:, : len(features)]
        parts.append(np.asarray(estimator.decision_function(_like(X, rows))))
    return np.concatenate(parts)


def _like(X: Any, rows: Array) -> Any:
    """The rows with the names of a data frame, so that an estimator fitted with names doesn't miss them."""
    if hasattr(X, "iloc"):
        return type(X)(rows, columns=X.columns)
    if hasattr(X, "columns") and hasattr(X, "schema"):
        return type(X)(rows, schema=list(X.columns))
    return rows
