"""What certify, verify and check_separation are given, as the core takes it."""

from __future__ import annotations

import os
from typing import Any

from .. import _inputs, _rows
from .._scan import scan
from ..errors import UsageError


def proof_rows(X: Any, y: Any, *, sample_weight: Any = None) -> Any:
    """Return the rows of arrays, of what `linsep.rows` and `linsep.scan` made, or of a path; None of None.

    Parameters
    ----------
    X, y : as in `certify`
        The rows.
    sample_weight : array, default=None
        With arrays: the weights of the rows.

    Returns
    -------
    Rows or None
        With two classes.
    """
    if X is None:
        if y is not None:
            raise UsageError("y without X: give both", ["X", "y"])
        if sample_weight is not None:
            raise UsageError("sample_weight without X: give the rows too", ["X", "sample_weight"])
        return None
    if _rows.is_rows(X) or isinstance(X, str | os.PathLike):
        if sample_weight is not None:
            raise UsageError("these rows include their weights: leave out sample_weight", ["sample_weight"])
        if y is not None:
            raise UsageError("these rows include their classes: leave out y", ["y"])
        return X if _rows.is_rows(X) else scan(X)
    if y is None:
        raise UsageError("y is missing: give the classes of the rows", ["y"])
    return _inputs.rows(X, y, sample_weight=sample_weight)


def core_rows(rows: Any) -> Any:
    """Return the core's rows, or None of None."""
    return None if rows is None else _rows.core_rows(rows)


def core_model(guide: Any) -> Any:
    """Return the core's model of an estimator, of a `Model`, or of None."""
    if guide is None:
        return None
    model = getattr(guide, "model_", guide)
    core = getattr(model, "_core", None)
    if core is None:
        raise UsageError(f"guide is a fitted estimator of linsep, not {type(guide).__name__}", ["guide"])
    return core
