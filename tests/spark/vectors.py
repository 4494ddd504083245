"""Sparse rows as Parquet files that Spark reads as a column of its vectors: `features`, beside `label` and `id`."""
import json
import pathlib

import numpy as np

VECTOR = {"type": "udt", "class": "org.apache.spark.ml.linalg.VectorUDT", "pyClass": "pyspark.ml.linalg.VectorUDT",
          "sqlType": {"type": "struct", "fields": [
              {"name": "type", "type": "byte", "nullable": False, "metadata": {}},
              {"name": "size", "type": "integer", "nullable": True, "metadata": {}},
              {"name": "indices", "type": {"type": "array", "elementType": "integer", "containsNull": False}, "nullable": True, "metadata": {}},
              {"name": "values", "type": {"type": "array", "elementType": "double", "containsNull": False}, "nullable": True, "metadata": {}}]}}
SCHEMA = {"type": "struct", "fields": [{"name": name, "type": kind, "nullable": True, "metadata": {}}
                                       for name, kind in (("id", "long"), ("label", "double"), ("features", VECTOR))]}
ROWS_PER_GROUP = 50_000


def table(X, y, first=0):
    """Rows of a CSR matrix as an Arrow table. Labels are 0 and 1, as MLlib wants them."""
    import pyarrow as pa

    n, start = X.shape[0], pa.array(X.indptr.astype(np.int32))
    vectors = pa.StructArray.from_arrays(
        [pa.array(np.zeros(n, np.int8)), pa.array(np.full(n, X.shape[1], np.int32)),
         pa.ListArray.from_arrays(start, pa.array(X.indices.astype(np.int32))),
         pa.ListArray.from_arrays(start, pa.array(X.data.astype(np.float64)))], names=["type", "size", "indices", "values"])
    made = pa.table({"id": pa.array(np.arange(first, first + n)), "label": pa.array((y > 0).astype(np.float64)), "features": vectors})
    return made.replace_schema_metadata({"org.apache.spark.sql.parquet.row.metadata": json.dumps(SCHEMA)})


def write(folder, X, y, files=2):
    """Writes the rows in order, so many files of equal size. The folder appears when it is complete."""
    import pyarrow.parquet as pq

    folder = pathlib.Path(folder)
    partial = folder.with_name(folder.name + ".partial")
    partial.mkdir(parents=True)
    bounds = [X.shape[0] * k // files for k in range(files + 1)]
    for k, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        with pq.ParquetWriter(partial / f"part-{k:05}.parquet", table(X[:0], y[:0]).schema) as writer:
            for group in range(begin, end, ROWS_PER_GROUP):
                upto = min(group + ROWS_PER_GROUP, end)
                writer.write_table(table(X[group:upto], y[group:upto], group))
    partial.rename(folder)
    return folder
