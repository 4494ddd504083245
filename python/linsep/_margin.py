"""MarginClassifier: maximum margin with a loss, to a certified gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _rows
from ._base import ending
from ._callbacks import fitting
from ._classifier import Floats, WeightedClassifier, available
from ._docs import documented
from ._names import PROBABILITY_LOSSES, core_choice
from ._parameters import MarginClassifierParameters
from .errors import GapWarning, UsageError, translate_errors, warn_caller

if TYPE_CHECKING:
    from . import _core
    from ._base import Trained

__all__ = ["MarginClassifier"]

SELECTION = {"lambdas", "Cs", "cv", "choose", "one-se", "features", "probabilities"}


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator has probabilities: the model's word after `fit`, the parameters' before."""
    if hasattr(estimator, "model_"):
        return bool(estimator.model_._core.has_probabilities)
    options = {**vars(estimator), **estimator._fixed}
    return core_choice(options["loss"]) in PROBABILITY_LOSSES or options["probabilities"] != "none"


def require_probabilities(estimator: Any) -> None:
    """Refuse an estimator without probabilities."""
    if not gives_probabilities(estimator):
        raise UsageError(
            'the hinge loss gives scores, not probabilities: use loss="logistic" ("softmax" for several classes) or '
            'probabilities="platt", or use linsep.LogisticRegression',
            ["loss", "probabilities"],
        )


def select(rows: _core.Rows, options: dict[str, Any], more: dict[str, Any]) -> _core.Selection:
    """Train for each strength asked for; `options` are the learner's and the selection's together."""
    from . import _core

    learner = {name: value for name, value in options.items() if name not in SELECTION}
    selection = {name: value for name, value in options.items() if name in SELECTION}
    return _core.select(rows, learner, selection, **more)


def warn_gap(estimator: Any, outcome: _core.Outcome, gap: float) -> None:
    """Warn that the gap wasn't reached, with what the core advises."""
    ended = ending(outcome.reason, outcome.passes)
    nothing = f"Objective not yet proven to be near the best possible: {ended}."
    warn_caller(GapWarning(estimator.stop_sentence_ or nothing, estimator.stop_code_ or outcome.reason, gap))


def class_weights_text(class_weight: Any, classes: Any, names: list[str]) -> str:
    """Return weights of classes, by the classes or by their names, as the core's option has them."""
    name_of = {**{name: name for name in names}, **dict(zip(classes.tolist(), names, strict=True))}
    unknown = [key for key in class_weight if key not in name_of]
    if unknown and len(class_weight) - len(unknown) < len(names):  # else they are of other folds
        raise UsageError(
            f"'class_weight' has {unknown}, and the classes are {classes.tolist()}", ["class_weight"]
        )
    return ",".join(f"{name_of[key]}={float(weight)!r}" for key, weight in class_weight.items() if key in name_of)


class MarginBase(WeightedClassifier):
    """What the two classifiers with a loss share."""

    _core_weighs_classes: ClassVar[bool] = True  # so that probabilities are those of the rows as they are
    class_weight: Any
    copy_X: Any
    penalty: Any
    l1_ratio: Any

    def _core_options(self) -> dict[str, Any]:
        options = super()._core_options()
        if self.penalty is None:
            raise UsageError("'penalty' can't be None; for almost no penalty, use a large 'C'", ["penalty", "C"])
        given = None if self.l1_ratio is None or np.isnan(self.l1_ratio) else self.l1_ratio
        if given is None:
            options.pop("l1-ratio", None)
        if self.penalty == "l1" and given not in (None, 1):
            raise UsageError(
                "penalty=\"l1\" is l1_ratio=1: leave out 'l1_ratio', or use penalty=\"elasticnet\"", ["penalty", "l1_ratio"]
            )
        if self.penalty == "elasticnet" and given == 0:  # the core takes 0 for "not given"
            options["penalty"] = "l2"
        return options

    def _train(self, rows: _core.Rows, X: Any, y: Any, **more: Any) -> None:
        from . import _core

        weights = self.class_weight
        if isinstance(weights, dict):
            with translate_errors():
                _core.load_rows(rows, learner=self._learner)  # by now the classes must be known
            classes = _inputs.classes_of(X) if _rows.is_rows(X) else self.classes_
            weights = class_weights_text(weights, classes, rows.classes)
        if weights:
            more["changed"] = {"class-weight": weights}
        super()._train(rows, X, y, **more)

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        more["copy_rows"] = _rows.may_copy(self.copy_X, rows)
        if options["probabilities"] == "none":
            del options["probabilities"]
            return super()._call_core(rows, options, **more)
        if more.pop("start", None) is not None:
            raise UsageError(
                "'warm_start' doesn't work with 'probabilities'", ["warm_start", "probabilities"]
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

    def _keep_weights(self, model: _core.Model) -> None:
        super()._keep_weights(model)
        self.__dict__.pop("proven_zeros_", None)
        if (open_zeros := model.open_zeros) is not None:
            self.proven_zeros_ = self.coef_ == 0
            self.proven_zeros_.ravel()[open_zeros] = False

    def _warn(self, outcome: _core.Outcome) -> None:
        if outcome.reason not in ("converged", "interrupted"):
            warn_gap(self, outcome, float(np.max(self.gap_)))

    @available(require_probabilities)
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

    @available(require_probabilities)
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


@documented
class MarginClassifier(MarginClassifierParameters, MarginBase):
    """Maximum margin classifier: mean loss + (λ/2)‖θ‖², or an L1 or elastic-net penalty, to a certified gap.

    Trains until the objective is within ``gap`` of the least possible, by a bound that it computes. Several classes: each
    against the rest, or all together with ``loss="softmax"``. With ``penalty="l1"`` or ``"elasticnet"`` most
    of ``coef_`` is exactly 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,), or list of them
        The classes, sorted; of labelings a list of each one's.
    coef_ : ndarray of shape (1, n_features), (n_classes, n_features) or (n_labelings, n_features)
        θ; with a map, of the mapped features.
    intercept_ : ndarray of shape (1,), (n_classes,) or (n_labelings,)
        The offset θ0.
    coef_names_ : ndarray of str
        With a map: the name of each column of ``coef_``.
    objective_, gap_ : float or ndarray of shape (n_classes,) or (n_labelings,)
        The objective, and an upper bound on its relative distance to the best possible one.
    alpha_, C_ : float
        The strength of the penalty, as λ and as C.
    solver_, solver_because_ : str
        The solver, and why it was chosen.
    proven_zeros_ : ndarray of bool, of the shape of ``coef_``
        Whether a weight is proven to be 0 in every optimal model; with an L1 part in the penalty and the loss
        squared hinge or logistic.

    See Also
    --------
    MarginClassifierCV : The same with the strength chosen by cross-validation.
    HardMarginClassifier : The largest margin of separable rows, with a proof.

    Notes
    -----
    Coming from ``LinearSVC``: ``C`` means the same. The offset isn't penalized; the loss is
    ``"hinge"`` unless said otherwise (theirs is the squared hinge); it stops at a proven ``gap``, so there is
    no ``tol``; ``max_iter`` counts passes over the rows; ``dual`` and ``intercept_scaling`` have no
    counterpart; float32 is kept and 64-bit columns of sparse matrices are taken. Coming from
    ``SGDClassifier``: ``alpha``, ``penalty`` and ``l1_ratio`` mean the same, and there is no learning rate.

    Ctrl-C during ``fit`` raises KeyboardInterrupt, and the estimator has the classifier of that moment. Where
    ``fit`` doesn't run in the main thread Python hears no Ctrl-C: callbacks and ``time_limit`` stop it then.

    The objective, the gap and the solvers: :doc:`/explanation/margin`. Fewer features:
    :doc:`/howto/sparse-weights`.

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

    _takes_labelings: ClassVar[bool] = True

    @fitting
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_rows, n_features), Rows or path
            The rows.
        y : array-like of shape (n_rows,) or (n_rows, n_labelings)
            Their classes; None when X has labels of its own. Several columns are labelings, each trained as if
            alone: -1 and 1, with 0 for rows without a label; or 0 and 1.
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
        if self.alpha is not None and self.C is not None:
            raise UsageError(
                "'alpha' and 'C' set the same thing, alpha = 1/(C·rows): use only one of them", ["alpha", "C"]
            )
        return options
