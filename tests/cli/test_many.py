"""More than two classes, and several label columns."""

import json
import unittest

from program import CommandLineTest

# Three clouds on a line, by words and in no order.
CLOUDS = "green 1:5 2:1\nred 1:0.5 2:1\nblue 1:9 2:1\nred 1:1 2:0.5\nblue 1:10 2:0.5\ngreen 1:5.5 2:0.5\n"
# The corners of a triangle: each can be told from the others by a line.
CORNERS = "a 1:1\nb 2:1\nc 1:-1 2:-1\na 1:2\nb 2:2\nc 1:-2 2:-2\n"
LEARNERS = ("margin", "perceptron", "basic", "least-squares")


class Classes(CommandLineTest):
    def generate_classes(self, *options):
        self.run_program("generate", "classes", "--rows", "600", "--features", "60", "--nonzeros", "8", "--classes", "4",
                         *options, "-o", "classes.svm")
        return "classes.svm"

    def against_rest(self, data, name):
        """The same rows, with labels 1 for the class and -1 for all others."""
        lines = [line.split(" ", 1) for line in self.read(data).splitlines()]
        return self.write("rest.svm", "".join(f"{1 if label == name else -1} {rest}\n" for label, rest in lines))

    def test_each_class_against_the_rest_is_what_a_run_of_two_classes_gives(self):
        data = self.generate_classes()
        for learner in LEARNERS:
            run = self.answer("train", data, "--learner", learner, "--full")
            self.assertEqual(run["classes"], ["1", "2", "3", "4"])
            for c, name in enumerate(run["classes"]):
                alone = self.answer("train", self.against_rest(data, name), "--learner", learner, "--full")
                self.assertEqual(run["theta"][c], alone["theta"], f"{learner} {name}")
                self.assertEqual(run["offset"][c], alone["offset"])
                self.assertEqual(run["parts"][c]["name"], name)
                self.assertEqual(run["parts"][c]["passes"], alone["passes"])
                self.assertEqual(run["parts"][c]["converged"], alone["converged"])
                if learner == "margin":
                    self.assertEqual(run["parts"][c]["objective"], alone["objective"])
                    self.assertEqual(run["parts"][c]["gap"], alone["gap"])

    def test_words_stand_in_their_order_and_numbers_by_size(self):
        self.assertEqual(self.answer("train", self.write("words.svm", CLOUDS))["classes"], ["blue", "green", "red"])
        numbers = self.write("numbers.svm", "10 1:1\n2 1:2\n-3 1:3\n1e1 1:1\n")
        self.assertEqual(self.answer("train", numbers, "--learner", "basic")["classes"], ["-3", "2", "10"])

    def test_predictions_are_names_of_classes(self):
        data = self.write("corners.svm", CORNERS)
        for learner in LEARNERS:
            run = self.answer("train", data, "--learner", learner, "-o", "corners.json")
            self.assertEqual(run["training_mistakes"], 0, learner)
            self.assertEqual(self.words("predict", data, "-m", "corners.json"), "a\nb\nc\na\nb\nc\n")

    def test_scores_are_those_of_every_class_and_the_greatest_wins(self):
        data = self.generate_classes()
        self.run_program("train", data, "--learner", "basic", "-o", "m.json")
        for line in self.words("predict", data, "-m", "m.json", "--scores").splitlines():
            name, *scores = line.split("\t")
            scores = list(map(float, scores))
            self.assertEqual(len(scores), 4)
            self.assertEqual(name, str(1 + scores.index(max(scores))))

    def test_the_evaluation_agrees_with_the_predictions(self):
        data = self.generate_classes()
        trained = self.answer("train", data, "--learner", "least-squares", "-o", "m.json")
        told = self.answer("evaluate", data, "-m", "m.json")
        actual = [line.split()[0] for line in self.read(data).splitlines()]
        predicted = self.words("predict", data, "-m", "m.json").split()
        self.assertEqual(told["mistakes"], sum(a != p for a, p in zip(actual, predicted)))
        self.assertEqual(told["mistakes"], trained["training_mistakes"])
        for a in range(4):
            for p in range(4):
                pairs = sum(x == str(a + 1) and y == str(p + 1) for x, y in zip(actual, predicted))
                self.assertEqual(told["confusion"][a][p], pairs)
            own = told["classes"][a]
            self.assertEqual(own["rows"], actual.count(str(a + 1)))
            self.assertAlmostEqual(own["recall"], told["confusion"][a][a] / own["rows"])
            self.assertAlmostEqual(own["precision"], told["confusion"][a][a] / predicted.count(str(a + 1)))
        words = self.words("evaluate", data, "-m", "m.json")
        self.assertIn("precision", words)
        self.assertIn("predicted", words)

    def test_both_forms_of_the_model_predict_the_same(self):
        data = self.generate_classes("--features", "30000")
        for name in ("m.json", "m.model"):
            self.run_program("train", data, "--learner", "basic", "-o", name)
        self.assertTrue((self.folder / "m.model").read_bytes().startswith(b"\x89LINSEP"))
        self.assertEqual(*(self.words("predict", data, "-m", name, "--scores") for name in ("m.json", "m.model")))

    def test_inspect_shows_each_class(self):
        self.run_program("train", self.write("corners.svm", CORNERS), "-o", "m.json")
        words = self.words("inspect", "m.json")
        self.assertIn("Classes    a, b, c", words)
        for name in "abc":
            self.assertIn(f"{name}: intercept", words)
        told = self.answer("inspect", "m.json")
        self.assertEqual(told["form"], "classes")
        self.assertEqual([part["of"] for part in told["heaviest_weights"]], ["a", "b", "c"])

    def test_words_about_a_run(self):
        words = self.words("train", self.write("corners.svm", CORNERS), "-o", "m.json")
        self.assertIn("3 classes from a to c", words)
        self.assertIn("each class against the rest", words)
        words = self.words("train", "corners.svm", "--learner", "margin")
        self.assertIn("The objectives of all 3 classifiers are within", words)
        words = self.words("train", self.generate_classes(), "--passes", "3")
        self.assertIn("of 4 converged in 3 passes", words)

    def test_a_start_from_a_model_of_the_same_classes(self):
        data = self.write("corners.svm", CORNERS)
        self.run_program("train", "--learner", "perceptron", data, "-o", "m.json")
        again = self.answer("train", "--learner", "perceptron", data, "--init", "m.json")
        self.assertEqual((again["passes"], again["mistakes"]), (1, 0))
        self.assertTrue(self.answer("train", "--learner", "perceptron", data, "--init", "basic")["converged"])
        other = self.write("other.svm", CORNERS.replace("c ", "d "))
        self.assertIn("has the classes", self.complaint("train", "--learner", "perceptron", other, "--init", "m.json", code=2))

    def test_a_stream_needs_the_names_of_the_classes(self):
        data = self.write("corners.svm", CORNERS)
        run = self.answer("train", data, "--online", "--classes", "a,b,c", "-o", "m.json")
        self.assertEqual(run["classes"], ["a", "b", "c"])
        self.assertEqual(len(self.words("predict", data, "-m", "m.json").split()), 6)
        self.assertIn("expected the label", self.complaint("train", data, "--online", code=3))

    def test_what_is_for_two_classes_says_so(self):
        data = self.write("corners.svm", CORNERS)
        self.assertIn("a third: 'c'", self.complaint("train", data, "--learner", "dual", code=3))
        self.assertIn("two classes", self.complaint("train", data, "--variant", "voted", code=2))
        self.assertIn("two classes", self.complaint("train", data, "--trace", "t.jsonl", code=2))
        self.assertIn("--init", self.complaint("train", data, "--init", "1,2", code=2))
        self.assertIn("none is positive", self.complaint("train", data, "--positive", "a", code=2))

    def test_a_class_the_model_does_not_know(self):
        self.run_program("train", self.write("corners.svm", CORNERS), "-o", "m.json")
        message = self.complaint("evaluate", self.write("more.svm", CORNERS + "d 1:3\n"), "-m", "m.json", code=3)
        self.assertIn("more.svm:7", message)
        self.assertIn("found 'd'", message)

    def test_maps_and_csv(self):
        rows = "".join(f"{x},{y},{'near' if x * y < 2 else 'far' if x * y > 6 else 'between'}\n"
                       for x in range(5) for y in range(5))
        data = self.write("products.csv", "x,y,where\n" + rows)
        run = self.answer("train", data, "--map", "products", "--learner", "margin", "-o", "m.json")
        self.assertEqual(run["classes"], ["between", "far", "near"])
        self.assertEqual(len(run["theta"][0]), 3)
        self.assertEqual(len(self.words("predict", data, "-m", "m.json").split()), 25)


class Joint(CommandLineTest):
    def test_it_separates_what_no_class_against_the_rest_does(self):
        data = self.write("clouds.svm", CLOUDS)
        rest = self.answer("train", "--learner", "perceptron", data)
        joint = self.answer("train", "--learner", "perceptron", data, "--multiclass", "joint", "-o", "m.json")
        self.assertFalse(rest["converged"])
        self.assertTrue(joint["converged"])
        self.assertEqual(joint["training_mistakes"], 0)
        self.assertEqual(self.answer("evaluate", data, "-m", "m.json")["mistakes"], 0)
        self.assertIn("all classes together", self.words("train", "--learner", "perceptron", data, "--multiclass", "joint"))

    def test_two_classes_are_not_touched_by_it(self):
        data = self.generate("and")
        a, b = (self.answer("train", "--learner", "perceptron", data, *more) for more in ((), ("--multiclass", "joint")))
        for field in ("theta", "offset", "mistakes", "mistakes_by_row"):
            self.assertEqual(a[field], b[field])

    def test_the_averaged_variant(self):
        run = self.answer("train", self.write("corners.svm", CORNERS), "--multiclass", "joint", "--variant", "averaged")
        self.assertEqual(run["training_mistakes"], 0)


class LabelColumns(CommandLineTest):
    ROWS = "".join(f"{x},{y},{'yes' if x > 2 else 'no'},{1 if x + y > 4 else 0},{-1 if y > 1 else 1}\n"
                   for x in range(6) for y in range(5))

    def data(self, name="labels.csv"):
        return self.write(name, "x,y,rain,wind,sun\n" + self.ROWS)

    def test_each_column_is_what_a_run_of_its_own_gives(self):
        data = self.data()
        for learner in LEARNERS:
            run = self.answer("train", data, "--labels", "rain,wind,sun", "--learner", learner)
            others = {"rain": "wind,sun", "wind": "rain,sun", "sun": "rain,wind"}
            for k, name in enumerate(("rain", "wind", "sun")):
                alone = self.answer("train", data, "--label", name, "--ignore", others[name], "--learner", learner)
                self.assertEqual(run["theta"][k], alone["theta"], f"{learner} {name}")
                self.assertEqual(run["offset"][k], alone["offset"])
                self.assertEqual(run["parts"][k]["passes"], alone["passes"])
                self.assertEqual(run["classes"][k], {"label": name, **alone["classes"]})

    def test_predictions_and_evaluation(self):
        data = self.data()
        self.run_program("train", data, "--labels", "rain,wind,sun", "--passes", "1000", "-o", "m.json")
        predicted = self.words("predict", data, "-m", "m.json").splitlines()
        actual = [",".join(line.split(",")[2:]) for line in self.ROWS.splitlines()]
        told = self.answer("evaluate", data, "-m", "m.json")
        self.assertEqual([label["label"] for label in told["labels"]], ["rain", "wind", "sun"])
        for k, label in enumerate(told["labels"]):
            wrong = sum(a.split(",")[k] != p.split(",")[k] for a, p in zip(actual, predicted))
            self.assertEqual(label["mistakes"], wrong)
        self.assertEqual(told["mistakes"], sum(a != p for a, p in zip(actual, predicted)))
        self.assertIn("label column", self.words("evaluate", data, "-m", "m.json"))

    def test_rows_without_labels_can_be_predicted(self):
        self.run_program("train", self.data(), "--labels", "rain,wind,sun", "-o", "m.json")
        bare = self.write("bare.csv", "y,x\n0,5\n4,0\n")
        self.assertEqual(len(self.words("predict", bare, "-m", "m.json").splitlines()), 2)

    def test_without_a_header_columns_go_by_number(self):
        data = self.write("plain.csv", self.ROWS)
        a = self.answer("train", data, "--labels", "3,4,5", "-o", "m.json")
        b = self.answer("train", self.data(), "--labels", "rain,wind,sun")
        self.assertEqual(a["theta"], b["theta"])
        self.assertEqual(self.answer("evaluate", data, "-m", "m.json")["rows"], 30)
        bare = self.write("bare.csv", "5,0\n0,4\n")
        self.assertEqual(len(self.words("predict", bare, "-m", "m.json").splitlines()), 2)

    def test_what_is_wrong_is_said(self):
        data = self.data()
        self.assertIn("rainn", self.complaint("train", data, "--labels", "rainn,wind", code=2))
        self.assertIn("not both", self.complaint("train", data, "--labels", "rain", "--label", "sun", code=2))
        message = self.complaint("train", data, "--labels", "rain,x", "--ignore", "wind,sun", code=3)
        self.assertIn("labels.csv:12", message)
        self.assertIn("label column 'x'", message)
        self.assertIn("need CSV", self.complaint("train", self.generate("and"), "--labels", "1,2", code=2))
        self.assertIn("one label column", self.complaint("train", data, "--labels", "rain,wind", "--learner", "dual", code=2))

    def test_inspect(self):
        self.run_program("train", self.data(), "--labels", "rain,wind,sun", "-o", "m.json")
        self.assertIn("rain (no or yes)", self.words("inspect", "m.json"))
        self.assertEqual(json.loads(self.read("m.json"))["labels"], ["rain", "wind", "sun"])


class LabelSets(CommandLineTest):
    ROWS = [("1,3", "1:1"), ("2", "1:5 2:1"), ("3,1.0", "1:1.5"), ("10", "2:4"), ("2,10", "1:4 2:5"), ("1", "1:0.5")]

    def data(self, rows=None):
        return self.write("sets.svm", "".join(f"{labels} {x}\n" for labels, x in rows or self.ROWS))

    def test_each_label_is_what_a_run_of_its_own_gives(self):
        run = self.answer("train", self.data(), "--label-sets", "--learner", "margin")
        self.assertEqual([one["label"] for one in run["classes"]], ["1", "2", "3", "10"])
        for k, name in enumerate(("1", "2", "3", "10")):
            has = [name in labels.replace("1.0", "1").split(",") for labels, _ in self.ROWS]
            own = "".join(f"{1 if h else -1} {x}\n" for h, (_, x) in zip(has, self.ROWS))
            alone = self.answer("train", self.write("own.svm", own), "--learner", "margin")
            self.assertEqual((run["theta"][k], run["offset"][k]), (alone["theta"], alone["offset"]))

    def test_predictions_are_sets_and_the_evaluation_counts_by_label(self):
        data = self.data()
        words = self.words("train", "--learner", "perceptron", data, "--label-sets", "--passes", "1000", "-o", "m.json")
        self.assertIn("4 labels", words)
        told = self.answer("evaluate", data, "-m", "m.json")
        self.assertEqual((told["rows"], told["mistakes"]), (6, 0))
        self.assertEqual(self.words("predict", data, "-m", "m.json").split(), ["1,3", "2", "1,3", "10", "2,10", "1"])
        self.assertIn("Labels     1, 2, 3, 10", self.words("inspect", "m.json"))

    def test_what_is_wrong_is_said(self):
        data = self.data([("1,,2", "1:1"), ("2", "1:2")])
        message = self.complaint("train", data, "--label-sets", code=3)
        self.assertIn("sets.svm:1", message)
        self.assertIn("'1,,2'", message)
        self.run_program("train", self.data(), "--label-sets", "-o", "m.json")
        message = self.complaint("evaluate", self.data(self.ROWS + [("7,1", "1:1")]), "-m", "m.json", code=3)
        self.assertIn("sets.svm:7", message)
        self.assertIn("found '7'", message)
        self.assertIn("before rows are used", self.complaint("train", self.data(), "--label-sets", "--online", code=2))
        self.assertIn("one label", self.complaint("certify", self.data(), "--label-sets", code=2))


if __name__ == "__main__":
    unittest.main()
