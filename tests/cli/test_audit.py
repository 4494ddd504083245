"""certify --model with LIBLINEAR's models and weights as CSV: bounds against objectives in 50 digits, and what is refused."""

import json
import random
import shutil
import subprocess
import sys
import unittest
from decimal import Context, Decimal, localcontext
from pathlib import Path

from program import CommandLineTest

CHECKER = Path(__file__).resolve().parents[2] / "checker" / "verify_certificate.py"
TRAIN = shutil.which("liblinear-train")
LOSSES = {0: "logistic", 1: "squared-hinge", 2: "squared-hinge", 3: "hinge", 7: "logistic"}


def objective(rows, loss, lam, weights, theta, offset, kappa):
    """In 50 digits: the mean loss of weighted rows, plus λ/2·(‖θ‖² + κ·θ0²). `rows`: (y, values as text)."""
    with localcontext(Context(prec=50)):
        total = mean = Decimal(0)
        for y, x in rows:
            margin = y * (sum((t * Decimal(v) for t, v in zip(theta, x)), Decimal(0)) + offset)
            slack = max(Decimal(0), 1 - margin)
            value = {"hinge": slack, "squared-hinge": slack * slack}.get(loss)
            mean += weights[y > 0] * ((1 + (-margin).exp()).ln() if value is None else value)
            total += weights[y > 0]
        return mean / total + lam / 2 * (sum(t * t for t in theta) + (kappa or 0) * offset * offset)


class Audit(CommandLineTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.rows = []
        for _ in range(80):
            x = [draw.gauss(0, 1), draw.gauss(0, 10), draw.gauss(1, 0.1)]
            self.rows.append((1 if x[0] - 0.1 * x[1] + draw.gauss(0, 1) > 0.3 else -1, [f"{v:.3f}" for v in x]))
        self.save(self.rows)

    def save(self, rows):
        self.write("rows.svm", "".join(f"{y:+d} " + " ".join(f"{j}:{v}" for j, v in enumerate(x, 1)) + "\n" for y, x in rows))
        self.write("rows.csv", "dose,age,\"a, b\",y\n" + "".join(",".join([*x, "ill" if y > 0 else "well"]) + "\n" for y, x in rows))

    def least(self, loss, lam, weights, kappa, start):
        """A low objective near a start, by steps along each weight; none can be below a bound."""
        theta, step = [float(value) for value in start], 0.1
        at = lambda w: float(objective(self.rows, loss, lam, weights, [Decimal(v) for v in w[:3]], Decimal(w[3]), kappa))
        best = at(theta)
        for _ in range(400):
            moves = [[*theta[:j], theta[j] + d, *theta[j + 1 :]] for j in range(4 if kappa is not None else 3) for d in (-step, step)]
            value, move = min((at(move), move) for move in moves)
            if value < best:
                best, theta = value, move
            else:
                step /= 2
            if step < 1e-4:
                break
        return best

    def check(self, proof="proof.json", data="rows.svm", *more, code=0):
        """By both checkers."""
        self.run_program("verify", proof, data, *more, code=code)
        done = subprocess.run([sys.executable, "-I", CHECKER, proof, data, *more], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode != 0, code != 0, done.stdout + done.stderr)
        return done.stdout


@unittest.skipUnless(TRAIN, "needs LIBLINEAR")
class Liblinear(Audit):
    def train(self, *options, name="model"):
        subprocess.run([TRAIN, "-q", *options, "rows.svm", name], cwd=self.folder, check=True)
        lines = self.read(name).splitlines()
        return [Decimal(line) for line in lines[lines.index("w") + 1 :]], lines

    def test_bounds_enclose_what_fifty_digits_say(self):
        draw = random.Random(1)
        for solver, loss in LOSSES.items():
            for bias, c, weight in (("1", "1", 1), ("-1", "0.1", 1), ("2.5", "10", 3)):
                weights = [Decimal(1), Decimal(weight)]
                w, lines = self.train("-s", str(solver), "-B", bias, "-c", c, "-w1", str(weight))
                sign = 1 if lines[2] == "label 1 -1" else -1
                kappa = 1 / Decimal(bias) ** 2 if bias != "-1" else Decimal(0)
                theta, offset = [sign * v for v in w[:3]], sign * w[3] * Decimal(bias) if len(w) > 3 else Decimal(0)
                lam = 1 / (Decimal(c) * sum(weights[y > 0] for y, _ in self.rows))
                said = self.answer("certify", "rows.svm", "--model", "model", "--C", c, "--class-weight", f"1={weight}", "-o", "proof.json")
                own = objective(self.rows, loss, lam, weights, theta, offset, kappa)
                case = (solver, bias)
                self.assertGreaterEqual(Decimal(said["at_most"]), own, case)
                self.assertLess(Decimal(said["at_most"]), own * (1 + Decimal("1e-9")), case)
                self.assertLess(said["gap"], 0.2, case)
                for _ in range(20):  # no bound is above an objective
                    moved = [v + Decimal(draw.gauss(0, 0.05)) for v in theta]
                    shifted = offset + Decimal(draw.gauss(0, 0.05)) * (len(w) > 3)
                    self.assertLessEqual(Decimal(said["at_least"]), objective(self.rows, loss, lam, weights, moved, shifted, kappa), case)
                least = self.least(loss, lam, weights, kappa if len(w) > 3 else None, [*theta, offset])
                self.assertLessEqual(float(said["at_least"]), least * (1 + 1e-9), case)
                self.assertGreater(float(said["at_least"]), least * 0.98, case)
                self.check()

    def test_a_run_that_stopped_early_is_named_by_how_much(self):
        self.train("-s", "0", "-B", "1", "-e", "0.9")
        words = self.words("certify", "rows.svm", "--model", "model", "--C", "1", "-o", "proof.json")
        self.assertRegex(words, "at least [0-9.]+ % and at most [0-9.]+ % above the best possible one")
        self.assertIn("penalized intercept", words)
        self.assertIn("above it: the reference's objective is lower", self.check())
        proof = json.loads(self.read("proof.json"))
        self.assertEqual(proof["objective"]["offset_penalty"], "1")
        for change in (
            lambda file: file["objective"].update(offset_penalty="0.01"),
            lambda file: file["objective"].pop("offset_penalty"),
            lambda file: file["reference"].update(lower_by=file["at_most"]),
            lambda file: file["reference"]["weights"].update({"1": "5"}),
            lambda file: file.pop("reference"),
        ):
            forged = json.loads(json.dumps(proof))
            change(forged)
            self.write("forged.json", json.dumps(forged))
            self.check("forged.json", code=1)

    def test_the_intercept_may_be_free(self):
        w, lines = self.train("-s", "0", "-B", "1", "-e", "1e-8")
        penalized = self.answer("certify", "rows.svm", "--model", "model", "--C", "1")
        free = self.answer("certify", "rows.svm", "--model", "model", "--C", "1", "--penalize-intercept", "0")
        self.assertEqual((penalized["intercept_penalty"], free["intercept_penalty"]), ("1", "0"))
        self.assertLess(float(free["at_least"]), float(penalized["at_least"]))
        self.assertLess(penalized["gap"], 1e-6)
        self.assertGreater(free["gap"], 1e-6)

    def test_the_other_order_of_labels(self):
        self.save([row for row in self.rows if row[0] < 0] + [row for row in self.rows if row[0] > 0])
        text = self.read("rows.svm").replace("+1 ", "2 ").replace("-1 ", "1 ")
        self.write("rows.svm", text)
        _, lines = self.train("-s", "2", "-B", "1", "-e", "1e-6")
        self.assertEqual(lines[2], "label 1 2")  # the first is what LIBLINEAR calls positive
        self.assertLess(self.answer("certify", "rows.svm", "--model", "model", "--C", "1")["gap"], 1e-6)

    def test_what_is_refused(self):
        self.train("-s", "0", "-B", "1")
        ask = ("certify", "rows.svm", "--model", "model")
        self.assertIn("use --C", self.complaint(*ask, code=2))
        self.assertIn("not both", self.complaint(*ask, "--C", "1", "--lambda", "1", code=2))
        self.assertIn("names the loss", self.complaint(*ask, "--C", "1", "--loss", "hinge", code=2))
        self.assertIn("C must be above 0", self.complaint(*ask, "--C", "0", code=2))
        self.assertIn("C isn't a number: one", self.complaint(*ask, "--C", "one", code=2))
        self.assertIn("how good it is", self.complaint(*ask, "--C", "1", "--mistakes", code=2))
        for solver in ("5", "6"):
            self.train("-s", solver, "-B", "1", name="other")
            self.assertIn("other:1: the objective of the solver L1R_", self.complaint("certify", "rows.svm", "--model", "other", "--C", "1", code=3))
        text = self.read("model")
        self.write("cut", text[: text.index("\nw\n") + 10])
        self.assertIn("cut:7: expected", self.complaint("certify", "rows.svm", "--model", "cut", "--C", "1", code=3))
        self.write("head", text[: text.index("\nw\n")])
        self.assertIn("ends before the weights", self.complaint("certify", "rows.svm", "--model", "head", "--C", "1", code=3))
        self.write("wide", text.replace("nr_feature 3", "nr_feature 2"))
        self.assertIn("3 features", self.complaint("certify", "rows.svm", "--model", "wide", "--C", "1", code=3))
        self.write("three", text.replace("label 1 -1", "label 1 -1 2").replace("label -1 1", "label -1 1 2"))
        self.assertIn("models of two classes", self.complaint("certify", "rows.svm", "--model", "three", "--C", "1", code=3))
        self.write("word", text.rstrip().rpartition("\n")[0] + "\nmany\n")
        self.assertIn("isn't a number: many", self.complaint("certify", "rows.svm", "--model", "word", "--C", "1", code=2))


class Weights(Audit):
    ask = ("certify", "rows.csv", "--label", "y", "--positive", "ill", "--model", "weights.csv")

    def test_by_name_and_by_number(self):
        self.write("weights.csv", 'column,weight\nage,-1e-1\n"a, b",0\nintercept,-0.25\ndose,0.75\n')
        named = self.answer(*self.ask, "--loss", "logistic", "--lambda", "0.01", "-o", "proof.json")
        theta, offset = [Decimal("0.75"), Decimal("-0.1"), Decimal(0)], Decimal("-0.25")
        own = objective(self.rows, "logistic", Decimal("0.01"), [1, 1], theta, offset, 0)
        self.assertTrue(own <= Decimal(named["at_most"]) < own * (1 + Decimal("1e-9")))
        self.assertEqual(named["intercept_penalty"], "0")
        self.check("proof.json", "rows.csv", "--label", "y", "--positive", "ill")
        self.write("weights.csv", "column,weight\n2,-0.1\nx1,0.75\nintercept,-0.25\n")
        numbered = self.answer("certify", "rows.svm", "--model", "weights.csv", "--loss", "logistic", "--C", repr(1 / 0.8))
        self.assertAlmostEqual(float(numbered["at_most"]), float(named["at_most"]), delta=1e-12)

    def test_penalized_intercepts_and_none(self):
        self.write("weights.csv", "column,weight\ndose,0.75\nintercept,-0.25\n")
        ask = (*self.ask, "--loss", "squared-hinge", "--lambda", "0.01")
        free, penalized = self.answer(*ask), self.answer(*ask, "--penalize-intercept", "4")
        self.assertAlmostEqual(float(penalized["at_most"]) - float(free["at_most"]), 0.02 * 0.0625, delta=1e-12)
        self.write("weights.csv", "column,weight\ndose,0.75\n")
        self.assertTrue(self.answer(*ask)["origin"])
        self.assertIn("has none to penalize", self.complaint(*ask, "--penalize-intercept", "1", code=2))

    def test_training_makes_the_bound(self):
        self.write("weights.csv", "column,weight\ndose,-3\nage,1\nintercept,2\n")
        for loss in ("hinge", "squared-hinge", "logistic"):
            said = self.answer(*self.ask, "--loss", loss, "--C", "0.1", "-o", "proof.json")
            self.assertGreater(said["above_best_at_least"], 1)
            self.assertLess(said["above_best_at_most"], said["above_best_at_least"] * 1.02)
            self.check("proof.json", "rows.csv", "--label", "y", "--positive", "ill")
        loose = self.answer(*self.ask, "--loss", "logistic", "--C", "0.1", "--gap", "1")
        self.assertEqual(loose["above_best_at_least"], 0)

    def test_what_is_refused(self):
        self.write("weights.csv", "column,weight\ndose,0.75\nage,1\nage,2\n")
        self.assertIn("--loss", self.complaint(*self.ask, "--C", "1", code=2))
        self.assertIn("how strong", self.complaint(*self.ask, "--loss", "hinge", code=2))
        asked = (*self.ask, "--loss", "hinge", "--C", "1")
        self.assertIn("'age' has two weights", self.complaint(*asked, code=3))
        self.write("weights.csv", "column,weight\ndose,0.75\nheight,1\n")
        self.assertIn("weights.csv:3: the rows have no column 'height'", self.complaint(*asked, code=3))
        self.write("weights.csv", "column,weight\ndose\n")
        self.assertIn("weights.csv:2: expected a column and its weight", self.complaint(*asked, code=3))
        self.run_program("train", "rows.svm", "-o", "model.json", "--quiet")
        self.assertIn("other tools", self.complaint("certify", "rows.svm", "--model", "model.json", "--C", "1", code=2))


if __name__ == "__main__":
    unittest.main()
