#!/usr/bin/env python3
"""Several classes beside scikit-learn, on the same folds: accuracy, log loss and seconds.

    bench/setup
    build/bench-venv/bin/python bench/several_classes.py [--program build/release/linsep] [--json FILE]

Each data set is dealt out to 5 folds as `linsep train --cv` does it (the same keyed hash). Both sides train on the same rows with the
same objective: λ of the mean loss is C = 1/(λ·rows) of scikit-learn, whatever the number of rows.

  logistic          one against the rest: λ by cross-validation (`--cv 5`; a loop over LogisticRegression), then log loss of the chosen λ
                    on the folds' own rows, each class's sigmoid divided by the sum
  hinge             likewise with LinearSVC; probabilities by `--probabilities platt` and by CalibratedClassifierCV(ensemble=False),
                    which fit their sigmoids to the same inner folds
  softmax           all classes together, where the program has `--loss softmax`, at the λ that the first row chose

Accuracy may differ by 0.01, log loss by 1 %; else the table says NO and the command ends with 1. Seconds: the cross-validation, linsep's as
one command with reading, on one thread; scikit-learn's in memory. LinearSVC penalizes the offset (scaled by 10 here), linsep doesn't.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import dump_svmlight_file, load_digits, load_svmlight_file, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import PredefinedSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

FOLDS = 5
LAMBDAS = [1e-2, 1e-3, 1e-4, 1e-5]
SEED = 1
GAP = "1e-5"


def keyed_hash(key, number):
    """As src/core/random.h has it."""
    with np.errstate(over="ignore"):
        key, x = np.uint64(key), np.asarray(number, np.uint64)
        x = x + np.uint64(0x9E3779B97F4A7C15) * (key + np.uint64(1))
        for _ in range(2):
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            x = (x ^ (x >> np.uint64(31))) + key
        return x


def folds_of(labels):
    """The fold of each row: classes one after another, each in the order of the hash, dealt out in turn."""
    hashes = keyed_hash(keyed_hash(SEED, 0x666F6C6473), np.arange(len(labels)))
    order = np.concatenate([np.flatnonzero(labels == c)[np.argsort(hashes[labels == c], kind="stable")]
                            for c in np.unique(labels)])
    fold = np.empty(len(labels), int)
    fold[order] = np.arange(len(labels)) % FOLDS
    return fold


class Linsep:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise SystemExit(f"linsep {' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def train(self, x, y, *options):
        """A model of these rows: what `--json` says of it, and the seconds of the command."""
        dump_svmlight_file(x, y, str(self.folder / "train.svm"), zero_based=False)
        words = ["train", "train.svm", "--learner", "margin", "--gap", GAP, "--seed", SEED, "--threads", 1, *options]
        began = time.perf_counter()
        answer = json.loads(self.run(*words, "-o", "model.json", "--json"))
        return answer, time.perf_counter() - began

    def probabilities(self, x, y):
        """By the last model: of each class, a row each."""
        dump_svmlight_file(x, y, str(self.folder / "test.svm"), zero_based=False)
        lines = self.run("predict", "test.svm", "-m", "model.json", "--probabilities").splitlines()
        return np.array([[float(word) for word in line.split("\t")[1:]] for line in lines])


def out_of_fold(x, y, fold, probabilities_of):
    """Each row's probabilities by what was trained on the other folds."""
    p = np.empty((len(y), len(np.unique(y))))
    for k in range(FOLDS):
        kept, held = fold != k, fold == k
        p[held] = probabilities_of(x[kept], y[kept], x[held], y[held])
    return p


class PeerLogistic(ClassifierMixin, BaseEstimator):
    """One against the rest, by λ of the mean loss."""

    def __init__(self, lambda_=1e-3):
        self.lambda_ = lambda_

    def machine(self, c):
        return OneVsRestClassifier(LogisticRegression(C=c, tol=1e-6, max_iter=5000))

    def fit(self, x, y):
        self.machine_ = self.machine(1 / (self.lambda_ * len(y))).fit(x, y)
        self.classes_ = self.machine_.classes_
        return self

    def predict(self, x):
        return self.machine_.predict(x)

    def predict_proba(self, x):
        return self.machine_.predict_proba(x)


class PeerHinge(PeerLogistic):
    def machine(self, c):
        return LinearSVC(loss="hinge", C=c, intercept_scaling=10, tol=1e-3, max_iter=20000, random_state=1)

    def decision_function(self, x):
        return self.machine_.decision_function(x)


def peer_choice(x, y, fold, make):
    """λ of the fewest held-out mistakes, of equals the greatest; its accuracy; seconds."""
    began = time.perf_counter()
    right = [sum((make(l).fit(x[fold != k], y[fold != k]).predict(x[fold == k]) == y[fold == k]).sum()
                 for k in range(FOLDS)) for l in LAMBDAS]
    best = int(np.argmax(right))
    make(LAMBDAS[best]).fit(x, y)
    return LAMBDAS[best], [r / len(y) for r in right], time.perf_counter() - began


def compare(linsep, name, x, y, loss, make):
    """One row of the table: both choose λ by the same folds; accuracies and log losses at linsep's λ."""
    fold = folds_of(y)
    lambdas = ",".join(map(str, LAMBDAS))
    answer, seconds = linsep.train(x, y, "--loss", loss, "--lambdas", lambdas, "--cv", FOLDS)
    chosen = answer["chosen"]["index"]
    lambda_ = LAMBDAS[chosen]
    peers_choice, peer_accuracy, peer_seconds = peer_choice(x, y, fold, make)
    platt = [] if loss == "logistic" else ["--probabilities", "platt"]

    def ours(x_train, y_train, x_test, y_test):
        linsep.train(x_train, y_train, "--loss", loss, "--lambda", lambda_, *platt)
        return linsep.probabilities(x_test, y_test)

    def theirs(x_train, y_train, x_test, _):
        model = make(lambda_)
        if platt:
            model = CalibratedClassifierCV(model, method="sigmoid", cv=PredefinedSplit(folds_of(y_train)), ensemble=False)
        return model.fit(x_train, y_train).predict_proba(x_test)

    return {
        "data": name, "loss": loss, "lambda": lambda_, "peer_lambda": peers_choice,
        "accuracy": 1 - answer["path"][chosen]["held_out_error"], "peer_accuracy": peer_accuracy[chosen],
        "log_loss": log_loss(y, out_of_fold(x, y, fold, ours)),
        "peer_log_loss": log_loss(y, out_of_fold(x, y, fold, theirs)),
        "seconds": seconds, "peer_seconds": peer_seconds,
    }


def compare_softmax(linsep, name, x, y, lambda_):
    fold = folds_of(y)
    spent = {"linsep": 0.0, "peer": 0.0}

    def ours(x_train, y_train, x_test, y_test):
        _, seconds = linsep.train(x_train, y_train, "--loss", "softmax", "--lambda", lambda_)
        spent["linsep"] += seconds
        return linsep.probabilities(x_test, y_test)

    def theirs(x_train, y_train, x_test, _):
        began = time.perf_counter()
        model = LogisticRegression(C=1 / (lambda_ * len(y_train)), tol=1e-6, max_iter=5000).fit(x_train, y_train)
        spent["peer"] += time.perf_counter() - began
        return model.predict_proba(x_test)

    p, q = out_of_fold(x, y, fold, ours), out_of_fold(x, y, fold, theirs)
    classes = np.unique(y)
    return {
        "data": name, "loss": "softmax", "lambda": lambda_, "peer_lambda": lambda_,
        "accuracy": (classes[p.argmax(axis=1)] == y).mean(), "peer_accuracy": (classes[q.argmax(axis=1)] == y).mean(),
        "log_loss": log_loss(y, p), "peer_log_loss": log_loss(y, q),
        "seconds": spent["linsep"], "peer_seconds": spent["peer"],
    }


def data_sets(linsep):
    digits = load_digits()
    yield "digits", digits.data / 16, digits.target
    wine = load_wine()
    yield "wine", (wine.data - wine.data.mean(axis=0)) / wine.data.std(axis=0), wine.target
    linsep.run("generate", "classes", "--rows", 1500, "--features", 200, "--nonzeros", 12, "--classes", 4, "-o", "classes.svm")
    x, y = load_svmlight_file(str(linsep.folder / "classes.svm"))
    yield "generated", x.toarray(), y.astype(int)


def show(row):
    agree = abs(row["accuracy"] - row["peer_accuracy"]) <= 0.01
    agree = agree and abs(row["log_loss"] / row["peer_log_loss"] - 1) <= 0.01
    print(f"{row['data']:<10} {row['loss']:<9} {row['lambda']:>7g} {row['peer_lambda']:>7g}"
          f" {row['accuracy']:>9.4f} {row['peer_accuracy']:>9.4f} {row['log_loss']:>9.4f} {row['peer_log_loss']:>9.4f}"
          f" {row['seconds']:>8.2f} {row['peer_seconds']:>8.2f}  {'yes' if agree else 'NO'}", flush=True)
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--program", default=root / "build" / "release" / "linsep")
    parser.add_argument("--json", help="also write all figures to this file")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    rows = []
    print(f"{'data':<10} {'loss':<9} {'λ':>7} {'peer':>7} {'accuracy':>9} {'peer':>9} {'log loss':>9} {'peer':>9}"
          f" {'seconds':>8} {'peer':>8}  agree")
    with tempfile.TemporaryDirectory() as folder:
        linsep = Linsep(pathlib.Path(asked.program).resolve(), folder)
        joint = "softmax" in linsep.run("train", "--help")
        agreed = True
        for name, x, y in data_sets(linsep):
            for loss, make in (("logistic", PeerLogistic), ("hinge", PeerHinge)):
                rows.append(compare(linsep, name, x, y, loss, make))
                agreed = show(rows[-1]) and agreed
            if joint:
                rows.append(compare_softmax(linsep, name, x, y, rows[-2]["lambda"]))
                agreed = show(rows[-1]) and agreed
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
