"""Ctrl-C in any phase of any call: it returns within half a second and leaves a fitted estimator, or none."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import linsep
from linsep import _core

SECONDS = 0.5  # of the better of two tries
MOST = 20  # even where the machine is so busy that only its work is measured
AGAIN = 30  # seconds after which an interrupt counts as lost


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(autouse=True, name="heard")
def fixture_heard():
    """Ctrl-C raises KeyboardInterrupt, also where these tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def threads_alive():
    return len(os.listdir("/proc/self/task"))


KEPT = len(os.sched_getaffinity(0)) - 1  # threads that wait for the next call


def interrupted_after(wait, call):
    """Sends SIGINT while `call` runs. Returns the seconds until it returned; None where it ended before.

    On a machine that others use too, the seconds of work count, and not those of waiting for a core. An interrupt that Python
    raises where exceptions can't leave, such as a finaliser, is lost: then another one is sent, as people do.
    """
    sent = []
    ended = threading.Event()

    def send():
        while not ended.wait(AGAIN if sent else wait):
            sent[:] = [time.perf_counter(), time.process_time()]
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    try:
        sender.start()
        try:
            call()
        finally:
            ended.set()
            sender.join()
    except KeyboardInterrupt:
        ended.set()
        waited, worked = time.perf_counter() - sent[0], time.process_time() - sent[1]
        assert waited < MOST
        return min(waited, worked + 0.1)
    return None


def assert_quick(call, wait=0.15):
    """Of a call that ends too soon, the signal is sent sooner."""
    most = threads_alive() + KEPT
    tries = []
    while len(tries) < 2 and not (tries and tries[0] < SECONDS):
        took = interrupted_after(wait, call)
        if took is not None:
            tries.append(took)
            continue
        wait /= 2
        assert wait > 0.005, "the call ends before a signal can be sent"
    assert min(tries) < SECONDS
    deadline = time.monotonic() + 2
    while threads_alive() > most and time.monotonic() < deadline:  # a timer's thread may be about to end
        time.sleep(0.01)
    assert threads_alive() <= most


@pytest.fixture(scope="module", name="noise")
def fixture_noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40_000, 50)).astype(np.float32), rng.integers(0, 2, 40_000)


def core_rows(noise, take=None, repeat=1):
    x, y = noise
    x = np.tile(x[:take], (1, repeat))
    return _core.rows_of_dense(x, label=(2 * y[:take] - 1).astype(np.int8), classes=["a", "b"])


ENDLESS = {"passes": 10**9}
MARGIN = {"gap": 1e-14, **ENDLESS}
FITS = {
    "perceptron": ("perceptron", ENDLESS),
    "perceptron, shuffled": ("perceptron", {"order": "shuffled", **ENDLESS}),
    "averaged perceptron": ("perceptron", {"variant": "averaged", **ENDLESS}),
    "voted perceptron": ("perceptron", {"variant": "voted", **ENDLESS}),
    "dual perceptron": ("dual", {"kernel": "polynomial", **ENDLESS}),
    "margin, dual": ("margin", {"solver": "dual", **MARGIN}),
    "margin, planes": ("margin", {"solver": "planes", **MARGIN}),
    "margin, interior": ("margin", {"solver": "interior", **MARGIN}),
    "margin, newton": ("margin", {"loss": "logistic", "solver": "newton", **MARGIN}),
    "basic": ("basic", {}),
    "least squares": ("least-squares", {"matrix": "full"}),
    "conjugate gradients": ("least-squares", {"matrix": "cg", "tolerance": 1e-300, **ENDLESS}),
}


@pytest.mark.parametrize("copy_rows", [True, False])
@pytest.mark.parametrize("name", FITS)
def test_training_returns_with_the_model_of_the_moment(name, copy_rows, noise):
    rows = core_rows(noise, repeat={"basic": 40, "least squares": 12, "margin, newton": 12}.get(name, 1))  # long enough
    outcomes = []

    def train():
        outcomes.append(_core.fit(rows, *FITS[name], copy_rows=copy_rows))
        if outcomes[-1].pending is not None:
            raise outcomes[-1].pending

    assert_quick(train)
    assert outcomes[-1].reason == "interrupted"
    assert outcomes[-1].model.score(core_rows(noise, 10, outcomes[-1].model.features // 50)).shape == (10,)


def test_training_through_a_map_returns(noise):
    rows = core_rows(noise)

    def train():
        raise _core.fit(rows, "margin", {"solver": "planes", **MARGIN}, map="products").pending or ValueError

    assert_quick(train)


def test_a_choice_of_lambda_returns(noise):
    rows = core_rows(noise)

    def train():
        raise _core.select(rows, {"gap": 1e-9}, {"cv": 5}).pending or ValueError

    assert_quick(train)


@pytest.mark.parametrize(
    "estimator", [linsep.Perceptron(max_iter=10**9), linsep.MarginClassifier(max_iter=10**9, gap=1e-14)]
)
@pytest.mark.parametrize("classes", [2, 5])
def test_an_estimator_is_fitted_then(estimator, classes, noise):
    x = noise[0]
    y = np.random.default_rng(1).integers(0, classes, len(x))
    for wait in (0.2, 0.4, 0.8, 1.6):  # checking the arrays takes some time too
        assert interrupted_after(wait, lambda: estimator.fit(x, y)) < 2 * SECONDS
        if hasattr(estimator, "model_"):
            break
    assert estimator.stopped_because_ == "interrupted"
    assert set(estimator.predict(x[:100])) <= set(range(classes))


def test_scores_are_interrupted(noise):
    model = _core.fit(
        core_rows(noise, 3000), "dual", {"passes": 1, "kernel": "polynomial", "degree": 3}
    ).model
    rows = core_rows(noise)
    assert_quick(lambda: model.score(rows, threads=1))
    assert_quick(lambda: _core.evaluate(rows, model, threads=1))


def test_distances_are_interrupted(noise):
    rows = core_rows(noise, repeat=40)
    model = _core.fit(rows, "perceptron", {"passes": 1}).model
    assert_quick(lambda: _core.distances(rows, model))


def test_proofs_are_interrupted(noise):
    rows = core_rows(noise)

    def bound_mistakes():
        raise _core.certify(rows, mistakes=True, mistake_limit=10**9).pending or ValueError

    assert_quick(bound_mistakes)
    certificate = _core.certify(rows).certificate
    assert_quick(lambda: _core.seal(certificate, rows))
    assert_quick(lambda: _core.digest(rows))
    sealed = _core.seal(certificate, rows)
    assert_quick(lambda: _core.verify(sealed, rows))


def test_reading_is_interrupted(tmp_path):
    path = tmp_path / "rows.csv"
    numbers = np.random.default_rng(0).normal(size=(1000, 60))
    block = "\n".join(",".join(f"{v:.6f}" for v in row) + ",a" for row in numbers)
    path.write_text((block + "\n") * 80 + block.replace(",a", ",b") + "\n")
    assert_quick(lambda: linsep.BasicLinearClassifier().fit(linsep.scan(path)), wait=0.1)
    pages = tmp_path / "rows.pages"

    def convert():
        pages.unlink(missing_ok=True)  # of a try that ended before its signal
        linsep.convert(path, pages)

    assert_quick(convert, wait=0.02)
    if pages.exists():  # the signal came after the last row, and the file is whole
        assert linsep.BasicLinearClassifier().fit(linsep.scan(pages)).model_.features == 60


def small():
    x = np.random.default_rng(0).normal(size=(60, 3))
    return _core.rows_of_dense(x, label=np.tile(np.array([1, -1], "i1"), 30), classes=["a", "b"])


def ended(record):
    return record["pass_ended"]


def test_a_callback_stops_the_run_after_its_pass():
    for pass_ in (1, 7):
        outcome = _core.fit(
            small(), "perceptron", {}, observe=lambda r, at=pass_: ended(r) and r["pass"] == at
        )
        assert (outcome.reason, outcome.passes, outcome.pending) == ("interrupted", pass_, None)
        assert outcome.model == _core.fit(small(), "perceptron", {}, stop_after_pass=pass_).model


def test_a_stop_asked_for_within_a_pass_comes_at_its_end():
    x = np.random.default_rng(0).normal(size=(200_000, 5))
    rows = _core.rows_of_dense(x, label=np.tile(np.array([1, -1], "i1"), 100_000), classes=["a", "b"])
    outcome = _core.fit(rows, "perceptron", {}, observe=lambda r: r["phase"] == "training" and r["pass"] == 3)
    assert (outcome.reason, outcome.passes) == ("interrupted", 3)


def test_callbacks_run_in_the_calling_thread_once_per_pass():
    seen = []
    rows = small()
    _core.fit(
        rows, "perceptron", {"passes": 40}, observe=lambda r: seen.append((r, threading.get_ident())) and None
    )
    assert [r["pass"] for r, _ in seen if ended(r)] == list(range(1, 41))
    assert {thread for _, thread in seen} == {threading.get_ident()}


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_a_callback_raises_waits_until_the_model_is_kept(kind):
    def fail(record):
        if ended(record) and record["pass"] == 3:
            raise kind("no")

    outcome = _core.fit(small(), "perceptron", {}, observe=fail)
    assert type(outcome.pending) is kind
    assert outcome.pending.__traceback__ is not None
    assert outcome.passes == 3


def test_what_a_callback_raises_ends_a_call_that_keeps_nothing():
    def fail(record):
        raise ValueError("no")

    rows = small()
    model = _core.fit(rows, "basic", {}).model
    with pytest.raises(ValueError, match="no"):
        model.score(rows, observe=fail)
    assert model.score(rows).shape == (60,)


def test_a_callback_may_train_but_not_on_the_same_rows():
    rows, others, told = small(), small(), []

    def train(record):
        told.append(_core.fit(others, "basic", {}).reason)
        with pytest.raises(_core.Error, match="in use"):
            _core.fit(rows, "basic", {})

    outcome = _core.fit(rows, "perceptron", {"passes": 3}, observe=train)
    assert outcome.pending is None and outcome.passes == 3
    assert set(told) == {"converged"}
    assert _core.fit(rows, "basic", {}).reason == "converged"


def test_an_outcome_that_its_own_exception_refers_to_is_collected():
    import gc
    import weakref

    class Marker:
        pass

    def run():
        marker = Marker()

        def fail(record):
            raise ValueError(marker)

        outcome = _core.fit(small(), "perceptron", {}, observe=fail)
        try:
            raise outcome.pending
        except ValueError:
            return weakref.ref(marker)

    reference = run()
    gc.collect()
    assert reference() is None


def test_estimators_train_at_the_same_time_in_threads(noise):
    x, y = noise[0][:4000], noise[1][:4000]
    wanted = linsep.Perceptron(max_iter=5).fit(x, y).coef_
    found = [None] * 4

    def train(i):
        found[i] = linsep.Perceptron(max_iter=5).fit(x, y).coef_

    threads = [threading.Thread(target=train, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one, wanted) for one in found)
