"""Numbers at the edges of a double: a proof is about them or refuses them, and nothing that is proven gets lost."""

import random
import subprocess
import unittest

from program import PROGRAM, CommandLineTest

TOO_SMALL = ("is too small for a double: a proof needs numbers of at least 2.3e-308 in size, or 0; multiply the column "
             "by a power of ten")


class TooSmall(CommandLineTest):
    """A number that isn't 0 as written never counts as 0."""

    def refuses(self, *arguments, place, number):
        self.assertEqual(self.complaint(*arguments, code=3), f"linsep: {place}: {number} {TOO_SMALL}\n")

    def test_every_command_that_proves_refuses_it_with_its_place(self):
        self.write("tiny.svm", "1 1:-1e-400\n1 1:1\n")
        for command in (("certify", "tiny.svm", "--origin"), ("certify", "tiny.svm"),
                        ("train", "tiny.svm", "--learner", "margin", "--hard", "--origin"),
                        ("train", "tiny.svm", "--learner", "margin", "--hard", "--origin", "--proof", "p.json")):
            self.refuses(*command, place="tiny.svm:1:5", number="'-1e-400'")
        self.write("one.svm", "1 1:1\n1 1:1\n")
        self.words("certify", "one.svm", "--origin", "-o", "one.json")
        self.refuses("verify", "one.json", "tiny.svm", place="tiny.svm:1:5", number="'-1e-400'")

    def test_training_without_a_proof_may_round_it(self):
        self.write("tiny.svm", "-1 1:-1\n1 1:1 2:1e-400\n")
        self.words("train", "tiny.svm", "--double")
        self.words("train", "tiny.svm")

    def test_subnormal_numbers_are_refused_and_the_least_normal_one_is_not(self):
        self.write("below.csv", "x,y\n1,1\n2.2250738585072011e-308,0\n")
        self.refuses("certify", "below.csv", place="below.csv:3:1", number="'2.2250738585072011e-308'")
        self.write("least.csv", "x,y\n1,1\n2.2250738585072014e-308,0\n0e-400,0\n")
        self.assertEqual(self.answer("certify", "least.csv")["verdict"], "separable")

    def test_in_csv_and_among_long_rows_of_svmlight(self):
        self.write("tiny.csv", "a,b,y\n1,2,1\n3,\"-1e-400\",0\n")
        self.refuses("certify", "tiny.csv", place="tiny.csv:3:4", number="'-1e-400'")
        row = " ".join(f"{j}:0.5" for j in range(1, 40))
        self.write("tiny.svm", f"1 {row}\n-1 {row} 40:1 41:4e-320 42:1\n" * 2000)
        self.refuses("certify", "tiny.svm", place=f"tiny.svm:2:{len(row) + 13}", number="'4e-320'")

    def test_by_way_of_pages(self):
        self.write("tiny.svm", "1 1:1\n0 1:-1\n")
        self.run_program("train", "tiny.svm", "--learner", "perceptron", "-o", "two.json", "--quiet")
        self.write("tiny.svm", "1 1:-1e-400\n1 1:1\n")
        for how in (("--cache",), ("--memory", "64M"), ("--cache", "--memory", "64M")):
            self.refuses("certify", "tiny.svm", "--origin", *how, place="tiny.svm:1:5", number="'-1e-400'")
        self.words("inspect", "two.json", "tiny.svm", "--double", "--cache")
        self.refuses("certify", "tiny.svm", "--origin", "--cache", place="tiny.svm:1:5", number="'-1e-400'")
        self.run_program("convert", "tiny.svm", "--double", "-o", "tiny.lsp", "--quiet")
        self.refuses("certify", "tiny.lsp", "--origin", place="tiny.lsp", number="row 1: the value of feature 1")

    def test_a_cache_of_another_version_is_made_anew(self):
        self.write("rows.svm", "1 1:1\n-1 1:2\n")
        self.words("certify", "rows.svm", "--cache")
        cache = self.folder / "rows.svm.double.lsp"
        made = cache.read_bytes()
        cache.write_bytes(made[:20] + b"\x01" + made[21:])
        self.assertIn("is a page file of version 1", self.complaint("certify", cache.name, code=3))
        self.words("certify", "rows.svm", "--cache")
        self.assertEqual(cache.read_bytes()[20], 4)

    def test_page_files_of_32_bit_values_say_how_to_convert(self):
        self.write("small.svm", "1 1:1\n1 2:1\n1 1:1 2:-1e-60\n1 1:-1e-60\n")
        self.run_program("convert", "small.svm", "-o", "float.lsp", "--quiet")
        self.assertEqual(self.complaint("certify", "float.lsp", "--origin", code=3),
                         "linsep: float.lsp: row 3: the value of feature 2 isn't 0 as written, but rounds to 0 as a 32-bit number: "
                         "a proof needs pages of 64-bit values; convert the text again with --double\n")
        self.run_program("convert", "small.svm", "--double", "-o", "double.lsp", "--quiet")
        told = [self.answer("certify", name, "--origin")["verdict"] for name in ("small.svm", "double.lsp")]
        self.assertEqual(told, ["overlapping"] * 2)


LARGEST = "1.7976931348623157e308"


class Extreme(CommandLineTest):
    """Values as large and small as doubles can be: verdicts, bounds and proofs as for any others."""

    def proven(self, data, *options):
        """Certifies, has the proof checked with the data, and returns the JSON account."""
        told = self.answer("certify", data, "-o", "proof.json", *options)
        self.assertTrue(self.answer("verify", "proof.json", data)["valid"], told)
        return told

    def test_mistakes_are_bounded_where_a_perceptron_overflows(self):
        rows = {
            "one": "-1 1:1e307\n-1 1:1\n1 1:1\n",
            "two": f"1 1:{LARGEST} 2:-4\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:3 2:2\n",
            "three": f"1 2:{LARGEST}\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:3 2:2\n",
        }
        for name, text in rows.items():
            self.write(f"{name}.svm", text)
            told = self.proven(f"{name}.svm", "--mistakes")
            self.assertEqual((told["verdict"], told["mistakes"]["at_least"]), ("quasi-separable", 1), name)
            self.assertLessEqual(told["mistakes"]["at_most"], 2, name)

    def test_mistakes_are_bounded_where_products_leave_the_range(self):
        self.write("large.svm", "1 1:1e300 2:1e300\n-1 1:1 2:1\n1 1:1 2:1\n-1 1:-1e300 2:2\n")
        for map in ("products", "polynomial:3"):
            self.assertGreaterEqual(self.proven("large.svm", "--mistakes", "--map", map)["mistakes"]["at_most"], 1)
        # x1·x2 is 0 in doubles once both columns are scaled to 1, and isn't as written.
        self.write("small.svm", "-1 1:3e100 2:1e-300\n-1 1:1e-300 2:3e100\n-1 1:3e100 2:-1e-300\n-1 2:-1e-300\n"
                                "1 1:-1e-300\n1 1:-1e-300 2:3e100\n-1 1:1e-300\n1 1:1\n")
        self.assertEqual(self.proven("small.svm", "--mistakes", "--map", "products")["verdict"], "overlapping")

    def test_a_hard_margin_of_large_or_small_values_is_proven(self):
        for scale in ("e200", "e307", "e-200", "e-300"):
            self.write("scaled.svm", f"1 1:1{scale} 2:3{scale}\n-1 1:-1{scale} 2:3{scale}\n-1 1:-2{scale}\n")
            told = self.answer("train", "scaled.svm", "--learner", "margin", "--hard", "--proof", "proof.json")
            self.assertTrue(self.answer("verify", "proof.json", "scaled.svm")["valid"], scale)
            self.assertAlmostEqual(told["margin"] / float("1" + scale), 1, places=6)

    def test_norms_whose_squares_leave_the_range(self):
        for scale in ("e200", "e-200"):
            self.write("scaled.svm", f"1 1:1{scale}\n-1 1:-1{scale}\n")
            self.run_program("train", "scaled.svm", "--learner", "margin", "--hard", "-o", "m.json", "--quiet")
            words = self.words("inspect", "m.json", "scaled.svm", "--double")
            self.assertIn("2" + scale.replace("e2", "e+2") + " apart", words)

    def test_a_hard_margin_that_is_not_found_is_a_failure(self):
        self.write("apart.svm", f"1 1:{LARGEST} 2:-4\n-1 1:1 2:1\n1 1:2 2:1\n-1 1:-3 2:2\n")
        message = self.complaint("train", "apart.svm", "--learner", "margin", "--hard", "--proof", "p.json", "-o", "m.json",
                                 code=3)
        self.assertIn("apart.svm: these rows are separable, but no separator was found", message)
        self.assertIn("for 64-bit numbers: x1 is about 1.8e+308, x2 about 2.3", message)
        self.assertIn("Scale such columns by powers of ten. No model and no proof was written", message)
        self.assertFalse((self.folder / "p.json").exists() or (self.folder / "m.json").exists())
        self.assertEqual(self.proven("apart.svm")["verdict"], "separable")

    def test_drawn_sets_of_extreme_values(self):
        """Nothing ends the program, and every proof is accepted."""
        values = [LARGEST, "-" + LARGEST, "1e307", "-1e307", "1e-300", "-1e-300", "2.3e-308", "1", "-1", "2", "-3", "1e160"]
        draw = random.Random(12)
        for _ in range(25):
            features, few = draw.randint(1, 3), draw.sample(values, draw.randint(2, 6))
            rows = [draw.choice("+-") + "1" + "".join(f" {j}:{draw.choice(few)}" for j in range(1, features + 1)
                                                       if draw.random() < 0.8) for _ in range(draw.randint(1, 7))]
            text = "\n".join([*rows, "1 1:1", "-1 1:2"]) + "\n"
            self.write("drawn.svm", text)
            for options in ((), ("--mistakes",), ("--origin", "--mistakes"), ("--map", "products", "--mistakes")):
                with self.subTest(text=text, options=options):
                    self.proven("drawn.svm", *options)
            done = subprocess.run([PROGRAM, "train", "drawn.svm", "--learner", "margin", "--hard", "--proof", "hard.json"],
                                  cwd=self.folder, capture_output=True, text=True, timeout=300)
            with self.subTest(text=text, stderr=done.stderr):
                self.assertIn(done.returncode, (0, 3))
                if done.returncode == 0 or "The proof was written" in done.stderr:
                    self.assertTrue(self.answer("verify", "hard.json", "drawn.svm")["valid"])


if __name__ == "__main__":
    unittest.main()
