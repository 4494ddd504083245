"""`train --lambdas`, `--cv`, `--probabilities`, and what `predict` and `evaluate` make of probabilities."""

import math
import unittest

from program import CommandLineTest

MARGIN = ["--learner", "margin"]


class Selecting(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.data = self.generate("noisy", "--rows", "400", "--features", "5")


class Paths(Selecting):
    def test_a_path_reports_every_lambda_from_the_greatest_and_keeps_the_last(self):
        run = self.answer("train", self.data, *MARGIN, "--lambdas", "1e-3,1e-1,1e-2", "-o", "model.json")
        self.assertEqual([point["lambda"] for point in run["path"]], [0.1, 0.01, 0.001])
        for point in run["path"]:
            self.assertLessEqual(point["gap"], 1e-3)
            self.assertTrue(point["converged"])
            self.assertGreater(point["passes"], 0)
        norms = [point["norm"] for point in run["path"]]
        self.assertEqual(norms, sorted(norms))
        self.assertEqual((run["chosen"]["index"], run["chosen"]["lambda"]), (2, 0.001))
        self.assertEqual(self.answer("inspect", "model.json")["options"]["lambda"], 0.001)
        self.assertEqual(self.answer("evaluate", self.data, "-m", "model.json")["mistakes"], run["path"][2]["mistakes"])

    def test_a_range_has_both_ends_and_equal_ratios(self):
        run = self.answer("train", self.data, *MARGIN, "--lambdas", "1:1e-4:5")
        found = [point["lambda"] for point in run["path"]]
        for value, wanted in zip(found, [1, 0.1, 0.01, 1e-3, 1e-4], strict=True):
            self.assertAlmostEqual(value / wanted, 1)

    def test_lambdas_may_be_given_by_c(self):
        run = self.answer("train", self.data, *MARGIN, "--Cs", "0.1,1,10")
        for point, c in zip(run["path"], (0.1, 1, 10), strict=True):
            self.assertAlmostEqual(point["lambda"] * c * 400, 1)
            self.assertAlmostEqual(point["C"], c)
        self.assertIn("C = 10", self.words("train", self.data, *MARGIN, "--Cs", "0.1,1,10"))

    def test_words_show_a_line_for_each_lambda_and_say_which_was_kept(self):
        words = self.words("train", self.data, *MARGIN, "--lambdas", "0.1,0.01")
        marked = [line.split()[1] for line in words.splitlines() if line.startswith("*")]
        self.assertEqual(marked, ["0.01"])
        self.assertIn("Chosen: λ = 0.01", words)

    def test_a_path_goes_through_a_map(self):
        xor = self.generate("xor")
        run = self.answer("train", xor, *MARGIN, "--map", "products", "--lambdas", "0.1,0.001", "-o", "xor.json")
        self.assertEqual(run["path"][1]["mistakes"], 0)
        self.assertEqual(self.answer("evaluate", xor, "-m", "xor.json")["mistakes"], 0)


class CrossValidations(Selecting):
    def test_the_lambda_of_least_held_out_error_is_kept_and_marked(self):
        for what in ("error", "loss"):
            run = self.answer("train", self.data, *MARGIN, "--cv", "4", "--choose", what, "-o", "model.json")
            held = [point["held_out_" + what] for point in run["path"]]
            self.assertEqual(len(held), 7 + run.get("added", 0))
            self.assertEqual(run["chosen"]["index"], held.index(min(held)))
            self.assertEqual(self.answer("inspect", "model.json")["options"]["lambda"], run["chosen"]["lambda"])
        words = self.words("train", self.data, *MARGIN, "--cv", "4")
        self.assertIn("with the lowest held-out error in 4 folds", words)
        self.assertEqual(sum(line.startswith("*") for line in words.splitlines()), 1)

    def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_folds(self):
        def errors(seed, name):
            run = self.answer("train", self.data, *MARGIN, "--cv", "3", "--seed", seed, "-o", name)
            return [point["held_out_loss"] for point in run["path"]]

        self.assertEqual(errors(1, "a.json"), errors(1, "b.json"))
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        self.assertNotEqual(errors(1, "a.json"), errors(2, "b.json"))

    def test_rows_held_out_look_like_rows_never_seen(self):
        data = self.generate("noisy", "--rows", "3000", "--features", "20", "--flip", "0.2")
        lines = self.read(data).splitlines(keepends=True)
        self.write("train.svm", "".join(lines[:300]))
        self.write("test.svm", "".join(lines[300:]))
        run = self.answer("train", "train.svm", *MARGIN, "--lambda", "1e-3", "--cv", "10", "-o", "model.json")
        held_out, spread = (run["path"][0][key] for key in ("held_out_error", "held_out_error_spread"))
        unseen = self.answer("evaluate", "test.svm", "-m", "model.json")["error"]
        self.assertLess(abs(held_out - unseen), 4 * spread)
        self.assertGreater(held_out, run["training_error"])

    def test_what_makes_no_sense_is_refused(self):
        for options, part in (
            (["--learner", "perceptron", "--cv", "5"], "margin"),
            ([*MARGIN, "--cv", "1"], "two folds"),
            ([*MARGIN, "--lambdas", "1,x"], "--lambdas"),
            ([*MARGIN, "--lambdas", "1,2", "--C", "3"], "--C"),
            ([*MARGIN, "--lambdas", "1,2", "--Cs", "3,4"], "use only one of them"),
            ([*MARGIN, "--Cs", "0"], "--Cs"),
            ([*MARGIN, "--choose", "loss"], "--cv"),
            ([*MARGIN, "--cv", "500"], "500 folds"),
            ([*MARGIN, "--cv", "5", "--online"], "--online"),
        ):
            self.assertIn(part, self.complaint("train", self.data, *options, code=2), options)


class Grids(Selecting):
    def test_a_grid_whose_best_stands_at_its_end_goes_on_and_says_so(self):
        options = [*MARGIN, "--cv", "4", "--choose", "loss", "--lambdas"]
        run = self.answer("train", self.data, *options, "100:10:2")
        self.assertGreater(run["added"], 0)
        lambdas = [point["lambda"] for point in run["path"]]
        self.assertEqual(len(lambdas), 2 + run["added"])
        for greater, smaller in zip(lambdas, lambdas[1:]):
            self.assertAlmostEqual(greater / smaller, 10)
        self.assertNotIn(run["chosen"]["index"], (0, len(lambdas) - 1))
        words = self.words("train", self.data, *options, "100:10:2")
        self.assertIn(f"so {run['added']} more were tried", words)

    def test_what_was_listed_is_tried_and_nothing_else(self):
        options = [*MARGIN, "--cv", "4", "--choose", "loss", "--lambdas", "100,10"]
        run = self.answer("train", self.data, *options)
        self.assertEqual([point["lambda"] for point in run["path"]], [100, 10])
        self.assertIn("It is at the end of the range: smaller λ may do better", self.words("train", self.data, *options))

    def test_it_ends_on_separable_rows(self):
        data = self.generate("separable", "--rows", "60", "--features", "3")
        run = self.answer("train", data, *MARGIN, "--loss", "logistic", "--cv", "3", "--choose", "loss")
        self.assertLessEqual(run.get("added", 0), 6)

    def test_the_table_shows_c_beside_lambda(self):
        words = self.words("train", self.data, *MARGIN, "--lambdas", "0.1,0.01")
        header, first = [line.split() for line in words.splitlines() if "gap" in line or line.strip().startswith("0.1 ")][:2]
        self.assertEqual(header[:2], ["λ", "C"])
        self.assertEqual(first[:2], ["0.1", "0.025"])


class SeveralClasses(CommandLineTest):
    def setUp(self):
        super().setUp()
        options = ["--rows", "300", "--features", "30", "--nonzeros", "8", "--classes", "3"]
        self.data = self.generate("classes", *options)

    def against_rest(self, name):
        lines = (line.split(" ", 1) for line in self.read(self.data).splitlines())
        return self.write(f"{name}.svm", "".join(f"{'1' if label == name else '-1'} {rest}\n" for label, rest in lines))

    def test_a_path_is_that_of_each_class_against_the_rest(self):
        options = [*MARGIN, "--lambdas", "1e-3,1e-4"]
        run = self.answer("train", self.data, *options)
        alone = [self.answer("train", self.against_rest(name), *options) for name in "123"]
        for l in range(2):
            self.assertAlmostEqual(run["path"][l]["objective"], sum(one["path"][l]["objective"] for one in alone))
            self.assertEqual(run["path"][l]["gap"], max(one["path"][l]["gap"] for one in alone))
        self.assertEqual([part["objective"] for part in run["parts"]], [one["objective"] for one in alone])

    def test_cross_validation_keeps_one_lambda_for_all_classes(self):
        run = self.answer("train", self.data, *MARGIN, "--cv", "3", "-o", "m.json")
        held = [point["held_out_error"] for point in run["path"]]
        self.assertEqual(run["chosen"]["index"], held.index(min(held)))
        self.assertEqual(self.answer("evaluate", self.data, "-m", "m.json")["mistakes"],
                         run["path"][run["chosen"]["index"]]["mistakes"])
        self.assertGreater(min(held), run["training_error"])

    def test_probabilities_have_a_calibration_for_each_class(self):
        for how, kind in (("platt", "sigmoid"), ("isotonic", "isotonic")):
            run = self.answer("train", self.data, *MARGIN, "--probabilities", how)
            self.assertEqual([one["kind"] for one in run["calibration"]], [kind] * 3)
        run = self.answer("train", self.data, *MARGIN, "--loss", "logistic")
        plain = [{key: value for key, value in one.items() if key != "of"} for one in run["calibration"]]
        self.assertEqual(plain, [{"kind": "sigmoid", "slope": 1, "offset": 0}] * 3)

    def test_label_columns_share_a_lambda(self):
        rows = [f"{i % 7},{(i * i) % 5},{'yes' if i % 7 > 3 else 'no'},{(i * i) % 5 > 1:d}\n" for i in range(60)]
        data = self.write("labels.csv", "x,y,rain,wind\n" + "".join(rows))
        run = self.answer("train", data, *MARGIN, "--labels", "rain,wind", "--cv", "3", "--probabilities", "platt")
        self.assertEqual(len(run["parts"]), 2)
        self.assertEqual(len(run["calibration"]), 2)


class ClassWeights(CommandLineTest):
    ROWS = "a 1:1\na 1:2\na 1:3\na 1:4\nb 1:3.5\nb 1:5\n"

    def test_balanced_is_rows_by_classes_and_the_classes_rows(self):
        data = self.write("two.svm", self.ROWS)
        options = [*MARGIN, "--lambda", "0.1"]
        balanced = self.answer("train", data, *options, "--class-weight", "balanced", "-o", "m.json")
        named = self.answer("train", data, *options, "--class-weight", "a=0.75,b=1.5")  # 6/(2·4), 6/(2·2)
        sides = self.answer("train", data, *options, "--negative-weight", "0.75", "--positive-weight", "1.5")
        self.assertEqual(balanced["theta"], named["theta"])
        self.assertEqual(balanced["theta"], sides["theta"])
        self.assertEqual(self.answer("inspect", "m.json")["options"]["class-weight"], "balanced")

    def test_of_several_classes_each_row_has_the_weight_of_its_own(self):
        data = self.write("three.svm", self.ROWS + "c 1:-1\nc 1:2.5\n")
        twice = self.write("twice.svm", self.ROWS + "c 1:-1\nc 1:2.5\n" * 2)
        options = [*MARGIN, "--loss", "logistic", "--lambda", "0.1", "--gap", "1e-9"]
        weighed = self.answer("train", data, *options, "--class-weight", "c=2")
        copied = self.answer("train", twice, *options)
        for a, b in zip(weighed["parts"], copied["parts"], strict=True):
            self.assertAlmostEqual(a["objective"], b["objective"], places=7)

    def test_what_makes_no_sense_is_refused(self):
        data = self.write("two.svm", self.ROWS)
        labels = self.write("labels.csv", "x,y,z\n1,0,0\n2,1,0\n3,0,1\n4,1,1\n")
        for options, part in (
            ([data, "--class-weight", "c=2"], "there is no class 'c': the classes are 'a', 'b'"),
            ([data, "--class-weight", "balancd"], "balanced"),
            ([data, "--class-weight", "a=0"], "above 0"),
            ([data, "--class-weight", "a=2", "--positive-weight", "3"], "use only one of them"),
            ([data, "--class-weight", "a=2", "--hard"], "--class-weight"),
            ([labels, "--labels", "y,z", "--class-weight", "balanced"], "label columns"),
        ):
            self.assertIn(part, self.complaint("train", *options, *MARGIN, code=2), options)


class TimeBudgets(Selecting):
    def test_a_run_out_of_time_keeps_what_is_there_and_says_how_far_it_came(self):
        data = self.generate("noisy", "--rows", "20000", "--features", "30")
        options = [*MARGIN, "--solver", "dual", "--gap", "1e-9", "--cv", "5", "--time", "0.3", "-o", "model.json"]
        run = self.answer("train", data, *options)
        self.assertEqual(run["stopped_because"], "time")
        self.assertLess(run["seconds"]["train"], 20)
        self.assertFalse(run["converged"])
        self.answer("evaluate", data, "-m", "model.json")
        self.assertIn("Stopped early", self.words("train", data, *options))


class Probabilities(Selecting):
    def probabilities(self, model, data=None):
        lines = self.words("predict", data or self.data, "-m", model, "--probabilities").splitlines()
        return [float(line.split("\t")[1]) for line in lines]

    def test_the_logistic_loss_gives_probabilities_by_itself(self):
        self.run_program("train", self.data, *MARGIN, "--loss", "logistic", "-o", "model.json")
        lines = self.words("predict", self.data, "-m", "model.json", "--scores", "--probabilities").splitlines()
        for line in lines:
            label, z, p = line.split("\t")
            self.assertAlmostEqual(float(p), 1 / (1 + math.exp(-float(z))), places=12)
            self.assertEqual(label, "1" if float(p) >= 0.5 else "-1")

    def test_margin_models_get_them_from_rows_held_out(self):
        for how, kind in (("platt", "sigmoid"), ("isotonic", "isotonic")):
            run = self.answer("train", self.data, *MARGIN, "--probabilities", how, "-o", "model.json")
            self.assertEqual((run["calibration"]["kind"], run["folds"]), (kind, 5))
            self.assertEqual(self.answer("inspect", "model.json")["calibration"]["kind"], kind)
            scored = [line.split("\t") for line in self.words("predict", self.data, "-m", "model.json", "--scores",
                                                               "--probabilities").splitlines()]
            scored.sort(key=lambda line: float(line[1]))
            found = [float(line[2]) for line in scored]
            self.assertEqual(found, sorted(found))
            self.assertTrue(all(0 < p < 1 for p in found))

    def test_evaluate_measures_them(self):
        self.run_program("train", self.data, *MARGIN, "--cv", "3", "--probabilities", "platt", "-o", "model.json")
        labels = [line.split()[0] == "1" for line in self.read(self.data).splitlines()]
        found = self.probabilities("model.json")
        measured = self.answer("evaluate", self.data, "-m", "model.json")["probabilities"]
        brier = sum((p - y) ** 2 for p, y in zip(found, labels)) / len(found)
        loss = sum(-math.log(p if y else 1 - p) for p, y in zip(found, labels)) / len(found)
        self.assertAlmostEqual(measured["brier"], brier)
        self.assertAlmostEqual(measured["log_loss"], loss)
        self.assertEqual(len(measured["bins"]), 10)
        self.assertEqual(sum(bin["rows"] for bin in measured["bins"]), len(found))
        ninth = [(p, y) for p, y in zip(found, labels) if 0.9 <= p]
        self.assertEqual(measured["bins"][9]["rows"], len(ninth))
        self.assertAlmostEqual(measured["bins"][9]["predicted"], sum(p for p, _ in ninth) / len(ninth))
        self.assertAlmostEqual(measured["bins"][9]["observed"], sum(y for _, y in ninth) / len(ninth))
        self.assertIn("Brier score", self.words("evaluate", self.data, "-m", "model.json"))

    def test_a_model_without_them_says_so(self):
        self.run_program("train", self.data, *MARGIN, "-o", "model.json")
        message = self.complaint("predict", self.data, "-m", "model.json", "--probabilities", code=2)
        self.assertIn("model.json has no probabilities", message)
        self.assertNotIn("probabilities", self.answer("evaluate", self.data, "-m", "model.json"))

    def test_a_large_model_keeps_them_in_its_binary_form(self):
        data = self.generate("sparse", "--rows", "300", "--features", "150000")
        self.run_program("train", data, *MARGIN, "--probabilities", "isotonic", "-o", "large.model")
        self.run_program("train", data, *MARGIN, "--probabilities", "isotonic", "-o", "large.json")
        self.assertNotEqual((self.folder / "large.model").read_bytes()[:1], b"{")
        self.assertEqual(self.probabilities("large.model", data), self.probabilities("large.json", data))


if __name__ == "__main__":
    unittest.main()
