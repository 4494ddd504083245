"""A slow, plain oracle of training objectives: what a model's is, and what the least is, between two numbers that differ
by less than 10^-25 of them. Bounds are fractions, or of the logistic loss decimals of 120 digits.

A problem has rows x, labels y, weights of rows c that sum to 1, lambda, and whether classifiers go through the origin. The
least objective is bounded from above by a classifier and from below by shares of the rows (docs/explanation/proof-rules.md).
How they were found is of no matter."""
import decimal
import math
from decimal import Decimal
from fractions import Fraction

import brute

DIGITS = 120
CONTEXT = decimal.Context(prec=DIGITS, Emin=-10**9, Emax=10**9)
ERROR = Fraction(1, 10**60)  # more than 120 digits can lose in a few hundred additions
SHARE = 1 << 40


def decimal_of(fraction):
    return CONTEXT.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def logistic(margin):
    """ln(1 + e^-m), as a fraction; within ERROR."""
    m = decimal_of(margin)
    tail = CONTEXT.ln(CONTEXT.add(1, CONTEXT.exp(m.copy_abs().copy_negate())))
    return Fraction(CONTEXT.add(tail, max(Decimal(0), m.copy_negate())))


def slope(margin):
    """1/(1 + e^m): minus the logistic loss's derivative."""
    m = decimal_of(margin)
    e = CONTEXT.exp(m.copy_abs().copy_negate())
    return Fraction(CONTEXT.divide(e if m >= 0 else Decimal(1), CONTEXT.add(1, e)))


def entropy(share):
    if not 0 < share < 1:
        return Fraction(0)
    a = decimal_of(share)
    rest = CONTEXT.subtract(1, a)
    return -Fraction(CONTEXT.add(CONTEXT.multiply(a, CONTEXT.ln(a)), CONTEXT.multiply(rest, CONTEXT.ln(rest))))


LOSS = {"hinge": lambda m: max(Fraction(0), 1 - m), "squared-hinge": lambda m: max(Fraction(0), 1 - m)**2, "logistic": logistic}
GAIN = {"hinge": lambda a: a, "squared-hinge": lambda a: a - a * a / 4}
MOST = {"hinge": 1, "squared-hinge": 1 << 16, "logistic": 1}


class Problem:
    def __init__(self, rows, labels, objective, origin):
        self.x = [[Fraction(value) for value in row] for row in rows]
        self.y, self.origin, self.loss, self.penalty = labels, origin, objective["loss"], Fraction(objective["lambda"])
        weights = [Fraction(objective["positive_weight" if y > 0 else "negative_weight"]) for y in labels]
        self.c = [weight / sum(weights) for weight in weights]

    def margins(self, theta, offset):
        return [y * (dot(theta, x) + offset) for x, y in zip(self.x, self.y)]

    def value(self, theta, offset):
        """The objective of a classifier; of the logistic loss within ERROR."""
        return dot(self.c, map(LOSS[self.loss], self.margins(theta, offset))) + self.penalty * dot(theta, theta) / 2

    def factors(self, shares):
        """What shares are multiplied by, so that both classes have the same sum: those of the heavier one by less than 1."""
        sums = [sum((c * a for c, a, y in zip(self.c, shares, self.y) if y == sign), Fraction(0)) for sign in (-1, 1)]
        if self.origin or sums[0] == sums[1]:
            return [Fraction(1)] * len(shares)
        heavier = 1 if sums[1] > sums[0] else -1
        return [min(sums) / max(sums) if y == heavier else Fraction(1) for y in self.y]

    def weights_of(self, shares):
        """The classifier that shares are about: theta = sum of c·a·y·x/lambda."""
        return [sum((c * a * y * x[j] for c, a, y, x in zip(self.c, shares, self.y, self.x)), Fraction(0)) / self.penalty
                for j in range(len(self.x[0]))]

    def bound(self, shares):
        """No objective is below this; of the logistic loss within ERROR."""
        factors = self.factors(shares)
        smaller = [f * a for f, a in zip(factors, shares)]
        theta = self.weights_of(smaller)
        gains = [f * entropy(a) for f, a in zip(factors, shares)] if self.loss == "logistic" else map(GAIN[self.loss], smaller)
        return dot(self.c, gains) - self.penalty * dot(theta, theta) / 2

    def shares(self, theta, offset):
        """-loss' at the margins, of a smooth loss."""
        if self.loss == "squared-hinge":
            return [2 * max(Fraction(0), 1 - m) for m in self.margins(theta, offset)]
        return [slope(m) for m in self.margins(theta, offset)]

    def least(self):
        """Two numbers with the least objective between them, the shares of the first and the classifier of the second:
        (low, high, shares, theta, offset)."""
        if len(set(self.y)) < 2 and not self.origin:
            still = [Fraction(0)] * len(self.x[0])  # the logistic loss's is met by no classifier
            return Fraction(0), Fraction(0), [Fraction(0)] * len(self.x), still, Fraction(self.y[0])
        theta, offset, shares = self.hinge() if self.loss == "hinge" else self.smooth()
        error = ERROR if self.loss == "logistic" else 0
        return max(Fraction(0), self.bound(shares) - error), self.value(theta, offset) + error, shares, theta, offset

    # Smooth losses: Newton's method with halved steps, then without, and exactly on the rows that count.

    def smooth(self):
        size = len(self.x[0])
        points = [[*map(float, x), 1.0] for x in self.x]
        w, c, penalty = [0.0] * (size + 1), list(map(float, self.c)), float(self.penalty)

        def value_at(w):
            total = penalty / 2 * sum(v * v for v in w[:size])
            for y, x, share in zip(self.y, points, c):
                m = y * sum(a * b for a, b in zip(w, x))
                total += share * (max(0.0, 1 - m)**2 if self.loss == "squared-hinge" else math.log1p(math.exp(-abs(m))) + max(0.0, -m))
            return total

        for _ in range(100):
            step = self.newton_step(w, points, c, penalty, lambda m: 1 / (1 + math.exp(min(m, 700.0))))
            if not step:
                break
            length, best = 1.0, value_at(w)
            while length > 1e-13 and not value_at([v - length * s for v, s in zip(w, step)]) < best:
                length /= 2
            if length <= 1e-13:
                break
            w = [v - length * s for v, s in zip(w, step)]
        w = [Fraction(v) for v in w]
        exact = [[*x, Fraction(1)] for x in self.x]
        for _ in range(1 if self.loss == "squared-hinge" else 4):
            step = self.newton_step(w, exact, self.c, self.penalty, slope)
            if not step:
                break
            w = [v - s for v, s in zip(w, step)]
            if self.loss == "logistic":
                w = [Fraction(decimal_of(v)) for v in w]  # of so many digits, or fractions grow
        theta, offset = w[:size], w[size]
        return theta, offset, self.shares(theta, offset)

    def newton_step(self, w, points, c, penalty, slope_at):
        """The step, by the weights' own arithmetic; None where no step is found."""
        size = len(w) - 1
        use = size if self.origin else size + 1
        zero = 0 * w[0]
        gradient = [penalty * v if j < size else zero for j, v in enumerate(w[:use])]
        bend = [[penalty if i == j < size else zero for j in range(use)] for i in range(use)]
        for y, x, share in zip(self.y, points, c):
            m = y * sum((a * b for a, b in zip(w, x)), zero)
            if self.loss == "squared-hinge":
                first, second = 2 * max(zero, 1 - m), 2 if m < 1 else 0
            else:
                first = slope_at(m)
                second = first * (1 - first)
            for i in range(use):
                gradient[i] -= share * first * y * x[i]
                for j in range(use):
                    bend[i][j] += share * second * x[i] * x[j]
        solution = solved(bend, gradient)
        return solution and solution + [zero] * (size + 1 - use)

    # The hinge: an interior-point method for the shares, in decimals.

    def hinge(self):
        with decimal.localcontext(CONTEXT):
            shares = [Fraction(a) for a in self.interior()]
        theta = self.weights_of([f * a for f, a in zip(self.factors(shares), shares)])
        offsets = [Fraction(0)] if self.origin else [y - dot(theta, x) for x, y in zip(self.x, self.y)]
        return theta, min(offsets, key=lambda offset: self.value(theta, offset)), shares

    def interior(self):
        """The shares a of the best bound: 0 <= a <= 1, with multipliers z of the one and t of the other, each times what it
        is of equal to mu, which goes to 0."""
        n, one = len(self.x), Decimal(1)
        signed = [c * y for c, y in zip(self.c, self.y)]
        gram = [[decimal_of(p * q * dot(a, b) / self.penalty) for b, q in zip(self.x, signed)] for a, p in zip(self.x, signed)]
        gain, signed = list(map(decimal_of, self.c)), list(map(decimal_of, signed))
        a, z, t, b = [one / 2] * n, [one] * n, [one] * n, Decimal(0)
        for _ in range(1000):
            mu = sum(p * q + (1 - p) * r for p, q, r in zip(a, z, t)) / (2 * n) / 10
            if mu < Decimal(10)**-95:
                break
            matrix = [[gram[i][j] + (z[i] / a[i] + t[i] / (1 - a[i]) if i == j else 0) for j in range(n)] for i in range(n)]
            right = [gain[i] - sum(g * p for g, p in zip(gram[i], a)) - b * signed[i] + mu / a[i] - mu / (1 - a[i]) for i in range(n)]
            if not self.origin:
                matrix = [[*row, y] for row, y in zip(matrix, signed)] + [[*signed, Decimal(0)]]
                right.append(-sum(y * p for y, p in zip(signed, a)))
            step = solved(matrix, right)
            da = step[:n]
            dz = [mu / p - q - q / p * d for p, q, d in zip(a, z, da)]
            dt = [mu / (1 - p) - r + r / (1 - p) * d for p, r, d in zip(a, t, da)]
            falls = [*zip(a, da), *((1 - p, -d) for p, d in zip(a, da)), *zip(z, dz), *zip(t, dt)]
            length = min([one, *(Decimal("0.99") * p / -d for p, d in falls if d < 0)])
            a, z, t = ([p + length * d for p, d in zip(old, new)] for old, new in ((a, da), (z, dz), (t, dt)))
            b += length * step[n] if not self.origin else 0
        return a


def solved(matrix, right):
    """By elimination, in the numbers' own arithmetic; None where a pivot is 0."""
    rows = [[*row, b] for row, b in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if not rows[k][k]:
            return None
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


# Proofs about models.

def of_proof(proof, rows, labels):
    """The problem that a proof is about, its model's weights and its intercept."""
    problem = Problem(rows, labels, proof["objective"], proof["origin"])
    theta = [Fraction(proof["model"].get(str(j), "0")) for j in range(1, len(rows[0]) + 1)]
    return problem, theta, Fraction(proof["model"].get("offset", "0"))


def shares_of(proof, problem, theta):
    """A proof's shares, those of scores rounded to 40 binary digits."""
    if "offset" in proof["witness"]:
        least, most = (1, SHARE - 1) if problem.loss == "logistic" else (0, SHARE << 16)
        return [Fraction(min(max(round(a * SHARE), least), most), SHARE)
                for a in problem.shares(theta, Fraction(proof["witness"]["offset"]))]
    between = iter(proof["witness"]["between"])
    return [Fraction(next(between), SHARE) if mark == "*" else Fraction(int(mark)) for mark in proof["witness"]["shares"]]


def outward(number, up, margin=Fraction(1, 10**13)):
    """A decimal above the number, or below it, by about so much of it."""
    number += abs(number) * margin * (1 if up else -1)
    places = 15 - math.floor(math.log10(abs(number))) if number else 0
    scaled = number * 10**places
    return str(Fraction(math.ceil(scaled) if up else math.floor(scaled), 10**places)) if number > 0 else "0"


def seal(proof, rows, labels, bounds=True):
    """Puts in what the data are and, with `bounds`, both bounds."""
    brute.seal(proof, rows, labels, len(rows[0]))
    if bounds:
        problem, theta, offset = of_proof(proof, rows, labels)
        # Beyond a margin of 27 the logistic loss is only known to be below 2^-40.
        flat = sum(c for c, m in zip(problem.c, problem.margins(theta, offset)) if m > 27) if problem.loss == "logistic" else 0
        proof["at_most"] = outward(problem.value(theta, offset) + flat / SHARE, True)
        proof["at_least"] = outward(problem.bound(shares_of(proof, problem, theta)), False)
    return proof


def false_statement(proof, rows, labels):
    """What a proof says of these rows that isn't so, or None: every sentence by its definition."""
    if proof["linsep_certificate"] != 3 or proof["claim"] != "near-optimal" or proof["objective"]["penalty"] != "l2":
        return "claim"
    data = proof["data"]
    leaves, shape = brute.digest(rows, labels), (len(rows), len(rows[0]))
    if (data["rows"], data["features"]) != shape or data["root"] != brute.data_root(leaves, data, 3):
        return "data"
    if any(Decimal(data["negative" if y < 0 else "positive"]) != y for y in set(labels)):
        return "classes"
    if not {*proof["model"]} <= {*map(str, range(1, len(rows[0]) + 1)), *["offset"] * (not proof["origin"])}:
        return "model"
    problem, theta, offset = of_proof(proof, rows, labels)
    at_most, at_least = Fraction(proof["at_most"]), Fraction(proof["at_least"])
    objective = problem.value(theta, offset)
    if at_most < objective:
        assert problem.loss != "logistic" or at_most < objective - ERROR, "120 digits are too few"
        return "at_most"
    low, high, *_ = problem.least()
    if at_least > low:
        assert at_least > high, f"the oracle is too far from the optimum: {float(at_least)} {float(low)} {float(high)}"
        return "at_least"
    return None
