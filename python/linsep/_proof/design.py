"""What a regression is to be fitted to: design matrix, outcomes and names, out of whatever holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from .._inputs import columns_without_numbers, refuse_missing_labels
from ..errors import UsageError
from .words import counted, listed

_TWO_OUTCOMES = {"Logit", "Probit", "GLM", "GEE"}


@dataclass(frozen=True)
class Design:
    """A design matrix with two outcomes.

    Attributes
    ----------
    X : ndarray or sparse matrix
        A column per coefficient.
    y : ndarray of bool
        Whether the outcome is the positive class.
    classes : tuple
        The two outcomes as they were given, the positive one last.
    names : list of str
        Of the columns.
    outcome : str
        What the outcome is called; "y" where it has no name.
    labels : ndarray or None
        What the rows were called where they came from: labels of an index, or numbers of rows of which some
        were left out. None: they are numbered from 0.
    indexed : bool
        The labels are an index's.
    whole : bool
        The matrix holds every coefficient: the regression adds no intercept of its own.
    origin : ndarray of int or None
        The row that each row was made of, where a row stood for several trials or for none; None: itself.
    weight, offset : ndarray or None
        How often each row counts and what is added to its score, of a model that says so.
    spec : object
        How a formula makes the columns of a frame: a DesignInfo of patsy, a ModelSpec of formulaic; or None.
    frame : list of str or None
        The columns of the frame that a formula was read on, where it is known.
    columns : list of str or None
        What the columns were called in the frame that they came from; None: it was no frame.
    named : bool
        The names are the frame's or were given, not made up here.
    """

    X: Any
    y: npt.NDArray[np.bool_]
    classes: tuple[Any, Any]
    names: list[str]
    outcome: str = "y"
    labels: npt.NDArray[Any] | None = None
    indexed: bool = False
    whole: bool = False
    origin: npt.NDArray[np.int64] | None = None
    weight: npt.NDArray[np.float64] | None = None
    offset: npt.NDArray[np.float64] | None = None
    spec: Any = None
    frame: list[str] | None = None
    columns: list[str] | None = None
    named: bool = True

    def __getstate__(self) -> dict[str, Any]:
        """Leave out a formula's spec: patsy's can't be pickled. Frames then need the columns of the matrix."""
        return {**self.__dict__, "spec": None}

    @property
    def ids(self) -> list[str] | None:
        """What the rows of X are called in a proof; None: by their numbers."""
        if self.labels is None:
            return None
        return [str(label) for label in (self.labels if self.origin is None else self.labels[self.origin])]


def design_of(X: Any, y: Any, feature_names: Sequence[str] | None) -> Design:
    """Return the design of arrays, DataFrames, matrices of formulas, or of a statsmodels model or result.

    Parameters
    ----------
    X, y, feature_names
        As in `check_separation`.

    Returns
    -------
    Design
        Checked: two outcomes, a name per column, no name twice.
    """
    if isinstance(X, str):
        raise UsageError(
            f"X is text: of a formula give its model, check_separation(smf.logit({X!r}, data)) with "
            "statsmodels.formula.api as smf, or the matrices of patsy or formulaic",
            ["X"],
        )
    if y is None:
        return _of_model(X, feature_names)
    info = getattr(X, "design_info", None) or getattr(X, "model_spec", None)
    columns = getattr(info, "column_names", None)
    if columns is None:
        columns = getattr(X, "columns", None)
    values = _numbers(X)
    places, classes = _outcomes(y, values.shape[0])
    names = _names(values, feature_names if feature_names is not None else columns)
    outcome = getattr(y, "name", None)
    index = getattr(X, "index", None)
    labels = _labels(index if index is not None else getattr(y, "index", None))
    _refuse_missing(values, labels)
    return Design(
        values,
        places,
        classes,
        names,
        str(outcome or "y"),
        labels,
        labels is not None,
        info is not None,
        spec=info,
        columns=None if columns is None else [str(name) for name in columns],
        named=feature_names is not None or columns is not None,
    )


def constant_columns(values: Any) -> npt.NDArray[np.int64]:
    """Return the columns that have the same value, other than 0, in every row."""
    if not sp.issparse(values):
        same = (values == values[:1]).all(axis=0) & (values[0] != 0)
        return np.flatnonzero(same)
    columns = sp.csc_array(values, copy=True)
    columns.sum_duplicates()
    full = np.flatnonzero(np.diff(columns.indptr) == columns.shape[0])
    parts = ((column, columns.data[columns.indptr[column] : columns.indptr[column + 1]]) for column in full)
    return np.array(
        [column for column, part in parts if part[0] != 0 and (part == part[0]).all()], dtype=np.int64
    )


def _of_model(given: Any, feature_names: Sequence[str] | None) -> Design:
    """Return the design of a statsmodels model, or of the model of a result."""
    model = getattr(given, "model", given)
    kind = type(model).__name__
    if not (hasattr(model, "exog") and hasattr(model, "endog")):
        raise UsageError("y is missing: give X and y, or a statsmodels model", ["y"])
    family = type(model.family).__name__ if hasattr(model, "family") else "Binomial"
    if kind not in _TWO_OUTCOMES or family != "Binomial":
        told = kind if family == "Binomial" else f"{kind} of the family {family}"
        raise UsageError(
            f"{told} isn't a regression of two outcomes: separation is about Logit, Probit and binomial GLM"
        )
    names = _names(model.exog, feature_names if feature_names is not None else model.exog_names)
    share = np.asarray(model.endog, dtype=np.float64)
    weight = np.ones(len(share))
    for name in ("freq_weights", "var_weights", "n_trials"):
        weights = getattr(model, name, None)
        if weights is not None and np.size(weights) == len(share):
            weight = weight * np.asarray(weights, dtype=np.float64)
    counts = weight > 0
    # A row of trials with both outcomes is a row of each: only which outcomes there are at a point counts.
    some, others = np.flatnonzero(counts & (share > 0)), np.flatnonzero(counts & (share < 1))
    origin = np.concatenate([some, others])
    positive = np.concatenate([np.ones(len(some), dtype=bool), np.zeros(len(others), dtype=bool)])
    order = np.argsort(origin, kind="stable")
    origin, positive = origin[order], positive[order]
    if not 0 < positive.sum() < len(positive):
        raise UsageError("all outcomes of the model are the same: there are no two classes to separate")
    itself = np.array_equal(origin, np.arange(len(share)))
    values = model.exog if itself else model.exog[origin]
    weight = weight[origin] * np.where(positive, share[origin], 1 - share[origin])
    offset = getattr(model, "offset", None)
    name = model.endog_names if isinstance(model.endog_names, str) else "y"
    data = getattr(model, "data", None)
    spec = getattr(data, "model_spec", None) or getattr(data, "design_info", None)
    frame = getattr(getattr(data, "frame", None), "columns", None)
    columns = getattr(getattr(data, "orig_exog", None), "columns", None)
    labels = _labels(getattr(data, "row_labels", None))
    indexed = labels is not None
    left_out = getattr(data, "missing_row_idx", None)
    if not indexed and left_out is not None and len(left_out):
        labels = np.delete(np.arange(len(share) + len(left_out)), left_out)
    return Design(
        values,
        positive,
        (0, 1),
        names,
        name,
        labels,
        indexed,
        True,
        None if itself else origin,
        weight=None if (weight == 1).all() else weight,
        offset=None if offset is None else np.asarray(offset, dtype=np.float64)[origin],
        spec=spec,
        frame=None if frame is None else [str(column) for column in frame],
        columns=None if columns is None else [str(column) for column in columns],
        named=feature_names is not None or columns is not None,
    )


def _numbers(X: Any) -> Any:
    """Return X as a matrix of numbers, sparse where it is; refuse columns of text by their names."""
    if sp.issparse(X):
        return X
    values = np.asarray(X)
    if values.dtype.kind not in "biuf" and hasattr(X, "columns"):
        told = columns_without_numbers(X)
        if not told:
            kinds = {str(name): np.asarray(X[name]).dtype.kind for name in X.columns}
            told = {name: "text" for name, kind in kinds.items() if kind not in "biufO"}
        if told:
            words = ", ".join(f"{name!r} ({kind})" for name, kind in told.items())
            raise UsageError(
                f"columns that aren't numbers: {words}. A design matrix holds numbers only: "
                "pandas.get_dummies(X, drop_first=True), patsy or formulaic make one"
            )
    if values.dtype.kind not in "biuf":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise UsageError(
                "X has missing values, or values that aren't numbers: leave out such rows"
            ) from None
    if values.ndim != 2:
        raise UsageError(
            f"X has {values.ndim} dimension{'s' * (values.ndim != 1)}: give a matrix, a row per observation"
        )
    return values.astype(np.float64) if values.dtype.kind == "b" else values


def _refuse_missing(values: Any, labels: npt.NDArray[Any] | None) -> None:
    """Refuse rows with missing values, by their names."""
    if sp.issparse(values) or values.dtype.kind != "f":
        return
    missing = np.flatnonzero(np.isnan(values).any(axis=1))
    if not len(missing):
        return
    called = (missing if labels is None else labels[missing]).tolist()
    raise UsageError(
        f"X is NaN in {counted(len(called), 'row')}: {listed(map(str, called), limit=5)}. Leave "
        'them out of X and y, or give a statsmodels model with missing="drop"',
        ["X"],
    )


def _outcomes(y: Any, rows: int) -> tuple[npt.NDArray[np.bool_], tuple[Any, Any]]:
    """Return which rows have the greater of two outcomes, and both outcomes."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or len(values) != rows:
        raise UsageError(
            f"y has the shape {values.shape}: give an outcome for each of the {rows:,} rows", ["y"]
        )
    try:
        refuse_missing_labels(y)
    except ValueError as error:
        raise UsageError(str(error), ["y"]) from None
    try:
        classes, places = np.unique(values, return_inverse=True)
    except TypeError:
        raise UsageError("y has outcomes of different types", ["y"]) from None
    if len(classes) != 2:
        told = listed((repr(value) for value in classes.tolist()), limit=5)
        raise UsageError(
            f"y has {len(classes):,} different values ({told}): separation is about two outcomes", ["y"]
        )
    return places.reshape(-1) == 1, (
        classes[0].item(),
        classes[1].item(),
    ) if values.dtype != object else tuple(classes)


def _names(values: Any, given: Any) -> list[str]:
    """Return the columns' names; without names as statsmodels calls them: const, x1, x2, …"""
    if given is not None:
        names = [str(name) for name in given]
        if len(names) != values.shape[1]:
            raise UsageError(
                f"there are {len(names):,} names for {values.shape[1]:,} columns", ["feature_names"]
            )
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise UsageError(
                f"{listed(map(repr, twice))} is the name of more than one column", ["feature_names"]
            )
        return names
    constant = constant_columns(values)[:1].tolist() if values.shape[0] else []
    numbers = iter(range(1, values.shape[1] + 1))
    return ["const" if column in constant else f"x{next(numbers)}" for column in range(values.shape[1])]


def _labels(index: Any) -> npt.NDArray[Any] | None:
    """Return the labels of an index that says more than the rows' numbers, and no label twice."""
    if index is None or callable(index) or not getattr(index, "is_unique", True):
        return None
    labels = index.to_numpy() if hasattr(index, "to_numpy") else np.asarray(index)
    numbers = labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels)))
    return None if numbers else labels
