"""The same bits as the command line: every learner, order, variant and loss, rows copied or not, any threads."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from scipy import sparse

from linsep import _core

PROGRAM = os.environ.get("LINSEP") or shutil.which("linsep")
pytestmark = pytest.mark.skipif(
    not PROGRAM or not os.path.exists(PROGRAM), reason="the command line isn't built"
)

ROWS, FEATURES = 600, 40

RUNS = [
    ("perceptron", {"passes": 6}),
    ("perceptron", {"passes": 6, "order": "shuffled", "seed": 5}),
    ("perceptron", {"passes": 6, "order": "drawn"}),
    ("perceptron", {"passes": 6, "variant": "averaged", "order": "shuffled"}),
    ("perceptron", {"passes": 6, "variant": "voted"}),
    ("perceptron", {"passes": 6, "origin": True, "rate": 0.5}),
    ("dual", {"passes": 6}),
    ("dual", {"passes": 4, "kernel": "polynomial", "order": "shuffled"}),
    ("dual", {"passes": 4, "kernel": "gaussian", "gamma": 0.1}),
    ("basic", {}),
    ("least-squares", {}),
    ("least-squares", {"matrix": "cg", "ridge": 0.1}),
    ("least-squares", {"matrix": "diagonal"}),
    ("margin", {}),
    ("margin", {"solver": "dual", "seed": 3, "gap": 1e-4}),
    ("margin", {"solver": "planes"}),
    ("margin", {"solver": "interior", "C": 10.0}),
    ("margin", {"loss": "squared-hinge", "solver": "dual"}),
    ("margin", {"loss": "squared-hinge", "solver": "newton", "lambda": 1e-3}),
    ("margin", {"loss": "logistic"}),
    ("margin", {"loss": "logistic", "solver": "newton", "gap": 1e-8}),
    ("margin", {"positive-weight": 2.0}),
]
SEVERAL = [
    ("perceptron", {"passes": 5, "order": "shuffled"}),
    ("perceptron", {"passes": 5, "multiclass": "joint"}),
    ("basic", {}),
    ("least-squares", {}),
    ("margin", {}),
    ("margin", {"loss": "logistic"}),
    ("margin", {"loss": "softmax"}),
]


def called(run):
    learner, options = run
    return " ".join([learner, *(f"{name}={value}" for name, value in options.items())])


@pytest.fixture(scope="module", name="numbers")
def fixture_numbers():
    rng = np.random.default_rng(7)
    x = np.where(rng.random((ROWS, FEATURES)) < 0.3, rng.normal(size=(ROWS, FEATURES)), 0).astype(np.float32)
    z = x @ rng.normal(size=FEATURES) + 0.5 * rng.normal(size=ROWS)
    return x, z


def write(path: pathlib.Path, x, label):
    with path.open("w", encoding="ascii") as file:
        for row, y in zip(x, label, strict=True):
            file.write(" ".join([str(y), *(f"{j + 1}:{row[j]!s}" for j in np.flatnonzero(row))]) + "\n")


def command_line(path, learner, options, tmp_path):
    arguments = []
    for name, value in options.items():
        arguments += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    model = tmp_path / "model"
    subprocess.run(
        [PROGRAM, "train", str(path), "--learner", learner, *arguments, "--quiet", "-o", str(model)],
        check=True,
        env={**os.environ, "LD_PRELOAD": ""},
    )
    return _core.load_model(str(model))


def rows_of(x, label, classes, layout):
    if layout == "dense":
        return _core.rows_of_dense(x, label=label, classes=classes)
    s = sparse.csr_array(x)
    column = s.indices.astype(np.int64 if layout == "int64" else np.int32)
    label = label.astype(np.float64) if layout == "int32, float labels" else label
    return _core.rows_of_csr(
        s.indptr.astype(np.int64), column, s.data, FEATURES, label=label, classes=classes
    )


def check(run, x, label, classes, path, tmp_path):
    learner, options = run
    wanted = command_line(path, learner, options, tmp_path)
    for layout in ("int32", "int64", "int32, float labels"):
        for copy_rows in (True, False):
            for threads in (1, 4):
                rows = rows_of(x, label, classes, layout)
                model = _core.fit(rows, learner, options, copy_rows=copy_rows, threads=threads).model
                assert model.to_bytes() == wanted.to_bytes(), (layout, copy_rows, threads)


@pytest.mark.parametrize("run", RUNS, ids=called)
def test_two_classes_give_the_model_of_the_command_line(run, numbers, tmp_path):
    x, z = numbers
    label = np.where(z > 0, 1, -1).astype(np.int8)
    write(tmp_path / "rows.svm", x, label)
    check(run, x, label, ["-1", "1"], tmp_path / "rows.svm", tmp_path)


@pytest.mark.parametrize("run", SEVERAL, ids=called)
def test_several_classes_give_the_model_of_the_command_line(run, numbers, tmp_path):
    x, z = numbers
    label = np.digitize(z, [-1, 1]).astype(np.int8)
    write(tmp_path / "rows.svm", x, label)
    check(run, x, label, ["0", "1", "2"], tmp_path / "rows.svm", tmp_path)


@pytest.mark.parametrize("rule", ["signed", "squared"])
def test_regression_gives_the_model_of_the_command_line(rule, numbers, tmp_path):
    x, z = numbers
    write(tmp_path / "rows.svm", x, [repr(float(one)) for one in z])
    options = {"rule": rule, "passes": 5, "rate": 0.001}
    wanted = command_line(tmp_path / "rows.svm", "regression", options, tmp_path)
    s = sparse.csr_array(x)
    for threads in (1, 4):
        rows = _core.rows_of_csr(
            s.indptr.astype(np.int64), s.indices, s.data, FEATURES, label=z.astype(np.float64)
        )
        assert _core.fit(rows, "regression", options, threads=threads).model.to_bytes() == wanted.to_bytes()


def test_the_hard_margin_and_a_map_give_the_model_of_the_command_line(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(80, 4)).round(3)
    z = x @ [1.0, -2.0, 0.5, 1.0]
    x, label = x[abs(z) > 0.3], np.where(z > 0, 1, -1).astype(np.int8)[abs(z) > 0.3]
    write(tmp_path / "rows.svm", x, label)
    s = sparse.csr_array(x)

    def rows():
        return _core.rows_of_csr(
            s.indptr.astype(np.int64), s.indices.astype(np.int32), s.data, 4, label=label, classes=["-1", "1"]
        )

    wanted = command_line(tmp_path / "rows.svm", "margin", {"hard": True}, tmp_path)
    assert _core.fit(rows(), "margin", {"hard": True}).model.to_bytes() == wanted.to_bytes()
    wanted = command_line(tmp_path / "rows.svm", "margin", {"map": "products", "double": True}, tmp_path)
    assert _core.fit(rows(), "margin", {}, map="products").model.to_bytes() == wanted.to_bytes()


def test_dense_rows_give_the_same_bits_copied_or_not_and_on_any_number_of_threads(numbers):
    x, z = numbers
    label = np.where(z > 0, 1, -1).astype(np.int8)
    for learner, options in RUNS:
        told = set()
        for copy, threads in [(True, 1), (True, 4), (False, 1), (False, 4)]:
            rows = rows_of(x, label, ["-1", "1"], "dense")
            outcome = _core.fit(rows, learner, options, copy_rows=copy, threads=threads)
            told.add(outcome.model.to_bytes())
        assert len(told) == 1, (learner, options)


def test_scores_are_the_same_bits_on_any_number_of_threads_and_in_any_layout(numbers):
    x, z = numbers
    label = np.where(z > 0, 1, -1).astype(np.int8)
    model = _core.fit(rows_of(x, label, ["-1", "1"], "int32"), "margin", {"loss": "logistic"}).model
    for threads in (1, 4):
        for layout in ("int32", "int64"):
            scores = model.score(rows_of(x, label, ["-1", "1"], layout), threads=threads)
            np.testing.assert_array_equal(scores, model.score(rows_of(x, label, ["-1", "1"], "int32")))
    narrow = model.score(rows_of(x, label, ["-1", "1"], "int32"), float32=True)
    assert narrow.dtype == np.float32
    np.testing.assert_array_equal(narrow, scores.astype(np.float32))
