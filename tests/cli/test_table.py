"""The texts' worked examples through the real program, by the perceptron and by its dual form."""

import unittest

from program import CommandLineTest

THREE_ROWS = "1 1:-1 2:-1\n-1 1:1 2:0\n1 1:-1 2:1.5\n"
FAR_THIRD_ROW = "1 1:-1 2:-1\n-1 1:1 2:0\n1 1:-1 2:10\n"
FAR_ROW_EARLY = "-1 1:1 2:0\n1 1:-1 2:10\n1 1:-1 2:-1\n"


class WorkedExamples(CommandLineTest):
    def train(self, data, *options):
        return self.answer("train", data, "--learner", "perceptron", *options)

    def rows(self, text):
        return self.write("rows.svm", text)

    def test_three_rows_through_the_origin(self):
        run = self.train(self.rows(THREE_ROWS), "--origin")
        self.assertEqual(run["mistakes"], 2)
        self.assertEqual(run["mistakes_by_row"], [1, 0, 1])
        self.assertEqual(run["theta"], [-2, 0.5])
        self.assertEqual(run["offset"], 0)
        self.assertEqual(run["passes"], 2)
        self.assertTrue(run["converged"])
        self.assertEqual(run["training_error"], 0)

    def test_three_rows_from_another_start(self):
        for init in (["--init", "-1,-1"], ["--init=-1,-1"]):
            self.assertEqual(self.train(self.rows(THREE_ROWS), "--origin", *init)["mistakes"], 1)

    def test_far_third_row(self):
        run = self.train(self.rows(FAR_THIRD_ROW), "--origin")
        self.assertEqual(run["mistakes"], 6)
        self.assertEqual(run["mistakes_by_row"], [5, 0, 1])
        self.assertEqual(run["theta"], [-6, 5])
        self.assertEqual(self.train(self.rows(FAR_THIRD_ROW), "--origin", "--init", "-1,-1")["mistakes"], 5)

    def test_far_row_early(self):
        self.assertEqual(self.train(self.rows(FAR_ROW_EARLY), "--origin")["mistakes"], 1)

    def test_truth_tables_with_offset(self):
        self.assertEqual(self.train(self.generate("not"))["mistakes"], 5)
        self.assertEqual(self.train(self.generate("or"))["mistakes"], 9)
        run = self.train(self.generate("and"))
        self.assertEqual(run["mistakes"], 18)
        self.assertEqual(run["mistakes_by_row"], [2, 5, 4, 7])
        self.assertEqual((run["theta"], run["offset"]), ([3, 2], -4))

    def test_xor_does_not_converge_and_says_so(self):
        data = self.generate("xor")
        run = self.train(data, "--passes", "100")
        self.assertEqual((run["mistakes"], run["passes"], run["converged"]), (400, 100, False))
        self.assertEqual(run["stopped_because"], "passes")
        words = self.words("train", data, "--learner", "perceptron", "--passes", "100")
        self.assertIn("did not converge in 100 passes", words)
        self.assertIn("400 mistakes", words)
        self.assertIn(f"linsep certify {data}", words)

    def test_xor_with_products_converges(self):
        run = self.train(self.generate("xor"), "--map", "products")
        self.assertEqual((run["mistakes"], run["converged"]), (29, True))
        self.assertEqual(len(run["theta"]), 3)
        self.assertEqual(run["training_error"], 0)


class DualAgrees(CommandLineTest):
    def same(self, data, *options):
        primal = self.answer("train", data, "--learner", "perceptron", *options)
        dual = self.answer("train", data, "--learner", "dual", *options)
        for field in ("mistakes", "mistakes_by_row", "theta", "offset", "passes", "converged", "training_error"):
            self.assertEqual(primal[field], dual[field], f"{data} {options}: {field}")

    def test_on_rows_through_the_origin(self):
        for text in (THREE_ROWS, FAR_THIRD_ROW, FAR_ROW_EARLY):
            self.same(self.write("rows.svm", text), "--origin")

    def test_on_truth_tables(self):
        for name in ("not", "and", "or", "xor"):
            self.same(self.generate(name))

    def test_on_mapped_features(self):
        self.same(self.generate("xor"), "--map", "products")

    def test_on_translations_which_nothing_separates(self):
        self.same(self.generate("translations"))


if __name__ == "__main__":
    unittest.main()
