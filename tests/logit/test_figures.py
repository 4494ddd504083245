"""Published figures. endometrial and sex2 are read from LINSEP_DATA; the lizards are counts, which stand here."""
import csv
import math
import os
import tempfile
import unittest
from pathlib import Path

from fitted import fit_file
from oracle import flac, flic

DATA = Path(os.environ.get("LINSEP_DATA", "/nonexistent"))
# Grahami and opalinus lizards by height (≥ 5 ft), diameter (> 2 in), light (shady) and time: midday, late (Schoener, 1970).
LIZARDS = """20 2 0 0 0 0;8 1 0 0 0 1;4 4 0 0 0 2;13 0 1 0 0 0;8 0 1 0 0 1;12 0 1 0 0 2;8 3 0 1 0 0;4 1 0 1 0 1;5 3 0 1 0 2;
6 0 1 1 0 0;0 0 1 1 0 1;1 1 1 1 0 2;34 11 0 0 1 0;69 20 0 0 1 1;18 10 0 0 1 2;31 5 1 0 1 0;55 4 1 0 1 1;13 3 1 0 1 2;
17 15 0 1 1 0;60 32 0 1 1 1;8 8 0 1 1 2;12 1 1 1 1 0;21 5 1 1 1 1;4 4 1 1 1 2"""


class Figures(unittest.TestCase):
    def column(self, answer, name):
        return [each[name] for each in answer["coefficients"]]

    def near(self, found, wanted, delta):
        self.assertEqual(len(found), len(wanted))
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(a, b, delta=delta)

    def fit(self, name, *options):
        if not (DATA / name).exists():
            self.skipTest(f"{name} isn't in LINSEP_DATA")
        return fit_file(DATA / name, *options)

    def test_endometrial_has_a_limiting_model(self):
        answer = self.fit("endometrial.csv", "--label", "HG")
        self.assertEqual(answer["separation"], "quasi-separable")
        intercept, nv, pi, eh = answer["coefficients"]
        self.near([intercept["estimate"], pi["estimate"], eh["estimate"]], [4.30451778, -0.0421834, -2.90260561], 1e-8)
        self.near([each["standard_error"] for each in (intercept, pi, eh)], [1.63729864, 0.04433197, 0.84555156], 1e-8)
        self.assertEqual((nv["status"], nv["estimate"], nv["high"]), ("+infinity", math.inf, math.inf))
        self.assertTrue(math.isnan(nv["standard_error"]) and math.isnan(nv["wald_p"]))
        by_profile = self.fit("endometrial.csv", "--label", "HG", "--infinite-interval", "profile")["coefficients"][1]
        self.assertAlmostEqual(by_profile["low"], 1.28411179, delta=1e-8)
        self.assertAlmostEqual(by_profile["odds_ratio_low"], 3.6115, delta=1e-4)
        self.assertLess(nv["low"], by_profile["low"])
        self.assertAlmostEqual(nv["chi_square"], 9.35764301, delta=1e-8)
        self.assertAlmostEqual(answer["log_likelihood"], -27.69663018, delta=1e-8)
        self.assertEqual((answer["rows"], answer["separated_rows"]), (79, 13))

    def test_endometrial_by_firth(self):
        answer = self.fit("endometrial.csv", "--label", "HG", "--firth")
        self.near(self.column(answer, "estimate"), [3.77455951, 2.92927330, -0.03475175, -2.60416387], 1e-6)
        self.near(self.column(answer, "standard_error"), [1.48869, 1.55076, 0.03958, 0.77602], 1e-5)
        self.near(self.column(answer, "low"), [1.0825371, 0.6097244, -0.1244587, -4.3651832], 1e-6)
        self.near(self.column(answer, "high"), [7.20928050, 7.85463171, 0.04045547, -1.23272106], 1e-6)

    def test_sex2_by_firth(self):
        answer = self.fit("sex2.csv", "--label", "case", "--firth")
        self.near(self.column(answer, "estimate"),
                  [0.12025405, -1.10598131, -0.06881673, 2.26887464, -2.11140817, -0.78831694, 3.09601166], 1e-6)
        self.near(self.column(answer, "low"), [-0.8185591, -1.9737884, -0.9414363, 1.2730216, -3.2608611, -1.6080879, 0.7745682], 1e-6)
        self.near(self.column(answer, "high"),
                  [1.07315122, -0.30742514, 0.78920202, 3.43543273, -1.11773495, 0.01518468, 8.03029352], 1e-6)
        self.near(self.column(answer, "chi_square"),
                  [0.06286298, 7.50773092, 0.02467044, 22.93139022, 19.10407252, 3.69740975, 7.89693139], 1e-6)
        for found, wanted in zip(self.column(answer, "p"), [8.020268e-01, 6.143472e-03, 8.751911e-01, 1.678877e-06, 1.237805e-05,
                                                            5.449701e-02, 4.951873e-03]):
            self.assertAlmostEqual(found / wanted, 1, delta=1e-5)
        errors = self.column(answer, "standard_error")
        self.near([errors[0], errors[-1]], [0.48554151, 1.67500841], 1e-6)
        self.assertAlmostEqual(answer["overall"]["chi_square"], 49.09064, delta=1e-5)
        self.assertEqual(answer["overall"]["degrees"], 6)
        # logistf's own standard errors and Wald statistic, which counts the intercept. It stops early: dia to 1e-6.
        errors = self.column(answer, "standard_error_logistf")
        self.near([errors[0], errors[-1]], [0.4763429, 1.5052197], 2e-6)
        self.assertAlmostEqual(answer["wald_logistf"], 31.96835, delta=2e-5)
        self.assertAlmostEqual(answer["overall_wald"]["chi_square"], 30.6406605, delta=1e-6)
        self.assertAlmostEqual(answer["overall"]["p"] / 7.15089e-09, 1, delta=1e-5)

    def test_flic_and_flac_by_their_definitions(self):
        for name, label in (("sex2.csv", "case"), ("endometrial.csv", "HG")):
            answers = [self.fit(name, "--label", label, option)["coefficients"] for option in ("--flic", "--flac")]
            with open(DATA / name, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            x = [[1.0, *(float(row[each["name"]]) for each in answers[0][1:])] for row in rows]
            y = [int(row[label]) for row in rows]
            wanted, errors = flac(x, y)
            self.near([each["estimate"] for each in answers[0]], flic(x, y), 1e-7)
            self.near([each["estimate"] for each in answers[1]], wanted, 1e-7)
            self.near([each["standard_error"] for each in answers[1]], errors, 1e-6)

    def test_lizards_by_firth(self):
        rows = ["grahami,weight,height,diameter,light,midday,late"]
        for each in LIZARDS.replace("\n", "").split(";"):
            grahami, opalinus, height, diameter, light, time = map(int, each.split())
            rest = f"{height},{diameter},{light},{1 * (time == 1)},{1 * (time == 2)}"
            rows += [f"1,{grahami},{rest}", f"0,{opalinus},{rest}"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lizards.csv"
            path.write_text("\n".join(rows) + "\n")
            answer = fit_file(path, "--label", "grahami", "--weight", "weight", "--firth")
        self.near(self.column(answer, "estimate"), [1.901833086, 1.106426283, -0.753629211, -0.817659279, 0.227960386, -0.727311109], 1e-8)
        self.near(self.column(answer, "standard_error"), [.337353354, .254403284, .210271522, .318605746, .248841080, .297458160], 1e-8)


if __name__ == "__main__":
    unittest.main()
