"""A model of Spark, of `mpirun -n 2` and of one process are the same bits, for each loss, from the same rows."""
import os
import pathlib
import shutil
import subprocess

import pytest
import vectors

linsep = pytest.importorskip("linsep")
SOLVER = {"hinge": "planes", "squared_hinge": "newton", "logistic": "newton"}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("rows")
    X, y = linsep.generate("sparse", rows=4000, features=500, nonzeros=20, random_state=1)
    vectors.write(made / "rows.parquet", X, y)
    linsep.generate("sparse", made / "rows.svm", rows=4000, features=500, nonzeros=20, random_state=1)
    return made


def weights(model):
    return model.coef_.tobytes(), model.intercept_.tobytes()


def by_command(folder, loss, *before):
    path = folder / "made.model"
    path.unlink(missing_ok=True)
    # Spark's vectors hold 64-bit numbers.
    words = ["train", folder / "rows.svm", "--double", "--learner", "margin", "--loss", loss.replace("_", "-"), "--solver", SOLVER[loss],
             "--quiet", "-o", path]
    environment = {**os.environ, "LINSEP_MODULES": str(pathlib.Path(os.environ["LINSEP"]).parent)}
    done = subprocess.run([*before, os.environ["LINSEP"], *words], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return weights(linsep.load(path))


@pytest.mark.parametrize("loss", SOLVER)
def test_the_same_bits_on_spark_on_mpi_and_alone(spark, folder, loss):
    from linsep.spark import SparkMarginClassifier

    frame = spark.read.parquet(str(folder / "rows.parquet"))
    fitted = SparkMarginClassifier(loss=loss, solver=SOLVER[loss]).fit(frame).estimator
    alone = by_command(folder, loss)
    assert weights(fitted) == alone
    assert fitted.coef_.any()
    if shutil.which("mpirun"):
        assert by_command(folder, loss, "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2") == alone
