"""Models for MLflow, without pickle: the model file itself is what MLflow stores, and this module loads it.

``mlflow.pyfunc.save_model(path, loader_module="linsep.mlflow", data_path="rows.model")`` stores a model file
that Python or the command ``linsep`` wrote; :func:`save_model` does that for a fitted estimator. Loading
runs no code of the file.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import UsageError, translate_errors
from .export import _core_model

__all__ = ["LinsepModel", "save_model", "signature"]

Answer = Literal["class", "score", "probability"]


class LinsepModel:
    """What ``mlflow.pyfunc.load_model`` returns of a stored model, behind its ``predict``.

    Parameters
    ----------
    path : str
        A model file.
    """

    def __init__(self, path: str) -> None:
        from ._load import load

        self.estimator = load(path)

    def predict(self, model_input: Any, params: dict[str, Any] | None = None) -> npt.NDArray[Any]:
        """Predict the classes of rows, or the numbers of a regression.

        Parameters
        ----------
        model_input : DataFrame, array-like or sparse matrix
            The rows. Of a model that was trained on a table, its raw columns by name, in any order.
        params : dict, optional
            ``{"answer": "score"}`` for scores, ``{"answer": "probability"}`` for the probability of each
            class.

        Returns
        -------
        ndarray
            One entry or row for each row.
        """
        answer = (params or {}).get("answer", "class")
        methods = {"class": "predict", "score": "decision_function", "probability": "predict_proba"}
        if answer not in methods:
            raise UsageError(f"'answer' takes class, score or probability, not {answer!r}", ["answer"])
        found: npt.NDArray[Any] = np.asarray(getattr(self.estimator, methods[answer])(model_input))
        return found


def _load_pyfunc(path: str, model_config: dict[str, Any] | None = None) -> LinsepModel:
    """Return the model of MLflow's ``data_path``: a model file, or a folder with nothing but one."""
    if os.path.isdir(path):
        files = sorted(os.listdir(path))
        if len(files) != 1:
            raise UsageError(f"{path} should hold one model file, but holds {len(files)} files")
        path = os.path.join(path, files[0])
    return LinsepModel(path)


def signature(given: Any = None) -> Any:
    """Return a signature of MLflow's with the parameter ``answer``; without one MLflow drops ``params``.

    Parameters
    ----------
    given : mlflow.models.ModelSignature, default=None
        What the inputs and outputs are; its own parameters stay.

    Returns
    -------
    mlflow.models.ModelSignature
        For ``mlflow.pyfunc.save_model``.
    """
    from mlflow.models import ModelSignature
    from mlflow.types.schema import DataType, ParamSchema, ParamSpec

    known = [] if given is None or given.params is None else list(given.params.params)
    if all(each.name != "answer" for each in known):
        known.append(ParamSpec("answer", DataType.string, "class"))
    inputs, outputs = (None, None) if given is None else (given.inputs, given.outputs)
    return ModelSignature(inputs=inputs, outputs=outputs, params=ParamSchema(known))


@translate_errors()
def save_model(model: Any, path: str | os.PathLike[str], **more: Any) -> None:
    """Save a fitted estimator as a model of MLflow's pyfunc flavour.

    Parameters
    ----------
    model : estimator, Model or path-like
        A fitted estimator of linsep, its ``model_``, or a model file.
    path : path-like
        The folder that MLflow makes.
    **more
        Further arguments of ``mlflow.pyfunc.save_model``: ``signature``, ``input_example``,
        ``pip_requirements`` and so on. The parameter ``answer`` is added to the signature.

    Examples
    --------
    >>> import linsep, linsep.mlflow
    >>> classifier = linsep.MarginClassifier().fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    >>> linsep.mlflow.save_model(classifier, "mlflow-model")  # doctest: +SKIP
    """
    import mlflow.pyfunc

    more["signature"] = signature(more.get("signature"))
    more.setdefault("pip_requirements", [f"linsep=={_core.versions()['linsep']}"])
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "linsep.model")
        _core_model(model).save(file)
        mlflow.pyfunc.save_model(os.fspath(path), loader_module=__name__, data_path=file, **more)
