"""Threads: started once, kept, no slower than one, and there again in a forked process."""

import os
import resource
import shutil
import subprocess
import sys
import textwrap

import linsep
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

# Stands before the system's own pthread_create, and counts.
COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
static int count;
int threads_started(void) { return count; }
int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*), void* argument) {
  int (*own)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = dlsym(RTLD_NEXT, "pthread_create");
  __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  return own(thread, how, run, argument);
}
"""
FOLDS = {
    "hinge": "linsep.MarginClassifierCV(alphas=[1.0, 0.1], cv=3, gap=0.1, n_jobs=2)",
    "logistic": "linsep.MarginClassifierCV(loss='logistic', alphas=[1.0, 0.1], cv=3, gap=0.1, n_jobs=2)",
    "platt": "linsep.MarginClassifier(probabilities='platt', alpha=0.1, gap=0.1, n_jobs=2)",
    "several classes": "linsep.MarginClassifier(alpha=0.1, gap=0.1, n_jobs=2)",
}


@pytest.fixture(scope="module", name="data")
def fixture_data():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module", name="counter")
def fixture_counter(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("counter")
    (folder / "counter.c").write_text(COUNTER)
    library = folder / "counter.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, folder / "counter.c", "-ldl"], check=True)
    return library


def printed(script, counter):
    """Return what a script prints, as integers; `started()` in it counts threads."""
    begin = "import ctypes, os, linsep, numpy as np\nstarted = ctypes.CDLL(None).threads_started\n"
    done = subprocess.run(
        [sys.executable, "-c", begin + textwrap.dedent(script)],
        env={**os.environ, "LD_PRELOAD": str(counter), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in done.stdout.split()]


@pytest.mark.parametrize("name", FOLDS)
def test_a_fit_starts_as_many_threads_as_it_may_use(name, counter):
    script = f"""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 10))
        y = (X[:, 0] + rng.normal(size=20_000) > 0).astype(int)
        if {name == "several classes"}:
            y = np.digitize(X[:, 0] + rng.normal(size=20_000), [-1, 0, 1])
        linsep.Perceptron(max_iter=1, n_jobs=1).fit([[0.0], [1.0]], [0, 1])  # what is imported starts threads of its own
        before = started()
        {FOLDS[name]}.fit(X, y)
        print(started() - before)
    """
    assert printed(script, counter) == [1]  # it has one since the call before


CALLS = """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_000, 10))
    y = (X[:, 0] + rng.normal(size=2_000) > 0).astype(int)
    linsep.Perceptron(max_iter=1, n_jobs=1).fit([[0.0], [1.0]], [0, 1])  # what is imported starts threads of its own

    def calls():
        before = started()
        for _ in range(5):
            model = linsep.MarginClassifier(loss="logistic", gap=0.1, n_jobs=1).fit(X, y)
            model.predict(X), model.predict_proba(X), model.score(X, y)
        return started() - before
"""


def test_calls_with_one_job_share_one_thread(counter):
    assert printed(CALLS + "    print(calls(), calls())", counter) == [0, 0]  # they use that of the call before


def test_a_forked_process_starts_a_thread_of_its_own(counter):
    fork = """
    first = calls()
    child = os.fork()
    if child == 0:
        print(first, calls(), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    """
    assert printed(CALLS + fork, counter) == [0, 1]


def test_scoring_a_row_starts_no_thread(counter, data, tmp_path):
    linsep.MarginClassifier(loss="logistic").fit(*data).model_.save(tmp_path / "model.json")
    script = f"""
        model = linsep.load({str(tmp_path / "model.json")!r})
        row = np.zeros((1, 30))
        before = started()
        for _ in range(5):
            model.decision_function(row), model.predict(row), model.predict_proba(row)
        print(started() - before)
    """
    assert printed(script, counter) == [0]


def switches(estimator, X, y):
    before = resource.getrusage(resource.RUSAGE_SELF)
    estimator.fit(X, y)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_nvcsw - before.ru_nvcsw


@pytest.mark.parametrize("more", [{}, {"probabilities": "platt"}])
def test_folds_of_few_rows_are_not_handed_around(more, data):
    assert switches(linsep.MarginClassifierCV(n_jobs=2, **more), *data) < 2000  # each row of each pass was, before


def test_threads_change_no_bit(data):
    for estimator in (linsep.MarginClassifierCV, linsep.MarginClassifier):
        one = estimator(probabilities="platt", n_jobs=1).fit(*data)
        two = estimator(probabilities="platt", n_jobs=2).fit(*data)
        assert one.model_.to_bytes() == two.model_.to_bytes()


def test_a_forked_process_fits_as_its_parent_does():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 20))
    y = X[:, 0] + rng.normal(size=60_000) > 0
    wanted = linsep.MarginClassifier(loss="logistic", n_jobs=2).fit(X, y).coef_  # the parent has its threads now
    child = os.fork()
    if child == 0:
        import signal

        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        found = linsep.MarginClassifier(loss="logistic", n_jobs=2).fit(X, y).coef_
        os._exit(0 if np.array_equal(found, wanted) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_folds_of_scikit_learn_run_in_processes(data):
    linsep.MarginClassifier(n_jobs=2).fit(*data)
    one, two = (cross_val_score(linsep.MarginClassifier(n_jobs=2), *data, n_jobs=n) for n in (1, 2))
    assert np.array_equal(one, two)
