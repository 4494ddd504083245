"""`linsep report`: the document it draws, the sentences, what is left out, and what is refused."""

import json
import random
import unittest

from program import CommandLineTest

AND = "-1 1:0 2:0\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n"
XOR = "-1 1:0 2:0\n+1 2:1\n+1 1:1\n-1 1:1 2:1\n"
QUASI = "-1 1:0 2:0\n+1 2:1\n-1 2:2\n+1 1:1 2:1\n+1 1:2\n"


class ReportTest(CommandLineTest):
    def document(self, *arguments, **how):
        """What `report --data` prints."""
        document = json.loads(self.run_program("report", *arguments, "--data", **how).stdout)
        self.assertEqual((document["format"], document["version"]), ("linsep-picture", 1))
        return document

    def page(self, *arguments, **how):
        self.run_program("report", *arguments, "-o", "report.html", **how)
        return self.read("report.html")

    def said(self, document, section, role="headline"):
        texts = [one["text"] for one in document["sentences"] if (one["section"], one["role"]) == (section, role)]
        self.assertTrue(texts, f"nothing is said of {section}: {document['sentences']}")
        if role == "headline":
            self.assertEqual(len(texts), 1)
        return " ".join(texts)

    def train(self, data, *arguments):
        self.run_program("train", data, *arguments, "--quiet")


class AndGate(ReportTest):
    def setUp(self):
        super().setUp()
        self.write("and.svm", AND)
        self.train("and.svm", "--learner", "perceptron", "-o", "and.json", "--log", "run.jsonl")
        self.run_program("certify", "and.svm", "-o", "proof.json")

    def test_run_model_data_and_proof(self):
        document = self.document("and.svm", "-m", "and.json", "--log", "run.jsonl", "--proof", "proof.json")
        self.assertEqual(document["about"]["kinds"], ["run", "model", "data", "proof"])
        self.assertEqual(self.said(document, "summary"),
                         "A line separates the classes: z = 2·x1 + 2·x2 − 3, proven margin 0.353553. "
                         "The perceptron found one after 18 mistakes; the theory allows at most 51.")
        self.assertEqual(self.said(document, "mistakes"), "18 mistakes; the theory allows at most 51.")
        self.assertEqual(self.said(document, "space"), "The classes are 0.707107 apart.")
        self.assertEqual(self.said(document, "proof"),
                         "A linear classifier separates these rows; the classes are 0.707107 apart.")
        self.assertIn("None of 4 rows is wrong", self.said(document, "distances"))
        self.assertEqual(document["bound"]["mistakes_text"], "51")
        self.assertEqual(document["history"]["passes_made"], 9)
        self.assertEqual(document["history"]["passes"]["mistakes"], [2, 3, 3, 2, 2, 3, 2, 1, 0])
        self.assertEqual(document["history"]["passes"]["mistakes_so_far"][-1], 18)
        self.assertEqual(document["models"][0]["formula"], "z = 3·x1 + 2·x2 − 4")
        self.assertEqual(document["proof"]["verdict"], "separable")
        made = dict(zip(document["made"]["name"], document["made"]["value"]))
        self.assertEqual(made["Command"],
                         "linsep report and.svm -m and.json --log run.jsonl --proof proof.json --data")
        self.assertIn(json.loads(self.read("proof.json"))["data"]["root"], made["Data digest"])

    def test_the_verdict_needs_no_proof_where_rows_are_few(self):
        document = self.document("and.svm")
        self.assertEqual(document["proof"]["verdict"], "separable")
        self.assertEqual(self.said(document, "summary"),
                         "A line separates the classes: z = 2·x1 + 2·x2 − 3, proven margin 0.353553.")

    def test_a_log_by_itself(self):
        document = self.document("--log", "run.jsonl")
        self.assertEqual(self.said(document, "summary"), "18 mistakes in 9 passes; the last pass made none.")
        self.assertNotIn("bound", document)

    def test_train_writes_the_same_report(self):
        self.run_program("train", "and.svm", "--learner", "perceptron", "--report", "r.html", "--quiet")
        page = self.read("r.html")
        for text in ("18 mistakes; the theory allows at most 51.", "Row 4 was corrected most: 7 times.",
                     "linsep train and.svm --learner perceptron --report r.html --quiet"):
            self.assertTrue(text in page, text)

    def test_is_one_file_that_loads_nothing_and_names_no_folder(self):
        (self.folder / "deep").mkdir()
        (self.folder / "and.json").rename(self.folder / "deep" / "and.json")
        page = self.page("and.svm", "-m", "deep/and.json")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertTrue("default-src 'none'" in page)
        self.assertFalse("deep/" in page)
        self.assertFalse(str(self.folder) in page)

    def test_the_same_input_is_the_same_bytes(self):
        arguments = ["and.svm", "-m", "and.json", "--log", "run.jsonl", "--proof", "proof.json"]
        self.assertTrue(self.page(*arguments) == self.page(*arguments))

    def test_says_what_it_wrote(self):
        self.assertEqual(self.words("report", "and.svm", "-o", "r.html"), "Report written to r.html.\n")
        self.assertEqual(self.words("report", "and.svm", "--data", "-o", "r.json"), "Document written to r.json.\n")
        self.assertIn("\nReport written to r.html.\n", self.words("train", "and.svm", "--report", "r.html"))

    def test_precision_is_that_of_the_positive_class_by_its_name(self):
        self.write("names.csv", "x,z,label\n" + "".join(f"{i},{i % 7},{'sick' if i % 5 > 1 else 'healthy'}\n" for i in range(40)))
        self.train("names.csv", "--label", "label", "-o", "names.json")
        headline = self.said(self.document("names.csv", "-m", "names.json", "--label", "label"), "threshold")
        self.assertRegex(headline, r"^Area under the ROC curve [\d.]+, average precision [\d.]+ \(class sick\)\.$")

    def test_a_title_and_axes(self):
        document = self.document("and.svm", "-m", "and.json", "--title", "Gates <b>", "--x", "x2", "--y", "x1")
        self.assertEqual(document["about"]["title"], "Gates <b>")
        self.assertEqual((document["plane"]["x"]["name"], document["plane"]["y"]["name"]), ("x2", "x1"))
        self.assertFalse("Gates <b>" in self.page("and.svm", "-m", "and.json", "--title", "Gates <b>"))


class Verdicts(ReportTest):
    def test_rows_of_a_table_that_training_scaled(self):
        data = "c.csv"
        self.run_program("generate", "comparison", "-o", data)
        self.run_program("train", data, "--loss", "logistic", "-o", "scaled.json", "--quiet")
        for command in (("plot", data, "-m", "scaled.json", "-o", "p.svg"), ("report", data, "-m", "scaled.json", "-o", "r.html")):
            self.assertEqual(self.run_program(*command).returncode, 0)

    def test_xor_overlaps_by_four_rows(self):
        self.write("xor.svm", XOR)
        self.run_program("certify", "xor.svm", "--mistakes", "-o", "proof.json")
        document = self.document("xor.svm", "--proof", "proof.json")
        self.assertEqual(self.said(document, "proof"), "No linear classifier separates these rows: 4 of them prove it.")
        proof = document["proof"]
        self.assertEqual(proof["witness"]["row"], [1, 2, 3, 4])
        self.assertEqual(proof["witness"]["share"], [0.5, 0.5, 0.5, 0.5])
        self.assertEqual(proof["common_point"], {"x": 0.5, "y": 0.5})
        self.assertEqual(self.said(document, "least"),
                         "Every linear classifier makes at least 1 mistake; the best one found makes 2.")

    def test_a_perceptron_on_xor_never_ends(self):
        self.write("xor.svm", XOR)
        self.train("xor.svm", "--learner", "perceptron", "-o", "m.json", "--log", "run.jsonl")
        document = self.document("xor.svm", "-m", "m.json", "--log", "run.jsonl")
        self.assertEqual(self.said(document, "mistakes"),
                         "400 mistakes in 100 passes, and no pass will ever be clean: the rows can't be separated.")
        alone = self.document("-m", "m.json", "--log", "run.jsonl")
        self.assertEqual(self.said(alone, "mistakes"), "400 mistakes in 100 passes, and no pass was clean. "
                                                       "`linsep certify` decides whether these rows can be separated.")

    def test_quasi_separable_rows(self):
        self.write("quasi.svm", QUASI)
        self.run_program("certify", "quasi.svm", "-o", "proof.json")
        for arguments in (["--proof", "proof.json"], []):
            document = self.document("quasi.svm", *arguments)
            self.assertEqual(self.said(document, "proof"), "No linear classifier separates all rows, but one separates 2 and has the other 3 on its boundary: x1 goes to "
                                                           "infinity in a logistic regression.")
            self.assertEqual(document["proof"]["infinite"], {"name": ["x1"], "sign": [1]})

    def test_a_proof_alone_has_its_rows(self):
        self.write("xor.svm", XOR)
        self.run_program("certify", "xor.svm", "-o", "proof.json")
        document = self.document("--proof", "proof.json")
        self.assertEqual(document["proof"]["witness"]["row"], [1, 2, 3, 4])
        self.assertEqual(document["proof"]["witness"]["share"], [0.5, 0.5, 0.5, 0.5])

    def refused(self, *arguments):
        """What is said of a proof that isn't shown; nothing of it is."""
        ended = self.run_program("report", *arguments, "--data")
        document = json.loads(ended.stdout)
        self.assertNotIn("proof", document)
        self.assertNotIn("proof", document["about"].get("kinds", []))
        made = dict(zip(document["made"]["name"], document["made"]["value"]))
        self.assertNotIn("Data digest", made)
        self.assertIn(made["Proof"], [one["text"] for one in document["sentences"] if one["section"] == "summary"])
        self.assertIn(made["Proof"], ended.stderr.decode())
        others = " ".join(one["text"] for one in document["sentences"] if one["text"] != made["Proof"])
        for untrue in ("separate", "margin", "apart", "checked against"):
            self.assertFalse(untrue in others, untrue)
        self.assertIn(made["Proof"], self.run_program("plot", *arguments).stderr.decode())
        return made["Proof"]

    def test_a_proof_of_another_file_is_not_shown(self):
        self.write("and.svm", AND)
        self.write("xor.svm", XOR)
        self.write("five.svm", AND + "-1 1:-1 2:-1\n")
        self.run_program("certify", "xor.svm", "-o", "proof.json")
        for other in ("and.svm", "five.svm"):
            self.assertIn("The proof doesn't match these rows: ",
                          self.refused(other, "--proof", "proof.json"))
        self.assertIn("doesn't match these rows", self.refused("and.svm", "--proof", "proof.json", "--no-rows"))

    def test_a_forged_margin_is_not_shown(self):
        self.write("and.svm", AND)
        self.run_program("certify", "and.svm", "-o", "proof.json")
        proof = json.loads(self.read("proof.json"))
        proof["margin"]["at_least_squared"] = "100"
        self.write("forged.json", json.dumps(proof))
        self.assertIn("doesn't match these rows: the margin is smaller than claimed",
                      self.refused("and.svm", "--proof", "forged.json"))
        self.assertEqual(self.refused("--proof", "forged.json"),
                         "The proof can't be checked without its rows.")

    def test_a_forged_witness_is_not_shown(self):
        self.write("xor.svm", XOR)
        self.run_program("certify", "xor.svm", "-o", "proof.json")
        proof = json.loads(self.read("proof.json"))
        proof["witness"][0]["alpha"] = "7"
        self.write("proof.json", json.dumps(proof))
        self.assertIn("doesn't match these rows: the witness's sum is not 0",
                      self.refused("xor.svm", "--proof", "proof.json"))
        self.assertIn("The proof doesn't hold: the witness's sum is not 0", self.refused("--proof", "proof.json"))

    def test_a_proof_is_checked_against_the_rows_as_written(self):
        self.write("tenths.csv", "a,b,class\n0.1,0.2,n\n0.2,0.4,p\n0.3,0.6,n\n")  # as floats these aren't on a line
        self.run_program("certify", "tenths.csv", "--salt", "salt.txt", "-o", "proof.json")
        arguments = ["tenths.csv", "--proof", "proof.json"]
        document = self.document(*arguments, "--salt", "salt.txt")
        made = dict(zip(document["made"]["name"], document["made"]["value"]))
        self.assertIn("checked against these rows while this page was made", made["Proof"])
        self.assertEqual(document["proof"]["verdict"], "overlapping")
        self.assertIn("doesn't match these rows", self.refused(*arguments))
        self.assertIn("--salt needs --proof",
                      self.complaint("report", "tenths.csv", "--salt", "salt.txt", "-o", "r.html", code=2))

    def test_a_verdict_through_a_map_says_so(self):
        self.write("xor.svm", XOR)
        self.run_program("certify", "xor.svm", "--map", "products", "-o", "proof.json")
        told = self.said(self.document("xor.svm", "--proof", "proof.json"), "summary")
        self.assertIn("A linear classifier on the map products separates the classes", told)


class Models(ReportTest):
    def test_three_models_are_compared(self):
        data = self.generate("comparison")
        for learner in ("perceptron", "least-squares", "basic"):
            self.train(data, "--learner", learner, "-o", f"{learner}.json")
        document = self.document(data, "-m", "perceptron.json", "-m", "least-squares.json", "-m", "basic.json")
        self.assertEqual(self.said(document, "comparison"), "perceptron makes 0 mistakes, basic 13.")
        self.assertEqual([one["name"] for one in document["models"]], ["perceptron", "least-squares", "basic"])
        self.assertEqual([one["mistakes"] for one in document["models"]], [0, 7, 13])
        self.assertEqual(document["models"][0]["disagreements"], 0)
        self.assertEqual(document["models"][2]["disagreements"], 13)

    def test_several_classes(self):
        draw = random.Random(7)
        rows = []
        for row in range(150):
            kind = row % 3
            values = [draw.gauss(kind + column / 3, 0.7) for column in range(4)]
            rows.append(f"{'abc'[kind]} " + " ".join(f"{k + 1}:{value:.2f}" for k, value in enumerate(values)))
        self.write("iris.svm", "\n".join(rows) + "\n")
        self.train("iris.svm", "-o", "m.json")
        document = self.document("iris.svm", "-m", "m.json")
        told = self.answer("evaluate", "iris.svm", "-m", "m.json")
        counts = document["confusion"]["counts"]
        self.assertEqual(sum(counts), 150)
        wrong = sum(count for place, count in enumerate(counts) if place // 3 != place % 3)
        self.assertIn(f"{told['mistakes']} of 150 rows", self.said(document, "confusion"))
        self.assertLessEqual(abs(told["mistakes"] - wrong), 1)
        self.assertNotIn("proof", document)

    def test_a_regression(self):
        self.write("line.svm", "1.1 1:1\n2.9 1:2\n5 1:3\n7.1 1:4\n")
        self.train("line.svm", "--learner", "regression", "--rate", "0.05", "--passes", "50", "-o", "m.json", "--log",
                   "run.jsonl")
        document = self.document("line.svm", "-m", "m.json", "--log", "run.jsonl")
        self.assertIn("Root mean square error", self.said(document, "residuals"))
        self.assertEqual(self.said(document, "progress"),
                         "Regression stopped after 50 passes: the passes ran out.")
        self.assertNotIn("thresholds", document)

    def test_one_class_and_a_theta_of_zero(self):
        self.write("and.svm", AND)
        self.train("and.svm", "--learner", "perceptron", "-o", "and.json")
        self.write("one.svm", "-1 1:3\n-1 2:2\n")
        document = self.document("one.svm", "-m", "and.json")
        self.assertEqual(self.said(document, "threshold"), "All rows belong to one class: there is nothing to trade off.")
        self.assertEqual(self.said(document, "summary"),
                         "All 2 rows belong to class -1: there is nothing to separate. 2 of 2 rows are wrong.")
        self.assertNotIn("proof", document)
        model = json.loads(self.read("and.json"))
        model["theta"], model["offset"] = [0.0, 0.0], 0.0
        self.write("zero.json", json.dumps(model))
        document = self.document("and.svm", "-m", "zero.json")
        self.assertEqual(self.said(document, "distances"), "θ is 0: every row lies on the boundary.")
        self.assertEqual(self.said(document, "weights"), "All weights are 0.")

    def test_a_model_by_itself(self):
        self.write("three.svm", "+1 1:-1 2:-1\n-1 1:1\n+1 1:-1 2:1.5\n")
        self.train("three.svm", "--learner", "perceptron", "--origin", "--passes", "3", "-o", "three.json")
        document = self.document("-m", "three.json")
        self.assertEqual(self.said(document, "weights"), "x1 has the heaviest weight: −2.")
        self.assertIn("goes through the origin", self.said(document, "weights", "note"))
        made = dict(zip(document["made"]["name"], document["made"]["value"]))
        self.assertEqual(made["Options"], "origin, passes 3")

    def test_counts_are_those_of_evaluate(self):
        data = self.generate("sparse", "--rows", "3000", "--features", "40", "--nonzeros", "6", "--flip", "0.1")
        self.train(data, "-o", "m.json")
        told = self.answer("evaluate", data, "-m", "m.json")
        document = self.document(data, "-m", "m.json")
        self.assertEqual(document["models"][0]["mistakes"], told["mistakes"])
        bins = document["distances"]["bins"]
        self.assertEqual(sum(bins["negative"]) + sum(bins["positive"]), 3000)
        self.assertEqual(document["points"]["total"], 3000)
        self.assertIn("2,000 of 3,000 rows are shown, chosen by a hash of the row number with seed 1",
                      self.said(document, "space", "note"))


class Hidden(ReportTest):
    def test_no_rows_leaves_nothing_of_a_single_row(self):
        draw = random.Random(3)
        values = [f"{draw.uniform(1000, 9999):.4f}" for _ in range(60)]
        lines = ["id,a,b,class"] + [f"ident-q{k},{values[2 * k]},{values[2 * k + 1]},{'yn'[k % 2]}" for k in range(30)]
        self.write("rows.csv", "\n".join(lines) + "\n")
        reading = ["--label", "class", "--id", "id"]
        self.train("rows.csv", *reading, "--learner", "perceptron", "-o", "m.json", "--log", "run.jsonl")
        self.run_program("certify", "rows.csv", *reading, "-o", "proof.json")
        arguments = ["rows.csv", *reading, "-m", "m.json", "--log", "run.jsonl", "--proof", "proof.json"]
        document = self.document(*arguments, "--no-rows")
        text = json.dumps(document) + self.page(*arguments, "--no-rows")
        for secret in ["ident-q", *values]:
            self.assertFalse(secret in text, secret)
        self.assertEqual((document["points"]["shown"], document["points"]["row"]), (0, []))
        for part in ("alpha", "events"):
            self.assertFalse(part in document, part)
        self.assertNotIn("witness", document.get("proof", {}))
        self.assertNotIn("packing", document.get("proof", {}))
        shown = json.dumps(self.document(*arguments))
        self.assertIn("ident-q", shown)

    def test_names_are_text(self):
        hostile = "<script>alert(1)</script>\u202e\"'&" + "x" * 10000
        self.write("h.csv", "class,\"" + hostile.replace('"', '""') + "\",b\n" + "".join(
            f"{c},{k % 7},{k % 3}\n" for k, c in enumerate(["<i>", "&amp;"] * 20)))
        self.train("h.csv", "--label", "class", "-o", "m.json")
        page = self.page("h.csv", "--label", "class", "-m", "m.json")
        self.assertFalse("<script>alert" in page)
        self.assertFalse("<i>" in page.split("<script", 1)[0])
        self.assertFalse("\u202e" in page)


class Refusals(ReportTest):
    def test_nothing_to_draw(self):
        self.assertIn("there is nothing to draw", self.complaint("report", "-o", "r.html", code=2))
        self.write("and.svm", AND)
        self.assertIn("-o FILE is missing", self.complaint("report", "and.svm", code=2))

    def test_a_file_that_is_no_run_log(self):
        good = '{"pass":1,"rows":4,"seconds":0.1,"mistakes":2}\n'
        for line, bad, why in ((1, "hello\n", "isn't a line of a run log"), (2, good + "[1]\n", "isn't a line of a run log"),
                               (2, good + good, "pass 1 comes after pass 1"),
                               (2, good + '{"pass":2,"mistakes":-1}\n', "`mistakes` should be a whole number"),
                               (1, '{"pass":1,"gap":"much"}\n', "`gap` should be a number")):
            self.write("bad.jsonl", bad)
            message = self.complaint("report", "--log", "bad.jsonl", "-o", "r.html", code=3)
            self.assertIn(f"bad.jsonl:{line}: ", message)
            self.assertIn(why, message)
            self.assertFalse((self.folder / "r.html").exists())
        self.write("empty.jsonl", "")
        self.assertIn("empty.jsonl: is empty", self.complaint("report", "--log", "empty.jsonl", "-o", "r.html", code=3))

    def test_an_output_that_can_not_be_written_is_refused_first(self):
        self.complaint("report", "absent.svm", "-o", "no/such/folder.html", code=4)

    def test_a_stream_is_gone_by_then(self):
        self.assertIn("leave out --online", self.complaint("train", "-", "--online", "--report", "r.html", code=2))


class Large(ReportTest):
    def test_a_report_does_not_grow_with_rows(self):
        data = self.generate("sparse", "--rows", "20000", "--features", "2000", "--nonzeros", "20")
        self.train(data, "-o", "m.json", "--log", "run.jsonl")
        document = self.run_program("report", data, "-m", "m.json", "--log", "run.jsonl", "--data").stdout
        self.assertLess(len(document), 400_000)
        self.assertLess(len(self.page(data, "-m", "m.json", "--log", "run.jsonl")), 1_500_000)

    def test_a_long_log_keeps_its_best_and_worst(self):
        lines = [json.dumps({"pass": k, "rows": 1, "seconds": k, "mistakes": 500 if k == 7777 else 5 + k % 10})
                 for k in range(1, 10001)]
        lines[4320] = json.dumps({"pass": 4321, "rows": 1, "seconds": 4321, "mistakes": 0})
        self.write("long.jsonl", "\n".join(lines) + "\n")
        history = self.document("--log", "long.jsonl")["history"]
        passes = history["passes"]["pass"]
        self.assertLessEqual(len(passes), 2000)
        for kept in (1, 4321, 7777, 10000):
            self.assertIn(kept, passes)
        self.assertEqual(history["group"], 50)
        self.assertEqual(len(history["bars"]["mistakes"]), 200)
        self.assertEqual(sum(history["bars"]["mistakes"]), sum(json.loads(line)["mistakes"] for line in lines))


if __name__ == "__main__":
    unittest.main()
