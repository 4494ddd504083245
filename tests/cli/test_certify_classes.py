"""certify of more than two classes: each against the rest, all jointly, and the proofs."""

import json
import os
import pathlib
import subprocess
import sys
import unittest
from fractions import Fraction

from program import CommandLineTest

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "checker"
# Three clouds on a line: the middle one can't be told from the others by a line, but all can be told jointly.
CLOUDS = "green 1:5 2:1\nred 1:0.5 2:1\nblue 1:9 2:1\nred 1:1 2:0.5\nblue 1:10 2:0.5\ngreen 1:5.5 2:0.5\n"
# Class a on both sides of b and c.
MIXED = "size,kind\n1,a\n2,b\n3,c\n4,a\n"


class CertifyClasses(CommandLineTest):
    def script(self, proof, data=None, *reading):
        """checker/verify_certificate.py, on leaves by checker/read_rows.py."""
        lines = subprocess.run([sys.executable, "-B", CHECKER / "read_rows.py", data, *reading], cwd=self.folder,
                               capture_output=True, check=True).stdout if data else b""
        done = subprocess.run([sys.executable, "-B", CHECKER / "verify_certificate.py", proof, *(["-"] if data else [])],
                              cwd=self.folder, input=lines, capture_output=True, check=False)
        return done.returncode, done.stdout.decode()

    def test_the_table_has_a_line_per_class_and_the_joint_verdict(self):
        words = self.words("certify", self.write("clouds.svm", CLOUDS))
        self.assertRegex(words, r"\n  blue +separable +geometric margin at least 1\.41421\n")
        self.assertRegex(words, r"\n  green +overlapping +witness of 4 rows\n")
        self.assertIn("Jointly separable: some linear classifier with one score per class gets every row right.", words)
        self.assertIn("A multinomial logistic regression (with red as the reference class) without a penalty has no finite "
                      "estimate", words)
        self.assertIn("x1 of blue to +∞", words)

    def test_json_has_verdicts_and_witnesses(self):
        told = self.answer("certify", self.write("mixed.csv", MIXED))
        self.assertEqual(told["classes"], ["a", "b", "c"])
        self.assertEqual([part["class"] for part in told["against_the_rest"]], ["a", "b", "c"])
        self.assertEqual({part["verdict"] for part in told["against_the_rest"]}, {"overlapping"})
        joint = told["jointly"]
        self.assertEqual((joint["verdict"], joint["comparisons"]), ("overlapping", 8))
        sizes = {name: [Fraction(0), Fraction(0)] for name in "abc"}
        for row in joint["witness"]:
            value = [int(row["row"]), 1]  # row i has size i
            for name, sign in ((row["class"], 1), (row["rival"], -1)):
                sizes[name] = [s + sign * Fraction(row["alpha"]) * v for s, v in zip(sizes[name], value)]
        self.assertEqual(set(map(tuple, sizes.values())), {(0, 0)}, "what each class gains and loses is the same")
        self.assertAlmostEqual(sum(row["share"] for row in joint["witness"]), 1)

    def test_a_joint_proof_is_accepted_by_both_checkers_and_no_other_data(self):
        data = self.write("mixed.csv", MIXED)
        self.run_program("certify", data, "-o", "proof.json")
        self.assertIn("3 classes: jointly overlapping", self.words("verify", "proof.json"))
        self.words("verify", "proof.json", data)
        self.assertEqual(self.script("proof.json")[0], 0)
        self.assertEqual(self.script("proof.json", data)[0], 0)
        other = self.write("other.csv", MIXED.replace("3,c", "3,b").replace("2,b", "2,c"))
        self.assertIn("digests differ", self.words("verify", "proof.json", other, code=1))
        self.assertEqual(self.script("proof.json", other)[0], 1)
        root = json.loads(self.read("proof.json"))["data"]["root"]
        self.assertEqual(self.words("digest", data), root + "\n")
        self.run_program("certify", data, "--against", "b", "-o", "b.json")
        self.assertEqual(json.loads(self.read("b.json"))["data"]["root"], root, "one root, whatever is asked")

    def test_a_separator_for_all_classes_is_checked_with_the_data(self):
        data = self.write("clouds.svm", CLOUDS)
        self.run_program("certify", data, "--jointly", "-o", "proof.json")
        self.assertIn("needed", self.words("verify", "proof.json", code=1))
        self.assertIn("in all 12 pairs", self.words("verify", "proof.json", data))
        self.assertEqual(self.script("proof.json")[0], 2)
        self.assertEqual(self.script("proof.json", data)[0], 0)

    def test_one_class_against_the_rest_is_what_two_classes_say(self):
        data = self.write("clouds.svm", CLOUDS)
        rest = self.write("rest.svm", "".join(("1" if line.startswith("green") else "0") + line[line.index(" "):] + "\n"
                                              for line in CLOUDS.splitlines()))
        alone, told = self.answer("certify", rest, "--mistakes"), self.answer("certify", data, "--against", "green", "--mistakes")
        for key in ("verdict", "margin", "peeled", "separated", "common_point"):
            self.assertEqual(told.get(key), alone.get(key), key)
        self.assertEqual([row["alpha"] for row in told["witness"]], [row["alpha"] for row in alone["witness"]])
        self.assertEqual(told["mistakes"]["at_least"], alone["mistakes"]["at_least"])
        self.assertIn("class green against the other 2", self.words("certify", data, "--against", "green"))
        self.run_program("certify", data, "--against", "blue", "--map", "products", "-o", "proof.json")
        self.assertIn("class blue against the other 2, through the map products", self.words("verify", "proof.json", data))
        self.assertEqual(self.script("proof.json", data)[0], 0)

    def test_threads_pages_and_shards_change_no_byte(self):
        self.run_program("generate", "classes", "--rows", "300", "--features", "12", "--nonzeros", "5", "--classes", "4",
                         "-o", "rows.svm")
        for question in (["--jointly"], ["--against", "3", "--mistakes"]):
            self.run_program("certify", "rows.svm", *question, "--threads", "1", "-o", "one.json")
            self.run_program("certify", "rows.svm", *question, "--threads", "3", "-o", "three.json")
            self.assertEqual(self.read("one.json"), self.read("three.json"))
            lines = self.read("rows.svm").splitlines(keepends=True)
            self.write("a.svm", "".join(lines[:100]))
            self.write("b.svm", "".join(lines[100:]))
            self.run_program("certify", "a.svm", "b.svm", *question, "-o", "two.json")
            self.assertEqual(self.read("one.json"), self.read("two.json"))
            self.run_program("convert", "rows.svm", "--double", "-o", "rows.lsp")
            self.run_program("certify", "rows.lsp", *question, "-o", "pages.json")
            self.assertEqual(self.read("one.json"), self.read("pages.json"))

    def test_a_salt_hides_rows_of_several_classes_too(self):
        data = self.write("mixed.csv", MIXED)
        self.run_program("certify", data, "-o", "proof.json", "--salt", "salt")
        self.assertIn("valid", self.words("verify", "proof.json"))
        self.assertIn("valid", self.words("verify", "proof.json", data, "--salt", "salt"))
        self.assertIn("salt is needed", self.words("verify", "proof.json", data, code=1))
        self.assertEqual(self.script("proof.json")[0], 0)

    def test_time_that_runs_out_leaves_the_rest_undecided(self):
        self.run_program("generate", "classes", "--rows", "4000", "--features", "300", "--nonzeros", "60", "--classes", "9",
                         "-o", "rows.svm")
        told = self.answer("certify", "rows.svm", "--time", "0.001")
        self.assertLess(len(told["against_the_rest"]), 9)
        self.assertEqual(told["jointly"]["verdict"], "undecided")
        self.assertEqual(told["jointly"]["stopped_because"], "time")

    def test_ids_and_names_are_told(self):
        data = self.write("named.csv", "who,size,kind\nann,1,a\nbob,2,b\ncid,3,c\ndan,4,a\n")
        words = self.words("certify", data, "--id", "who", "--jointly")
        self.assertRegex(words, r"\n  3 \(cid\) +c +a +2/5\n")
        self.assertNotIn("against all others", words)

    def test_questions_that_make_no_sense(self):
        data, two = self.write("clouds.svm", CLOUDS), self.write("two.svm", "1 1:1\n-1 1:2\n")
        for arguments, message in (((data, "--against", "pink"), "no class 'pink'. The classes are: blue, green, red"),
                                   ((data, "--against", "red", "--jointly"), "not both"),
                                   ((data, "--mistakes"), "--mistakes needs --against CLASS"),
                                   ((data, "--map", "products"), "--map needs --against"),
                                   ((two, "--jointly"), "--jointly needs more than two classes"),
                                   ((two, "--against", "1"), "--against needs more than two classes")):
            self.assertIn(message, self.complaint("certify", *arguments, code=2))


if __name__ == "__main__":
    unittest.main()
