"""What a picture takes from rows: two columns, classes as places, names, and a sample of many rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._style import count, shown

Array = NDArray[np.float64]
Places = NDArray[np.int64]


def as_table(X: Any) -> Any:
    """X with two dimensions: sparse as it is, everything else as an array."""
    if hasattr(X, "tocsr"):
        return X.tocsr()
    values = np.asarray(X)
    if values.ndim != 2 or values.dtype.kind not in "buif":
        raise ValueError(
            "a picture is drawn from an array, a sparse matrix or a data frame of numbers; "
            f"this is {type(X).__name__}, of shape {values.shape}"
        )
    return values


def columns_of(X: Any, features: Sequence[int]) -> Array:
    """The given columns, dense."""
    table = as_table(X)
    part = table[:, list(features)]
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)


def means_of(X: Any) -> Array:
    """The mean of each column."""
    return np.asarray(as_table(X).mean(axis=0, dtype=np.float64)).ravel()


def feature_names_of(X: Any, estimator: Any = None, features: int | None = None) -> list[str]:
    """Names by the estimator, by the data frame, or x1, x2, …: as the user wrote them."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None and hasattr(X, "columns"):
        names = X.columns
    if names is not None:
        return [str(name) for name in names]
    if features is None:
        features = as_table(X).shape[1]
    return [f"x{place + 1}" for place in range(features)]


def chosen_features(features: Sequence[int | str] | None, names: Sequence[str]) -> tuple[int, ...]:
    """Two columns by number or name; by default the first two (or the only one)."""
    if features is None:
        return tuple(range(min(2, len(names))))
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features names two columns, not {features!r}")
    places = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                raise ValueError(
                    f"there is no feature {feature!r}; there are {', '.join(map(repr, names[:10]))}"
                )
            places.append(names.index(feature))
        else:
            place = int(feature)
            if not -len(names) <= place < len(names):
                raise ValueError(f"there is no feature {place}: there are {len(names)}")
            places.append(place % len(names))
    return tuple(places)


def classes_of(y: Any, estimator: Any = None) -> tuple[NDArray[Any], Places]:
    """The classes in order, and the place of each label among them."""
    labels = np.asarray(y).ravel()
    classes = getattr(estimator, "classes_", None)
    classes = np.unique(labels) if classes is None else np.asarray(classes)
    known = {label: place for place, label in enumerate(classes.tolist())}
    try:
        places = np.array([known[label] for label in labels.tolist()], dtype=np.int64)
    except KeyError as error:
        raise ValueError(f"the label {error.args[0]!r} isn't one of the classes {classes.tolist()}") from None
    return classes, places


def check_length(X: Any, y: Any) -> None:
    """Refuses labels that aren't one per row."""
    rows, labels = as_table(X).shape[0], len(np.asarray(y).ravel())
    if rows != labels:
        raise ValueError(f"X has {count(rows, 'row')}, but y has {count(labels, 'label')}")


def sample(rows: int, most: int) -> tuple[Places, str]:
    """At most `most` row numbers, drawn by a fixed seed, and a sentence where some are left out."""
    if rows <= most:
        return np.arange(rows, dtype=np.int64), ""
    drawn = np.sort(np.random.default_rng(1).permutation(rows)[:most])
    return drawn, f"{len(drawn):,} of {rows:,} rows are shown, drawn at random with seed 1."


def axis_names(names: Sequence[str], features: Sequence[int]) -> tuple[str, str]:
    """What stands at the two axes; nothing at the second where there is one feature only."""
    return shown(names[features[0]]), shown(names[features[1]]) if len(features) > 1 else ""


def name_of(estimator: Any) -> str:
    """The class of an estimator, of a pipeline its last step's."""
    steps = getattr(estimator, "steps", None)
    return name_of(steps[-1][1]) if steps else type(estimator).__name__
