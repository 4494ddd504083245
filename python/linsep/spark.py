"""Training, proofs and predictions on data frames of Spark, where the rows are.

The estimators are those of `pyspark.ml`: they work in a ``Pipeline`` and a ``CrossValidator``, over Spark Connect too.
The tasks of one barrier stage hand their rows to the core as Arrow batches, and exchange numbers with each other by
Gloo (`linsep.cluster`); no row passes through the driver. Margin classifiers by the solvers newton and planes are the
same, bit for bit, as those that a single process makes of the rows in the order of the partitions.

Every executor needs linsep, pyarrow and ports that the others can reach (``ports``, or the environment variable
LINSEP_PORTS). Workers prove to each other who they are; nothing is encrypted.

>>> from linsep.spark import SparkMarginClassifier
>>> SparkMarginClassifier(loss="logistic", numWorkers=4).getOrDefault("loss")  # doctest: +SKIP
'logistic'
"""

from __future__ import annotations

import inspect
import os
import pickle
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pyspark.ml import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
    HasWeightCol,
)
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, DoubleType, StringType, StructField, StructType
from scipy import sparse

from . import LeastSquaresClassifier, MarginClassifier, Perceptron, _shards, cluster
from ._proof.certificate import Certificate
from .errors import InputError, SystemFailure, UsageError

__all__ = [
    "SparkLeastSquaresClassifier",
    "SparkLeastSquaresModel",
    "SparkMarginClassifier",
    "SparkMarginModel",
    "SparkPerceptron",
    "SparkPerceptronModel",
    "certify",
]

PIECE = 32 << 20  # bytes of an answer in one record
ANSWER = "rank int, rows long, data binary"
TOO_FEW_SLOTS = "SPARK-24819"  # what Spark says when a barrier stage has fewer slots than tasks
EXECUTOR_SECONDS = 180.0  # for the replacement of an executor


# ---------------------------------------------------------------------------------------------------- the barrier stage


def _setting(session: Any, name: str, default: str = "") -> str:
    return str(session.conf.get(name, default) or default)


def _slots(session: Any) -> int:
    """Return how many tasks run at once, as far as the settings tell."""
    cpus = int(_setting(session, "spark.task.cpus", "1"))
    if cores := _setting(session, "spark.cores.max"):
        return max(1, int(cores) // cpus)
    instances, cores = _setting(session, "spark.executor.instances"), _setting(session, "spark.executor.cores")
    if instances and cores:
        return max(1, int(instances) * (int(cores) // cpus))
    raise UsageError(
        "the settings don't tell how many tasks can run at once: give numWorkers (neither spark.cores.max nor "
        "spark.executor.instances and spark.executor.cores is set)",
        ["numWorkers"],
    )


def _require_fixed_executors(session: Any) -> None:
    if _setting(session, "spark.dynamicAllocation.enabled", "false").lower() == "true":
        raise UsageError(
            "all workers must run at once, which dynamic allocation doesn't promise: set "
            "spark.dynamicAllocation.enabled=false and the number of executors"
        )


def _partitions(frame: Any) -> int | None:
    """Return the number of partitions that a barrier stage can take as they are.

    None where only the server knows it (Spark Connect), and where partitions were joined without a shuffle: a barrier
    stage refuses ``union`` and ``coalesce``, and Spark 4.3 stops the whole context then.
    """
    plan = getattr(frame, "_jdf", None)
    if plan is None:
        return None
    rows = plan.queryExecution().toRdd()
    joined = ("UnionRDD", "CoalescedRDD", "PartitionPruningRDD", "ZippedPartitions", "CartesianRDD")
    if any(name in rows.toDebugString() for name in joined):
        return None
    return int(rows.getNumPartitions())


def _run(frame: Any, work: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Call ``work(comm, batches, threads)`` in every task of a barrier stage, and return the first one's answer.

    `work` returns how many rows it was given and its answer.
    """
    session = frame.sparkSession
    _require_fixed_executors(session)
    workers = options["workers"] or _slots(session)
    expected = frame.count() if options["check_rows"] else None
    if expected == 0:
        raise InputError("the data frame has no rows")
    if options["repartition"] is not False and (options["repartition"] or _partitions(frame) != workers):
        frame = frame.repartition(workers)
    told = {name: options[name] for name in ("ports", "timeout")} | {"version": cluster.VERSION}
    stage = frame.mapInArrow(_task(work, told), ANSWER, barrier=True)
    # A stage is tried again after the loss of an executor only where another follows it.
    records = sorted(_collected(lambda: stage.repartition(1)), key=lambda record: record.rank)
    if not records:  # Spark may know beforehand that there are none, and start no task
        raise InputError("the data frame has no rows")
    answer = pickle.loads(b"".join(bytes(record.data) for record in records if record.rank == 0))
    if isinstance(answer, Exception):
        raise answer
    trained = sum(record.rows for record in records)
    if expected is not None and trained != expected:
        raise SystemFailure(
            f"the workers were given {trained} rows, but the data frame counts {expected}: it isn't the same each time "
            "it is computed; cache it, or write it out first"
        )
    return answer


def _collected(plan: Callable[[], Any]) -> list[Any]:
    """Return the records of a frame, once there are enough executors.

    Spark refuses a barrier stage while an executor that was lost isn't replaced yet. It asks again by itself, but not
    where adaptive execution submits the stage; that also remembers the failure, so every attempt has a new plan.
    """
    deadline = time.monotonic() + EXECUTOR_SECONDS
    while True:
        try:
            return list(plan().collect())
        except Exception as error:
            if TOO_FEW_SLOTS not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(2)


def _task(work: Callable[..., Any], told: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        rank, rows, answer = _answer(work, told, batches)
        data = pickle.dumps(answer) if rank == 0 else b""
        for begin in range(0, max(1, len(data)), PIECE):
            piece = [data[begin : begin + PIECE]]
            yield pa.RecordBatch.from_pydict(
                {"rank": pa.array([rank], pa.int32()), "rows": pa.array([rows], pa.int64()), "data": piece}
            )
            rows = 0

    return run


def _answer(work: Callable[..., Any], told: dict[str, Any], batches: Iterator[Any]) -> tuple[int, int, Any]:
    """Return rank, rows and answer. What another attempt wouldn't change is an answer too, which the driver raises."""
    from pyspark import BarrierTaskContext

    context = BarrierTaskContext.get()
    rank, tasks = context.partitionId(), context.getTaskInfos()
    host = tasks[rank].address.rsplit(":", 1)[0].strip("[]")
    try:
        # One exchange of texts takes about a second, so it is the only one by Spark's means.
        with cluster.connect(
            context.allGather, rank, len(tasks), address=host, ports=told["ports"], timeout=told["timeout"]
        ) as comm:
            if cluster.VERSION != told["version"]:
                versions = f"the executors have linsep {cluster.VERSION}, and the driver has {told['version']}"
                raise UsageError(f"{versions}: install the same version everywhere")
            return rank, *work(comm, batches, context.cpus())
    except (InputError, UsageError) as error:  # the same on all workers
        return rank, 0, error


# ---------------------------------------------------------------------------------------------------------- parameters


def _column_or_columns(value: Any) -> str | list[str]:
    return value if isinstance(value, str) else TypeConverters.toListString(value)


class _Columns(HasLabelCol, HasWeightCol, HasPredictionCol, HasRawPredictionCol, HasProbabilityCol):  # type: ignore[misc]
    """The parameters that estimators and models share."""

    featuresCol = Param(
        Params._dummy(),
        "featuresCol",
        "a column of vectors or of arrays, or a list of columns, which are encoded where they aren't all numbers",
        typeConverter=_column_or_columns,
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(featuresCol="features", weightCol=None)

    def getFeaturesCol(self) -> str | list[str]:
        """Return the column, or the columns, of features."""
        return self.getOrDefault(self.featuresCol)


_WORK = {
    "numWorkers": (None, "tasks that train together; None: as many as run at once by the settings"),
    "repartition": (None, "whether rows are spread again; None: if there aren't as many partitions as workers"),
    "checkRows": (True, "whether the rows trained on are compared with the data frame's count"),
    "checkpoint": (None, "a folder that all executors see, where a stage that is tried again resumes"),
    "checkpointEvery": ("", 'how often: "90s", "10 passes"; once a minute by default'),
    "memory": (None, 'the most memory of a worker, such as "2G", beyond which rows stay on disk'),
    "pages": (None, "the folder for such rows; None: that of Spark on the executor, or for temporary files"),
    "table": (None, "options of linsep.scan for raw columns; given, columns of numbers are encoded too"),
    "float32": (False, "whether values are kept as 32-bit numbers"),
    "ports": (None, 'ports to listen on, as "20000-20100"'),
    "timeout": (60.0, "seconds that a worker may be silent"),
}


class _LinsepEstimator(Estimator, _Columns, DefaultParamsWritable, DefaultParamsReadable):  # type: ignore[misc]
    """What the estimators share; the parameters are those of the class without Spark, by the same names."""

    _kind: ClassVar[Any]
    _model: ClassVar[Any]
    _left_out = ("n_jobs", "verbose", "warm_start", "copy_X", "trace")

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        documented = {}
        for name, parameter in inspect.signature(cls._kind).parameters.items():
            if name not in cls._left_out:
                documented[name] = (parameter.default, f"{name} of linsep.{cls._kind.__name__}")
        cls._defaults = {name: value for name, (value, _) in (documented | _WORK).items()}
        for name, (_, doc) in (documented | _WORK).items():
            setattr(cls, name, Param(Params._dummy(), name, doc))

    def __init__(self, **params: Any) -> None:
        super().__init__()
        self._setDefault(**self._defaults)
        self.setParams(**params)

    def setParams(self, **params: Any) -> Any:
        """Set parameters by their names.

        Parameters
        ----------
        **params : dict
            Parameters of the class without Spark, columns, and how the work is done.

        Returns
        -------
        estimator
            Itself.
        """
        for name in params:
            if not self.hasParam(name):
                raise UsageError(f"{type(self).__name__} has no parameter {name!r}", [name])
        return self._set(**params)

    def _value(self, name: str) -> Any:
        return self.getOrDefault(self.getParam(name))

    def _fit(self, dataset: Any) -> Any:
        known = set(inspect.signature(self._kind).parameters) - set(self._left_out)
        estimator = self._kind(**{name: self._value(name) for name in known})
        reading = {
            "label": self.getLabelCol(),
            "features": self.getFeaturesCol(),
            "weight": self._value("weightCol"),
            **{name: self._value(name) for name in ("float32", "memory", "pages", "table")},
        }
        checkpoint = self._value("checkpoint")
        if checkpoint is not None:  # a name of its own for each fit, the same for all attempts
            reading |= {"checkpoint": os.path.join(checkpoint, f"{self.uid}-{uuid.uuid4().hex[:12]}")}
            reading["every"] = self._value("checkpointEvery")
        fitted, told = _run(_selected(dataset, reading), _training(estimator, reading), self._work())
        for category, message in told:
            warnings.warn(message, category, stacklevel=2)
        return self._copyValues(self._model(fitted))

    def _work(self) -> dict[str, Any]:
        names = ("repartition", "ports", "timeout")
        return {
            "workers": self._value("numWorkers"),
            "check_rows": self._value("checkRows"),
            **{name: self._value(name) for name in names},
        }


def _selected(dataset: Any, reading: dict[str, Any], ids: str | None = None) -> Any:
    """Return the columns that are read, and no others."""
    features = reading["features"]
    names = [features] if isinstance(features, str) else list(features)
    for name in (reading["label"], reading.get("weight"), ids):
        if name is not None and name not in names:
            names.append(name)
    missing = [name for name in names if name not in dataset.columns]
    if missing:
        raise UsageError(f"there is no column {missing[0]!r}; the columns are {', '.join(dataset.columns)}")
    return dataset.select(*[sql.col(f"`{name}`") for name in names])


def _folder(pages: str | None) -> str | None:
    """Return where an executor keeps rows that don't fit into memory: where Spark keeps its own."""
    for found in (pages, *(os.environ.get(name, "").split(",")[0] for name in ("SPARK_LOCAL_DIRS", "LOCAL_DIRS"))):
        if found:
            return found
    return None


def _training(estimator: Any, reading: dict[str, Any]) -> Callable[..., Any]:
    def train(comm: cluster.Comm, batches: Iterator[Any], threads: int) -> Any:
        counted = _shards.Counted(batches)
        estimator.set_params(n_jobs=threads)
        told = {**reading, "pages": _folder(reading["pages"])}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fitted = cluster.fit(estimator, counted, comm, **told)
        if "checkpoint" in reading:
            _remove_checkpoint(comm, Path(reading["checkpoint"]))
        fitted.set_params(n_jobs=None)
        return counted.rows, (fitted, [(each.category, str(each.message)) for each in caught])

    return train


def _remove_checkpoint(comm: cluster.Comm, path: Path) -> None:
    comm.all_gather(b"")  # all have their model
    for file in [path, *path.parent.glob(f"{path.name}.{comm.rank}-of-{comm.size}.*")]:
        file.unlink(missing_ok=True)


# -------------------------------------------------------------------------------------------------------------- models


class _ModelWriter(MLWriter):  # type: ignore[misc]
    def __init__(self, model: Any) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        session = self.sparkSession
        DefaultParamsWriter.saveMetadata(self._model, path, session)
        record = (self._model.estimator.model_.to_bytes(), self._model.estimator.classes_.dtype.kind)
        session.createDataFrame([record], "model binary, classes string").write.parquet(os.path.join(path, "data"))


class _ModelReader(MLReader):  # type: ignore[misc]
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self._kind = kind

    def load(self, path: str) -> Any:
        from ._load import estimator_of
        from ._model import Model as LinsepModel

        session = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, session)
        record = session.read.parquet(os.path.join(path, "data")).first()
        estimator = estimator_of(LinsepModel.from_bytes(bytes(record.model)))
        if record.classes == "f":
            estimator.classes_ = estimator.classes_.astype(np.float64)
        model = self._kind(estimator)
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model


class _LinsepModel(Model, _Columns, MLReadable, MLWritable):  # type: ignore[misc]
    """What the models share.

    Parameters
    ----------
    estimator : estimator of linsep
        Fitted.

    Attributes
    ----------
    estimator : estimator of linsep
        Fitted; ``estimator.model_.save(path)`` writes a model file.
    """

    def __init__(self, estimator: Any = None) -> None:
        super().__init__()
        self.estimator = estimator

    @property
    def numFeatures(self) -> int:
        """How many features there are."""
        return int(self.estimator.n_features_in_)

    @property
    def numClasses(self) -> int:
        """How many classes there are."""
        return len(self.estimator.classes_)

    def write(self) -> _ModelWriter:
        """Return what writes the model."""
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> _ModelReader:
        """Return what reads a model."""
        return _ModelReader(cls)

    def _transform(self, dataset: Any) -> Any:
        columns = {
            self.getPredictionCol(): "prediction",
            self.getRawPredictionCol(): "raw",
            self.getProbabilityCol(): "probability",
        }
        if not hasattr(self.estimator, "predict_proba"):
            columns = {name: kind for name, kind in columns.items() if kind != "probability"}
        columns.pop("", None)  # not asked for
        words = self.estimator.classes_.dtype.kind in "UO"
        types = {"prediction": StringType() if words else DoubleType()}
        added = [StructField(name, types.get(kind, ArrayType(DoubleType()))) for name, kind in columns.items()]
        score = _scoring(self.estimator, self.getFeaturesCol(), columns)
        scored = dataset.mapInArrow(score, StructType([*dataset.schema.fields, *added]))
        vectors = [name for name, kind in columns.items() if kind != "prediction"]
        return scored.withColumns({name: array_to_vector(sql.col(f"`{name}`")) for name in vectors})


def _scoring(estimator: Any, features: str | Sequence[str], columns: dict[str, str]) -> Callable[..., Any]:
    def score(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            if batch.num_rows == 0:
                continue
            made = _scores(estimator, batch, features, columns.values())
            arrays = list(batch.columns)
            for kind in columns.values():
                values = made[kind]
                arrays.append(pa.array(values) if values.ndim == 1 else pa.array(list(values), pa.list_(pa.float64())))
            yield pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *columns])

    return score


def _scores(estimator: Any, batch: Any, features: str | Sequence[str], wanted: Any) -> dict[str, Any]:
    """Return predictions, scores and probabilities of a batch's rows."""
    if estimator.model_._core.has_table:
        import pyarrow as pa

        X = pa.Table.from_batches([batch]).select(list(features))
    else:
        arrived = _shards.of_record_batch(batch, label=None, features=features, weight=None, ids=None)
        X = arrived.value
        if arrived.start is not None:
            X = sparse.csr_matrix((arrived.value, arrived.column, arrived.start), (arrived.rows, arrived.features))
    scores = estimator.decision_function(X)
    classes = estimator.classes_[estimator.model_._core.predict_places(scores)]
    made = {
        "prediction": classes.astype(str).astype(object) if classes.dtype.kind in "UO" else classes.astype(np.float64),
        "raw": np.column_stack([-scores, scores]) if scores.ndim == 1 else scores,
    }
    if "probability" in wanted:
        made["probability"] = estimator.model_._core.probabilities_of_scores(scores)
    return made


class SparkMarginModel(_LinsepModel):
    """A trained `SparkMarginClassifier`."""


class SparkPerceptronModel(_LinsepModel):
    """A trained `SparkPerceptron`."""


class SparkLeastSquaresModel(_LinsepModel):
    """A trained `SparkLeastSquaresClassifier`."""


class SparkMarginClassifier(_LinsepEstimator):
    """Maximum margin with a loss on a data frame, to a certified gap.

    Parameters
    ----------
    **params : dict
        Those of `linsep.MarginClassifier` by the same names (``loss``, ``C``, ``gap``, …); columns (``featuresCol``,
        ``labelCol``, ``weightCol``, ``predictionCol``, ``rawPredictionCol``, ``probabilityCol``); and how the work is
        done: ``numWorkers``, ``repartition``, ``checkRows``, ``checkpoint``, ``checkpointEvery``, ``memory``,
        ``pages``, ``float32``, ``ports``, ``timeout``. ``explainParams()`` describes them.
    """

    _kind = MarginClassifier
    _model = SparkMarginModel


class SparkPerceptron(_LinsepEstimator):
    """The perceptron on a data frame; after each pass the workers go on from the mean of their weights.

    Parameters
    ----------
    **params : dict
        Those of `linsep.Perceptron` by the same names; else as of `SparkMarginClassifier`, without weights.
    """

    _kind = Perceptron
    _model = SparkPerceptronModel


class SparkLeastSquaresClassifier(_LinsepEstimator):
    """Least squares on a data frame.

    Parameters
    ----------
    **params : dict
        Those of `linsep.LeastSquaresClassifier` by the same names; else as of `SparkMarginClassifier`.
    """

    _kind = LeastSquaresClassifier
    _model = SparkLeastSquaresModel


# -------------------------------------------------------------------------------------------------------------- proofs


def certify(
    frame: Any,
    *,
    id_col: str | None = None,
    label_col: str = "label",
    features_col: str | Sequence[str] = "features",
    num_workers: int | None = None,
    repartition: bool | None = None,
    check_rows: bool = True,
    memory: int | str | None = None,
    pages: str | None = None,
    ports: str | None = None,
    timeout: float = 60.0,
    **asked: Any,
) -> Certificate:
    """Decide whether any linear classifier separates the rows of a data frame, and prove the answer.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    id_col : str, default=None
        A column that names rows, which the proof then shows (``certificate.witness["id"]``).
    label_col : str, default="label"
        The classes.
    features_col : str or list of str, default="features"
        A column of vectors or arrays, or columns of numbers.
    num_workers, repartition, check_rows, memory, pages, ports, timeout : default=None
        As of `SparkMarginClassifier`.
    **asked : dict
        Arguments of `linsep.certify`, such as ``coefficients=True``, or ``against="a"`` where there are more than two
        classes.

    Returns
    -------
    Certificate
        Sealed; the same as one machine makes of the rows in the order of the partitions.
    """
    reading = {"label": label_col, "features": features_col, "memory": memory}
    options = {
        "workers": num_workers,
        "repartition": repartition,
        "check_rows": check_rows,
        "ports": ports,
        "timeout": timeout,
    }

    def prove(comm: cluster.Comm, batches: Iterator[Any], threads: int) -> Any:
        counted = _shards.Counted(batches)
        arguments = {"n_jobs": threads, **asked}
        made = cluster.certify(counted, comm, ids=id_col, asked=arguments, pages=_folder(pages), **reading)
        return counted.rows, made

    made: Certificate = _run(_selected(frame, reading, id_col), prove, options)
    return made
