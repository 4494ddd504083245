"""The learner `margin`: the hard margin, and the proof that goes with it."""

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
        self.assertIn("--proof", self.complaint("train", data, "--proof", "proof.json", code=2))
        self.assertIn("read again", self.complaint(*self.hard("-"), code=2, stdin=AND))

    def test_a_generated_set_has_at_least_the_margin_it_was_made_with(self):
        self.run_program("generate", "separable", "--rows", "5000", "--features", "20", "--margin", "0.05", "-o", "rows.svm")
        told = self.answer(*self.hard("rows.svm"), "--gap", "1e-6")
        self.assertTrue(told["converged"])
        self.assertGreaterEqual(told["margin"], 0.049)
        same = self.answer(*self.hard("rows.svm"), "--gap", "1e-6", "--threads", "1")
        self.assertEqual((same["theta"], same["offset"]), (told["theta"], told["offset"]))


if __name__ == "__main__":
    unittest.main()
