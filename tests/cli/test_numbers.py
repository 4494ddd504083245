"""Numbers that overflow: counted, said or refused, never taken for an answer. Options that would be ignored are refused."""

import json
import math
import random
import time
import unittest

from program import CommandLineTest

MARGIN = ("--learner", "margin")


def huge_rows(rows=40):
    """Rows whose scores leave the range of a double under weights of their own size."""
    draw = random.Random(1)
    return "".join(
        f"{draw.choice((-1, 1))} 1:{draw.uniform(-1, 1) * 1e200!r} 2:{draw.uniform(-1, 1):.3f}\n" for _ in range(rows))


def model_of(theta, offset=0.0, **more):
    return json.dumps({"linsep_model": 1, "learner": "perceptron", "options": {}, "form": "linear",
                       "features": len(theta), "theta": theta, "offset": offset} | more)


class Scores(CommandLineTest):
    """Scores that aren't finite are mistakes, in no other figure, and said."""

    def trained(self, text, *options):
        self.write("train.svm", text)
        self.words("train", "train.svm", "--learner", "perceptron", "--double", *options, "-o", "model.json")
        return json.loads(self.read("model.json"))

    def with_theta(self, theta):
        """A model of two features with these weights."""
        model = self.trained("-1 1:-1 2:0\n1 1:1 2:1\n")
        text = self.read("model.json")
        for key in ("theta",):
            start = text.index('"theta"')
            end = text.index("]", start)
            text = text[:start] + '"theta": ' + json.dumps(theta)[:-1] + text[end:]
        self.write("model.json", text)
        return model

    def test_evaluate_ends_and_counts_them(self):
        self.with_theta([1e200, 1.0])
        self.write("rows.svm", "-1 1:1e200\n1 1:1e200\n1 2:1\n-1 2:-1\n-1 2:2\n")
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double")
        self.assertEqual((told["rows"], told["mistakes"], told["not_finite"]), (5, 3, 2))
        self.assertEqual(sum(told["confusion"].values()), 3)
        self.assertEqual(told["area_under_curve"], 0.5)
        words = self.words("evaluate", "rows.svm", "-m", "model.json", "--double")
        self.assertIn("2 rows have no finite score", words)
        self.assertIn("Scale the columns", words)

    def test_many_of_them_take_no_time(self):
        self.with_theta([1e200, 1e200])
        self.write("rows.svm", "".join(f"{1 if i % 3 else -1} 1:{(-1)**i}e200 2:1e200\n" for i in range(2000)))
        began = time.monotonic()
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double")
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual((told["rows"], told["mistakes"], told["not_finite"]), (2000, 2000, 2000))
        self.assertIsNone(told["area_under_curve"])

    def test_nothing_is_said_of_finite_scores(self):
        self.with_theta([1.0, 1.0])
        self.write("rows.svm", "-1 1:-1\n1 2:1\n")
        done = self.run_program("evaluate", "rows.svm", "-m", "model.json")
        self.assertEqual(done.stderr, b"")
        self.assertNotIn("finite", done.stdout.decode())

    def test_predict_says_so_once_on_standard_error(self):
        self.with_theta([1e200, 1.0])
        self.write("rows.svm", "-1 1:1e200\n1 1:1e200\n1 2:1\n")
        done = self.run_program("predict", "rows.svm", "-m", "model.json", "--double")
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertEqual(done.stderr.decode().count("no finite score"), 1)
        self.assertIn("2 rows have no finite score", done.stderr.decode())
        told = self.answer("predict", "rows.svm", "-m", "model.json", "--double", "-o", "out.txt")
        self.assertEqual(told["not_finite"], 2)

    def test_several_classes(self):
        self.write("train.svm", "a 1:1\nb 2:1\nc 1:-1 2:-1\n" * 3)
        self.words("train", "train.svm", "--learner", "perceptron", "-o", "model.json")
        text = self.read("model.json")
        end = text.index("]", text.index('"theta"'))
        first = text.index("[", text.index('"theta"'))
        theta = [1e200, 0, 0, 1, -1, -1]
        self.write("model.json", text[:first] + json.dumps(theta)[:-1] + text[end:])
        self.write("rows.svm", "a 1:1e200\nb 2:1\nc 1:1e200\n")
        told = self.answer("evaluate", "rows.svm", "-m", "model.json", "--double")
        self.assertEqual((told["rows"], told["mistakes"], told["not_finite"]), (3, 2, 2))
        self.assertEqual(sum(map(sum, told["confusion"])), 1)

    def test_regression(self):
        self.write("train.svm", "1 1:1\n2 1:2\n")
        self.words("train", "train.svm", "--learner", "regression", "-o", "model.json")
        self.write("rows.svm", "1 1:1\n2 1:2\n")
        whole = self.answer("evaluate", "rows.svm", "-m", "model.json")
        text = self.read("model.json")
        first = text.index("[", text.index('"theta"'))
        self.write("big.json", text[:first] + "[1e300" + text[text.index("]", first):])
        self.write("more.svm", "1 1:1e300\n0 1:0\n")
        told = self.answer("evaluate", "more.svm", "-m", "big.json", "--double")
        self.assertEqual((whole["not_finite"], told["not_finite"], told["rows"]), (0, 1, 2))
        self.assertTrue(math.isfinite(told["sum_of_squares"]))
        self.assertEqual(told["mean_square"], told["sum_of_squares"])


class Figures(CommandLineTest):
    """Numbers of any size are shown: figures of twelve characters once were too wide for their column."""

    def model(self, **fields):
        """A model of two features with these fields."""
        self.write("train.svm", "-1 1:-1 2:0\n1 1:1 2:1\n")
        self.words("train", "train.svm", "--learner", "perceptron", "--double", "-o", "m.json")
        self.write("m.json", json.dumps(json.loads(self.read("m.json")) | fields))
        return "m.json"

    def test_inspect_shows_distances_of_any_size(self):
        for distance in (3e8, 2.0**64, 1e300):
            for rows in (4, 40):  # a table, and a histogram
                self.write("rows.svm", "".join(f"{y} 1:{y * distance!r}\n" for y in (1, -1) for _ in range(rows // 2)))
                words = self.words("inspect", self.model(theta=[1.0, 0.0], offset=0.0), "rows.svm", "--double")
                self.assertIn(f"({rows} rows):\n", words)
                self.assertIn(f"The smallest signed distance is {distance:.6g}, at row 1.", words)
                self.assertNotRegex(words, "nan|inf ")

    def test_inspect_shows_an_offset_beyond_64_bits(self):
        self.model(theta=[1.0, -1.0], offset=18446744073709551616)
        self.write("rows.svm", "1 1:1\n-1 2:1\n")
        self.assertIn("Intercept  1.84467e+19\n", self.words("inspect", "m.json"))
        self.assertIn("−1.84467e+19", self.words("inspect", "m.json", "rows.svm"))

    def test_odds_beyond_the_range_are_shown(self):
        data = self.generate("noisy", "--rows", "200", "--features", "3", "--seed", "1")
        self.words("train", data, "--loss", "logistic", "-o", "m.json")
        model = json.loads(self.read("m.json"))
        model["theta"][0], model["weight_error"] = 1e6, 1e7
        self.write("m.json", json.dumps(model))
        self.assertRegex(self.words("inspect", "m.json"), r"1e\+06 +inf  x1\n")

    def test_a_score_that_is_not_finite_has_no_probability(self):
        data = self.generate("noisy", "--rows", "200", "--features", "2", "--seed", "1")
        self.words("train", data, "--loss", "logistic", "-o", "m.json")
        self.write("m.json", json.dumps(json.loads(self.read("m.json")) | {"theta": [1e200, -1e200]}))
        self.write("rows.svm", "1 1:1e200 2:1e200\n")
        words = self.words("explain", "rows.svm", "-m", "m.json", "--row", "1", "--double")
        self.assertIn("score nan, no probability\n", words)
        self.assertNotIn("-nan", words)


class TooSmall(CommandLineTest):
    """Numbers that become 0 are said once per run, with the first of them."""

    CSV = "dose,age,label\n0.1,3,a\n0.2,1e-50,b\n0.3,2e-60,b\n0.4,1e-40,a\n"
    SVMLIGHT = "-1 1:0.1 2:3\n# a comment\n1 1:0.2 2:-1e-50\n1 1:0.3 2:2e-60\n"

    def said(self, *arguments, **how):
        return self.run_program(*arguments, **how).stderr.decode()

    def trained(self, name, text, *options, learner="perceptron"):
        self.write(name, text)
        return self.said("train", name, "--learner", learner, "-o", "model.json", *options)

    def test_where_rows_are_numbers(self):
        words = "1e-50 in {} is below the smallest 32-bit number and is read as 0 (and 1 more); multiply the column"
        self.assertTrue(self.trained("rows.csv", self.CSV, "--scale", "none").startswith(
            "linsep: warning: rows.csv:3: " + words.format("column 'age'")))
        for more in ((), ("--online",)):
            said = self.trained("rows.svm", self.SVMLIGHT, *more)
            self.assertTrue(said.startswith("linsep: warning: rows.svm:3: -" + words.format("feature 2")), said)
            self.assertEqual(said.count("\n"), 1)
        for verb in ("evaluate", "predict"):
            said = self.said(verb, "rows.svm", "-m", "model.json")
            self.assertTrue(said.startswith("linsep: warning: rows.svm:3: -" + words.format("feature 2")), said)

    def test_no_more_than_there_are(self):
        said = self.trained("rows.csv", self.CSV.replace("2e-60", "0"), "--scale", "none")
        self.assertIn("is read as 0; multiply", said)
        for text in (self.CSV.replace("2e-60", "0e-60").replace("1e-50", "-0"), self.CSV.replace("e-", "e+").replace("+50", "+3").replace("+60", "+3").replace("+40", "+3")):
            self.assertEqual(self.trained("rows.csv", text, "--scale", "none"), "")
        self.assertEqual(self.trained("rows.csv", self.CSV, "--scale", "none", "--double"), "")
        said = self.trained("rows.csv", self.CSV.replace("e-60", "e-400"), "--scale", "none", "--double")
        self.assertIn("rows.csv:4: 2e-400 in column 'age' is too small for a 64-bit number: it is read as 0", said)
        unlabelled = self.CSV.replace("0.2,1e-50,b", "0.2,1e-50,")
        said = self.trained("rows.csv", unlabelled, "--scale", "none", "--missing-label", "drop")
        self.assertIn("rows.csv:4: 2e-60 in column 'age' is below the smallest 32-bit number and is read as 0; multiply", said)

    def test_encoded_rows(self):
        table = self.CSV.replace("dose", "town").replace("0.1", "Oslo").replace("0.2", "Bergen")
        said = self.trained("rows.csv", table, "--scale", "none")
        self.assertIn("rows.csv:3: 1e-50 in column 'age' is below the smallest 32-bit number and is read as 0 (and 1 more)", said)

    def test_rows_that_are_read_once(self):
        self.trained("rows.svm", self.SVMLIGHT)
        said = self.said("predict", "-", "-m", "model.json", stdin=self.SVMLIGHT)
        self.assertTrue(said.startswith("linsep: warning: standard input:3: a value in feature 2 is too small for a 32-bit number"), said)

    def test_pages(self):
        self.write("rows.svm", self.SVMLIGHT)
        self.words("convert", "rows.svm", "-o", "rows.lsp")
        said = self.said("train", "rows.lsp", "--learner", "perceptron", "-o", "model.json")
        self.assertTrue(said.startswith("linsep: warning: rows.svm:3: -1e-50 in feature 2 is below"), said)


class Training(CommandLineTest):
    """Training that overflows is an error, never a model."""

    def refused(self, *arguments):
        told = self.complaint("train", *arguments, "-o", "model.json", code=3)
        self.assertIn("training overflowed", told)
        self.assertFalse((self.folder / "model.json").exists())
        return told

    def test_a_rate_too_great(self):
        self.write("rows.svm", "1 1:3 2:1\n-1 1:3 2:-1\n1 1:-2 2:4\n-1 1:5 2:-7\n")
        told = self.refused("rows.svm", "--learner", "perceptron", "--rate", "1e308")
        self.assertIn("smaller --rate", told)
        self.assertIn("column 'x2' goes from -7 to 4", told)
        for options in (("--variant", "averaged"), ("--variant", "voted"), ("--online",), ("--quiet",)):
            self.refused("rows.svm", "--learner", "perceptron", "--rate", "1e308", *options)

    def test_several_classes(self):
        self.write("rows.svm", "a 1:3 2:1\nb 1:3 2:-1\nc 1:-2 2:4\na 1:5 2:-7\n")
        for options in ((), ("--multiclass", "joint")):
            self.refused("rows.svm", "--learner", "perceptron", "--rate", "1e308", *options)

    def test_rows_too_large(self):
        self.write("rows.csv", "wide,y\n1e308,a\n-1e308,b\n1.5e308,a\n-1.7e308,b\n")
        told = self.refused("rows.csv", "--learner", "basic", "--double")
        self.assertIn("column 'wide' goes from -1.7e+308 to 1.5e+308", told)

    def test_rows_of_1e200_train_and_are_measured(self):
        self.write("rows.svm", huge_rows())
        told = self.answer("train", "rows.svm", "--learner", "perceptron", "--double", "--passes", "3", "-o", "m.json")
        measured = self.answer("evaluate", "rows.svm", "-m", "m.json", "--double")
        self.assertEqual(measured["mistakes"], told["training_mistakes"])
        self.assertGreater(measured["not_finite"], 0)


class Planes(CommandLineTest):
    """Cutting planes notice that they get nowhere."""

    def rows(self, rows, columns, decades, seed):
        draw = random.Random(seed)
        weights = [draw.gauss(0, 1) for _ in range(columns)]
        text = ""
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(columns)]
            y = 1 if sum(a * b for a, b in zip(weights, x)) > 0 else -1
            y = -y if draw.random() < 0.15 else y
            sizes = [10**(decades * (j / (columns - 1) - 0.5)) for j in range(columns)]
            text += f"{y} " + " ".join(f"{j + 1}:{x[j] * sizes[j]:.9g}" for j in range(columns)) + "\n"
        return self.write("rows.svm", text)

    def planes(self, name, c, *options):
        return ("train", name, *MARGIN, "--solver", "planes", "--C", c, "--double", *options)

    def test_columns_of_very_different_sizes_take_no_longer_than_others(self):
        for rows, columns, seed in ((57, 11, 1), (27, 5, 2), (57, 11, 3)):
            name = self.rows(rows, columns, 10, seed)
            began = time.monotonic()
            told = self.answer(*self.planes(name, "1"))
            self.assertLess(time.monotonic() - began, 8)  # 0.3 s on a quiet machine
            self.assertTrue(told["converged"])
            exact = self.answer("train", name, *MARGIN, "--solver", "interior", "--C", "1", "--double")
            self.assertAlmostEqual(told["objective"], exact["objective"], delta=1.1e-3 * exact["objective"])

    def test_where_rounding_stops_them_they_say_so_soon(self):
        for rows, columns, seed in ((57, 11, 1), (27, 5, 2)):
            name = self.rows(rows, columns, 10, seed)
            began = time.monotonic()
            told = self.answer(*self.planes(name, "1e9"))
            self.assertLess(time.monotonic() - began, 8)
            self.assertEqual(told["stopped_because"], "stalled")
            self.assertEqual(told["code"], "badly_scaled")
            self.assertIn("Columns of very different sizes", told["reason"])

    def test_resumed_runs_are_the_same(self):
        for c in ("1", "1e9"):
            name = self.rows(57, 11, 10, 1)
            self.words(*self.planes(name, c, "-o", "whole.json"))
            whole = self.answer(*self.planes(name, c))
            for _ in range(200):
                told = self.answer(*self.planes(name, c, "--checkpoint", "run.ckpt", "--resume", "--time", "0.000001",
                                                "-o", "parts.json", "--quiet"))
                if told["stopped_because"] != "time":
                    break
            self.assertEqual((told["passes"], told["stopped_because"]), (whole["passes"], whole["stopped_because"]))
            self.assertEqual(self.read("parts.json"), self.read("whole.json"))
            (self.folder / "run.ckpt").unlink(missing_ok=True)

    def test_a_gap_that_says_nothing_is_no_bound(self):
        name = self.rows(57, 11, 10, 1)
        words = self.words(*self.planes(name, "1e9"))
        self.assertIn("not yet proven to be near the best possible", words)
        self.assertNotIn("bound computed", words)

    def test_ordinary_columns_converge(self):
        told = self.answer("train", self.rows(57, 11, 0, 1), *MARGIN, "--solver", "planes")
        self.assertTrue(told["converged"])


class Refused(CommandLineTest):
    """Options that would have no effect are refused."""

    def setUp(self):
        super().setUp()
        self.write("two.svm", "-1 1:1\n1 1:2\n")
        self.write("three.svm", "a 1:1\nb 1:2\nc 1:3\n")

    def refused(self, *arguments, naming):
        told = self.complaint("train", *arguments, code=2)
        for word in naming:
            self.assertIn(word, told)

    def test_c_beside_lambda(self):
        self.refused("two.svm", *MARGIN, "--C", "2", "--lambda", "0.1", naming=("--lambda and --C", "use only one of them"))
        self.refused("two.svm", *MARGIN, "--C", "1", "--lambda", "0.1", naming=("--lambda and --C",))
        self.refused("two.svm", *MARGIN, "--Cs", "1,2", "--lambdas", "1,2", naming=("--lambdas and --Cs",))

    def test_weights_of_two_classes_on_more(self):
        for option in ("--positive-weight", "--negative-weight"):
            self.refused("three.svm", *MARGIN, option, "2", naming=(option, "--class-weight"))
        self.write("labels.csv", "x,a,b\n1,0,1\n2,1,0\n3,1,1\n")
        self.refused("labels.csv", "--labels", "a,b", *MARGIN, "--positive-weight", "2", naming=("--positive-weight",))
        self.words("train", "two.svm", *MARGIN, "--positive-weight", "2")

    def test_options_of_another_kernel_or_matrix(self):
        self.refused("two.svm", "--learner", "dual", "--gamma", "2", naming=("--gamma", "Gaussian"))
        self.refused("two.svm", "--learner", "dual", "--kernel", "gaussian", "--degree", "3", naming=("--degree",))
        self.refused("two.svm", "--learner", "least-squares", "--matrix", "full", "--tolerance", "0.1",
                     naming=("--tolerance",))
        self.refused("two.svm", "--learner", "least-squares", "--matrix", "identity", "--ridge", "1",
                     naming=("--ridge",))

    def test_options_of_csv_on_svmlight_and_of_classes_on_numbers(self):
        for options in (("--label", "y"), ("--id", "y"), ("--weight", "y"), ("--ignore", "y"), ("--delimiter", ";"),
                        ("--header",), ("--no-header",)):
            self.refused("two.svm", "--learner", "perceptron", *options, naming=(options[0], "CSV and TSV"))
        for options in (("--positive", "1"), ("--classes", "-1,1")):
            self.refused("two.svm", "--learner", "regression", *options, naming=(options[0], "regression"))

    def test_numbers_that_are_none(self):
        for number in ("nan", "inf", "-1", "soon"):
            self.assertIn("--time", self.complaint("train", "two.svm", "--time", number, code=2))
            self.assertIn("--time", self.complaint("certify", "two.svm", "--time", number, code=2))
            self.assertIn("--gap", self.complaint("train", "two.svm", *MARGIN, "--gap", number, code=2))
            self.assertIn("--memory", self.complaint("train", "two.svm", "--memory", number, code=2))


class UnknownColumns(CommandLineTest):
    """Columns that a model has no weight for are said, once."""

    def setUp(self):
        super().setUp()
        self.write("train.svm", "-1 1:1\n1 2:2\n")
        self.words("train", "train.svm", "--learner", "perceptron", "-o", "model.json")

    def test_predict_and_evaluate_say_how_many(self):
        self.write("rows.svm", "-1 1:1 3:1\n1 2:2 5:7\n" * 3000)
        for command in ("predict", "evaluate"):
            done = self.run_program(command, "rows.svm", "-m", "model.json")
            self.assertEqual(done.stderr.decode(),
                             "linsep: 3 columns aren't used by the model and are ignored.\n")
        self.assertEqual(self.answer("evaluate", "rows.svm", "-m", "model.json")["unknown_columns"], 3)
        self.assertEqual(
            self.answer("predict", "rows.svm", "-m", "model.json", "-o", "out.txt")["unknown_columns"], 3)

    def test_fewer_columns_are_nothing_to_speak_of(self):
        self.write("rows.svm", "-1 1:1\n1 1:2\n")
        for command in ("predict", "evaluate"):
            self.assertEqual(self.run_program(command, "rows.svm", "-m", "model.json").stderr, b"")

    def test_csv_by_names(self):
        self.write("train.csv", "a,b,y\n1,2,0\n3,1,1\n")
        self.words("train", "train.csv", "--learner", "perceptron", "-o", "model.json")
        self.write("rows.csv", "c,a,b,d,y\n9,1,2,9,0\n9,3,1,9,1\n")
        told = self.answer("evaluate", "rows.csv", "-m", "model.json")
        self.assertEqual((told["unknown_columns"], told["mistakes"]), (2, 0))
        said = self.run_program("evaluate", "rows.csv", "-m", "model.json").stderr.decode()
        self.assertIn("Columns 'c' and 'd' aren't used by the model", said)
        told = self.answer("evaluate", "rows.csv", "-m", "model.json", "--ignore", "c", "--id", "d")
        self.assertEqual(told["unknown_columns"], 0)
        self.assertEqual(self.run_program("predict", "train.csv", "-m", "model.json").stderr, b"")
        self.assertIn("Columns 'c', 'd' and 'y' aren't used by the model", self.run_program("predict", "rows.csv", "-m", "model.json").stderr.decode())


if __name__ == "__main__":
    unittest.main()
