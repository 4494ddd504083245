"""Runs in the peers' virtual environment: holds a data set in memory and trains peers with an L1 penalty on it, one JSON line per request.

  {"do": "liblinear", "loss": "logistic", "C": 1, "tolerance": 0.01}   LIBLINEAR -s 6 (squared hinge: -s 5)   → seconds, objective, nonzeros
  {"do": "sklearn", …}                    scikit-learn's LogisticRegression(solver="liblinear"), LinearSVC(penalty="l1")
  {"do": "sklearn_file", …}               the same from the file, with load_svmlight_file
  {"do": "saga", …}, {"do": "celer", …}, {"do": "skglm", …}           the logistic loss alone
  {"do": "liblinear_path", "lambdas": […], …}                         LIBLINEAR for each λ             → seconds, objectives
  {"do": "objective", "model": FILE, …}   a model of linsep (JSON form) or of LIBLINEAR              → objective, nonzeros
  {"do": "greatest", "loss": …}           the least λ at which every weight is 0                     → lambda, rows

The objective is always mean loss + λ‖θ‖₁ with λ = 1/(C·n), through the origin, in float64, from θ as each side gives it. Seconds are
of the training call alone, rows already in the form that the peer wants; what a peer compiles before its first run doesn't count.
"""
import json
import os
import pathlib
import sys
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")
import numpy  # noqa: E402
import scipy.sparse  # noqa: E402

from peer_margin import clocked  # noqa: E402
from peer_server import load  # noqa: E402

LOSSES = {"logistic": lambda margin: numpy.logaddexp(0, -margin), "squared-hinge": lambda margin: numpy.maximum(0, 1 - margin) ** 2}
SLOPES_AT_0 = {"logistic": 0.5, "squared-hinge": 2.0}
LIBLINEAR_TYPES = {"logistic": 6, "squared-hinge": 5}


def liblinear_weights(path):
    """θ of a model that liblinear-train wrote."""
    lines = pathlib.Path(path).read_text().splitlines()
    first = next(float(line.split()[1]) for line in lines if line.startswith("label"))
    theta = numpy.array([float(line.split()[0]) for line in lines[lines.index("w") + 1:]])
    return theta if first > 0 else -theta


class Peers:
    def __init__(self, path):
        self.path = path
        self.rows, label = load(path)
        self.label = numpy.where(label > 0, 1.0, -1.0)
        self.forms = {}

    def form(self, name, make):
        if name not in self.forms:
            self.forms[name] = make()
        return self.forms[name]

    def value(self, theta, loss, c):
        theta = numpy.ravel(numpy.asarray(theta, dtype=numpy.float64))
        width = min(len(theta), self.rows.shape[1])
        margin = self.label * (self.rows[:, :width] @ theta[:width])
        value = numpy.mean(LOSSES[loss](margin)) + numpy.abs(theta).sum() / (c * self.rows.shape[0])
        return {"objective": float(value), "nonzeros": int(numpy.count_nonzero(theta))}

    def liblinear_theta(self, loss, c, tolerance):
        from liblinear.liblinear import liblinear, parameter, problem, toPyModel
        given = self.form("liblinear", lambda: problem(self.label, self.rows, bias=-1))
        param = parameter(f"-s {LIBLINEAR_TYPES[loss]} -c {c!r} -e {tolerance!r} -q")
        model, taken = clocked(lambda: toPyModel(liblinear.train(given, param)))
        theta = numpy.array([model.w[j] for j in range(model.nr_feature)])
        return theta if model.get_labels()[0] > 0 else -theta, taken

    def liblinear(self, loss, c, tolerance):
        theta, taken = self.liblinear_theta(loss, c, tolerance)
        return taken | self.value(theta, loss, c)

    def liblinear_path(self, loss, lambdas, tolerance):
        found, total = [], {"seconds": 0.0, "cpu": 0.0}
        for strength in lambdas:
            c = 1 / (strength * self.rows.shape[0])
            theta, taken = self.liblinear_theta(loss, c, tolerance)
            total = {key: total[key] + taken[key] for key in total}
            found.append(self.value(theta, loss, c)["objective"])
        return total | {"objectives": found}

    def _classifier(self, loss, c, tolerance):
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC
        how = {"C": c, "tol": tolerance, "fit_intercept": False, "max_iter": 10_000, "random_state": 1}
        if loss == "logistic":
            return LogisticRegression(l1_ratio=1, solver="liblinear", **how)
        return LinearSVC(penalty="l1", dual=False, **how)

    def _fitted(self, estimator, rows, loss, c):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, taken = clocked(lambda: estimator.fit(rows, self.label))
        return taken | self.value(estimator.coef_, loss, c)

    def sklearn(self, loss, c, tolerance):
        return self._fitted(self._classifier(loss, c, tolerance), self.rows, loss, c)

    def sklearn_file(self, loss, c, tolerance):
        """From the file: its own loader, and the conversion of indices that LIBLINEAR's solvers insist on."""
        from sklearn.datasets import load_svmlight_file
        classifier = self._classifier(loss, c, tolerance)

        def work():
            rows, label = load_svmlight_file(str(self.path))
            rows.indices, rows.indptr = rows.indices.astype(numpy.int32), rows.indptr.astype(numpy.int32)
            return classifier.fit(rows, label)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, taken = clocked(work)
        return taken | self.value(classifier.coef_, loss, c)

    def saga(self, loss, c, tolerance):
        from sklearn.linear_model import LogisticRegression
        classifier = LogisticRegression(C=c, l1_ratio=1, solver="saga", tol=tolerance, fit_intercept=False, max_iter=1000, random_state=1)
        return self._fitted(classifier, self.rows, loss, c)

    def _compiled(self, name, make, rows, loss, c):
        """A peer that compiles itself at its first run, which is here on a hundred rows."""
        def first():
            few = numpy.r_[numpy.flatnonzero(self.label > 0)[:50], numpy.flatnonzero(self.label < 0)[:50]]
            make().fit(rows[few], self.label[few])
            return True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.form(f"{name} compiled", first)
        return self._fitted(make(), rows, loss, c)

    def columns(self):
        return self.form("columns", lambda: scipy.sparse.csc_matrix(self.rows))

    def celer(self, loss, c, tolerance):
        from celer import LogisticRegression
        make = lambda: LogisticRegression(C=c, tol=tolerance, fit_intercept=False)  # noqa: E731
        return self._compiled("celer", make, self.columns(), loss, c)

    def skglm(self, loss, c, tolerance):
        from skglm import SparseLogisticRegression
        make = lambda: SparseLogisticRegression(  # noqa: E731
            alpha=1 / (c * self.rows.shape[0]), tol=tolerance, fit_intercept=False)
        return self._compiled("skglm", make, self.columns(), loss, c)

    def objective(self, loss, c, model):
        text = pathlib.Path(model).read_text()
        theta = json.loads(text)["theta"] if text.startswith("{") else liblinear_weights(model)
        return self.value(theta, loss, c)

    def greatest(self, loss):
        slopes = SLOPES_AT_0[loss] * self.label @ self.rows / self.rows.shape[0]
        return {"lambda": float(numpy.abs(slopes).max()), "rows": self.rows.shape[0]}


def main():
    peers = Peers(pathlib.Path(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        do, given = request.pop("do"), {name.lower(): value for name, value in request.items()}
        try:
            answer = getattr(peers, do)(**given)
        except ImportError as error:
            answer = {"missing": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
