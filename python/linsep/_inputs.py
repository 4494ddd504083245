"""From what a user hands to ``fit`` and ``predict`` to the core's rows: validation, labels, weights."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _get_feature_names, column_or_1d

from . import _rows
from ._layout import is_half
from ._older import checked_weights, validate_data, weights_of_classes
from ._scan import scan
from .errors import InputError, UsageError, translate_errors

if TYPE_CHECKING:
    from . import _core
    from ._model import Model

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Labels:
    """Labels of classes."""

    classes: Array  # sorted
    place: Array  # of each row's class among them

    @property
    def for_core(self) -> Array:
        """Labels as the core has them: −1 or +1 of two classes, else places."""
        if len(self.classes) == 2:
            return (2 * self.place - 1).astype(np.int8)
        return self.place.astype(np.int8 if len(self.classes) <= 127 else np.float64)


@dataclass(frozen=True)
class Labelings:
    """Several labelings of the same rows, each of two classes."""

    names: list[str]
    classes: list[Array]  # negative and positive of each labeling
    combinations: list[str]  # of labels that occur: '1', '0' or, without a label, '-'
    place: Array  # of each row's labels among them

    def for_core(self) -> dict[str, Any]:
        """Return the labels as the core has them."""
        classes = [str(name) for pair in self.classes for name in pair.tolist()]
        return {
            "y": self.place.astype(np.float64),
            "classes": classes,
            "labels": self.names,
            "combinations": self.combinations,
        }


def is_labelings(y: Any) -> bool:
    """Whether y has several columns, a labeling each."""
    shape = np.asarray(y).shape
    return len(shape) == 2 and shape[1] > 1


def column_names(y: Any) -> list[str] | None:
    """Return the names of a DataFrame's columns; None where there are none."""
    names = _get_feature_names(y)
    return None if names is None else [str(name) for name in names]


def labelings_of(y: Array, names: Sequence[Any] | None) -> Labelings:
    """Return labelings: a matrix of −1, +1 and 0 for rows without a label, or one of 0 and 1."""
    signs = bool((y == -1).any())
    negative, positive = np.array([-1 if signs else 0, 1]).astype(y.dtype)
    letter = np.full(y.shape, ord("-"), dtype=np.uint8)
    letter[y == negative], letter[y == positive] = ord("0"), ord("1")
    known = letter != ord("-")
    if not np.array_equal(~known, y == 0 if signs else np.zeros_like(known)):
        raise ValueError("y has several columns, so it must hold -1 and 1, and 0 for no label; or 0 and 1")
    for which in (negative, positive):
        lacking = np.flatnonzero(~(y == which).any(axis=0))
        if len(lacking):
            raise ValueError(f"column {lacking[0]} of y needs rows of both classes, but there is no {which}")
    kept, first, place = np.unique(letter, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # as a file's rows would be met
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    combinations = [row.tobytes().decode() for row in kept[order]]
    called = range(1, y.shape[1] + 1) if names is None else names
    classes = [np.array([negative, positive])] * y.shape[1]
    return Labelings([str(name) for name in called], classes, combinations, rank[place.ravel()])


def is_source(X: Any) -> bool:
    """Whether X is rows or a file's path, which `fit` and `predict` take as well as arrays."""
    return isinstance(X, str | os.PathLike) or _rows.is_rows(X)


def is_table(X: Any) -> bool:
    """Whether X is a DataFrame, or another table that hands out an Arrow stream."""
    return hasattr(X, "__arrow_c_stream__")


def source_rows(X: Any) -> Any:
    """Return rows of rows, of a file's path, or of a table."""
    if isinstance(X, str | os.PathLike) or is_table(X):
        return scan(X)
    return X


def rows_for(model: Model, X: Any) -> _core.Rows:
    """Return rows, or those of a file, as a model takes them: they are read once they are scored."""
    if not is_source(X) and not is_table(X):
        refuse_arrays_for_tables(model)
    if is_table(X) and model._core.has_table and model._core.table_header:
        refuse_lacking_columns(X, model._core.table_columns)
    return _rows.core_rows(source_rows(X))


def refuse_lacking_columns(X: Any, wanted: Sequence[str]) -> None:
    """Refuse a table without the columns that a model reads."""
    have = getattr(X, "column_names", None) or getattr(X, "columns", None)
    if have is None or callable(have):
        return
    names = [str(name) for name in have]
    if lacking := [name for name in wanted if name not in names]:
        noun = "column" if len(lacking) == 1 else "columns"
        told = ", ".join(map(repr, lacking))
        raise InputError(f"the {type(X).__name__} has no {noun} {told}; it has: {', '.join(names)}")


def refuse_arrays_for_tables(model: Model) -> None:
    """Refuse arrays where the model was trained on a table, whose columns it encodes itself."""
    if model._core.has_table:
        raise UsageError(
            "this model encodes the columns of a table: give a DataFrame with these columns, a file, or linsep.scan",
            ["X"],
        )


def refuse_beside_rows(**given: Any) -> None:
    """Refuse arguments that rows have in themselves."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"'{name}' is part of the rows: leave it out, or give arrays", [name])


_KINDS = {
    "categories": ("category", "categorical", "enum", "dictionary"),
    "dates": ("date", "timestamp", "period"),
    "intervals": ("interval",),
    "times": ("time",),
    "durations": ("timedelta", "duration"),
    "lists": ("list", "array"),
    "text": ("object", "string", "str"),
}


def columns_without_numbers(X: Any) -> dict[str, str]:
    """Return the columns of a DataFrame that hold no numbers, with what they hold."""
    if not hasattr(X, "columns") or not hasattr(X, "dtypes"):
        return {}
    dtypes = X.dtypes.values() if isinstance(X.dtypes, dict) else list(X.dtypes)
    found = {}
    for place, (name, dtype) in enumerate(zip(X.columns, dtypes, strict=True)):
        word = str(dtype).lower()
        # "timedelta" begins with "time": the longest beginning counts.
        begun = [(len(start), kind) for kind, starts in _KINDS.items() for start in starts if word.startswith(start)]
        if not begun:
            continue
        column, kind = X.iloc[:, place] if hasattr(X, "iloc") else X[name], max(begun)[1]
        if kind == "text" and _holds_numbers(column):
            continue
        if kind == "text" and 2 * _distinct(column) <= len(column):
            kind = "categories"
        found[str(name)] = kind
    return found


def refuse_text_columns(X: Any, *, proof: bool = False) -> None:
    """Refuse a DataFrame with columns that hold no numbers; `proof`: where only rows are wanted."""
    if not hasattr(X, "__array__") or not (columns := columns_without_numbers(X)):
        return
    told = ", ".join(f"{name!r} ({kind})" for name, kind in columns.items())
    names = ", ".join(map(repr, columns))
    advice = (
        "linsep.scan encodes a raw table, as in certify(linsep.scan(frame, label=…)), where the label is a column of it"
        if proof
        else f"Encode them first, as in make_pipeline(make_column_transformer((OneHotEncoder(), [{names}]), "
        'remainder="passthrough"), estimator), or use linsep.TableClassifier(estimator), which encodes raw tables itself'
    )
    raise TypeError(f"columns that aren't numbers: {told}. {advice}")


def _holds_numbers(column: Any) -> bool:
    """Whether a column of objects can be read as numbers."""
    try:
        np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _distinct(column: Any) -> int:
    """Return how many different values a column has."""
    try:
        return len(set(column))
    except TypeError:  # lists have no hash
        return len(column)


def _dtypes(X: Any) -> Any:
    """What values are turned into: small ones fit into float32, all else into float64."""
    dtype = getattr(X, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf" and dtype.itemsize <= 2:
        return np.float32
    return [np.float64, np.float32]


def _validate_half(validate: Callable[..., Any], X: Array, **more: Any) -> Any:
    """Call a function of scikit-learn's that checks arrays for X, an array of 16-bit floats.

    It would sum up float16 in float16, which overflows, and doesn't know bfloat16: it is shown the bits as integers.
    That the values are finite is checked by the core.
    """
    found = validate(X.view(np.uint16), dtype=np.uint16, **more)
    if isinstance(found, tuple):
        return found[0].view(X.dtype), *found[1:]
    return found.view(X.dtype)


def validated(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    reset: bool,
    labelled: bool,
    numeric: bool = False,
    several: bool = False,
) -> Any:
    """Return X, or X and y, as scikit-learn's ``validate_data`` has it; `several`: y may have several columns."""
    refuse_text_columns(X)
    if labelled:
        refuse_missing_labels(y)
    more = {"y": y, "y_numeric": numeric, "multi_output": several} if labelled else {}
    if is_half(X):
        return _validate_half(functools.partial(validate_data, estimator), X, reset=reset, **more)
    try:
        return validate_data(estimator, X, reset=reset, accept_sparse="csr", dtype=_dtypes(X), **more)
    except ValueError as error:
        if not str(error).startswith("Input X contains NaN"):
            raise
        raise ValueError(
            f"Input X contains NaN. {type(estimator).__name__} takes no missing values: fill them in first, as in "
            "make_pipeline(SimpleImputer(), estimator), or give a DataFrame to linsep.TableClassifier(estimator), "
            "which handles them"
        ) from None


def refuse_missing_labels(y: Any) -> None:
    """Refuse rows without a label (None, NaN, NaT, pandas.NA), by their numbers."""
    if y is None:
        return
    try:
        values = np.asarray(y)
        if values.dtype.kind in "US" and isinstance(y, list | tuple):  # NaN among words has become the word "nan"
            values = np.asarray(y, dtype=object)
    except ValueError:  # of different lengths, which scikit-learn has words for
        return
    if values.dtype.kind in "fc":
        missing = np.isnan(values)
    elif values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype == object:
        missing = np.reshape([_is_missing(value) for value in values.ravel()], values.shape).astype(bool)
    else:
        return
    if missing.ndim == 0 or not missing.any():
        return
    rows = np.flatnonzero(missing.reshape(len(missing), -1).any(axis=1))
    more = f" and {len(rows) - 1:,} more" if len(rows) > 1 else ""
    value = values[rows[0]] if values.ndim == 1 else values[rows[0]][missing[rows[0]]].ravel()[0]
    several = values.ndim == 2 and values.shape[1] > 1
    advice = "in several columns 0 says that a row has none" if several else "leave out rows without a label"
    raise ValueError(f"y has no label in row {rows[0] + 1:,}{more} ({value}): {advice}")


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float | np.floating) and value != value
    )


def labels_of(estimator: Any, y: Any, classes: Array | None = None) -> Labels:
    """Return the labels; `classes` are known in a `partial_fit`."""
    y = column_or_1d(y, warn=True)
    check_classification_targets(y)
    name = type(estimator).__name__
    if classes is not None:
        unseen = np.setdiff1d(y, classes)
        if len(unseen):
            raise ValueError(f"y has classes that 'classes' doesn't have: {unseen.tolist()}")
        order = np.argsort(classes)
        place = order[np.searchsorted(classes, y, sorter=order)]
    else:
        classes, place = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"{name} needs rows of at least two classes, but there is only one class, {classes.tolist()[0]!r}"
        )
    if len(classes) > 2 and estimator._two_classes_only:
        raise ValueError(
            f"Only binary classification is supported by {name}. The type of the target is multiclass: "
            f"there are {len(classes)} classes. Use sklearn.multiclass.OneVsRestClassifier for several."
        )
    return Labels(classes, place)


def weights_of(X: Any, labels: Labels, sample_weight: Any, class_weight: Any, name: str) -> Array | None:
    """Return the weights of rows with those of classes multiplied in, or None where all are 1."""
    if sample_weight is None and class_weight is None:
        return None
    if sample_weight is not None:
        sample_weight = checked_weights(sample_weight, X)
    weight = np.ones(len(labels.place)) if sample_weight is None else sample_weight
    if class_weight is not None:
        by_class = weights_of_classes(class_weight, labels.classes, labels.place, sample_weight)
        weight = weight * by_class[labels.place]
    left = np.unique(labels.place[weight > 0])
    if len(left) < 2:
        only = "no row" if len(left) == 0 else f"only rows of class {labels.classes[left].tolist()[0]!r}"
        raise ValueError(f"{name} needs rows of at least two classes, and {only} of weight above 0 are left")
    return np.asarray(weight, dtype=np.float64)


def class_names(classes: Array) -> list[str]:
    """Return the classes' names for the model file."""
    return [str(name) for name in classes.tolist()]


def named_classes(names: Sequence[str], kind: str = "") -> Array:
    """Return classes by their names, as values of the column's type: "bool", "integer", "number" or "text".

    A text file and a model file have no types: names are numbers or booleans where all of them are, which is what
    pandas takes them for.
    """
    if kind == "text":
        return np.array(list(names))
    if kind == "bool" or {*names} in ({"False", "True"}, {"false", "true"}, {"FALSE", "TRUE"}):
        return np.array([name.lower() == "true" for name in names])
    for number in (float,) if kind == "number" else (int, float):
        try:
            numbers = [number(name) for name in names]
        except ValueError:
            continue
        values = np.array(numbers)
        # Integers may be beyond NumPy's types, or a float for two names.
        if values.dtype.kind not in ("iu" if number is int else "f") or len({*numbers}) < len(names):
            break
        if np.all(np.isfinite(values)) and not any("_" in name for name in names):
            return values
    return np.array(list(names))


def classes_of(rows: Any) -> Any:
    """Return the classes of rows that have been read, as the values that they were; of labelings a list of them."""
    known: Any = getattr(rows, "classes_", None)
    core = _rows.core_rows(rows)
    if known is None and core.labels:
        return [named_classes(core.classes[k : k + 2]) for k in range(0, len(core.classes), 2)]
    return named_classes(core.classes, core.label_type) if known is None else known


def prepared(estimator: Any, X: Any, y: Any = None, weight: Any = None, **more: Any) -> _core.Rows:
    """Return the core's rows of validated arrays."""
    names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
    return _rows.prepare(
        X, y, weight, feature_names=names, n_jobs=estimator.n_jobs, check_finite=is_half(X), **more
    )


def rows(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    feature_names: Sequence[str] | None = None,
    ids: Any = None,
) -> _rows.Rows:
    """Check arrays once, for many fits and proofs.

    Parameters
    ----------
    X : {array-like, sparse matrix, DataFrame} of shape (n_rows, n_features)
        Numbers.
    y : array-like of shape (n_rows,) or (n_rows, n_labelings), default=None
        Classes; floats that aren't whole are numbers to predict. Several columns are labelings of two classes each: -1
        and 1, with 0 for rows without a label, or 0 and 1.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows, at least 0.
    feature_names : sequence of str, default=None
        Names of the columns; a DataFrame has its own.
    ids : sequence, default=None
        Names of the rows, which proofs then show.

    Returns
    -------
    Rows
        Without a copy of arrays that can be taken as they are.

    See Also
    --------
    scan : Rows of files.

    Examples
    --------
    >>> import numpy as np
    >>> import linsep
    >>> rows = linsep.rows(np.array([[0.0, 1.0], [2.0, 1.0]]), ["no", "yes"])
    >>> rows
    Rows(2 × 2 features, classes no, yes)
    >>> linsep.MarginClassifier().fit(rows).predict([[3, 0]]).tolist()
    ['yes']
    """
    refuse_text_columns(X, proof=True)
    names = _get_feature_names(X) if feature_names is None else feature_names
    if is_half(X):
        X = _validate_half(check_array, X)
    else:
        X = check_array(X, accept_sparse="csr", dtype=_dtypes(X))
    check_consistent_length(X, y, sample_weight, ids)
    refuse_missing_labels(y)
    names = [] if names is None else [str(name) for name in names]
    if y is None:
        with translate_errors():
            return _rows.Rows(_rows.prepare(X, None, sample_weight, feature_names=names, ids=ids, lasting=True))
    if is_labelings(y):
        labelings = labelings_of(np.asarray(y), column_names(y))
        with translate_errors():
            made = _rows.prepare(
                X, sample_weight=sample_weight, feature_names=names, ids=ids, lasting=True, **labelings.for_core()
            )
            return _rows.Rows(made, labelings.classes)
    y = column_or_1d(y)
    if y.dtype.kind == "f" and not np.array_equal(y, np.floor(y)):
        with translate_errors():
            return _rows.Rows(_rows.prepare(X, y, sample_weight, feature_names=names, ids=ids, lasting=True))
    classes, place = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"rows of at least two classes are needed, but all are of class {classes.tolist()[0]!r}"
        )
    label = Labels(classes, place).for_core
    called = class_names(classes)
    with translate_errors():
        made = _rows.prepare(
            X, label, sample_weight, classes=called, feature_names=names, ids=ids, lasting=True
        )
        return _rows.Rows(made, classes)
