"""Parquet and Arrow files give what the same table in CSV gives."""

import os
import shutil
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
        # As after the documented build: nothing says where Arrow's libraries are.
        self.environment = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "VIRTUAL_ENV")}

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
    def test_a_small_file_of_many_values_keeps_to_the_limit(self):
        rows = 65_536
        label = pyarrow.array([k % 2 for k in range(rows)])
        column = pyarrow.array([float(k % 2) for k in range(rows)])
        word = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows, pyarrow.int32()), pyarrow.array(["x" * 20_000]))
        for name, table in (("wide", {**{f"c{k}": column for k in range(700)}, "y": label}), ("words", {"w": word, "x": column, "y": label})):
            path = self.folder / f"{name}.parquet"
            parquet.write_table(pyarrow.table(table), path, row_group_size=rows, compression="zstd", store_schema=False)
            self.assertLess(path.stat().st_size, 600_000)
            for command in (("train", "-o", "m.json"), ("convert", "-o", "m.lsp"), ("columns",)):
                with self.subTest(name, command=command[0]):
                    process = subprocess.Popen([BUILD / "linsep", command[0], path, *command[1:], "--memory", "100M"], cwd=self.folder,
                                               env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    message = process.stderr.read().decode()
                    _, status, used = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
                    process.stderr.close()
                    print(f"{name} {command[0]}: {process.returncode}, {used.ru_maxrss / 1024:.0f} MB, {message.strip()[:150]}")
                    self.assertIn(process.returncode, (0, 2, 3), message)
                    # Arrow's libraries themselves take about 70 MB.
                    self.assertLess(used.ru_maxrss / 1024, 230, message)

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
    def test_an_installed_module_finds_the_pyarrow_that_is_installed_or_says_the_cure(self):
        self.both()
        (self.folder / "modules").mkdir()
        shutil.copy(BUILD / "liblinsep_arrow.so", self.folder / "modules")
        self.environment |= {"LINSEP_MODULES": str(self.folder / "modules"), "PATH": "/usr/bin:/bin", "HOME": str(self.folder)}
        done = self.run_program("train", "rows.parquet")
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr.decode(), r"need lib(arrow|parquet)\.so\.\d+, which wasn't found: run `pip install 'pyarrow==\d+\.\*'`")
        environment = Path(pyarrow.__file__).parents[4]
        for name, value in (("VIRTUAL_ENV", environment), ("PATH", f"{environment}/bin")):
            self.environment[name] = str(value)
            self.train("rows.parquet")
            self.environment.pop("VIRTUAL_ENV", None)

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists(), "the module isn't built")
    def test_errors_are_in_our_words(self):
        folder = self.folder / "rows"
        folder.mkdir()
        parquet.write_table(pyarrow.table({"x": [1.0, 2.0], "y": ["a", "b"]}), folder / "a.parquet")
        for other in ("b.parquet", "c.txt"):
            if other == "b.parquet":
                parquet.write_table(pyarrow.table({"z": [1.0], "y": ["a"]}), folder / other)
            else:
                (folder / "b.parquet").unlink()
                (folder / other).write_text("x,y\n1,a\n")
            message = self.run_program("train", "rows").stderr.decode()
            self.assertIn(f"rows/{other}: ", message)
            self.assertNotIn("Invalid", message)

    @unittest.skipUnless((BUILD / "liblinsep_arrow.so").exists() and shutil.which("mpirun"), "the module isn't built, or no MPI")
    def test_several_workers_share_parquet_as_they_share_csv(self):
        self.both(2003, group=150)
        workers = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3")
        (self.folder / "parts").mkdir()
        table = parquet.read_table(self.folder / "rows.parquet")
        for k in range(4):
            parquet.write_table(table.slice(501 * k, 501), self.folder / "parts" / f"{k}.parquet", row_group_size=70)
        models = {}
        for name in ("rows.csv", "rows.parquet", "parts"):
            told = self.output("train", name, "--learner", "logistic", "-o", "shared.json", before=workers)
            self.assertIn("shared by 3 workers", told)
            models[name] = (self.folder / "shared.json").read_bytes()
        self.assertEqual(models["rows.parquet"], models["rows.csv"])
        self.assertEqual(models["parts"], models["rows.csv"])
        for name in ("rows.parquet", "parts"):
            for options in (("predict", "--scores"), ("predict", "--keep", "items,note", "--to", "csv"), ("evaluate",)):
                command = (options[0], name, "-m", "m.json", *options[1:])
                self.assertEqual(self.output(*command, before=workers), self.output(*command), command)

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
