"""Perceptron: corrected by every mistake until a pass makes none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import _check_partial_fit_first_call

from . import _inputs
from ._callbacks import fitting
from ._classifier import LinsepClassifier, available
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
            "Raise 'max_iter'; linsep.certify(X, y) says whether a pass without mistakes is possible at all."
        )


def goes_on(estimator: Any) -> bool:
    """Whether an estimator can go on from its last classifier."""
    if estimator.variant != "last":
        raise UsageError(f"partial_fit is for variant='last', not {estimator.variant!r}", ["variant"])
    if estimator.multiclass != "rest":
        raise UsageError(
            "partial_fit is for multiclass='rest': the joint perceptron starts from 0", ["multiclass"]
        )
    return True


class Perceptron(PerceptronParameters, MistakeDriven):
    """The perceptron: θ += η·y·x on every mistake, until a pass makes none.

    On separable rows it makes at most (R/γ)² mistakes. The last classifier, the mean of all, or a vote of all
    can be kept.

    Parameters
    ----------
    max_iter : int, default=100
        At most this many passes over the rows.

    order : {"given", "shuffled", "drawn"}, default="given"
        Rows as given, shuffled anew in each pass, or drawn at random with replacement.

    random_state : int, RandomState instance or None, default=1
        The seed of a shuffled or drawn order; the same seed gives the same bits as the command line. None
        draws one from numpy's global state.

    eta0 : float, default=1.0
        η, the length of a correction: θ += η·y·x on a mistake; rows of weight 0 are left out.

    weighted : bool, default=False
        Multiply a correction by the row's weight; without it weights other than 0 play no part. A row of
        weight 0 is left out in any case. A row of weight w corrects w times as far as one of weight 1, which
        is not the same as w copies of it: copies would be corrected one after the other, each seeing the
        last.

    init : array-like of shape (n_features,) or None, default=None
        Start from these weights, one per feature; without them from 0.

    init_offset : float, default=0.0
        Start from this offset.

    variant : {"last", "averaged", "voted"}, default="last"
        The classifier reached at last, the mean over all steps, or a vote of all steps (which keeps the row
        of every mistake).

    multiclass : {"rest", "joint"}, default="rest"
        More than two classes: a classifier for each against the rest, or all in one, corrected together.

    trace : bool, default=False
        Record θ after every mistake, until 8,388,608 numbers are kept.

    fit_intercept : bool, default=True
        Whether there is an offset; without one the boundary goes through the origin.

    map : str, default="none"
        Train on a map of the features: "products" (x1·x2, …) or "polynomial:DEGREE".

    warm_start : bool, default=False
        Start from the classifier of the last fit instead of from 0.

    n_jobs : int or None, default=None
        Threads; they change no bit of the result. None: LINSEP_NUM_THREADS, else OMP_NUM_THREADS, else all
        that the process may run on; -1: the latter in any case.

    time_limit : float or None, default=None
        Stop after so many seconds of training with the classifier reached by then. The one parameter with
        which two runs may differ.

    verbose : int, default=0
        1: a line on standard error every second.

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
    n_features_in_ : int
        How many features rows have.
    feature_names_in_ : ndarray of str
        Their names, where X has names.
    n_iter_ : int
        Passes that were made.
    stopped_because_ : str
        ``"converged"``, ``"passes"``, ``"time"``, ``"interrupted"`` or ``"stalled"``.
    stop_code_, stop_sentence_ : str
        The same for a program and for a person; empty where there is nothing to say.
    history_ : structured ndarray
        A record per pass: pass, seconds, mistakes, objective, gap, residual.
    model_ : Model
        The model file's content.

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

    The rule and what it is good for: :doc:`/learners`.

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
        self : Perceptron
            The fitted estimator.
        """
        return self._fit(X, y)

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
