#!/usr/bin/env python3
"""linsep.spark beside MLlib's LinearSVC and LogisticRegression, on one standalone cluster and one cached data frame.

    PYTHONPATH=build/release/python build/test-venv/bin/python bench/spark.py [--rows 5000000] [--nonzeros 20] [--json FILE]

Both sides train with the same λ, an offset that isn't penalized, and no scaling of columns; every model's objective is worked out by one
function over the same data frame. Each of MLlib's results (`--iterations`) is compared with linsep's at the widest of `--gaps` that gives an objective no worse. Processor seconds are those of executors,
their Python workers and the driver: a machine with other work to do changes them less than the clock on the wall. Beside each run of
linsep stands the engine's cost: the same rows, passes and all-reduces without learning.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "spark")]
import standalone  # noqa: E402
import vectors  # noqa: E402
from workshop import machine, seconds_text  # noqa: E402

FEATURES = 47_236
LOSSES = {"hinge": "planes", "logistic": "newton"}


def parquet(given):
    """The rows as Parquet, written when first needed."""
    import linsep

    data = pathlib.Path(os.environ.get("BENCH_DATA", ROOT / "build" / "bench-data"))
    path = data / f"spark-{given.rows}-{given.nonzeros}.parquet"
    if not path.exists():
        X, y = linsep.generate("sparse", rows=given.rows, features=FEATURES, nonzeros=given.nonzeros, random_state=1)
        vectors.write(path, X, y, files=2)
    return path


def objective(frame, loss, theta, offset, lam):
    """Mean loss + (λ/2)‖θ‖², in double precision, for every side."""
    import numpy as np

    def losses(batches):
        import pyarrow as pa
        from linsep import _shards
        from scipy import sparse

        for batch in batches:
            rows = _shards.of_record_batch(batch, label="label", features="features", weight=None, ids=None)
            X = sparse.csr_matrix((rows.value, rows.column, rows.start), (rows.rows, rows.features))
            margin = (2 * rows.label - 1) * (X @ theta + offset)
            value = np.maximum(0, 1 - margin) if loss == "hinge" else np.logaddexp(0, -margin)
            yield pa.RecordBatch.from_pydict({"sum": [float(value.sum())], "rows": [rows.rows]})

    made = frame.select("features", "label").mapInArrow(losses, "sum double, rows long").groupBy().sum().first()
    return made[0] / made[1] + lam / 2 * float(theta @ theta)


def by_mllib(frame, loss, lam, iterations, given):
    from pyspark.ml.classification import LinearSVC, LogisticRegression

    kind = LinearSVC if loss == "hinge" else LogisticRegression
    began = time.monotonic()
    model = kind(regParam=lam, standardization=False, maxIter=iterations, tol=given.tolerance).fit(frame)
    seconds = time.monotonic() - began
    iterations = model.summary().totalIterations if loss == "hinge" else model.summary.totalIterations
    return {"seconds": seconds, "iterations": iterations, "theta": model.coefficients.toArray(), "offset": model.intercept}


def by_linsep(frame, loss, lam, gap, given):
    from linsep.spark import SparkMarginClassifier

    began = time.monotonic()
    model = SparkMarginClassifier(loss=loss, solver=LOSSES[loss], alpha=lam, gap=gap).fit(frame)
    seconds = time.monotonic() - began
    fitted = model.estimator
    return {"seconds": seconds, "iterations": int(fitted.n_iter_), "gap": float(fitted.gap_), "theta": fitted.coef_[0], "offset": float(fitted.intercept_[0])}


def exchanged(frame, loss, lam, gap):
    """Where a worker's time goes: rounds and bytes of training, seconds on the clock and of its processor, and its peak of memory."""
    import linsep

    estimator = linsep.MarginClassifier(loss=loss, solver=LOSSES[loss], alpha=lam, gap=gap, n_jobs=1)

    def work(comm, batches, _):
        from linsep import cluster

        began, used = time.monotonic(), time.process_time()
        shared = cluster.rows(batches, comm)
        read, used_read, rounds, sent = time.monotonic(), time.process_time(), comm.rounds, comm.bytes
        fitted = estimator._fit(shared, None)
        trained, used_trained = time.monotonic(), time.process_time()
        rounds, sent, passes = comm.rounds - rounds, comm.bytes - sent, int(fitted.n_iter_)
        bare = cluster.bare_passes(shared, passes, max(1, sent // 8 // max(1, passes)))
        return {"read": read - began, "train": trained - read, "rounds": rounds, "bytes": sent, "bare": bare, "passes": passes,
                "read_processor": used_read - used, "train_processor": used_trained - used_read,
                "bare_processor": time.process_time() - used_trained}

    return stage(frame.select("features", "label"), work)


def transferred(cluster, frame):
    """Processor seconds of all processes for a stage whose workers take the rows from Spark and drop them."""

    def work(comm, batches, _):
        used = time.process_time()
        rows = sum(batch.num_rows for batch in batches)
        return {"rows": rows, "processor": time.process_time() - used}

    before = cluster.processor_seconds()
    found = stage(frame.select("features", "label"), work)
    return {**found, "all_processor": cluster.processor_seconds() - before}


def stage(frame, work):
    """What `work(comm, batches, threads)` returns on the first worker of a barrier stage."""

    def task(batches):
        import pyarrow as pa
        from linsep import cluster
        from pyspark import BarrierTaskContext

        context = BarrierTaskContext.get()
        with cluster.connect(context.allGather, context.partitionId(), len(context.getTaskInfos()), address="127.0.0.1") as comm:
            answer = json.dumps(work(comm, batches, 1))
        yield pa.RecordBatch.from_pydict({"rank": pa.array([context.partitionId()], pa.int32()), "answer": [answer]})

    records = frame.mapInArrow(task, "rank int, answer string", barrier=True).repartition(1).collect()
    return json.loads(min(records, key=lambda record: record.rank).answer)


def measured(cluster, frame, loss, lam, given, name, side, effort):
    """A side's model with its objective, and medians of the seconds of its runs."""
    runs = []
    for _ in range(given.repeats):
        before = cluster.processor_seconds()
        runs.append(side(frame, loss, lam, effort, given))
        runs[-1]["processor"] = cluster.processor_seconds() - before
    found = {**runs[0], "all_seconds": [run["seconds"] for run in runs], "all_processor": [run["processor"] for run in runs]}
    found["seconds"], found["processor"] = statistics.median(found["all_seconds"]), statistics.median(found["all_processor"])
    found["objective"] = objective(frame, loss, found.pop("theta"), found.pop("offset"), lam)
    print(f"  {loss}: {name} {seconds_text(found['seconds'])} ({found['processor']:.1f} s of processors), {found['iterations']} {'passes' if 'gap' in found else 'iterations'}, "
          f"objective {found['objective']:.9f}", flush=True)
    return found


def compare(cluster, frame, given):
    lam, rows = given.alpha, []
    for loss in given.losses.split(","):
        gaps, mine = list(map(float, given.gaps.split(","))), None
        for iterations in sorted(map(int, given.iterations.split(","))):
            theirs = measured(cluster, frame, loss, lam, given, f"MLlib with at most {iterations} iterations", by_mllib, iterations)
            while gaps and (mine is None or mine["objective"] > theirs["objective"]):
                gap = gaps.pop(0)
                mine = {**measured(cluster, frame, loss, lam, given, f"linsep to a gap of {gap}", by_linsep, gap), "asked": gap}
            rows.append({"loss": loss, "ratio": theirs["seconds"] / mine["seconds"], "processor_ratio": theirs["processor"] / mine["processor"],
                         "agrees": mine["objective"] <= theirs["objective"], "MLlib": theirs, "linsep": mine})
            keep(rows, given)
        rows[-1] |= {"inside": exchanged(frame, loss, lam, mine["asked"]), "transfer": transferred(cluster, frame)}
        keep(rows, given)
    return rows


def keep(rows, given):
    pathlib.Path(given.json).write_text(json.dumps({"machine": machine(), "load": os.getloadavg(), "given": vars(given), "results": rows}, indent=2) + "\n")


def show(rows):
    print("loss | MLlib | its processor seconds | its iterations | its objective | linsep | processor seconds | passes | gap | objective | ratio | of processor seconds | no worse?")
    for row in rows:
        mllib, mine = row["MLlib"], row["linsep"]
        print(" | ".join([row["loss"], seconds_text(mllib["seconds"]), f"{mllib['processor']:.0f}", str(mllib["iterations"]), f"{mllib['objective']:.9f}",
                          seconds_text(mine["seconds"]), f"{mine['processor']:.0f}", str(mine["iterations"]), str(mine["asked"]), f"{mine['objective']:.9f}",
                          f"{row['ratio']:.1f}", f"{row['processor_ratio']:.1f}", "yes" if row["agrees"] else "NO"]))
    for row in rows:
        if "inside" not in row:
            continue
        inside = row["inside"]
        print(f"{row['loss']} to a gap of {row['linsep']['asked']}: {inside['rounds']} rounds, {inside['bytes']:,} bytes of a worker; processor seconds of a worker: "
              f"{inside['read_processor']:.1f} to read, {inside['train_processor']:.1f} to train, {inside['bare_processor']:.1f} for the engine alone "
              f"({inside['train_processor'] / inside['bare_processor']:.2f} times); of all processes {row['transfer']['all_processor']:.1f} to hand rows over and drop them")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--nonzeros", type=int, default=20)
    parser.add_argument("--alpha", type=float, default=1e-6, help="λ, which MLlib calls regParam [1e-6]")
    parser.add_argument("--gaps", default="0.01,0.001,0.0001,1e-6,1e-7", help="linsep's, the widest first")
    parser.add_argument("--iterations", default="100", help="MLlib's maxIter, one or several; 100 is its default")
    parser.add_argument("--tolerance", type=float, default=1e-6, help="MLlib's tol; 1e-6 is its default")
    parser.add_argument("--losses", default=",".join(LOSSES))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--executor-memory", default="5g")
    parser.add_argument("--json", default=str(ROOT / "build" / "spark.json"))
    given = parser.parse_args()
    if reason := standalone.missing():
        raise SystemExit(reason)
    path = parquet(given)
    with standalone.Cluster(memory=given.executor_memory, executor_memory=given.executor_memory, driver_memory="1g") as cluster:
        spark = cluster.session()
        frame = spark.read.parquet(str(path)).repartition(2).cache()
        print(f"{frame.count():,} rows, {given.nonzeros} nonzeros each, {FEATURES:,} features, cached on two executors of one core", flush=True)
        rows = compare(cluster, frame, given)
        spark.stop()
    show(rows)
    return 0 if all(row["agrees"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
