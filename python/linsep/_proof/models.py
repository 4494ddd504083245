"""What `logit` takes over of a statsmodels model or result, and what it refuses, each by its name."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import UsageError

_SLACK = 1e-6  # a number of events that is nearer to a whole number is one


def refuse_other_models(model: Any) -> None:
    """Refuse models that aren't a logistic regression of independent rows.

    Parameters
    ----------
    model : object
        A model of statsmodels whose outcomes are two.
    """
    kind = type(model).__name__
    if kind == "GEE":
        raise UsageError(
            "GEE has a working correlation, which logit hasn't: give X and y with cluster=, which makes the "
            "standard errors robust to rows that depend on each other",
            ["X"],
        )
    link = "Probit" if kind == "Probit" else type(getattr(getattr(model, "family", None), "link", None)).__name__
    if link not in ("Logit", "logit", "NoneType"):
        raise UsageError(f"the model's link is {link}: logit fits the logit link only", ["X"])
    _refuse_fractions(model)


def _refuse_fractions(model: Any) -> None:
    """Refuse outcomes and variance weights that are no counts of events."""
    share = np.asarray(model.endog, dtype=np.float64)
    trials = np.ones(len(share))
    for name in ("n_trials", "var_weights"):
        given = getattr(model, name, None)
        if given is not None and np.size(given) == len(share):
            trials = trials * np.asarray(given, dtype=np.float64)
    if not _whole(trials):
        raise UsageError(
            "the model's var_weights aren't whole numbers of trials: a likelihood ratio needs counts. Rows that "
            "count several times have freq_weights",
            ["X"],
        )
    frequency = getattr(model, "freq_weights", None)
    if frequency is not None and np.size(frequency) == len(share):
        trials = trials * np.asarray(frequency, dtype=np.float64)
    between = (share > 0) & (share < 1)
    if not _whole((share * trials)[between]):
        raise UsageError(
            "the model's outcomes lie between 0 and 1, and aren't shares of a whole number of trials: give two "
            "columns (events and others) to GLM, or the number of trials as its freq_weights or var_weights",
            ["X"],
        )


def _whole(numbers: npt.NDArray[np.float64]) -> bool:
    return bool(np.all(np.abs(numbers - np.round(numbers)) <= _SLACK * np.maximum(1, np.abs(numbers))))


def errors_of(given: Any, weighted: bool) -> tuple[bool, npt.NDArray[Any] | None]:
    """Return whether a result's standard errors are robust, and its clusters.

    Parameters
    ----------
    given : object
        A model, which has none, or a result.
    weighted : bool
        Whether rows count more than once.

    Returns
    -------
    bool
        They are HC1.
    ndarray or None
        Of each row of the model; None without clusters.
    """
    if not hasattr(given, "model"):
        return False, None
    if "Regularized" in type(given).__name__ or type(given).__name__.startswith("L1"):
        raise UsageError("the result is of fit_regularized: give its model, result.model", ["X"])
    if getattr(given, "constraints", None) is not None:
        raise UsageError("the result is of fit_constrained: logit fits without constraints", ["X"])
    if getattr(given, "scale", 1.0) != 1:
        raise UsageError(f"the result's scale is {given.scale:.6g}: logit doesn't support overdispersion (scale=1 only)", ["X"])
    if getattr(given, "use_t", False):
        raise UsageError("the result has use_t=True: logit has normal and chi-square tests only", ["X"])
    kind, told = str(getattr(given, "cov_type", "nonrobust")), dict(getattr(given, "cov_kwds", None) or {})
    if kind == "nonrobust":
        return False, None
    groups = np.asarray(told["groups"]) if "groups" in told else None
    known = kind == "HC1" or (kind == "cluster" and groups is not None and groups.ndim == 1)
    if not known or told.get("use_correction") is False or told.get("scaling_factor") is not None:
        raise UsageError(
            f"the result's covariance is cov_type={kind!r} with {sorted(told)}: logit has robust=True (HC1) and "
            "cluster= (one grouping, CR1). Give result.model with one of them",
            ["X"],
        )
    if weighted:
        raise UsageError(
            f"cov_type={kind!r} of a model with weights or grouped counts: its sandwich is summed over grouped "
            "rows. Give a row per observation",
            ["X"],
        )
    return kind == "HC1", groups
