"""`explain`, and `inspect` of models of tables: what speaks for a row's class, by name."""

import json
import math
import unittest

from program import CommandLineTest

MAIL = """size,sender,text,label
120,bob,free prize free money,spam
80,bob,win a free prize now,spam
30,eve,lunch at noon today,ham
45,eve,see you at lunch,ham
,bob,claim your free money,spam
20,eve,the report is late today,ham
200,bob,free money for you now,spam
25,eve,noon is fine for lunch,ham
"""


class Explanations(CommandLineTest):
    def trained(self, *options):
        self.write("mail.csv", MAIL)
        self.run_program("train", "mail.csv", "--category", "sender", "--text", "text", "-o", "mail.json", "--quiet", *options)
        return "mail.json"

    def explained(self, *arguments):
        return self.answer("explain", *arguments)["rows"]

    def total(self, row):
        parts = [part["part"] for column in row["columns"] for part in column["parts"]]
        return math.fsum([row["offset"], row["rest"]["part"], *parts])

    def test_parts_and_offset_sum_to_the_score_of_predict(self):
        model = self.trained()
        scores = [float(line.split("\t")[1])
                  for line in self.words("predict", "mail.csv", "-m", model, "--scores").splitlines()]
        rows = self.explained("mail.csv", "-m", model, "--rows", "1-8", "--top", "1000")
        self.assertEqual([row["row"] for row in rows], list(range(1, 9)))
        for row, score in zip(rows, scores):
            self.assertAlmostEqual(row["score"], score, delta=1e-14)
            self.assertAlmostEqual(self.total(row), score, delta=1e-14)

    def test_the_rest_is_summed_up(self):
        model = self.trained()
        whole, = self.explained("mail.csv", "-m", model, "--row", "1", "--top", "1000")
        short, = self.explained("mail.csv", "-m", model, "--row", "1", "--top", "2")
        self.assertEqual(sum(len(column["parts"]) for column in short["columns"]), 2)
        self.assertAlmostEqual(self.total(short), self.total(whole), delta=1e-14)

    def test_words_tell_counts_means_holes_and_unseen_values(self):
        model = self.trained()
        self.write("new.csv", "text,sender,size\nfree free lunch,eve,100\nxyzzy,zoe,\n")
        first = self.words("explain", "new.csv", "-m", model, "--row", "1", "--top", "50")
        self.assertIn("text:free ×2\n", first)
        self.assertIn("sender=eve\n", first)
        self.assertIn("size = 100 (mean 74.2857)\n", first)
        second = self.words("explain", "new.csv", "-m", model, "--row", "2")
        self.assertIn("size is missing\n", second)
        self.assertIn("text: no term seen in training", second)
        self.assertIn("a value that was rare or never seen in training", second)

    def test_rows_come_from_standard_input_too(self):
        model = self.trained()
        self.assertIn("Row 2: ham", self.words("explain", "-", "-m", model, "--row", "2",
                                               stdin="text,sender,size\nfree money,bob,90\nlunch,eve,20\n"))

    def test_models_without_a_table_are_explained(self):
        data = self.generate("and")
        self.run_program("train", data, "--learner", "perceptron", "-o", "and.json", "--quiet")
        self.assertEqual(self.words("explain", data, "-m", "and.json", "--row", "4"),
                         "Row 4: 1; score 1\n        +3  x1 = 1\n        +2  x2 = 1\n        −4  intercept\n")

    def test_of_several_classes_one_is_explained(self):
        self.write("kinds.csv", "x,kind\n1,a\n1.5,a\n5,b\n6,b\n9,c\n9.5,c\n")
        self.run_program("train", "kinds.csv", "-o", "kinds.json", "--quiet")
        row, = self.explained("kinds.csv", "-m", "kinds.json", "--row", "5", "--class", "a")
        self.assertEqual((row["of"], row["prediction"]), ("a", "c"))
        self.assertIn("no such class", self.complaint("explain", "kinds.csv", "-m", "kinds.json", "--row", "1", "--class", "d",
                                                      code=2))

    def test_what_makes_no_sense_is_refused(self):
        model = self.trained()
        for options in ([], ["--row", "0"], ["--row", "1-2"], ["--rows", "3-1"], ["--row", "1", "--rows", "1-2"]):
            self.complaint("explain", "mail.csv", "-m", model, *options, code=2)
        self.assertIn("there is no row 9: the data have 8 rows",
                      self.complaint("explain", "mail.csv", "-m", model, "--row", "9", code=3))


class Inspections(CommandLineTest):
    def test_a_table_is_described_column_by_column(self):
        self.write("mail.csv", MAIL)
        self.run_program("train", "mail.csv", "--category", "sender", "--text", "text", "-o", "m.json", "--quiet")
        words = self.words("inspect", "m.json")
        self.assertRegex(words, r"  size +number +2 features  divided by .*; missing values have a feature of their own\n")
        self.assertRegex(words, r"  sender +category +\d features  2 values")
        self.assertRegex(words, r"  text +text +\d+ features  words 1-2: \d+ terms; √count·idf, of length 1\n")
        self.assertIn("text:free", words)
        table = self.answer("inspect", "m.json")["table"]
        self.assertEqual([column["column"] for column in table["columns"]], ["size", "sender", "text"])

    def test_odds_ratios_are_for_a_unit_of_the_column_as_written(self):
        self.write("rows.csv", "dose,sex,outcome\n" + "".join(
            f"{i},{'m' if i % 3 else 'f'},{'ill' if (i * 7) % 11 < i / 4 else 'well'}\n" for i in range(40)))
        options = ["--label", "outcome", "--loss", "logistic", "--quiet"]
        self.run_program("train", "rows.csv", *options, "--C", "1e6", "-o", "scaled.json")
        self.run_program("train", "rows.csv", *options, "--C", "1e6", "--scale", "none", "-o", "plain.json")
        ratios = []
        for model in ("scaled.json", "plain.json"):
            first = self.answer("inspect", model)["coefficients"][0]
            self.assertEqual(first["name"], "dose")
            self.assertAlmostEqual(first["odds_ratio"], math.exp(first["coefficient"]), delta=1e-12)
            ratios.append(first["odds_ratio"])
        self.assertAlmostEqual(ratios[0], ratios[1], delta=0.01 * ratios[1])
        self.assertIn("odds ratio", self.words("inspect", "scaled.json"))

    def test_terms_that_share_a_weight_are_counted_in_the_data(self):
        self.write("mail.csv", MAIL)
        self.run_program("train", "mail.csv", "--text", "text", "--only", "--bits", "10", "--words", "1-1", "-o", "m.json", "--quiet")
        told = self.answer("inspect", "m.json", "mail.csv", "--top", "1024")
        counts = {term["term"]: term["count"] for bucket in told["bucket_terms"] for term in bucket["terms"]}
        self.assertEqual(counts["free"], 5)
        self.assertEqual(counts["lunch"], 3)
        self.assertIn("free 100 %", self.words("inspect", "m.json", "mail.csv"))


class Files(CommandLineTest):
    def test_a_trained_model_is_of_version_4(self):
        self.write("mail.csv", MAIL)
        self.run_program("train", "mail.csv", "-o", "table.json", "--quiet")
        self.run_program("train", self.generate("and"), "-o", "plain.json", "--quiet")
        self.assertEqual(json.loads(self.read("table.json"))["version"], 4)
        self.assertEqual(json.loads(self.read("plain.json"))["version"], 4)


if __name__ == "__main__":
    unittest.main()
