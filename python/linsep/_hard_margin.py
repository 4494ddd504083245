"""HardMarginClassifier: the greatest margin of separable rows, with a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ._callbacks import fitting
from ._classifier import LinsepClassifier
from ._margin import warn_gap
from ._parameters import HardMarginClassifierParameters
from .errors import NotSeparableError

if TYPE_CHECKING:
    from . import _core
    from ._base import Trained

__all__ = ["HardMarginClassifier"]

HULL = np.dtype([("row", np.int64), ("weight", np.float64)])


def public_certificate(core: Any, rows: _core.Rows) -> Any:
    """Return the core's certificate as users know it; it keeps the rows until it is sealed."""
    if core is None:
        return None
    from ._certificate import Certificate

    return Certificate(core, rows)


class HardMarginClassifier(HardMarginClassifierParameters, LinsepClassifier):
    """The separator of two classes with the greatest margin, and the proof of it.

    min ½‖θ‖² under y·z ≥ 1 for every row. Where no separator exists ``fit`` raises
    :class:`NotSeparableError`, whose ``certificate`` proves that.

    Parameters
    ----------
    max_iter : int, default=5000
        At most this many passes over the rows.

    gap : float, default=0.001
        Stop when the objective is proven to be within this share of the least possible. The gap is (primal −
        dual)/primal of the stated objective, offset not penalised, with a bound on rounding added. It bounds
        the distance of the weights too: ‖θ − θ*‖² ≤ 2·gap·objective/λ.

    random_state : int, RandomState instance or None, default=1
        The seed of a shuffled or drawn order; the same seed gives the same bits as the command line. None
        draws one from numpy's global state.

    prove : bool, default=True
        Make a certificate of the separator and of the margin.

    fit_intercept : bool, default=True
        Whether there is an offset; without one the boundary goes through the origin.

    map : str, default="none"
        Train on a map of the features: "products" (x1·x2, …) or "polynomial:DEGREE".

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
    classes_ : ndarray of shape (2,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
    margin_ : float
        The geometric margin, rounded down; proven for the values as stored.
    margin_most_ : float
        No separator's margin is greater.
    certificate_ : Certificate or None
        With ``prove``: the proof of both.
    hull_weights_ : structured ndarray
        The rows of the two hulls' nearest points, with their weights.
    n_features_in_ : int
        How many features rows have.
    feature_names_in_ : ndarray of str
        Their names, where X has names.
    n_iter_ : int
        Passes that were made.
    stopped_because_ : str
        ``"converged"``, ``"passes"``, ``"time"``, ``"interrupted"`` or ``"stalled"``.
    stop_code_, stop_sentence_ : str
        The same for a program and for a person, with what would help.
    history_ : structured ndarray
        A record per pass: pass, seconds, mistakes, objective, gap, residual.
    model_ : Model
        The model file's content.

    See Also
    --------
    MarginClassifier : Trades mistakes for margin where rows aren't separable.
    certify : Proves that rows are separable, or that they aren't.

    Notes
    -----
    The objective, the gap and the solvers: :doc:`/margin`.

    Examples
    --------
    >>> from linsep import HardMarginClassifier
    >>> classifier = HardMarginClassifier().fit([[0.0], [1.0], [3.0]], ["no", "no", "yes"])
    >>> classifier.predict([[0.5], [2.5]])
    array(['no', 'yes'], dtype='<U3')
    >>> 0.999 <= classifier.margin_ <= classifier.margin_most_ <= 1.001
    True
    """

    _fixed: ClassVar[dict[str, Any]] = {"hard": True}

    @fitting
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the separator.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.
        y : array-like of shape (n_rows,)
            Their classes; None when X has labels of its own.

        Returns
        -------
        self : HardMarginClassifier
            The fitted estimator.
        """
        return self._fit(X, y)

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        return super()._call_core(rows, options, prove=self.prove, **more)

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        if outcome.reason == "inseparable":
            raise NotSeparableError(
                "no linear classifier separates the rows, which the error's 'certificate' proves. "
                "MarginClassifier trades mistakes for margin",
                public_certificate(outcome.certificate, rows),
            )
        super()._keep(outcome, rows, X)
        found = outcome.hard_margin or {}
        self.margin_ = found.get("margin", np.nan)
        self.margin_most_ = found.get("margin_upper_bound", np.nan)
        self.hull_weights_ = np.array(outcome.hull_weights, dtype=HULL)
        self.certificate_ = public_certificate(outcome.certificate, rows)

    def _warn(self, outcome: _core.Outcome) -> None:
        if outcome.reason not in ("converged", "interrupted"):
            gap = float(self.history_["gap"][-1]) if len(self.history_) else 1.0
            warn_gap(self, outcome, gap)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
