"""A table through pyarrow, polars or DuckDB gives the model that the same table in CSV gives, byte for byte."""

import ctypes
import datetime
import os
import tempfile
import unittest
from pathlib import Path

from drawn import as_arrow, as_csv, drawn_columns, package, pyarrow

BUILD = Path(os.environ["LINSEP_BUILD"])
CHECK = BUILD / "arrow_check.so"


polars, duckdb = package("polars"), package("duckdb")


@unittest.skipUnless(CHECK.exists(), "arrow_check isn't built")
class Streams(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = ctypes.CDLL(str(CHECK))
        cls.library.arrow_check_train.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
        ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
        ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def model(self, rows):
        """The bytes of the model of a table that has a stream, or of a path."""
        message = ctypes.create_string_buffer(1000)
        out = self.folder / "model.json"
        if isinstance(rows, Path):
            failed = self.library.arrow_check_train(None, str(rows).encode(), str(out).encode(), message, 1000)
        else:
            capsule = rows.__arrow_c_stream__()
            pointer = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"arrow_array_stream")
            failed = self.library.arrow_check_train(pointer, None, str(out).encode(), message, 1000)
        self.assertEqual(failed, 0, message.value.decode())
        return out.read_bytes()

    def both(self, rows, seed=1):
        columns = drawn_columns(seed, rows)
        as_csv(columns, self.folder / "rows.csv")
        return columns, self.model(self.folder / "rows.csv")

    @unittest.skipIf(pyarrow is None, "pyarrow isn't installed")
    def test_pyarrow(self):
        for seed in range(3):
            columns, expected = self.both(400, seed)
            table = as_arrow(columns)
            self.assertEqual(self.model(table), expected)
            chunks = pyarrow.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7)])
            self.assertEqual(self.model(chunks), expected, "batches and offsets don't matter")

    @unittest.skipIf(polars is None, "polars isn't installed")
    def test_polars(self):
        columns, expected = self.both(400)
        frame = polars.DataFrame(columns)
        self.assertEqual(self.model(frame), expected, "strings are views")
        self.assertEqual(self.model(frame.with_columns(polars.col("country").cast(polars.Categorical))), expected)

    @unittest.skipIf(duckdb is None or pyarrow is None, "duckdb or pyarrow isn't installed")
    def test_duckdb(self):
        columns, expected = self.both(3000)
        payments = as_arrow(columns)  # noqa: F841 (DuckDB finds it by its name)
        connection = duckdb.connect()
        self.assertEqual(self.model(connection.sql("SELECT * FROM payments")), expected)
        enum = "SELECT * REPLACE (CAST(country AS ENUM ('AT', 'NA', 'DE', 'Côte d''Ivoire, a long name')) AS country) FROM payments"
        self.assertEqual(self.model(connection.sql(enum)), expected)

    @unittest.skipIf(pyarrow is None, "pyarrow isn't installed")
    def test_a_type_that_cannot_be_read_is_named(self):
        table = pyarrow.table({"t": [datetime.time(1)], "y": ["a"]})
        with self.assertRaisesRegex(AssertionError, "column 't' has the Arrow format 'ttu'"):
            self.model(table)


if __name__ == "__main__":
    unittest.main()
