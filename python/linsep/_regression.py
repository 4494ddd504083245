"""PerceptronRegressor: predicts a number, corrected by every residual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from . import _inputs, _rows
from ._base import LinsepEstimator
from ._callbacks import fitting
from ._docs import documented
from ._parameters import PerceptronRegressorParameters
from .errors import translate_errors

if TYPE_CHECKING:
    from . import _core

__all__ = ["PerceptronRegressor"]


@documented
class PerceptronRegressor(PerceptronRegressorParameters, RegressorMixin, LinsepEstimator):  # type: ignore[misc]
    """Perceptron regression: z = θ·x + θ0, corrected by every residual, θ += η·(y − z)·x.

    Stops after a pass whose sum of squared residuals is at most ``residual_bound``, or after ``max_iter``
    passes.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        θ; with a map, of the mapped features.
    intercept_ : float
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each entry of ``coef_``.

    See Also
    --------
    Perceptron : The same for classes.

    Notes
    -----
    Steps of a fixed length grow without bound on values much larger than 1: scale features first,
    or take a smaller ``eta0``.

    The rule and what it is good for: :doc:`/explanation/learners`.

    Examples
    --------
    >>> from linsep import PerceptronRegressor
    >>> regressor = PerceptronRegressor(max_iter=2000, eta0=0.1, residual_bound=1e-6)
    >>> regressor = regressor.fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> regressor.predict([[3.0]]).round(2)
    array([7.])
    """

    @fitting
    def fit(self, X: Any, y: Any = None) -> Self:
        """Train on rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.
        y : array-like of shape (n_rows,)
            Their targets; None when X has targets of its own.

        Returns
        -------
        self : PerceptronRegressor
            The fitted estimator.
        """
        if _inputs.is_source(X):
            _inputs.refuse_beside_rows(y=y)
            source = _inputs.source_rows(X)
            self._train(_rows.core_rows(source), source, None)
            return self
        data, y = _inputs.validated(self, X, y, reset=True, labelled=True, numeric=True)
        with translate_errors():
            rows = _inputs.prepared(self, data, np.asarray(y, dtype=np.float64))
        self._train(rows, data, y)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Predict the targets of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The numbers z = θ·x + θ0.
        """
        return self._scores(X)

    def _passes_at_most(self) -> int | None:
        return self.max_iter

    def _keep_weights(self, model: _core.Model) -> None:
        super()._keep_weights(model)
        self.coef_ = self.coef_[0]
        self.intercept_ = float(self.intercept_[0])

    def _warn(self, outcome: _core.Outcome) -> None:
        if (
            outcome.reason != "passes" or self.residual_bound > 0
        ):  # without a bound passes are what was asked for
            super()._warn(outcome)

    def _advice(self) -> str:
        return "Raise 'max_iter' or 'residual_bound', scale the features, or use another 'eta0'."
