"""linsep.spark: the same model as of one process, in every form that rows may have; and nothing is silently lost."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("pyspark")

import linsep  # noqa: E402
import linsep.spark  # noqa: E402
import numpy as np  # noqa: E402
from linsep.spark import (  # noqa: E402
    SparkLeastSquaresClassifier,
    SparkMarginClassifier,
    SparkMarginModel,
    SparkPerceptron,
)
from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.evaluation import BinaryClassificationEvaluator  # noqa: E402
from pyspark.ml.linalg import Vectors  # noqa: E402
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder  # noqa: E402
from pyspark.sql import functions as sql  # noqa: E402
from scipy import sparse  # noqa: E402

ROWS, FEATURES = 600, 20


def arrays():
    random = np.random.default_rng(3)
    X = random.normal(size=(ROWS, FEATURES))
    y = (X[:, 0] + 0.8 * random.normal(size=ROWS) > 0).astype(int)
    X[:, 3:][random.random((ROWS, FEATURES - 3)) < 0.8] = 0
    return X, y, random.integers(1, 4, size=ROWS).astype(float)


@pytest.fixture(scope="module")
def frame(spark):
    """Rows in two partitions of different sizes."""
    X, y, weight = arrays()
    matrix = sparse.csr_matrix(X)
    records = []
    for i in range(ROWS):
        row = matrix[i]
        vector = Vectors.sparse(FEATURES, row.indices.tolist(), row.data.tolist())
        dense = Vectors.dense(X[i]) if i % 3 else vector
        word = ["no", "yes"][y[i]]
        records.append((i, vector, dense, X[i].tolist(), *X[i, :3].tolist(), float(y[i]), word, float(weight[i])))
    names = ["id", "features", "mixed", "array", "a", "b", "c", "label", "word", "weight"]
    made = spark.createDataFrame(records, names)
    return made.repartitionByRange(2, sql.when(sql.col("id") % 3 == 0, 0).otherwise(1)).cache()


@pytest.fixture(scope="module")
def order(frame):
    """The rows in the order of the partitions, in which one process has them."""
    placed = frame.select("id", sql.spark_partition_id().alias("p"), sql.monotonically_increasing_id().alias("m"))
    return [record.id for record in placed.orderBy("m").collect()]


def margin(**options):
    """With the solver that several workers have."""
    if options.get("loss", "hinge") == "hinge":
        options = {"solver": "planes", **options}
    return options


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
def test_the_same_bits_as_one_process(frame, order, loss):
    X, y, _ = arrays()
    expected = linsep.MarginClassifier(**margin(loss=loss)).fit(sparse.csr_matrix(X[order]), y[order])
    for column in ("features", "mixed"):
        made = SparkMarginClassifier(featuresCol=column, **margin(loss=loss)).fit(frame)
        assert made.estimator.model_.to_bytes() == expected.model_.to_bytes()
        assert made.estimator.n_iter_ == expected.n_iter_


def test_arrays_columns_words_and_weights(frame, order):
    X, y, weight = arrays()
    X, y, weight = X[order], y[order], weight[order]
    words = np.array(["no", "yes"])[y]
    options = margin(loss="logistic")
    made = SparkMarginClassifier(featuresCol="array", labelCol="word", weightCol="weight", **options).fit(frame)
    expected = linsep.MarginClassifier(**options).fit(X, words, sample_weight=weight)
    assert made.estimator.model_.to_bytes() == expected.model_.to_bytes()
    assert {record.prediction for record in made.transform(frame).collect()} == {"no", "yes"}
    made = SparkMarginClassifier(featuresCol=["c", "a", "b"], **options).fit(frame)
    expected = linsep.MarginClassifier(**options).fit(X[:, [2, 0, 1]], y)
    assert made.estimator.coef_.tolist() == expected.coef_.tolist()
    assert made.estimator.feature_names_in_.tolist() == ["c", "a", "b"]


def test_the_other_estimators(frame, order):
    X, y, _ = arrays()
    made = SparkLeastSquaresClassifier().fit(frame)
    assert made.estimator.score(X, y) > 0.6
    made = SparkPerceptron(max_iter=5).fit(frame)
    assert made.estimator.n_iter_ == 5
    assert made.transform(frame).where("prediction = label").count() == round(ROWS * made.estimator.score(X, y))


def test_transform(frame):
    X = sparse.csr_matrix(arrays()[0])
    made = SparkMarginClassifier(loss="logistic").fit(frame)
    scored = made.transform(frame)
    assert scored.columns == [*frame.columns, "prediction", "rawPrediction", "probability"]
    records = scored.orderBy("id").collect()
    assert np.array_equal([record.rawPrediction[1] for record in records], made.estimator.decision_function(X))
    assert np.array_equal([list(record.probability) for record in records], made.estimator.predict_proba(X))
    assert np.array_equal([record.prediction for record in records], made.estimator.predict(X))
    assert [record.features for record in records] == [r.features for r in frame.orderBy("id").collect()]
    hinge = SparkMarginClassifier(probabilityCol="", rawPredictionCol="z").fit(frame)
    assert hinge.transform(frame).columns == [*frame.columns, "prediction", "z"]


def test_pipeline_and_cross_validation(frame, spark, tmp_path):
    estimator = SparkMarginClassifier(loss="logistic", checkRows=False)
    grid = ParamGridBuilder().addGrid(estimator.C, [0.01, 1.0]).build()
    search = CrossValidator(
        estimator=Pipeline(stages=[estimator]),
        estimatorParamMaps=grid,
        evaluator=BinaryClassificationEvaluator(),
        numFolds=2,
    )
    found = search.fit(frame)
    assert len(found.avgMetrics) == 2 and min(found.avgMetrics) > 0.5
    path = str(tmp_path / "pipeline")
    found.bestModel.write().save(path)
    read = PipelineModel.load(path)
    assert read.transform(frame).select("prediction").collect() == found.transform(frame).select("prediction").collect()


def test_writers_and_readers(frame, tmp_path):
    estimator = SparkMarginClassifier(loss="logistic", C=0.5, labelCol="word", featuresCol=["a", "b"])
    estimator.write().save(str(tmp_path / "estimator"))
    again = SparkMarginClassifier.load(str(tmp_path / "estimator"))
    assert again.getOrDefault("C") == 0.5 and again.getFeaturesCol() == ["a", "b"] and again.uid == estimator.uid
    made = again.fit(frame)
    made.write().save(str(tmp_path / "model"))
    read = SparkMarginModel.load(str(tmp_path / "model"))
    assert read.estimator.model_.to_bytes() == made.estimator.model_.to_bytes()
    assert read.getLabelCol() == "word" and read.estimator.classes_.tolist() == ["no", "yes"]
    assert read.transform(frame).collect() == made.transform(frame).collect()


def test_certify(frame, order):
    X, y, _ = arrays()
    names = ["a", "b", "c"]
    rows = linsep.rows(X[order][:, :3], y[order], feature_names=names, ids=[str(k) for k in order])
    expected = linsep.certify(rows, seal="now")
    made = linsep.spark.certify(frame, id_col="id", features_col=names)
    assert made == expected and made.to_json() == expected.to_json()
    assert made.verdict == "overlapping"
    assert made.witness["id"].tolist() == expected.witness["id"].tolist() != []


@pytest.mark.parametrize("asked", [{}, {"against": 1}])
def test_certify_several_classes(frame, order, asked):
    X, _, _ = arrays()
    names = ["a", "b", "c"]
    y = np.array([0, 1, 2])[np.arange(ROWS) % 3]
    rows = linsep.rows(X[order][:, :3], y[order], feature_names=names, ids=[str(k) for k in order])
    expected = linsep.certify(rows, seal="now", **asked)
    three = frame.withColumn("class", sql.col("id") % 3)
    made = linsep.spark.certify(three, id_col="id", label_col="class", features_col=names, **asked)
    assert made == expected and made.to_json() == expected.to_json()
    assert made.verdict == "overlapping" and made.jointly == (not asked)
    assert made.witness.tolist() == expected.witness.tolist() != []


def test_partitions(frame, order):
    """Empty ones, one that has nearly all rows, one class each: the model is that of the rows in order."""
    X, y, _ = arrays()
    by_class = frame.repartitionByRange(2, "label")
    skewed = frame.repartitionByRange(2, sql.col("id") >= 3)
    empty = frame.where("id % 3 = 0")  # all in one of the two partitions
    for part in (by_class, skewed, empty):
        ids = [r.id for r in part.select("id", sql.monotonically_increasing_id().alias("m")).orderBy("m").collect()]
        made = SparkMarginClassifier(repartition=False, **margin(loss="logistic")).fit(part)
        expected = linsep.MarginClassifier(loss="logistic").fit(sparse.csr_matrix(X[ids]), y[ids])
        assert made.estimator.model_.to_bytes() == expected.model_.to_bytes()


def test_partitions_that_a_barrier_stage_refuses(frame):
    joined = frame.where("id < 300").coalesce(1).unionByName(frame.where("id >= 300").coalesce(1))
    made = SparkMarginClassifier(loss="logistic").fit(joined)
    assert made.estimator.score(*arrays()[:2]) > 0.7


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda f: f.withColumn("label", sql.when(sql.col("id") != 7, sql.col("label"))), "this row has no label"),
        (lambda f: f.withColumn("features", sql.when(sql.col("id") != 7, sql.col("features"))), "has no value"),
        (lambda f: f.withColumn("a", sql.when(sql.col("id") != 7, sql.col("a"))), "NaN"),
        (lambda f: f.where("id < 0"), "the data frame has no rows"),
        (lambda f: f.where("label = 1"), "at least two classes"),
        (lambda f: f.drop("label"), "there is no column 'label'"),
    ],
)
def test_what_is_missing_is_refused(frame, change, told):
    columns = ["a", "b"] if told == "NaN" else "features"
    with pytest.raises(linsep.LinsepError, match=told):
        SparkMarginClassifier(featuresCol=columns).fit(change(frame))


def test_a_frame_that_changes_is_refused(frame, tmp_path):
    tmp_path.chmod(0o777)
    seen = str(tmp_path / "seen")

    def keep(row):
        """All rows but the first one that is ever looked at."""
        before = os.path.exists(seen)
        open(seen, "a").close()
        return before

    unsteady = frame.where(sql.udf(keep, "boolean").asNondeterministic()("id"))
    with pytest.raises(linsep.SystemFailure, match="the data frame counts"):
        SparkMarginClassifier().fit(unsteady)


def test_dynamic_allocation_is_refused(frame, monkeypatch):
    settings = linsep.spark._setting
    changed = {"spark.dynamicAllocation.enabled": "true"}
    monkeypatch.setattr(linsep.spark, "_setting", lambda s, name, default="": changed.get(name) or settings(s, name, default))
    with pytest.raises(linsep.UsageError, match="spark.dynamicAllocation.enabled=false"):
        SparkMarginClassifier().fit(frame)


def test_another_version_on_the_executors_is_refused(frame, monkeypatch):
    monkeypatch.setattr(linsep.cluster, "VERSION", "0.0.1")
    with pytest.raises(linsep.UsageError, match="and the driver has 0.0.1"):
        SparkMarginClassifier().fit(frame)


def test_unknown_parameters_are_refused():
    with pytest.raises(linsep.UsageError, match="no parameter 'gamma'"):
        SparkMarginClassifier(gamma=1)


def test_memory_and_checkpoints(frame, order, tmp_path):
    X, y, _ = arrays()
    tmp_path.chmod(0o777)
    options = margin(loss="logistic")
    expected = linsep.MarginClassifier(**options).fit(sparse.csr_matrix(X[order]), y[order])
    made = SparkMarginClassifier(
        memory="2G", checkpoint=str(tmp_path), checkpointEvery="1 passes", ports="29400-29440", **options
    ).fit(frame)
    assert made.estimator.model_.to_bytes() == expected.model_.to_bytes()
    assert os.listdir(tmp_path) == [], "a checkpoint is removed when the model is there"


def test_raw_columns(frame, order, spark):
    X, y, _ = arrays()
    raw = frame.withColumn("ward", sql.concat(sql.lit("w"), sql.col("id") % 5)).withColumn(
        "age", sql.when(sql.col("id") % 7 != 0, sql.col("a") * 10)
    )
    made = SparkMarginClassifier(featuresCol=["ward", "age", "b"], labelCol="word", loss="logistic").fit(raw)
    table = raw.select("ward", "age", "b", "word", sql.monotonically_increasing_id().alias("m")).orderBy("m").drop("m")
    expected = linsep.MarginClassifier(loss="logistic").fit(linsep.scan(table.toArrow(), label="word"))
    assert made.estimator.model_.to_bytes() == expected.model_.to_bytes()
    predicted = [record.prediction for record in made.transform(raw).orderBy("id").collect()]
    assert np.mean(np.array(predicted) == np.array(["no", "yes"])[y]) > 0.6
