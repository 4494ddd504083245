"""Predictions written as Arrow and Parquet hold what CSV holds, as pyarrow, polars and DuckDB read them."""

import csv
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from drawn import package, pyarrow

BUILD = Path(os.environ["LINSEP_BUILD"])
MODULE = (BUILD / "liblinsep_arrow.so").exists()
MPIRUN = shutil.which("mpirun") if (BUILD / "liblinsep_mpi.so").exists() else None


polars, duckdb = package("polars"), package("duckdb")


@unittest.skipIf(pyarrow is None, "pyarrow isn't installed")
class Predictions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(pyarrow.get_library_dirs())}

    def run_program(self, *arguments, before=(), code=0):
        done = subprocess.run([*before, BUILD / "linsep", *arguments], cwd=self.folder, env=self.environment,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def write(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def patients(self):
        self.run_program("generate", "patients", "--rows", "3000", "-o", "rows.csv")
        self.run_program("train", "rows.csv", "--quiet", "--learner", "logistic", "--positive", "disease", "-o", "m.json")

    def predict(self, name, *options, before=()):
        self.run_program("predict", "rows.csv", "-m", "m.json", *options, "-o", name, before=before)
        return self.folder / name

    def csv_rows(self, *options):
        """The table as CSV has it, numbers as such."""
        numbers = ("score", "probability")
        with open(self.predict("out.csv", *options), encoding="utf-8", errors="replace", newline="") as file:
            return [{name: float(value) if name.startswith(numbers) else value for name, value in row.items()}
                    for row in csv.DictReader(file)]

    def arrow_rows(self, *options):
        """Of an Arrow file and of a stream, which hold the same."""
        table = pyarrow.ipc.open_file(self.predict("out.arrow", *options)).read_all()
        table.validate(full=True)
        stream = pyarrow.ipc.open_stream(self.predict("out.arrows", *options)).read_all()
        self.assertTrue(stream.equals(table))
        return table.to_pylist()

    def test_arrow_holds_what_csv_holds(self):
        self.patients()
        every = ("--id", "patient", "--keep", "ward,age", "--scores", "--probabilities")
        for options in ((), ("--scores",), every):
            with self.subTest(options=options):
                self.assertEqual(self.arrow_rows(*options), self.csv_rows("--to", "csv", *options))

    @unittest.skipIf(polars is None, "polars isn't installed")
    def test_polars_reads_arrow(self):
        self.patients()
        expected = self.csv_rows("--scores", "--id", "patient")
        self.assertEqual(polars.read_ipc(self.predict("out.feather", "--scores", "--id", "patient")).to_dicts(), expected)
        stream = self.predict("out.arrows", "--scores", "--id", "patient")
        self.assertEqual(polars.read_ipc_stream(stream).to_dicts(), expected)

    @unittest.skipIf(duckdb is None, "duckdb isn't installed")
    def test_duckdb_reads_a_stream_by_way_of_pyarrow(self):
        self.patients()
        answers = pyarrow.ipc.open_stream(self.predict("out.arrows", "--scores"))  # noqa: F841 (found by its name)
        counted = duckdb.connect().sql("SELECT count(*) FROM answers WHERE prediction = 'disease'").fetchall()[0][0]
        self.assertEqual(counted, sum(row["prediction"] == "disease" for row in self.csv_rows("--scores")))

    def test_a_stream_goes_to_standard_output(self):
        self.patients()
        done = self.run_program("predict", "rows.csv", "-m", "m.json", "--to", "arrow-stream")
        self.assertEqual(pyarrow.ipc.open_stream(done.stdout).read_all().num_rows, 3000)

    def test_of_several_classes_each_has_its_column(self):
        self.write("rows.csv", "x,kind\n" + "".join(f"{k % 7},{'abc'[k % 7 // 3]}\n" for k in range(200)))
        self.run_program("train", "rows.csv", "--quiet", "--learner", "margin", "--loss", "softmax", "-o", "m.json")
        rows = self.arrow_rows("--scores", "--probabilities")
        self.assertEqual(set(rows[0]), {"prediction", *(f"{what}_{k}" for what in ("score", "probability") for k in "abc")})
        self.assertEqual(rows, self.csv_rows("--to", "csv", "--scores", "--probabilities"))

    def test_a_regression_predicts_numbers(self):
        self.write("rows.csv", "x,y\n" + "".join(f"{k},{2 * k + 1}\n" for k in range(50)))
        self.run_program("train", "rows.csv", "--quiet", "--learner", "regression", "-o", "m.json")
        self.assertEqual([row["prediction"] for row in self.arrow_rows()],
                         [float(row["prediction"]) for row in self.csv_rows()])

    def test_any_text_is_kept_and_bytes_that_are_no_text_are_replaced(self):
        texts = [b'"a ""word"""', "día 😀".encode(), b'""', b'"x,y\nz"', b"b\xffc", b"\xe2\x82", b"plain"] * 9
        self.write("rows.csv", b"note,x,label\n" + b"".join(
            text + (f",{k % 5},%s\n" % "pn"[k % 5 > 2]).encode() for k, text in enumerate(texts)))
        self.run_program("train", "rows.csv", "--quiet", "--only", "--number", "x", "-o", "m.json")
        rows = [row["note"] for row in self.arrow_rows("--keep", "note")]
        self.assertEqual(rows[:7], ['a "word"', "día 😀", "", "x,y\nz", "b\ufffdc", "\ufffd\ufffd", "plain"])

    def test_no_rows_are_a_table_without_rows(self):
        self.patients()
        header = (self.folder / "rows.csv").read_text().splitlines()[0]
        self.write("rows.csv", header + "\n")
        self.assertEqual(self.arrow_rows("--scores"), [])

    @unittest.skipIf(MPIRUN is None, "MPI isn't built")
    def test_several_workers_write_one_file(self):
        self.patients()
        expected = self.csv_rows("--scores", "--id", "patient")
        run = (MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "3", "-x", "LD_LIBRARY_PATH")
        several = self.predict("several.arrow", "--scores", "--id", "patient", before=run)
        self.assertEqual(pyarrow.ipc.open_file(several).read_all().to_pylist(), expected)
        if MODULE:
            several = self.predict("several.parquet", "--scores", "--id", "patient", before=run)
            self.assertEqual(package("pyarrow.parquet").parquet.read_table(several).to_pylist(), expected)

    @unittest.skipUnless(MODULE, "the module isn't built")
    def test_parquet_holds_what_csv_holds(self):
        import pyarrow.parquet

        self.patients()
        every = ("--id", "patient", "--keep", "ward", "--scores", "--probabilities")
        expected, path = self.csv_rows(*every), self.predict("out.parquet", *every)
        self.assertEqual(pyarrow.parquet.read_table(path).to_pylist(), expected)
        if polars is not None:
            self.assertEqual(polars.read_parquet(path).to_dicts(), expected)
        if duckdb is not None:
            found = duckdb.connect().sql(f"SELECT * FROM '{path}'")
            self.assertEqual([dict(zip(found.columns, row)) for row in found.fetchall()], expected)

    def test_kept_columns_of_an_arrow_file_keep_their_types(self):
        count = 40
        table = pyarrow.table({
            "id": pyarrow.array(range(2**60, 2**60 + count), pyarrow.int64()),
            "code": pyarrow.array([None if k == 3 else k for k in range(count)], pyarrow.int8()),
            "hash": pyarrow.array([2**64 - 1 - k for k in range(count)], pyarrow.uint64()),
            "rate": pyarrow.array([None if k == 5 else k / 8 for k in range(count)], pyarrow.float64()),
            "member": pyarrow.array([None if k == 7 else k % 3 == 0 for k in range(count)]),
            "city": pyarrow.array(["Oslo", "Rome"] * (count // 2)),
            "label": pyarrow.array([k % 2 for k in range(count)]),
        })
        names = table.column_names[:-1]
        with pyarrow.ipc.new_file(self.folder / "rows.arrow", table.schema) as file:
            file.write(table)
        self.run_program("train", "rows.arrow", "--quiet", "--only", "--number", "rate", "-o", "m.json")
        outputs = {"out.arrow": lambda path: pyarrow.ipc.open_file(path).read_all()}
        if MODULE:
            outputs["out.parquet"] = package("pyarrow.parquet").parquet.read_table
        for name, read in outputs.items():
            with self.subTest(name):
                self.run_program("predict", "rows.arrow", "-m", "m.json", "--keep", ",".join(names), "-o", name)
                kept = read(self.folder / name).select(names)
                self.assertEqual(kept.to_pylist(), table.select(names).to_pylist())
                self.assertEqual([str(kind) for kind in kept.schema.types],
                                 ["int64", "int64", "uint64", "double", "bool", "string"])

    @unittest.skipUnless(MODULE, "the module isn't built")
    def test_a_parquet_file_that_cannot_be_written_is_an_error(self):
        self.patients()
        done = self.run_program("predict", "rows.csv", "-m", "m.json", "-o", "/dev/full", "--to", "parquet", code=4)
        self.assertIn("/dev/full", done.stderr.decode())

    @unittest.skipIf(MODULE, "the module is built")
    def test_without_the_module_that_is_said(self):
        self.patients()
        done = self.run_program("predict", "rows.csv", "-m", "m.json", "-o", "out.parquet", code=4)
        self.assertIn("Parquet is written by a module that isn't installed", done.stderr.decode())

    @unittest.skipUnless(MODULE, "the module isn't built")
    def test_memory_does_not_grow_with_the_rows(self):
        self.run_program("generate", "table", "--rows", "400000", "-o", "rows.csv")
        self.run_program("train", "rows.csv", "--quiet", "--learner", "basic", "--only", "--number", "amount",
                         "-o", "m.json")
        most = {}
        for name in ("out.csv", "out.arrow", "out.parquet"):
            self.predict(name, "--scores", "--keep", "merchant,card,when", before=("/usr/bin/time", "-f", "%M", "-o", "kb"))
            most[name] = int((self.folder / "kb").read_text())
        self.assertLess(most["out.arrow"], most["out.csv"] + 20_000, most)
        self.assertLess(most["out.parquet"], most["out.csv"] + 150_000, "Arrow's libraries and one row group: " + str(most))


if __name__ == "__main__":
    unittest.main()
