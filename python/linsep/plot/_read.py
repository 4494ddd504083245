"""What pictures read from fitted estimators and proofs, in one form each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._names import PROBABILITY_LOSSES, core_choice
from ._rows import Array, Places


@dataclass(frozen=True, eq=False)
class Trace:
    """θ at the start (place 0) and after each correction."""

    theta: Array
    offset: Array
    passes: Places
    rows: Places


def trace_of(estimator: Any) -> Trace | None:
    """The trace with its start; None where none was kept."""
    steps = getattr(estimator, "trace_", None)
    if steps is None or len(steps) == 0:
        return None
    theta = np.array([np.ravel(step["theta"]) for step in steps], dtype=np.float64)
    if theta.shape[1] == 0:
        return None
    offset = np.array([float(step["offset"]) for step in steps])
    first = getattr(estimator, "init", None)
    first = np.zeros(theta.shape[1]) if first is None else np.asarray(first, dtype=np.float64).ravel()
    start = float(getattr(estimator, "init_offset", 0.0))
    return Trace(
        theta=np.vstack([first, theta]),
        offset=np.concatenate([[start], offset]),
        passes=np.array([0, *(int(step["pass"]) for step in steps)]),
        rows=np.array([-1, *(int(step["row"]) for step in steps)]),
    )


def history_column(estimator: Any, name: str) -> Array:
    """A column of ``history_`` as numbers, NaN where there is none."""
    history = getattr(estimator, "history_", None)
    if history is None:
        raise ValueError(f"{type(estimator).__name__} isn't fitted, or keeps no history_")
    return np.asarray(history[name], dtype=np.float64)


def require_proof(certificate: Any, X: Any = None, y: Any = None) -> None:
    """Raise a ValueError unless the certificate is proven of these rows, or else of those that it was made of."""
    check = certificate.verify(X, y)
    if not check and check.needs_data:
        raise ValueError("this certificate can't be checked without its rows: give X and y")
    if not check:
        raise ValueError(f"the certificate isn't about these rows: {check.reason}")


def pairs_of(weights: Any) -> tuple[Places, Array]:
    """Row numbers and weights from an array of pairs, plain or structured."""
    table: NDArray[Any] = np.asarray(weights)
    if table.dtype.names:
        first, second = table.dtype.names[:2]
        return table[first].astype(np.int64), table[second].astype(np.float64)
    table = table.reshape(-1, 2)
    return table[:, 0].astype(np.int64), table[:, 1].astype(np.float64)


def maximizes_margin(estimator: Any) -> bool:
    """Whether the planes z = ±1 mean something: a hard margin, or a hinge loss."""
    if hasattr(estimator, "margin_"):
        return True
    return hasattr(estimator, "gap_") and core_choice(getattr(estimator, "loss", "hinge")) not in PROBABILITY_LOSSES


@dataclass(frozen=True, eq=False)
class Path:
    """A path of λ, descending."""

    alphas: Array
    values: Array
    spread: Array
    mistakes: Array
    features: Array | None
    weight: float
    folds: int


def path_of(estimator: Any, what: str) -> Path:
    """The path of a cross-validation; `what` is "error" or "loss"."""
    path = estimator.path_
    alphas, strengths = np.asarray(path["alpha"]), np.asarray(path["C"])
    mistakes = np.asarray(path["mistakes"], dtype=np.float64)
    return Path(
        alphas=alphas,
        values=np.asarray(path[what], dtype=np.float64),
        spread=np.asarray(path[f"{what}_spread"], dtype=np.float64),
        mistakes=np.where(mistakes >= 0, mistakes, np.nan),
        features=np.asarray(path["features"]) if hasattr(estimator, "intercept_path_") else None,
        weight=float(1 / (alphas[0] * strengths[0])),
        folds=int(estimator.folds_),
    )
