"""The forms in which `linsep predict` writes, and what it passes through."""

import csv
import io
import unittest

from program import CommandLineTest

PEOPLE = (
    'name,age,"the ""city""",size,sick\n'
    '"Ann, B.",30,Graz,1.5,no\n'
    'Bob,41," Linz ",2.5,no\n'
    '"Cleo\nD.",72,"say ""hi""",0.5,yes\n'
    "Dora,80,,1,yes\n"
)


class PredictionsTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("people.csv", PEOPLE)
        self.run_program("train", "people.csv", "--label", "sick", "--ignore", 'name,the "city"', "--learner", "margin",
                         "--loss", "logistic", "-o", "model.json")

    def table(self, text, delimiter=","):
        return list(csv.reader(io.StringIO(text), delimiter=delimiter))


class Tables(PredictionsTest):
    def test_columns_are_kept_as_they_were(self):
        self.run_program("predict", "people.csv", "-m", "model.json", "--id", "name", "--keep", 'the "city",age', "--scores",
                         "--probabilities", "-o", "out.csv")
        rows = self.table(self.read("out.csv"))
        self.assertEqual(rows[0], ["name", 'the "city"', "age", "prediction", "score", "probability"])
        given = self.table(PEOPLE)
        self.assertEqual([row[:3] for row in rows[1:]], [[row[0], row[2], row[1]] for row in given[1:]])
        lines = self.words("predict", "people.csv", "-m", "model.json", "--scores", "--probabilities").splitlines()
        self.assertEqual([row[3:] for row in rows[1:]], [line.split("\t") for line in lines])

    def test_standard_output_is_a_table_where_columns_are_kept(self):
        out = self.words("predict", "-", "--format", "csv", "-m", "model.json", "--keep", "2", stdin=PEOPLE)
        self.assertEqual(self.table(out)[0], ["age", "prediction"])
        self.assertEqual([row[0] for row in self.table(out)[1:]], ["30", "41", "72", "80"])

    def test_the_same_bytes_for_any_threads(self):
        many = "".join(PEOPLE.split("\n", 1)[1] for _ in range(5000))
        self.write("many.csv", PEOPLE.split("\n", 1)[0] + "\n" + many)
        made = set()
        for threads in (1, 2, 5):
            self.run_program("predict", "many.csv", "-m", "model.json", "--id", "name", "--threads", threads, "-o", "out.csv")
            made.add(self.read("out.csv"))
        self.assertEqual(len(made), 1)
        self.assertEqual(len(self.table(made.pop())), 20001)

    def test_several_files_follow_one_another(self):
        out = self.words("predict", "people.csv", "people.csv", "-m", "model.json", "--id", "name")
        self.assertEqual([row[0] for row in self.table(out)[1:]], [row[0] for row in self.table(PEOPLE)[1:]] * 2)

    def test_forms_by_ending_and_by_name(self):
        self.run_program("predict", "people.csv", "-m", "model.json", "-o", "plain.csv")
        self.assertEqual(self.read("plain.csv").splitlines()[0], "prediction")
        self.run_program("predict", "people.csv", "-m", "model.json", "--keep", "age", "-o", "kept.tsv")
        self.assertEqual(self.read("kept.tsv").splitlines()[0], "age\tprediction")
        lines = self.words("predict", "people.csv", "-m", "model.json", "--scores")
        svm = self.words("predict", "people.csv", "-m", "model.json", "--scores", "--to", "svmlight")
        self.assertEqual(svm, lines.replace("\t", " 1:"))

    def test_no_rows_still_have_a_header(self):
        out = self.words("predict", "-", "--format", "csv", "-m", "model.json", "--id", "name", stdin=PEOPLE.split("\n", 1)[0] + "\n")
        self.assertEqual(out, "name,prediction\n")


class Refusals(PredictionsTest):
    def test_of_columns_that_are_not_there(self):
        told = self.complaint("predict", "people.csv", "-m", "model.json", "--keep", "agge", code=2)
        self.assertIn("--keep agge: no such column (did you mean age?)", told)

    def test_of_inputs_without_columns(self):
        self.write("rows.svm", "1 1:1 2:3\n-1 1:2\n")
        self.run_program("train", "rows.svm", "--learner", "perceptron", "-o", "plain.json")
        self.assertIn("svmlight", self.complaint("predict", "rows.svm", "-m", "plain.json", "--keep", "1", code=2))
        self.run_program("convert", "rows.svm", "-o", "rows.lsp")
        self.assertIn("page files", self.complaint("predict", "rows.lsp", "-m", "plain.json", "--keep", "1", code=2))

    def test_of_forms_that_keep_no_columns(self):
        for form in ("lines", "svmlight"):
            told = self.complaint("predict", "people.csv", "-m", "model.json", "--keep", "age", "--to", form, code=2)
            self.assertIn("--to csv, tsv, arrow or parquet", told)
        self.assertIn("--to takes", self.complaint("predict", "people.csv", "-m", "model.json", "--to", "xml", code=2))


class Thresholds(PredictionsTest):
    def test_a_threshold_decides_by_the_score(self):
        scores = [float(line.split("\t")[1]) for line in self.words("predict", "people.csv", "-m", "model.json", "--scores").split("\n")[:-1]]
        for threshold in (*scores, max(scores) + 1):
            made = self.words("predict", "people.csv", "-m", "model.json", "--threshold", repr(threshold)).split()
            self.assertEqual(made, ["yes" if z >= threshold else "no" for z in scores])

    def test_only_two_classes_have_one(self):
        data = self.generate("classes", "--rows", "60", "--features", "40", "--nonzeros", "6", "--classes", "3")
        self.run_program("train", data, "--learner", "basic", "-o", "several.json")
        self.assertIn("two classes", self.complaint("predict", data, "-m", "several.json", "--threshold", "1", code=2))


if __name__ == "__main__":
    unittest.main()
