"""What penalized likelihoods of statsmodels were maximized for: their results hold the rows, and most of the penalty."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from .. import _inputs
from ..errors import UsageError
from .objectives import Fitted, Objective, number

_WITHOUT_PENALTY = (
    "maximizes a likelihood without a penalty: its optimum needn't exist, and an audit needs a penalty. "
    "linsep.check_separation proves whether its estimates exist, and linsep.logit computes them"
)


def is_of_statsmodels(given: Any) -> bool:
    """Whether it is a model of statsmodels or the results of one."""
    return hasattr(getattr(given, "model", given), "endog")


def fitted_likelihood(results: Any, X: Any, alpha: Any, l1_ratio: float | None) -> Fitted:
    """Return what the results of ``fit_regularized`` are about.

    Parameters
    ----------
    results : object
        Of Logit, or of GLM with the family Binomial and its link.
    X : object
        Refused, because the results hold their rows.
    alpha, l1_ratio : as in `audit`
        The penalty, where the results don't keep it.

    Returns
    -------
    Fitted
        Mean loss plus the penalty, of all columns or of all but the constant one.
    """
    model = getattr(results, "model", results)
    kind = type(model).__name__
    weights = _penalty_weights(results, model, kind, alpha, l1_ratio)
    if X is not None:
        raise UsageError(f"the results of {kind} hold their rows: leave out X and y", ["X"])
    _refuse_other_likelihoods(model, kind)
    responses = np.asarray(model.endog)
    if not np.array_equal(np.unique(responses), [0, 1]):
        _refuse(kind, "has shares for responses: an audit needs rows that are 0 or 1, of both")
    theta, exog = np.asarray(results.params, dtype=np.float64), np.asarray(model.exog)
    if not np.all(np.isfinite(theta)):
        _refuse(kind, "has estimates that aren't finite")
    share = Fraction(1 if l1_ratio is None else number(l1_ratio))
    if not 0 <= share <= 1:
        raise UsageError(f"l1_ratio must be from 0 to 1, not {l1_ratio}", ["l1_ratio"])
    free = np.flatnonzero(weights == 0)
    kept = np.flatnonzero(weights != 0)
    if len(set(weights[kept].tolist())) > 1:
        _refuse(kind, "has penalties that differ by column: an audit needs the same for all columns, or 0 for a constant")
    if len(free) > 1 or (len(free) == 1 and not _is_constant(exog[:, free[0]])):
        _refuse(kind, "has a column without a penalty that isn't its constant: an audit needs a penalty on all others")
    offset = "0" if len(free) == 0 else str(number(theta[free[0]]) * number(exog[0, free[0]]))
    penalty = number(weights[kept[0]])
    if hasattr(results, "mle_settings"):
        penalty /= len(responses)  # of the sum of all rows' losses
    objective = Objective("logistic", penalty, (Fraction(1), Fraction(1)), Fraction(0), share)
    columns = exog if len(free) == 0 else np.ascontiguousarray(exog[:, kept])
    return Fitted(_inputs.rows(columns, responses), theta[kept], offset, len(free) == 0, objective)


def _penalty_weights(
    results: Any, model: Any, kind: str, alpha: Any, l1_ratio: float | None
) -> npt.NDArray[np.float64]:
    """Return the penalty's factor of each column, as ``fit_regularized`` was given it."""
    settings = getattr(results, "mle_settings", {})
    keeps = "alpha" in settings
    if not keeps and type(getattr(results, "_results", results)).__name__ != "RegularizedResults":
        _refuse(kind, _WITHOUT_PENALTY)
    if keeps and (alpha is not None or l1_ratio is not None):
        raise UsageError(f"the results of {kind} keep their alpha: leave out alpha and l1_ratio", ["alpha"])
    if not keeps and alpha is None:
        raise UsageError(
            f"the results of {kind}.fit_regularized don't keep its alpha and L1_wt: give them as alpha and l1_ratio", ["alpha"]
        )
    given = np.asarray(settings["alpha"] if keeps else alpha, dtype=np.float64)
    columns = np.shape(model.exog)[1]
    if given.ndim > 1 or given.size not in (1, columns) or not np.all(np.isfinite(given)) or np.any(given < 0):
        raise UsageError(f"alpha must be a number, or {columns} numbers, that are at least 0", ["alpha"])
    weights = np.broadcast_to(given, columns)
    if not np.any(weights):
        _refuse(kind, _WITHOUT_PENALTY)
    return weights


def _refuse_other_likelihoods(model: Any, kind: str) -> None:
    if kind == "GLM":
        family = getattr(model, "family", None)
        names = (type(family).__name__, type(getattr(family, "link", None)).__name__)
        if names[0] != "Binomial" or names[1].lower() != "logit":
            _refuse(kind, f"has the family {names[0]} with the link {names[1]}: an audit needs Binomial with Logit")
        for name in ("freq_weights", "var_weights", "n_trials"):
            if np.any(np.asarray(getattr(model, name, 1)) != 1):
                _refuse(kind, f"has {name}: an audit needs rows of equal weight")
        if np.any(np.asarray(getattr(model, "_offset_exposure", 0)) != 0):
            _refuse(kind, "has an offset or exposure, which an audit doesn't know")
    elif kind != "Logit":
        _refuse(kind, "isn't a model whose objective is known here. Known of statsmodels are Logit and GLM with Binomial")
    elif np.any(np.asarray(getattr(model, "offset", 0)) != 0):
        _refuse(kind, "has an offset, which an audit doesn't know")


def _is_constant(column: npt.NDArray[Any]) -> bool:
    return bool(column[0] != 0 and np.all(column == column[0]))


def _refuse(kind: str, sentence: str) -> NoReturn:
    raise UsageError(f"{kind} {sentence}", ["estimator"])
