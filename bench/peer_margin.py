"""Runs in the peers' virtual environment: holds a data set in memory and trains peers on it, one JSON line per request.

  {"do": "liblinear", "C": 1, "tolerance": 0.1}   LIBLINEAR -s 3 -B 1            → seconds, objective
  {"do": "sklearn", "C": 1, "tolerance": 1e-2}    LinearSVC(loss="hinge")        → seconds, objective
  {"do": "sklearn_file", …}                       the same from the file, with load_svmlight_file
  {"do": "snapml", "C": 1, "tolerance": 1e-3}     SupportVectorMachine           → seconds, objective
  {"do": "objective", "C": 1, "model": FILE}      a linsep model (JSON form)     → objective

The objective is always mean hinge loss + (λ/2)‖θ‖² with λ = 1/(C·n), the offset not penalized, in float64, from θ and θ0
as each side gives them. Seconds are of the training call alone, rows already in the form that the peer wants.
"""
import json
import pathlib
import sys
import time
import warnings

import numpy
import scipy.sparse

from peer_server import load


def objective(rows, label, theta, offset, c):
    width = min(len(theta), rows.shape[1])
    margin = label * (rows[:, :width] @ numpy.asarray(theta[:width], dtype=numpy.float64) + offset)
    theta = numpy.asarray(theta, dtype=numpy.float64)
    return float(numpy.mean(numpy.maximum(0, 1 - margin)) + theta @ theta / (2 * c * rows.shape[0]))


def clocked(work):
    """What `work` returns, with the seconds it took by both clocks."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - processor}


class Peers:
    def __init__(self, path):
        self.path = path
        if path.suffix == ".csv":
            table = numpy.loadtxt(path, delimiter=",", skiprows=1)
            self.rows, self.label = scipy.sparse.csr_matrix(table[:, :-1]), table[:, -1]
        else:
            self.rows, self.label = load(path)
        self.label = numpy.where(self.label > 0, 1.0, -1.0)
        self.kept = {}

    def liblinear(self, c, tolerance):
        from liblinear.liblinear import liblinear, parameter, problem, toPyModel
        if "liblinear" not in self.kept:
            self.kept["liblinear"] = problem(self.label, self.rows, bias=1)
        param = parameter(f"-s 3 -B 1 -c {c} -e {tolerance} -q")
        model, taken = clocked(lambda: toPyModel(liblinear.train(self.kept["liblinear"], param)))
        weights = numpy.array([model.w[j] for j in range(model.nr_feature + 1)])
        if model.get_labels()[0] < 0:
            weights = -weights
        return taken | {"objective": objective(self.rows, self.label, weights[:-1], weights[-1], c)}

    def sklearn(self, c, tolerance):
        from sklearn.svm import LinearSVC
        classifier = LinearSVC(loss="hinge", C=c, tol=tolerance, max_iter=1000, random_state=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, taken = clocked(lambda: classifier.fit(self.rows, self.label))
        return taken | {"objective": objective(self.rows, self.label, classifier.coef_[0], classifier.intercept_[0], c)}

    def sklearn_file(self, c, tolerance):
        """From the file: its own loader, and the conversion of indices that LinearSVC insists on."""
        from sklearn.datasets import load_svmlight_file
        from sklearn.svm import LinearSVC

        def work():
            rows, label = load_svmlight_file(str(self.path))
            rows.indices, rows.indptr = rows.indices.astype(numpy.int32), rows.indptr.astype(numpy.int32)
            return LinearSVC(loss="hinge", C=c, tol=tolerance, random_state=1).fit(rows, label)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            classifier, taken = clocked(work)
        return taken | {"objective": objective(self.rows, self.label, classifier.coef_[0], classifier.intercept_[0], c)}

    def snapml(self, c, tolerance):
        from snapml import SupportVectorMachine
        if "snapml" not in self.kept:
            self.kept["snapml"] = self.rows.astype(numpy.float32)
        classifier = SupportVectorMachine(regularizer=1 / c, fit_intercept=True, tol=tolerance, n_jobs=1, random_state=1,
                                          max_iter=1000)
        _, taken = clocked(lambda: classifier.fit(self.kept["snapml"], self.label))
        return taken | {"objective": objective(self.rows, self.label, numpy.ravel(classifier.coef_),
                                               float(numpy.ravel(classifier.intercept_)[0]), c)}

    def objective_of(self, c, model):
        found = json.loads(pathlib.Path(model).read_text())
        return {"objective": objective(self.rows, self.label, found["theta"], found["offset"], c)}


def main():
    peers = Peers(pathlib.Path(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "objective":
            answer = peers.objective_of(request["C"], request["model"])
        else:
            answer = getattr(peers, request["do"])(request["C"], request["tolerance"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
