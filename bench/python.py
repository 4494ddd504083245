#!/usr/bin/env python3
"""The Python package beside scikit-learn, rows in memory, one thread, in one run: bench/python.py [--sets a9a,w8a] [--cpu].

Run it by an interpreter that has linsep and scikit-learn. For each set and C it trains

* LinearSVC(hinge) at the tolerance 1e-2 that people use, and MarginClassifier at the widest gap of a ladder at which its objective
  is no worse. The objective is mean hinge loss + ‖θ‖²/(2·C·n), the offset not penalized, computed for both sides by one function;
* Perceptron beside Perceptron, and SGDClassifier(perceptron loss, constant rate), five passes each: training errors are counted by
  one function;
* the command line's own training time on the same rows (its log's seconds of the last pass), beside `fit`.

Sides are interleaved and repeated; medians are compared. a9a, w8a and madelon (scaled) are read from $LINSEP_DATA and left out
without it; the sparse set (400,000 rows, 47,236 features) and the dense one are made by `linsep generate` into $BENCH_DATA.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy
import scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import linsep

ROOT = pathlib.Path(__file__).resolve().parent.parent
LADDER = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6]


def objective(rows, label, estimator, cost):
    theta, offset = numpy.ravel(estimator.coef_).astype(float), float(numpy.ravel(estimator.intercept_)[0])
    margin = label * (rows @ theta + offset)
    return float(numpy.mean(numpy.maximum(0, 1 - margin)) + theta @ theta / (2 * cost * len(label)))


def error(rows, label, estimator):
    z = rows @ numpy.ravel(estimator.coef_).astype(float) + float(numpy.ravel(estimator.intercept_)[0])
    return float(numpy.mean(~(label * z > 0)))


def made(folder, program, name, *command):
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "generate", *map(str, command), "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


def data_sets(given, folder):
    """Name → (rows, labels −1 and +1, the file), each loaded when its turn comes."""
    def sparse():
        path = made(folder, given.program, "sparse-400000.svm", "sparse", "--rows", 400000)
        return *load_svmlight_file(str(path), dtype=numpy.float32), path

    def dense():
        path = made(folder, given.program, "dense-200000.csv", "noisy", "--rows", 200000, "--features", 50, "--flip", 0.05,
                    "--format", "csv")
        table = numpy.loadtxt(path, delimiter=",", skiprows=1, dtype=numpy.float32)
        return numpy.ascontiguousarray(table[:, :-1]), table[:, -1], path

    def known(name):
        return lambda: (*load_svmlight_file(str(real / f"{name}.svm"), dtype=numpy.float32), real / f"{name}.svm")

    def madelon():
        rows, label = load_svmlight_file(str(real / "madelon.svm"))
        return StandardScaler().fit_transform(rows.toarray()).astype(numpy.float32), label, None

    sets = {"sparse": sparse, "dense": dense}
    if os.environ.get("LINSEP_DATA"):
        real = pathlib.Path(os.environ["LINSEP_DATA"])
        sets |= {"a9a": known("a9a"), "w8a": known("w8a"), "madelon": madelon}
    return {name: load for name, load in sets.items() if not given.sets or name in given.sets.split(",")}


def clocked(work, cpu):
    clock = time.process_time if cpu else time.perf_counter
    begin = clock()
    result = work()
    return result, clock() - begin


def interleaved(repeats, cpu, **sides):
    times = {name: [] for name in sides}
    for _ in range(repeats):
        for name, work in sides.items():
            times[name].append(clocked(work, cpu)[1])
    return {name: statistics.median(values) for name, values in times.items()}


def as_peers_want(rows):
    """LinearSVC takes int32 indices only, and turns float32 into float64 by itself: both are done beforehand."""
    if not scipy.sparse.issparse(rows):
        return rows.astype(numpy.float64)
    wide = rows.astype(numpy.float64)
    wide.indices, wide.indptr = wide.indices.astype(numpy.int32), wide.indptr.astype(numpy.int32)
    return wide


def margin_row(given, name, rows, label, cost):
    theirs = as_peers_want(rows)

    def peer():
        return LinearSVC(loss="hinge", C=cost, tol=1e-2, max_iter=1000, random_state=1).fit(theirs, label)

    def mine(gap):
        return linsep.MarginClassifier(C=cost, gap=gap, n_jobs=1).fit(rows, label)

    found, seconds = clocked(peer, given.cpu)
    wanted = objective(rows, label, found, cost)
    for gap in LADDER:
        own = mine(gap)
        reached = objective(rows, label, own, cost)
        if reached <= wanted:
            break
    repeats = given.repeats if seconds < 20 else 1
    times = interleaved(repeats, given.cpu, mine=lambda: mine(gap), theirs=peer)
    print(f"{name:8} C={cost:<5g} MarginClassifier {times['mine']:8.3f} s  LinearSVC {times['theirs']:8.3f} s  ratio "
          f"{times['theirs'] / times['mine']:6.2f}  objective {reached:.6g} against {wanted:.6g}, gap {gap:g}, {own.solver_}", flush=True)
    return times["theirs"] / times["mine"]


def perceptron_rows(given, name, rows, label):
    theirs = as_peers_want(rows)
    peers = {"Perceptron": lambda: TheirPerceptron(max_iter=5, tol=None, shuffle=True, random_state=1).fit(theirs, label),
             "SGDClassifier": lambda: SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1, max_iter=5,
                                                    tol=None, random_state=1).fit(theirs, label)}
    for peer, work in peers.items():
        for order in ("given", "shuffled"):
            def mine():
                return linsep.Perceptron(max_iter=5, order=order, n_jobs=1).fit(rows, label)
            times = interleaved(given.repeats, given.cpu, mine=mine, theirs=work)
            print(f"{name:8} five passes, {order:8}: Perceptron {times['mine']:8.3f} s  scikit-learn's {peer} {times['theirs']:8.3f} s  "
                  f"ratio {times['theirs'] / times['mine']:6.2f}  training error {error(rows, label, mine()):.4f} against "
                  f"{error(rows, label, work()):.4f}", flush=True)


def command_row(given, name, rows, label, path):
    """`fit` beside the time that the command line says its training took, at the same gap."""
    with tempfile.TemporaryDirectory() as folder:
        def command():
            log = pathlib.Path(folder) / "log"
            subprocess.run([given.program, "train", str(path), "--threads", "1", "--log", str(log), "--quiet", "-o", f"{folder}/m.json"],
                           check=True, stdout=subprocess.DEVNULL)
            return [json.loads(line) for line in log.read_text().splitlines() if '"pass"' in line][-1]["seconds"]
        own, trained = [], []
        for _ in range(given.repeats):
            trained.append(command())
            own.append(clocked(lambda: linsep.MarginClassifier(n_jobs=1).fit(rows, label), False)[1])
    print(f"{name:8} gap 1e-3: fit {statistics.median(own):.3f} s, the command's training {statistics.median(trained):.3f} s, ratio "
          f"{statistics.median(own) / statistics.median(trained):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", default="", help="names, with commas; all unless said")
    parser.add_argument("--costs", default="0.01,1,100")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="processor instead of wall time, for a busy machine")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "linsep"))
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = pathlib.Path(os.environ.get("BENCH_DATA", ROOT / "build" / "bench-data"))
    for name, load in data_sets(given, folder).items():
        rows, label, path = load()
        label = numpy.where(label > 0, 1.0, -1.0)
        for cost in map(float, given.costs.split(",")):
            margin_row(given, name, rows, label, cost)
        perceptron_rows(given, name, rows, label)
        if path is not None:
            command_row(given, name, rows, label, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
