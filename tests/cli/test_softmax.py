"""Probabilities of several classes: what `predict`, `evaluate` and `inspect` make of a model that has them."""

import json
import math
import unittest

from program import CommandLineTest

ROWS = "a 1:1\nb 2:1\nc 1:-1 2:-1\na 1:2 2:1\nb 2:3\nc 1:-0.5\n"


class ModelsOfSeveralClasses(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("rows.svm", ROWS)
        self.run_program("train", self.data, "--learner", "margin", "-o", "plain.json")

    def with_calibration(self, **fields):
        model = json.loads(self.read("plain.json"))
        model.update(fields)
        return self.write("model.json", json.dumps(model))

    def predicted(self, model):
        lines = self.words("predict", self.data, "-m", model, "--scores", "--probabilities").splitlines()
        rows = [line.split("\t") for line in lines]
        return [([float(z) for z in row[1:4]], [float(p) for p in row[4:]]) for row in rows]

    def test_softmax_writes_the_probability_of_every_class_in_their_order(self):
        model = self.with_calibration(calibration={"kind": "softmax"})
        for z, p in self.predicted(model):
            powers = [math.exp(x) for x in z]
            for c in range(3):
                self.assertAlmostEqual(p[c], powers[c] / sum(powers), 12)

    def test_a_calibration_for_each_class_is_divided_by_their_sum(self):
        each = [{"kind": "sigmoid", "slope": s, "offset": 0.25} for s in (1, 2, 3)]
        for z, p in self.predicted(self.with_calibration(calibrations=each)):
            shares = [1 / (1 + math.exp(-(s * x + 0.25))) for s, x in zip((1, 2, 3), z)]
            for c in range(3):
                self.assertAlmostEqual(p[c], shares[c] / sum(shares), 12)

    def test_evaluate_measures_log_loss_and_brier_score(self):
        model = self.with_calibration(calibration={"kind": "softmax"})
        own = ["abc".index(line[0]) for line in ROWS.splitlines()]
        found = [p for _, p in self.predicted(model)]
        measured = self.answer("evaluate", self.data, "-m", model)["probabilities"]
        self.assertAlmostEqual(measured["log_loss"], -sum(math.log(p[c]) for p, c in zip(found, own)) / 6)
        brier = sum(sum((x - (k == c)) ** 2 for k, x in enumerate(p)) for p, c in zip(found, own)) / 6
        self.assertAlmostEqual(measured["brier"], brier)
        self.assertIn("Brier score", self.words("evaluate", self.data, "-m", model))

    def test_inspect_says_what_kind_they_are(self):
        model = self.with_calibration(calibration={"kind": "softmax"})
        self.assertIn("P(class) ∝ e^z", self.words("inspect", model))
        self.assertEqual(self.answer("inspect", model)["calibration"], {"kind": "softmax"})

    def test_a_model_without_them_says_how_to_get_them(self):
        message = self.complaint("predict", self.data, "-m", "plain.json", "--probabilities", code=2)
        self.assertIn("train it with --loss logistic or softmax, or with --probabilities", message)

    def test_calibrations_that_do_not_fit_are_refused(self):
        sigmoid = {"kind": "sigmoid", "slope": 1, "offset": 0}
        for fields in ({"calibrations": [sigmoid]}, {"calibrations": [sigmoid, sigmoid, {"kind": "softmax"}]},
                       {"calibration": sigmoid}, {"calibrations": [sigmoid] * 3, "calibration": {"kind": "softmax"}},
                       {"calibrations": []}, {"calibration": {"kind": "softmax", "slope": 1}}):
            self.complaint("predict", self.data, "-m", self.with_calibration(**fields), code=3)


SOFTMAX = ("--learner", "margin", "--loss", "softmax")


class SoftmaxLoss(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_program("generate", "classes", "--rows", "400", "--features", "30", "--nonzeros", "6", "--classes", "4",
                         "-o", "classes.svm")

    def test_it_trains_all_classes_together_to_a_certified_gap(self):
        run = self.answer("train", "classes.svm", *SOFTMAX, "--gap", "1e-6", "-o", "model.json")
        self.assertTrue(run["converged"])
        self.assertEqual(run["solver"], "newton")
        self.assertLessEqual(run["gap"], 1e-6)
        self.assertEqual(run["calibration"], {"kind": "softmax"})
        self.assertIn("all classes together", self.words("train", "classes.svm", *SOFTMAX))

    def objective(self, run):
        """Mean log loss as `evaluate` measures it and the penalty, from the model file."""
        theta = json.loads(self.read("model.json"))["theta"]
        log_loss = self.answer("evaluate", "classes.svm", "-m", "model.json")["probabilities"]["log_loss"]
        return log_loss + run["lambda"] / 2 * sum(w * w for w in theta)

    def test_the_objective_is_log_loss_and_penalty_and_none_nearby_is_lower(self):
        run = self.answer("train", "classes.svm", *SOFTMAX, "--C", "0.5", "--gap", "1e-8", "-o", "model.json")
        self.assertAlmostEqual(self.objective(run), run["objective"], 9)
        model = json.loads(self.read("model.json"))
        for at in (0, 37, 100):
            for by in (-0.01, 0.01):
                moved = {**model, "theta": [w + (by if k == at else 0) for k, w in enumerate(model["theta"])]}
                self.write("model.json", json.dumps(moved))
                self.assertGreater(self.objective(run), run["objective"] * (1 - 1e-8))

    def test_threads_and_a_checkpoint_give_the_same_model(self):
        self.run_program("train", "classes.svm", *SOFTMAX, "-o", "one.json", "--threads", "1")
        self.run_program("train", "classes.svm", *SOFTMAX, "-o", "two.json", "--threads", "2")
        self.assertEqual(self.read("one.json"), self.read("two.json"))
        self.run_program("train", "classes.svm", *SOFTMAX, "-o", "kept.json", "--checkpoint", "kept")
        self.assertEqual(self.read("one.json"), self.read("kept.json"))

    def test_the_plan_says_that_classes_are_one_learner(self):
        plan = self.answer("train", "classes.svm", *SOFTMAX, "--plan")
        self.assertEqual((plan["classifiers"], plan["joint"], plan["solver"]), (4, True, "newton"))

    def test_of_two_classes_it_is_the_logistic_loss(self):
        two = self.write("two.svm", "1 1:1\n-1 1:2\n1 1:3\n")
        self.run_program("train", two, *SOFTMAX, "-o", "softmax.json")
        self.run_program("train", two, "--loss", "logistic", "-o", "logistic.json")
        self.assertEqual(self.read("softmax.json"), self.read("logistic.json"))

    def test_what_it_is_not_for_is_refused_with_what_is(self):
        sets = self.write("sets.svm", "a,b 1:1\nb 1:2\na 2:1\n")
        self.assertIn("label columns", self.complaint("train", sets, "--label-sets", *SOFTMAX, code=2))
        self.complaint("train", "classes.svm", *SOFTMAX, "--solver", "dual", code=2)
        for option in (("--cv", "3"), ("--lambdas", "0.1,0.01"), ("--probabilities", "platt")):
            self.complaint("train", "classes.svm", *SOFTMAX, *option, code=2)

    def test_a_class_whose_rows_weigh_nothing_has_probability_0(self):
        rows = "".join(f"{k % 3},{k % 5},{(k * k) % 7},{1 if k % 3 else 0}\n" for k in range(60))
        data = self.write("rows.csv", "kind,a,b,heavy\n" + rows)
        reading = ("--label", "kind", "--weight", "heavy")
        self.run_program("train", data, *reading, *SOFTMAX, "-o", "model.json")
        lines = self.words("predict", data, "--label", "kind", "-m", "model.json", "--probabilities").splitlines()
        self.assertEqual({line.split("\t")[1] for line in lines}, {"0"})


if __name__ == "__main__":
    unittest.main()
