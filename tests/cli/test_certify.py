"""`linsep certify` and `linsep verify`: verdicts, accounts, proofs that both checkers accept, proofs that are refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from fractions import Fraction
from pathlib import Path

from program import PROGRAM, CommandLineTest

CHECKER = Path(__file__).resolve().parents[2] / "checker"
# Rows with `dose` above 0 are all ill; the others overlap.
PATIENTS = "name,dose,age,ill\nann,0,1,no\nbob,0,2,yes\ncid,0,3,no\ndan,1,2,yes\neve,2,5,yes\n"


class CertifyTest(CommandLineTest):
    def checked_by_python(self, proof, data=None, *options):
        """What the independent checker says of rows that the independent reader reads: True for valid."""
        run = lambda tool, *words, **more: subprocess.run([sys.executable, "-B", CHECKER / tool, *map(str, words)],
                                                          cwd=self.folder, capture_output=True, timeout=300, **more)
        leaves = []
        if data is not None:
            read = run("read_rows.py", data, *options)
            self.assertEqual(read.returncode, 0, read.stderr)
            self.assertEqual(self.run_program("leaves", data, *options).stdout, read.stdout)
            (self.folder / "leaves.txt").write_bytes(read.stdout)
            leaves = ["leaves.txt"]
        done = run("verify_certificate.py", proof, *leaves, text=True)
        self.assertEqual(done.returncode == 0, done.stdout.startswith("valid"), done.stderr)
        return done.returncode == 0

    def certify(self, data, *options, verdict):
        """Certifies, keeps the proof, has both checkers accept it with the data, and returns the JSON account."""
        told = self.answer("certify", data, "-o", "proof.json", *options)
        self.assertEqual(told["verdict"], verdict)
        self.assertEqual(told["certificate"], "proof.json")
        checked = self.answer("verify", "proof.json", data)
        self.assertEqual((checked["valid"], checked["claim"]), (True, verdict))
        self.assertTrue(self.checked_by_python("proof.json", data))
        return told


class Verdicts(CertifyTest):
    def test_xor_overlaps_and_the_halves_meet_in_the_middle(self):
        told = self.certify(self.generate("xor"), verdict="overlapping")
        self.assertEqual([row["row"] for row in told["witness"]], [1, 2, 3, 4])
        self.assertEqual([row["share"] for row in told["witness"]], [0.5] * 4)
        self.assertEqual({Fraction(row["alpha"]) for row in told["witness"]}, {Fraction(told["witness"][0]["alpha"])})
        self.assertEqual(told["common_point"], [0.5, 0.5])
        self.assertEqual((told["rows"], told["features"], told["origin"], told["map"]), (4, 2, False, "none"))

    def test_a_first_row_without_numbers_hides_none_of_the_decimals_below_it(self):
        # As written (0.2, 0.4) lies on the segment from (0.1, 0.7) to (0.3, 0.1); in doubles it lies beside it.
        rows = self.write("rows.csv", "a,b,ill\n,,yes\n0.1,0.7,no\n0.3,0.1,no\n0.2,0.4,yes\n0.15,0.55,yes\n")
        told = json.loads(self.run_program("certify", rows, "--json").stdout)
        self.assertEqual((told["verdict"], told["rows"]), ("quasi-separable", 5))

    def test_the_words_for_xor(self):
        words = self.words("certify", self.generate("xor"))
        self.assertIn("Overlapping: no linear classifier separates these rows", words)
        self.assertIn("(0.5, 0.5)", words)
        self.assertEqual(words.count("½"), 4)
        self.assertIn("-o proof.json to save it", words)

    def test_not_and_or_are_separable(self):
        for name in ("not", "and", "or"):
            told = self.certify(self.generate(name), verdict="separable")
            self.assertEqual(told["witness"], [])
            self.assertLessEqual(told["peeled"], told["rows"])

    def test_the_margin_of_and_and_the_mistakes_of_its_perceptron(self):
        data = self.generate("and")
        self.run_program("train", "--learner", "perceptron", data, "-o", "and.json")
        told = self.certify(data, "-m", "and.json", verdict="separable")
        self.assertAlmostEqual(told["margin"], 0.125**0.5, places=9)
        self.assertAlmostEqual(told["radius"], 2**0.5, places=9)
        self.assertEqual((told["perceptron"]["mistakes"], told["perceptron"]["passes"]), (18, 9))
        self.assertGreaterEqual(told["mistake_bound"], 18)
        words = self.words("certify", data, "-m", "and.json")
        self.assertIn("Geometric margin at least 0.35355", words)
        self.assertIn("made 18 mistakes in 9 passes", words)

    def test_no_plane_separates_the_translations(self):
        told = self.certify(self.generate("translations"), verdict="overlapping")
        self.assertEqual(len(told["common_point"]), 16)

    def test_values_near_1e_minus_200_have_a_radius_and_a_bound(self):
        rows = "".join(f"{a}e-200,{b}e-200,{a * b}\n" for a in (0, 1) for b in (0, 1))
        data = self.write("tiny.csv", "a,b,y\n" + rows)
        told = self.certify(data, verdict="separable")
        self.assertAlmostEqual(told["radius"] * 1e200, 2**0.5, places=9)
        self.assertIsNone(told["mistake_bound"])  # beyond doubles; the proof has it
        words = self.words("certify", data)
        self.assertRegex(words, r"Geometric margin at least 3\.\d+e-201, radius 1\.4142\d?e-200")
        self.assertRegex(words, r"at most \d\.\d+e40\d mistakes")

    def test_every_coefficient_of_and_goes_to_infinity(self):
        told = self.certify(self.generate("and"), verdict="separable")
        self.assertEqual([(each["feature"], each["column"], each["estimate"]) for each in told["coefficients"]],
                         [("x1", 1, "+infinity"), ("x2", 2, "+infinity"), ("offset", None, "-infinity")])
        self.assertEqual([each["computed_sign"] for each in told["coefficients"]], [1, 1, -1])
        self.assertIn("no finite estimate", self.words("certify", self.generate("and")))

    def test_a_column_that_another_can_replace_is_not_determined(self):
        data = self.write("two.svm", "1 1:1 2:2\n1 1:2 2:1\n-1 1:-1 2:-3\n-1 1:-2 2:-1\n")
        told = self.certify(data, verdict="separable")
        self.assertEqual([each["estimate"] for each in told["coefficients"]], ["undetermined"] * 3)
        self.assertEqual(told["infinite"], [])
        self.assertIn("x1 to +∞ and x2 to +∞", self.words("certify", data))
        self.assertIn("computed, not proven", self.words("certify", data))

    def test_through_the_origin(self):
        data = self.write("line.svm", "1 1:1\n-1 1:2\n")  # 1 and 2 on a line: the offset separates them
        self.certify(data, verdict="separable")
        told = self.certify(data, "--origin", verdict="overlapping")
        self.assertTrue(told["origin"])
        self.assertNotIn("common_point", told)
        self.assertIn("through the origin", self.words("certify", data, "--origin"))

    def test_decimals_count_as_written(self):
        # (0.1, 0.1), (0.2, 0.2) and (0.3, 0.3) are on one line as decimals.
        data = self.write("line.csv", "a,b,y\n0.1,0.1,n\n0.2,0.2,p\n0.3,0.3,n\n")
        self.certify(data, verdict="overlapping")
        data = self.write("off.csv", "a,b,y\n0.1,0.1,n\n0.2,0.20000000000000000000001,p\n0.3,0.3,n\n")
        self.certify(data, verdict="separable")


class Weights(CertifyTest):
    """Rows of weight 0 are part of what is proven, and that is said."""

    ROWS = "dose,w,ill\n1,{},no\n2,0,yes\n3,1,no\n4,0.5,yes\n"

    def said(self, first, *options):
        self.write("rows.csv", self.ROWS.format(first))
        done = self.run_program("certify", "rows.csv", "--label", "ill", "--weight", "w", *options)
        self.assertIn("no linear classifier separates these rows", done.stdout.decode())  # one would without row 2
        return done.stderr.decode()

    def test_they_are_counted(self):
        one = ("linsep: 1 row of weight 0 counts like any other, since the verdict is about all rows; to leave it out, take it out of "
               "the data.\n")
        self.assertEqual(self.said("1"), one)
        self.assertEqual(self.said("0.0"), one.replace("1 row", "2 rows").replace("counts", "count").replace(" it ", " them "))

    def test_nothing_is_said_without_them(self):
        self.write("rows.csv", self.ROWS.format(1).replace(",0,", ",2,"))
        self.assertEqual(self.run_program("certify", "rows.csv", "--label", "ill", "--weight", "w").stderr, b"")
        self.write("rows.csv", self.ROWS.format(0))
        self.assertEqual(self.run_program("certify", "rows.csv", "--label", "ill").stderr, b"")


class QuasiSeparable(CertifyTest):
    def test_the_feature_and_the_rows_are_named(self):
        data = self.write("patients.csv", PATIENTS)
        told = self.answer("certify", data, "--id", "name", "-o", "proof.json")
        self.assertEqual(told["verdict"], "quasi-separable")
        self.assertEqual((told["infinite_features"], told["infinite"]), (1, [{"feature": "dose", "column": 1, "sign": 1}]))
        self.assertEqual([each["estimate"] for each in told["coefficients"]], ["+infinity", "finite", "finite"])
        self.assertEqual(told["separated_rows"], [{"row": 4, "id": "dan"}, {"row": 5, "id": "eve"}])
        self.assertEqual((told["separated"], told["peeled"]), (2, 2))
        self.assertEqual([row["id"] for row in told["witness"]], ["ann", "bob", "cid"])
        self.assertEqual(told["common_point"], [0, 2])
        self.assertTrue(self.answer("verify", "proof.json", data, "--id", "name")["valid"])
        self.assertTrue(self.checked_by_python("proof.json", data, "--ignore", "name"))

    def test_in_words(self):
        words = self.words("certify", self.write("patients.csv", PATIENTS), "--id", "name")
        self.assertIn("Quasi-separable", words)
        self.assertIn("dose to +∞", words)
        self.assertIn("2 coefficients stay finite: age and the intercept", words)
        self.assertIn("Separated: rows 4 (dan) and 5 (eve)", words)
        self.assertIn("2 (bob)", words)
        self.assertIn("dose = 0, age = 2", words)

    def test_the_command_that_checks_the_proof_is_told_and_works(self):
        self.write("patients.csv", PATIENTS)
        words = self.words("certify", "patients.csv", "--id", "name", "--label", "ill", "-o", "my proof.json")
        command = re.search(r"  linsep (verify .*)\n", words).group(1)
        self.assertEqual(command, "verify 'my proof.json' patients.csv --label ill --id name")
        self.assertIn("valid", self.words("verify", "my proof.json", "patients.csv", "--label", "ill", "--id", "name"))


class Maps(CertifyTest):
    def test_xor_becomes_separable_under_products(self):
        told = self.certify(self.generate("xor"), "--map", "products", verdict="separable")
        self.assertEqual(told["map"], "products")

    def test_maps_names_the_first_that_separates(self):
        told = self.certify(self.generate("xor"), "--maps", verdict="separable")
        self.assertEqual((told["map"], told["first_separable"]), ("products", "products"))
        self.assertEqual([(trial["map"], trial["verdict"]) for trial in told["maps"]],
                         [("none", "overlapping"), ("products", "separable")])
        self.assertIn("The first map that makes the rows separable: products", self.words("certify", "xor.svm", "--maps"))

    def test_maps_where_none_does(self):
        data = self.write("twins.svm", "1 1:1 2:3\n-1 1:1 2:3\n1 1:2\n-1 2:1\n")
        told = self.answer("certify", data, "--maps", "-o", "proof.json")
        self.assertEqual([trial["map"] for trial in told["maps"]], ["none", "products", "polynomial:2", "polynomial:3"])
        self.assertIsNone(told["first_separable"])
        self.assertEqual([row["row"] for row in told["witness"]], [1, 2])
        self.assertTrue(self.checked_by_python("proof.json", data))

    def test_a_model_brings_its_map(self):
        data = self.generate("xor")
        self.run_program("train", data, "--map", "products", "-o", "model.json")
        told = self.answer("certify", data, "-m", "model.json")
        self.assertEqual((told["map"], told["verdict"]), ("products", "separable"))


class Mistakes(CertifyTest):
    def noisy(self):
        self.run_program("generate", "noisy", "--rows", "60", "--features", "2", "-o", "noisy.svm")
        return "noisy.svm"

    def check_sets(self, mistakes):
        sets = [{row["row"] for row in witness} for witness in mistakes["witnesses"]]
        self.assertEqual(len(sets), mistakes["at_least"])
        self.assertEqual(len(set().union(*sets)), sum(map(len, sets)))

    def test_an_interval_with_disjoint_witnesses(self):
        told = self.certify(self.noisy(), "--mistakes", verdict="overlapping")
        mistakes = told["mistakes"]
        self.assertGreaterEqual(mistakes["at_least"], 1)
        self.assertLessEqual(mistakes["at_least"], mistakes["at_most"])
        self.check_sets(mistakes)
        words = self.words("certify", "noisy.svm", "--mistakes")
        self.assertIn("Every linear classifier makes at least", words)
        self.assertIn("Look for wrong labels here first", words)

    def test_a_model_as_guide(self):
        data = self.noisy()
        self.run_program("train", data, "--learner", "least-squares", "-o", "guide.json")
        wrong = self.answer("evaluate", data, "-m", "guide.json")["mistakes"]
        told = self.certify(data, "--mistakes", "-m", "guide.json", verdict="overlapping")
        self.assertEqual(told["mistakes"]["at_most"], wrong)
        self.assertIn("guide.json", self.words("certify", data, "--mistakes", "-m", "guide.json"))

    def test_a_limit(self):
        told = self.certify(self.noisy(), "--mistakes", "--limit", "1", verdict="overlapping")
        self.assertEqual(told["mistakes"]["at_least"], 1)

    def test_conflicting_twins_cost_a_mistake_each(self):
        data = self.write("twins.svm", "1 1:1\n-1 1:1\n1 1:2\n-1 1:2\n-1 1:0\n")
        mistakes = self.answer("certify", data, "--mistakes")["mistakes"]
        self.assertEqual(mistakes["at_least"], 2)
        self.check_sets(mistakes)

    def test_separable_rows_cost_none(self):
        mistakes = self.answer("certify", self.generate("and"), "--mistakes")["mistakes"]
        self.assertEqual((mistakes["at_least"], mistakes["at_most"], mistakes["witnesses"]), (0, 0, []))


class Verify(CertifyTest):
    def proof_of(self, name, *options):
        data = self.generate(name)
        self.run_program("certify", data, "-o", "proof.json", *options)
        return data

    def tampered(self, change):
        proof = json.loads(self.read("proof.json"))
        change(proof)
        return self.write("tampered.json", json.dumps(proof))

    def refused(self, *arguments):
        told = self.answer("verify", *arguments, code=1)
        self.assertFalse(told["valid"])
        self.assertFalse(self.checked_by_python(*arguments))
        return told

    def test_a_witness_needs_no_data(self):
        self.proof_of("xor")
        told = self.answer("verify", "proof.json")
        self.assertEqual((told["valid"], told["claim"], told["needs_data"]), (True, "overlapping", False))
        self.assertTrue(self.checked_by_python("proof.json"))
        self.assertIn("valid", self.words("verify", "proof.json"))

    def test_a_separator_needs_the_data_and_says_so(self):
        data = self.proof_of("and")
        self.assertTrue(self.refused("proof.json")["needs_data"])
        self.assertIn("linsep verify proof.json DATA", self.words("verify", "proof.json", code=1))
        self.assertIn("valid", self.words("verify", "proof.json", data))

    def test_other_data_are_refused(self):
        self.proof_of("and")
        self.refused("proof.json", self.generate("or"))
        self.refused("proof.json", self.write("short.svm", "-1 1:0 2:0\n1 1:1 2:1\n"))

    def test_a_tampered_witness_is_refused(self):
        data = self.proof_of("xor")
        other = self.tampered(lambda proof: proof["witness"][0].update(alpha="2"))
        self.refused(other)
        self.refused(other, data)
        self.assertIn("not valid", self.words("verify", other, code=1))

    def test_a_false_claim_is_refused(self):
        data = self.proof_of("and")
        self.refused(self.tampered(lambda proof: proof.update(claim="overlapping")), data)
        self.refused(self.tampered(lambda proof: proof["levels"][0].update({"1": "-100"})), data)

    def test_a_greater_margin_is_refused(self):
        data = self.proof_of("and")
        self.refused(self.tampered(lambda proof: proof["margin"].update(at_least_squared="1/4")), data)

    def test_files_that_are_no_proof(self):
        self.write("text.json", "no proof")
        self.write("model.json", '{"linsep_model": 1}')
        for name in ("text.json", "model.json", "nowhere.json"):
            self.assertIn(name, self.complaint("verify", name, code=3))
        self.proof_of("xor")
        self.complaint("verify", "proof.json", "nowhere.svm", code=3)


class Usage(CertifyTest):
    def test_what_excludes_each_other(self):
        data = self.generate("xor")
        for options in (["--maps", "--map", "products"], ["--maps", "--mistakes"], ["--limit", "3"]):
            self.complaint("certify", data, *options, code=2)
        self.complaint("certify", code=2)
        self.complaint("verify", code=2)
        self.complaint("certify", "-", stdin="1 1:1\n", code=2)

    def test_help_fits_and_shows_examples(self):
        for verb in ("certify", "verify"):
            text = self.words(verb, "--help")
            self.assertGreaterEqual(text.split("Examples:\n")[1].count(f"linsep {verb} "), 2)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_train_advises_a_command_that_works(self):
        self.assertIn("linsep certify xor.svm", self.words("train", "--learner", "perceptron", self.generate("xor")))

    def test_the_proof_appears_whole_or_not_at_all(self):
        self.complaint("certify", self.generate("xor"), "-o", "no/such/folder.json", code=4)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["xor.svm"])


class Limits(CertifyTest):
    def hard(self):
        self.run_program("generate", "noisy", "--rows", "3000", "--features", "60", "--flip", "0.2", "-o", "hard.svm")
        return "hard.svm"

    def test_time_ends_the_packing_with_what_is_proven(self):
        began = time.monotonic()
        told = self.answer("certify", self.hard(), "--mistakes", "--time", "1.5", "-o", "proof.json")
        self.assertLess(time.monotonic() - began, 60)
        if told["verdict"] != "undecided" or told["certificate"]:
            self.assertTrue(self.answer("verify", "proof.json", "hard.svm")["valid"])

    def test_control_c_ends_with_what_is_proven(self):
        data = self.hard()
        process = subprocess.Popen([PROGRAM, "certify", data, "--mistakes", "--json"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        if out:  # not still reading
            self.assertIn(json.loads(out)["verdict"], ("overlapping", "quasi-separable", "undecided"))


@unittest.skipUnless(os.environ.get("LINSEP_DATA"), "LINSEP_DATA isn't set: no real data sets")
class RealData(CertifyTest):
    def path(self, name):
        return Path(os.environ["LINSEP_DATA"]).resolve() / name

    def test_breast_cancer_and_sonar_are_separable(self):
        for name in ("breast_cancer.csv", "sonar.csv"):
            told = self.certify(self.path(name), verdict="separable")
            self.assertGreater(told["margin"], 0)

    def test_spambase_is_not_separable(self):
        told = self.answer("certify", self.path("spambase.csv"), "-o", "proof.json")
        self.assertIn(told["verdict"], ("quasi-separable", "overlapping"))
        self.assertTrue(self.answer("verify", "proof.json", self.path("spambase.csv"))["valid"])

    def test_endometrial_is_quasi_separable_by_nv(self):
        data = self.path("endometrial.csv")
        told = self.answer("certify", data, "--label", "HG", "-o", "proof.json")
        self.assertEqual(told["verdict"], "quasi-separable")
        self.assertEqual([(each["feature"], each["sign"]) for each in told["infinite"]], [("NV", 1)])
        self.assertEqual([each["estimate"] for each in told["coefficients"]], ["+infinity", "finite", "finite", "finite"])
        self.assertIn("NV to +∞", self.words("certify", data, "--label", "HG"))
        self.assertTrue(self.answer("verify", "proof.json", data, "--label", "HG")["valid"])
        self.assertTrue(self.checked_by_python("proof.json", data, "--label", "HG"))

    def test_pcmac_is_separable_by_signs_alone(self):
        told = self.certify(self.path("pcmac.svm"), verdict="separable")
        self.assertEqual(told["peeled"], told["rows"])

    def test_a9a_and_w8a_are_quasi_separable(self):
        for name, peeled in (("a9a.svm", 87), ("w8a.svm", 7592)):
            told = self.answer("certify", self.path(name), "-o", "proof.json")
            self.assertEqual((told["verdict"], told["peeled"]), ("quasi-separable", peeled))
            self.assertGreaterEqual(told["separated"], peeled)
            self.assertTrue(self.answer("verify", "proof.json", self.path(name))["valid"])

    def test_a9a_costs_at_least_1433_mistakes(self):
        told = self.answer("certify", self.path("a9a.svm"), "--mistakes", "--limit", "1433", "--time", "120")
        self.assertEqual(told["mistakes"]["at_least"], 1433)

    def test_madelon_is_not_separable(self):
        told = self.answer("certify", self.path("madelon.svm"), "-o", "proof.json")
        self.assertIn(told["verdict"], ("quasi-separable", "overlapping"))
        self.assertTrue(self.answer("verify", "proof.json")["valid"])


if __name__ == "__main__":
    unittest.main()
