"""What all classifiers share: predictions, probabilities, distances from the boundary."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _rows
from ._base import LinsepEstimator
from ._callbacks import fitting
from .errors import UsageError, translate_errors

if TYPE_CHECKING:
    from . import _core

__all__ = ["Distances"]

Floats = npt.NDArray[np.float64]
Method = TypeVar("Method", bound=Callable[..., Any])


class _Available:
    """As scikit-learn's ``available_if``; and the AttributeError says what the check says."""

    def __init__(self, method: Callable[..., Any], check: Callable[[Any], object]) -> None:
        functools.update_wrapper(self, method)
        self._method, self._check = method, check

    def __get__(self, estimator: Any, owner: Any = None) -> Any:
        if estimator is None:
            return self._method
        try:
            self._check(estimator)
        except UsageError as error:
            name = type(estimator).__name__
            raise AttributeError(f"this {name} has no {self._method.__name__!r}: {error}") from None
        return types.MethodType(self._method, estimator)


def available(check: Callable[[Any], object]) -> Callable[[Method], Method]:
    """Decorate a method that isn't there where `check` raises a UsageError, which says what to do."""
    return lambda method: cast("Method", _Available(method, check))


class Distances(NamedTuple):
    """Where rows lie, seen from a linear classifier's boundary.

    Parameters
    ----------
    distance : ndarray of shape (n_rows,)
        y·z/‖θ‖, below 0 on the wrong side.
    margin : ndarray of shape (n_rows,)
        y·z.
    norm : float
        ‖θ‖ without the offset.
    width : float
        2/‖θ‖, between the planes z = ±1.
    mistakes : int
        Rows with y·z ≤ 0.
    inside : int
        Rows with y·z < 1: mistakes, and rows on the right side within the margin.
    least_row : int
        The row of the least y·z, the first of several.
    """

    distance: Floats
    margin: Floats
    norm: float
    width: float
    mistakes: int
    inside: int
    least_row: int


class LinsepClassifier(ClassifierMixin, LinsepEstimator):  # type: ignore[misc]
    """Base class of all classifiers."""

    _two_classes_only: ClassVar[bool] = False
    _core_weighs_classes: ClassVar[bool] = False  # by its option; else their weights go into those of the rows
    _takes_labelings: ClassVar[bool] = False  # y of several columns
    classes_: Any  # an array; of labelings a list of them

    @fitting
    def fit(self, X: Any, y: Any = None) -> Self:
        """Train on rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.
        y : array-like of shape (n_rows,)
            Their classes; None when X has labels of its own.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None, **more: Any) -> Self:
        """Train on arrays, rows or a file."""
        class_weight = None if self._core_weighs_classes else getattr(self, "class_weight", None)
        if _inputs.is_source(X):
            _inputs.refuse_beside_rows(y=y, sample_weight=sample_weight)
            return self._fit_source(X, class_weight, **more)
        if self._takes_labelings and _inputs.is_labelings(y):
            return self._fit_labelings(X, y, sample_weight, **more)
        data, y = _inputs.validated(self, X, y, reset=True, labelled=True)
        labels = _inputs.labels_of(self, y)
        weight = _inputs.weights_of(data, labels, sample_weight, class_weight, type(self).__name__)
        names = _inputs.class_names(labels.classes)
        with translate_errors():
            rows = _inputs.prepared(self, data, labels.for_core, weight, classes=names)
        start = self._start(labels.classes, data.shape[1])
        self.classes_ = labels.classes
        self._train(rows, data, y, start=start, **more)
        return self

    def _fit_labelings(self, X: Any, y: Any, sample_weight: Any, **more: Any) -> Self:
        """Train a classifier for each column of y, all in the same passes."""
        if getattr(self, "class_weight", None) is not None:
            raise UsageError("'class_weight' doesn't work with several columns of y: leave it out", ["class_weight"])
        names = _inputs.column_names(y)
        data, y = _inputs.validated(self, X, y, reset=True, labelled=True, several=True)
        labels = _inputs.labelings_of(y, names)
        weight = None if sample_weight is None else _inputs.checked_weights(sample_weight, data)
        with translate_errors():
            rows = _inputs.prepared(self, data, weight=weight, **labels.for_core())
        start = self._start(labels.classes, data.shape[1])
        self.classes_ = labels.classes
        self._train(rows, data, y, start=start, **more)
        return self

    def _fit_source(self, X: Any, class_weight: Any, **more: Any) -> Self:
        if class_weight is not None:
            raise UsageError("'class_weight' needs arrays: give each of these rows a weight instead", ["class_weight"])
        from . import _core

        source = _inputs.source_rows(X)
        rows = _rows.core_rows(source)
        with translate_errors():
            only = _core.only_class(rows, self._learner, hard=self._fixed.get("hard", False))
        if only is not None:
            name = type(self).__name__
            raise ValueError(f"{name} needs rows of at least two classes, but every row is of the class {only!r}")
        self._train(rows, source, None, start=self._last_model(), **more)
        return self

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        if _rows.is_rows(X):
            self.classes_ = _inputs.classes_of(X)

    def _last_model(self) -> _core.Model | None:
        """Return the model of the last fit, with `warm_start`. The core matches its classes and columns by name."""
        if not getattr(self, "warm_start", False) or not hasattr(self, "model_"):
            return None
        return self.model_._core

    def _start(self, classes: Any, features: int) -> _core.Model | None:
        """Return the model to start from, with `warm_start`."""
        last = self._last_model()
        if last is not None and (not np.array_equal(classes, self.classes_) or features != last.features):
            raise ValueError("warm_start: the classes or features differ from the last fit")
        return last

    def decision_function(self, X: Any) -> Floats:
        """Return the scores of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes) or (n_rows, n_labelings)
            Of two classes z = θ·x + θ0, at least 0 for ``classes_[1]``; of several classes or labelings a score for
            each.
        """
        return self._scores(X)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the classes of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_labelings)
            Of each row the class with the greatest score, of equals the first; of labelings the class in each.
        """
        scores = self._scores(X)
        if self._has_labelings():
            said = (scores >= 0).astype(int)
            return np.column_stack([pair[said[:, k]] for k, pair in enumerate(self.classes_)])
        classes: npt.NDArray[Any] = self.classes_[self.model_._core.predict_places(scores)]
        return classes

    def _has_labelings(self) -> bool:
        return self.model_.form == "labels"

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted; of labelings, the share of labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            Rows.
        y : array-like of shape (n_rows,), optional
            Their classes; None for rows that have labels.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of arrays' rows. Rows of a file count alike.

        Returns
        -------
        float
            The accuracy.
        """
        check_is_fitted(self)
        if not _inputs.is_source(X) and self._has_labelings():
            return self._score_labelings(X, np.asarray(y), sample_weight)
        if not _inputs.is_source(X):
            return float(super().score(X, y, sample_weight))
        from . import _core

        _inputs.refuse_beside_rows(y=y, sample_weight=sample_weight)
        rows, model = _rows.core_rows(_inputs.source_rows(X)), self.model_._core
        with translate_errors():
            found = _core.evaluate(rows, model, threads=_rows.threads_for(self.n_jobs))
        confusion = np.asarray(found["confusion"])
        if self._has_labelings():
            right = sum(label["true_positive"] + label["true_negative"] for label in found["labels"])
            return float(right / sum(label["rows"] for label in found["labels"]))
        if confusion.size:
            right = np.trace(confusion.reshape(len(model.classes), -1))
        else:
            right = found["true_positive"] + found["true_negative"]
        return float(right / found["rows"])

    def _score_labelings(self, X: Any, y: npt.NDArray[Any], sample_weight: Any) -> float:
        predicted = self.predict(X)
        if y.shape != predicted.shape:
            raise ValueError(f"y must have the shape {predicted.shape}, one column for each labeling, not {y.shape}")
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        known = np.column_stack([np.isin(y[:, k], pair) for k, pair in enumerate(self.classes_)])
        return float(np.average(predicted == y, weights=known * weight[:, np.newaxis]))

    @translate_errors()
    def distances(self, X: Any, y: Any = None) -> Distances:
        """Measure how far rows lie from the boundary.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            Rows.
        y : array-like of shape (n_rows,), optional
            Their classes; None for rows that have labels.

        Returns
        -------
        Distances
            Signed distances y·z/‖θ‖ and margins y·z by row, with ‖θ‖ and the counts of mistakes and rows
            inside.
        """
        from . import _core

        check_is_fitted(self)
        if self._has_labelings():
            raise UsageError("distances are those of one boundary: fit one column of y", ["y"])
        if _inputs.is_source(X):
            _inputs.refuse_beside_rows(y=y)
            rows = _inputs.rows_for(self.model_, X)
        else:
            _inputs.refuse_arrays_for_tables(self.model_)
            data, y = _inputs.validated(self, X, y, reset=False, labelled=True)
            labels = _inputs.labels_of(self, y, self.classes_)
            rows = _inputs.prepared(self, data, labels.for_core, classes=self.model_.classes)
        found = _core.distances(rows, self.model_._core, threads=_rows.threads_for(self.n_jobs))
        margin, norm = np.asarray(found["margin"]), float(found["norm"])
        width = 2 / norm if norm else np.inf
        counts = (int(np.sum(margin <= 0)), int(np.sum(margin < 1)))
        with np.errstate(divide="ignore", invalid="ignore"):
            return Distances(margin / norm, margin, norm, width, *counts, int(found["least_row"]))

    def support(self, X: Any, y: Any = None, tolerance: float = 1e-3) -> npt.NDArray[np.int64]:
        """Return the rows that lie on the margin, within it, or on the wrong side.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            Rows.
        y : array-like of shape (n_rows,), optional
            Their classes; None for rows that have labels.
        tolerance : float, default=1e-3
            A row is on the margin when y·z is at most 1 + tolerance.

        Returns
        -------
        ndarray of int
            Row numbers from 0, ascending.
        """
        return np.flatnonzero(self.distances(X, y).margin <= 1 + tolerance)


class WeightedClassifier(LinsepClassifier):
    """Base class of classifiers whose rows can have weights."""

    @fitting
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.
        y : array-like of shape (n_rows,)
            Their classes; None when X has labels of its own.
        sample_weight : array-like of shape (n_rows,), optional
            Weights; a weight of 2 is the row twice, 0 is the row gone.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight)
