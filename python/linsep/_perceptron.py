"""Perceptron: corrected by every mistake until a pass makes none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import _check_partial_fit_first_call

from . import _inputs
from ._callbacks import fitting
from ._classifier import LinsepClassifier, available
from ._docs import documented
from ._parameters import PerceptronParameters
from .errors import UsageError, translate_errors

if TYPE_CHECKING:
    from . import _core

__all__ = ["Perceptron"]


class MistakeDriven(LinsepClassifier):
    """What classifiers share that learn from mistakes."""

    max_iter: int
    trace: bool

    def _passes_at_most(self) -> int | None:
        return self.max_iter

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        parts = outcome.parts
        self.mistakes_: Any = np.array([part["mistakes"] for part in parts]) if parts else outcome.mistakes
        self.mistakes_by_row_: npt.NDArray[np.int64] = np.array(outcome.mistakes_by_row, dtype=np.int64)
        self.__dict__.pop("trace_", None)
        if self.trace:
            self.trace_ = list(outcome.trace)

    def _advice(self) -> str:
        return (
            "Raise 'max_iter'; linsep.certify(X, y) decides whether a pass without mistakes is possible."
        )


def goes_on(estimator: Any) -> bool:
    """Whether an estimator can go on from its last classifier."""
    if estimator.variant != "last":
        raise UsageError(f"partial_fit needs variant='last', not {estimator.variant!r}", ["variant"])
    if estimator.multiclass != "rest":
        raise UsageError(
            "partial_fit needs multiclass='rest': the joint perceptron always starts from 0", ["multiclass"]
        )
    return True


@documented
class Perceptron(PerceptronParameters, MistakeDriven):
    """The perceptron: θ += η·y·x on every mistake, until a pass makes none.

    On separable rows it makes at most (R/γ)² mistakes. The last classifier, the mean of all, or a vote of all
    can be kept.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ; with a map, of the mapped features. The voted perceptron has none.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
    mistakes_ : int or ndarray of shape (n_classes,)
        Mistakes in all passes.
    mistakes_by_row_ : ndarray of int
        Mistakes on each row, where they are counted.
    trace_ : list of dict
        With ``trace``: each classifier on the way, with the pass and the row of the mistake that led to it.

    See Also
    --------
    KernelPerceptron : The dual form, with kernels.
    certify : Proves that rows are separable, or that they aren't.

    Notes
    -----
    Coming from scikit-learn's ``Perceptron``: rows are visited in the given order unless
    ``order`` says otherwise, there is no ``penalty``, ``tol`` or ``early_stopping``, and it stops at a pass
    without mistakes. A row on the boundary is a mistake.

    ``fit`` takes no ``sample_weight``: a copy of a row meets another θ than the row did, so that a weight of
    2 can't be the row twice. With ``weighted`` a correction is multiplied by the weight of rows that have one
    (:func:`linsep.rows`, :func:`linsep.scan`).

    The rule and what it is good for: :doc:`/explanation/learners`.

    Examples
    --------
    >>> from linsep import Perceptron
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> y = [0, 0, 0, 1]
    >>> classifier = Perceptron().fit(X, y)
    >>> classifier.predict(X)
    array([0, 0, 0, 1])
    >>> classifier.stopped_because_, classifier.history_["mistakes"][-1]
    ('converged', np.float64(0.0))
    """

    @available(goes_on)
    @fitting
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Make one pass over rows in the given order, from where the last one ended.

        Only there with ``variant="last"`` and ``multiclass="rest"``: the others keep more than their last
        classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.
        classes : array-like of shape (n_classes,), optional
            All classes; needed in the first call.

        Returns
        -------
        self : Perceptron
            The fitted estimator.
        """
        first = not hasattr(self, "model_")
        data, y = _inputs.validated(self, X, y, reset=first, labelled=True)
        _check_partial_fit_first_call(self, classes)
        labels = _inputs.labels_of(self, y, self.classes_)
        with translate_errors():
            rows = _inputs.prepared(self, data, labels.for_core, classes=_inputs.class_names(self.classes_))
        start = None if first else self.model_._core
        changed: dict[str, Any] = {"passes": 1, "order": "given"}
        if not first:
            changed.update({"init": [], "init-offset": 0.0})
        self._train(rows, data, y, start=start, warn=False, changed=changed)
        return self
