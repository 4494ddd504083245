#!/usr/bin/env python3
"""How far classifiers of other tools are from the best possible ones, by proof: the table of docs/howto/how-far.md.

    LINSEP_DATA=FOLDER PYTHONPATH=build/release/python build/test-venv/bin/python bench/audit.py [SET …] [--script]

Each tool trains with its defaults on rows as they come. Then `linsep.audit` (of LIBLINEAR `linsep certify --model`) says how far the
result is, and `verify` checks the proof. --script: also checker/verify_certificate.py does, where the rows are a file. Sets whose
file isn't in LINSEP_DATA are left out. Seconds are of one run each.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.datasets import dump_svmlight_file, load_breast_cancer, load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.preprocessing import StandardScaler

import linsep

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("LINSEP_DATA", "."))


def breast_cancer():
    return load_breast_cancer(return_X_y=True)


def spambase():
    with open(DATA / "spambase.csv", newline="") as file:
        rows = list(csv.reader(file))
    begin = 0 if rows[0][0].replace(".", "").isdigit() else 1
    return np.array([row[:-1] for row in rows[begin:]], dtype=float), np.array([row[-1] for row in rows[begin:]])


def svmlight(name):
    def rows():
        X, y = load_svmlight_file(DATA / f"{name}.svm")
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # some solvers refuse the loader's 64 bits
        return X, y

    return rows


def scaled(load):
    def rows():
        X, y = load()
        return StandardScaler().fit_transform(X), y

    return rows


SETS = {
    "breast_cancer": breast_cancer,
    "breast_cancer, scaled": scaled(breast_cancer),
    "spambase": spambase,
    "spambase, scaled": scaled(spambase),
    "a9a": svmlight("a9a"),
    "w8a": svmlight("w8a"),
}
ESTIMATORS = {
    "LogisticRegression()": LogisticRegression,
    "LogisticRegression(solver='saga')": lambda: LogisticRegression(solver="saga", random_state=0),
    "SGDClassifier(loss='log_loss')": lambda: SGDClassifier(loss="log_loss", random_state=0),
}


def timed(call):
    began = time.perf_counter()
    value = call()
    return value, time.perf_counter() - began


def percent(share):
    return f"{100 * share:.3g} %"


def line(name, tool, warned, objective, best, above, seconds):
    least, most = above
    # Between two proven numbers that look the same, or at most the greater.
    told = percent(least) if least > 0 and percent(least) == percent(most) else f"{percent(least)} to {percent(most)}"
    print(f"| {name} | {tool} | {warned} | {objective:.6g} | {best:.6g} | {told if least > 0 else f'at most {percent(most)}'} | "
          + " | ".join(f"{each:.2g}" for each in seconds) + " |", flush=True)


def audit_estimator(name, tool, make, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator, fitting = timed(lambda: make().fit(X, y))
    warned = "yes" if any(issubclass(each.category, ConvergenceWarning) for each in caught) else "no"
    audit, auditing = timed(lambda: linsep.audit(estimator, X, y, gap=1e-4))
    check, checking = timed(audit.verify)
    assert check, check
    line(name, tool, warned, audit.objective, audit.at_least, audit.above_best, (fitting, auditing, checking))


def audit_liblinear(name, X, y, program, script):
    classes, place = np.unique(y, return_inverse=True)
    with tempfile.TemporaryDirectory() as folder:
        rows, model, proof = (f"{folder}/{file}" for file in ("rows.svm", "model", "proof.json"))
        dump_svmlight_file(X, 2 * np.ravel(place) - 1, rows, zero_based=False)
        _, fitting = timed(lambda: subprocess.run(["liblinear-train", "-q", "-s", "0", "-B", "1", rows, model], check=True))
        done, auditing = timed(lambda: subprocess.run(
            [program, "certify", rows, "--model", model, "--C", "1", "--gap", "1e-4", "-o", proof, "--json"], check=True, stdout=subprocess.PIPE))
        _, checking = timed(lambda: subprocess.run([program, "verify", proof, rows], check=True, stdout=subprocess.PIPE))
        said = json.loads(done.stdout)
        above = (said["above_best_at_least"], said["above_best_at_most"])
        line(name, "LIBLINEAR -s 0 -B 1", "none", float(said["at_most"]), float(said["at_least"]), above, (fitting, auditing, checking))
        if script:
            checker = ROOT / "checker" / "verify_certificate.py"
            _, seconds = timed(lambda: subprocess.run([sys.executable, "-I", checker, proof, rows], check=True, stdout=subprocess.PIPE))
            print(f"{name}: checker/verify_certificate.py checked the last proof in {seconds:.2g} s", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", nargs="*", help="names of sets; all without names")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "linsep")
    parser.add_argument("--script", action="store_true", help="check LIBLINEAR's proofs with the script, too")
    options = parser.parse_args()
    print("| set | tool | warning | objective | best possible, at least | above it | seconds: fit | audit | check |\n|---|---|---|---|---|---|---|---|---|")
    for name, load in SETS.items():
        if options.sets and name not in options.sets:
            continue
        try:
            X, y = load()
        except FileNotFoundError as error:
            print(f"{name}: left out, no {error.filename}", file=sys.stderr)
            continue
        for tool, make in ESTIMATORS.items():
            audit_estimator(name, tool, make, X, y)
        if shutil.which("liblinear-train"):
            audit_liblinear(name, X, y, options.program, options.script)


if __name__ == "__main__":
    main()
