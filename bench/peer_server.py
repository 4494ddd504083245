"""Runs in the peers' virtual environment: holds a data set in memory and answers requests, one JSON line each.

  {"do": "sklearn", "passes": 5}                  fits scikit-learn's Perceptron      → seconds, error
  {"do": "vowpal", "passes": 5, "folder": F}      runs Vowpal Wabbit on the file      → seconds, error
  {"do": "error", "model": FILE}                  a linsep model (JSON form)          → error
"""
import json
import os
import pathlib
import sys
import time

import numpy
import scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
from vowpalwabbit import Workspace


def training_error(score, label):
    """The one count of mistakes for all sides: y·z ≤ 0."""
    return float(numpy.mean(label * score <= 0))


def load(path):
    """Loading takes scikit-learn long, so the arrays are kept beside the file."""
    kept = pathlib.Path(str(path) + ".npz")
    if not kept.exists():
        rows, label = load_svmlight_file(str(path), dtype=numpy.float64)
        numpy.savez(kept, data=rows.data, indices=rows.indices.astype(numpy.int32),
                    indptr=rows.indptr.astype(numpy.int32), label=label, shape=rows.shape)
    found = numpy.load(kept)
    rows = scipy.sparse.csr_matrix((found["data"], found["indices"], found["indptr"]), shape=tuple(found["shape"]))
    return rows, found["label"]


def run_sklearn(rows, label, passes):
    classifier = Perceptron(max_iter=passes, tol=None, shuffle=False, fit_intercept=False)
    begin = time.perf_counter()
    with numpy.errstate(all="ignore"):
        classifier.fit(rows, label)
    seconds = time.perf_counter() - begin
    return {"seconds": seconds, "error": training_error(classifier.decision_function(rows), label)}


def vowpal_file(path):
    """The same rows in Vowpal Wabbit's own text: a bar after the label."""
    converted = pathlib.Path(str(path) + ".vw")
    if not converted.exists():
        with open(path, "rb") as source, open(converted, "wb") as target:
            for line in source:
                label, rest = line.split(b" ", 1)
                target.write(label + b" | " + rest)
    return converted


def run_vowpal(path, label, passes, folder):
    source, model, scores = vowpal_file(path), f"{folder}/vw.model", f"{folder}/vw.scores"
    cache = f"{folder}/vw.cache"
    common = "--quiet -b 18 --loss_function hinge --sgd --power_t 0 -l 1e4 --noconstant"
    begin = time.perf_counter()
    Workspace(f"{common} -d {source} --passes {passes} -k --cache_file {cache} --holdout_off -f {model}").finish()
    seconds = time.perf_counter() - begin
    Workspace(f"--quiet -t -i {model} -d {source} -r {scores}").finish()
    score = numpy.loadtxt(scores, usecols=0)
    os.remove(cache)
    return {"seconds": seconds, "error": training_error(score, label)}


def linsep_error(rows, label, model):
    found = json.loads(pathlib.Path(model).read_text())
    theta = numpy.zeros(rows.shape[1])
    theta[: len(found["theta"])] = found["theta"][: rows.shape[1]]
    return {"error": training_error(rows @ theta + found["offset"], label)}


def main():
    path = sys.argv[1]
    rows, label = load(path)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "sklearn":
            answer = run_sklearn(rows, label, request["passes"])
        elif request["do"] == "vowpal":
            answer = run_vowpal(path, label, request["passes"], request["folder"])
        else:
            answer = linsep_error(rows, label, request["model"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
