"""Fitted models in other languages: ONNX, SQL and C.

What is written takes the same raw rows as ``predict`` and gives the same labels; nothing of linsep is needed
where it runs. Numbers are rounded to 32 bits first, as reading a file does. A model that a language can't
say is refused with a :class:`~linsep.UsageError` that names the column, the reason and what to do.
"""

from __future__ import annotations

import os
from typing import Any, Literal

from . import _core
from ._base import LinsepEstimator
from .errors import translate_errors

__all__ = ["to_c", "to_onnx", "to_sql"]


def _core_model(model: Any) -> Any:
    """Return the core's model of a fitted estimator, a ``Model``, or the path of a model file."""
    if isinstance(model, (str, os.PathLike)):
        return _core.load_model(os.fspath(model))
    if isinstance(model, _core.Model):
        return model
    for inner in ("best_estimator_", "estimator_"):  # of a search, and of a TableClassifier
        model = getattr(model, inner, model)
    held = getattr(model, "model_", model)
    core = getattr(held, "_core", None)
    if isinstance(core, _core.Model):
        return core
    if hasattr(model, "steps"):
        raise TypeError(
            "a Pipeline has steps that linsep can't write. Give its last step, pipeline[-1], which takes rows as the "
            "earlier steps transform them; or let linsep encode and scale the columns itself, with "
            "linsep.TableClassifier or linsep.scan: then the model contains everything"
        )
    if isinstance(model, LinsepEstimator):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"this {type(model).__name__} isn't fitted yet: call 'fit' first")
    raise TypeError(
        "expected a fitted estimator of linsep, a Model or the path of a model file, not "
        f"{type(model).__name__}"
    )


def _written(text: bytes, path: str | os.PathLike[str] | None) -> None:
    if path is not None:
        with open(path, "wb") as file:
            file.write(text)


@translate_errors()
def to_onnx(model: Any, path: str | os.PathLike[str] | None = None, *, double: bool = True) -> bytes:
    """Return the model as a file of ONNX: opset 21 with ai.onnx.ml 4.

    Parameters
    ----------
    model : estimator, Model or path-like
        A fitted estimator of linsep, its ``model_``, or a model file.
    path : path-like or None, default=None
        Also written to this file.
    double : bool, default=True
        Everything is computed in double, which ONNX Runtime on a CPU can. False: in float, of a model of
        numbers, with one input ``x`` of all columns; labels of rows near the boundary may then differ.

    Returns
    -------
    bytes
        The file. Inputs are the model's columns by name (of numbers without names, one matrix ``x``),
        outputs ``label``, ``score`` and, of a model with probabilities, ``probability``.

    Examples
    --------
    >>> import linsep
    >>> classifier = linsep.MarginClassifier().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], ["no", "yes", "yes"])
    >>> len(linsep.to_onnx(classifier)) > 200
    True
    """
    made: bytes = _core.to_onnx(_core_model(model), float32=not double)
    _written(made, path)
    return made


@translate_errors()
def to_sql(
    model: Any,
    dialect: Literal["duckdb", "postgresql"] = "duckdb",
    table: str = "data",
    path: str | os.PathLike[str] | None = None,
) -> str:
    """Return the model as one SELECT, which adds what is predicted to the columns of a table.

    Parameters
    ----------
    model : estimator, Model or path-like
        A fitted estimator of linsep, its ``model_``, or a model file.
    dialect : {"duckdb", "postgresql"}, default="duckdb"
        Whose SQL.
    table : str, default="data"
        The table, or view, that has the model's columns.
    path : path-like or None, default=None
        Also written to this file.

    Returns
    -------
    str
        The query. It adds the columns ``predicted``, ``score`` and, of a model with probabilities,
        ``probability``; of several classes a score and a probability for each.

    Examples
    --------
    >>> import linsep
    >>> classifier = linsep.Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    >>> print(linsep.to_sql(classifier.model_).splitlines()[0])
    -- A linear classifier, written by linsep for DuckDB; it reads 2 columns.
    """
    made: str = _core.to_sql(_core_model(model), dialect, table)
    _written(made.encode(), path)
    return made


@translate_errors()
def to_c(model: Any, name: str = "model", path: str | os.PathLike[str] | None = None) -> str:
    """Return the model as one file of C99 that needs the standard library only and allocates nothing.

    Parameters
    ----------
    model : estimator, Model or path-like
        A fitted estimator of linsep, its ``model_``, or a model file.
    name : str, default="model"
        What its struct and its functions begin with: ``NAME_row``, ``NAME_score``, ``NAME_label``,
        ``NAME_probability``.
    path : path-like or None, default=None
        Also written to this file.

    Returns
    -------
    str
        The file's text. Its scores are the same bits as those of ``decision_function`` for values of 32 bits.

    Examples
    --------
    >>> import linsep
    >>> classifier = linsep.Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    >>> "double fruit_score(const struct fruit_row *row)" in linsep.to_c(classifier, "fruit")
    True
    """
    made: str = _core.to_c(_core_model(model), name)
    _written(made.encode(), path)
    return made
