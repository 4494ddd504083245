"""A table through pyarrow, polars or DuckDB gives the model that the same table in CSV gives, byte for byte."""

import ctypes
import csv
import datetime
import decimal
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["LINSEP_BUILD"])
CHECK = BUILD / "arrow_check.so"


def package(name):
    try:
        return __import__(name)
    except ImportError:
        return None


pyarrow, polars, duckdb = package("pyarrow"), package("polars"), package("duckdb")


def drawn_columns(seed, rows):
    """A column of each kind, with holes: by name, the values as Python has them."""
    draw = random.Random(seed)

    def hole(value, share):
        return None if draw.random() < share else value

    day = datetime.date(2025, 1, 1)
    return {
        "amount": [hole(draw.randrange(8000) / 8, 0.1) for _ in range(rows)],
        "items": [draw.randrange(-5, 100) for _ in range(rows)],
        "price": [decimal.Decimal(draw.randrange(10000)).scaleb(-2) for _ in range(rows)],
        "day": [hole(day + datetime.timedelta(days=draw.randrange(500)), 0.05) for _ in range(rows)],
        "when": [datetime.datetime(2025, 1, 1) + datetime.timedelta(minutes=draw.randrange(500000)) for _ in range(rows)],
        "card": [hole(f"c{draw.randrange(30)}", 0.05) for _ in range(rows)],
        "country": [draw.choice(["AT", "NA", "DE", "Côte d'Ivoire, a long name"]) for _ in range(rows)],
        "note": [" ".join(draw.choice(["free", "prize", "a", "B\"c", "día", "x,y"]) for _ in range(6)) + str(i)
                 for i in range(rows)],
        "label": [draw.choice(["ham", "spam"]) for _ in range(rows)],
    }


def as_csv(columns, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow(["" if value is None else value for value in row])


def as_arrow(columns):
    return pyarrow.table({
        **columns,
        "country": pyarrow.array(columns["country"]).dictionary_encode(),
        "card": pyarrow.array(columns["card"], pyarrow.large_string()),
    })


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


@unittest.skipIf(pyarrow is None, "pyarrow isn't installed")
class Files(unittest.TestCase):
    """linsep train FILE, where the module is built."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        libraries = os.pathsep.join(pyarrow.get_library_dirs())
        self.environment = {**os.environ, "LD_LIBRARY_PATH": libraries}

    def run_program(self, *arguments):
        return subprocess.run([BUILD / "linsep", *arguments], cwd=self.folder, env=self.environment, capture_output=True,
                              timeout=120, check=False)

    def train(self, name):
        done = self.run_program("train", name, "--quiet", "-o", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return (self.folder / "out.json").read_bytes()

    @unittest.skipIf((BUILD / "liblinsep_arrow.so").exists(), "the module is built")
    def test_without_the_module_that_is_said(self):
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table({"x": [1.0], "y": ["a"]}), self.folder / "rows.parquet")
        done = self.run_program("train", "rows.parquet")
        self.assertEqual(done.returncode, 3)
        self.assertIn("isn't installed: no liblinsep_arrow.so", done.stderr.decode())

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_parquet_arrow_and_folders(self):
        import pyarrow.feather
        import pyarrow.parquet

        columns = drawn_columns(5, 500)
        as_csv(columns, self.folder / "rows.csv")
        expected = self.train("rows.csv")
        table = as_arrow(columns)
        pyarrow.parquet.write_table(table, self.folder / "rows.parquet", row_group_size=100)
        self.assertEqual(self.train("rows.parquet"), expected)
        pyarrow.feather.write_feather(table, str(self.folder / "rows.arrow"))
        self.assertEqual(self.train("rows.arrow"), expected)
        (self.folder / "parts").mkdir()
        pyarrow.parquet.write_table(table.slice(0, 200), self.folder / "parts" / "a.parquet")
        pyarrow.parquet.write_table(table.slice(200), self.folder / "parts" / "b.parquet")
        self.assertEqual(self.train("parts"), expected)
        (self.folder / "rows.parquet").write_bytes((self.folder / "rows.parquet").read_bytes()[:-100])
        done = self.run_program("train", "rows.parquet")
        self.assertEqual(done.returncode, 3, "a file that ends early is an error")

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_folders_called_key_value_are_categories(self):
        import pyarrow.parquet

        for shop in ("north", "south"):
            folder = self.folder / "rows" / f"shop={shop}"
            folder.mkdir(parents=True)
            part = pyarrow.table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
            pyarrow.parquet.write_table(part, folder / "part.parquet")
        done = self.run_program("columns", "rows", "--label", "y")
        self.assertIn("shop", done.stdout.decode() + done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
