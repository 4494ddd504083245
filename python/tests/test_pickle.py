"""Estimators and models survive pickle, joblib, skops, copies and model files."""

import copy
import io
import pickle

import joblib
import numpy as np
import pytest

import linsep

X = np.random.default_rng(0).normal(size=(40, 4))
Y = np.array(["no", "yes"])[(X[:, 0] + X[:, 1] > 0).astype(int)]
ESTIMATORS = [
    linsep.MarginClassifier(loss="logistic"),
    linsep.MarginClassifierCV(alphas=[0.1, 0.01], cv=2),
    linsep.HardMarginClassifier(),
    linsep.Perceptron(),
    linsep.Perceptron(variant="voted"),
    linsep.KernelPerceptron(kernel="gaussian"),
    linsep.BasicLinearClassifier(map="products"),
    linsep.LeastSquaresClassifier(),
    linsep.PerceptronRegressor(),
]


def fitted(estimator):
    target = X @ [1.0, 2.0, 0.0, 0.0] if isinstance(estimator, linsep.PerceptronRegressor) else Y
    return estimator.fit(X, target)


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def assert_same(found, expected):
    assert type(found) is type(expected)
    assert str(found.get_params()) == str(expected.get_params())
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    assert found.model_ == expected.model_


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_a_pickle_predicts_the_same(estimator):
    fitted(estimator)
    found = pickle.loads(pickle.dumps(estimator))
    assert_same(found, estimator)
    assert found.history_.tobytes() == estimator.history_.tobytes()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_joblib_and_copies_predict_the_same(estimator):
    fitted(estimator)
    stream = io.BytesIO()
    joblib.dump(estimator, stream)
    stream.seek(0)
    assert_same(joblib.load(stream), estimator)
    assert_same(copy.deepcopy(estimator), estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_skops_keeps_estimators(estimator):
    skops_io = pytest.importorskip("skops.io")
    fitted(estimator)
    data = skops_io.dumps(estimator)
    trusted = skops_io.get_untrusted_types(data=data)
    assert all(name.startswith(("linsep.", "numpy.")) for name in trusted), trusted
    assert_same(skops_io.loads(data, trusted=trusted), estimator)


def test_the_state_holds_parameters_arrays_and_the_model_file():
    state = fitted(linsep.Perceptron()).__getstate__()
    assert "model_" not in state
    assert linsep.Model.from_bytes(state["_model_file"]).learner == "perceptron"


def test_a_pickle_of_another_format_is_refused():
    estimator = fitted(linsep.Perceptron())
    with pytest.raises(ValueError, match="format 99"):
        linsep.Perceptron().__setstate__({**estimator.__getstate__(), "_linsep_format": 99})


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.parametrize("name", ["model.json", "model.linsep"])
def test_a_model_file_gives_the_estimator_that_made_it(estimator, name, tmp_path):
    fitted(estimator)
    estimator.model_.save(tmp_path / name)
    found = linsep.load(tmp_path / name)
    np.testing.assert_array_equal(found.predict(X), estimator.predict(X))
    assert found.model_ == estimator.model_
    if not isinstance(
        estimator, linsep.MarginClassifierCV
    ):  # a file knows the λ that was chosen, not the others
        assert type(found) is type(estimator)
        ignored = {"prove", "time_limit", "n_jobs", "verbose"}
        same = {k: v for k, v in estimator.get_params().items() if k not in ignored}
        assert {k: v for k, v in found.get_params().items() if k in same} == same


def test_loaded_classes_are_numbers_where_all_names_are(tmp_path):
    linsep.Perceptron().fit([[0.0], [1.0]], [3, 7]).model_.save(tmp_path / "model.json")
    found = linsep.load(tmp_path / "model.json")
    assert found.classes_.tolist() == [3, 7]
    assert found.predict([[2.0]]).tolist() == [7]


def test_a_damaged_model_file_is_an_input_error(tmp_path):
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(linsep.InputError) as caught:
        linsep.load(tmp_path / "model.json")
    assert "model.json" in str(caught.value)


def test_errors_survive_a_pickle():
    error = pickle.loads(pickle.dumps(linsep.InputError("a:3: b", "a", 3)))
    assert (str(error), error.file, error.line) == ("a:3: b", "a", 3)
    warning = pickle.loads(pickle.dumps(linsep.GapWarning("text", "passes", 0.5)))
    assert (str(warning), warning.code, warning.gap) == ("text", "passes", 0.5)


@pytest.mark.parametrize(
    "change",
    [{"learner": "nobody"}, {"options": {"C": "much"}}, {"options": {"C": -1.0}}, {"options": {"l1-ratio": [1, 2]}}],
    ids=str,
)
def test_a_model_file_that_no_estimator_could_have_written_is_refused_by_its_name(change, tmp_path):
    import json

    path = tmp_path / "model.json"
    linsep.MarginClassifier().fit([[0.0], [1.0], [3.0]], [0, 0, 1]).model_.save(path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    options = {**whole["options"], **change.get("options", {})}
    path.write_text(json.dumps({**whole, **change, "options": options}), encoding="utf-8")
    with pytest.raises(linsep.InputError, match=r"model\.json: not a model file"):
        linsep.load(path)


def test_every_changed_field_of_a_model_file_is_an_error_of_linsep_or_none(tmp_path):
    import json

    path = tmp_path / "model.json"
    linsep.MarginClassifier().fit([[0.0], [1.0], [3.0]], [0, 0, 1]).model_.save(path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    for place in (whole, whole["options"]):
        for key, value in list(place.items()):
            for other in (None, "x", [], {}, -1, [None], "\N{SNOWMAN}"):
                place[key] = other
                path.write_text(json.dumps(whole), encoding="utf-8")
                try:
                    linsep.load(path)
                except (linsep.InputError, linsep.UsageError) as error:
                    assert "model.json" in str(error)
            place[key] = value


def test_a_loaded_estimator_has_the_gap_that_was_reached(tmp_path):
    estimator = linsep.LogisticRegression(tol=1e-12, max_iter=1).fit(X, Y)
    estimator.model_.save(tmp_path / "m.json")
    found = linsep.load(tmp_path / "m.json")
    assert found.stopped_because_ == estimator.stopped_because_ == "passes"
    assert found.gap_ == estimator.gap_ > 1e-12
    assert found.objective_ == estimator.objective_
    assert linsep.Model.load(tmp_path / "m.json").training["bound"] <= found.objective_


def test_a_loaded_perceptron_knows_why_it_stopped(tmp_path):
    linsep.Perceptron().fit(X, Y).model_.save(tmp_path / "m.json")
    assert set(linsep.Model.load(tmp_path / "m.json").training) == {"stopped"}
    assert not hasattr(linsep.load(tmp_path / "m.json"), "gap_")
