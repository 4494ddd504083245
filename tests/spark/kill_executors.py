#!/usr/bin/env python3
"""Trains on Spark again and again, each time with an executor killed by SIGKILL at a random time.

    kill_executors.py --times 20 [--seed 1] [--rows 100000] [--loss logistic]

Every job must finish, by itself, with the model of a job that was left alone, to the bit. A job that ended before its kill is repeated
and not counted. Prints how many kills there were and what they hit. Ends with 77 where Spark is missing.
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time

import standalone
import vectors


class Kill(threading.Thread):
    """Kills an executor after some seconds, unless it is told before that the job has ended."""

    def __init__(self, cluster, seconds, dice, checkpoints):
        super().__init__(daemon=True)
        self.cluster, self.seconds, self.dice, self.checkpoints = cluster, seconds, dice, checkpoints
        self.ended = threading.Event()
        self.killed, self.saved = None, False

    def run(self):
        if self.ended.wait(self.seconds):
            return
        running = [process for found in self.cluster.executors().values() for process in found]
        if running:
            victim = self.dice.choice(sorted(running))
            self.saved = any(self.checkpoints.iterdir())
            os.kill(victim, signal.SIGKILL)
            self.killed = victim


def one_job(frame, options, checkpoints):
    """The model's bytes and the seconds of a job."""
    from linsep.spark import SparkMarginClassifier

    began = time.monotonic()
    model = SparkMarginClassifier(**options, checkpoint=str(checkpoints), checkpointEvery="1 passes").fit(frame)
    return model.estimator.model_.to_bytes(), time.monotonic() - began


def run(cluster, given, folder):
    import linsep

    dice, counts = random.Random(given.seed), collections.Counter()
    X, y = linsep.generate("sparse", rows=given.rows, features=20_000, nonzeros=40, random_state=1)
    frame = cluster.session().read.parquet(str(vectors.write(folder / "rows.parquet", X, y)))
    checkpoints = folder / "checkpoints"
    checkpoints.mkdir()
    options = {"loss": given.loss, "C": 1.0 / given.rows * 1e5, "gap": 1e-8}
    one_job(frame, options, checkpoints)  # warm
    expected, seconds = one_job(frame, options, checkpoints)
    print(f"A job that is left alone takes {seconds:.1f} s.", flush=True)
    while counts["kills"] < given.times:
        kill = Kill(cluster, dice.uniform(0, seconds), dice, checkpoints)
        kill.start()
        try:
            model, taken = one_job(frame, options, checkpoints)
        finally:
            kill.ended.set()
            kill.join()
        assert model == expected, f"after a kill at {kill.seconds:.1f} s the model has other bits"
        if kill.killed is None:
            counts["jobs that ended before their kill"] += 1
            continue
        counts["kills"] += 1
        counts["kills while there was a checkpoint"] += kill.saved
        print(f"  {counts['kills']:3} of {given.times}: executor {kill.killed} killed after {kill.seconds:.1f} s"
              f"{', with a checkpoint' if kill.saved else ''}; finished after {taken:.1f} s, the same bits", flush=True)
        left = [path.name for path in checkpoints.iterdir()]
        assert not left, f"checkpoints are left behind: {left}"
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--loss", default="logistic")
    given = parser.parse_args()
    if reason := standalone.missing():
        print(reason)
        return standalone.SKIPPED
    with tempfile.TemporaryDirectory() as folder, standalone.Cluster() as cluster:
        counts = run(cluster, given, pathlib.Path(folder))
        cluster.session().stop()
    print(f"seed {given.seed}:", ", ".join(f"{number} {what}" for what, number in counts.items()))
    print(f"{counts['kills']} finished jobs, {counts['kills']} equal models")
    return 0


if __name__ == "__main__":
    sys.exit(main())
