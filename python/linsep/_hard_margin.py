"""HardMarginClassifier: the largest margin of separable rows, with a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._classifier import LinsepClassifier
from ._docs import documented
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
    from ._proof.certificate import Certificate

    return Certificate(core, rows)


@documented
class HardMarginClassifier(HardMarginClassifierParameters, LinsepClassifier):
    """The separator of two classes with the largest margin, and the proof of it.

    min ½‖θ‖² under y·z ≥ 1 for every row. Where no separator exists ``fit`` raises
    :class:`NotSeparableError`, whose ``certificate`` proves that.

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

    See Also
    --------
    MarginClassifier : Trades mistakes for margin where rows aren't separable.
    certify : Proves that rows are separable, or that they aren't.

    Notes
    -----
    The objective, the gap and the solvers: :doc:`/explanation/margin`.

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

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        return super()._call_core(rows, options, prove=self.prove, **more)

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        if outcome.reason == "inseparable":
            certificate = public_certificate(outcome.certificate, rows)
            told = "the rows can't be separated" if certificate is None else certificate._core.not_separable
            raise NotSeparableError(
                f"{told}; the error's 'certificate' proves it. "
                "MarginClassifier trades mistakes for margin",
                certificate,
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

    _two_classes_only: ClassVar[bool] = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {**super()._more_tags(), "binary_only": True}
