"""linsep.spark over Spark Connect: training, predictions, files and proofs, without RDDs and without a JVM beside the driver."""
import subprocess
import sys

USE = """
import sys
import linsep, linsep.spark, numpy as np
from linsep.spark import SparkMarginClassifier, SparkMarginModel
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

spark = SparkSession.builder.getOrCreate()
assert type(spark).__module__.startswith("pyspark.sql.connect")
random = np.random.default_rng(1)
X = random.normal(size=(300, 5))
y = (X[:, 0] + random.normal(size=300) > 0).astype(int)
rows = [(k, Vectors.dense(X[k]), float(y[k])) for k in range(300)]
frame = spark.createDataFrame(rows, ["id", "features", "label"]).repartitionByRange(2, "id").sortWithinPartitions("id")

estimator = SparkMarginClassifier(loss="logistic", numWorkers=2, repartition=False)
model = estimator.fit(frame)
expected = linsep.MarginClassifier(loss="logistic").fit(X, y)
assert model.estimator.model_.to_bytes() == expected.model_.to_bytes()

scored = model.transform(frame).orderBy("id").collect()
assert np.array_equal([record.prediction for record in scored], expected.predict(X))
assert np.array_equal([list(record.probability) for record in scored], expected.predict_proba(X))

model.write().save(sys.argv[1])
assert SparkMarginModel.load(sys.argv[1]).estimator.model_.to_bytes() == expected.model_.to_bytes()

proof = linsep.spark.certify(frame, id_col="id", num_workers=2, repartition=False)
assert proof.to_json() == linsep.certify(X, y, seal="now").to_json()
spread = SparkMarginClassifier(loss="logistic", numWorkers=2).fit(frame)
assert np.allclose(spread.estimator.coef_, expected.coef_, rtol=1e-2)
try:
    estimator.fit(frame.withColumn("label", sql.when(sql.col("id") != 7, sql.col("label"))))
except linsep.InputError as error:
    assert "this row has no label" in str(error)
else:
    raise AssertionError("a row without a label was trained on")
print("done")
"""


def test_all_of_it_over_connect(cluster, tmp_path):
    cluster.connect()
    words = [sys.executable, "-W", "ignore", "-c", USE, str(tmp_path / "model")]
    done = subprocess.run(words, env=cluster.session_environment(), capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.split()[-1] == "done", done.stderr
