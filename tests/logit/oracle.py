"""Logistic likelihoods maximised by Newton's method with 100 digits (more than 300 bits), and nothing else: where coefficients are
infinite, a hundred steps take them past 100, and what is left of the likelihood's supremum is below 1e-40."""
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
    x = [ZERO] * size
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

    def moves(self, j):
        """−1 or 1 where coefficient j still goes somewhere, 0 where it stands."""
        change = self.beta[j] - self.before[j]
        return 0 if abs(change) < Decimal("1e-12") else (1 if change > 0 else -1)


def profile(x, y, j, b):
    """max ℓ with coefficient j at b."""
    rest = [row[:j] + row[j + 1:] for row in x]
    return Maximum(rest, y, [Decimal(b) * Decimal(row[j]) for row in x]).value


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
