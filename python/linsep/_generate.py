"""Data sets made from a name, options and a seed: the texts' examples, and random rows of any number."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from . import _core
from ._progress import observer
from ._rows import threads_for
from .errors import UsageError, translate_errors

__all__ = ["Generated", "generate"]


class Generated(NamedTuple):
    """A data set in arrays.

    Parameters
    ----------
    X : ndarray of shape (rows, features), or csr_array
        The values, the doubles nearest to the decimals that a file of this set has. Sparse where rows have
        few entries.
    y : ndarray of shape (rows,)
        −1 and +1; of several classes 1, 2 and so on.
    """

    X: npt.NDArray[np.float64] | sp.csr_array
    y: npt.NDArray[np.int64]


def _core_options(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options by the names of the generator's table."""
    infos = {info["name"]: info for info in _core.tables()["generators"]}
    if kind not in infos:
        near = _core.nearest_word(kind, list(infos))
        hint = f"; did you mean {near!r}?" if near else f": there are {', '.join(infos)}"
        raise UsageError(f"there is no data set {kind!r}{hint}", ["kind"])
    specs = {option["name"]: option for option in infos[kind]["options"]}
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        core = "seed" if name == "random_state" else name.replace("_", "-")
        if core not in specs:
            known = sorted("random_state" if each == "seed" else each.replace("-", "_") for each in specs)
            raise UsageError(
                f"the data set {kind!r} has no option {name!r}"
                + (f": it has {', '.join(known)}" if known else ""),
                [name],
            )
        if value is not None:
            chosen[core] = _text_of_list(value) if specs[core]["kind"] == "text" else value
    return chosen


def _text_of_list(value: Any) -> Any:
    return value if isinstance(value, str) else ",".join(str(each) for each in value)


@translate_errors()
def generate(
    kind: str,
    path: str | os.PathLike[str] | None = None,
    *,
    format: Literal["auto", "svmlight", "csv"] = "auto",
    n_jobs: int | None = None,
    progress: Any = None,
    **options: Any,
) -> Generated | None:
    """Make a data set: one of the texts' small examples, or random rows of any number.

    Row i depends on the options, the seed and i alone: a longer set begins with the shorter one, and the
    same options give the same bytes on every machine.

    Parameters
    ----------
    kind : str
        Which data set: ``"and"``, ``"or"``, ``"not"``, ``"xor"``, ``"translations"``, ``"comparison"``,
        ``"separable"``, ``"noisy"``, ``"sparse"``, ``"classes"``, or one of the tables (``"table"``,
        ``"messages"``, ``"patients"``), which are written to files only.
    path : path-like or None, default=None
        A file to be written, in bounded memory; it appears whole or not at all. None: arrays are returned.
    format : {"auto", "svmlight", "csv"}, default="auto"
        How the file is written; "auto": CSV where its name ends in .csv and where the set is a table, else
        svmlight.
    n_jobs : int or None, default=None
        Threads; they never change the result. None: one per core.
    progress : bool, callable or None, default=None
        True draws a line on standard error; a callable is given a dictionary for each piece of work that is
        done.
    **options
        Those of the data set, as ``linsep generate --help`` lists them: ``rows``, ``features``, ``margin``,
        ``flip``, …; ``random_state`` is the seed.

    Returns
    -------
    Generated or None
        ``X`` and ``y``; None where a file was written.

    Examples
    --------
    >>> import linsep
    >>> X, y = linsep.generate("xor")
    >>> X.tolist(), y.tolist()
    ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, 1, 1, -1])
    >>> linsep.generate("separable", rows=3, features=2, random_state=7).X.shape
    (3, 2)
    """
    chosen = _core_options(kind, options)
    threads = threads_for(n_jobs)
    with observer(progress) as observe:
        if path is not None:
            _core.generate(kind, chosen, os.fspath(path), format=format, threads=threads, observe=observe)
            return None
        made = _core.generate_arrays(kind, chosen, observe=observe)
    if "value" not in made:
        raise UsageError(
            f"the data set {kind!r} is a table of mixed columns: give a file to write, and read it with linsep.scan",
            ["path"],
        )
    if "column" not in made:
        return Generated(made["value"], made["label"])
    shape = (len(made["label"]), made["features"])
    return Generated(sp.csr_array((made["value"], made["column"], made["start"]), shape=shape), made["label"])
