"""BasicLinearClassifier and LeastSquaresClassifier: from class means and scatter, without a search."""

from __future__ import annotations

from ._classifier import WeightedClassifier
from ._docs import documented
from ._parameters import BasicLinearClassifierParameters, LeastSquaresClassifierParameters

__all__ = ["BasicLinearClassifier", "LeastSquaresClassifier"]


@documented
class BasicLinearClassifier(BasicLinearClassifierParameters, WeightedClassifier):
    """The basic linear classifier: θ is the difference of the class means.

    The threshold is half way between them. One pass over the rows. Several classes: each against the rest.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
    n_iter_ : int
        1.
    stopped_because_ : str
        ``"converged"``, ``"time"`` or ``"interrupted"``.
    stop_code_, stop_sentence_ : str
        Empty: there is nothing to say.

    See Also
    --------
    LeastSquaresClassifier : The same with the features' scatter taken into account.

    Notes
    -----
    There is no ``class_weight``: means of classes don't change with it. ``sample_weight`` changes them.

    The rule and what it is good for: :doc:`/explanation/learners`.

    Examples
    --------
    >>> from linsep import BasicLinearClassifier
    >>> classifier = BasicLinearClassifier().fit([[0.0, 0.0], [1.0, 0.0], [4.0, 4.0]], ["a", "a", "b"])
    >>> classifier.coef_
    array([[3.5, 4. ]])
    """


@documented
class LeastSquaresClassifier(LeastSquaresClassifierParameters, WeightedClassifier):
    """The least-squares classifier: θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖), from one pass or by conjugate gradients.

    M is the features' scatter, or its diagonal, or the identity. Several classes: each against the rest.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.

    See Also
    --------
    BasicLinearClassifier : The difference of the means alone.

    Notes
    -----
    Coming from ``RidgeClassifier``: its ``alpha`` is ``ridge``, and labels are −1 and +1
    likewise; the offset isn't penalized.

    The rule and what it is good for: :doc:`/explanation/learners`.

    Examples
    --------
    >>> from linsep import LeastSquaresClassifier
    >>> X = [[0.0, 0.0], [1.0, 0.5], [3.0, 4.0], [5.0, 4.0]]
    >>> LeastSquaresClassifier(ridge=1.0).fit(X, [0, 0, 1, 1]).predict(X)
    array([0, 0, 1, 1])
    """
