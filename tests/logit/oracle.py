"""Logistic likelihoods maximised by Newton's method with 100 digits (more than 300 bits), and, below, Firth's, FLIC and FLAC in
ordinary arithmetic by their definitions. Nothing here knows of separation: where coefficients are
infinite, a hundred steps take them past 100, and what is left of the likelihood's supremum is below 1e-40."""
import math
from decimal import Decimal, getcontext

getcontext().prec = 100
STEPS = 130
ZERO, ONE = Decimal(0), Decimal(1)
TINY = Decimal("1e-42")
# From where all probabilities are 0 or 1 steps would be huge: the first few are at most this long, later ones 100 times that.
SHORT, FEW = Decimal(10), 40


def solve(matrix, right):
    """Gauss with pivoting; a column without a pivot gets 0."""
    size = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(size)]
    pivots = []
    at = 0
    for column in range(size):
        best = max(range(at, size), key=lambda i: abs(rows[i][column]), default=None)
        if best is None or rows[best][column] == 0:
            continue
        rows[at], rows[best] = rows[best], rows[at]
        for i in range(at + 1, size):
            factor = rows[i][column] / rows[at][column]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[at])]
        pivots.append(column)
        at += 1
    x = [0 * right[0]] * size
    for i in reversed(range(len(pivots))):
        c = pivots[i]
        x[c] = (rows[i][size] - sum(rows[i][k] * x[k] for k in range(c + 1, size))) / rows[i][c]
    return x


class Maximum:
    """max over β of Σ ln P(y | offset + β·x). `x`: rows with their 1 for the intercept; `y`: 0 or 1."""

    def __init__(self, x, y, offset=None):
        self.x = [[Decimal(v) for v in row] for row in x]
        self.sign = [1 if label else -1 for label in y]
        self.offset = offset or [ZERO] * len(x)
        self.beta = [ZERO] * (len(x[0]) if x else 0)
        self.before = self.beta
        self.value, gradient, information = self.at(self.beta)
        for number in range(STEPS if self.beta else 0):
            step = solve(information, gradient)
            length = min(ONE, (SHORT if number < FEW else 100 * SHORT) / max(max(map(abs, step)), TINY))
            while True:
                trial = [b + length * s for b, s in zip(self.beta, step)]
                value, g, i = self.at(trial)
                if value >= self.value or length < TINY * TINY:
                    break
                length /= 2
            self.before, self.beta = self.beta, trial
            self.value, gradient, information = value, g, i
            if max(map(abs, step)) < TINY or max(map(abs, gradient)) < TINY:
                break
        self.information = information

    def at(self, beta):
        size = len(beta)
        value = ZERO
        gradient = [ZERO] * size
        information = [[ZERO] * size for _ in range(size)]
        for row, sign, offset in zip(self.x, self.sign, self.offset):
            margin = sign * (offset + sum(b * v for b, v in zip(beta, row)))
            e = (-abs(margin)).exp()
            value += min(margin, ZERO) - (ONE + e).ln()
            wrong = (e if margin >= 0 else ONE) / (ONE + e)
            curved = e / ((ONE + e) * (ONE + e))
            for j in range(size):
                gradient[j] += sign * wrong * row[j]
                for k in range(j, size):
                    information[j][k] += curved * row[j] * row[k]
        for j in range(size):
            for k in range(j):
                information[j][k] = information[k][j]
        return value, gradient, information

    def margins(self):
        return [sign * (offset + sum(b * v for b, v in zip(self.beta, row))) for row, sign, offset in zip(self.x, self.sign, self.offset)]

    def moves(self, j):
        """−1 or 1 where coefficient j still goes somewhere, 0 where it stands."""
        change = self.beta[j] - self.before[j]
        return 0 if abs(change) < Decimal("1e-12") else (1 if change > 0 else -1)


def profile_maximum(x, y, j, b):
    """The maximum with coefficient j at b."""
    rest = [row[:j] + row[j + 1:] for row in x]
    return Maximum(rest, y, [Decimal(b) * Decimal(row[j]) for row in x])


def profile(x, y, j, b):
    return profile_maximum(x, y, j, b).value


def face_probability(full, there):
    """At one maximum, the probability of the outcomes of the rows that another fits perfectly."""
    p = ONE
    for sure, margin in zip(full.margins(), there.margins()):
        if sure > 50:
            p /= ONE + (-margin).exp()
    return float(p)


def penalised(x, y, beta):
    """Firth's ℓ + ½ ln det I at β."""
    there = Maximum.__new__(Maximum)
    there.x = [[Decimal(v) for v in row] for row in x]
    there.sign, there.offset = [1 if label else -1 for label in y], [ZERO] * len(x)
    value, _, matrix = there.at([Decimal(b) for b in beta])
    determinant = ONE
    for k in range(len(beta)):  # positive definite: no pivoting needed
        determinant *= matrix[k][k]
        for i in range(k + 1, len(beta)):
            factor = matrix[i][k] / matrix[k][k]
            matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k])]
    return float(value + determinant.ln() / 2)


def float_information(x, y, weight, beta, offset):
    """Probabilities and the information of rows that count `weight` times."""
    p = [1 / (1 + math.exp(-(o + sum(b * v for b, v in zip(beta, row))))) for row, o in zip(x, offset)]
    size = len(beta)
    information = [[sum(w * q * (1 - q) * row[j] * row[k] for row, q, w in zip(x, p, weight)) for k in range(size)] for j in range(size)]
    return p, information


def newton(x, y, weight=None, offset=None, firth=False):
    """The root of the score, or of Firth's: Σ (w·(y − p) + h·(½ − p))·x. Returns β, the inverse information's diagonal and leverages."""
    weight, offset = weight or [1.0] * len(y), offset or [0.0] * len(y)
    beta, leverage, size = [0.0] * len(x[0]), [0.0] * len(y), len(x[0])
    for _ in range(2000):
        p, information = float_information(x, y, weight, beta, offset)
        if firth:
            leverage = [w * q * (1 - q) * sum(a * b for a, b in zip(row, solve(information, list(row)))) for row, q, w in zip(x, p, weight)]
        residual = [w * (label - q) + h * (0.5 - q) for label, q, w, h in zip(y, p, weight, leverage)]
        step = solve(information, [sum(r * row[j] for row, r in zip(x, residual)) for j in range(size)])
        length = min(1.0, 1 / max(max(map(abs, step)), 1e-300))
        beta = [b + length * s for b, s in zip(beta, step)]
        if max(map(abs, step)) < 1e-12:
            break
    unit = [[1.0 * (i == j) for i in range(size)] for j in range(size)]
    return beta, [solve(information, unit[j])[j] for j in range(size)], leverage


def flic(x, y):
    """Puhr et al. (2017), section 2.3: Firth's estimates; then the intercept by maximum likelihood with the others' part of the score as
    an offset. Of rows with a 1 first."""
    beta, _, _ = newton(x, y, firth=True)
    offset = [sum(b * v for b, v in zip(beta[1:], row[1:])) for row in x]
    return [newton([[1.0]] * len(y), y, offset=offset)[0][0], *beta[1:]]


def flac(x, y):
    """Puhr et al. (2017), section 2.3: maximum likelihood on the rows, and again with both outcomes, each counting half its leverage under
    Firth's estimates, and a column that marks the added ones. Returns β without that column, and standard errors."""
    _, _, leverage = newton(x, y, firth=True)
    half = [0.5 * h for h in leverage]
    rows = [[*row, 0.0] for row in x] + 2 * [[*row, 1.0] for row in x]
    beta, variance, _ = newton(rows, [*y, *y, *(1 - label for label in y)], [1.0] * len(y) + half + half)
    return beta[:-1], [math.sqrt(v) for v in variance[:-1]]
