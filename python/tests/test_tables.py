"""DataFrames with words, dates and missing values: models of `scan` take them, and TableClassifier trains on them."""

import subprocess
import warnings

import command_line
import linsep
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import LinearSVC

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow", reason="pandas hands out Arrow streams by it")

COUNT = 200


def patients():
    random = np.random.default_rng(5)
    age = random.normal(50, 15, COUNT)
    ward = random.choice(["north", "south", "east"], COUNT)
    frame = pd.DataFrame({
        "age": np.where(random.random(COUNT) < 0.1, np.nan, age),
        "ward": pd.Categorical(ward),
        "seen": pd.to_datetime("2024-01-01") + pd.to_timedelta(random.integers(0, 300, COUNT), "D"),
        "smoker": random.random(COUNT) < 0.4,
        "label": random.integers(0, 5, COUNT),  # a feature that is called so
    }, index=np.arange(1000, 1000 + COUNT))
    ill = age / 15 + 2 * (ward == "north") + random.normal(size=COUNT) > 4.2
    return frame, ill


def test_a_model_of_scan_knows_its_columns_and_predicts_a_frame():
    frame, ill = patients()
    fitted = linsep.MarginClassifier(loss="logistic").fit(
        linsep.scan(frame.assign(ill=ill), label="ill", ignore="label")
    )
    assert fitted.feature_names_in_.tolist() == ["age", "ward", "seen", "smoker"]
    assert fitted.n_features_in_ == 4
    assert fitted.coef_names_.shape == (fitted.coef_.shape[1],)
    expected = fitted.predict(linsep.scan(frame))
    np.testing.assert_array_equal(fitted.predict(frame), expected)
    np.testing.assert_array_equal(fitted.predict(frame[["smoker", "seen", "ward", "age"]]), expected)
    np.testing.assert_array_equal(fitted.predict_proba(frame), fitted.predict_proba(linsep.scan(frame)))
    assert fitted.score(frame, ill) == np.mean(expected == ill) > 0.7
    polars = pytest.importorskip("polars")
    np.testing.assert_array_equal(fitted.predict(polars.from_pandas(frame)), expected)
    with pytest.raises(linsep.UsageError, match="give a DataFrame with these columns"):
        fitted.predict(np.zeros((2, 4)))


def test_a_loaded_model_predicts_a_frame_too(tmp_path):
    frame, ill = patients()
    fitted = linsep.MarginClassifier().fit(linsep.scan(frame.assign(ill=ill), label="ill"))
    fitted.model_.save(tmp_path / "model")
    loaded = linsep.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(frame), fitted.predict(frame))
    assert loaded.feature_names_in_.tolist() == fitted.feature_names_in_.tolist()


def test_raw_frames_go_through_a_grid_search():
    frame, ill = patients()
    search = GridSearchCV(
        linsep.TableClassifier(linsep.LogisticRegression()),
        {"estimator__C": [0.01, 1.0], "missing": ["mean", "indicator"]},
        cv=3,
        scoring="neg_log_loss",
    ).fit(frame, ill)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    assert search.predict(frame).dtype == bool
    assert search.score(frame, ill) > -0.6
    assert len(linsep.to_onnx(search)) > 200


@pytest.mark.parametrize("made", ["pandas", "polars", "pyarrow"])
def test_a_frame_gives_the_model_of_scan_however_it_is_held(made):
    frame, ill = patients()
    table = frame.reset_index(drop=True)
    if made == "polars":
        table = pytest.importorskip("polars").from_pandas(table)
    elif made == "pyarrow":
        table = pytest.importorskip("pyarrow").Table.from_pandas(table)
    fitted = linsep.TableClassifier(number="label").fit(table, ill)
    rows = linsep.scan(frame.assign(ill=ill.astype(str)), label="ill", number="label")
    np.testing.assert_array_equal(fitted.estimator_.coef_, linsep.MarginClassifier().fit(rows).coef_)
    assert fitted.feature_names_in_.tolist() == frame.columns.tolist()
    assert "ward" in fitted.account_
    np.testing.assert_array_equal(fitted.predict(table), fitted.classes_[(fitted.decision_function(table) >= 0) * 1])


@pytest.mark.parametrize(
    "kinds",
    [[False, True], [0.0, 1.0], [-1, 1], ["a", "b, c"], ["x", "y", "z"], [1, 2, 10]],
    ids=str,
)
def test_classes_of_every_type_come_back(kinds):
    frame, _ = patients()
    y = np.array(kinds)[np.digitize(frame["label"], [2, 4] if len(kinds) == 3 else [2])]
    fitted = linsep.TableClassifier(linsep.MarginClassifier(class_weight={kinds[0]: 2.0}), number="label").fit(frame, y)
    assert fitted.classes_.tolist() == kinds
    assert fitted.predict(frame).dtype == y.dtype
    assert fitted.score(frame, y) > 0.6


def test_weights_of_rows_count():
    frame, ill = patients()
    weight = np.where(np.arange(COUNT) < 150, 1.0, 0.0)
    heavy = linsep.TableClassifier(linsep.MarginClassifier(gap=1e-8), only=True, number="label", scale="none")
    weighted = clone(heavy).fit(frame, ill, sample_weight=weight).estimator_.coef_
    np.testing.assert_allclose(weighted, clone(heavy).fit(frame[:150], ill[:150]).estimator_.coef_, rtol=1e-3)


def test_what_is_no_table_is_refused_with_what_to_do():
    with pytest.raises(TypeError, match="arrays of numbers go to the classifier itself"):
        linsep.TableClassifier().fit(np.zeros((4, 2)), [0, 1, 0, 1])
    frame, ill = patients()
    with pytest.raises(TypeError, match=r"'ward'.*linsep\.TableClassifier"):
        linsep.MarginClassifier().fit(frame, ill)
    with pytest.raises(AttributeError, match="loss=\"logistic\"") as refused:
        linsep.TableClassifier().predict_proba  # noqa: B018
    assert str(refused.value).count("predict_proba") == 1
    with pytest.raises(TypeError, match=r"classifier of linsep.*not LinearSVC.*make_column_transformer"):
        linsep.TableClassifier(LinearSVC()).fit(frame, ill)
    with pytest.raises(ValueError, match=r"Input X contains NaN.*SimpleImputer.*linsep\.TableClassifier"):
        linsep.MarginClassifier().fit(frame[["age"]], ill)


def test_a_model_of_a_table_explains_rows_of_a_frame(tmp_path):
    frame, ill = patients()
    frame = frame.drop(columns="smoker")
    model = linsep.TableClassifier().fit(frame, ill).estimator_.model_
    why = model.explain(frame, 3)
    assert {column["name"] for column in why["columns"]} == set(frame.columns)
    total = why["offset"] + sum(column["total"] for column in why["columns"])
    assert total == pytest.approx(why["scores"][0])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    assert model.explain(tmp_path / "rows.csv", 3)["scores"] == why["scores"]
    with pytest.raises(linsep.UsageError, match="no row 200: rows count from 0 to 199"):
        model.explain(frame, 200)
    with pytest.raises(linsep.UsageError, match="give a DataFrame with these columns"):
        model.explain([[1.0, 2.0, 3.0, 4.0]])


def test_cross_validation_fits_the_columns_on_the_rows_of_each_fold_alone():
    frame, ill = patients()
    assert cross_val_score(linsep.TableClassifier(), frame, ill, cv=3).mean() > 0.65


def test_the_model_of_a_table_has_names_of_its_features():
    frame, ill = patients()
    fitted = linsep.TableClassifier().fit(frame[["age", "ward"]], ill).estimator_
    assert fitted.model_.feature_names == fitted.coef_names_.tolist()
    assert len(fitted.model_.feature_names) == fitted.model_.features
    assert "ward=north" in fitted.model_.feature_names


def test_columns_that_are_no_numbers_are_named_with_what_they_hold():
    frame, ill = patients()
    frame = frame.assign(note=[f"patient number {i}" for i in range(COUNT)], stay=pd.to_timedelta(range(COUNT), "h"))
    told = "columns that aren't numbers: 'ward' \\(categories\\), 'seen' \\(dates\\), 'note' \\(text\\), 'stay' \\(durations\\)"
    with pytest.raises(TypeError, match=told + r".*linsep\.TableClassifier"):
        linsep.MarginClassifier().fit(frame, ill)
    with pytest.raises(TypeError, match=told + r".*certify\(linsep\.scan\(frame, label=…\)\)"):
        linsep.certify(frame, ill)
    with pytest.raises(linsep.UsageError, match=told + ".*get_dummies"):
        linsep.check_separation(frame, ill)
    with pytest.raises(TypeError, match=r"'seen' \(dates\)"):
        linsep.MarginClassifier().fit(frame[["seen"]], ill)
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"'seen' \(dates\)"):
        linsep.MarginClassifier().fit(polars.from_pandas(frame[["age", "seen"]]), ill)


def test_a_column_that_lacks_is_named():
    frame, ill = patients()
    fitted = linsep.TableClassifier().fit(frame[["age", "ward"]], ill)
    with pytest.raises(linsep.InputError, match="the DataFrame has no column 'ward'; it has: age"):
        fitted.predict(frame[["age"]])


def test_columns_of_numbers_and_words_are_refused_by_name():
    mixed = pd.DataFrame({"heart": [74, None, "74"] * 4})
    for call in (
        lambda: linsep.TableClassifier().fit(mixed, [0, 1, 0] * 4),
        lambda: linsep.scan(mixed.assign(y=[0, 1, 0] * 4), label="y"),
    ):
        with pytest.raises(linsep.UsageError, match=r"column 'heart'.* 74 \(int\) in row 1 and '74' \(str\) in row 3"):
            call()
    whole = pd.DataFrame({"heart": pd.Series([74, None, 75] * 4, dtype=object)})
    assert linsep.TableClassifier().fit(whole, [0, 1, 0] * 4).predict(whole).shape == (12,)


def test_queries_are_run():
    frame, ill = patients()
    frame = frame[["age", "ward"]].assign(ward=frame.ward.astype(str))
    wanted = linsep.TableClassifier().fit(frame, ill).predict(frame)
    polars = pytest.importorskip("polars")
    lazy = polars.from_pandas(frame).lazy()
    np.testing.assert_array_equal(linsep.TableClassifier().fit(lazy, ill).predict(lazy), wanted)
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.from_df(frame)
    np.testing.assert_array_equal(linsep.TableClassifier().fit(relation, ill).predict(relation), wanted)
    levels = frame.set_axis(pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")]), axis=1)
    with pytest.raises(linsep.UsageError, match="several levels: join them"):
        linsep.TableClassifier().fit(levels, ill)


def test_periods_are_dates():
    frame = pd.DataFrame({"month": pd.period_range("2020-01", periods=40, freq="M"), "x": np.arange(40) % 7})
    y = np.arange(40) % 2
    fitted = linsep.TableClassifier().fit(frame, y)
    dates = frame.assign(month=frame.month.dt.to_timestamp())
    assert fitted.account_ == linsep.TableClassifier().fit(dates, y).account_
    np.testing.assert_array_equal(fitted.predict(frame), fitted.predict(dates))


def test_what_a_column_holds_is_said_in_words():
    y = np.arange(40) % 2
    frame = pd.DataFrame({"x": np.arange(40.0), "stay": pd.to_timedelta(range(40), "h"), "y": y})
    with pytest.raises(linsep.InputError, match="column 'stay' holds durations: "):
        linsep.scan(frame, label="y").load()
    import pyarrow as pa

    table = pa.table({"x": [["a"]] * 40, "y": y})
    with pytest.raises(linsep.InputError, match="column 'x' holds lists: "):
        linsep.scan(table, label="y").load()
    structs = pd.DataFrame({"x": pd.interval_range(0, 40, periods=40), "y": y})
    with pytest.raises(linsep.InputError, match="column 'x' holds structs: "):
        linsep.scan(structs, label="y").load()


@command_line.needs_command_line
def test_columns_that_are_not_as_in_training_are_warned_of(tmp_path):
    frame, ill = patients()
    frame = frame[["age", "ward", "seen"]]
    fitted = linsep.MarginClassifier().fit(linsep.scan(frame.assign(ill=ill), label="ill"))
    changed = frame.assign(ward="west", age=np.nan, seen=pd.NaT, ill=ill)
    changed.to_csv(tmp_path / "new.csv", index=False)
    fitted.model_.save(tmp_path / "ill.model")
    told = subprocess.run(
        [command_line.PROGRAM, "predict", "new.csv", "-m", "ill.model", "-o", "p.txt"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    sentences = [line.removeprefix("linsep: warning: ") for line in told.stderr.splitlines()]
    assert [sentence.split("'")[1] for sentence in sentences] == ["age", "ward", "seen"], sentences
    assert sentences[0] == "column 'age' has a value in none of the 200 rows."
    assert sentences[1] == "column 'ward' has values never seen in training in 200 rows (100.0%)."
    assert sentences[2] == "column 'seen' has missing values in 200 rows (100.0%), but had none in training."
    rows = {
        "frame": changed, "file": linsep.scan(tmp_path / "new.csv", label="ill"),
        "polars": pytest.importorskip("polars").from_pandas(changed),
    }  # fmt: skip
    for table in rows.values():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fitted.predict(table)
        assert [str(each.message) for each in caught if each.category is linsep.ColumnWarning] == sentences
        assert {each.filename for each in caught} == {__file__}
    with pytest.warns(linsep.ColumnWarning, match="'ward'"):
        fitted.decision_function(changed)
    with pytest.warns(linsep.ColumnWarning, match="'ward'"):
        linsep.load(tmp_path / "ill.model").score(linsep.scan(changed, label="ill"))
    with pytest.warns(linsep.ColumnWarning, match="'ward'"):
        linsep.TableClassifier(linsep.MarginClassifier()).fit(frame, ill).predict(changed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted.predict(frame)
        linsep.scan(changed, label="ill")
