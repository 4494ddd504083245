"""A slow, plain oracle of training objectives: what a model's is, and what the least is, between two numbers that differ
by less than 10^-35 of them. Bounds are fractions, or of the logistic loss decimals of 120 digits.

A problem has rows x, labels y, weights of rows c that sum to 1, a penalty, and whether classifiers go through the origin. The
least objective is bounded from above by a classifier and from below by shares of the rows (docs/explanation/proof-rules.md).
How they were found is of no matter."""
import decimal
import functools
import math
import operator
from decimal import Decimal
from fractions import Fraction

import brute

DIGITS = 120
CONTEXT = decimal.Context(prec=DIGITS, Emin=-10**9, Emax=10**9)
ERROR = Fraction(1, 10**60)  # more than 120 digits can lose in a few hundred additions
SHARE = 1 << 40


def decimal_of(fraction):
    return CONTEXT.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


remembered = functools.lru_cache(maxsize=1000)  # a test asks again and again about the same problem


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


@remembered
def logistic(margin):
    """ln(1 + e^-m), as a fraction; within ERROR."""
    m = decimal_of(margin)
    tail = CONTEXT.ln(CONTEXT.add(1, CONTEXT.exp(m.copy_abs().copy_negate())))
    return Fraction(CONTEXT.add(tail, max(Decimal(0), m.copy_negate())))


@remembered
def slope(margin):
    """1/(1 + e^m): minus the logistic loss's derivative."""
    m = decimal_of(margin)
    e = CONTEXT.exp(m.copy_abs().copy_negate())
    return Fraction(CONTEXT.divide(e if m >= 0 else Decimal(1), CONTEXT.add(1, e)))


@remembered
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
    def __init__(self, rows, labels, said, origin):
        self.x = [[Fraction(value) for value in row] for row in rows]
        self.y, self.origin, self.loss = labels, origin, said["loss"]
        self.penalty, self.ratio, self.of_offset = (Fraction(said.get(name, 0)) for name in ("lambda", "l1_ratio", "offset_penalty"))
        weights = list(map(Fraction, said.get("row_weights") or (said["positive_weight" if y > 0 else "negative_weight"] for y in labels)))
        self.c = [weight / sum(weights) for weight in weights]

    def margins(self, theta, offset):
        return [y * (dot(theta, x) + offset) for x, y in zip(self.x, self.y)]

    def value(self, theta, offset):
        """The objective of a classifier; of the logistic loss within ERROR."""
        size = self.ratio * sum(map(abs, theta)) + (1 - self.ratio) * dot(theta, theta) / 2 + self.of_offset * offset**2 / 2
        return dot(self.c, map(LOSS[self.loss], self.margins(theta, offset))) + self.penalty * size

    def blur(self, theta, offset):
        """By how much checkers may differ over this objective, besides a part of it: they know margins to 2^-54, and beyond one of 27
        perhaps no more of the logistic loss than that it is below 2^-40."""
        def of(m):
            return (1 + 2 * max(0, 1 - m)) / (1 << 53) + Fraction(self.loss == "logistic" and m > 27, SHARE)
        return sum(c * of(m) for c, m in zip(self.c, self.margins(theta, offset)))

    def factors(self, shares):
        """What shares are multiplied by, so that both classes have the same sum: those of the heavier one by less than 1."""
        sums = [sum((c * a for c, a, y in zip(self.c, shares, self.y) if y == sign), Fraction(0)) for sign in (-1, 1)]
        if self.origin or self.of_offset or sums[0] == sums[1]:
            return [Fraction(1)] * len(shares)
        heavier = 1 if sums[1] > sums[0] else -1
        return [min(sums) / max(sums) if y == heavier else Fraction(1) for y in self.y]

    def bound(self, shares):
        """No objective is below this; of the logistic loss within ERROR."""
        factors = self.factors(shares)
        smaller = [f * a for f, a in zip(factors, shares)]
        gains = [f * entropy(a) for f, a in zip(factors, shares)] if self.loss == "logistic" else map(GAIN[self.loss], smaller)
        gain, signed = dot(self.c, gains), [c * a * y for c, a, y in zip(self.c, smaller, self.y)]
        slopes = [abs(dot(signed, column)) for column in zip(*self.x)]
        allowed = self.penalty * self.ratio
        if self.ratio == 1:
            return gain * min(Fraction(1), allowed / max(slopes)) if any(slopes) else gain
        length = sum(max(Fraction(0), slope - allowed)**2 for slope in slopes) / (2 * self.penalty * (1 - self.ratio))
        if self.of_offset:
            length += sum(signed)**2 / (2 * self.penalty * self.of_offset)
        return gain - length

    def shares(self, theta, offset):
        """-loss' at the margins, of a smooth loss."""
        if self.loss == "squared-hinge":
            return [2 * max(Fraction(0), 1 - m) for m in self.margins(theta, offset)]
        return [slope(m) for m in self.margins(theta, offset)]

    @functools.cached_property
    def least(self):
        """Two numbers with the least objective between them, the shares of the first and the classifier of the second:
        (low, high, shares, theta, offset)."""
        if len(set(self.y)) < 2 and not self.origin and not self.of_offset:
            still = [Fraction(0)] * len(self.x[0])  # the logistic loss's is met by no classifier
            return Fraction(0), Fraction(0), [Fraction(0)] * len(self.x), still, Fraction(self.y[0])
        with decimal.localcontext(CONTEXT):
            shares, theta, offset = InteriorPoint(self).found()
        error = ERROR if self.loss == "logistic" else 0
        return max(Fraction(0), self.bound(shares) - error), self.value(theta, offset) + error, shares, theta, offset


class InteriorPoint:
    """The least f(x) with G·x >= h (Boyd and Vandenberghe, Convex Optimization, 11.7), in decimals. x are the weights, or with an
    L1 part their positive and their negative parts; the intercept; and of the hinges a bound on each 1 - m."""

    def __init__(self, problem):
        n, d = len(problem.x), len(problem.x[0])
        parts = (1, -1) if problem.ratio else (1,)
        self.parts, self.d, self.problem = parts, d, problem
        weights, free, hinges = d * len(parts), not problem.origin, problem.loss != "logistic"
        size = weights + free + n * hinges
        unit = lambda j: [Decimal(int(k == j)) for k in range(size)]
        self.c, self.offset_at = list(map(decimal_of, problem.c)), weights if free else None
        self.margin = [[decimal_of(y * sign * value) for sign in parts for value in x] + [Decimal(y)] * free +
                       [Decimal(0)] * (size - weights - free) for x, y in zip(problem.x, problem.y)]
        penalty, ratio = decimal_of(problem.penalty), decimal_of(problem.ratio)
        self.linear = [penalty * ratio] * weights + [Decimal(0)] * (size - weights)
        self.square = [[Decimal(0)] * size for _ in range(size)]
        for j in range(weights):
            for k in range(weights):
                if j % d == k % d:
                    self.square[j][k] = penalty * (1 - ratio) * parts[j // d] * parts[k // d]
        if free:
            self.square[weights][weights] = penalty * decimal_of(problem.of_offset)
        self.g = [unit(j) for j in range(weights)] if problem.ratio else []
        self.h = [Decimal(0)] * len(self.g)
        for i in range(n if hinges else 0):
            at = weights + free + i
            if problem.loss == "hinge":
                self.linear[at] = self.c[i]
                self.g.append(unit(at))
                self.h.append(Decimal(0))
            else:
                self.square[at][at] = 2 * self.c[i]
        self.first = len(self.g)  # of 1 - m is at most its bound
        for i in range(n if hinges else 0):
            self.g.append([a + b for a, b in zip(self.margin[i], unit(weights + free + i))])
            self.h.append(Decimal(1))
        self.start = [Decimal(1)] * weights * bool(problem.ratio) + [Decimal(0)] * (weights * (not problem.ratio) + free) + [Decimal(2)] * (n * hinges)

    def slopes(self, x):
        """The gradient, and of the logistic loss what its margins' squares are multiplied by."""
        gradient = [q + product(row, x) for q, row in zip(self.linear, self.square)]
        bends = []
        if self.problem.loss == "logistic":
            for c, row in zip(self.c, self.margin):
                m = product(row, x)
                e = (-abs(m)).exp()
                a = (e if m >= 0 else 1) / (1 + e)
                gradient = [g - c * a * z for g, z in zip(gradient, row)]
                bends.append(c * a * (1 - a))
        return gradient, bends

    def at(self, x, z):
        """What a step needs to know of a point: its slacks, the gradient, the bends, and how far the gradient is from one of the constraints'."""
        slacks = [product(row, x) - h for row, h in zip(self.g, self.h)]
        gradient, bends = self.slopes(x)
        return slacks, gradient, bends, [g - sum((p * row[j] for p, row in zip(z, self.g) if row[j]), Decimal(0)) for j, g in enumerate(gradient)]

    def followed(self, x, z, end):
        """From a point to where it and the duals z miss the conditions of the least f by less than `end`, if digits allow that."""
        count, at = len(self.g), self.at(x, z)
        for _ in range(500):
            slacks, gradient, bends, rest = at
            mu = product(slacks, z) / count if count else Decimal(0)
            mu = max(min(mu / 10, mu * mu.sqrt()), end / 10) if count else mu
            missed = lambda z, slacks, rest: max(map(abs, [*rest, *(p * s - mu for p, s in zip(z, slacks))]))
            size = missed(z, slacks, rest)
            if size < end:
                break
            matrix = [list(row) for row in self.square]
            for weight, row in [*zip(bends, self.margin), *((p / s, row) for p, s, row in zip(z, slacks, self.g))]:
                entries = [(k, b) for k, b in enumerate(row) if b]
                for j, a in entries:
                    for k, b in entries:
                        matrix[j][k] += weight * a * b
            step = solved(matrix, [sum((mu / s * row[j] for s, row in zip(slacks, self.g) if row[j]), Decimal(0)) - g for j, g in enumerate(gradient)])
            moved = [product(row, step) for row in self.g]
            dz = [mu / s - p - p / s * d for p, s, d in zip(z, slacks, moved)]
            length = min([Decimal(1), *(max(Decimal("0.99"), 1 - mu) * p / -d for p, d in [*zip(slacks, moved), *zip(z, dz)] if d < 0)])
            for _ in range(60):
                following = [a + length * b for a, b in zip(x, step)], [a + length * b for a, b in zip(z, dz)]
                at = self.at(*following)
                if missed(following[1], at[0], at[3]) <= (1 - length / 100) * size:
                    break
                length /= 2
            else:
                break
            x, z = following
        return x, z

    def found(self):
        """Shares, weights and intercept. The way there is gone with few digits, which are fast: only its end needs them all."""
        x, z = self.start, [Decimal(1)] * len(self.g)
        for digits in (DIGITS // 4, DIGITS // 2, DIGITS):
            with decimal.localcontext(CONTEXT) as context:
                context.prec = digits
                x, z = self.followed(x, z, Decimal(10)**(-5 * digits // 12))
        d, problem = self.d, self.problem
        theta = [Fraction(x[j] - x[d + j] if problem.ratio else x[j]) for j in range(d)]
        offset = Fraction(x[self.offset_at]) if self.offset_at is not None else Fraction(0)
        if problem.loss != "hinge":
            return problem.shares(theta, offset), theta, offset
        return [min(Fraction(1), Fraction(p / c)) for p, c in zip(z[self.first:], self.c)], theta, offset


def product(a, b):
    return sum(map(operator.mul, a, b), Decimal(0))


def solved(matrix, right):
    """By elimination."""
    rows = [[*row, b] for row, b in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, len(rows)):
            if rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i][k:] = [a - factor * b for a, b in zip(rows[i][k:], rows[k][k:])]
    found = []
    for k in reversed(range(len(rows))):
        found.insert(0, (rows[k][-1] - product(rows[k][k + 1:], found)) / rows[k][k])
    return found


# Proofs about models.

@remembered
def one_problem(rows, labels, said, origin):
    return Problem(rows, labels, dict(said), origin)


def problem_of(rows, labels, said, origin):
    return one_problem(tuple(rows), tuple(labels), tuple(sorted(said.items())), origin)


def of_proof(proof, rows, labels):
    """The problem that a proof is about."""
    return problem_of(rows, labels, proof["objective"], proof["origin"])


def classifier(vector, features):
    return [Fraction(vector.get(str(j), "0")) for j in range(1, features + 1)], Fraction(vector.get("offset", "0"))


def shares_of(proof, problem, lean=Fraction(0)):
    """A proof's shares, those of scores rounded to 40 binary digits. `lean` tips those that are next to a half."""
    if "offset" in proof["witness"]:
        least, most = (1, SHARE - 1) if problem.loss == "logistic" else (0, SHARE << 16)
        theta, _ = classifier(proof["reference"]["weights"] if "reference" in proof else proof["model"], len(problem.x[0]))
        return [Fraction(min(max(round(a * SHARE + lean * (1 + a)), least), most), SHARE)
                for a in problem.shares(theta, Fraction(proof["witness"]["offset"]))]
    between = iter(proof["witness"]["between"])
    return [Fraction(next(between), SHARE) if mark == "*" else Fraction(int(mark)) for mark in proof["witness"]["shares"]]


def outward(number, up, room):
    """A decimal above the number, or below it, by about `room`; not below 0."""
    number += room * (1 if up else -1)
    if number <= 0:
        return "0"
    places = 15 - math.floor(math.log10(number))
    scaled = number * 10**places
    return str(Fraction(math.ceil(scaled) if up else math.floor(scaled)) / 10**places)


def seal(proof, rows, labels, bounds=True):
    """Puts in what the data are and, with `bounds`, all three."""
    brute.seal(proof, rows, labels, len(rows[0]))
    if not bounds:
        return proof
    problem = of_proof(proof, rows, labels)
    model = classifier(proof["model"], len(rows[0]))
    value = problem.value(*model)
    # Checkers find shares by floating-point numbers, which round one next to a half either way.
    below = min(map(problem.bound, {tuple(shares_of(proof, problem, Fraction(lean, 100))) for lean in (-1, 0, 1)}))
    blur = problem.blur(*model)
    proof["at_most"] = outward(value, True, value / 10**13 + blur)
    proof["at_least"] = outward(below, False, below / 10**13)
    if "reference" in proof:
        reference = classifier(proof["reference"]["weights"], len(rows[0]))
        blur += problem.blur(*reference)
        proof["reference"]["lower_by"] = outward(value - problem.value(*reference), False, value / 10**12 + blur)
    return proof


def false_statement(proof, rows, labels):
    """What a proof says of these rows that isn't so, or None: every sentence by its definition."""
    said, d = proof["objective"], len(rows[0])
    if proof["linsep_certificate"] != 3 or proof["claim"] != "near-optimal" or said["penalty"] != ("elasticnet" if "l1_ratio" in said else "l2"):
        return "claim"
    data = proof["data"]
    if (data["rows"], data["features"]) != (len(rows), d) or data["root"] != brute.data_root(brute.digest(rows, labels), data, 3):
        return "data"
    if any(Decimal(data["negative" if y < 0 else "positive"]) != y for y in set(labels)):
        return "classes"
    vectors = [proof["model"], proof["reference"]["weights"]] if "reference" in proof else [proof["model"]]
    if not set().union(*vectors) <= {*map(str, range(1, d + 1)), *["offset"] * (not proof["origin"])}:
        return "columns"
    problem = of_proof(proof, rows, labels)
    if proof["origin"] and problem.of_offset or not 0 <= problem.ratio <= 1 or problem.of_offset < 0 or problem.penalty <= 0 or min(problem.c) <= 0:
        return "objective"
    at_most, at_least, (value, *others) = Fraction(proof["at_most"]), Fraction(proof["at_least"]), [problem.value(*classifier(v, d)) for v in vectors]
    error = ERROR if problem.loss == "logistic" else 0
    assert not 0 < abs(at_most - value) < error, "120 digits are too few"
    if at_most < value:
        return "at_most"
    lower_by = Fraction(proof["reference"]["lower_by"]) if others else 0
    assert not lower_by or not 0 < abs(value - others[0] - lower_by) < 2 * error, "120 digits are too few"
    if lower_by < 0 or lower_by and lower_by > value - others[0]:
        return "lower_by"
    low, high, *_ = problem.least
    if at_least > low:
        assert at_least > high, f"the oracle is too far from the optimum: {float(at_least)} {float(low)} {float(high)}"
        return "at_least"
    return None
