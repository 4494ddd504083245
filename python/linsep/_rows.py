"""Rows: arrays that were checked once, or a file's; what every call that goes over rows takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from . import _core, _html
from ._layout import CopyLog, as_csr, as_dense, sorted_copy
from ._shown import Shown
from .errors import UsageError, translate_errors

__all__ = ["Rows", "core_rows", "is_rows", "may_copy", "prepare", "threads_for"]


class Rows(Shown):
    """Rows for training, prediction and proofs; made by `linsep.rows` and `linsep.scan`.

    Arrays are kept alive and not copied where that can be avoided. Every call compares a checksum of them with
    that of the day they were checked, and refuses arrays that were changed (InputError). Those that another
    thread changes *during* a call give any result, but nothing beyond them is read. One call uses rows at a
    time.

    Parameters
    ----------
    core : object
        The rows of the extension module.
    classes : ndarray or list of them, default=None
        The classes as they were given, of which the core has the names; of labelings those of each.

    Attributes
    ----------
    rows, features, nonzeros : int
        How many there are; -1 while a file hasn't been read.
    classes : list of str
        The classes' names.
    classes_ : ndarray, list of ndarray or None
        The classes as they were given, of labelings those of each; None of a file.
    feature_names : list of str
        Names of the columns; empty where they have none.
    labelled, weighted, in_memory, loaded : bool
        Whether there are labels, weights, whether rows lie in memory, and whether they have been read.
    account : str
        What each column of a table is, and how it was encoded.
    """

    def __init__(self, core: _core.Rows, classes: Any = None) -> None:
        self._core = core
        self.classes_ = classes

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._core.rows

    @property
    def features(self) -> int:
        """How many features there are."""
        return self._core.features

    @property
    def nonzeros(self) -> int:
        """How many values are stored."""
        return self._core.nonzeros

    @property
    def classes(self) -> list[str]:
        """The classes' names."""
        return self._core.classes

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns."""
        return self._core.feature_names

    @property
    def labelled(self) -> bool:
        """Whether the rows have labels."""
        return self._core.labelled

    @property
    def weighted(self) -> bool:
        """Whether the rows have weights."""
        return self._core.weighted

    @property
    def in_memory(self) -> bool:
        """Whether the rows lie in memory, or stay on disk."""
        return self._core.in_memory

    @property
    def loaded(self) -> bool:
        """Whether a file has been read."""
        return self._core.loaded

    @property
    def account(self) -> str:
        """What each column of a table is, and how it was encoded."""
        return self._core.account

    @translate_errors()
    def load(self, *, progress: Any = None) -> Rows:
        """Read the rows of a file now, as a soft margin wants them; others may read them again.

        Parameters
        ----------
        progress : bool, callable or None, default=None
            True draws a line on standard error; a callable is given a dictionary now and then.

        Returns
        -------
        Rows
            The same rows.
        """
        from ._progress import observer

        with observer(progress) as observe:
            _core.load_rows(self._core, observe=observe)
        return self

    def __len__(self) -> int:
        return max(0, self.rows)

    def __repr__(self) -> str:
        if not self.loaded:
            return "Rows(not read yet)"
        shown = ", ".join(self.classes[:5] + ["…"] * (len(self.classes) > 5))
        classes = f", classes {shown}" if shown else ""
        weighted = ", weighted" if self.weighted else ""
        return f"Rows({self.rows:,} × {self.features:,} features{classes}{weighted})"

    def _repr_html_(self) -> str:
        return _html.rows_html(self)


def is_rows(X: Any) -> bool:
    """Whether X is rows already."""
    return isinstance(X, Rows | _core.Rows)


def core_rows(X: Any) -> _core.Rows:
    """Return the extension module's rows of `X`."""
    found: _core.Rows = X._core if isinstance(X, Rows) else X
    return found


def threads_for(n_jobs: int | None) -> int:
    """Return how many threads `n_jobs` means.

    Parameters
    ----------
    n_jobs : int or None
        None: LINSEP_NUM_THREADS, else OMP_NUM_THREADS, else the cores that this process may use. -1: those
        cores, -2: all but one of them, and so on.

    Returns
    -------
    int
        At least 1.
    """
    if n_jobs is None:
        for name in ("LINSEP_NUM_THREADS", "OMP_NUM_THREADS"):
            first = os.environ.get(name, "").split(",")[0].strip()
            if first.isdigit() and int(first) > 0:
                return int(first)
        return _core.available_threads()
    if n_jobs == 0:
        raise UsageError("'n_jobs' takes a number of threads, or -1 for all cores, not 0", ["n_jobs"])
    return n_jobs if n_jobs > 0 else max(1, _core.available_threads() + 1 + n_jobs)


def may_copy(copy_X: bool | str, rows: _core.Rows) -> bool:
    """Whether rows may be copied into the order in which they are visited.

    Parameters
    ----------
    copy_X : bool or "auto"
        "auto": where they take less than a quarter of the available memory.
    rows : _core.Rows
        The rows.

    Returns
    -------
    bool
    """
    if copy_X != "auto":
        return bool(copy_X)
    return 0 <= rows.bytes < _core.memory_left() / 4


def prepare(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    classes: Sequence[str] = (),
    feature_names: Sequence[str] = (),
    labels: Sequence[str] = (),
    combinations: Sequence[str] = (),
    ids: Any = None,
    n_jobs: int | None = None,
    check_finite: bool = True,
    lasting: bool = False,
) -> _core.Rows:
    """Return the extension module's rows of arrays, copied where `_layout` says so.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_rows, n_features)
        Numbers.
    y : array-like of shape (n_rows,), default=None
        Of two classes -1 and 1, of several their places, of labelings the place among `combinations`; without
        classes a number to predict.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights.
    classes, feature_names, labels : sequence of str
        Their names; `labels` are those of labelings.
    combinations : sequence of str
        Of labelings: '1', '0' or '-' in each.
    ids : sequence, default=None
        Names of the rows.
    n_jobs : int, default=None
        See `threads_for`.
    check_finite : bool, default=True
        Whether dense values are looked at; of sparse rows everything is checked anyway.
    lasting : bool, default=False
        For several calls: arrays that were changed since are refused.

    Returns
    -------
    _core.Rows
    """
    log = CopyLog()
    more: dict[str, Any] = {
        "label": None if y is None else _labels(y),
        "weight": None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64),
        "classes": list(classes),
        "feature_names": list(feature_names),
        "labels": list(labels),
        "combinations": list(combinations),
        "ids": ids,
        "check_finite": check_finite,
        "lasting": lasting,
        "threads": threads_for(n_jobs),
    }
    made = _sparse_rows(X, log, more) if sparse.issparse(X) else _core.rows_of_dense(as_dense(X, log), **more)
    log.warn()
    return made


def _labels(y: Any) -> Any:
    y = np.ascontiguousarray(y)
    return y if y.dtype == np.int8 else y.astype(np.float64)


def _sparse_rows(X: Any, log: CopyLog, more: dict[str, Any]) -> _core.Rows:
    """Return the rows of a sparse matrix; the core's check decides whether columns must be sorted first."""
    try:
        return _core.rows_of_csr(*as_csr(X, log), X.shape[1], **more)
    except _core.Error:
        repaired = sorted_copy(X, log)
        if repaired is None:
            raise
    return _core.rows_of_csr(*as_csr(repaired, log), X.shape[1], **more)
