"""`predict`, `evaluate` and `inspect` on what `train` wrote, and on what somebody else did."""

import json
import unittest

from program import CommandLineTest


class RoundTrips(CommandLineTest):
    def trained(self, data, *options):
        learner = [] if "--learner" in options else ["--learner", "perceptron"]
        self.run_program("train", data, "-o", "model.json", *learner, *options)
        return "model.json"

    def test_predictions_are_the_labels_of_separable_rows(self):
        for name in ("not", "and", "or"):
            data = self.generate(name)
            labels = [line.split()[0] for line in self.read(data).splitlines()]
            self.assertEqual(self.words("predict", data, "-m", self.trained(data)).split(), labels)

    def test_every_form_of_model_predicts_what_it_learnt(self):
        data = self.generate("xor")
        labels = [line.split()[0] for line in self.read(data).splitlines()]
        for options in (
            ["--map", "products"],
            ["--map", "polynomial:2"],
            ["--learner", "dual", "--map", "products"],
            ["--learner", "dual", "--kernel", "polynomial"],
            ["--learner", "dual", "--kernel", "gaussian"],
        ):
            model = self.trained(data, *options)
            self.assertEqual(self.words("predict", data, "-m", model).split(), labels, options)

    def test_scores_stand_behind_the_labels(self):
        data = self.generate("and")
        lines = self.words("predict", data, "-m", self.trained(data), "--scores").splitlines()
        self.assertEqual(lines, ["-1\t-4", "-1\t-2", "-1\t-1", "1\t1"])

    def test_rows_without_labels_can_be_predicted(self):
        model = self.trained(self.generate("and"))
        self.assertEqual(self.words("predict", "-", "-m", model, stdin="1:1 2:1\n1:0 2:1\n"), "1\n-1\n")

    def test_words_of_a_csv_file_come_back(self):
        self.write("pets.csv", "width,height,kind\n1,2,cat\n2,1,cat\n-1,-2,dog\n-2,-1,dog\n")
        model = self.trained("pets.csv")
        self.assertEqual(self.words("predict", "pets.csv", "-m", model).split(), ["cat", "cat", "dog", "dog"])
        self.assertEqual(self.answer("evaluate", "pets.csv", "-m", model)["mistakes"], 0)

    def test_columns_are_found_by_name_in_any_order_and_others_are_passed_over(self):
        self.write("pets.csv", "width,height,kind\n3,0,cat\n4,1,cat\n0,3,dog\n1,4,dog\n")
        self.write("turned.csv", "height,colour,width,kind\n0,7,3,cat\n3,7,0,dog\n")
        model = self.trained("pets.csv")
        self.assertEqual(self.words("predict", "turned.csv", "-m", model).split(), ["cat", "dog"])

    def test_a_missing_column_is_refused_by_name(self):
        self.write("pets.csv", "width,height,kind\n3,0,cat\n4,1,cat\n0,3,dog\n1,4,dog\n")
        self.write("narrow.csv", "width,kind\n3,cat\n")
        message = self.complaint("evaluate", "narrow.csv", "-m", self.trained("pets.csv"), code=3)
        self.assertIn("'height'", message)

    def test_a_word_where_the_model_has_a_number_gets_no_advice_that_is_for_training(self):
        self.write("n.csv", "age,size,y\n1,2,0\n3,4,1\n")
        self.words("train", "n.csv", "--learner", "perceptron", "-o", "n.model")
        message = self.complaint("predict", "-", "-m", "n.model", stdin="age,size\nabc,2\n", code=3)
        self.assertEqual(message, "linsep: standard input:2:1: expected a number in column 'age', found 'abc'\n")

    def test_predictions_go_to_a_file(self):
        data = self.generate("and")
        run = self.answer("predict", data, "-m", self.trained(data), "-o", "answers.txt")
        self.assertEqual(run["rows"], 4)
        self.assertEqual(self.read("answers.txt").split(), ["-1", "-1", "-1", "1"])

    def test_a_failed_prediction_leaves_no_file(self):
        data = self.generate("and")
        model = self.trained(data)
        self.write("broken.svm", "1 1:1\n1 1:x\n")
        self.complaint("predict", "broken.svm", "-m", model, "-o", "answers.txt", code=3)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["and.svm", "broken.svm", "model.json"])

    def test_a_regression_predicts_numbers(self):
        self.write("line.svm", "".join(f"{2 * x + 1} 1:{x}\n" for x in (-2, -1, 0, 1, 2)))
        model = self.trained("line.svm", "--learner", "regression", "--rate", "0.1", "--passes", "1000")
        predicted = [float(line) for line in self.words("predict", "line.svm", "-m", model).split()]
        for x, z in zip((-2, -1, 0, 1, 2), predicted):
            self.assertAlmostEqual(z, 2 * x + 1, places=3)
        self.assertLess(self.answer("evaluate", "line.svm", "-m", model)["mean_square"], 1e-4)


class Evaluations(CommandLineTest):
    def test_all_measures_of_a_small_case(self):
        # z = x1: scores 2, 1, −1 for positive rows and −2, 3 for negative ones.
        self.write("start.svm", "1 1:1\n-1 1:-1\n")
        self.run_program("train", "start.svm", "--learner", "perceptron", "--origin", "-o", "model.json")
        self.write("rows.svm", "1 1:2\n1 1:1\n1 1:-1\n-1 1:-2\n-1 1:3\n")
        result = self.answer("evaluate", "rows.svm", "-m", "model.json")
        self.assertEqual((result["rows"], result["mistakes"]), (5, 2))
        self.assertAlmostEqual(result["error"], 0.4)
        self.assertAlmostEqual(result["accuracy"], 0.6)
        self.assertEqual(
            result["confusion"], {"true_positive": 2, "true_negative": 1, "false_positive": 1, "false_negative": 1}
        )
        self.assertAlmostEqual(result["precision"], 2 / 3)
        self.assertAlmostEqual(result["recall"], 2 / 3)
        self.assertAlmostEqual(result["area_under_curve"], 3 / 6)
        words = self.words("evaluate", "rows.svm", "-m", "model.json")
        self.assertIn("2 mistakes", words)

    def test_a_row_on_the_boundary_is_a_mistake_though_predicted_positive(self):
        self.write("start.svm", "1 1:1\n-1 1:-1\n")
        self.run_program("train", "start.svm", "--learner", "perceptron", "--origin", "-o", "model.json")
        self.write("zero.svm", "1 1:0\n")
        result = self.answer("evaluate", "zero.svm", "-m", "model.json")
        self.assertEqual((result["mistakes"], result["accuracy"]), (1, 1))
        self.assertEqual(result["area_under_curve"], None)

    def test_evaluation_agrees_with_training_error(self):
        data = self.generate("noisy")
        run = self.answer("train", data, "--learner", "least-squares", "-o", "model.json")
        self.assertEqual(self.answer("evaluate", data, "-m", "model.json")["error"], run["training_error"])


class Inspections(CommandLineTest):
    def test_what_a_model_holds(self):
        self.run_program("train", "--learner", "perceptron", self.generate("xor"), "--map", "products", "-o", "model.json")
        shown = self.answer("inspect", "model.json")
        self.assertEqual((shown["learner"], shown["features"], shown["map"]), ("perceptron", 2, "products"))
        self.assertEqual(shown["classes"], {"negative": "-1", "positive": "1"})
        self.assertEqual(shown["options"]["passes"], 100)
        self.assertEqual(len(shown["heaviest_weights"]), 3)
        weights = [abs(weight["weight"]) for weight in shown["heaviest_weights"]]
        self.assertEqual(weights, sorted(weights, reverse=True))
        words = self.words("inspect", "model.json", "--top", "1")
        self.assertIn("products", words)
        self.assertIn(shown["heaviest_weights"][0]["name"], words)

    def test_a_file_that_is_no_model(self):
        self.write("model.json", "{}")
        self.assertIn("model.json", self.complaint("inspect", "model.json", code=3))
        self.complaint("inspect", "nowhere.json", code=3)


class WrittenByHand(CommandLineTest):
    """Models that no run of `train` leaves behind: used as they are meant, or refused by every verb."""

    def setUp(self):
        super().setUp()
        self.run_program("train", self.generate("and"), "--learner", "perceptron", "-o", "two.json")
        self.write("three.svm", "a 1:1\nb 2:1\nc 1:-1 2:-1\n" * 3)
        self.run_program("train", "three.svm", "--learner", "margin", "-o", "three.json")

    def changed(self, base, **changes):
        model = {**json.loads(self.read(base)), **changes}
        return self.write("m.json", json.dumps({key: value for key, value in model.items() if value is not None}))

    def test_two_classes_without_names_are_called_minus_1_and_1(self):
        model = self.changed("two.json", classes=[])
        self.assertEqual(self.words("predict", "and.svm", "-m", model).split(), ["-1", "-1", "-1", "1"])
        self.assertEqual(self.words("evaluate", "and.svm", "-m", model), self.words("evaluate", "and.svm", "-m", "two.json"))
        self.assertIsNone(self.answer("inspect", model)["classes"])
        self.write("words.svm", "yes 1:1\nno 2:1\n")
        self.assertIn("expected the label '-1' or '1', found 'yes'",
                      self.complaint("evaluate", "words.svm", "-m", model, code=3))

    def test_zeros_of_a_file_are_recorded_not_proven(self):
        data = self.write("rows.svm", "-1 1:0 2:0\n+1 1:1\n+1 1:3 2:1\n-1 2:2\n")
        told = self.words("train", data, "--learner", "margin", "--loss", "logistic", "--penalty", "l1", "--lambda", "0.1", "-o", "l1.json")
        self.assertIn("1 of 2 weights is 0, proven to be 0 in every optimal model.", told)
        self.write("zeros.json", json.dumps(json.loads(self.read("l1.json")) | {"theta": [0, 0], "open_zeros": []}))
        for model, share in (("l1.json", "1 of 2 weights is 0, "), ("zeros.json", "2 of 2 weights are 0, all ")):
            told = self.words("inspect", model)
            self.assertIn(share + "0 in every optimal model, as claimed by the run that trained it.\n", told)
            self.assertNotIn("proven to be 0", told)

    def test_two_of_several_classes(self):
        three = json.loads(self.read("three.json"))
        model = self.changed("three.json", classes=["a", "b"], theta=three["theta"][:4], offsets=three["offsets"][:2])
        self.write("rows.svm", "a 1:1\nb 2:1\nb 2:3\n")
        self.assertEqual(self.words("predict", "rows.svm", "-m", model).split(), ["a", "b", "b"])
        result = self.answer("evaluate", "rows.svm", "-m", model)
        self.assertEqual((result["confusion"], result["mistakes"]), ([[1, 0], [0, 2]], 0))
        self.words("inspect", model)

    def test_parts_that_do_not_fit_are_refused(self):
        sigmoid = {"kind": "sigmoid", "slope": 1, "offset": 0}
        knots = {"kind": "isotonic", "score": [1, 0], "probability": [0, 1]}
        for base, changes in (
            ("two.json", {"classes": ["1"]}),
            ("two.json", {"classes": ["1", "1"]}),
            ("two.json", {"classes": ["1", "2", "3"]}),
            ("two.json", {"theta": [1]}),
            ("two.json", {"theta": [1, 2, 3]}),
            ("two.json", {"features": 2**32 - 1}),
            ("two.json", {"feature_names": ["x"]}),
            ("two.json", {"regression": True}),
            ("two.json", {"form": "classes", "offsets": [0]}),
            ("two.json", {"form": "labels", "labels": [], "offsets": []}),
            ("two.json", {"calibrations": [sigmoid]}),
            ("two.json", {"calibration": knots}),
            ("two.json", {"calibration": {"kind": "softmax"}}),
            ("three.json", {"classes": []}),
            ("three.json", {"classes": ["a"]}),
            ("three.json", {"classes": ["a", "b", "b"]}),
            ("three.json", {"classes": ["a", "b", "c", "d"]}),
            ("three.json", {"offsets": [0, 0]}),
            ("three.json", {"offsets": []}),
            ("three.json", {"calibrations": [sigmoid] * 4}),
            ("three.json", {"calibrations": [sigmoid] * 2}),
            ("three.json", {"form": "labels", "labels": ["x"]}),
            ("three.json", {"form": "labels", "labels": ["x", "y", "z"]}),
        ):
            model = self.changed(base, **changes)
            for verb in (("predict", "and.svm", "-m", model), ("evaluate", "and.svm", "-m", model), ("inspect", model)):
                self.assertIn("m.json: not a model file: ", self.complaint(*verb, code=3), f"{changes} {verb}")


if __name__ == "__main__":
    unittest.main()
