"""Drawn overlapping sets: estimates, standard errors, likelihood ratios and intervals against statsmodels and R's glm, Firth's against
brglm2; as far as these are installed."""
import math
import random
import shutil
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

from fitted import asked_sets, fit_rows
from oracle import penalised
from test_oracle import drawn as small

SETS = asked_sets(12)
R = shutil.which("Rscript")

SCRIPT = """
args <- commandArgs(trailingOnly = TRUE)
brglm <- suppressWarnings(suppressMessages(require(brglm2)))
out <- file(args[2], "w")
for (path in readLines(args[1])) {
  d <- read.csv(path)
  tight <- list(epsilon = 1e-14, maxit = 200)
  m <- glm(y ~ ., binomial, d, control = tight)
  s <- summary(m)$coefficients
  ratio <- sapply(names(d)[names(d) != "y"], function(n)
    deviance(glm(as.formula(paste("y ~ . -", n)), binomial, d, control = tight)) - deviance(m))
  firth <- if (brglm) summary(glm(y ~ ., binomial, d, method = "brglmFit", type = "AS_mean", epsilon = 1e-13, maxit = 5000))$coefficients
  line <- c(s[, 1], s[, 2], ratio, as.numeric(logLik(m)), AIC(m), if (brglm) c(firth[, 1], firth[, 2]))
  cat(sprintf("%.17g", line), "\\n", file = out)
}
close(out)
"""

# Firth's estimates alone; NA where brglm2 doesn't converge.
FIRTH = """
args <- commandArgs(trailingOnly = TRUE)
out <- file(args[2], "w")
if (!suppressWarnings(suppressMessages(require(brglm2)))) quit(status = 77)
for (path in readLines(args[1])) {
  m <- suppressWarnings(glm(y ~ ., binomial, read.csv(path), method = "brglmFit", type = "AS_mean", epsilon = 1e-12, maxit = 2000, slowit = 0.5))
  cat(if (m$converged) sprintf("%.17g", c(coef(m), sqrt(diag(vcov(m))))) else "NA", "\\n", file = out)
}
close(out)
"""


def drawn(seed):
    draw = random.Random(seed)
    features, rows = draw.randint(1, 5), draw.randint(60, 300)
    scale = [10 ** draw.uniform(-2, 3) for _ in range(features)]
    centre = [draw.choice([0, 0, 5, 100]) for _ in range(features)]
    binary = [draw.random() < 0.4 for _ in range(features)]
    weight = [draw.gauss(0, 0.7) for _ in range(features)]
    x, y = [], []
    for _ in range(rows):
        unit = [1.0 * (draw.random() < 0.4) if b else draw.gauss(0, 1) for b in binary]
        x.append([u if b else float(f"{(u + c) * s:.6g}") for u, b, s, c in zip(unit, binary, scale, centre)])
        z = sum(u * w for u, w in zip(unit, weight)) + 0.3
        y.append(1 * (draw.random() < 1 / (1 + math.exp(-z))))
    return x, y


def drawn_sets():
    """Overlapping ones without aliased columns, with the program's answers."""
    found, seed = [], 0
    while len(found) < SETS:
        seed += 1
        x, y = drawn(seed)
        answer = fit_rows(x, y)
        if answer["separation"] == "overlapping" and not answer["aliases"]:
            found.append((seed, x, y, answer))
    return found


class Peers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sets = drawn_sets()

    def close(self, found, wanted, what):
        self.assertLessEqual(abs(found - wanted), 1e-6 * max(1.0, abs(wanted)), f"{what}: {found} for {wanted}")

    def test_statsmodels(self):
        try:
            import numpy as np
            import statsmodels.api as sm
        except ImportError:
            self.skipTest("statsmodels isn't installed")
        for seed, x, y, answer in self.sets:
            with self.subTest(seed=seed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                design = sm.add_constant(np.asarray(x, float), has_constant="add")
                unit = np.where(np.abs(design).max(0) > 0, np.abs(design).max(0), 1)
                fit = sm.Logit(np.asarray(y), design / unit).fit(disp=0, method="newton", tol=1e-14, maxiter=100)
                robust = sm.Logit(np.asarray(y), design / unit).fit(disp=0, method="newton", tol=1e-14, maxiter=100, cov_type="HC1")
                self.close(answer["log_likelihood"], fit.llf, "log-likelihood")
                self.close(answer["overall"]["chi_square"], fit.llr, "overall")
                self.close(answer["bic"], fit.bic, "BIC")
                ours = fit_rows(x, y, "--robust")["coefficients"]
                for each, sandwich, b, se, hc in zip(answer["coefficients"], ours, fit.params / unit, fit.bse / unit, robust.bse / unit):
                    self.close(each["estimate"], b, "estimate")
                    self.close(each["standard_error"], se, "standard error")
                    # Of a Logit statsmodels' HC1 is HC0: without the factor n/(n − k).
                    self.close(sandwich["standard_error"], hc * (len(y) / (len(y) - len(unit))) ** 0.5, "robust error")

    def run_r(self, script, sets):
        """The numbers that a script prints for each set, a line each."""
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            paths = []
            for seed, x, y in sets:
                path = folder / f"{seed}.csv"
                rows = [",".join([f"x{j}" for j in range(len(x[0]))] + ["y"])]
                rows += [",".join(map(repr, [*row, label])) for row, label in zip(x, y)]
                path.write_text("\n".join(rows) + "\n")
                paths.append(str(path))
            (folder / "paths").write_text("\n".join(paths) + "\n")
            (folder / "fit.R").write_text(script)
            done = subprocess.run([R, "fit.R", "paths", "out"], cwd=folder, capture_output=True, text=True, timeout=800)
            if done.returncode == 77:
                self.skipTest("brglm2 isn't installed")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = (folder / "out").read_text().splitlines()
        self.assertEqual(len(lines), len(sets))
        return [[float(word) for word in line.split() if word != "NA"] for line in lines]

    def test_firth_under_separation(self):
        if R is None:
            self.skipTest("R isn't installed")
        sets, answers = [], []
        for seed in range(1, 40 * SETS):
            x, y = small(seed)
            if len(set(y)) < 2 or len(sets) == SETS:
                continue
            answer = fit_rows(x, y, "--firth", "--wald")
            if answer["separation"] != "overlapping" and not answer["aliases"]:
                sets.append((seed, x, y))
                answers.append(answer["coefficients"])
        compared = 0
        for (seed, x, y), found, line in zip(sets, answers, self.run_r(FIRTH, sets)):
            with self.subTest(seed=seed):
                k = len(found)
                if not line:
                    continue
                compared += 1
                design, ours = [[1, *row] for row in x], [each["estimate"] for each in found]
                higher = penalised(design, y, ours) - penalised(design, y, line[:k])
                self.assertGreater(higher, -1e-9)
                if higher > 1e-6:
                    continue  # several maxima: brglm2's is lower
                for each, wanted, error in zip(found, line[:k], line[k:]):
                    self.close(each["estimate"], wanted, "Firth's estimate")
                    self.close(each["standard_error"], error, "Firth's standard error")
        self.assertGreater(compared, SETS // 2)

    def test_r(self):
        if R is None:
            self.skipTest("R isn't installed")
        lines = self.run_r(SCRIPT, [(seed, x, y) for seed, x, y, _ in self.sets])
        for (seed, x, y, answer), line in zip(self.sets, lines):
            with self.subTest(seed=seed):
                k = len(answer["coefficients"])
                take = lambda count: [line.pop(0) for _ in range(count)]
                b, se, ratio, (value, aic) = take(k), take(k), take(k - 1), take(2)
                for each, wanted, error in zip(answer["coefficients"], b, se):
                    self.close(each["estimate"], wanted, "estimate")
                    self.close(each["standard_error"], error, "standard error")
                for each, wanted in zip(answer["coefficients"][1:], ratio):
                    self.close(each["chi_square"], wanted, "likelihood ratio")
                self.close(answer["log_likelihood"], value, "log-likelihood")
                self.close(answer["aic"], aic, "AIC")
                if not line:
                    continue  # no brglm2
                firth = fit_rows(x, y, "--firth", "--wald")["coefficients"]
                for each, wanted, error in zip(firth, take(k), take(k)):
                    self.close(each["estimate"], wanted, "Firth's estimate")
                    self.close(each["standard_error"], error, "Firth's standard error")


if __name__ == "__main__":
    unittest.main()
