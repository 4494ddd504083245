"""Small drawn sets, most of them separable or quasi-separable, against likelihoods maximised with 100 digits. An infinite
coefficient never has a finite number; finite ones, likelihood ratios and ends of intervals are the oracle's. Firth's, FLIC and FLAC
against their definitions."""
import math
import random
import unittest

from fitted import asked_sets, fit_rows
from oracle import Maximum, face_probability, flac, flic, newton, profile, profile_maximum

SETS = asked_sets(25)
HALF_QUANTILE = 3.8414588206941254 / 2
WIDE_HALF_QUANTILE = 10.827566170662733 / 2  # 99.9 %


def drawn(seed):
    draw = random.Random(seed)
    features, rows = draw.randint(1, 3), draw.randint(7, 14)
    x = [[draw.randint(0, 2) if draw.random() < 0.7 else draw.randint(0, 9) for _ in range(features)] for _ in range(rows)]
    y = [draw.randint(0, 1) for _ in range(rows)]
    if draw.random() < 0.6:  # a column that decides some rows
        y = [1 if row[0] == 2 else label for row, label in zip(x, y)]
    return x, y


class Oracle(unittest.TestCase):
    def check_end(self, design, y, full, j, end, method):
        fallen = float(full.value - profile(design, y, j, end))
        if method == "profile":
            self.assertAlmostEqual(fallen, HALF_QUANTILE, delta=1e-7)
            return
        share, p = 0.05 if method == "mid-p" else 0.025, face_probability(full, profile_maximum(design, y, j, end))
        if p > share + 1e-7:  # the face is never that unlikely
            self.assertAlmostEqual(fallen, WIDE_HALF_QUANTILE, delta=1e-7)
        else:
            self.assertAlmostEqual(p, share, delta=1e-7)
            self.assertLess(fallen, WIDE_HALF_QUANTILE)

    def check(self, x, y, answer, method):
        design = [[1, *row] for row in x]
        full = Maximum(design, y)
        self.assertAlmostEqual(answer["log_likelihood"], float(full.value), delta=1e-9)
        for j, each in enumerate(answer["coefficients"]):
            if each["status"] == "undetermined":
                self.assertTrue(math.isnan(each["estimate"]) and math.isnan(each["standard_error"]))
                self.assertEqual((each["chi_square"], each["p"], each["low"], each["high"]), (0, 1, -math.inf, math.inf))
                self.assertAlmostEqual(float(full.value - profile(design, y, j, 3)), 0, delta=1e-9)
                continue
            if each["status"] == "finite":
                self.assertEqual(full.moves(j), 0)
                self.assertAlmostEqual(each["estimate"], float(full.beta[j]), delta=1e-8 * (1 + abs(each["estimate"])))
                self.assertLessEqual(abs(each["estimate"] - float(full.beta[j])), each["error"] + 1e-14)
            else:
                self.assertEqual(full.moves(j), 1 if each["status"] == "+infinity" else -1)
                self.assertEqual(each["estimate"], math.inf if each["status"] == "+infinity" else -math.inf)
                self.assertTrue(math.isnan(each["standard_error"]) and math.isnan(each["z"]))
            ratio = 2 * float(full.value - profile(design, y, j, 0))
            self.assertAlmostEqual(each["chi_square"], ratio, delta=1e-7)
            for end, infinite in ((each["low"], -math.inf), (each["high"], math.inf)):
                if end == infinite:
                    self.assertNotEqual(each["status"], "finite")
                    continue
                self.check_end(design, y, full, j, end, "profile" if each["status"] == "finite" else method)

    def test_drawn_sets(self):
        seen = {"quasi-separable": 0, "separable": 0, "overlapping": 0}
        seed = 0
        while seen["quasi-separable"] < SETS:
            seed += 1
            x, y = drawn(seed)
            if len(set(y)) < 2:
                continue
            method = ("mid-p", "face", "profile")[seed % 3]
            answer = fit_rows(x, y, "--infinite-interval", method)
            kind = answer["separation"]
            # Of overlapping sets others are the judges too: a few will do here.
            if answer["aliases"] or (kind != "quasi-separable" and seen[kind] >= SETS // 4):
                continue
            seen[kind] += 1
            with self.subTest(seed=seed, kind=kind):
                self.check(x, y, answer, method)
        print(seen, "sets up to seed", seed)

    def test_firth_flic_and_flac_by_their_definitions(self):
        compared = 0
        for seed in range(1, 60):
            x, y = drawn(seed)
            if len(set(y)) < 2 or compared == 6:
                continue
            firth = fit_rows(x, y, "--firth")
            if firth["aliases"]:
                continue
            design = [[1.0, *map(float, row)] for row in x]
            # Where there are several maxima plain steps may end at a lower one: these sets say nothing.
            beta, variance, _ = newton(design, y, firth=True)
            if max(abs(a - each["estimate"]) for a, each in zip(beta, firth["coefficients"])) > 1e-4:
                continue
            compared += 1
            with self.subTest(seed=seed):
                for each, b, v in zip(firth["coefficients"], beta, variance):
                    self.assertAlmostEqual(each["estimate"], b, delta=1e-8 * (1 + abs(b)))
                    self.assertAlmostEqual(each["standard_error"], v ** 0.5, delta=1e-7 * (1 + v ** 0.5))
                for each, b in zip(fit_rows(x, y, "--flic")["coefficients"], flic(design, y)):
                    self.assertAlmostEqual(each["estimate"], b, delta=1e-8 * (1 + abs(b)))
                for each, b, error in zip(fit_rows(x, y, "--flac")["coefficients"], *flac(design, y)):
                    self.assertAlmostEqual(each["estimate"], b, delta=1e-7 * (1 + abs(b)))
                    self.assertAlmostEqual(each["standard_error"], error, delta=1e-6 * (1 + error))
        self.assertEqual(compared, 6)


if __name__ == "__main__":
    unittest.main()
