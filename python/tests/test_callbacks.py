"""Callbacks hear every pass, and may stop the run; verbose prints; Ctrl-C keeps the classifier."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import linsep

pytest.importorskip("sklearn.callback")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 5))
Y = RNG.integers(0, 2, size=200)


class Recorder:
    """Keeps what the hooks were told; stops after a pass if asked to."""

    def __init__(self, stop_at=None, error_at=None):
        self.begun, self.ended, self.progress = [], [], []
        self.stop_at, self.error_at = stop_at, error_at
        self.torn_down = 0

    def setup(self, estimator, context):
        self.threads = [threading.current_thread()]

    def teardown(self, estimator, context):
        self.torn_down += 1

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context, *, metadata=None):
        self.ended.append(context.task_name)
        self.threads.append(threading.current_thread())
        if context.task_name == "pass":
            self.progress.append(metadata["progress"])
            if len(self.progress) == self.error_at:
                raise RuntimeError("from a callback")
            return len(self.progress) == self.stop_at
        return False


@pytest.mark.parametrize(
    "estimator",
    [
        linsep.Perceptron(max_iter=6),
        linsep.KernelPerceptron(max_iter=6),
        linsep.MarginClassifier(max_iter=6, gap=1e-14),
    ],
    ids=str,
)
def test_callbacks_hear_every_pass_in_the_callers_thread(estimator):
    recorder = Recorder()
    estimator.set_callbacks(recorder).fit(X, Y)
    assert len(recorder.progress) == estimator.n_iter_
    assert [record["pass"] for record in recorder.progress] == list(range(1, estimator.n_iter_ + 1))
    assert recorder.begun[0] == "fit" and recorder.ended[-1] == "fit"
    assert sorted(recorder.begun) == sorted(recorder.ended)
    assert set(recorder.threads) == {threading.current_thread()}
    assert recorder.torn_down == 1


def test_true_from_a_callback_stops_after_that_pass():
    estimator = linsep.Perceptron(max_iter=50).set_callbacks(Recorder(stop_at=3))
    estimator.fit(X, Y)
    assert estimator.n_iter_ == 3
    three = linsep.Perceptron(max_iter=3).fit(X, Y)
    np.testing.assert_array_equal(estimator.coef_, three.coef_)


def test_an_error_in_a_callback_reaches_the_caller_and_the_classifier_stays():
    estimator = linsep.Perceptron(max_iter=50).set_callbacks(recorder := Recorder(error_at=2))
    with pytest.raises(RuntimeError, match="from a callback"):
        estimator.fit(X, Y)
    assert recorder.torn_down == 1
    assert estimator.predict(X).shape == (200,)


def test_callbacks_do_not_change_the_result():
    heard = linsep.MarginClassifier().set_callbacks(Recorder()).fit(X, Y)
    np.testing.assert_array_equal(heard.coef_, linsep.MarginClassifier().fit(X, Y).coef_)


def test_callbacks_reach_an_estimator_in_a_pipeline():
    recorder = Recorder()
    pipeline = make_pipeline(StandardScaler(), linsep.Perceptron(max_iter=4).set_callbacks(recorder))
    pipeline.fit(X, Y)
    assert len(recorder.progress) == 4


class Propagated(Recorder):
    max_propagation_depth = None


def test_callbacks_of_a_search_reach_its_estimators():
    recorder = Propagated()
    search = GridSearchCV(linsep.Perceptron(max_iter=2), {"eta0": [1.0]}, cv=2).set_callbacks(recorder)
    search.fit(X, Y)
    assert len(recorder.progress) == 3 * 2


def test_scikit_learns_own_callbacks_are_served(capsys):
    from sklearn.callback import ProgressBar, ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    linsep.Perceptron(max_iter=3).set_callbacks(monitor).fit(X, Y)
    assert monitor.get_logs() is not None
    pytest.importorskip("rich")
    linsep.Perceptron(max_iter=3).set_callbacks(ProgressBar()).fit(X, Y)
    assert "Perceptron - fit" in capsys.readouterr().out


def test_verbose_prints_to_standard_error(capsys, monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr("linsep._callbacks.time.monotonic", lambda: 2.0 * next(clock))
    linsep.MarginClassifier(verbose=1, max_iter=3, gap=1e-14).fit(X, Y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "MarginClassifier: training, pass 1" in captured.err and "gap" in captured.err


def test_an_interrupt_keeps_the_classifier_of_the_moment():
    class Interrupting(Recorder):
        def on_fit_task_end(self, estimator, context, *, metadata=None):
            super().on_fit_task_end(estimator, context, metadata=metadata)
            if len(self.progress) == 2:
                signal.raise_signal(signal.SIGINT)

    estimator = linsep.Perceptron(max_iter=10**6).set_callbacks(Interrupting())
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, Y)
    assert estimator.predict(X).shape == (200,)
    assert estimator.n_iter_ < 10**6


def test_a_callback_may_fit_another_estimator():
    class Fitting(Recorder):
        def on_fit_task_begin(self, estimator, context):
            super().on_fit_task_begin(estimator, context)
            linsep.Perceptron(max_iter=1).fit(X, Y)

    estimator = linsep.Perceptron(max_iter=3).set_callbacks(Fitting()).fit(X, Y)
    assert estimator.n_iter_ == 3


def test_without_scikit_learns_callbacks_estimators_still_fit():
    code = (
        "import sklearn.callback; del sklearn.callback.CallbackSupportMixin\n"
        "import linsep\n"
        "print(linsep.Perceptron().fit([[0.0], [1.0]], [0, 1]).predict([[2.0]])[0], "
        "hasattr(linsep.Perceptron, 'set_callbacks'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1", "False"], done.stderr
