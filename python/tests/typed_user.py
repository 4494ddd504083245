"""A user's file: `mypy --strict` and `pyright` must have nothing to say about it (tools/make_wheels runs both on the wheel)."""

from fractions import Fraction

import numpy as np

import linsep


def trained(rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], labels: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    classifier = linsep.MarginClassifier(C=10.0, loss="squared_hinge", gap=1e-4, n_jobs=1, time_limit=5.0)
    classifier.fit(rows, labels)
    print(classifier.stopped_because_, classifier.stop_sentence_, classifier.n_iter_)
    model: linsep.Model = classifier.model_
    print(model.to_json())
    return float(classifier.score(rows, labels))


def proven(rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], labels: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    certificate: linsep.Certificate = linsep.certify(rows, labels, mistakes=True)
    print(certificate.verdict, certificate.margin)
    check: linsep.Check = linsep.verify(certificate, rows, labels)
    report = linsep.check_separation(rows, labels)
    print(report.verdict, report.separated, report.advice)
    return bool(check) and check.valid


if __name__ == "__main__":
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
    y = np.array([0, 0, 0, 1])
    assert trained(x, y) == 1.0 and proven(x, y)
    assert Fraction(1, 2) == 0.5
    try:
        linsep.HardMarginClassifier().fit(x, np.array([0, 1, 1, 0]))
    except linsep.NotSeparableError as error:
        print(error.certificate)
