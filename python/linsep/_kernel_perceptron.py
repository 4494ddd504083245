"""KernelPerceptron: the perceptron in its dual form, with kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._docs import documented
from ._parameters import KernelPerceptronParameters
from ._perceptron import MistakeDriven

if TYPE_CHECKING:
    from . import _core

__all__ = ["KernelPerceptron"]


@documented
class KernelPerceptron(KernelPerceptronParameters, MistakeDriven):
    """The perceptron in its dual form: mistakes by row, and kernels.

    z = Σ α_i·y_i·K(x_i, x) + θ0, where α_i counts the mistakes on row i.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes, sorted.
    dual_coef_ : ndarray of shape (1, n_kept)
        α·y of the rows with a mistake.
    support_ : ndarray of shape (n_kept,)
        The numbers of these rows.
    mistakes_ : int
        Mistakes in all passes.
    mistakes_by_row_ : ndarray of shape (n_rows,)
        α.
    trace_ : list of dict
        With ``trace``: each classifier on the way, with the pass and the row of the mistake that led to it.

    See Also
    --------
    Perceptron : The primal form.

    Notes
    -----
    The rule and what it is good for: :doc:`/explanation/learners`.

    Examples
    --------
    >>> from linsep import KernelPerceptron
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> y = [0, 1, 1, 0]  # exclusive or: no line separates it
    >>> KernelPerceptron(kernel="polynomial").fit(X, y).predict(X)
    array([0, 1, 1, 0])
    """

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        self.dual_coef_ = np.array(outcome.model.coefficient).reshape(1, -1)
        self.support_ = np.flatnonzero(self.mistakes_by_row_)

    _two_classes_only: ClassVar[bool] = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {**super()._more_tags(), "binary_only": True}
