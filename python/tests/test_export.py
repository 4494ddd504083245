"""Models in ONNX, SQL and C give the labels of `predict` where linsep isn't installed."""

import shutil
import subprocess

import linsep
import numpy as np
import pytest


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "patients.csv"
    linsep.generate("patients", path, rows=300)
    return path


@pytest.fixture(scope="module")
def of_table(patients):
    return linsep.MarginClassifier(loss="logistic").fit(linsep.scan(patients))


@pytest.fixture(scope="module")
def numbers():
    X, y = linsep.generate("noisy", rows=200, features=4)
    return X.astype(np.float32), y  # exports round numbers to floats, as reading a file does


def near(scores, expected):
    return np.allclose(np.ravel(scores), expected, rtol=1e-12, atol=1e-12)


def test_onnx_of_arrays_gives_the_labels_of_predict(numbers):
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime isn't installed")
    X, y = numbers
    classifier = linsep.MarginClassifier(probabilities="platt").fit(X, np.where(y > 0, "yes", "no"))
    session = onnxruntime.InferenceSession(linsep.to_onnx(classifier))
    label, score, probability = session.run(None, {session.get_inputs()[0].name: X.astype(np.float64)})
    assert np.ravel(label).tolist() == classifier.predict(X).tolist()
    assert near(score, classifier.decision_function(X))
    assert near(probability, classifier.predict_proba(X)[:, 1])


def test_onnx_in_floats_has_seven_digits(numbers):
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime isn't installed")
    X, y = numbers
    classifier = linsep.MarginClassifier().fit(X, np.where(y > 0, "yes", "no"))
    session = onnxruntime.InferenceSession(linsep.to_onnx(classifier, double=False))
    score = np.ravel(session.run(["score"], {"x": X})[0])
    assert np.array_equal(score, score.astype(np.float32))  # what a float can hold
    assert np.allclose(score, classifier.decision_function(X), rtol=1e-5, atol=1e-5)


def test_onnx_of_several_classes(numbers):
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime isn't installed")
    X = numbers[0]
    y = np.where(X[:, 0] > 0.5, "c", np.where(X[:, 1] > 0, "b", "a"))
    classifier = linsep.LeastSquaresClassifier().fit(X, y)
    session = onnxruntime.InferenceSession(linsep.to_onnx(classifier.model_))
    label, score = session.run(None, {session.get_inputs()[0].name: X.astype(np.float64)})
    assert np.ravel(label).tolist() == classifier.predict(X).tolist()
    assert near(score, np.ravel(classifier.decision_function(X)))


def test_sql_of_a_table_gives_the_labels_of_predict(patients, of_table):
    duckdb = pytest.importorskip("duckdb", reason="duckdb isn't installed")
    connection = duckdb.connect()
    connection.execute(f"create table new as select * from read_csv('{patients}')")
    found = connection.execute(linsep.to_sql(of_table, table="new")).fetchnumpy()
    assert list(found["predicted"]) == of_table.predict(patients).tolist()
    assert near(found["score"], of_table.decision_function(patients))
    connection.close()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_gives_the_bits_of_decision_function(numbers, tmp_path):
    X, y = numbers
    classifier = linsep.MarginClassifier().fit(X, y)
    linsep.to_c(classifier, "noisy", tmp_path / "noisy.c")
    rows = ",\n".join("{{" + ", ".join(map(repr, row)) + "}}" for row in X.tolist())
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "noisy.c"\nstatic const struct noisy_row rows[] = {\n'
        + rows
        + '};\nint main(void) { for (int i = 0; i < 200; ++i) printf("%s %.17g\\n", noisy_label(rows + i), '
        "noisy_score(rows + i)); return 0; }\n"
    )
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, "main.c", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    lines = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )[:-1]
    assert [int(line.split()[0]) for line in lines] == classifier.predict(X).tolist()
    assert [float(line.split()[1]) for line in lines] == classifier.decision_function(X).tolist()


def test_an_export_is_the_same_from_an_estimator_a_model_and_a_file(of_table, tmp_path):
    of_table.model_.save(tmp_path / "patients.model")
    for written in (linsep.to_c, linsep.to_onnx, linsep.to_sql):
        assert written(of_table) == written(of_table.model_) == written(tmp_path / "patients.model")


def test_a_file_holds_what_is_returned(of_table, tmp_path):
    assert linsep.to_onnx(of_table, tmp_path / "a.onnx") == (tmp_path / "a.onnx").read_bytes()
    assert linsep.to_sql(of_table, path=tmp_path / "a.sql") == (tmp_path / "a.sql").read_text()


def test_dialects_and_tables_are_as_asked(of_table):
    assert "PostgreSQL" in linsep.to_sql(of_table, "postgresql", "patients")
    assert 'FROM "patients"' in linsep.to_sql(of_table, table="patients")
    with pytest.raises(linsep.UsageError, match="'dialect' takes duckdb or postgresql"):
        linsep.to_sql(of_table, "oracle")


def test_what_a_language_cannot_say_is_refused(numbers):
    X, y = numbers
    dual = linsep.KernelPerceptron(kernel="gaussian", max_iter=2)
    with pytest.warns(UserWarning):
        dual.fit(X, y)
    for written in (linsep.to_c, linsep.to_onnx, linsep.to_sql):
        with pytest.raises(linsep.UsageError, match="dual"):
            written(dual)


def test_what_is_no_model_is_refused():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        linsep.to_c(linsep.MarginClassifier())
    with pytest.raises(TypeError, match="fitted estimator"):
        linsep.to_c(3)
