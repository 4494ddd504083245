"""Models in MLflow: stored as model files, without pickle."""

import os
import pathlib

import linsep
import numpy as np
import pytest

mlflow = pytest.importorskip("mlflow.pyfunc", reason="mlflow isn't installed")
pd = pytest.importorskip("pandas", reason="pandas isn't installed")


def files_of(folder):
    return [path.name for path in pathlib.Path(folder).rglob("*") if path.is_file()]


def test_a_classifier_of_a_data_frame_predicts_the_same_when_it_was_loaded(tmp_path):
    import linsep.mlflow

    X, y = linsep.generate("noisy", rows=100, features=3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    classifier = linsep.MarginClassifier().fit(frame, np.where(y > 0, "yes", "no"))
    linsep.mlflow.save_model(classifier, tmp_path / "stored")
    assert not [name for name in files_of(tmp_path / "stored") if name.endswith(("pkl", "pickle"))]
    loaded = mlflow.load_model(str(tmp_path / "stored"))
    assert list(loaded.predict(frame)) == classifier.predict(frame).tolist()


def test_a_model_of_the_command_line_is_loaded_by_the_loader_module(tmp_path):
    linsep.generate("patients", tmp_path / "patients.csv", rows=200)
    classifier = linsep.MarginClassifier(loss="logistic").fit(tmp_path / "patients.csv")
    classifier.model_.save(tmp_path / "patients.model")
    mlflow.save_model(
        str(tmp_path / "stored"), loader_module="linsep.mlflow", data_path=str(tmp_path / "patients.model"),
        pip_requirements=["linsep"],
    )  # fmt: skip
    loaded = mlflow.load_model(str(tmp_path / "stored"))
    pytest.importorskip("pyarrow", reason="a data frame becomes an Arrow stream by pyarrow")
    frame = pd.read_csv(tmp_path / "patients.csv", parse_dates=["admitted"]).drop(columns="outcome")
    assert list(loaded.predict(frame)) == classifier.predict(tmp_path / "patients.csv").tolist()


def test_scores_and_probabilities_are_answers_too(tmp_path):
    from linsep.mlflow import _load_pyfunc

    X, y = linsep.generate("noisy", rows=100, features=3)
    classifier = linsep.MarginClassifier(loss="logistic").fit(X, y)
    os.mkdir(tmp_path / "folder")
    classifier.model_.save(tmp_path / "folder" / "one.model")
    loaded = _load_pyfunc(str(tmp_path / "folder"))
    assert np.array_equal(loaded.predict(X, {"answer": "score"}), classifier.decision_function(X))
    assert np.array_equal(loaded.predict(X, {"answer": "probability"}), classifier.predict_proba(X))
    with pytest.raises(linsep.UsageError, match="'answer' takes"):
        loaded.predict(X, {"answer": "all"})


@pytest.mark.parametrize("given", ["none", "inferred"])
def test_params_reach_the_stored_model(given, tmp_path):
    import linsep.mlflow
    from mlflow.models import infer_signature

    X, y = linsep.generate("noisy", rows=100, features=3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    classifier = linsep.MarginClassifier(loss="logistic").fit(frame, y)
    more = {} if given == "none" else {"signature": infer_signature(frame, y)}
    linsep.mlflow.save_model(classifier, tmp_path / "stored", **more)
    loaded = mlflow.load_model(str(tmp_path / "stored"))
    assert np.array_equal(loaded.predict(frame), classifier.predict(frame))
    probabilities = loaded.predict(frame, params={"answer": "probability"})
    assert np.array_equal(probabilities, classifier.predict_proba(frame))
    assert (loaded.metadata.signature.inputs is None) == (given == "none")


def test_a_file_that_is_no_model_is_refused(tmp_path):
    from linsep.mlflow import _load_pyfunc

    (tmp_path / "no.model").write_bytes(b"\x80\x04pickled")
    with pytest.raises(linsep.InputError):
        _load_pyfunc(str(tmp_path / "no.model"))
