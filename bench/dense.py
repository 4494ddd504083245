#!/usr/bin/env python3
"""Dense rows beside scikit-learn and PyTorch, in memory, one core each: bench/dense.py [--sets binary,softmax,many,product].

Run it by an interpreter that has linsep and scikit-learn; PyTorch takes part where --torch-python has it. Rows are float32 with correlated
columns, made from a seed. The objective is ½‖θ‖² + C·Σ loss, the offset not penalized, computed for all sides by one function;
linsep trains to the widest gap of a ladder at which its objective is no worse than the peer's. Sides are interleaved and repeated;
medians of processor seconds are compared, so that a machine with other work can be used. A ratio above 1 means that linsep is faster.

* binary: 20,000 × 1,024, two classes;
* narrow: 20,000 × 8 to 512, two classes, where newton-cholesky makes the exact Hessian at little cost; up to 63 columns linsep does too;
* softmax: 10,000 × 768, 50 classes;
* many: labelings over one 20,000 × 1,024 X, in one run, beside a scikit-learn fit for each (a few are timed);
* threads: two threads beside one, in wall-clock seconds, on the binary and the softmax set: the models must be the same bytes;
* product: linsep's kernels for scores and sums beside NumPy's (OpenBLAS's dgemm), by build/release/bench/linsep_dense.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
import numpy as np  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

import linsep  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LADDER = [1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5]


def correlated(rows, columns, seed):
    """Columns that mix factors of falling variance, as embeddings do."""
    random = np.random.default_rng(seed)
    mixing = random.standard_normal((columns, columns)) / np.sqrt(1 + np.arange(columns))[:, None]
    return np.ascontiguousarray((random.standard_normal((rows, columns)) @ mixing / 3).astype(np.float32)), random


def labelled(rows, columns, classes, seed, noise=0.3):
    x, random = correlated(rows, columns, seed)
    scores = x @ random.standard_normal((columns, classes))
    scores /= scores.std()
    return x, (scores + noise * random.gumbel(size=scores.shape)).argmax(axis=1)


def objective(x, y, weights, offsets, c=1.0):
    weights = np.atleast_2d(weights).astype(float)
    z = x @ weights.T + np.ravel(offsets)
    if z.shape[1] == 1:
        losses = np.logaddexp(0, -np.where(y == 1, 1, -1) * z[:, 0])
    else:
        top = z.max(axis=1)
        losses = top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(y)), y]
    return float(c * losses.sum() + (weights ** 2).sum() / 2)


def timed(fit):
    wall, processor = time.perf_counter(), time.process_time()
    result = fit()
    return result, time.process_time() - processor, time.perf_counter() - wall


def by_linsep(x, y, gap, threads=1):
    return linsep.LogisticRegression(C=1.0, tol=gap, max_iter=5000, n_jobs=threads).fit(x, y)


def by_scikit_learn(x, y, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LogisticRegression(C=1.0, solver=solver, max_iter=1000).fit(x, y)


class TorchFit:
    """PyTorch's LBFGS on the same objective, by an interpreter of its own, which also counts its seconds."""

    def __init__(self, python, x, y):
        with tempfile.TemporaryDirectory() as folder:
            names = [f"{folder}/{name}" for name in ("x.npy", "y.npy", "weights.npz")]
            np.save(names[0], x)
            np.save(names[1], y)
            told = subprocess.run([python, ROOT / "bench/peer_torch.py", *names], check=True, capture_output=True, text=True)
            with np.load(names[2]) as found:
                self.coef_, self.intercept_ = found["coef"], found["intercept"]
        self.seconds = float(told.stdout)


def peers(solvers, torch_python):
    sides = {f"scikit-learn {s}": (lambda x, y, s=s: by_scikit_learn(x, y, s)) for s in solvers}
    if subprocess.run([torch_python, "-c", "import torch"], capture_output=True).returncode == 0:
        sides["PyTorch LBFGS"] = lambda x, y: TorchFit(torch_python, x, y)
    else:
        print("PyTorch isn't installed and left out")
    return sides


def compare(name, x, y, solvers, repeats, torch_python):
    sides = peers(solvers, torch_python)
    times, best = {side: [] for side in sides}, {}
    ours = {gap: [] for gap in LADDER}
    found = {}
    for _ in range(repeats):
        for side, fit in sides.items():
            model, seconds, _wall = timed(lambda fit=fit: fit(x, y))
            times[side].append(getattr(model, "seconds", seconds))
            best[side] = objective(x, y, model.coef_, model.intercept_)
        for gap in LADDER:
            model, seconds, _wall = timed(lambda gap=gap: by_linsep(x, y, gap))
            ours[gap].append(seconds)
            found[gap] = objective(x, y, model.coef_, model.intercept_), model.n_iter_
            if found[gap][0] <= min(best.values()):
                break
    print(f"\n{name}: {x.shape[0]} × {x.shape[1]}, {int(y.max()) + 1} classes, C = 1")
    for gap in LADDER:
        if ours[gap]:
            print(f"  linsep, gap {gap:g}: {statistics.median(ours[gap]):.2f} s, objective {found[gap][0]:.3f}, passes {found[gap][1]}")
    for side in sides:
        gap = next((g for g in LADDER if ours[g] and found[g][0] <= best[side]), None)
        seconds = statistics.median(times[side])
        ratio = f"{seconds / statistics.median(ours[gap]):.2f} (gap {gap:g})" if gap else "NO: no gap was enough"
        print(f"  {side}: {seconds:.2f} s, objective {best[side]:.3f}, ratio {ratio}")


def compare_many(labelings, repeats, sample=3):
    x, random = correlated(20_000, 1_024, 2)
    scores = x @ random.standard_normal((1_024, labelings))
    y = (scores / scores.std() + 0.3 * random.standard_normal(scores.shape) > 0).astype(np.int64)
    theirs, their_objective = [], {}
    for _ in range(repeats):
        for k in range(sample):
            peer, seconds, _wall = timed(lambda k=k: by_scikit_learn(x, y[:, k], "lbfgs"))
            theirs.append(seconds)
            their_objective[k] = objective(x, y[:, k], peer.coef_, peer.intercept_)
    all_theirs = statistics.median(theirs) * labelings
    for gap in LADDER:
        mine = []
        for _ in range(repeats):
            learner = linsep.MarginClassifier(loss="logistic", C=1.0, gap=gap, max_iter=5000, n_jobs=1)
            model, seconds, _wall = timed(lambda learner=learner: learner.fit(x, y))
            mine.append(seconds)
        ours_objective = [objective(x, y[:, k], model.coef_[k], model.intercept_[k]) for k in range(sample)]
        if all(ours_objective[k] <= their_objective[k] for k in range(sample)):
            break
    print(f"\nmany: {labelings} labelings over 20000 × 1024: linsep {statistics.median(mine):.1f} s (gap {gap:g}), {labelings} "
          f"scikit-learn fits {all_theirs:.1f} s ({sample} were timed), ratio {all_theirs / statistics.median(mine):.2f}; objectives "
          f"of the first {sample}: {[round(v, 2) for v in ours_objective]} beside {[round(v, 2) for v in their_objective.values()]}")


def compare_threads(name, x, y, repeats):
    times, models = {1: [], 2: []}, {}
    for _ in range(repeats):
        for threads in times:
            model, _cpu, seconds = timed(lambda threads=threads: by_linsep(x, y, 1e-3, threads))
            times[threads].append(seconds)
            models[threads] = model.coef_.tobytes()
    same = "the same bytes" if models[1] == models[2] else "NO: other bytes"
    one, two = statistics.median(times[1]), statistics.median(times[2])
    print(f"threads, {name}: {one:.2f} s and {two:.2f} s of wall clock, ratio {one / two:.2f}, {same}")


def compare_product(repeats):
    program = ROOT / "build/release/bench/linsep_dense"
    for rows, columns, outputs in ((10_000, 768, 50), (20_000, 1_024, 100)):
        x, _ = correlated(rows, columns, 3)
        wide, weights = x.astype(float), np.random.default_rng(4).standard_normal((columns, outputs))
        factors = np.random.default_rng(5).standard_normal((rows, outputs))
        flops, theirs, ours = 2e-9 * rows * columns * outputs, {"scores": [], "sums": []}, {"scores": [], "sums": []}
        for _ in range(repeats):
            theirs["scores"].append(timed(lambda: wide @ weights)[1])
            theirs["sums"].append(timed(lambda: wide.T @ factors)[1])
            told = subprocess.run([program, str(rows), str(columns), str(outputs)], check=True, capture_output=True, text=True).stdout
            for line in told.splitlines():
                what, seconds = line.split()
                ours[what].append(float(seconds))
        for what in ours:
            a, b = statistics.median(ours[what]), statistics.median(theirs[what])
            print(f"product {rows} × {columns} × {outputs}, {what}: linsep {flops / a:.1f} Gflop/s, OpenBLAS dgemm {flops / b:.1f}, "
                  f"time ratio {a / b:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", default="binary,softmax,many,threads,product")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--torch-python", default=sys.executable, help="an interpreter that has PyTorch")
    parser.add_argument("--labelings", type=int, default=100)
    given = parser.parse_args()
    sets = given.sets.split(",")
    if "product" in sets:
        compare_product(given.repeats)
    if "binary" in sets or "threads" in sets:
        x, y = labelled(20_000, 1_024, 2, 0)
        if "binary" in sets:
            compare("binary", x, y, ("lbfgs", "newton-cg", "newton-cholesky"), given.repeats, given.torch_python)
        if "threads" in sets:
            compare_threads("binary", x, y, given.repeats)
    if "narrow" in sets:
        for columns in (8, 16, 32, 48, 63, 64, 128, 256, 512):
            x, y = labelled(20_000, columns, 2, 6)
            compare("narrow", x, y, ("lbfgs", "newton-cholesky"), given.repeats, given.torch_python)
    if "softmax" in sets or "threads" in sets:
        x, y = labelled(10_000, 768, 50, 1)
        if "softmax" in sets:
            compare("softmax", x, y, ("lbfgs", "newton-cg"), given.repeats, given.torch_python)
        if "threads" in sets:
            compare_threads("softmax", x, y, given.repeats)
    if "many" in sets:
        compare_many(given.labelings, given.repeats)


if __name__ == "__main__":
    main()
