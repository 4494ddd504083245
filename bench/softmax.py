#!/usr/bin/env python3
"""The softmax loss beside scikit-learn's LogisticRegression (multinomial, lbfgs), on the same folds.

    build/bench-venv/bin/python bench/softmax.py [--linsep build/release/linsep] [--rows 5000]

Accuracy and log loss are of the rows held out, the objective (mean log loss + (λ/2)‖Θ‖², offsets not penalized) of those trained
on; one piece of code computes each for both sides. scikit-learn's tolerance is tightened from its default of 1e-4 until its objective is
within linsep's gap of 1e-3; the time is that of this one fit, or of the last where none is. Times are processor seconds on one thread:
of linsep the whole command, its reading included; of scikit-learn the fit of rows in memory."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import numpy as np  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

FOLDS = 5
GAP = 1e-3


def log_losses(z, own):
    top = z.max(axis=1)
    return top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(own)), own]


class Fit:
    """A classifier's weights, and what they are worth."""

    def __init__(self, weights, offsets, seconds, c, train, test):
        (x, own), (held, held_own) = train, test
        self.seconds = seconds
        self.objective = log_losses(x @ weights.T + offsets, own).mean() + (weights ** 2).sum() / (2 * c * len(own))
        z = held @ weights.T + offsets
        self.accuracy = (z.argmax(axis=1) == held_own).mean()
        self.log_loss = log_losses(z, held_own).mean()


def by_linsep(linsep, folder, c, train, test, classes):
    datasets.dump_svmlight_file(train[0], train[1], str(folder / "train.svm"), zero_based=False)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([linsep, "train", folder / "train.svm", "--double", "--learner", "margin", "--loss", "softmax", "--C", str(c),
                    "--gap", str(GAP), "--threads", "1", "--quiet", "-o", folder / "model.json"], check=True,
                   stdout=subprocess.DEVNULL)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    model = json.loads((folder / "model.json").read_text())
    weights = np.zeros((classes, train[0].shape[1]))
    weights[:, :model["features"]] = np.array(model["theta"]).reshape(classes, -1)
    return Fit(weights, np.array(model["offsets"]), seconds, c, train, test)


def by_scikit_learn(c, train, test, objective):
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        begin = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = LogisticRegression(C=c, tol=tolerance, max_iter=100_000).fit(*train)
        fit = Fit(found.coef_, found.intercept_, time.process_time() - begin, c, train, test)
        if fit.objective <= objective * (1 + GAP):
            break
    return fit


def folds_of(rows):
    order = np.random.default_rng(1).permutation(rows)
    for k in range(FOLDS):
        held = np.zeros(rows, bool)
        held[order[k::FOLDS]] = True
        yield ~held, held


def compare(linsep, folder, name, x, y, c):
    names, own = np.unique(y, return_inverse=True)
    pairs = []
    for kept, held in folds_of(len(y)):
        train, test = (x[kept], own[kept]), (x[held], own[held])
        ours = by_linsep(linsep, folder, c, train, test, len(names))
        pairs.append((ours, by_scikit_learn(c, train, test, ours.objective)))
    mean = lambda side, what: np.mean([getattr(pair[side], what) for pair in pairs])  # noqa: E731
    worse = max(a.objective / b.objective - 1 for a, b in pairs)
    print(f"| {name}, C = {c:g} | {len(y):,} × {x.shape[1]:,}, {len(names)} | {mean(0, 'accuracy'):.4f} | {mean(1, 'accuracy'):.4f} "
          f"| {mean(0, 'log_loss'):.4f} | {mean(1, 'log_loss'):.4f} | {worse:+.1e} | {mean(0, 'seconds'):.2f} | {mean(1, 'seconds'):.2f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--linsep", default=pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "linsep")
    parser.add_argument("--rows", type=int, default=5_000, help="of the generated set")
    options = parser.parse_args()
    print("| data | rows × features, classes | accuracy linsep | sklearn | log loss linsep | sklearn | objective above sklearn's, at most "
          "| seconds linsep | sklearn |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sets = {kind: getattr(datasets, f"load_{kind}")(return_X_y=True) for kind in ("iris", "wine", "digits")}
        subprocess.run([options.linsep, "generate", "classes", "--rows", str(options.rows), "--features", "47236", "--nonzeros", "80",
                        "--classes", "20", "-o", folder / "classes.svm"], check=True)
        sets["generated"] = datasets.load_svmlight_file(str(folder / "classes.svm"))
        for kind, (x, y) in sets.items():
            for c in (1, 0.01):
                compare(options.linsep, folder, kind, x, y, c)


if __name__ == "__main__":
    main()
