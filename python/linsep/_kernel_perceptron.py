"""KernelPerceptron: the perceptron in its dual form, with kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ._callbacks import fitting
from ._parameters import KernelPerceptronParameters
from ._perceptron import MistakeDriven

if TYPE_CHECKING:
    from . import _core

__all__ = ["KernelPerceptron"]


class KernelPerceptron(KernelPerceptronParameters, MistakeDriven):
    """The perceptron in its dual form: mistakes by row, and kernels.

    z = Σ α_i·y_i·K(x_i, x) + θ0, where α_i counts the mistakes on row i.

    Parameters
    ----------
    max_iter : int, default=100
        At most this many passes over the rows.

    order : {"given", "shuffled", "drawn"}, default="given"
        Rows as given, shuffled anew in each pass, or drawn at random with replacement.

    random_state : int, RandomState instance or None, default=1
        The seed of a shuffled or drawn order; the same seed gives the same bits as the command line. None
        draws one from numpy's global state.

    kernel : {"linear", "polynomial", "gaussian"}, default="linear"
        x·x′, (x·x′ + constant)^degree, or exp(−gamma·‖x − x′‖²); rows of weight 0 are left out, other weights
        play no part.

    degree : int, default=2
        The power of the polynomial kernel.

    constant : float, default=1.0
        What the polynomial kernel adds to x·x′.

    gamma : float, default=1.0
        How fast the Gaussian kernel falls off.

    trace : bool, default=False
        Record α·y after every mistake, until 8,388,608 numbers are kept.

    gram_cache : float, default=256.0
        MB in which kernel values are kept from pass to pass; the result is the same.

    fit_intercept : bool, default=True
        Whether there is an offset; without one the boundary goes through the origin.

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
    Perceptron : The primal form.

    Notes
    -----
    The rule and what it is good for: :doc:`/learners`.

    Examples
    --------
    >>> from linsep import KernelPerceptron
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> y = [0, 1, 1, 0]  # exclusive or: no line separates it
    >>> KernelPerceptron(kernel="polynomial").fit(X, y).predict(X)
    array([0, 1, 1, 0])
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
        self : KernelPerceptron
            The fitted estimator.
        """
        return self._fit(X, y)

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        self.dual_coef_ = np.array(outcome.model.coefficient).reshape(1, -1)
        self.support_ = np.flatnonzero(self.mistakes_by_row_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
