"""MarginClassifier: maximum margin with a loss, to a certified gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _rows
from ._base import ending
from ._callbacks import fitting
from ._classifier import Floats, LinsepClassifier, available
from ._parameters import MarginClassifierParameters
from .errors import GapWarning, UsageError, translate_errors, warn_caller

if TYPE_CHECKING:
    from . import _core
    from ._base import Trained

__all__ = ["MarginClassifier"]

SELECTION = {"lambdas", "Cs", "cv", "choose", "probabilities"}


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator has probabilities: the model's word after `fit`, the parameters' before."""
    if hasattr(estimator, "model_"):
        return bool(estimator.model_._core.has_probabilities)
    return estimator.loss in ("logistic", "softmax") or estimator.probabilities != "none"


def select(rows: _core.Rows, options: dict[str, Any], more: dict[str, Any]) -> _core.Selection:
    """Train for each strength asked for; `options` are the learner's and the selection's together."""
    from . import _core

    learner = {name: value for name, value in options.items() if name not in SELECTION}
    selection = {name: value for name, value in options.items() if name in SELECTION}
    return _core.select(rows, learner, selection, **more)


def warn_gap(estimator: Any, outcome: _core.Outcome, gap: float) -> None:
    """Warn that the gap wasn't reached, with what the core advises."""
    ended = ending(outcome.reason, outcome.passes)
    nothing = f"Stopped: {ended}; nothing is known yet of how good the objective is."
    warn_caller(GapWarning(estimator.stop_sentence_ or nothing, estimator.stop_code_ or outcome.reason, gap))


def class_weights_text(class_weight: dict[Any, float]) -> str:
    """Return weights of classes as the core's option has them."""
    return ",".join(f"{name}={float(weight)!r}" for name, weight in class_weight.items())


class MarginBase(LinsepClassifier):
    """What the two classifiers with a loss share."""

    copy_X: Any

    def _fit_source(self, X: Any, class_weight: Any, **more: Any) -> Self:
        if class_weight is not None:  # of rows that aren't read yet: the core's option, by the classes' names
            text = class_weight if isinstance(class_weight, str) else class_weights_text(class_weight)
            more["changed"] = {"class-weight": text}
        return super()._fit_source(X, None, **more)

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        more["copy_rows"] = _rows.may_copy(self.copy_X, rows)
        if options["probabilities"] == "none":
            del options["probabilities"]
            return super()._call_core(rows, options, **more)
        if more.pop("start", None) is not None:
            raise UsageError(
                "'warm_start' is for a fit without 'probabilities'", ["warm_start", "probabilities"]
            )
        found = select(rows, options, more)
        return found.outcome, found.pending

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        last = self.history_[-1] if len(self.history_) else {"objective": np.nan, "gap": np.nan}
        parts = outcome.parts
        self.objective_: Any = (
            np.array([p["objective"] for p in parts]) if parts else float(last["objective"])
        )
        self.gap_: Any = np.array([p["gap"] for p in parts]) if parts else float(last["gap"])
        how = outcome.margin or {}
        self.alpha_ = how.get("lambda", np.nan)
        self.C_ = how.get("C", np.nan)
        self.solver_ = how.get("solver", "")
        self.solver_because_ = how.get("because", "")

    def _warn(self, outcome: _core.Outcome) -> None:
        if outcome.reason not in ("converged", "interrupted"):
            warn_gap(self, outcome, float(np.max(self.gap_)))

    @available(gives_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Predict the probabilities of classes.

        Only there with ``loss="logistic"`` or ``"softmax"``, or with ``probabilities``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``; they sum to 1 over a row.
        """
        check_is_fitted(self)
        rows = self._rows_to_predict(X)
        with translate_errors():
            return self.model_._core.probabilities(rows, threads=_rows.threads_for(self.n_jobs))

    @available(gives_probabilities)
    def predict_log_proba(self, X: Any) -> Floats:
        """Predict the logarithms of the probabilities of classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class MarginClassifier(MarginClassifierParameters, MarginBase):
    """Maximum margin classifier: mean loss + (λ/2)‖θ‖², solved to a certified gap.

    Trains until the objective is proven to be within ``gap`` of the least possible. Several classes: each
    against the rest, or all together with ``loss="softmax"``.

    Parameters
    ----------
    max_iter : int, default=5000
        At most this many passes over the rows.

    loss : {"hinge", "squared_hinge", "logistic", "softmax"}, default="hinge"
        What a row's margin m costs: max(0, 1 − m), its square, or log(1 + e^−m); or, of all classes together,
        log Σ e^z − z of its own.

    alpha : float or None, default=None
        The strength λ of (λ/2)‖θ‖² beside the mean loss, as in SGDClassifier; None: by C. λ belongs to the
        mean, so it keeps its meaning when rows are added: C = 1/(λ·Σ weight).

    C : float, default=1.0
        Strength the other way round, as in LinearSVC: ½‖θ‖² + C·Σ weight·loss. Setting both C and alpha is an
        error.

    gap : float, default=0.001
        Stop when the objective is proven to be within this share of the least possible. The gap is (primal −
        dual)/primal of the stated objective, offset not penalised, with a bound on rounding added. It bounds
        the distance of the weights too: ‖θ − θ*‖² ≤ 2·gap·objective/λ.

    solver : {"auto", "dual", "interior", "newton", "planes"}, default="auto"
        What solves it; auto is what suits the data. dual: coordinate descent on the dual. interior: an
        interior-point method for few features. newton: Newton's method with conjugate gradients. planes:
        cutting planes with a line search.

    random_state : int, RandomState instance or None, default=1
        The seed of a shuffled or drawn order; the same seed gives the same bits as the command line. None
        draws one from numpy's global state.

    probabilities : {"none", "platt", "isotonic"}, default="none"
        Fit probabilities to scores of rows held out: a sigmoid, or a function that never falls.

    class_weight : dict, "balanced" or None, default=None
        Weights of classes, multiplied into the rows' weights; "balanced": every class weighs the same.

    copy_X : bool or "auto", default="auto"
        Whether rows may be copied into the order in which they are visited: faster, for as much memory again,
        and the same bits. "auto": when they take less than a quarter of the free memory.

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
    objective_, gap_ : float or ndarray of shape (n_classes,)
        The objective, and by which share of it it may at most be too great.
    alpha_, C_ : float
        The strength of the penalty, both ways.
    solver_, solver_because_ : str
        What solved it, and why that one.
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
    MarginClassifierCV : The same with the strength chosen by cross-validation.
    HardMarginClassifier : The greatest margin of separable rows, with a proof.

    Notes
    -----
    Coming from ``LinearSVC``: ``C`` means the same. The offset isn't penalised; the loss is
    ``"hinge"`` unless said otherwise (theirs is the squared hinge); it stops at a proven ``gap``, so there is
    no ``tol``; ``max_iter`` counts passes over the rows; ``dual`` and ``intercept_scaling`` have no
    counterpart; float32 is kept and 64-bit columns of sparse matrices are taken. Coming from
    ``SGDClassifier``: ``alpha`` means the same, and there is no learning rate.

    Ctrl-C during ``fit`` raises KeyboardInterrupt, and the estimator has the classifier of that moment. Where
    ``fit`` doesn't run in the main thread Python hears no Ctrl-C: callbacks and ``time_limit`` stop it then.

    The objective, the gap and the solvers: :doc:`/margin`.

    Examples
    --------
    >>> from linsep import MarginClassifier
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [3.0, 2.0], [2.0, 3.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> classifier = MarginClassifier(C=10.0).fit(X, y)
    >>> classifier.predict([[0.5, 0.5], [2.5, 2.5]])
    array(['low', 'high'], dtype='<U4')
    >>> bool(classifier.gap_ <= 1e-3)
    True
    >>> classifier.support(X, y)
    array([1, 2, 3])
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
        self : MarginClassifier
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight)

    def _core_options(self) -> dict[str, Any]:
        options = super()._core_options()
        if self.alpha is not None:
            if self.C != 1:
                raise UsageError(
                    "'alpha' and 'C' say the same, alpha = 1/(C·rows): leave one out", ["alpha", "C"]
                )
            del options["C"]
        return options
