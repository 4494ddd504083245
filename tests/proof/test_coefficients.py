"""Where a logistic regression's coefficients go: the finder against enumeration, and against the regression itself.

A column's estimate by definition: +e_j in the cone of the rows z_i says that no direction has w_j < 0, -e_j in it that
none has w_j > 0. Both: every direction is 0 there, the estimate is finite. One: it is infinite. None: not determined.
"""
import collections
import itertools
import json
import math
import os
import random
import tempfile
import unittest
from fractions import Fraction

import brute
import test_finder

NAMES = {(True, True): "finite", (True, False): "+infinity", (False, True): "-infinity", (False, False): "undetermined"}


def solve(matrix, right):
    """x with matrix * x = right by elimination; None where the columns are dependent. Of fractions."""
    rows = [list(r) + [b] for r, b in zip(matrix, right)]
    size = len(matrix[0]) if matrix else 0
    for c in range(size):
        pivot = next((i for i in range(c, len(rows)) if rows[i][c]), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [v / rows[c][c] for v in rows[c]]
        for i in range(len(rows)):
            if i != c and rows[i][c]:
                rows[i] = [a - rows[i][c] * b for a, b in zip(rows[i], rows[c])]
    return None if any(r[-1] for r in rows[size:]) else [r[-1] for r in rows[:size]]


def in_cone(z, target):
    """Whether target is a sum of rows with weights of at least 0: then of independent ones (Caratheodory)."""
    for size in range(1, len(target) + 1):
        for rows in itertools.combinations(z, size):
            x = solve([list(column) for column in zip(*rows)], target)
            if x is not None and min(x) >= 0:
                return True
    return False


def estimates(rows, labels, kind, origin):
    """The estimate of every column, by enumeration."""
    names = brute.column_names(len(rows[0]), kind, origin)
    z = [[y * v for v in brute.mapped(row, names)] for row, y in zip(rows, labels)]
    unit = lambda j, sign: [Fraction(sign * (i == j)) for i in range(len(names))]
    return [NAMES[in_cone(z, unit(j, 1)), in_cone(z, unit(j, -1))] for j in range(len(names))]


def linear_solve(a, b):
    """Of floats, with pivoting; None where rounding is all that is left."""
    n, rows = len(b), [list(r) + [v] for r, v in zip(a, b)]
    scale = max((abs(v) for r in a for v in r), default=0)
    for c in range(n):
        pivot = max(range(c, n), key=lambda i: abs(rows[i][c]))
        if abs(rows[pivot][c]) <= 1e-14 * scale:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        for i in range(c + 1, n):
            factor = rows[i][c] / rows[c][c]
            for j in range(c, n + 1):
                rows[i][j] -= factor * rows[c][j]
    x = [0.0] * n
    for c in reversed(range(n)):
        x[c] = (rows[c][n] - sum(rows[c][j] * x[j] for j in range(c + 1, n))) / rows[c][c]
    return x


def regression(z, steps=60):
    """Logistic regression by IRLS until the deviance falls by less than 1e-12 of it, or the weights vanish.

    The coefficients, and their last change: where they were still going."""
    d = len(z[0])
    w, change = [0.0] * d, [0.0] * d
    deviance = math.inf
    for _ in range(steps):
        margins = [sum(a * b for a, b in zip(row, w)) for row in z]
        value = 2 * sum(math.log1p(math.exp(-abs(m))) + max(-m, 0.0) for m in margins)
        if deviance - value < 1e-12 * (value + 1e-12):
            break
        deviance = value
        p = [1 / (1 + math.exp(m)) if m < 500 else 0.0 for m in margins]
        gradient = [sum(pi * row[j] for pi, row in zip(p, z)) for j in range(d)]
        hessian = [[sum(pi * (1 - pi) * row[i] * row[j] for pi, row in zip(p, z)) for j in range(d)] for i in range(d)]
        step = linear_solve(hessian, gradient)
        if step is None:
            break
        change = step
        w = [a + b for a, b in zip(w, step)]
    return w, change


@unittest.skipUnless("LINSEP_FINDER_SERVER" in os.environ, "LINSEP_FINDER_SERVER is not set")
class Coefficients(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.finder = test_finder.Finder(folder.name)
        self.addCleanup(self.finder.close)
        self.source = random.Random(int(os.environ.get("LINSEP_SEED", "1")))
        self.each = int(os.environ.get("LINSEP_COEFFICIENT_SETS", "400"))

    def found(self, rows, labels, kind, origin):
        answer = self.finder.certify(rows, labels, kind, origin, estimates=True)
        return answer["certificate"], answer["estimates"]

    def check(self, rows, labels, kind, origin):
        certificate, found = self.found(rows, labels, kind, origin)
        if certificate["claim"] == "overlapping":
            self.assertEqual(found, [])
            return
        truth = estimates(rows, labels, kind, origin)
        self.assertEqual([name for name, _ in found], truth, (rows, labels, kind, origin, json.dumps(certificate)))

    def drawn(self, points, size, origin, kind="none"):
        rows = [self.source.choice(points) for _ in range(size)]
        self.check(rows, [self.source.choice((-1, 1)) for _ in rows], kind, origin)

    def test_every_labelling_of_at_most_three_points_of_the_grid(self):
        for size in range(1, 4):
            for rows in itertools.combinations(test_finder.GRID, size):
                for labels in itertools.product((-1, 1), repeat=size):
                    for origin in (False, True):
                        self.check(rows, labels, "none", origin)

    def test_drawn_sets_of_up_to_six_points(self):
        for _ in range(self.each):
            origin = self.source.random() < 0.5
            self.drawn(test_finder.GRID, self.source.randint(4, 6), origin)
            self.drawn(test_finder.CUBE, self.source.randint(2, 6), origin)
            signed = [tuple(str(self.source.randint(-2, 2)) for _ in range(3)) for _ in range(6)]
            self.drawn(signed, self.source.randint(3, 6), origin)

    def test_drawn_sets_through_products(self):
        for _ in range(self.each // 4):
            self.drawn(test_finder.GRID, self.source.randint(2, 6), False, "products")

    def test_the_regression_never_contradicts_what_is_proven(self):
        counts = collections.Counter()
        while counts["sets"] < self.each:
            size, features = self.source.randint(5, 14), self.source.randint(1, 3)
            rows = [tuple(str(self.source.randint(-4, 4)) for _ in range(features)) for _ in range(size)]
            if self.source.random() < 0.5:  # labels by a hyperplane, a few on it drawn
                normal = [self.source.randint(-2, 2) for _ in range(features)]
                scores = [sum(int(v) * n for v, n in zip(row, normal)) for row in rows]
                labels = [(1 if s > 0 else -1) if s else self.source.choice((-1, 1)) for s in scores]
            else:
                labels = [self.source.choice((-1, 1)) for _ in rows]
            certificate, found = self.found(rows, labels, "none", False)
            if certificate["claim"] == "overlapping":
                continue
            z = [[y * float(v) for v in (*row, 1)] for row, y in zip(rows, labels)]
            if linear_solve([[sum(r[i] * r[j] for r in z) for j in range(features + 1)] for i in range(features + 1)],
                            [0.0] * (features + 1)) is None:
                continue  # dependent columns: the regression has no single answer
            counts["sets"] += 1
            weights, change = regression(z)
            largest = max(map(abs, change))
            for (name, computed), weight, going in zip(found, weights, change):
                counts[name] += 1
                case = (rows, labels, found, weights, change)
                if name in ("+infinity", "-infinity"):
                    sign = 1 if name == "+infinity" else -1
                    self.assertGreater(sign * going, 0, case)
                    self.assertGreater(sign * weight, 2, case)
                    self.assertEqual(computed, sign, case)
                elif name == "finite":
                    self.assertLess(abs(going), 1e-3 * largest, case)
                elif name == "undetermined" and abs(going) > 1e-3 * largest and computed:
                    counts["computed"] += 1
                    counts["agrees"] += computed * going > 0
        print(dict(counts))
        self.assertGreater(counts["undetermined"], 10)
        self.assertGreater(counts["agrees"], 0.8 * counts["computed"])


if __name__ == "__main__":
    unittest.main()
