"""Training on the rows of several processes, wherever they run.

Every worker is a process that has some of the rows: a task of a Spark stage, an actor of Ray, a process of a test. They
find each other by one exchange of texts, which whatever started them provides, and exchange numbers by Gloo after that.
Every call takes part in all workers or in none, and gives the same answer on each: that of one process which has all
rows, in the order of the ranks.

The workers prove to each other who they are, and notice what is altered on its way. The texts of the one exchange hold the
secret by which they do: only the workers may see them. Nothing is encrypted.

>>> from linsep import MarginClassifier, cluster
>>> with cluster.connect(lambda text: [text], rank=0, size=1) as comm:
...     classifier = cluster.fit(MarginClassifier(), ([[0.0], [1.0], [3.0]], [0, 0, 1]), comm)
>>> classifier.predict([[2.5]]).tolist()
[1]
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import pickle
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from . import __version__, _core, _shards
from ._proof.certificate import Certificate
from ._proof.certificate import certify as _certify
from ._read_options import read_options, table_options
from ._rows import Rows, threads_for
from .errors import InputError, UsageError, translate_errors

__all__ = ["Comm", "bare_passes", "certify", "connect", "fit", "rows"]

VERSION = __version__


class Comm:
    """The workers of a run; made by `connect`.

    As a context manager it is closed at the end. Where an exception leaves the block, the run ends on all workers: the
    others fail with a SystemFailure that names this worker and says what happened.

    Parameters
    ----------
    core : object
        The workers of the extension module.

    Attributes
    ----------
    rank, size : int
        Which of the workers this is, from 0, and how many there are.
    rounds, bytes : int
        How many exchanges there were, and what this worker put into them.
    """

    def __init__(self, core: _core.Comm) -> None:
        self._core = core

    @property
    def rank(self) -> int:
        """Which of the workers this is, from 0."""
        return self._core.rank

    @property
    def size(self) -> int:
        """How many workers there are."""
        return self._core.size

    @property
    def rounds(self) -> int:
        """How many exchanges there were."""
        return self._core.rounds

    @property
    def bytes(self) -> int:
        """How many bytes this worker put into them."""
        return self._core.bytes

    @translate_errors()
    def all_gather(self, data: bytes) -> list[bytes]:
        """Return every worker's bytes, by rank.

        Parameters
        ----------
        data : bytes
            Those of this worker.

        Returns
        -------
        list of bytes
            The same on all workers.
        """
        return self._core.all_gather(data)

    @translate_errors()
    def all_reduce(self, data: Any, op: str = "sum") -> npt.NDArray[np.float64]:
        """Return the sum, or the greatest, of every worker's numbers.

        Parameters
        ----------
        data : array-like of shape (n,)
            As many on every worker.
        op : {"sum", "max"}, default="sum"
            What is made of them.

        Returns
        -------
        ndarray of shape (n,)
            The same bits on all workers.
        """
        return self._core.all_reduce(np.asarray(data, dtype=np.float64), op)

    @translate_errors()
    def close(self) -> None:
        """Wait until every worker has closed, and leave."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._core.end(f"worker {self.rank} failed: {type(error).__name__}: {error}")


@translate_errors()
def connect(
    all_gather: Callable[[str], Sequence[str]],
    rank: int,
    size: int,
    *,
    address: str | None = None,
    ports: str | tuple[int, int] | None = None,
    timeout: float = 60.0,
) -> Comm:
    """Connect this process with the other workers of a run.

    Parameters
    ----------
    all_gather : callable
        Takes this worker's text and returns those of all, by rank. It is called once. The texts are secret: who reads them
        can take a worker's place.
    rank, size : int
        Which of the workers this is, from 0, and how many there are.
    address : str, default=None
        Where to listen: a name or address of this host that the other workers can reach, or the name of a network
        interface ("eth0"). None: 127.0.0.1, for workers on one machine.
    ports : str or tuple of two int, default=None
        The ports to listen on, as "20000-20100". Every worker needs one until all are connected.
        None: what the environment variable LINSEP_PORTS says, else any.
    timeout : float, default=60.0
        Seconds that a worker may be silent before the run ends on all of them.

    Returns
    -------
    Comm
        To be closed by every worker.
    """
    if isinstance(ports, tuple):
        ports = f"{ports[0]}-{ports[1]}"

    def meet(mine: bytes) -> list[bytes]:
        told = [json.loads(text) for text in all_gather(json.dumps([VERSION, base64.b64encode(mine).decode()]))]
        for other, (version, _) in enumerate(told):
            if version != told[0][0]:
                raise UsageError(
                    f"the workers have different versions of linsep: worker 0 has {told[0][0]}, worker {other} has "
                    f"{version}; install the same everywhere"
                )
        return [base64.b64decode(text) for _, text in told]

    listening = ports or os.environ.get("LINSEP_PORTS", "")
    return Comm(
        _core.connect(meet, rank, size, address=address or "", ports=listening, timeout=timeout)
        if size > 1
        else _core.connect(lambda mine: [mine], rank, size, timeout=timeout)
    )


@translate_errors()
def rows(
    batches: Any,
    comm: Comm,
    *,
    label: str = "label",
    features: str | Sequence[str] = "features",
    weight: str | None = None,
    ids: str | None = None,
    float32: bool = False,
    table: dict[str, Any] | None = None,
    learner: str = "margin",
    memory: int | str | None = None,
    pages: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
) -> Rows:
    """Read this worker's rows, and return those of all workers as one data set.

    What takes such rows (``fit``, ``score``, `linsep.certify`) must be called by every worker.

    Parameters
    ----------
    batches : object with ``__arrow_c_stream__``, iterable of Arrow record batches, or arrays
        This worker's rows, read once from the beginning to the end. Arrays are ``(X, y)`` or ``(X, y, sample_weight)``,
        or an iterable of such tuples. A worker may have none.
    comm : Comm
        The workers.
    label, weight, ids : str
        Arrow: the columns with classes, with row weights, and with names of rows.
    features : str or list of str, default="features"
        Arrow: a column of lists or of Spark's vectors, or several columns. Where these aren't all numbers, they are
        encoded as `linsep.scan` does it, by what the rows of all workers hold; the model knows the encoding.
    table : dict, default=None
        Options of `linsep.scan` for such columns: ``{"category": ["ward"], "scale": "none"}``. Given, columns of
        numbers are encoded too: scaled, and with missing values filled in.
    learner : str, default="margin"
        What encoded columns are for, by the command line's name: numbers are scaled for a margin only.
    float32 : bool, default=False
        Keep values as 32-bit numbers, which take half the memory; False: those of 64 bits stay.
    memory : int or str, default=None
        The most memory for this process, such as "2G", Python included. Rows stay on disk, in pages, where those of
        a worker take more than half of the remaining budget. None: rows are held in memory.
    pages : path-like, default=None
        The folder for such pages. None: that for temporary files.
    n_jobs : int or None, default=None
        Threads that check rows.

    Returns
    -------
    Rows
        Its numbers of rows and values are this worker's.
    """
    folder = "" if pages is None else os.fspath(pages)
    source = _shards.batches_of(batches)
    begin = next((batch for batch in source if isinstance(batch, tuple) or batch.num_rows), None)
    source = itertools.chain([] if begin is None else [begin], source)
    raw = begin is not None and (table is not None or _shards.is_raw(begin, features))
    arriving = _shards.arriving(source, label=label, features=features, weight=weight, ids=ids, float32=float32)
    try:
        first = {"raw": True, "columns": begin.schema.names} if raw else next(arriving)
    except ValueError as error:  # told to all
        first = {"error": str(error), "usage": isinstance(error, UsageError)}
    facts = _agreed(first, comm)
    if "raw" in facts:
        names = [*features, label, *filter(None, [weight])]
        read = read_options(label=label, weight=weight, memory=memory, double=False, threads=threads_for(n_jobs))
        return _table(source, comm, names, read, table or {}, learner, folder)
    read = read_options(double=facts["double"], memory=memory, threads=threads_for(n_jobs))
    read.update(features=facts["features"], feature_names=facts["names"])
    reader = _shards.Reader(arriving, dense=facts["dense"], double=facts["double"])
    core = _core.load_shard(
        comm._core,
        reader,
        read,
        folder=folder,
        weighted=facts["weighted"],
        label_type=facts["label_type"],
    )
    met = {name for told in comm.all_gather(json.dumps(reader.classes).encode()) for name in json.loads(told)}
    if len(met) == 1:
        raise InputError(f"rows of at least two classes are needed, but all are of class {met.pop()!r}")
    return Rows(core)


def _agreed(mine: dict[str, Any] | None, comm: Comm) -> dict[str, Any]:
    """Return what the rows of all workers have in common, by the first that each of them has."""
    all_facts = [json.loads(text) for text in comm.all_gather(json.dumps(mine).encode())]
    known = [(rank, facts) for rank, facts in enumerate(all_facts) if facts is not None]
    for rank, facts in known:
        if "error" in facts:
            kind = UsageError if facts["usage"] else InputError
            raise kind(f"the rows of worker {rank}: {facts['error']}")
    if not known:
        raise InputError("no worker has a row")
    first, agreed = known[0]
    for rank, facts in known[1:]:
        for name in ("features", "weighted", "label_type", "names", "columns"):
            if facts.get(name) != agreed.get(name):
                raise InputError(
                    f"the rows of worker {rank} differ from those of worker {first}: {name.replace('_', ' ')} "
                    f"{facts.get(name)!r} instead of {agreed.get(name)!r}"
                )
    if "raw" in agreed:
        return agreed
    agreed["dense"] = all(facts["dense"] for _, facts in known)
    agreed["double"] = any(facts["double"] for _, facts in known)
    return dict(agreed)


def _table(
    batches: Any, comm: Comm, names: list[str], read: dict[str, Any], table: dict[str, Any], learner: str, folder: str
) -> Rows:
    """Return the rows of all workers' raw columns."""
    own = _shards.RawTable(batches, names, folder or None)
    sample, whole = _shards.sample_of(comm.all_gather(own.first_rows()))
    core = _core.load_table_shard(
        comm._core,
        sample,
        whole,
        sample.slice(0, 0) if own.table is None else own.table,
        read,
        table_options(**table),
        learner=learner,
        folder=folder,
        label_type=_shards.label_type_of(sample.schema.field(read["label"]).type),
    )
    return Rows(core)


def fit(
    estimator: Any,
    batches: Any,
    comm: Comm,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    every: str = "",
    **reading: Any,
) -> Any:
    """Train an estimator on the rows of all workers.

    Parameters
    ----------
    estimator : MarginClassifier, Perceptron, LeastSquaresClassifier or another estimator of linsep
        The same on every worker.
    batches : object with ``__arrow_c_stream__``, iterable of Arrow record batches, or arrays
        This worker's rows, as `rows` takes them.
    comm : Comm
        The workers.
    checkpoint : path-like, default=None
        A file on storage that every worker sees. The run keeps its state there, each worker in files whose names
        begin so, and a run of as many workers with the same rows resumes from it to the same bits. Remove the
        files when the model is safe. None: no state is kept.
    every : str, default=""
        How often: "90s", "5m" or "10 passes". "": once a minute.
    **reading : dict
        What `rows` takes besides: label, features, weight, memory, pages, ….

    Returns
    -------
    estimator
        Itself, fitted: the same on every worker. Margin classifiers by the solvers newton and planes are the same bytes
        as one process makes of all rows.
    """
    reading = {"n_jobs": getattr(estimator, "n_jobs", None), "learner": estimator._learner, **reading}
    shared = rows(batches, comm, **reading)
    more = {} if checkpoint is None else {"checkpoint": os.fspath(checkpoint), "every": every}
    return estimator._fit(shared, None, **more)


def certify(
    batches: Any, comm: Comm, *, ids: str | None = None, asked: dict[str, Any] | None = None, **reading: Any
) -> Certificate:
    """Decide whether any linear classifier separates the rows of all workers, and prove the answer.

    Parameters
    ----------
    batches : object with ``__arrow_c_stream__``, iterable of Arrow record batches, or arrays
        This worker's rows, as `rows` takes them.
    comm : Comm
        The workers.
    ids : str, default=None
        Arrow: the column with names of rows, which the proof then shows.
    asked : dict, default=None
        Arguments of `linsep.certify`, such as ``{"coefficients": True}``.
    **reading : dict
        What `rows` takes besides.

    Returns
    -------
    Certificate
        Sealed, without the rows; the same on every worker, and the same as of one process.
    """
    shared = rows(batches, comm, ids=ids, **reading)
    certificate = _certify(shared, **(asked or {}))
    return pickle.loads(pickle.dumps(certificate))


@translate_errors()
def bare_passes(shared: Rows, passes: int, numbers: int) -> float:
    """Go over rows and exchange numbers as training does, and learn nothing.

    Parameters
    ----------
    shared : Rows
        What `rows` returned.
    passes : int
        How often.
    numbers : int
        How many doubles are reduced over all workers after each pass.

    Returns
    -------
    float
        Seconds.
    """
    return _core.bare_passes(shared._core, passes, numbers)
