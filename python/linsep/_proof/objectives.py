"""What estimators of scikit-learn were trained for, out of their parameters; and what no proof can be about, by its name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from .._older import weights_of_classes
from ..errors import UsageError

_SGD_LOSSES = {"hinge": "hinge", "log_loss": "logistic", "log": "logistic", "squared_hinge": "squared-hinge"}
_OLD_WORDS = ("deprecated", "auto", "warn", "log", None)  # which other releases use for one of the others


@dataclass(frozen=True)
class Objective:
    """The mean loss of rows that count by their weight and class, plus penalty/2·(‖θ‖² + intercept_penalty·θ0²)."""

    loss: str
    penalty: Fraction
    class_weights: tuple[Fraction, Fraction]  # of the negative and the positive class
    intercept_penalty: Fraction


def number(value: Any) -> Fraction:
    """Return the number that a parameter is written as: 1/10 of 0.1."""
    return Fraction(repr(float(value)))


@dataclass(frozen=True)
class Trained:
    """What an estimator was given besides values: the place of each row's class in ``classes_``, and the rows' weights."""

    place: npt.NDArray[Any]
    sample_weight: npt.NDArray[Any] | None = None


def objective_of(estimator: Any, given: Trained) -> Objective:
    """Return what an estimator was trained for.

    Parameters
    ----------
    estimator : object
        A fitted estimator of two classes.
    given : Trained
        Classes, 0 or 1 for each row, and weights.

    Returns
    -------
    Objective
        By its parameters.
    """
    for kind in type(estimator).__mro__:
        if kind.__module__.startswith("sklearn.") and kind.__name__ in _READERS:
            return _READERS[kind.__name__](estimator, given)
    known = ", ".join(sorted(_READERS))
    raise UsageError(
        f"{type(estimator).__name__} isn't an estimator whose objective is known here. Known are {known} of scikit-learn "
        "and linsep's own",
        ["estimator"],
    )


def _refuse(estimator: Any, sentence: str) -> NoReturn:
    raise UsageError(f"{type(estimator).__name__} {sentence}", ["estimator"])


def _refuse_values(estimator: Any, **allowed: tuple[Any, ...]) -> None:
    """Refuse parameters with another value than these; an older or newer release may lack the parameter."""
    for name, values in allowed.items():
        value = getattr(estimator, name, values[0])
        if not any(value is one or value == one for one in values):
            told = " or ".join(repr(one) for one in values if one not in _OLD_WORDS)
            _refuse(estimator, f"has {name}={value!r}: an audit needs {told}")


def _class_weights(estimator: Any, given: Trained, *, balanced_by_weight: bool) -> tuple[Fraction, Fraction]:
    if estimator.class_weight is None:
        return Fraction(1), Fraction(1)
    counts = given.sample_weight if balanced_by_weight else None
    negative, positive = weights_of_classes(estimator.class_weight, estimator.classes_, given.place, counts)
    return number(negative), number(positive)


def _total(weights: tuple[Fraction, Fraction], given: Trained) -> Fraction:
    if given.sample_weight is None:
        positive = int(np.count_nonzero(given.place))
        return weights[0] * (len(given.place) - positive) + weights[1] * positive
    of_class = [number(math.fsum(given.sample_weight[given.place == k])) for k in (0, 1)]
    return weights[0] * of_class[0] + weights[1] * of_class[1]


def _by_inverse_strength(
    estimator: Any,
    given: Trained,
    loss: str,
    strength: Any,
    intercept_penalty: Fraction,
    *,
    balanced_by_weight: bool = True,
) -> Objective:
    """½‖θ‖² + C·Σ w·loss."""
    if not np.isfinite(strength):
        _refuse(estimator, f"has C={strength!r}, which is no penalty: its optimum needn't exist. See linsep.check_separation")
    weights = _class_weights(estimator, given, balanced_by_weight=balanced_by_weight)
    return Objective(loss, 1 / (number(strength) * _total(weights, given)), weights, intercept_penalty)


def _scaled_intercept(estimator: Any) -> Fraction:
    """LIBLINEAR's: the weight of a column that is `intercept_scaling` in every row."""
    return 1 / number(estimator.intercept_scaling) ** 2 if estimator.fit_intercept else Fraction(0)


def _logistic_regression(estimator: Any, given: Trained) -> Objective:
    if estimator.penalty is None or estimator.penalty == "none":
        _refuse(estimator, "has penalty=None: without a penalty the optimum needn't exist. See linsep.check_separation")
    _refuse_values(estimator, penalty=("l2", "deprecated"), multi_class=("deprecated", "auto", "ovr", "warn"))
    if estimator.penalty == "deprecated":
        _refuse_values(estimator, l1_ratio=(0, None))
    chosen = [ratio for ratio in np.ravel(getattr(estimator, "l1_ratio_", 0)) if ratio]
    if chosen:
        _refuse(estimator, f"chose l1_ratio={chosen[0]!r}: an audit needs 0")
    strength = estimator.C_[0] if hasattr(estimator, "C_") else estimator.C
    liblinear = estimator.solver == "liblinear"
    return _by_inverse_strength(
        estimator, given, "logistic", strength, _scaled_intercept(estimator) if liblinear else Fraction(0)
    )


def _linear_svc(estimator: Any, given: Trained) -> Objective:
    _refuse_values(estimator, penalty=("l2",), multi_class=("ovr",), loss=("hinge", "squared_hinge"))
    loss = estimator.loss.replace("_", "-")
    return _by_inverse_strength(estimator, given, loss, estimator.C, _scaled_intercept(estimator))


def _svc(estimator: Any, given: Trained) -> Objective:
    _refuse_values(estimator, kernel=("linear",))
    return _by_inverse_strength(estimator, given, "hinge", estimator.C, Fraction(0), balanced_by_weight=False)


def _sgd(estimator: Any, given: Trained) -> Objective:
    """alpha/2·‖θ‖² + (1/n)·Σ w·loss."""
    _refuse_values(estimator, loss=tuple(_SGD_LOSSES), penalty=("l2",))
    if not estimator.alpha > 0:
        _refuse(estimator, f"has alpha={estimator.alpha!r}, which is no penalty: its optimum needn't exist")
    weights = _class_weights(estimator, given, balanced_by_weight=False)
    penalty = number(estimator.alpha) * len(given.place) / _total(weights, given)
    return Objective(_SGD_LOSSES[estimator.loss], penalty, weights, Fraction(0))


_READERS = {
    "LogisticRegression": _logistic_regression,
    "LogisticRegressionCV": _logistic_regression,
    "LinearSVC": _linear_svc,
    "SVC": _svc,
    "SGDClassifier": _sgd,
}
