"""The cluster that the other tests run on: two workers of their own process, barrier stages, a Spark Connect server."""
import os
import subprocess
import sys

import standalone

BARRIER = """
from pyspark.sql import SparkSession

def workers(batches):
    import os
    import pyarrow as pa
    from pyspark import BarrierTaskContext
    rows = sum(batch.num_rows for batch in batches)
    gathered = BarrierTaskContext.get().allGather(str(os.getppid()))
    yield pa.RecordBatch.from_pydict({"rows": [rows], "parents": [" ".join(gathered)]})

spark = SparkSession.builder.getOrCreate()
found = spark.range(1000).repartition(2).mapInArrow(workers, "rows long, parents string", barrier=True).collect()
print(type(spark).__module__, sum(row.rows for row in found), len(set(found[0].parents.split())))
spark.stop()
"""


def answer(cluster):
    done = subprocess.run([sys.executable, "-c", BARRIER], env=cluster.session_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_barrier_stage_runs_on_both_workers(cluster):
    module, rows, processes = answer(cluster)
    assert (module, int(rows), int(processes)) == ("pyspark.sql.session", 1000, 2)


def test_a_connect_server_runs_on_the_same_cluster(cluster):
    cluster.connect()
    module, rows, processes = answer(cluster)
    assert (module, int(rows), int(processes)) == ("pyspark.sql.connect.session", 1000, 2)
    assert [len(found) for found in cluster.executors().values()] == [1, 1]


def test_nothing_is_left_of_a_cluster():
    with standalone.Cluster() as cluster:
        processes = [process.pid for process in cluster.processes.values()]
        folder = cluster.folder
    assert not [process for process in processes if os.path.exists(f"/proc/{process}")]
    assert not folder.exists()
