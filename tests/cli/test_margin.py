"""The learner `margin`: a worked example, the hard margin and its proof, distances, why a run stopped."""

import json
import math
import unittest

from program import CommandLineTest

AND = "-1 1:0 2:0\n-1 1:0 2:1\n-1 1:1 2:0\n1 1:1 2:1\n"
XOR = "-1 1:0 2:0\n1 1:0 2:1\n1 1:1 2:0\n-1 1:1 2:1\n"


class HardMargin(CommandLineTest):
    def hard(self, data, *more):
        return ["train", data, "--learner", "margin", "--hard", *more]

    def test_and_has_a_margin_of_the_root_of_an_eighth(self):
        told = self.answer(*self.hard(self.write("and.svm", AND)))
        self.assertAlmostEqual(told["margin"], math.sqrt(1 / 8), places=9)
        self.assertLessEqual(told["margin"], told["margin_at_most"])
        self.assertAlmostEqual(told["objective"], 4, places=6)
        self.assertLess(told["gap"], 1e-9)
        self.assertEqual((told["stopped_because"], told["training_mistakes"]), ("converged", 0))
        for weight, expected in zip(told["theta"] + [told["offset"]], (2, 2, -3)):
            self.assertAlmostEqual(weight, expected, places=6)
        self.assertIn("Geometric margin 0.353553", self.words(*self.hard("and.svm")))

    def test_the_proof_of_the_margin_is_valid_for_the_data_and_not_for_others(self):
        self.run_program(*self.hard(self.write("and.svm", AND), "--proof", "proof.json"))
        checked = self.answer("verify", "proof.json", "and.svm")
        self.assertTrue(checked["valid"])
        proof = json.loads(self.read("proof.json"))
        self.assertEqual(proof["margin"]["at_most_squared"], "1/8")
        self.run_program("verify", "proof.json", self.write("xor.svm", XOR), code=1)

    def test_rows_that_overlap_are_an_error_that_names_its_witness(self):
        data = self.write("xor.svm", XOR)
        message = self.complaint(*self.hard(data), "-o", "model.json", code=3)
        self.assertIn("no linear classifier separates these rows", message)
        self.assertIn("4 of them prove it, rows 1, 2, 3, 4", message)
        self.assertIn("linsep certify xor.svm -o proof.json", message)
        self.assertFalse((self.folder / "model.json").exists())

    def test_the_proof_that_rows_overlap_is_written_when_asked_for(self):
        data = self.write("xor.svm", XOR)
        done = self.run_program(*self.hard(data), "--proof", "proof.json", "--json", code=3)
        told = json.loads(done.stdout)
        self.assertEqual((told["code"], told["verdict"], told["proof"]), ("inseparable", "overlapping", "proof.json"))
        self.assertEqual([row["row"] for row in told["witness"]], [1, 2, 3, 4])
        self.assertIn("proof.json", told["error"])
        self.assertTrue(self.answer("verify", "proof.json", data)["valid"])

    def test_quasi_separable_rows_have_no_margin_either(self):
        data = self.write("quasi.csv", "0,a\n1,a\n1,b\n2,b\n")
        self.assertIn("quasi-separable", self.complaint(*self.hard(data), code=3))
        done = self.run_program(*self.hard(data), "--json", code=3)
        self.assertEqual(json.loads(done.stdout)["verdict"], "quasi-separable")

    def test_the_origin_is_a_question_of_its_own(self):
        data = self.write("line.csv", "1,a\n2,b\n")
        self.assertAlmostEqual(self.answer(*self.hard(data))["margin"], 0.5, places=9)
        self.assertIn("through the origin", self.complaint(*self.hard(data), "--origin", code=3))

    def test_options_that_have_no_meaning_are_refused(self):
        data = self.write("and.svm", AND)
        self.assertIn("--C", self.complaint(*self.hard(data), "--C", "10", code=2))
        self.assertIn("--loss", self.complaint(*self.hard(data), "--loss", "logistic", code=2))
        self.assertIn("minimizes an objective", self.complaint("train", data, "--learner", "perceptron", "--proof", "proof.json", code=2))
        self.assertIn("needs a file", self.complaint(*self.hard("-"), code=2, stdin=AND))

    def test_a_generated_set_has_at_least_the_margin_it_was_made_with(self):
        self.run_program("generate", "separable", "--rows", "5000", "--features", "20", "--margin", "0.05", "-o", "rows.svm")
        told = self.answer(*self.hard("rows.svm"), "--gap", "1e-6")
        self.assertTrue(told["converged"])
        self.assertGreaterEqual(told["margin"], 0.049)
        same = self.answer(*self.hard("rows.svm"), "--gap", "1e-6", "--threads", "1")
        self.assertEqual((same["theta"], same["offset"]), (told["theta"], told["offset"]))


FOUR = "1.25,0,+\n2,0,+\n0,1,-\n0,-1,-\n"


class WorkedExample(CommandLineTest):
    """Solved by hand in docs/explanation/margin.md: θ = (1.25, 0), θ0 = −1 at C = 1."""

    def train(self, *more):
        self.write("four.csv", FOUR)
        return self.answer("train", "four.csv", "--positive", "+", "--learner", "margin", "--scale", "none", "-o", "four.json", *more)

    def test_the_hinge_optimum_is_the_one_found_by_hand(self):
        for solver in ("interior", "dual"):
            told = self.train("--gap", "1e-9", "--solver", solver)
            self.assertAlmostEqual(told["objective"], 0.3046875, places=9)
            for weight, expected in zip(told["theta"] + [told["offset"]], (1.25, 0, -1)):
                self.assertAlmostEqual(weight, expected, places=3)

    def test_each_distance_the_width_and_the_objective_are_those_found_by_hand(self):
        self.train("--gap", "1e-9")
        data = self.answer("inspect", "four.json", "four.csv")["data"]
        for distance, expected in zip(data["distances"], (0.45, 1.2, 0.8, 0.8)):
            self.assertAlmostEqual(distance, expected, places=3)
        self.assertAlmostEqual(data["width"], 1.6, places=3)
        self.assertAlmostEqual(data["objective"]["value"], 0.3046875, places=8)
        self.assertAlmostEqual(data["objective"]["mean_loss"], 0.109375, places=3)
        self.assertEqual(data["objective"]["lambda"], 0.25)
        self.assertEqual(data["support_rows"], [1, 3, 4])
        self.assertEqual((data["inside"], data["mistakes"], data["least"]["row"]), (1, 0, 1))
        self.assertAlmostEqual(data["boundaries"][0]["offset"], -2, places=3)


class Inspect(CommandLineTest):
    def test_words_show_the_planes_and_a_table_of_few_rows(self):
        self.run_program("train", self.write("and.svm", AND), "--learner", "margin", "--hard", "-o", "model.json")
        words = self.words("inspect", "model.json", "and.svm")
        for part in ("0.707107 apart", "z =  1: 2·x1 + 2·x2 = 4", "z = −1: 2·x1 + 2·x2 = 2", "3 rows, number 2, 3, 4",
                     "½‖θ‖² = 4", "smallest signed distance is 0.353553"):
            self.assertIn(part, words)

    def test_many_rows_become_a_picture_that_counts_them_all(self):
        self.run_program("generate", "noisy", "--rows", "3000", "--features", "4", "-o", "rows.svm")
        self.run_program("train", "rows.svm", "--learner", "margin", "-o", "model.json")
        bars = [line for line in self.words("inspect", "model.json", "rows.svm").splitlines() if "│" in line]
        counts = [int(bar.split()[-1].replace(",", "")) for bar in bars if not bar.endswith("│")]
        self.assertEqual(sum(counts), 3000)
        data = self.answer("inspect", "model.json", "rows.svm")["data"]
        self.assertNotIn("distances", data)
        full = self.answer("inspect", "model.json", "rows.svm", "--full")["data"]
        self.assertEqual(len(full["distances"]), 3000)
        self.assertEqual(sum(distance <= 0 for distance in full["distances"]), data["mistakes"])
        self.assertAlmostEqual(min(full["distances"]), data["least"]["distance"])

    def test_the_objective_is_that_of_the_penalty(self):
        self.run_program("generate", "noisy", "--rows", "300", "--features", "9", "-o", "rows.svm")
        for options, ratio, formula in (
            ((), 0, "(λ/2)‖θ‖²"),
            (("--penalty", "l1"), 1, "λ‖θ‖₁"),
            (("--l1-ratio", "0.25"), 0.25, "λ(0.25·‖θ‖₁ + 0.75/2·‖θ‖²)"),
        ):
            for loss in ("logistic", "hinge"):
                trained = self.answer("train", "rows.svm", "--loss", loss, "--lambda", "0.1", *options, "-o", "model.json")
                found = self.answer("inspect", "model.json", "rows.svm")["data"]["objective"]
                self.assertAlmostEqual(found["value"], trained["objective"], places=7)
                self.assertEqual(found["l1_ratio"], ratio)
                self.assertIn(f" + {formula} ", self.words("inspect", "model.json", "rows.svm"))

    def test_grouped_features_have_weights_in_all_classes_or_none(self):
        self.run_program("generate", "classes", "--rows", "600", "--features", "40", "--classes", "3", "-o", "rows.svm")
        options = ("train", "rows.svm", "--loss", "softmax", "--penalty", "l1", "--lambda", "0.003", "-o", "model.json")
        for grouped in (False, True):
            trained = self.answer(*options, *(["--group-features"] if grouped else []))
            self.assertLessEqual(trained["gap"], 1e-3)
            theta = json.loads(self.read("model.json"))["theta"]
            features = len(theta) // 3
            used = {sum(theta[c * features + j] != 0 for c in range(3)) for j in range(features)}
            self.assertEqual(used == {0, 3}, grouped)
        self.assertIn("--loss softmax", self.complaint("train", "rows.svm", "--loss", "logistic", "--group-features", code=2))

    def test_a_model_without_weights_has_no_distances(self):
        self.run_program("train", self.write("xor.svm", XOR), "--learner", "dual", "--kernel", "polynomial", "-o", "model.json")
        self.assertIn("linear classifier", self.complaint("inspect", "model.json", "xor.svm", code=2))


class Start(CommandLineTest):
    """What a run started from, and whether it became better, is one sentence."""

    def setUp(self):
        super().setUp()
        self.data = self.generate("noisy", "--rows", "400", "--features", "6", "--seed", "1")

    def started(self, *options, start="start.json"):
        told = self.answer("train", self.data, "--init", start, *options)
        words = self.words("train", self.data, "--init", start, *options)
        return told, words

    def test_a_start_that_nothing_is_better_than(self):
        self.words("train", self.data, "--gap", "1e-9", "-o", "start.json")
        told, words = self.started("--passes", "1")
        self.assertEqual(told["start"]["from"], "start.json")
        self.assertEqual(told["start"]["objective"], told["objective"])
        self.assertEqual(told["theta"], json.loads(self.read("start.json"))["theta"])
        self.assertIn(f"\nStarted from start.json, whose objective is {told['objective']:.6g}: no pass found a better classifier, so the "
                      "model is the same.\n", words)

    def test_a_start_that_training_improves(self):
        self.words("train", self.data, "--learner", "perceptron", "--passes", "1", "-o", "start.json")
        for options in ((), ("--loss", "squared-hinge"), ("--penalty", "l1")):
            told, words = self.started(*options)
            self.assertGreater(told["start"]["objective"], told["objective"])
            self.assertIn(f"\nStarted from start.json, whose objective is {told['start']['objective']:.6g}: training found a better "
                          "classifier.\n", words)

    def test_learners_without_an_objective_and_starts_that_are_no_file(self):
        self.words("train", self.data, "--gap", "1e-3", "-o", "start.json")
        told, words = self.started("--learner", "perceptron", "--passes", "3")
        self.assertEqual(told["start"], {"from": "start.json", "objective": None})
        self.assertIn("\nStarted from start.json.\n", words)
        self.assertIn("\nStarted from the classifier of the learner basic, whose objective is ", self.started(start="basic")[1])
        self.assertNotIn("Started from", self.words("train", self.data))
        self.assertNotIn("start", self.answer("train", self.data))


class WhyItStopped(CommandLineTest):
    def margin(self, data, *more):
        return self.answer("train", data, "--learner", "margin", *more)

    def noisy(self):
        self.run_program("generate", "noisy", "--rows", "2000", "--features", "6", "-o", "noisy.svm")
        return "noisy.svm"

    def test_the_gap_was_reached(self):
        told = self.margin(self.noisy())
        self.assertEqual((told["code"], told["stopped_because"]), ("gap_reached", "converged"))
        self.assertRegex(told["reason"], r"within [0-9.e-]+ % of the best possible \(asked: 0\.1 %; bound computed in training\)")
        self.assertRegex(self.words("train", "noisy.svm", "--learner", "margin"),
                         r"(?m)^Objective [0-9.]+, within [0-9.e-]+ % of the best possible \(asked: 0\.1 %; bound computed in training\)\.$")

    def test_passes_ran_out(self):
        told = self.margin(self.noisy(), "--passes", "4", "--gap", "1e-12")
        self.assertEqual((told["code"], told["stopped_because"]), ("passes", "passes"))
        self.assertIn("4 passes were not enough", told["reason"])

    def test_time_ran_out(self):
        told = self.margin(self.noisy(), "--time", "0.5", "--gap", "1e-15", "--passes", "1000000", "--solver", "planes")
        self.assertIn((told["code"], told["stopped_because"]), (("time", "time"), ("rounding", "stalled")))
        self.complaint("train", "noisy.svm", "--time", "0.000001", "--gap", "1e-12", code=6)

    def test_separable_rows_are_told_of_the_hard_margin(self):
        self.run_program("generate", "separable", "--rows", "500", "--features", "5", "--margin", "0.1", "-o", "rows.svm")
        told = self.margin("rows.svm", "--loss", "logistic", "--lambda", "1e-12", "--passes", "40", "--gap", "1e-9")
        self.assertEqual(told["code"], "separable_no_optimum")
        self.assertIn("`linsep certify rows.svm`", told["reason"])
        self.assertIn("--hard", told["reason"])

    def test_columns_of_odd_sizes_are_named(self):
        lines = ["size,income,age,label"]
        for i in range(60):
            lines.append(f"{i % 7 - 3},{(i * 37 % 11 - 5) * 1e6},{i * 13 % 5},{'a' if (i * 29) % 3 else 'b'}")
        self.write("rows.csv", "\n".join(lines) + "\n")
        told = self.margin("rows.csv", "--scale", "none", "--solver", "dual", "--passes", "5", "--gap", "1e-9")
        self.assertEqual(told["code"], "badly_scaled")
        self.assertEqual(told["outsized_columns"], ["income"])
        self.assertIn("income (-5e+06 to 5e+06)", told["reason"])

    def test_a_column_a_million_times_as_large_does_not_stop_a_solver(self):
        lines = ["a,b,c,label"]
        for i in range(400):
            a, b, c = (i * 37 % 101 - 50) / 50, (i * 53 % 89 - 44) / 44, (i * 71 % 97 - 48) / 48
            lines.append(f"{a * 1e6},{b},{c},{1 if a + b - c + (i * 17 % 23 - 11) / 12 > 0 else 0}")
        self.write("rows.csv", "\n".join(lines) + "\n")
        for loss, solver in (("hinge", "auto"), ("hinge", "interior"), ("squared-hinge", "newton"), ("logistic", "newton")):
            told = self.margin("rows.csv", "--scale", "none", "--loss", loss, "--solver", solver, "--gap", "1e-4", "--double")
            self.assertEqual(told["code"], "gap_reached", (loss, solver, told["reason"]))


if __name__ == "__main__":
    unittest.main()
