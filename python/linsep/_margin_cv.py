"""MarginClassifierCV: the strength of the penalty chosen by cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import check_cv

from . import _rows
from ._base import records
from ._docs import documented
from ._margin import MarginBase, select
from ._parameters import MarginClassifierCVParameters
from .errors import UsageError

if TYPE_CHECKING:
    from . import _core
    from ._base import Trained

__all__ = ["MarginClassifierCV"]

HELD_OUT = ("error", "error_spread", "loss", "loss_spread")
PATH = np.dtype(
    [
        ("alpha", np.float64),
        ("C", np.float64),
        ("objective", np.float64),
        ("gap", np.float64),
        ("norm", np.float64),
        ("features", np.int64),
        ("mistakes", np.int64),
        ("passes", np.int64),
        ("converged", np.bool_),
        *((name, np.float64) for name in HELD_OUT),
    ]
)


def strengths_text(values: Any) -> str:
    """Return values of λ or C as the core's option has them."""
    if values is None or isinstance(values, str):
        return values or ""
    return ",".join(repr(float(value)) for value in np.ravel(np.asarray(values, dtype=np.float64)))


def folds_of(splits: Any, rows: int) -> npt.NDArray[np.int32]:
    """Return the fold of each row. Every row must be in one test set."""
    fold = np.full(rows, -1, dtype=np.int32)
    for number, (_, test) in enumerate(splits):
        if np.any(fold[test] >= 0):
            raise UsageError("'cv': a row is in several test sets; each must be in exactly one", ["cv"])
        fold[test] = number
    if np.any(fold < 0):
        raise UsageError("'cv': some rows are in no test set; each must be in exactly one", ["cv"])
    return fold


@documented
class MarginClassifierCV(MarginClassifierCVParameters, MarginBase):
    """Maximum margin classifier whose strength λ is chosen by cross-validation.

    Trains for each λ from the greatest to the least, each started from the one before, on all rows and on the
    rows of every fold, and keeps the λ of the least held-out error (or loss), of equals the greatest; with
    ``one_se`` the greatest within one standard error of that.

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
    path_ : structured ndarray
        A record per λ, descending: alpha, C, objective, gap, norm, features (with a weight other than 0),
        mistakes, passes, converged, and of the rows held out error, error_spread, loss, loss_spread.
    coef_path_ : ndarray of shape (n_alphas, n_features) or (n_alphas, n_classes, n_features)
        With an L1 part in the penalty: θ of each λ in ``path_``.
    intercept_path_ : ndarray of shape (n_alphas,) or (n_alphas, n_classes)
        Likewise the offset.
    chosen_ : int
        The place of the chosen λ in ``path_``.
    folds_ : int
        How many folds there were.
    n_iter_ : int
        Passes that were made, for all λ and folds.
    objective_, gap_ : float or ndarray of shape (n_classes,)
        The objective, and an upper bound on its relative distance to the best possible one.
    alpha_, C_ : float
        The chosen strength of the penalty, both ways.
    solver_, solver_because_ : str
        The solver, and why it was chosen.
    proven_zeros_ : ndarray of bool, of the shape of ``coef_``
        Whether a weight is proven to be 0 in every optimal model; with an L1 part in the penalty and the loss
        squared hinge or logistic.

    See Also
    --------
    MarginClassifier : One strength.

    Notes
    -----
    How λ is chosen: :doc:`/howto/choose-lambda`. Fewer features: :doc:`/howto/sparse-weights`.

    Examples
    --------
    >>> import numpy as np
    >>> from linsep import MarginClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> y = X[:, 0] + 0.5 * rng.normal(size=60) > 0
    >>> classifier = MarginClassifierCV(alphas=[1.0, 0.1, 0.01], cv=3).fit(X, y)
    >>> len(classifier.path_), bool(classifier.alpha_ == classifier.path_["alpha"][classifier.chosen_])
    (3, True)
    """

    def _train(self, rows: _core.Rows, X: Any, y: Any, **more: Any) -> None:
        more.pop("start", None)
        if not isinstance(self.cv, int | np.integer):
            if _rows.is_rows(X):
                raise UsageError("'cv': a splitter needs arrays; give a number of folds", ["cv"])
            more["folds"] = folds_of(check_cv(self.cv, y, classifier=True).split(X, y), rows.rows)
        super()._train(rows, X, y, **more)

    def _core_options(self) -> dict[str, Any]:
        options = super()._core_options()
        options["Cs"] = strengths_text(self.Cs)
        options["lambdas"] = strengths_text(self.alphas)
        if not isinstance(self.cv, int | np.integer):
            del options["cv"]
        return options

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        more["copy_rows"] = _rows.may_copy(self.copy_X, rows)
        if "folds" in more:
            options["cv"] = int(more["folds"].max()) + 1
        found = select(rows, options, more)
        points = [{**point, **(point.get("held_out") or {})} for point in found.path]
        self.path_ = records([{"C": np.nan, **p, "alpha": p["lambda"]} for p in points], PATH)
        self.path_["C"] = 1 / (self.path_["alpha"] * found.total_weight)
        self.chosen_ = found.chosen
        self.folds_ = found.folds
        self._keep_path(found.weights)
        return found.outcome, found.pending

    def _keep_path(self, points: list[list[tuple[Any, Any, float]]]) -> None:
        """Keep the weights of every λ, as sparse rows: one for each λ and classifier."""
        for name in ("_path_weights", "intercept_path_"):
            self.__dict__.pop(name, None)
        rows = [row for point in points for row in point]
        if not rows:
            return
        starts = np.cumsum([0, *(len(features) for features, _, _ in rows)])
        columns = np.concatenate([features for features, _, _ in rows]).astype(np.int64)
        self._path_weights = (np.concatenate([weights for _, weights, _ in rows]), columns, starts)
        self.intercept_path_ = np.array([[offset for _, _, offset in point] for point in points]).reshape(len(points), -1)
        if self.intercept_path_.shape[1] == 1:
            self.intercept_path_ = self.intercept_path_[:, 0]

    @property
    def coef_path_(self) -> npt.NDArray[np.float64]:
        """Weights of every λ; made from sparse rows whenever it is asked for."""
        if "_path_weights" not in vars(self):
            raise AttributeError(
                f"this {type(self).__name__} has no 'coef_path_': it is kept when the penalty has an L1 part"
            )
        weights, columns, starts = self._path_weights
        path = np.zeros((len(starts) - 1, self.coef_.shape[1]))
        path[np.repeat(np.arange(len(path)), np.diff(starts)), columns] = weights
        return path.reshape(*self.intercept_path_.shape, -1)

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        super()._keep(outcome, rows, X)
        if len(self.path_):
            self.alpha_ = float(self.path_["alpha"][self.chosen_])
            self.C_ = float(self.path_["C"][self.chosen_])
