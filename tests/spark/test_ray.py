"""linsep.ray on a real Ray of this machine with two actors: the model of one process, and nothing silently lost."""
import importlib.util
import os
import signal
import threading
import time

import local_ray
import numpy as np
import pytest

linsep = pytest.importorskip("linsep")
if importlib.util.find_spec("ray") is None:
    pytest.skip("there is no ray", allow_module_level=True)


@pytest.fixture(scope="module")
def started():
    with local_ray.Ray() as running, pytest.MonkeyPatch.context() as patch:
        for name, value in running.environment.items():
            if name.startswith("RAY_"):
                patch.setenv(name, value)
        import ray  # takes its settings from the environment when it is imported

        ray.init(log_to_driver=False)
        yield running
        ray.shutdown()


def data(rows=2000, features=12):
    random = np.random.default_rng(5)
    X = random.normal(size=(rows, features))
    return X, (X[:, 0] - X[:, 1] + random.normal(size=rows) > 0).astype(np.int64)


def dataset(X, y, blocks=5):
    import pandas as pd
    import ray

    columns = {f"x{k}": X[:, k] for k in range(X.shape[1])}
    return ray.data.from_pandas(pd.DataFrame({**columns, "label": y})).repartition(blocks), list(columns)


@pytest.mark.parametrize("loss, solver", [("hinge", "planes"), ("squared_hinge", "newton"), ("logistic", "newton")])
def test_two_actors_make_the_model_of_one_process(started, loss, solver):
    import linsep.ray

    X, y = data()
    rows, columns = dataset(X, y)
    estimator = linsep.MarginClassifier(loss=loss, solver=solver)
    fitted = linsep.ray.fit(rows, estimator, features=columns)
    alone = linsep.MarginClassifier(loss=loss, solver=solver).fit(X, y)
    assert fitted.coef_.tobytes() == alone.coef_.tobytes()
    assert fitted.intercept_.tobytes() == alone.intercept_.tobytes()
    assert fitted.classes_.tolist() == [0, 1]
    assert not hasattr(estimator, "coef_")


def test_a_column_that_is_missing_is_an_error_of_the_caller(started):
    import linsep.ray

    rows, columns = dataset(*data(rows=50))
    with pytest.raises(linsep.errors.UsageError, match="no column 'nothing'"):
        linsep.ray.fit(rows, linsep.MarginClassifier(), features=[*columns, "nothing"])


def test_more_workers_than_there_is_room_for_are_refused(started, monkeypatch):
    import linsep.ray

    monkeypatch.setattr(linsep.ray, "START_SECONDS", 2.0)
    rows, columns = dataset(*data(rows=50))
    with pytest.raises(linsep.errors.UsageError, match="no room for 9 workers"):
        linsep.ray.fit(rows, linsep.MarginClassifier(), features=columns, workers=9)


def test_a_killed_actor_is_replaced_and_the_model_has_the_same_bits(started, tmp_path):
    import linsep.ray

    X, y = data(rows=20_000, features=40)
    rows, columns = dataset(X, y)
    estimator = linsep.MarginClassifier(loss="logistic", solver="newton", gap=1e-10, C=1e6)
    killed = []

    def kill():
        deadline = time.monotonic() + 120
        while not killed and time.monotonic() < deadline:
            if any(tmp_path.iterdir()):  # they train: there is a checkpoint
                killed.extend(list(started.processes("ray::_Worker"))[:1])
                for process in killed:
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    fitted = linsep.ray.fit(rows, estimator, features=columns, checkpoint=tmp_path, every="1 passes")
    thread.join()
    assert killed
    assert fitted.coef_.tobytes() == linsep.MarginClassifier(loss="logistic", solver="newton", gap=1e-10, C=1e6).fit(X, y).coef_.tobytes()
    assert not list(tmp_path.iterdir())
