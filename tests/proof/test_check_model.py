"""checker/check_model.py: its bounds enclose optima that a plain solver finds, whatever the model; and models of the program itself."""
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "checker"
sys.path.insert(0, str(CHECKER))
import check_model  # noqa: E402
from read_certificate import parse  # noqa: E402

LINSEP = os.environ.get("LINSEP")
OPTIONS = {"C": 1.0, "class-weight": "", "hard": False, "lambda": 0.0, "loss": "logistic", "negative-weight": 1.0,
           "positive-weight": 1.0, "penalty": "l2", "l1-ratio": 0.0}


def model_text(theta, offset, **changed):
    options = OPTIONS | {name.replace("_", "-"): value for name, value in changed.items() if name.replace("_", "-") in OPTIONS}
    return json.dumps({"format": "linsep model", "version": 1, "learner": "margin", "options": options, "form": "linear",
                       "origin": changed.get("origin", False), "regression": False,
                       "classes": changed.get("classes", ["-1", "1"]), "features": len(theta), "map": "none",
                       "theta": theta, "offset": offset})


def leaves(rows, classes=("-1", "1")):
    yield json.dumps({"rows": len(rows), "features": 2, "negative": classes[0], "positive": classes[1]})
    for i, (y, x) in enumerate(rows, 1):
        entries = "".join(f" {j}:{value / 100:.2f}".rstrip("0").rstrip(".") for j, value in enumerate(x, 1) if value)
        yield f"{i} {'+1' if y > 0 else '-1'}{entries}"


def optimum(rows, loss, weights, penalty, origin, offset_penalty=0.0):
    """The least objective, by Newton's method with halved steps on every entry of (x, 1)."""
    total = sum(weights[y > 0] for y, _ in rows)
    points = [(y, [value / 100 for value in x] + ([] if origin else [1.0])) for y, x in rows]
    size = len(points[0][1])
    penalties = [penalty, penalty, penalty * offset_penalty]

    def value_at(w):
        sums = 0.0
        for y, x in points:
            m = y * sum(a * b for a, b in zip(w, x))
            sums += weights[y > 0] * (math.log1p(math.exp(-abs(m))) + max(0.0, -m) if loss == "logistic" else max(0.0, 1 - m) ** 2)
        return sums / total + sum(p * v * v for p, v in zip(penalties, w)) / 2

    w = [0.0] * size
    best = value_at(w)
    for _ in range(200):
        slope = [p * v for p, v in zip(penalties, w)]
        bend = [[(penalties[i] + 1e-12) * (i == j) for j in range(size)] for i in range(size)]
        for y, x in points:
            m = y * sum(a * b for a, b in zip(w, x))
            if loss == "logistic":
                p = 1 / (1 + math.exp(max(-700.0, min(700.0, m))))
                first, second = -p, p * (1 - p)
            else:
                first, second = -2 * max(0.0, 1 - m), 2.0 * (m < 1)
            share = weights[y > 0] / total
            for i in range(size):
                slope[i] += share * first * y * x[i]
                for j in range(size):
                    bend[i][j] += share * second * x[i] * x[j]
        step = solve(bend, slope)
        length = 1.0
        while length > 1e-12:
            moved = [v - length * s for v, s in zip(w, step)]
            if value_at(moved) < best:
                break
            length /= 2
        else:
            break
        w, best = moved, value_at(moved)
    return best, w


def sparse_optimum(rows, loss, penalty, ratio):
    """The least objective with the penalty λ(ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²), by accelerated proximal steps."""
    points = [(y, (x[0] / 100, x[1] / 100, 1.0)) for y, x in rows]
    count = len(points)
    bend = (0.25 if loss == "logistic" else 2.0) * sum(sum(v * v for v in x) for _, x in points) / count + penalty

    def value_at(w):
        sums = 0.0
        for y, x in points:
            m = y * sum(a * b for a, b in zip(w, x))
            sums += math.log1p(math.exp(-abs(m))) + max(0.0, -m) if loss == "logistic" else max(0.0, 1 - m) ** 2
        return sums / count + penalty * (ratio * (abs(w[0]) + abs(w[1])) + (1 - ratio) / 2 * (w[0] ** 2 + w[1] ** 2))

    w, v, speed = [0.0] * 3, [0.0] * 3, 1.0
    for _ in range(4000):
        slope = [penalty * (1 - ratio) * v[0], penalty * (1 - ratio) * v[1], 0.0]
        for y, x in points:
            m = y * (v[0] * x[0] + v[1] * x[1] + v[2])
            first = -1 / (1 + math.exp(min(700.0, m))) if loss == "logistic" else -2 * max(0.0, 1 - m)
            for j in range(3):
                slope[j] += first * y * x[j] / count
        moved = [a - b / bend for a, b in zip(v, slope)]
        for j in range(2):
            moved[j] = math.copysign(max(0.0, abs(moved[j]) - penalty * ratio / bend), moved[j])
        faster = (1 + math.sqrt(1 + 4 * speed * speed)) / 2
        v = [a + (speed - 1) / faster * (a - b) for a, b in zip(moved, w)]
        w, speed = moved, faster
    return value_at(w), w


def solve(matrix, right):
    rows = [[*row, b] for row, b in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def checked(text, lines):
    model = check_model.Model(text)
    return check_model.bounds(model, model.rows(iter(list(lines))))[:2]


def vector(theta, offset):
    return {"1": f"{theta[0]:.20f}", "2": f"{theta[1]:.20f}", "offset": f"{offset:.20f}"}


def proof_bounds(rows, loss, weights, penalty, offset_penalty, model, witness, reference=None):
    """What a proof may say of these rows at most: the three bounds."""
    data, *lines = leaves(rows)
    objective = {"loss": loss, "penalty": "l2", "lambda": f"{penalty:.20f}", "negative_weight": str(weights[0]), "positive_weight": str(weights[1])}
    if offset_penalty:
        objective["offset_penalty"] = str(offset_penalty)
    file = {"linsep_certificate": 3, "claim": "near-optimal", "origin": False, "data": json.loads(data) | {"root": "0" * 64}, "objective": objective,
            "at_most": "1", "at_least": "0", "model": model, "witness": witness}
    if reference:
        file["reference"] = {"weights": reference, "lower_by": "0"}
    return check_model.bounds(check_model.Proof(parse(json.dumps(file))), check_model.Rows(iter(lines), 2))


class Bounds(unittest.TestCase):
    def test_the_optimum_lies_between_them(self):
        draw = random.Random(7)
        for case in range(60):
            rows = [(draw.choice((-1, 1)), (draw.randint(-300, 300), draw.randint(-300, 300))) for _ in range(draw.randint(4, 30))]
            rows += [(1, (100, 50)), (-1, (-20, 10))]
            loss, origin = draw.choice(("logistic", "squared-hinge")), draw.random() < 0.3
            positive, c = draw.choice((1.0, 2.5)), draw.choice((0.1, 1.0, 10.0))
            weights = (1.0, positive)
            penalty = 1 / (c * sum(weights[y > 0] for y, _ in rows))
            least, found = optimum(rows, loss, weights, penalty, origin)
            theta, offset = found[:2], 0.0 if origin else found[2]
            asked = dict(loss=loss, origin=origin, positive_weight=positive, C=c)
            above, below = checked(model_text(theta, offset, **asked), leaves(rows))
            self.assertLessEqual(float(below), least * (1 + 1e-12), case)
            self.assertLessEqual(least * (1 - 1e-12), float(above), case)
            self.assertLess(float((above - below) / above), 1e-5, case)
            # Any other model: its objective is higher, and the bound below still holds.
            moved = [value + draw.uniform(-1, 1) for value in theta]
            above, below = checked(model_text(moved, 0.0 if origin else offset + draw.uniform(-1, 1), **asked), leaves(rows))
            self.assertLessEqual(float(below), least * (1 + 1e-12), case)
            self.assertLessEqual(least, float(above), case)

    def test_an_intercept_that_is_penalized(self):
        draw = random.Random(11)
        for case in range(40):
            rows = [(draw.choice((-1, 1)), (draw.randint(-300, 300), draw.randint(-300, 300))) for _ in range(draw.randint(4, 30))]
            loss, weights, k = draw.choice(("logistic", "squared-hinge")), (1.0, draw.choice((1.0, 2.5))), draw.choice((0.25, 1.0, 4.0))
            penalty = draw.choice((0.5, 0.05, 0.01))
            least, found = optimum(rows, loss, weights, penalty, False, k)
            best = vector(found[:2], found[2])
            above, below, _ = proof_bounds(rows, loss, weights, penalty, k, best, {"offset": best["offset"]})
            self.assertLessEqual(float(below), least * (1 + 1e-12), case)
            self.assertLess(float(abs(above - below)), 1e-6 * least, case)
            self.assertAlmostEqual(float(above) / least, 1, delta=1e-9)
            # Whatever the shares, the bound is none of the objective whose intercept is free.
            shares = {"shares": "*" * len(rows), "between": [draw.randint(0, 1 << 40) for _ in rows]}
            free = optimum(rows, loss, weights, penalty, False)[0]
            for other, optimal in ((k, least), (0, free)):
                _, below, _ = proof_bounds(rows, loss, weights, penalty, other, best, shares)
                self.assertLessEqual(float(below), optimal * (1 + 1e-12), case)

    def test_a_reference_shows_how_far_a_model_is_at_least(self):
        draw = random.Random(12)
        for case in range(40):
            rows = [(draw.choice((-1, 1)), (draw.randint(-300, 300), draw.randint(-300, 300))) for _ in range(draw.randint(4, 30))]
            rows += [(1, (100, 50)), (-1, (-20, 10))]
            loss, penalty = draw.choice(("logistic", "squared-hinge")), draw.choice((0.5, 0.05))
            least, found = optimum(rows, loss, (1, 1), penalty, False)
            model = vector([value + draw.uniform(-1, 1) for value in found[:2]], found[2])
            best = vector(found[:2], found[2])
            above, below, lower_by = proof_bounds(rows, loss, (1, 1), penalty, 0, model, {"offset": best["offset"]}, best)
            self.assertLess(abs(float(below) / least - 1), 1e-5, case)  # by the reference's scores
            self.assertLessEqual(float(lower_by), float(above) - least + 1e-12, case)
            self.assertAlmostEqual(float(lower_by), float(above) - least, delta=1e-9)
            # A reference that is worse than the model.
            _, _, lower_by = proof_bounds(rows, loss, (1, 1), penalty, 0, best, {"offset": best["offset"]}, model)
            self.assertLessEqual(lower_by, 0, case)

    def test_an_l1_part_of_the_penalty(self):
        draw = random.Random(11)
        for case in range(12):
            rows = [(draw.choice((-1, 1)), (draw.randint(-300, 300), draw.randint(-300, 300))) for _ in range(draw.randint(6, 20))]
            rows += [(1, (100, 50)), (-1, (-20, 10))]
            loss, ratio = draw.choice(("logistic", "squared-hinge")), draw.choice((1.0, 0.5, 0.25))
            penalty = draw.choice((0.02, 0.1, 0.5))
            least, found = sparse_optimum(rows, loss, penalty, ratio)
            asked = {"loss": loss, "lambda": penalty, "l1_ratio": ratio}
            above, below = checked(model_text(found[:2], found[2], **asked), leaves(rows))
            self.assertLessEqual(float(below), least * (1 + 1e-9), case)
            self.assertLessEqual(least * (1 - 1e-9), float(above), case)
            self.assertLess(float((above - below) / above), 1e-4, (case, asked, found))
            above, below = checked(model_text([v + draw.uniform(-1, 1) for v in found[:2]], found[2], **asked), leaves(rows))
            self.assertLessEqual(float(below), least * (1 + 1e-9), case)

    def test_classes_that_are_the_other_way_round(self):
        rows = [(1, (120, 0)), (-1, (-50, 30)), (1, (40, -70)), (-1, (60, 10))]
        straight = checked(model_text([1.0, -0.5], 0.25, classes=["a", "b"]), leaves(rows, ("a", "b")))
        turned = [(-y, x) for y, x in rows]
        self.assertEqual(straight, checked(model_text([1.0, -0.5], 0.25, classes=["a", "b"]), leaves(turned, ("b", "a"))))
        with self.assertRaises(ValueError):
            checked(model_text([1.0, -0.5], 0.25, classes=["a", "c"]), leaves(rows, ("a", "b")))

    def test_weights_of_classes_by_name(self):
        rows = [(1, (120, 0)), (-1, (-50, 30)), (1, (40, -70)), (-1, (60, 10)), (-1, (-90, 15))]
        by_side = checked(model_text([1.0, -0.5], 0.25, positive_weight=1.5), leaves(rows))
        self.assertEqual(by_side, checked(model_text([1.0, -0.5], 0.25, class_weight="1=1.5"), leaves(rows)))
        balanced = checked(model_text([1.0, -0.5], 0.25, class_weight="balanced"), leaves(rows))
        self.assertNotEqual(by_side, balanced)

    def test_a_weight_is_that_many_rows(self):
        draw = random.Random(17)
        for case in range(20):
            rows = [(draw.choice((-1, 1)), (draw.randint(-300, 300), draw.randint(-300, 300))) for _ in range(12)] + [(1, (100, 50)), (-1, (-20, 10))]
            weights = [draw.choice((0, 1, 2, 5)) for _ in rows[2:]] + [1, 1]
            data, *plain = leaves(rows)
            # All twentieths of that: the objective is a mean.
            texts = [f"{weight / 20:.2f}".rstrip("0").rstrip(".") for weight in weights]
            weighed = [data] + [re.sub("([+-]1)", rf"\1*{text}", leaf, count=1) for leaf, text in zip(plain, texts)]
            copies = [row for row, weight in zip(rows, weights) for _ in range(weight)]
            for asked in ({}, {"class_weight": "balanced"}, {"loss": "squared-hinge", "positive_weight": 2.0}):
                asked |= {"lambda": 0.25}
                by_weight = checked(model_text([0.5, -0.25], 0.125, **asked), weighed)
                by_copies = checked(model_text([0.5, -0.25], 0.125, **asked), leaves(copies))
                for one, other in zip(by_weight, by_copies):
                    self.assertAlmostEqual(float(one), float(other), delta=1e-12 * float(other), msg=(case, asked))
        with self.assertRaises(ValueError):
            checked(model_text([0.5, -0.25], 0.125), [data, "1 +1*0 1:1", "2 -1*0 1:2"])
        for bad in ("1 +1*1 1:1", "1 +1*-2 1:1", "1 +1*0.50 1:1", "1 +1* 1:1", "1 +1*1e3 1:1"):
            with self.assertRaises(ValueError, msg=bad):
                checked(model_text([0.5, -0.25], 0.125), [data, bad])

    def test_figures_are_rounded_so_that_they_stay_true(self):
        for number, digits, up, shown in (("1/3", 3, True, "0.334"), ("1/3", 3, False, "0.333"), ("2/3", 3, False, "0.666"),
                                          ("0.046101", 3, True, "0.0462"), ("0.0461", 3, True, "0.0461"), ("0", 3, True, "0"),
                                          ("99.91", 3, True, "100"), ("123456", 3, False, "1.23e+5"), ("0.00000012345", 3, True, "1.24e-7")):
            self.assertEqual(check_model.outward(Fraction(number), digits, up), shown)

    def test_models_without_rules(self):
        for changed in ({"loss": "hinge"}, {"loss": "softmax"}, {"hard": True}):
            with self.assertRaises(check_model.Unknown):
                check_model.Model(model_text([1.0, 0.0], 0.0, **changed))


@unittest.skipUnless(LINSEP, "needs the program")
class Program(unittest.TestCase):
    def run_script(self, *words):
        done = subprocess.run([sys.executable, "-I", CHECKER / "check_model.py", *words], capture_output=True, text=True)
        return done.returncode, done.stdout

    def verify(self, *words):
        done = subprocess.run([sys.executable, "-I", CHECKER / "verify_certificate.py", *words], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_the_gap_that_training_printed_is_proven(self):
        with tempfile.TemporaryDirectory() as folder:
            data, model, rows = f"{folder}/rows.csv", f"{folder}/model.json", f"{folder}/rows.svm"
            subprocess.run([LINSEP, "generate", "patients", "--rows", "300", "--seed", "3", "-o", data], check=True, capture_output=True)
            for loss in ("logistic", "squared-hinge"):
                for more in ((), ("--class-weight", "balanced"), ("--origin",), ("--lambda", "0.01", "--positive-weight", "3")):
                    done = subprocess.run([LINSEP, "train", data, "--id", "patient", "--loss", loss, "--solver", "newton",
                                           "--gap", "1e-6", *more, "-o", model, "--json"], check=True, capture_output=True, text=True)
                    said = json.loads(done.stdout)
                    with open(rows, "wb") as file:
                        subprocess.run([sys.executable, CHECKER / "encode_rows.py", model, data, "--label", "outcome"], check=True, stdout=file)
                    code, out = self.run_script(model, rows, "--gap", repr(1.1 * said["gap"] + 1e-7))
                    self.assertEqual(code, 0, (loss, more, said["gap"], out))
                    objective = float(out.split("at most ")[1].split("\n")[0])
                    self.assertIn(self.run_script(model, data, "--label", "outcome")[0], (2, 3))  # not encoded
                    self.assertAlmostEqual(objective / said["objective"], 1, delta=1e-6)

    def linsep(self, *words, code=0):
        done = subprocess.run([LINSEP, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_proofs_of_models_are_checked_by_both(self):
        with tempfile.TemporaryDirectory() as folder:
            data, model, proof = f"{folder}/rows.svm", f"{folder}/model.json", f"{folder}/proof.json"
            self.linsep("generate", "noisy", "--rows", 300, "--features", 4, "--seed", 2, "-o", data)
            for loss in ("logistic", "squared-hinge"):
                for more in ((), ("--class-weight", "balanced"), ("--origin",), ("--C", "0.01"), ("--lambda", "0.01", "--positive-weight", "3")):
                    trained = json.loads(self.linsep("train", data, "--loss", loss, "--gap", "1e-6", *more, "-o", model, "--json"))
                    proven = json.loads(self.linsep("certify", data, "--model", model, "-o", proof, "--json"))
                    self.assertLessEqual(proven["gap"], 1.1 * trained["gap"] + 1e-7, (loss, more))
                    self.assertAlmostEqual(float(proven["at_most"]) / trained["objective"], 1, delta=1e-6)
                    self.assertIn("valid", self.linsep("verify", proof, data))
                    code, out = self.verify(proof, data)
                    self.assertEqual(code, 0, out)
                    self.assertIn(f"near-optimal ({'through the origin' if more == ('--origin',) else 'with an intercept'}), of any data set "
                                  f"with the root {proven['root']}", out)
                    self.assertIn(f"objective: mean {loss} loss, ", out)
                    self.assertEqual(self.verify(proof, data, "--root", proven["root"])[0], 0)
                    self.assertEqual(self.verify(proof, data, "--root", "0" * 64)[0], 1)
                    self.assertEqual(self.verify(proof)[0], 2)
                    self.assertEqual(self.run_script(model, data, "--gap", repr(1.1 * proven["gap"] + 1e-7))[0], 0)

    def test_forged_proofs_are_refused_by_both(self):
        draw = random.Random(5)
        with tempfile.TemporaryDirectory() as folder:
            data, model, proof, forged = (f"{folder}/{name}" for name in ("rows.svm", "model.json", "proof.json", "forged.json"))
            self.linsep("generate", "noisy", "--rows", 60, "--features", 3, "--seed", 2, "-o", data)
            other = pathlib.Path(folder, "other.svm")
            other.write_text(pathlib.Path(data).read_text().replace("1:", "1:1", 1))
            for loss in ("logistic", "squared-hinge"):
                self.linsep("train", data, "--loss", loss, "--gap", "1e-6", "-o", model)
                self.linsep("certify", data, "--model", model, "-o", proof)
                file = json.loads(pathlib.Path(proof).read_text())
                self.assertEqual(file["witness"].keys(), {"offset"})

                def refused(change, rows=data):
                    changed = json.loads(json.dumps(file))
                    change(changed)
                    pathlib.Path(forged).write_text(json.dumps(changed))
                    done = subprocess.run([LINSEP, "verify", forged, rows], capture_output=True, text=True)
                    code, out = self.verify(forged, rows)
                    self.assertEqual((done.returncode != 0, code != 0), (True, True), (changed, out))

                refused(lambda f: None, other)
                refused(lambda f: f["objective"].update(loss="hinge"))
                refused(lambda f: f["objective"].update(penalty="l1"))
                refused(lambda f: f["objective"].update({"lambda": "0"}))
                refused(lambda f: f["objective"].update({"lambda": "1/1000000"}))
                refused(lambda f: f["objective"].update(negative_weight="5"))
                refused(lambda f: f.update(at_least=str(float(f["at_most"]) * 1.01)))
                refused(lambda f: f.update(at_most="0"))
                refused(lambda f: f["data"].update(root="0" * 64))
                refused(lambda f: f["data"].update(rows=59))
                refused(lambda f: f.update(unknown=1))
                refused(lambda f: f.update(witness={"shares": "0" * 59, "between": []}))
                refused(lambda f: f.update(witness={"shares": "0" * 60, "between": []}))
                refused(lambda f: f.update(witness={"shares": "*" * 60, "between": [2**60] * 60}))
                for _ in range(10):
                    name = draw.choice(list(file["model"]))
                    refused(lambda f: f["model"].update({name: str(float(f["model"][name]) * 1.5)}))

    def test_a_model_that_was_changed_is_further_from_the_best(self):
        with tempfile.TemporaryDirectory() as folder:
            data, model = f"{folder}/rows.svm", f"{folder}/model.json"
            subprocess.run([LINSEP, "generate", "noisy", "--rows", "200", "--features", "3", "--seed", "1", "-o", data], check=True, capture_output=True)
            subprocess.run([LINSEP, "train", data, "--loss", "logistic", "-o", model], check=True, capture_output=True)
            self.assertEqual(self.run_script(model, data, "--gap", "0.001")[0], 0)
            file = json.loads(pathlib.Path(model).read_text())
            file["theta"][0] *= 2
            pathlib.Path(model).write_text(json.dumps(file))
            self.assertEqual(self.run_script(model, data, "--gap", "0.001")[0], 1)
            self.assertEqual(self.run_script(model, f"{folder}/none.svm")[0], 3)
            file["options"]["loss"] = "hinge"
            pathlib.Path(model).write_text(json.dumps(file))
            self.assertEqual(self.run_script(model, data)[0], 2)


if __name__ == "__main__":
    unittest.main()
