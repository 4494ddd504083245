"""BasicLinearClassifier and LeastSquaresClassifier: from class means and scatter, without a search."""

from __future__ import annotations

from typing import Any, Self

from ._callbacks import fitting
from ._classifier import LinsepClassifier
from ._parameters import BasicLinearClassifierParameters, LeastSquaresClassifierParameters

__all__ = ["BasicLinearClassifier", "LeastSquaresClassifier"]


class BasicLinearClassifier(BasicLinearClassifierParameters, LinsepClassifier):
    """The basic linear classifier: θ is the difference of the class means.

    The threshold is half way between them. One pass over the rows. Several classes: each against the rest.

    Parameters
    ----------
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
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
    n_features_in_ : int
        How many features rows have.
    feature_names_in_ : ndarray of str
        Their names, where X has names.
    n_iter_ : int
        1.
    stopped_because_ : str
        ``"converged"``, ``"time"`` or ``"interrupted"``.
    stop_code_, stop_sentence_ : str
        Empty: there is nothing to say.
    history_ : structured ndarray
        A record per pass: pass, seconds, mistakes, objective, gap, residual.
    model_ : Model
        The model file's content.

    See Also
    --------
    LeastSquaresClassifier : The same with the features' scatter taken into account.

    Notes
    -----
    There is no ``class_weight``: means of classes don't change with it. ``sample_weight`` changes them.

    The rule and what it is good for: :doc:`/learners`.

    Examples
    --------
    >>> from linsep import BasicLinearClassifier
    >>> classifier = BasicLinearClassifier().fit([[0.0, 0.0], [1.0, 0.0], [4.0, 4.0]], ["a", "a", "b"])
    >>> classifier.coef_
    array([[3.5, 4. ]])
    """

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
        self : BasicLinearClassifier
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight)


class LeastSquaresClassifier(LeastSquaresClassifierParameters, LinsepClassifier):
    """The least-squares classifier: θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖), from one pass or by conjugate gradients.

    M is the features' scatter, or its diagonal, or the identity. Several classes: each against the rest.

    Parameters
    ----------
    max_iter : int, default=1000
        At most this many passes over the rows.

    matrix : {"auto", "identity", "diagonal", "full", "cg"}, default="auto"
        M: the identity, the diagonal of the scatter, the whole of it, or the whole by conjugate gradients
        (one pass per step); auto is full up to 2,000 features, else cg.

    ridge : float, default=0.0
        Added to the diagonal of M; the offset is not penalised.

    tolerance : float, default=1e-08
        cg stops when ‖b − M·θ‖ ≤ tolerance·‖b‖.

    class_weight : dict, "balanced" or None, default=None
        Weights of classes, multiplied into the rows' weights; "balanced": every class weighs the same.

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
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
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
    BasicLinearClassifier : The difference of the means alone.

    Notes
    -----
    Coming from ``RidgeClassifier``: its ``alpha`` is ``ridge``, and labels are −1 and +1
    likewise; the offset isn't penalised.

    The rule and what it is good for: :doc:`/learners`.

    Examples
    --------
    >>> from linsep import LeastSquaresClassifier
    >>> X = [[0.0, 0.0], [1.0, 0.5], [3.0, 4.0], [5.0, 4.0]]
    >>> LeastSquaresClassifier(ridge=1.0).fit(X, [0, 0, 1, 1]).predict(X)
    array([0, 0, 1, 1])
    """

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
        self : LeastSquaresClassifier
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight)
