"""Which arrays the core takes as they are, and which are copied first.

As they are: rows in C order of float16, bfloat16, float32 or float64 with any distance between them; CSR of float32 or float64
with int32, uint32 or int64 columns, sorted and without duplicates. Everything else is copied, and so are the offsets
of CSR; the caller's arrays are never changed, and a copy of more than 100 MB is told by a `CopyWarning`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .errors import CopyWarning, UsageError, warn_caller

__all__ = ["CopyLog", "as_csr", "as_dense", "sorted_copy"]

Array = npt.NDArray[Any]

TOLD_FROM = 100_000_000  # bytes


class CopyLog:
    """What was copied, and why; told once."""

    def __init__(self) -> None:
        self.bytes = 0
        self.reasons: list[str] = []

    def add(self, array: Array, reason: str) -> Array:
        """Note that `array` is a copy, and return it."""
        self.bytes += array.nbytes
        if reason not in self.reasons:
            self.reasons.append(reason)
        return array

    def warn(self) -> None:
        """Warn where more than 100 MB were copied."""
        if self.bytes > TOLD_FROM:
            warn_caller(
                CopyWarning(
                    f"{self.bytes / 1e6:,.0f} MB were copied: {'; '.join(self.reasons)}. "
                    "Rows in C order of 16-, 32- or 64-bit floats, and sorted CSR, are taken as they are."
                )
            )


def is_bfloat16(dtype: Any) -> bool:
    """Whether a dtype is bfloat16: that of ml_dtypes, or what NumPy without it reads such a file as."""
    return isinstance(dtype, np.dtype) and dtype.kind == "V" and dtype.name in ("bfloat16", "void16")


def is_half(X: Any) -> bool:
    """Whether X is a dense array of 16-bit floats, which the core widens a few rows at a time."""
    if not isinstance(X, np.ndarray):
        return False
    return (X.dtype == np.float16 and X.dtype.isnative) or is_bfloat16(X.dtype)


def _value_type(dtype: np.dtype[Any]) -> type[np.floating[Any]] | None:
    """Return what values are turned into, or None where they can stay; small ones fit into float32."""
    if dtype in (np.float32, np.float64) and dtype.isnative:
        return None
    if dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if dtype in (np.dtype(np.float32), np.dtype(">f4")):
        return np.float32
    if dtype.kind == "b" or (dtype.kind in "iuf" and dtype.itemsize <= 2):
        return np.float32
    return np.float64


def _values(array: Array, log: CopyLog) -> Array:
    wanted = _value_type(array.dtype)
    if wanted is None:
        return array
    return log.add(array.astype(wanted, order="C"), f"values of {array.dtype} became {np.dtype(wanted)}")


def _lies_in_rows(array: Array) -> bool:
    """Whether the rows of a two-dimensional array are pieces of memory, one behind the other."""
    rows, columns = array.shape
    between_rows, between_values = array.strides
    size = array.itemsize
    if not array.flags.aligned or (columns > 1 and between_values != size):
        return False
    return rows <= 1 or (between_rows >= columns * size and between_rows % size == 0)


def as_dense(X: Any, log: CopyLog) -> Array:
    """Return a two-dimensional array that the core takes.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Numbers.
    log : CopyLog
        Hears of copies.

    Returns
    -------
    ndarray
        `X` itself where it can be taken as it is.
    """
    array = np.asarray(X)
    if array.ndim != 2:
        raise ValueError(f"Expected a 2-dimensional container, got an array of shape {array.shape}")
    if is_bfloat16(array.dtype):
        array = array.view(np.uint16)  # the core knows them by that: other integers become floats
    elif not is_half(array):
        array = _values(array, log)
    if _lies_in_rows(array):
        return array
    order = "Fortran order" if array.flags.f_contiguous else "rows with gaps, that overlap or aren't aligned"
    return log.add(array.copy(order="C"), f"{order} became C order")


def _flat(array: Array, log: CopyLog, name: str) -> Array:
    if array.flags.c_contiguous and array.flags.aligned:
        return array
    return log.add(array.copy(), f"{name} had gaps or weren't aligned")


def as_csr(X: Any, log: CopyLog) -> tuple[Array, Array, Array]:
    """Return offsets, columns and values that the core takes; it checks the order and range of columns.

    Parameters
    ----------
    X : sparse matrix or array
        In any format.
    log : CopyLog
        Hears of copies.

    Returns
    -------
    start, column, value : ndarrays
        Those of `X` where they can be taken as they are.
    """
    if X.format != "csr":
        converted = X.tocsr()
        log.add(converted.indices, f"{X.format.upper()} became CSR")
        log.add(converted.data, f"{X.format.upper()} became CSR")
        X = converted
    column = np.asarray(X.indices)
    if column.dtype not in (np.int32, np.uint32, np.int64) or not column.dtype.isnative:
        column = log.add(column.astype(np.int64), f"columns of {column.dtype} became int64")
    # Always a copy: a row that is changed while it is read may be wrong, but never reaches beyond the arrays.
    start = log.add(np.array(X.indptr, dtype=np.int64), "offsets are copied")
    if len(start) != X.shape[0] + 1:
        raise UsageError(
            f"'X' is broken: {X.shape[0]} rows need one more offset, but have {len(start)}", ["X"]
        )
    value = _values(np.asarray(X.data), log)
    return start, _flat(column, log, "columns"), _flat(value, log, "values")


def sorted_copy(X: Any, log: CopyLog) -> Any:
    """Return a sorted copy in CSR with duplicates summed, or None where that isn't what `X` lacks.

    SciPy keeps a note of whether a matrix is sorted, which can be wrong, and sorts broken ones without a look:
    so the arrays are checked first, and the note isn't trusted.
    """
    X = X.tocsr()
    copy = sparse.csr_array((np.array(X.data), np.array(X.indices), np.array(X.indptr)), shape=X.shape)
    try:
        copy.check_format(full_check=True)
    except ValueError:
        return None
    if copy.has_canonical_format:
        return None
    copy.sum_duplicates()
    log.add(copy.indices, "columns weren't sorted, or some were repeated")
    log.add(copy.data, "columns weren't sorted, or some were repeated")
    return copy
