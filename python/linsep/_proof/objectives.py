"""What estimators of scikit-learn were trained for, out of their parameters; what no proof can be about, by its name."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
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
    """The mean loss of rows that count by their weight and class, plus a penalty.

    That is penalty·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖² + intercept_penalty/2·θ0²) with ρ = l1_ratio.
    """

    loss: str
    penalty: Fraction
    class_weights: tuple[Fraction, ...]  # of the negative and the positive class
    intercept_penalty: Fraction
    l1_ratio: Fraction = Fraction(0)


@dataclass(frozen=True)
class Fitted:
    """A classifier that was trained for an objective, and its rows."""

    rows: Any
    theta: npt.NDArray[np.float64]
    offset: str  # the intercept as an exact number
    origin: bool  # without an intercept
    objective: Objective


@dataclass(frozen=True)
class JointObjective:
    """The mean softmax loss of rows that count by their class, plus a penalty as in Objective on all classes' weights."""

    penalty: Fraction
    class_weights: tuple[Fraction, ...]
    l1_ratio: Fraction


def number(value: Any) -> Fraction:
    """Return the number that a parameter is written as: 1/10 of 0.1."""
    return Fraction(repr(float(value)))


@dataclass(frozen=True)
class Trained:
    """What an estimator was given besides values: the place of each row's class in ``classes_``, and the rows' weights."""

    place: npt.NDArray[Any]
    sample_weight: npt.NDArray[Any] | None = None
    positive: int | None = None  # of several classes against the rest: the place of the one


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
    return _reader_of(estimator)(estimator, given)


def objectives_of(estimator: Any, given: Trained) -> list[Objective] | JointObjective:
    """Return what an estimator of more than two classes was trained for.

    Parameters
    ----------
    estimator : object
        A fitted estimator of more than two classes.
    given : Trained
        Classes and weights of the rows.

    Returns
    -------
    list of Objective, or JointObjective
        Of each class against the rest; or of all classes together.
    """
    read = _reader_of(estimator)
    if read is _svc:
        _refuse(estimator, "has a classifier for each pair of classes: an audit of more than two classes needs one for each class")
    if read is _logistic_regression and _is_joint(estimator):
        joint = read(estimator, given)
        return JointObjective(joint.penalty, joint.class_weights, joint.l1_ratio)
    return [read(estimator, replace(given, positive=c)) for c in range(len(estimator.classes_))]


def _is_joint(estimator: Any) -> bool:
    return estimator.solver != "liblinear" and getattr(estimator, "multi_class", "auto") not in ("ovr", "warn")


def _reader_of(estimator: Any) -> Any:
    for kind in type(estimator).__mro__:
        if kind.__module__.startswith("sklearn.") and kind.__name__ in _READERS:
            return _READERS[kind.__name__]
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


def _class_weights(estimator: Any, given: Trained, *, balanced_by_weight: bool) -> tuple[Fraction, ...]:
    """Of each class; of one against the rest, of the rest and the one."""
    weights = (Fraction(1),) * len(estimator.classes_)
    if estimator.class_weight is not None:
        counts = given.sample_weight if balanced_by_weight else None
        weights = tuple(map(number, weights_of_classes(estimator.class_weight, estimator.classes_, given.place, counts)))
    return weights if given.positive is None else (Fraction(1), weights[given.positive])


def _total(weights: tuple[Fraction, ...], given: Trained) -> Fraction:
    side = given.place if given.positive is None else (given.place == given.positive).astype(int)
    if given.sample_weight is None:
        return sum((weight * int(np.count_nonzero(side == k)) for k, weight in enumerate(weights)), Fraction(0))
    of_class = [number(math.fsum(given.sample_weight[side == k])) for k in range(len(weights))]
    return sum((weight * total for weight, total in zip(weights, of_class, strict=True)), Fraction(0))


def _by_inverse_strength(
    estimator: Any,
    given: Trained,
    loss: str,
    strength: Any,
    intercept_penalty: Fraction,
    l1_ratio: Fraction = Fraction(0),
    *,
    balanced_by_weight: bool = True,
) -> Objective:
    """ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖² + C·Σ w·loss."""
    if not np.isfinite(strength):
        _refuse(estimator, f"has C={strength!r}, which is no penalty: its optimum needn't exist. See linsep.check_separation")
    weights = _class_weights(estimator, given, balanced_by_weight=balanced_by_weight)
    return Objective(loss, 1 / (number(strength) * _total(weights, given)), weights, intercept_penalty, l1_ratio)


def _scaled_intercept(estimator: Any, l1_ratio: Fraction = Fraction(0)) -> Fraction:
    """LIBLINEAR's: the weight of a column that is `intercept_scaling` in every row."""
    if not estimator.fit_intercept:
        return Fraction(0)
    if l1_ratio:
        _refuse(
            estimator,
            "has LIBLINEAR's L1 penalty on the intercept, which no proof can be about: an audit needs fit_intercept=False, "
            "or LogisticRegression(solver='saga'), which leaves the intercept free",
        )
    return 1 / number(estimator.intercept_scaling) ** 2


def _share_of_l1(estimator: Any, names: dict[Any, Any]) -> Fraction:
    """ρ by the penalty's name. `names`: what each stands for, None: what l1_ratio says."""
    _refuse_values(estimator, penalty=tuple(names))
    share = names[estimator.penalty]
    return number(getattr(estimator, "l1_ratio", None) or 0) if share is None else Fraction(share)


def _logistic_regression(estimator: Any, given: Trained) -> Objective:
    if estimator.penalty is None or estimator.penalty == "none":
        _refuse(estimator, "has penalty=None: without a penalty the optimum needn't exist. See linsep.check_separation")
    several = ("multinomial",) if len(estimator.classes_) > 2 else ()
    _refuse_values(estimator, multi_class=("deprecated", "auto", "ovr", "warn", *several))
    l1_ratio = _share_of_l1(estimator, {"l2": 0, "l1": 1, "elasticnet": None, "deprecated": None})
    chosen = np.unique([ratio or 0 for ratio in np.ravel(getattr(estimator, "l1_ratio_", ()))])
    strengths = np.unique(estimator.C_) if hasattr(estimator, "C_") else np.array([estimator.C])
    if len(strengths) > 1 or len(chosen) > 1:
        _refuse(estimator, "chose another C for each class: an audit needs one for all")
    if len(chosen):  # of LogisticRegressionCV
        l1_ratio = number(chosen[0])
    liblinear = estimator.solver == "liblinear"
    intercept = _scaled_intercept(estimator, l1_ratio) if liblinear else Fraction(0)
    return _by_inverse_strength(estimator, given, "logistic", strengths[0], intercept, l1_ratio)


def _linear_svc(estimator: Any, given: Trained) -> Objective:
    _refuse_values(estimator, multi_class=("ovr",), loss=("hinge", "squared_hinge"))
    l1_ratio = _share_of_l1(estimator, {"l2": 0, "l1": 1})
    loss = estimator.loss.replace("_", "-")
    return _by_inverse_strength(estimator, given, loss, estimator.C, _scaled_intercept(estimator, l1_ratio), l1_ratio)


def _svc(estimator: Any, given: Trained) -> Objective:
    _refuse_values(estimator, kernel=("linear",))
    return _by_inverse_strength(estimator, given, "hinge", estimator.C, Fraction(0), balanced_by_weight=False)


def _sgd(estimator: Any, given: Trained) -> Objective:
    """alpha·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖²) + (1/n)·Σ w·loss."""
    _refuse_values(estimator, loss=tuple(_SGD_LOSSES))
    l1_ratio = _share_of_l1(estimator, {"l2": 0, "l1": 1, "elasticnet": None})
    if not estimator.alpha > 0:
        _refuse(estimator, f"has alpha={estimator.alpha!r}, which is no penalty: its optimum needn't exist")
    weights = _class_weights(estimator, given, balanced_by_weight=False)
    penalty = number(estimator.alpha) * len(given.place) / _total(weights, given)
    return Objective(_SGD_LOSSES[estimator.loss], penalty, weights, Fraction(0), l1_ratio)


_READERS = {
    "LogisticRegression": _logistic_regression,
    "LogisticRegressionCV": _logistic_regression,
    "LinearSVC": _linear_svc,
    "SVC": _svc,
    "SGDClassifier": _sgd,
}
