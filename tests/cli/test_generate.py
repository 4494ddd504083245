"""Generated data sets: known text, seeds, threads, size and memory."""

import resource
import subprocess
import unittest
from fractions import Fraction

from program import PROGRAM, CommandLineTest

NAMES = ["not", "and", "or", "xor", "translations", "comparison", "separable", "noisy", "sparse", "classes"]
SMALL = {
    "sparse": ["--rows", "50", "--features", "200", "--nonzeros", "10"],
    "classes": ["--rows", "50", "--features", "200", "--nonzeros", "10"],
}


class Sets(CommandLineTest):
    def text(self, name, *options):
        return self.words("generate", name, *SMALL.get(name, []), *options)

    def test_truth_tables(self):
        self.assertEqual(self.text("not"), "1 1:0\n-1 1:1\n")
        self.assertEqual(self.text("xor", "--format", "csv"), "x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n")

    def test_the_same_command_gives_the_same_bytes(self):
        for name in NAMES:
            self.assertEqual(self.text(name), self.text(name, "--threads", "3"), name)

    def test_another_seed_gives_another_set(self):
        for name in ("comparison", "separable", "noisy", "sparse", "classes"):
            self.assertNotEqual(self.text(name), self.text(name, "--seed", "2"), name)

    def test_both_formats_hold_the_same_rows(self):
        for name in NAMES:
            svm, csv = self.write("rows.svm", self.text(name)), "rows.csv"
            self.run_program("generate", name, *SMALL.get(name, []), "-o", csv)
            a, b = (self.answer("train", data, "--learner", "perceptron", "--passes", "5") for data in (svm, csv))
            for field in ("rows", "mistakes", "offset"):
                self.assertEqual(a[field], b[field], f"{name} {field}")
            self.assertEqual(a.get("mistakes_by_row"), b.get("mistakes_by_row"), name)
            if name == "classes":
                continue
            reach = len(a["theta"])
            self.assertEqual(a["theta"], b["theta"][:reach])

    def test_exactly_one_flip(self):
        plain = self.text("separable").splitlines()
        noisy = self.text("noisy", "--flip-rows", "17").splitlines()
        self.assertEqual([i + 1 for i in range(1000) if plain[i] != noisy[i]], [17])

    def test_a_separable_set_is_learnt_without_a_mistake(self):
        self.write("rows.svm", self.text("separable", "--margin", "0.5"))
        self.assertTrue(self.answer("train", "rows.svm", "--learner", "perceptron", "--passes", "10000")["converged"])

    def test_a_set_about_the_run(self):
        about = self.answer("generate", "separable", "--rows", "10", "-o", "rows.svm")
        self.assertEqual((about["rows"], about["features"], about["options"]["margin"]), (10, 10, 0.1))
        self.assertEqual(about["bytes"], len(self.read("rows.svm")))


class Table(CommandLineTest):
    def test_a_table_is_csv_without_a_word(self):
        text = self.words("generate", "table", "--rows", "200")
        self.assertEqual(text.splitlines()[0], "amount,when,country,merchant,card,label")
        self.assertEqual(text, self.words("generate", "table", "--rows", "200", "--format", "csv", "--threads", "3"))
        self.assertNotEqual(text, self.words("generate", "table", "--rows", "200", "--seed", "2"))

    def test_a_table_as_svmlight_is_refused(self):
        done = self.run_program("generate", "table", "--format", "svmlight", code=2)
        self.assertIn(b"only as CSV", done.stderr)


class Sparse(CommandLineTest):
    def test_a_linear_model_is_right_on_most_rows(self):
        data = self.generate("sparse", "--rows", "20000", "--features", "2000", "--nonzeros", "40")
        error = self.answer("train", data, "--variant", "averaged", "--passes", "10")["training_error"]
        self.assertLess(error, 0.15)

    def test_the_default_set_has_the_size_of_the_reference_set(self):
        text = self.words("generate", "sparse", "--rows", "2000")
        entries = sum(line.count(":") for line in text.splitlines())
        self.assertEqual(entries, 2000 * 82)
        self.assertAlmostEqual(len(text) * 200 / 433e6, 1, delta=0.02)

    def test_rows_are_streamed_in_bounded_memory(self):
        limit = 400 << 20  # of address space, threads' stacks included; the text alone would take more

        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        generate = subprocess.Popen(
            [PROGRAM, "generate", "sparse", "--rows", "400000"], stdout=subprocess.PIPE, preexec_fn=bound
        )
        size = 0
        while piece := generate.stdout.read(1 << 20):
            size += len(piece)
        generate.stdout.close()
        self.assertEqual(generate.wait(), 0)
        self.assertGreater(size, limit)


class Margins(CommandLineTest):
    def test_written_values_are_exact_decimals(self):
        for line in self.words("generate", "separable", "--rows", "20", "--margin", "0.00001").splitlines():
            for entry in line.split()[1:]:
                value = Fraction(entry.split(":")[1])
                self.assertEqual(value * 10**14 % 1, 0)


if __name__ == "__main__":
    unittest.main()
