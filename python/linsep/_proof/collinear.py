"""Columns that are nearly a sum of others, in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from .. import _core

_MOST = 5e9  # rows × columns² of the largest matrix that is looked at: a few seconds
_BLOCK = 1 << 22  # values that are multiplied at once


def collinear(values: Any, names: Sequence[str]) -> list[list[str]] | None:
    """Return groups of columns, each a column with those that it is nearly a sum of.

    These are the columns that `linsep.logit` leaves out: those before them, the intercept first, leave less than
    3e-6 of their length.

    Parameters
    ----------
    values : ndarray or sparse matrix
        Finite numbers.
    names : sequence of str
        Of the columns; one more than there are: a column of ones is the last.

    Returns
    -------
    list of lists of str, or None
        In the order of the columns; None where looking would take too long.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.1, 0.7], [0.3, 0.2], [0.6, 0.1], [0.2, 0.9]])
    >>> collinear(np.column_stack([x, x.sum(axis=1)]), ["a", "b", "c", "intercept"])
    [['a', 'b', 'c']]
    """
    (count, columns), width = values.shape, len(names)
    if count * width**2 > _MOST:
        return None
    rows = sp.csr_array(values) if sp.issparse(values) else values
    ends = [rows.max(axis=0), rows.min(axis=0)]
    scale = np.abs([np.ravel(end.toarray() if sp.issparse(end) else end).astype(float) for end in ends]).max(axis=0)
    scale = np.where(scale > 0, scale, 1)
    products = np.zeros((width, width))
    step = max(1, _BLOCK // width)
    for begin in range(0, count, step):
        block = rows[begin : begin + step]
        block = (block.toarray() if sp.issparse(block) else block) / scale
        if width > columns:
            block = np.column_stack([np.ones(len(block)), block])
        products += block.T @ block
    lengths = np.sqrt(np.diag(products))
    lengths = np.where(lengths > 0, lengths, 1)
    groups = _core.nearly_dependent(products / np.outer(lengths, lengths))
    # The intercept is the first column of the products, and the last of the names.
    named = [sorted((column + columns) % width for column in group) for group in groups]
    return [[names[column] for column in group] for group in sorted(named)]
