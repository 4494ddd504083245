"""Rows without a label are refused with their place, or left out and counted; never a class of their own."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from program import PROGRAM, CommandLineTest

CHECKER = Path(__file__).resolve().parents[2] / "checker"
LEARN = ("--learner", "perceptron")
CSV = "x,y,label\n1,2,a\n2,1,b\n3,3,NA\n-1,2,a\n4,1,b\n5,5,\n"
KEPT = "x,y,label\n1,2,a\n2,1,b\n-1,2,a\n4,1,b\n"
SVM = "a 1:1 2:2\nb 1:2 2:1\nNA 1:3 2:3\na 1:-1 2:2\n? 7:1\nb 1:4 2:1\n"
KEPT_SVM = "a 1:1 2:2\nb 1:2 2:1\na 1:-1 2:2\nb 1:4 2:1\n"


class Refused(CommandLineTest):
    def test_with_file_line_and_column(self):
        self.write("rows.csv", CSV)
        told = self.complaint("train", "rows.csv", *LEARN, code=3)
        self.assertEqual(told, "linsep: rows.csv:4:5: this row has no label ('NA'): fill it in, or leave such rows "
                               "out with --missing-label drop\n")
        self.write("rows.svm", SVM)
        told = self.complaint("train", "rows.svm", *LEARN, code=3)
        self.assertTrue(told.startswith("linsep: rows.svm:3:1: this row has no label ('NA')"), told)

    def test_every_such_word_in_any_letter_case(self):
        for word in ("NA", "na", "N/A", "NaN", "nan", "NULL", "null", "?"):
            self.write("rows.svm", f"a 1:1\n{word} 1:2\nb 1:3\n")
            self.write("rows.csv", f"x,y\n1,a\n2,{word}\n3,b\n")
            self.write("quoted.csv", f"x,y\n1,a\n2,\" {word} \"\n3,b\n")
            for name in ("rows.svm", "rows.csv", "quoted.csv"):
                for command in (("train", name, *LEARN), ("certify", name), ("digest", name),
                                ("convert", name, "-o", "x.lsp")):
                    self.assertIn("has no label", self.complaint(*command, code=3))
        for field in ("", '""', "  "):
            self.write("rows.csv", f"x,y\n1,a\n2,{field}\n3,b\n")
            self.assertIn("rows.csv:3:", self.complaint("train", "rows.csv", *LEARN, code=3))

    def test_other_words_are_classes(self):
        for word in ("none", "nah", "n", "??", "0"):
            self.write("rows.csv", f"x,y\n1,a\n2,{word}\n3,a\n")
            self.words("train", "rows.csv", *LEARN)

    def test_a_word_that_is_named_is_a_class(self):
        self.write("rows.csv", "x,y\n1,NA\n2,b\n3,NA\n")
        told = self.answer("train", "rows.csv", *LEARN, "--classes", "NA,b", "-o", "m.json")
        self.assertEqual((told["classes"], told["rows"]), ({"negative": "NA", "positive": "b"}, 3))
        told = self.answer("train", "rows.csv", *LEARN, "--positive", "NA", "--missing-label", "drop")
        self.assertEqual((told["classes"], told["rows"]), ({"negative": "b", "positive": "NA"}, 3))
        self.assertEqual(self.answer("evaluate", "rows.csv", "-m", "m.json")["rows"], 3)

    def test_in_regression_and_in_label_columns(self):
        self.write("rows.csv", "x,y\n1,2\n2,NA\n3,4\n")
        self.assertIn("has no label", self.complaint("train", "rows.csv", "--learner", "regression", code=3))
        told = self.answer("train", "rows.csv", "--learner", "regression", "--missing-label", "drop")
        self.assertEqual((told["rows"], told["dropped"]), (2, 1))
        self.write("labels.csv", "x,a,b\n1,0,1\n2,1,NA\n3,1,0\n4,?,1\n")
        self.assertIn("labels.csv:3:5", self.complaint("train", "labels.csv", "--labels", "a,b", *LEARN, code=3))
        told = self.answer("train", "labels.csv", "--labels", "a,b", *LEARN, "--missing-label", "drop")
        self.assertEqual((told["rows"], told["dropped"]), (2, 2))

    def test_words_that_the_option_does_not_take(self):
        self.write("rows.csv", KEPT)
        self.assertIn("refuse or drop", self.complaint("train", "rows.csv", "--missing-label", "keep", code=2))


class Dropped(CommandLineTest):
    """The rows that are left are as if the others weren't in the file."""

    def setUp(self):
        super().setUp()
        for name, text in (("rows.csv", CSV), ("kept.csv", KEPT), ("rows.svm", SVM), ("kept.svm", KEPT_SVM)):
            self.write(name, text)

    def model(self, *arguments):
        self.words("train", *arguments, *LEARN, "-o", "model.json")
        return json.loads(self.read("model.json"))

    def test_train_says_how_many_and_the_model_is_that_of_the_others(self):
        for rows, kept in (("rows.csv", "kept.csv"), ("rows.svm", "kept.svm")):
            words = self.words("train", rows, *LEARN, "--missing-label", "drop")
            self.assertIn("4 rows × 2 features", words)
            self.assertIn("2 rows without a label were left out.", words)
            told = self.answer("train", rows, *LEARN, "--missing-label", "drop")
            self.assertEqual((told["rows"], told["dropped"], told["features"]), (4, 2, 2))
            self.assertEqual(self.model(rows, "--missing-label", "drop"), self.model(kept))
            self.assertEqual(self.model(rows, "--missing-label", "drop", "--online", "--classes", "a,b"),
                             self.model(kept, "--online", "--classes", "a,b"))

    def test_evaluate_refuses_or_drops_and_predict_takes_every_row(self):
        self.model("kept.csv")
        self.assertIn("rows.csv:4:5: this row has no label", self.complaint("evaluate", "rows.csv", "-m", "model.json",
                                                                           code=3))
        told = self.answer("evaluate", "rows.csv", "-m", "model.json", "--missing-label", "drop")
        self.assertEqual((told["rows"], told["dropped"]), (4, 2))
        words = self.words("evaluate", "rows.csv", "-m", "model.json", "--missing-label", "drop")
        self.assertIn("2 rows without a label were left out.", words)
        self.assertEqual(len(self.words("predict", "rows.csv", "-m", "model.json").splitlines()), 6)
        self.assertEqual(
            len(self.words("predict", "rows.csv", "-m", "model.json", "--missing-label", "drop").splitlines()), 6)

    def test_pages_and_caches(self):
        want = self.model("kept.svm")
        for how in (("--cache",), ("--cache",), ("--memory", "64M"), ("--cache", "--memory", "64M")):
            self.assertEqual(self.model("rows.svm", "--missing-label", "drop", *how), want)
            told = self.answer("train", "rows.svm", *LEARN, "--missing-label", "drop", *how)
            self.assertEqual((told["rows"], told["dropped"]), (4, 2))
        # A cache made with rows left out doesn't serve those who want them all.
        self.assertIn("rows.svm:3:1", self.complaint("train", "rows.svm", *LEARN, "--cache", code=3))
        self.assertEqual(len(self.words("predict", "rows.svm", "-m", "model.json", "--cache").splitlines()), 6)
        self.run_program("convert", "rows.svm", "--missing-label", "drop", "-o", "rows.lsp", "--quiet")
        self.assertEqual(self.model("rows.lsp"), want)
        self.assertEqual(self.answer("train", "rows.lsp", *LEARN)["dropped"], 2)

    def test_a_page_file_with_such_a_class_is_refused_without_its_name(self):
        self.write("na.svm", "NA 1:1\nb 1:2\nb 1:3\n")
        self.run_program("convert", "na.svm", "--classes", "NA,b", "-o", "na.lsp", "--quiet")
        self.assertEqual(self.answer("train", "na.lsp", *LEARN, "--classes", "NA,b")["rows"], 3)
        self.assertIn("row 1 has no label ('NA')", self.complaint("train", "na.lsp", *LEARN, code=3))

    def test_nothing_but_such_rows(self):
        self.write("none.csv", "x,y\n1,NA\n2,?\n")
        self.assertIn("no rows with a label",
                      self.complaint("train", "none.csv", *LEARN, "--missing-label", "drop", code=3))

    def test_lines_behind_a_row_that_is_left_out_are_right(self):
        self.write("late.csv", "x,y\n1,a\n2,NA\n3,b\n4,c\n")
        told = self.complaint("train", "late.csv", "--learner", "dual", "--missing-label", "drop", code=3)
        self.assertIn("late.csv:5", told)

    def test_a_long_file_on_several_threads(self):
        rows = [f"{'a' if i % 3 else 'b'} 1:{i % 17} 2:{i % 5}" for i in range(60000)]
        self.write("kept.svm", "\n".join(rows) + "\n")
        for i in range(0, len(rows), 7):
            rows[i] += "\nNA 1:1 2:1"
        self.write("rows.svm", "\n".join(rows) + "\n")
        want = self.model("kept.svm", "--passes", "2")
        for threads in ("1", "2"):
            self.assertEqual(self.model("rows.svm", "--passes", "2", "--missing-label", "drop", "--threads", threads),
                             want)


class Proofs(CommandLineTest):
    """A certificate says that rows were left out, and is about those that are left."""

    def read_rows(self, *arguments):
        done = subprocess.run([sys.executable, "-B", CHECKER / "read_rows.py", *arguments], cwd=self.folder,
                              capture_output=True)
        return done.returncode, done.stdout

    def test_root_and_leaves(self):
        for name, text, kept in (("rows.csv", CSV, KEPT), ("rows.svm", SVM, KEPT_SVM)):
            self.write(name, text)
            ending = name[4:]
            self.write("kept" + ending, kept)
            self.run_program("leaves", name, "--missing-label", "drop", "-o", "leaves.txt")
            lines = self.read("leaves.txt").splitlines()
            self.assertTrue(json.loads(lines[0])["reading"]["drop_missing_labels"])
            self.run_program("leaves", "kept" + ending, "-o", "kept.txt")
            plain = self.read("kept.txt").splitlines()
            self.assertEqual(lines[1:], plain[1:])
            self.assertNotIn("drop_missing_labels", plain[0])
            self.assertEqual(self.read_rows(name, "--missing-label", "drop"), (0, self.read("leaves.txt").encode()))
            self.assertEqual(self.read_rows(name)[0], 3)
            self.assertNotEqual(self.answer("digest", name, "--missing-label", "drop")["root"],
                                self.answer("digest", "kept" + ending)["root"])

    def test_verify_and_digest_refuse_or_drop_alike_and_say_how_many(self):
        self.write("rows.csv", CSV)
        told = self.run_program("certify", "rows.csv", "--missing-label", "drop", "-o", "proof.json")
        self.assertIn("2 rows without a label were left out", told.stderr.decode())
        self.assertTrue(json.loads(self.read("proof.json"))["data"]["reading"]["drop_missing_labels"])
        self.assertIn("rows.csv:4:5: this row has no label", self.complaint("verify", "proof.json", "rows.csv", code=3))
        self.assertIn("--missing-label drop", told.stdout.decode())
        drop = ("rows.csv", "--missing-label", "drop")
        self.assertIn("2 rows without a label were left out.", self.words("verify", "proof.json", *drop))
        self.assertEqual(self.answer("verify", "proof.json", *drop)["dropped"], 2)
        self.assertEqual(self.answer("digest", *drop)["dropped"], 2)
        self.assertIn(b"2 rows without a label were left out.", self.run_program("digest", *drop).stderr)
        self.write("kept.csv", KEPT)
        self.words("certify", "kept.csv", "-o", "kept.json")
        self.assertNotIn("drop_missing_labels", self.read("kept.json"))
        self.run_program("leaves", "rows.csv", "--missing-label", "drop", "-o", "leaves.txt")
        checker = [sys.executable, "-B", CHECKER / "verify_certificate.py", "proof.json", "leaves.txt"]
        self.assertEqual(subprocess.run(checker, cwd=self.folder, capture_output=True).returncode, 0)

    def test_a_certificate_that_lies_about_it_is_refused(self):
        self.write("rows.csv", CSV)
        self.run_program("certify", "rows.csv", "--missing-label", "drop", "-o", "proof.json")
        proof = json.loads(self.read("proof.json"))
        del proof["data"]["reading"]["drop_missing_labels"]
        self.write("lie.json", json.dumps(proof))
        self.assertNotEqual(subprocess.run([PROGRAM, "verify", "lie.json"], cwd=self.folder,
                                           capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
