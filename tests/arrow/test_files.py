"""Parquet and Arrow files give what the same table in CSV gives."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from drawn import as_arrow, as_csv, drawn_columns, pyarrow

if pyarrow is not None:
    from pyarrow import feather, parquet

BUILD = Path(os.environ["LINSEP_BUILD"])


@unittest.skipIf(pyarrow is None, "pyarrow isn't installed")
class Files(unittest.TestCase):
    """Files as the command reads them, where the module is built."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        libraries = os.pathsep.join(pyarrow.get_library_dirs())
        self.environment = {**os.environ, "LD_LIBRARY_PATH": libraries}

    def run_program(self, *arguments, before=()):
        return subprocess.run([*before, BUILD / "linsep", *arguments], cwd=self.folder, env=self.environment, capture_output=True,
                              timeout=120, check=False)

    def output(self, *arguments, before=()):
        done = self.run_program(*arguments, before=before)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def both(self, rows=500, group=100):
        """A drawn table as rows.csv and rows.parquet, and its model m.json."""
        columns = drawn_columns(5, rows)
        as_csv(columns, self.folder / "rows.csv")
        parquet.write_table(as_arrow(columns), self.folder / "rows.parquet", row_group_size=group)
        self.output("train", "rows.csv", "--quiet", "--learner", "logistic", "-o", "m.json")

    def train(self, name):
        done = self.run_program("train", name, "--quiet", "-o", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return (self.folder / "out.json").read_bytes()

    @unittest.skipIf((BUILD / "liblinsep_arrow.so").exists(), "the module is built")
    def test_without_the_module_that_is_said(self):
        parquet.write_table(pyarrow.table({"x": [1.0], "y": ["a"]}), self.folder / "rows.parquet")
        done = self.run_program("train", "rows.parquet")
        self.assertEqual(done.returncode, 3)
        self.assertIn("isn't installed: no liblinsep_arrow.so", done.stderr.decode())

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_parquet_arrow_and_folders(self):
        columns = drawn_columns(5, 500)
        as_csv(columns, self.folder / "rows.csv")
        expected = self.train("rows.csv")
        table = as_arrow(columns)
        parquet.write_table(table, self.folder / "rows.parquet", row_group_size=100)
        self.assertEqual(self.train("rows.parquet"), expected)
        feather.write_feather(table, str(self.folder / "rows.arrow"))
        self.assertEqual(self.train("rows.arrow"), expected)
        (self.folder / "parts").mkdir()
        parquet.write_table(table.slice(0, 200), self.folder / "parts" / "a.parquet")
        parquet.write_table(table.slice(200), self.folder / "parts" / "b.parquet")
        self.assertEqual(self.train("parts"), expected)
        (self.folder / "rows.parquet").write_bytes((self.folder / "rows.parquet").read_bytes()[:-100])
        done = self.run_program("train", "rows.parquet")
        self.assertEqual(done.returncode, 3, "a file that ends early is an error")

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_folders_called_key_value_are_categories(self):
        for shop in ("north", "south"):
            folder = self.folder / "rows" / f"shop={shop}"
            folder.mkdir(parents=True)
            part = pyarrow.table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
            parquet.write_table(part, folder / "part.parquet")
        done = self.run_program("columns", "rows", "--label", "y")
        self.assertIn("shop", done.stdout.decode() + done.stderr.decode())

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_predictions_and_figures_are_those_of_csv(self):
        self.both(20_000, group=5000)
        for options in (("--scores",), ("--probabilities", "--threads", "3"), ("--keep", "items,note,day,card,price", "--to", "csv")):
            expected = self.output("predict", "rows.csv", "-m", "m.json", *options)
            self.assertEqual(self.output("predict", "rows.parquet", "-m", "m.json", *options), expected, options)
        self.assertEqual(self.output("evaluate", "rows.parquet", "-m", "m.json"), self.output("evaluate", "rows.csv", "-m", "m.json"))

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_rows_without_a_label_are_left_out_with_their_fields(self):
        table = pyarrow.table({"x": [float(k % 7) for k in range(60)], "n": list(range(60)),
                               "y": [None if k % 5 == 0 else "ab"[k % 7 > 3] for k in range(60)]})
        parquet.write_table(table, self.folder / "rows.parquet", row_group_size=16)
        self.output("train", "rows.parquet", "--label", "y", "--only", "--number", "x", "--missing-label", "drop", "--quiet", "-o", "m.json")
        told = self.output("evaluate", "rows.parquet", "-m", "m.json", "--missing-label", "drop")
        self.assertIn("48 rows", told)

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_page_files_are_made_from_parquet(self):
        self.both(3000)
        for name in ("csv", "parquet"):
            self.output("convert", f"rows.{name}", "-o", f"{name}.lsp")
        self.assertEqual(self.train("parquet.lsp"), self.train("csv.lsp"))
        done = self.run_program("certify", "parquet.lsp")
        self.assertEqual(done.returncode, 2, "exact values are in the table, not in the pages")

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_a_row_that_does_not_fit_is_named_by_its_number_of_all(self):
        self.both(2000)
        table = parquet.read_table(self.folder / "rows.parquet")
        amount = [1.0] * 1700 + [float("inf")] + [1.0] * 299
        table = table.set_column(table.column_names.index("amount"), "amount", pyarrow.array(amount))
        parquet.write_table(table, self.folder / "rows.parquet", row_group_size=300)
        done = self.run_program("predict", "rows.parquet", "-m", "m.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("row 1701", done.stderr.decode().replace(",", ""))

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_prediction_holds_a_batch_and_not_the_table(self):
        self.both()
        table = parquet.read_table(self.folder / "rows.parquet")
        most = {}
        for copies in (100, 800):  # 50,000 and 400,000 rows
            parquet.write_table(pyarrow.concat_tables([table] * copies), self.folder / "many.parquet", row_group_size=20_000)
            self.output("predict", "many.parquet", "-m", "m.json", "-o", "out.arrow",
                        before=("/usr/bin/time", "-f", "%M", "-o", "kilobytes"))
            most[copies] = int((self.folder / "kilobytes").read_text())
        self.assertLess(most[800], most[100] + 25_000, most)


if __name__ == "__main__":
    unittest.main()
