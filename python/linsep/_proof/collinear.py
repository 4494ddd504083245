"""Columns that are nearly a sum of others, in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp

TOLERANCE = 1e-7  # of a column's length, as in R's lm: what others leave of it, below which it is a sum of them
_MOST = 5e9  # rows × columns² of the largest matrix that is looked at: a few seconds
_BLOCK = 1 << 22  # values that are factored at once


def collinear(values: Any, names: Sequence[str]) -> list[list[str]] | None:
    """Return groups of columns, each a column with those that it is nearly a sum of.

    A column counts as a sum of others where these leave less than `TOLERANCE` of its length: standard errors
    then grow ten million fold, and double precision can't tell them from infinite ones. Found by QR with
    pivoting of the columns, each scaled to length 1.

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
    count, width = values.shape[0], len(names)
    if count * width**2 > _MOST:
        return None
    rows = sp.csr_array(values) if sp.issparse(values) else values
    ends = [rows.max(axis=0), rows.min(axis=0)]
    scale = np.abs([np.ravel(end.toarray() if sp.issparse(end) else end).astype(float) for end in ends]).max(axis=0)
    scale = np.where(scale > 0, scale, 1)
    upper = np.empty((0, width))
    step = max(width, _BLOCK // width)
    for begin in range(0, count, step):
        block = rows[begin : begin + step]
        block = (block.toarray() if sp.issparse(block) else block) / scale
        if width > block.shape[1]:
            block = np.column_stack([block, np.ones(len(block))])
        upper = scipy.linalg.qr(np.vstack([upper, block]), mode="r")[0][:width]
    lengths = np.linalg.norm(upper, axis=0)
    upper, order = scipy.linalg.qr(upper / np.where(lengths > 0, lengths, 1), mode="r", pivoting=True)
    left = np.abs(np.diag(upper))
    rank = int((left > TOLERANCE).sum())
    sums = scipy.linalg.solve_triangular(upper[:rank, :rank], upper[:rank, rank:])
    groups = [
        sorted([order[rank + place], *order[:rank][np.abs(weights) > TOLERANCE]])
        for place, weights in enumerate(sums.T)
    ]
    return [[names[column] for column in group] for group in sorted(groups)]
