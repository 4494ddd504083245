"""The columns of a regression, found again in other rows: by a formula, by names, or by position."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ..errors import UsageError
from .design import Design
from .words import listed

Matrix = npt.NDArray[np.float64]


def columns_of(design: Design, X: Any) -> Matrix:
    """Return the columns of a design for other rows.

    Parameters
    ----------
    design : Design
        What the regression was fitted to.
    X : array, sparse matrix or frame
        Other rows.

    Returns
    -------
    ndarray
        A row for each row of X; NaN throughout where a value is missing.
    """
    if sp.issparse(X):
        return _by_position(design, X.toarray())
    if not hasattr(X, "columns"):
        return _by_position(design, X)
    have = [str(name) for name in X.columns]
    for wanted in (design.names, design.columns):
        if wanted is not None and set(wanted) <= set(have):
            return _numbers(X, [have.index(name) for name in wanted])
    if design.spec is not None:
        frame = _pandas(X)
        return _by_formulaic(design, frame) if hasattr(design.spec, "get_model_matrix") else _by_patsy(design, frame)
    if not design.named:
        return _by_position(design, _numbers(X, range(len(have))))
    _refuse_missing([name for name in design.names if name not in have], have)
    raise AssertionError  # one of the names is missing


def _by_position(design: Design, X: Any) -> Matrix:
    values = np.asarray(X, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] != len(design.names):
        raise UsageError(
            f"X has the shape {values.shape}, and the regression has {len(design.names):,} columns: "
            f"{listed(design.names)}",
            ["X"],
        )
    return values


def _numbers(X: Any, places: Any) -> Matrix:
    """Return columns of a frame by their places; missing values are NaN."""
    columns = [X.iloc[:, place] if hasattr(X, "iloc") else X[:, place] for place in places]
    made = np.empty((len(X), len(columns)))
    for place, column in enumerate(columns):
        try:
            if hasattr(column, "isna"):
                made[:, place] = column.to_numpy(dtype=np.float64, na_value=np.nan)
            else:
                made[:, place] = np.asarray(column, dtype=np.float64)
        except (TypeError, ValueError):
            name = str(getattr(column, "name", place + 1))
            raise UsageError(f"column {name!r} of X holds values that aren't numbers", ["X"]) from None
    return made


def _pandas(X: Any) -> Any:
    """Return a pandas frame whose rows are numbered: formulas leave rows out, and say which by the index."""
    return (X.to_pandas() if hasattr(X, "to_pandas") else X).reset_index(drop=True)


def _refuse_missing(missing: list[str], have: list[str]) -> None:
    if missing:
        noun = "column" if len(missing) == 1 else "columns"
        raise UsageError(
            f"X has no {noun} {listed(map(repr, missing))}, which the regression needs; it has: {listed(have)}",
            ["X"],
        )


def _placed(matrix: Any, rows: int) -> Matrix:
    """Return a matrix with a row for each row; NaN where the formula left it out."""
    made = np.full((rows, matrix.shape[1]), np.nan)
    made[matrix.index.to_numpy()] = matrix.to_numpy(dtype=np.float64)
    return made


def _by_formulaic(design: Design, frame: Any) -> Matrix:
    from formulaic.errors import DataMismatchWarning, FactorEvaluationError

    have = [str(name) for name in frame.columns]
    _refuse_missing(sorted(str(name) for name in design.spec.required_variables if str(name) not in have), have)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataMismatchWarning)
            made = design.spec.get_model_matrix(frame, na_action="drop", output="pandas")
    except DataMismatchWarning as warning:
        found = re.search(r"\{.*?\}", str(warning))
        told = "" if found is None else f": {found[0][1:-1]}"
        raise UsageError(f"X has categories that the regression hasn't seen{told}", ["X"]) from None
    except FactorEvaluationError as error:
        raise UsageError(f"the formula's columns can't be made of X: {error}", ["X"]) from None
    return _placed(made, len(frame))


def _by_patsy(design: Design, frame: Any) -> Matrix:
    import patsy

    have = [str(name) for name in frame.columns]
    # A name that the frame lacks would be looked for among the variables of the session.
    if design.frame is not None:
        codes = (getattr(factor, "code", "") for factor in design.spec.factor_infos)
        used = {node.id for code in codes for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
        _refuse_missing(sorted(name for name in used & set(design.frame) if name not in have), have)
    try:
        (made,) = patsy.build_design_matrices([design.spec], frame, NA_action="drop", return_type="dataframe")
    except patsy.PatsyError as error:
        words = str(error).split("\n")[0]
        lacking = re.search(r"name '(.*?)' is not defined", words)
        if lacking is not None:
            _refuse_missing([lacking[1]], have)
        raise UsageError(f"the formula's columns can't be made of X: {words}", ["X"]) from None
    return _placed(made, len(frame))
