"""LogisticRegression: the logistic loss of any number of classes, by scikit-learn's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ._docs import documented
from ._margin import MarginBase
from ._parameters import LogisticRegressionParameters

if TYPE_CHECKING:
    from . import _core

__all__ = ["LogisticRegression"]


@documented
class LogisticRegression(LogisticRegressionParameters, MarginBase):
    """Logistic regression with an L2, L1 or elastic-net penalty, solved to a certified gap.

    The objective and the parameters of scikit-learn's ``LogisticRegression``: penalty + C·Σ weight·loss, the offset
    not penalized. Several classes are trained all together (multinomial).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    objective_, gap_ : float
        The objective, and an upper bound on its relative distance to the best possible one.
    alpha_, C_ : float
        The strength of the penalty, as λ and as C.
    solver_, solver_because_ : str
        The solver, and why it was chosen.
    proven_zeros_ : ndarray of bool, of the shape of ``coef_``
        Whether a weight is proven to be 0 in every optimal model; with an L1 part in the penalty and two classes.

    See Also
    --------
    MarginClassifier : The same objective with ``loss="logistic"``, and other losses.
    check_separation : Whether estimates without a penalty would be finite.

    Notes
    -----
    It differs from scikit-learn's class in what it promises: ``gap_`` bounds how far from the best possible it
    ended, and :doc:`/howto/model-proof` shows how others check that. ``solver``, ``dual``,
    ``intercept_scaling`` and ``warm_start`` have no counterpart. Without a penalty there may be no finite
    optimum: take a large ``C``, and ask :func:`check_separation` first.

    The objective, the gap and the solvers: :doc:`/explanation/margin`. Fewer features:
    :doc:`/howto/sparse-weights`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from linsep import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = LogisticRegression(C=10.0).fit(X, y)
    >>> classifier.predict_proba(X[[0, 70]]).round(2)
    array([[1.  , 0.  , 0.  ],
           [0.  , 0.44, 0.56]])
    >>> bool(classifier.gap_ <= 1e-4)
    True
    """

    _fixed: ClassVar[dict[str, Any]] = {"loss": "softmax", "probabilities": "none"}

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        self.stop_sentence_ = self.stop_sentence_.replace("'gap'", "'tol'")
