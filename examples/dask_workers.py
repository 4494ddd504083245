#!/usr/bin/env python3
"""Trains on the partitions of a Dask bag with two workers: how to use linsep.cluster with any scheduler.

    pip install dask distributed
    python dask_workers.py

A scheduler has to do two things: start all workers at once, each with its share of the rows, and pass one text of each worker to all
of them. Everything after that goes from worker to worker. Neither is encrypted, and the first is secret.
"""
import numpy as np
from dask.distributed import Client, LocalCluster, Queue, Variable, get_client, wait

import linsep
from linsep import cluster

WORKERS = 2


def share(rank):
    """The rows of a worker: here drawn from a seed, elsewhere read from its files."""
    random = np.random.default_rng(rank)
    X = random.normal(size=(5000, 10))
    return X, (X[:, 0] - X[:, 1] + random.normal(size=5000) > 0).astype(np.int64)


def train(rank, run):
    """One worker of the run."""
    client = get_client()

    def all_gather(text):
        Queue(f"{run}-texts", client=client).put([rank, text])
        return Variable(f"{run}-all", client=client).get(timeout="60s")

    with cluster.connect(all_gather, rank, WORKERS) as comm:
        return cluster.fit(linsep.MarginClassifier(loss="logistic", solver="newton"), share(rank), comm)


def main():
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        texts, everyone = Queue("run1-texts"), Variable("run1-all")
        addresses = sorted(client.scheduler_info()["workers"])
        runs = [client.submit(train, rank, "run1", workers=addresses[rank], allow_other_workers=False) for rank in range(WORKERS)]
        everyone.set([text for _, text in sorted(texts.get(timeout="60s") for _ in range(WORKERS))])
        wait(runs)
        fitted = runs[0].result()
    alone = [np.concatenate(parts) for parts in zip(*(share(rank) for rank in range(WORKERS)))]
    expected = linsep.MarginClassifier(loss="logistic", solver="newton").fit(*alone)
    print(fitted.stop_sentence_)
    print("The same bits as one process:", bool((fitted.coef_ == expected.coef_).all()))


if __name__ == "__main__":
    main()
