"""Cluster-robust standard errors against statsmodels and against their definition with 100 digits; and that `--cluster` reads its column
from raw tables and numeric ones alike."""
import math
import random
import subprocess
import tempfile
import unittest
import warnings
from decimal import Decimal
from pathlib import Path

from fitted import PROGRAM, fit_file
from oracle import Maximum, solve
from test_peers import drawn

SETS = 12


def write_table(folder, x, y, cluster):
    path = Path(folder) / "rows.csv"
    lines = [",".join([f"x{j}" for j in range(len(x[0]))] + ["site", "y"])]
    lines += [",".join([*map(repr, row), str(site), str(label)]) for row, site, label in zip(x, cluster, y)]
    path.write_text("\n".join(lines) + "\n")
    return path


def clustered_set(seed, words):
    """Rows of a peer's set, and clusters whose rows resemble each other: some are flipped to the label of the row before."""
    x, y = drawn(seed)
    draw = random.Random(f"clusters {seed}")
    count = draw.randint(8, 40)
    cluster = sorted(draw.randrange(count) for _ in y)
    for i in range(1, len(y)):
        if cluster[i] == cluster[i - 1] and draw.random() < 0.4:
            y[i] = y[i - 1]
    order = list(range(len(y)))
    draw.shuffle(order)
    name = (lambda g: f"site {g}") if words else (lambda g: 10 * g)
    return [x[i] for i in order], [y[i] for i in order], [name(cluster[i]) for i in order]


def definition(x, y, cluster, beta):
    """Standard errors: information⁻¹·Σ_g s_g·s_gᵀ·information⁻¹, times G/(G − 1)·(n − 1)/(n − k), with 100 digits."""
    rows = [[Decimal(1), *map(Decimal, row)] for row in x]
    there = Maximum.__new__(Maximum)
    there.x, there.sign, there.offset = rows, [1 if label else -1 for label in y], [Decimal(0)] * len(y)
    _, _, information = there.at(beta)
    score = {}
    for row, label, site in zip(rows, y, cluster):
        z = sum(b * v for b, v in zip(beta, row))
        residual = label - 1 / (1 + (-z).exp())
        score[site] = [a + residual * v for a, v in zip(score.get(site, [Decimal(0)] * len(row)), row)]
    k, n, groups = len(beta), len(y), len(score)
    factor = Decimal(groups) / (groups - 1) * (n - 1) / (n - k)
    errors = []
    for j in range(k):
        unit = solve(information, [Decimal(1) if i == j else Decimal(0) for i in range(k)])
        square = sum(sum(a * b for a, b in zip(unit, each)) ** 2 for each in score.values())
        errors.append(float((factor * square).sqrt()))
    return errors


class Clusters(unittest.TestCase):
    def answers(self, sets):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, 4 * sets):
                x, y, cluster = clustered_set(seed, seed % 2 == 0)
                answer = fit_file(write_table(folder, x, y, cluster), "--label", "y", "--cluster", "site")
                if answer["separation"] == "overlapping" and not answer["aliases"]:
                    yield seed, x, y, cluster, answer
                    sets -= 1
                if sets == 0:
                    return

    def test_statsmodels(self):
        try:
            import numpy as np
            import statsmodels.api as sm
        except ImportError:
            self.skipTest("statsmodels isn't installed")
        for seed, x, y, cluster, answer in self.answers(SETS):
            with self.subTest(seed=seed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                design = sm.add_constant(np.asarray(x, float), has_constant="add")
                unit = np.abs(design).max(0)
                groups = np.unique(cluster, return_inverse=True)[1]
                fit = sm.Logit(np.asarray(y), design / unit).fit(disp=0, method="newton", tol=1e-14, maxiter=100, cov_type="cluster",
                                                                  cov_kwds={"groups": groups})
                self.assertEqual(answer["clusters"], {"column": "site", "count": len(set(cluster))})
                for each, wanted, p in zip(answer["coefficients"], fit.bse / unit, fit.pvalues):
                    self.assertAlmostEqual(each["standard_error"] / wanted, 1, delta=1e-6)
                    self.assertAlmostEqual(each["wald_p"], p, delta=1e-6)
                joint = np.eye(len(unit))[1:]
                wald = fit.wald_test(joint, scalar=True)
                self.assertAlmostEqual(answer["overall"]["chi_square"] / float(wald.statistic), 1, delta=1e-6)
                self.assertEqual(answer["overall"]["test"], "wald")

    def test_definition(self):
        for seed, x, y, cluster, answer in self.answers(3):
            with self.subTest(seed=seed):
                beta = Maximum([[1, *row] for row in x], y).beta
                for each, wanted in zip(answer["coefficients"], definition(x, y, cluster, beta)):
                    self.assertAlmostEqual(each["standard_error"] / wanted, 1, delta=1e-9)

    def test_rows_without_a_cluster_are_left_out(self):
        x, y, cluster = clustered_set(3, True)
        with tempfile.TemporaryDirectory() as folder:
            some = ["" if i % 10 == 0 else site for i, site in enumerate(cluster)]
            found = fit_file(write_table(folder, x, y, some), "--label", "y", "--cluster", "site")
            there = [i for i in range(len(y)) if i % 10 != 0]
            path = write_table(folder, [x[i] for i in there], [y[i] for i in there], [cluster[i] for i in there])
            wanted = fit_file(path, "--label", "y", "--cluster", "site")
        self.assertEqual(found["dropped"]["missing_value"], len(y) - len(there))
        self.assertEqual(found["dropped"]["missing_by_column"], {"site": len(y) - len(there)})
        self.assertEqual([each["standard_error"] for each in found["coefficients"]],
                         [each["standard_error"] for each in wanted["coefficients"]])

    def test_categories_and_an_infinite_coefficient(self):
        """Wald's joint test of a category; and in the limiting model only its own rows and clusters count."""
        lines = ["site,stage,dose,nv,ill"]
        draw = random.Random(4)
        for i in range(240):
            stage, nv = draw.choice(["I", "II", "III"]), 1 * (draw.random() < 0.1)
            ill = 1 if nv else 1 * (draw.random() < 0.3 + 0.2 * (stage == "III"))
            lines.append(f"clinic {i % 17},{stage},{draw.randint(1, 9)},{nv},{ill}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "patients.csv"
            path.write_text("\n".join(lines) + "\n")
            all_rows = fit_file(path, "--label", "ill", "--cluster", "site")
            path.write_text("\n".join(line for i, line in enumerate(lines) if i == 0 or line.split(",")[3] == "0") + "\n")
            limit = fit_file(path, "--label", "ill", "--cluster", "site", "--ignore", "nv")
        infinite = [each for each in all_rows["coefficients"] if each["name"] == "nv"][0]
        self.assertEqual(infinite["status"], "+infinity")
        self.assertTrue(math.isnan(infinite["standard_error"]))
        finite = [each for each in all_rows["coefficients"] if each["name"] != "nv"]
        for a, b in zip(finite, limit["coefficients"]):
            self.assertAlmostEqual(a["standard_error"] / b["standard_error"], 1, delta=1e-9)
        self.assertEqual([term["test"] for term in all_rows["terms"]], ["wald"])
        self.assertEqual(all_rows["terms"][0]["degrees"], 2)
        self.assertAlmostEqual(all_rows["terms"][0]["chi_square"] / limit["terms"][0]["chi_square"], 1, delta=1e-8)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_table(folder, *clustered_set(1, True))
            for options, words in ((["--cluster", "nosuch"], "nosuch"), (["--cluster", "site", "--firth"], "--cluster needs"),
                                   (["--cluster", "site", "--robust"], "not both"), (["--cluster", "y"], "y")):
                done = subprocess.run([PROGRAM, "logit", str(path), "--label", "y", *options], capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0, options)
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
