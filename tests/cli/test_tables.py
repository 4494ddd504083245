"""Raw tables through the real program: what columns are taken for, the same bits every way, and messages."""

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, CommandLineTest

MPIRUN = shutil.which("mpirun")
MODULE = Path(PROGRAM).parent / "liblinsep_mpi.so"
DATA = os.environ.get("LINSEP_DATA")


class Tables(CommandLineTest):
    def table(self, kind, rows, seed=1, name="rows.csv"):
        self.run_program("generate", kind, "--rows", rows, "--seed", seed, "-o", name)
        return name

    def model(self, *arguments):
        """The bytes of the model that a training run writes."""
        self.run_program("train", *arguments, "-o", "m.model", "--quiet")
        return (self.folder / "m.model").read_bytes()

    def purposes(self, *arguments):
        return {column["name"]: column["purpose"] for column in self.answer("columns", *arguments)["columns"]}


class Columns(Tables):
    def test_each_is_what_its_fields_are(self):
        found = self.purposes(self.table("patients", 300))
        self.assertEqual(found, {"patient": "left out", "admitted": "date", "age": "number", "sex": "category",
                                 "smoking": "category", "marker": "number", "ward": "category", "outcome": "label"})
        self.assertEqual(self.purposes(self.table("messages", 300)), {"label": "label", "text": "text"})

    def test_options_decide_otherwise(self):
        data = self.table("patients", 300)
        found = self.purposes(data, "--category", "age,patient", "--ignore", "ward", "--label", "sex")
        self.assertEqual((found["age"], found["patient"], found["ward"], found["sex"]),
                         ("category", "category", "left out", "label"))
        found = self.purposes(data, "--only", "--number", "age")
        self.assertEqual(sorted(name for name, purpose in found.items() if purpose == "number"), ["age"])
        self.assertNotIn("category", found.values())

    def test_what_columns_prints_can_be_given_back(self):
        data = self.table("patients", 300)
        told = self.run_program("columns", data, "--json").stdout.decode()
        self.write("columns.json", told)
        self.assertEqual(self.model(data, "--columns", "columns.json"), self.model(data))
        changed = json.loads(told)
        for column in changed["columns"]:
            if column["name"] == "ward":
                column["purpose"] = "left out"
        self.write("columns.json", json.dumps(changed))
        self.assertEqual(self.model(data, "--columns", "columns.json"), self.model(data, "--ignore", "ward"))

    def test_delimiters_and_decimal_commas_are_found_out(self):
        self.write("point.csv", "a,b,label\n" + "".join(f"{i}.5,{i * i % 7}.25,{'no' if i % 3 else 'yes'}\n" for i in range(40)))
        self.write("comma.csv", self.read("point.csv").replace(",", ";").replace(".", ","))
        with_points = json.loads(self.model("point.csv"))
        with_commas = json.loads(self.model("comma.csv"))
        self.assertEqual(with_points["theta"], with_commas["theta"])
        self.assertEqual(with_commas["table"]["decimal"], ",")
        self.write("bar.csv", self.read("point.csv").replace(",", "|"))
        self.assertEqual(self.model("bar.csv"), self.model("point.csv"))

    def test_a_label_is_known_by_its_name(self):
        self.write("first.csv", "Outcome,a\nyes,1\nno,2\nyes,3\n")
        self.assertEqual(self.purposes("first.csv")["Outcome"], "label")
        self.write("plane.csv", "x,y,kind\n1,2,a\n2,1,b\n3,3,a\n")
        self.assertEqual(self.purposes("plane.csv"), {"x": "number", "y": "number", "kind": "label"})

    def test_numbers_are_said_to_be_scaled_where_they_are(self):
        self.write("first.csv", "label,a,b\nx,1,2\ny,2,1\nx,3,5\ny,1,7\n")
        for learner, scaled in (("margin", True), ("perceptron", False)):
            said = self.run_program("train", "first.csv", "--learner", learner).stderr.decode()
            self.assertIn("2 columns of numbers", said)
            self.assertEqual("scaled" in said, scaled, said)

    def test_a_name_that_is_not_there_is_told_with_the_nearest(self):
        message = self.complaint("train", self.table("messages", 20), "--text", "txet", code=2)
        self.assertIn("txet", message)
        self.assertIn("did you mean", message)


class SameBits(Tables):
    def test_threads_memory_caches_pages_and_compression_change_nothing(self):
        for kind in ("patients", "messages", "table"):
            with self.subTest(kind=kind):
                data = self.table(kind, 3000)
                expected = self.model(data, "--threads", 1)
                self.assertEqual(self.model(data, "--threads", 4), expected)
                self.assertEqual(self.model(data, "--memory", "200M"), expected)
                self.assertEqual(self.model(data, "--cache"), expected)
                self.assertEqual(self.model(data, "--cache"), expected)
                subprocess.run(["gzip", "-kf", data], cwd=self.folder, check=True)
                self.assertEqual(self.model(data + ".gz"), expected)
                self.run_program("convert", data, "--scale", "deviation", "-o", "rows.lsp", "--quiet")
                self.assertEqual(self.model("rows.lsp"), expected)

    def test_standard_input_is_read_as_a_file_is(self):
        data = self.table("patients", 500)
        self.run_program("train", "-", "-o", "piped.model", "--quiet", stdin=self.read(data))
        self.assertEqual((self.folder / "piped.model").read_bytes(), self.model(data))

    def test_several_files_are_one_table(self):
        lines = self.read(self.table("patients", 500)).splitlines(keepends=True)
        self.write("a.csv", "".join(lines[:200]))
        self.write("b.csv", lines[0] + "".join(lines[200:]))
        self.assertEqual(self.model("a.csv", "b.csv"), self.model("rows.csv"))

    def test_rows_are_encoded_for_prediction_as_they_were_for_training(self):
        for kind in ("patients", "messages", "table"):
            with self.subTest(kind=kind):
                data = self.table(kind, 400)
                self.run_program("train", data, "--double", "-o", "m.json", "--quiet")
                scores = self.words("predict", data, "-m", "m.json", "--scores").split()
                self.run_program("encode", data, "-m", "m.json", "-o", "rows.svm")
                model = json.loads(self.read("m.json"))
                theta, offset = model["theta"], model["offset"]
                for score, line in zip(scores[1::2] if len(scores) == 800 else scores, self.read("rows.svm").splitlines()):
                    entries = (entry.split(":") for entry in line.split()[1:])
                    by_hand = sum(theta[int(j) - 1] * float(x) for j, x in entries) + offset
                    self.assertAlmostEqual(float(score), by_hand, delta=1e-9 * (1 + abs(by_hand)))

    @unittest.skipUnless(MPIRUN and MODULE.exists(), "no MPI")
    def test_four_workers_fit_the_same_map(self):
        data = self.table("patients", 2000)
        learner = ["--learner", "least-squares", "--scale", "standard"]
        alone = json.loads(self.model(data, *learner))
        subprocess.run([MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", "4", PROGRAM, "train", data, *learner, "-o",
                        "four.model", "--quiet"], cwd=self.folder, check=True, capture_output=True, timeout=300)
        four = json.loads(self.read("four.model"))
        self.assertEqual(four["table"], alone["table"])


class Misfits(Tables):
    def test_a_row_lists_every_column_that_does_not_fit(self):
        rows = "".join(f"{i % 90},{i * 2},{'ab'[i % 2]}\n" for i in range(90000))
        self.write("rows.csv", "age,size,label\n" + rows + "4O,none such,a\n")
        message = self.complaint("train", "rows.csv", code=3)
        self.assertIn("rows.csv:90002:1: ", message)
        for words in ("'age'", "'size'", "4O", "none such", "--category", "--ignore", "--missing-words"):
            self.assertIn(words, message)

    def test_unseen_values_and_holes_are_counted_at_prediction(self):
        self.write("rows.csv", "who,size,label\n" + "".join(f"{'ab'[i % 2]},{i},{'no' if i % 3 else 'yes'}\n" for i in range(60)))
        self.model("rows.csv")
        self.write("new.csv", "who,size,label\nc,1,no\na,,yes\nb,2,no\n")
        done = self.run_program("evaluate", "new.csv", "-m", "m.model")
        said = (done.stdout + done.stderr).decode()
        self.assertRegex(said, r"who.*never seen")
        self.assertRegex(said, r"size.*without a value")

    def test_a_column_that_the_model_needs(self):
        self.model(self.table("patients", 300))
        self.write("less.csv", "admitted,age,Sex,outcome\n2026-01-01,40,f,healthy\n")
        message = self.complaint("predict", "less.csv", "-m", "m.model", code=3)
        self.assertIn("'sex'", message)
        self.assertIn("did you mean Sex", message)


@unittest.skipUnless(DATA, "LINSEP_DATA isn't set")
class RealTables(Tables):
    """One command each, on rows held out: every fifth."""

    def accuracy(self, name):
        import csv
        with open(Path(DATA) / name, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        for part, held in (("train.csv", False), ("test.csv", True)):
            with open(self.folder / part, "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows(
                    [header] + [row for i, row in enumerate(rows) if (i % 5 == 0) == held])
        self.model("train.csv")
        result = json.loads(self.run_program("evaluate", "test.csv", "-m", "m.model", "--json").stdout)
        return 1 - result["mistakes"] / result["rows"]

    def test_messages(self):
        self.assertGreaterEqual(self.accuracy("sms_spam.csv"), 0.988)

    def test_reviews(self):
        self.assertGreaterEqual(self.accuracy("movie_reviews.csv"), 0.76)

    def test_patients(self):
        self.assertGreaterEqual(self.accuracy("breast_cancer.csv"), 0.95)


class Online(Tables):
    """Rows that are read once, by a map that the first rows decide."""

    HASHED = ("--online", "--bits", "12", "--weighting", "tf")

    def test_a_stream_of_raw_rows_is_learnt_from_as_it_comes(self):
        data = self.table("messages", 40_000)  # more than the megabyte that is looked at
        classes = ("--classes", "ham,spam", "--text", "text")
        expected = self.model(data, *self.HASHED, *classes)
        self.assertEqual(json.loads(expected)["table"]["columns"][0]["bits"], 12)
        with open(self.folder / data, "rb") as rows:
            subprocess.run([PROGRAM, "train", "-", *self.HASHED, *classes, "-o", "m.model", "--quiet"], cwd=self.folder, stdin=rows,
                           check=True, timeout=120)
        self.assertEqual(self.read("m.model").encode(), expected, "a pipe is read from its beginning again")
        subprocess.run(["gzip", "-k", data], cwd=self.folder, check=True)
        with open(self.folder / (data + ".gz"), "rb") as rows:
            subprocess.run([PROGRAM, "train", "-", *self.HASHED, *classes, "-o", "m.model", "--quiet"], cwd=self.folder, stdin=rows,
                           check=True, timeout=120)
        self.assertEqual(self.read("m.model").encode(), expected)
        new = self.table("messages", 2000, seed=2, name="new.csv")
        self.assertLess(self.answer("evaluate", new, "-m", "m.model")["error"], 0.1)

    def test_numbers_dates_and_holes_too(self):
        data = self.table("table", 3000)
        one, three = (self.model(data, *self.HASHED, "--classes", "clean,fraud", "--threads", n) for n in (1, 3))
        self.assertEqual(one, three)

    def test_what_needs_all_rows_is_refused_with_what_to_say(self):
        data = self.table("messages", 300)
        self.assertIn("--bits 20", self.complaint("train", data, "--online", "--text", "text", code=2))
        self.assertIn("--weighting tf", self.complaint("train", data, "--online", "--bits", "12", code=2))
        told = self.complaint("train", data, *self.HASHED, "--scale", "standard", code=2)
        self.assertIn("leave out --scale", told)


if __name__ == "__main__":
    unittest.main()
