"""Arrays that change after `linsep.rows` has checked them: refused, and nothing beyond them is ever read."""

import subprocess
import sys

import linsep
import numpy as np
import pytest
from scipy import sparse

CHANGED = "the arrays behind these rows were changed"


def arrays(count=200, features=6):
    random = np.random.default_rng(2)
    X = random.normal(size=(count, features))
    return X, (X[:, 0] + 0.3 * random.normal(size=count) > 0).astype(int)


CALLS = {
    "fit": lambda rows, fitted: linsep.MarginClassifier().fit(rows),
    "probabilities": lambda rows, fitted: linsep.MarginClassifier(probabilities="platt").fit(rows),
    "predict": lambda rows, fitted: fitted.predict(rows),
    "score": lambda rows, fitted: fitted.score(rows),
    "certify": lambda rows, fitted: linsep.certify(rows),
    "explain": lambda rows, fitted: fitted.model_.explain(rows, 3),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("layout", ["dense", "float32", "sparse"])
def test_changed_values_are_refused_and_rows_made_anew_are_taken(layout, call):
    X, y = arrays()
    X = {"dense": X, "float32": X.astype(np.float32), "sparse": sparse.csr_array(X)}[layout]
    fitted = linsep.MarginClassifier().fit(X, y)
    rows = linsep.rows(X, y)
    call(rows, fitted)
    values = X.data if layout == "sparse" else X
    before = values[5].copy()
    values[5] = np.nan
    with pytest.raises(linsep.InputError, match=CHANGED):
        call(rows, fitted)
    values[5] = before
    call(rows, fitted)  # what it was is fine again
    values[5] = before + 1
    call(linsep.rows(X, y), fitted)


def test_changed_columns_and_weights_are_refused():
    dense, y = arrays()
    X = sparse.csr_array(dense)
    weight = np.ones(len(y))
    rows = linsep.rows(X, y, sample_weight=weight)
    weight[7] = 100.0
    with pytest.raises(linsep.InputError, match=CHANGED):
        linsep.MarginClassifier().fit(rows)
    weight[7] = 1.0
    X.indices[3] = 1_000_000_000
    with pytest.raises(linsep.InputError, match=CHANGED):
        linsep.MarginClassifier().fit(rows)


def test_labels_and_offsets_may_change_since_they_are_copied():
    dense, y = arrays()
    X = sparse.csr_array(dense)
    X.indptr = X.indptr.astype(np.int64)
    expected = linsep.MarginClassifier().fit(X, y).coef_
    rows = linsep.rows(X, y)
    y[:] = 1 - y
    X.indptr[:] = 10**12
    np.testing.assert_array_equal(linsep.MarginClassifier().fit(rows).coef_, expected)


def test_what_lies_between_the_rows_may_change():
    X, y = arrays()
    rows = linsep.rows(X[:, :4], y)
    X[:, 4:] = np.nan
    linsep.MarginClassifier().fit(rows)


def test_a_proof_that_is_not_sealed_refuses_rows_that_are_no_longer_its_own(tmp_path):
    X, y = arrays()
    proof = linsep.certify(X, y)
    X[3, 2] += 1
    with pytest.raises(linsep.InputError, match=CHANGED):
        proof.save(tmp_path / "proof.json")


THREADS = r"""
import sys, threading
import numpy as np
from scipy import sparse
import linsep

kind, layout = sys.argv[1:]
random = np.random.default_rng(0)
X = sparse.random(800, 200, density=0.1, format="csr", random_state=1)
X.indices = X.indices.astype(layout)
y = random.integers(0, 3 if kind == "several" else 2, 800)
made = {
    "perceptron": linsep.Perceptron(max_iter=15),
    "shuffled": linsep.Perceptron(max_iter=15, order="shuffled"),
    "copied": linsep.MarginClassifier(max_iter=15, gap=1e-12, copy_X=True),
    "visited": linsep.MarginClassifier(max_iter=15, gap=1e-12, copy_X=False),
    "several": linsep.MarginClassifier(max_iter=10, gap=1e-12, loss="softmax"),
    "means": linsep.LeastSquaresClassifier(),
}[kind]
good = X.indices.copy()
ended = threading.Event()

def spoil():
    while not ended.is_set():
        X.indices[:] = np.iinfo(layout).max
        X.indices[:] = good

thread = threading.Thread(target=spoil)
import warnings
warnings.simplefilter("ignore")
fitted = made.__class__(**made.get_params()).fit(X, y)
thread.start()
try:
    for _ in range(3):
        for call in (lambda: made.fit(X, y), lambda: fitted.predict(X)):
            try:
                call()
            except (linsep.LinsepError, ValueError):
                pass
finally:
    ended.set()
    thread.join()
print("alive")
"""


@pytest.mark.parametrize("layout", ["int32", "int64"])
@pytest.mark.parametrize("kind", ["perceptron", "shuffled", "copied", "visited", "several", "means"])
def test_columns_that_another_thread_spoils_during_a_call_are_never_read_beyond_the_features(kind, layout):
    done = subprocess.run(
        [sys.executable, "-c", THREADS, kind, layout], capture_output=True, text=True, check=False, timeout=200
    )
    assert done.returncode == 0 and done.stdout == "alive\n", (done.returncode, done.stderr)


def test_a_rows_object_whose_arrays_were_changed_is_free_for_the_next_call():
    X, y = arrays()
    rows = linsep.rows(X, y)
    X[0, 0] += 1
    for _ in range(2):
        with pytest.raises(linsep.InputError, match=CHANGED):
            linsep.MarginClassifier().fit(rows)
