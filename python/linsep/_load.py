"""From a model file to the estimator that made it, or would have."""

from __future__ import annotations

import os
from typing import Any

from ._inputs import named_classes
from ._model import Model
from ._names import python_choice
from .errors import InputError, UsageError

__all__ = ["load"]


def _class_of(model: Model) -> Any:
    from ._hard_margin import HardMarginClassifier
    from ._kernel_perceptron import KernelPerceptron
    from ._margin import MarginClassifier
    from ._means import BasicLinearClassifier, LeastSquaresClassifier
    from ._perceptron import Perceptron
    from ._regression import PerceptronRegressor

    if model.options.get("hard"):
        return HardMarginClassifier
    classes: list[Any] = [
        MarginClassifier,
        Perceptron,
        KernelPerceptron,
        BasicLinearClassifier,
        LeastSquaresClassifier,
        PerceptronRegressor,
    ]
    for found in classes:
        if found._learner == model.learner:
            return found
    raise ValueError(f"no estimator has the learner {model.learner!r}")


def _parameters(kind: Any, model: Model) -> dict[str, Any]:
    """Return the parameters that the model's options say."""
    options = model.options
    values: dict[str, Any] = {}
    for keyword, option in kind._options.items():
        if option not in options:
            continue
        value = options[option]
        if option == "origin":
            value = not value
        elif option in ("lambda", "l1-ratio", "init"):
            value = value or None
        elif isinstance(value, str):
            value = python_choice(value)
        values[keyword] = value
    if values.get("alpha") is not None or ("alpha" in kind._options and values.get("C") == 1):
        values.pop("C", None)
    if "map" in kind._parameter_constraints:
        values["map"] = model._core.map
    return values


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model file and return the estimator that made it.

    The estimator predicts, and has the parameters and weights of the model. ``stopped_because_`` and,
    for two classes, ``gap_`` and ``objective_`` are what the run reached, by the file's account. ``history_`` isn't in the file. Reading runs no code of the file: it is safe for
    files of strangers, as a pickle isn't.

    Parameters
    ----------
    path : str or path-like
        A model file, written by :meth:`Model.save` or by ``linsep train -o``.

    Returns
    -------
    estimator
        A fitted estimator. Classes are numbers where all of their names are.

    See Also
    --------
    Model.load : The model alone.

    Examples
    --------
    >>> import os, tempfile, linsep
    >>> X, y = [[0.0], [1.0], [3.0]], [0, 0, 1]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.json")
    ...     linsep.Perceptron(max_iter=50).fit(X, y).model_.save(path)
    ...     linsep.load(path)
    Perceptron(max_iter=50)
    """
    model = Model.load(path)
    if model.form == "labels":
        raise UsageError(f"{os.fspath(path)} has several label columns: read it with linsep.Model.load")
    try:
        estimator = estimator_of(model)
        estimator._validate_params()
    except Exception as error:  # whatever a damaged file leads to
        name = os.fspath(path)
        raise InputError(f"{name}: not a model file of an estimator: {error}", name) from error
    return estimator


def estimator_of(model: Model) -> Any:
    """Return the estimator that made a model of one label column."""
    kind = _class_of(model)
    estimator = kind(**_parameters(kind, model))
    estimator.model_ = model
    estimator._keep_features(model._core)
    if not model._core.regression:
        estimator.classes_ = named_classes(model.classes)
    estimator._keep_weights(model._core)
    training = model.training
    if "stopped" in training:
        estimator.stopped_because_ = training["stopped"]
    if "gap" in training and model.learner == "margin" and model.form == "linear":
        estimator.objective_, estimator.gap_ = training["objective"], training["gap"]
    return estimator
