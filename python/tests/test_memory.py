"""What training takes beside the caller's arrays: a child process, a thread that samples its resident memory.

Small here. By hand, and with LinearSVC beside it:
LINSEP_MEMORY_GB=3 LINSEP_NIGHTLY=1 python -m pytest -s test_memory.py.
"""

import json
import os
import subprocess
import sys

import pytest

GIGABYTES = float(os.environ.get("LINSEP_MEMORY_GB", "0.12"))
MOST = 0.10  # of the bytes of the caller's arrays

CHILD = r"""
import gc, json, os, sys, threading, time, warnings
import numpy as np
from scipy import sparse

kind, columns, gigabytes, learner = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def arrays():
    rng = np.random.default_rng(0)
    if kind == "dense":
        width = 400
        rows = int(gigabytes * 1e9 / (4 * width))
        x = np.empty((rows, width), dtype=np.float32, order=columns)
        for first in range(0, rows, 10000):
            x[first : first + 10000] = rng.normal(size=x[first : first + 10000].shape)
        return x, rows, x.nbytes
    per_row, width = 150, 50000
    rows = int(gigabytes * 1e9 / (per_row * (4 + np.dtype(columns).itemsize)))
    column = np.empty(rows * per_row, dtype=columns)
    step = width // per_row
    for first in range(0, rows, 10000):
        count = min(10000, rows - first)
        block = np.arange(per_row) * step + rng.integers(0, step, (count, per_row))
        column[first * per_row : (first + count) * per_row] = block.ravel()
    value = rng.random(rows * per_row, dtype=np.float32)
    start = np.arange(0, rows * per_row + 1, per_row, dtype=columns)
    x = sparse.csr_array((value, column, start), shape=(rows, width))
    assert x.indices.dtype == columns
    return x, rows, x.data.nbytes + x.indices.nbytes + x.indptr.nbytes


x, rows, size = arrays()
y = (np.arange(rows) * 2654435761 % 7 < 3).astype(np.int8)
warnings.simplefilter("ignore")
if learner == "LinearSVC":
    from sklearn.svm import LinearSVC
    made = LinearSVC(max_iter=2)
else:
    import linsep
    made = eval("linsep." + learner)
    small = x[:50]
    # What is imported when it is first used.
    type(made)(**made.get_params()).fit(small, np.arange(50) % 2).predict(small)
gc.collect()
before, peak, done = resident(), 0, False


def sample():
    global peak
    while not done:
        peak = max(peak, resident())
        time.sleep(0.002)


thread = threading.Thread(target=sample)
thread.start()
began = time.perf_counter()
error = None
try:
    made.fit(x, y)
except Exception as failure:
    error = repr(failure)
done = True
thread.join()
seconds = time.perf_counter() - began
print(json.dumps({"size": size, "raised": peak - before, "seconds": seconds, "error": error}))
"""


def measured(kind, columns, learner):
    child = subprocess.run(
        [sys.executable, "-c", CHILD, kind, columns, str(GIGABYTES), learner],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found = json.loads(child.stdout)
    share = found["raised"] / found["size"]
    print(
        f"\n{kind} {columns}, {found['size'] / 1e6:,.0f} MB, {learner}: "
        f"raised by {found['raised'] / 1e6:,.0f} MB "
        f"({100 * share:.1f} %) in {found['seconds']:.1f} s"
        + (f", {found['error']}" if found["error"] else "")
    )
    return found, share


LEARNERS = ["Perceptron(max_iter=2, n_jobs=1)", "MarginClassifier(max_iter=2, copy_X=False, n_jobs=1)"]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer's memory is its own")
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("kind", "columns"), [("sparse", "int32"), ("sparse", "int64"), ("dense", "C")])
def test_arrays_that_can_be_taken_as_they_are_are_not_copied(kind, columns, learner):
    found, share = measured(kind, columns, learner)
    assert found["error"] is None
    assert share < MOST + 8e6 / found["size"]  # and what any small fit takes


@pytest.mark.skipif(not os.environ.get("LINSEP_NIGHTLY"), reason="for comparison, with LINSEP_NIGHTLY=1")
@pytest.mark.parametrize(
    ("kind", "columns"), [("sparse", "int32"), ("sparse", "int64"), ("dense", "C"), ("dense", "F")]
)
@pytest.mark.parametrize("learner", ["LinearSVC", "MarginClassifier(max_iter=2)"])
def test_what_copies_take_is_shown(kind, columns, learner):
    found, _ = measured(kind, columns, learner)
    assert found["size"] > 0
