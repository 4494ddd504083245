"""Training on a dataset of Ray, where its blocks are.

Actors, one per worker, read their share of the blocks and exchange numbers with each other by Gloo (`linsep.cluster`);
no row passes through the driver. Margin classifiers by the solvers newton and planes are the same, bit for bit, as
those that a single process makes of the same rows in the same order.

Every node needs linsep, pyarrow and ports that the others can reach (``ports``, or the environment variable
LINSEP_PORTS). Workers prove to each other who they are; nothing is encrypted.

>>> import linsep.ray  # doctest: +SKIP
>>> linsep.ray.fit(ray.data.read_parquet("s3://…"), linsep.MarginClassifier())  # doctest: +SKIP
"""

from __future__ import annotations

import asyncio
import os
import uuid
from pathlib import Path
from typing import Any

import ray
from ray.util.placement_group import placement_group, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy
from sklearn.base import clone

from . import _shards, cluster
from .errors import SystemFailure, UsageError

__all__ = ["fit"]

START_SECONDS = 60.0  # until all workers have a place


@ray.remote(num_cpus=0)
class _Meeting:
    """Where the workers of one attempt exchange their texts."""

    def __init__(self, size: int) -> None:
        self._texts: list[str | None] = [None] * size
        self._complete = asyncio.Event()

    async def all_gather(self, rank: int, text: str) -> list[str | None]:
        self._texts[rank] = text
        if None not in self._texts:
            self._complete.set()
        await self._complete.wait()
        return self._texts


@ray.remote(max_restarts=0)
class _Worker:
    def fit(
        self, meeting: Any, rank: int, size: int, share: Any, estimator: Any, network: dict[str, Any], **reading: Any
    ) -> Any:
        def all_gather(text: str) -> list[str]:
            try:
                return ray.get(meeting.all_gather.remote(rank, text), timeout=network["timeout"])
            except ray.exceptions.GetTimeoutError:
                raise SystemFailure(f"worker {rank} found no other workers within {network['timeout']} seconds") from None

        network = {"address": ray.util.get_node_ip_address(), **network}
        tables = share.iter_batches(batch_format="pyarrow", batch_size=None)
        batches = _shards.Counted(batch for table in tables for batch in table.to_batches())
        with cluster.connect(all_gather, rank, size, **network) as comm:
            fitted = cluster.fit(estimator, batches, comm, **reading)
            comm.all_gather(b"")  # all have their model, so that no checkpoint is needed any more
        if "checkpoint" in reading:
            path = Path(reading["checkpoint"])
            for file in [path, *path.parent.glob(f"{path.name}.{rank}-of-{size}.*")]:
                file.unlink(missing_ok=True)
        return batches.rows, fitted if rank == 0 else None


def fit(
    dataset: Any,
    estimator: Any,
    *,
    workers: int = 2,
    cpus: int = 1,
    retries: int = 3,
    checkpoint: str | os.PathLike[str] | None = None,
    address: str | None = None,
    ports: str | tuple[int, int] | None = None,
    timeout: float = 60.0,
    **reading: Any,
) -> Any:
    """Train an estimator on a dataset.

    Parameters
    ----------
    dataset : ray.data.Dataset
        Its blocks are computed once, and stay where they are.
    estimator : an estimator of linsep
        How to train.
    workers, cpus : int
        How many actors train together, and the CPUs of each.
    retries : int, default=3
        How often training starts again after the loss of an actor or its node.
    checkpoint : path-like, default=None
        A folder that all nodes see, where a run that starts again resumes. None: it starts from the beginning.
    address, ports, timeout
        As `linsep.cluster.connect` takes them; the address is that of Ray's node.
    **reading : dict
        As `linsep.cluster.fit` takes them: label, features, weight, memory, pages, ….

    Returns
    -------
    estimator
        Fitted. The one given stays as it is.
    """
    network = {"ports": ports, "timeout": timeout} | ({} if address is None else {"address": address})
    if checkpoint is not None:
        reading["checkpoint"] = os.path.join(checkpoint, uuid.uuid4().hex)
    dataset = dataset.materialize()
    shares, expected = dataset.split(workers), dataset.count()
    group = placement_group([{"CPU": cpus}] * workers, strategy="SPREAD")
    try:
        if not group.wait(START_SECONDS):
            room = f"Ray has no room for {workers} workers of {cpus} CPUs"
            raise UsageError(f"{room}: give fewer, or add nodes", ["workers"])
        for attempt in range(retries + 1):
            place = PlacementGroupSchedulingStrategy(group)
            actors = [_Worker.options(num_cpus=cpus, scheduling_strategy=place).remote() for _ in range(workers)]
            meeting = _Meeting.remote(workers)
            given = (clone(estimator).set_params(n_jobs=cpus), network)
            runs = [
                actor.fit.remote(meeting, rank, workers, shares[rank], *given, **reading)
                for rank, actor in enumerate(actors)
            ]
            try:
                results = ray.get(runs)
                break
            except (ray.exceptions.RayActorError, ray.exceptions.RayTaskError) as error:
                if isinstance(error, ray.exceptions.RayTaskError) and not isinstance(error.cause, SystemFailure):
                    raise error.as_instanceof_cause() from None
                if attempt == retries:
                    raise SystemFailure(f"training failed {retries + 1} times; the last time: {error}") from error
            finally:
                for actor in (*actors, meeting):
                    ray.kill(actor)
    finally:
        remove_placement_group(group)
    trained = sum(rows for rows, _ in results)
    if trained != expected:
        raise SystemFailure(f"the workers were given {trained} rows, but the dataset counts {expected}")
    return results[0][1].set_params(n_jobs=estimator.n_jobs)
