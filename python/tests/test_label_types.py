"""Labels come back as what they were: booleans, integers, numbers, words, from frames and from files."""

import linsep
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow isn't installed")
pd = pytest.importorskip("pandas")

COUNT = 40
X = np.random.default_rng(3).normal(size=(COUNT, 2))
PLACE = (X[:, 0] > 0).astype(int)
LABELS = {
    "bool": np.array([False, True])[PLACE],
    "integer": np.array([3, 10])[PLACE],
    "integers that doubles merge": np.array([2**53, 2**53 + 1])[PLACE],
    "number": np.array([0.5, 2.0])[PLACE],
    "whole number": np.array([0.0, 1.0])[PLACE],
    "words": np.array(["no", "yes"])[PLACE],
    "words that look like numbers": np.array(["0", "1"])[PLACE],
    "words that look like booleans": np.array(["False", "True"])[PLACE],
    "several integers": np.digitize(X[:, 0], [-0.5, 0.5]),
}


def frame_of(y):
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "label": y})


def by_pandas(y, _folder):
    return frame_of(y)


def by_category(y, _folder):
    return frame_of(pd.Categorical(y))


def by_polars(y, _folder):
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "label": y.tolist()})


def by_pyarrow(y, _folder):
    return pa.Table.from_pandas(frame_of(y))


def by_parquet(y, folder):
    pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pandas(frame_of(y)), folder / "rows.parquet")
    return folder / "rows.parquet"


@pytest.mark.parametrize("made", [by_pandas, by_category, by_polars, by_pyarrow, by_parquet])
@pytest.mark.parametrize("name", LABELS)
def test_labels_have_the_type_that_they_had(name, made, tmp_path):
    y = LABELS[name]
    table = made(y, tmp_path)
    classifier = linsep.MarginClassifier(C=100.0).fit(linsep.scan(table, label="label"))
    predicted = classifier.predict(linsep.scan(table, label="label"))
    assert classifier.classes_.dtype.kind == y.dtype.kind
    assert classifier.classes_.tolist() == sorted(set(y.tolist()))
    assert np.mean(predicted == y) > 0.9


@pytest.mark.parametrize("name", [name for name in LABELS if "look like" not in name])
def test_labels_of_a_csv_file_are_what_pandas_reads(name, tmp_path):
    y = LABELS[name]
    frame_of(y).to_csv(tmp_path / "rows.csv", index=False)
    read = pd.read_csv(tmp_path / "rows.csv")
    classifier = linsep.MarginClassifier(C=100.0).fit(linsep.scan(tmp_path / "rows.csv", label="label"))
    assert np.mean(classifier.predict(tmp_path / "rows.csv") == read["label"].to_numpy()) > 0.9
    assert classifier.classes_.dtype.kind == ("i" if name == "whole number" else y.dtype.kind)


def test_every_learner_keeps_the_type():
    frame = frame_of(LABELS["bool"])
    for kind in (linsep.Perceptron, linsep.KernelPerceptron, linsep.BasicLinearClassifier, linsep.LeastSquaresClassifier):
        assert kind().fit(linsep.scan(frame)).predict(linsep.scan(frame)).dtype == bool


def test_weights_of_classes_go_by_what_the_labels_are():
    frame = frame_of(LABELS["bool"])
    weighted = linsep.MarginClassifier(class_weight={True: 3.0}).fit(linsep.scan(frame))
    assert weighted.model_.options["class-weight"] == "true=3.0"


def test_a_model_file_gives_booleans_and_numbers_back(tmp_path):
    for name in ("bool", "integer", "words"):
        y = LABELS[name]
        linsep.MarginClassifier().fit(X, y).model_.save(tmp_path / "model")
        assert linsep.load(tmp_path / "model").predict(X).dtype.kind == y.dtype.kind


def test_scores_of_classes_in_another_order_belong_to_their_own():
    frame = frame_of(LABELS["words"])
    turned = linsep.MarginClassifier(C=100.0).fit(linsep.scan(frame, positive="no", scale="none"))
    assert turned.classes_.tolist() == ["yes", "no"]
    assert np.mean(turned.predict(frame[["a", "b"]]) == LABELS["words"]) > 0.9


def without_labels(kind, row=3):
    """Labels of which one is missing, as it is written in many ways."""
    numbers = PLACE.astype(float)
    numbers[row] = np.nan
    objects = PLACE.astype(object)
    objects[row] = None
    words = LABELS["words"].tolist()
    words[row] = float("nan")  # NumPy would make the word "nan" of it
    integers = pd.Series(PLACE, dtype="Int64")
    integers[row] = pd.NA
    return {"nan": numbers, "None": objects, "words": words, "NA": integers}[kind]


@pytest.mark.parametrize("kind", ["nan", "None", "words", "NA"])
@pytest.mark.parametrize(
    "estimator",
    [
        linsep.MarginClassifier(),
        linsep.MarginClassifierCV(cv=2),
        linsep.LogisticRegression(),
        linsep.HardMarginClassifier(),
        linsep.Perceptron(),
        linsep.KernelPerceptron(),
        linsep.BasicLinearClassifier(),
        linsep.LeastSquaresClassifier(),
        linsep.PerceptronRegressor(),
        linsep.TableClassifier(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_row_without_a_label_is_named(estimator, kind):
    with pytest.raises(ValueError, match="y has no label in row 4 .*leave out"):
        estimator.fit(pd.DataFrame(X, columns=["a", "b"]), without_labels(kind))


@pytest.mark.parametrize("kind", ["nan", "None", "words", "NA"])
def test_a_row_without_a_label_is_named_where_no_estimator_is(kind):
    y = without_labels(kind)
    for call in (linsep.rows, linsep.certify, linsep.check_separation, linsep.logit):
        with pytest.raises(ValueError, match="y has no label in row 4 "):
            call(X, y)
    with pytest.raises(ValueError, match="y has no label in row 4 "):
        linsep.Perceptron().partial_fit(X, y, classes=[0, 1])
    both = PLACE.astype(object)
    both[[3, 8]] = None
    with pytest.raises(ValueError, match=r"row 4 and 1 more \(None\)"):
        linsep.MarginClassifier().fit(X, np.column_stack([PLACE, both]))


def test_the_only_class_is_named():
    with pytest.raises(ValueError, match="all are of class 'a'"):
        linsep.rows(X, ["a"] * COUNT)


@pytest.mark.parametrize("names", [["18446744073709551617", "-1"], ["1e+22", "10000000000000000000001"]])
def test_classes_that_no_type_of_numpy_holds_stay_words(names, tmp_path):
    (tmp_path / "rows.csv").write_text("".join(f"{x[0]},{x[1]},{names[place]}\n" for x, place in zip(X, PLACE, strict=True)))
    model = linsep.MarginClassifier().fit(linsep.scan(tmp_path / "rows.csv"))
    assert set(model.classes_) == set(names)
