"""evaluate: how a model does on labeled rows, alone, beside another one, and by groups."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _inputs, _rows
from ._load import estimator_of, load
from ._model import Model
from ._scan import scan
from ._table import TableClassifier, _class_name, _column_names, _unused, _with_columns
from .errors import UsageError, translate_errors

if TYPE_CHECKING:
    from . import _core

__all__ = ["evaluate"]


def _estimator(model: Any, name: str) -> Any:
    """Return the fitted estimator that `model` is, or that its file or value describes."""
    if isinstance(model, str | os.PathLike):
        return load(model)
    if isinstance(model, Model):
        return estimator_of(model)
    if isinstance(model, TableClassifier):
        return model.estimator_
    if not isinstance(getattr(model, "model_", None), Model):
        raise UsageError(f"'{name}' is a fitted estimator of linsep, a Model, or the path of a model file", [name])
    return model


def _rows_for(estimator: Any, X: Any, y: Any, alone: bool) -> _core.Rows:
    """Return labeled rows as the estimator's model takes them."""
    model = estimator.model_
    if _inputs.is_source(X):
        _inputs.refuse_beside_rows(y=y)
        if _rows.is_rows(X) and not alone:
            raise UsageError("'against' needs rows that both models can read: give a path, a table or arrays", ["X"])
        return _inputs.rows_for(model, X)
    if _inputs.is_table(X) and model._core.has_table:
        if y is None:
            return _inputs.rows_for(model, X)
        label = _unused("label", _column_names(X))
        names = np.array([_class_name(value) for value in np.asarray(y).tolist()], dtype=object)
        return _rows.core_rows(scan(_with_columns(X, {label: names}), label=label))
    _inputs.refuse_arrays_for_tables(model)
    if y is None:
        raise UsageError("'y' is missing: evaluating a model needs the classes of the rows", ["y"])
    if model.form == "labels":
        raise UsageError("a model of several label columns is evaluated on a file, not on arrays", ["X"])
    data, y = _inputs.validated(estimator, X, y, reset=False, labelled=True, numeric=model._core.regression)
    if model._core.regression:
        return _inputs.prepared(estimator, data, y)
    classes = estimator.classes_
    if np.setdiff1d(y, classes).size:
        raise UsageError(f"'y' has classes that the model doesn't have: {np.setdiff1d(y, classes).tolist()}", ["y"])
    order = np.argsort(classes)
    place = order[np.searchsorted(classes, y, sorter=order)]
    return _inputs.prepared(estimator, data, 2 * place - 1 if len(classes) == 2 else place, classes=model.classes)


@translate_errors()
def evaluate(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    against: Any = None,
    by: Any = None,
    cost: tuple[float, float] | None = None,
    fail_if_worse: str | None = None,
    if_unsure: Literal["fail", "pass"] = "fail",
    seed: int = 1,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Measure a model on labeled rows, as the command ``linsep evaluate`` does.

    Parameters
    ----------
    model : estimator, Model or path
        A fitted estimator of linsep, its model, or a model file.
    X : path, DataFrame, {array-like, sparse matrix} or Rows
        Rows. Each model encodes the columns of a table in its own way.
    y : array-like of shape (n_rows,), optional
        Their classes; None for rows that have labels.
    against : estimator, Model or path, optional
        Another model to compare with on the same rows.
    by : array-like of shape (n_rows,), optional
        A value of each row. The rows of each value are also measured by themselves.
    cost : tuple of float, optional
        The costs of a missed row and of a false alarm, for the metric ``cost`` of a comparison.
    fail_if_worse : str, optional
        Rules such as ``"error+0.005,log_loss+1%"``, which ``result["gate"]["passed"]`` answers. A percentage is of the
        other model's figure.
    if_unsure : {"fail", "pass"}, default="fail"
        Whether a rule passes if the interval of the difference doesn't tell.
    seed : int, default=1
        Seed of the bootstrap.
    n_jobs : int, optional
        Threads; never changes the result.

    Returns
    -------
    dict
        The object that ``linsep evaluate --json`` prints: the model's figures, and with them ``against``,
        ``comparison``, ``groups`` and ``gate``.

    Examples
    --------
    >>> import linsep
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> old = linsep.BasicLinearClassifier().fit(X, y)
    >>> new = linsep.MarginClassifier().fit(X, y)
    >>> found = linsep.evaluate(new, X, y, against=old)
    >>> found["mistakes"], found["against"]["mistakes"]
    (0, 0)
    """
    from . import _core

    if if_unsure not in ("fail", "pass"):
        raise UsageError(f"'if_unsure' is 'fail' or 'pass', not {if_unsure!r}", ["if_unsure"])
    if fail_if_worse and against is None:
        raise UsageError("'fail_if_worse' needs 'against': worse than which model?", ["fail_if_worse"])
    own = _estimator(model, "model")
    other = None if against is None else _estimator(against, "against")
    missed, false_alarm = (0.0, 0.0) if cost is None else cost
    text = _core.evaluate_fully(
        _rows_for(own, X, y, other is None),
        own.model_._core,
        against_rows=None if other is None else _rows_for(other, X, y, False),
        against=None if other is None else other.model_._core,
        by=[] if by is None else [str(value) for value in np.asarray(by).tolist()],
        false_negative=float(missed),
        false_positive=float(false_alarm),
        fail_if_worse=fail_if_worse or "",
        if_unsure=if_unsure,
        seed=seed,
        threads=_rows.threads_for(n_jobs),
    )
    found: dict[str, Any] = json.loads(text)
    return found
