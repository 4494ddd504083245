"""`linsep train --plan`: what would be done, without doing it."""

import unittest

from program import CommandLineTest


class PlanTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_program("generate", "and", "-o", "and.svm")

    def test_names_the_solver_that_the_run_then_takes(self):
        for more in ((), ("--loss", "logistic"), ("--solver", "planes"), ("--C", 100), ("--map", "products", "--C", 100)):
            arguments = ("train", "and.svm", "--learner", "margin", *more)
            plan, run = self.answer(*arguments, "--plan"), self.answer(*arguments)
            self.assertIn(run["solver"], (plan["solver"], plan["solver_otherwise"]), more)
            if run["solver"] == plan["solver"]:
                self.assertEqual(plan["solver_because"], run["solver_because"], more)
            if more:
                self.assertEqual(run["solver"], plan["solver"], more)
            self.assertEqual(plan["options"], run["options"], more)
            self.assertEqual((plan["rows"], plan["features"]), (run["rows"], run["features"]))

    def test_trains_nothing_and_writes_nothing(self):
        words = self.words("train", "and.svm", "--plan", "-o", "model.json", "--log", "log.jsonl", "--trace", "trace.jsonl")
        self.assertIn("Learner perceptron: θ += η·y·x", words)
        self.assertIn("4 rows with 2 features", words)
        self.assertIn("as given, at most 100 times", words)
        self.assertIn("Nothing was trained", words)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["and.svm"])

    def test_decides_on_the_mapped_columns(self):
        self.run_program("generate", "separable", "--rows", 30, "--features", 64, "-o", "wide.svm")
        few = self.answer("train", "wide.svm", "--learner", "margin", "--hard", "--plan")
        many = self.answer("train", "wide.svm", "--learner", "margin", "--hard", "--map", "products", "--plan")
        self.assertEqual((few["solver"], few["order"]), ("nearest-points", "given"))
        self.assertEqual((many["solver"], many["order"]), ("hard-descent", "permuted"))
        self.assertEqual((many["features"], many["mapped_features"]), (64, 2080))
        self.assertTrue(many["certifies_first"])
        self.assertGreater(many["bytes"], 0)

    def test_counts_a_classifier_per_class(self):
        self.write("three.svm", "a 1:1\nb 1:2\nc 1:3\n")
        self.assertEqual(self.answer("train", "three.svm", "--plan")["classifiers"], 3)
        joint = self.answer("train", "three.svm", "--multiclass", "joint", "--plan")
        self.assertEqual((joint["classifiers"], joint["joint"]), (3, True))

    def test_refuses_what_the_run_would_refuse(self):
        for wrong in (("--learner", "margin", "--solver", "newton"), ("--learner", "margin", "--hard", "--C", "2")):
            complaint = self.complaint("train", "and.svm", *wrong, code=2)
            self.assertEqual(self.complaint("train", "and.svm", *wrong, "--plan", code=2), complaint)
        self.assertIn("--plan describes one training run", self.complaint("train", "and.svm", "--learner", "margin", "--cv", 2,
                                                                  "--plan", code=2))


if __name__ == "__main__":
    unittest.main()
