#!/usr/bin/env python3
"""How often 95 % intervals of a coefficient that is often infinite cover the truth, by each of the methods of infinite_interval.

    PYTHONPATH=build/release/python build/test-venv/bin/python bench/infinite_interval.py                 # 20,000 draws each
    PYTHONPATH=build/release/python build/test-venv/bin/python bench/infinite_interval.py --draws 2000

Rows are exposed or not. In every design so many non-events are expected among the exposed: 0.5 to 3. With none of them the odds ratio of
exposure is infinite, and its interval has one end.

- two groups: 66 unexposed rows, each with an event with probability 17/66, and 13 or 50 exposed. Not drawn: all tables are gone through.
- with a covariate: the same numbers of rows, with a normal column (coefficient 0.8) whose mean is 0.7 higher among the exposed.
- endometrial: the 79 rows of Heinze and Schemper (2002), with NV as exposure and the coefficients of PI and EH and the intercept that are fitted to
  the 66 others. LINSEP_DATA names the folder of endometrial.csv.

Sets with a finite estimate have profile intervals by every method. Ends with 1 where mid-p or face covers less than 94 % in any design."""
import argparse
import csv
import math
import os
import sys
from pathlib import Path

import linsep
import numpy as np

METHODS = ("mid-p", "face", "profile")
EXPECTED = (0.5, 1.0, 1.5, 1.9, 2.5, 3.0)
LEAST = 0.94
QUANTILE = 3.841458820694124  # of chi-square with one degree of freedom


def expit(z):
    return 1 / (1 + np.exp(-z))


def coefficient_for(others, expected):
    """The coefficient of exposure with so many expected non-events, by bisection; `others`: what else is in the exposed rows' scores."""
    low, high = -30.0, 30.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if (1 - expit(others + middle)).sum() > expected else (low, middle)
    return 0.5 * (low + high)


def covered(X, y, truth, weight=None, every=True):
    """By method, whether the interval of the first column has the truth in it; and whether its estimate is infinite."""
    def fit(method):
        result = linsep.logit(X, y, sample_weight=weight, infinite_interval=method, n_jobs=1)
        low, high = next(ends for name, ends in result.conf_int().items() if name == "x1")
        return result.status["x1"], low <= truth <= high

    status, profile = fit("profile")
    if status in ("finite", "undetermined"):
        return (profile, profile, profile, False)
    # The narrowest first: a value within it is within the others, which is tried where `every` says so.
    mid_p = fit("mid-p")[1] if every or not profile else True
    face = fit("face")[1] if every or not mid_p else True
    if (profile and not mid_p) or (mid_p and not face):
        raise AssertionError("the intervals don't contain each other")
    return (mid_p, face, profile, True)


def by_tables(exposed, expected, unexposed=66, p=17 / 66):
    """Exact: the probability of each table, and what its intervals cover."""
    q = 1 - expected / exposed
    truth = math.log(q / (1 - q)) - math.log(p / (1 - p))
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0, 1, 0, 1])
    total, shares = 0.0, np.zeros(4)
    for a in range(unexposed + 1):
        for b in range(exposed + 1):
            share = math.comb(unexposed, a) * p**a * (1 - p) ** (unexposed - a) * math.comb(exposed, b) * q**b * (1 - q) ** (exposed - b)
            if share < 1e-8 or a + b in (0, unexposed + exposed):
                continue
            counts = np.array([unexposed - a, a, exposed - b, b], dtype=float)
            shares += share * np.array(covered(X, y, truth, counts))
            total += share
    return shares / total


def greatest_likelihoods(columns, outcomes, offset):
    """The greatest log-likelihood of each row of outcomes, by Newton's method for all together. NaN where it isn't reached with scores below 15: the
    estimate may be infinite."""
    squares = (columns[:, :, None] * columns[:, None, :]).reshape(len(columns), -1)
    width = columns.shape[1]
    beta = np.zeros((len(outcomes), width))
    for _ in range(25):
        scores = beta @ columns.T + offset
        p = expit(scores)
        slopes = (outcomes - p) @ columns
        curves = ((p * (1 - p)) @ squares).reshape(-1, width, width) + 1e-13 * np.eye(width)
        steps = np.linalg.solve(curves, slopes[:, :, None])[:, :, 0]
        sizes = (steps * slopes).sum(axis=1)
        beta += np.where(np.abs(steps) < 5, steps, 5 * np.sign(steps))
    values = -np.logaddexp(0, np.where(outcomes > 0, -scores, scores)).sum(axis=1)
    return np.where((np.abs(scores).max(axis=1) < 15) & (np.abs(sizes) < 1e-12), values, np.nan)


def by_draws(X, truth, intercept, beta, draws, seed):
    """X has the exposure first. A profile interval covers the truth if the likelihood falls little enough from its maximum to the greatest with the
    truth; so linsep fits only the sets whose estimate may be infinite, and a few others, which must agree."""
    random = np.random.default_rng(seed)
    p = expit(intercept + truth * X[:, 0] + X[:, 1:] @ beta)
    outcomes = 1.0 * (random.random((2 * draws, len(p))) < p)
    outcomes = outcomes[(outcomes.sum(axis=1) > 0) & (outcomes.sum(axis=1) < len(p))][:draws]
    columns = np.column_stack([np.ones(len(p)), X[:, 1:], X[:, 0]])
    fallen = greatest_likelihoods(columns, outcomes, 0.0) - greatest_likelihoods(columns[:, :-1], outcomes, truth * X[:, 0])
    shares = np.zeros(4)
    for number, y in enumerate(outcomes):
        inside = 2 * fallen[number] <= QUANTILE
        if np.isnan(fallen[number]) or number < 50:
            found = covered(X, y, truth, every=number < 200)
            if not np.isnan(fallen[number]) and found != (inside, inside, inside, False):
                raise AssertionError(f"linsep's profile interval and the likelihood disagree: {found}, {fallen[number]}")
            shares += found
        else:
            shares += (inside, inside, inside, False)
    return shares / len(outcomes)


def with_covariate(exposed, expected, draws):
    random = np.random.default_rng(exposed)
    marks = np.repeat([0.0, 1.0], [66, exposed])
    column = np.round(random.normal(size=len(marks)) + 0.7 * marks, 3)
    intercept = math.log(17 / 49)
    truth = coefficient_for(intercept + 0.8 * column[marks == 1], expected)
    return by_draws(np.column_stack([marks, column]), truth, intercept, np.array([0.8]), draws, seed=int(100 * expected))


def endometrial(expected, draws):
    path = Path(os.environ.get("LINSEP_DATA", "/nonexistent")) / "endometrial.csv"
    if not path.exists():
        return None
    with open(path, encoding="utf-8") as file:
        X = np.array([[float(row[name]) for name in ("NV", "PI", "EH")] for row in csv.DictReader(file)])
    intercept, beta = 4.30451778, np.array([-0.0421834, -2.90260561])
    truth = coefficient_for(intercept + X[X[:, 0] == 1, 1:] @ beta, expected)
    return by_draws(X, truth, intercept, beta, draws, seed=int(1000 * expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=20000)
    parser.add_argument("--expected", type=float, nargs="+", default=EXPECTED, help="non-events that are expected among the exposed")
    given, failed = parser.parse_args(), False
    draws = given.draws
    print(f"{'design':<36} {'non-events':>10} " + " ".join(f"{name:>8}" for name in METHODS) + f" {'infinite':>9}")
    designs = [(f"two groups, {exposed} exposed (exact)", by_tables, (exposed,), ()) for exposed in (13, 50)]
    designs += [(f"with a covariate, {exposed} exposed", with_covariate, (exposed,), (draws,)) for exposed in (13, 50)]
    designs += [("endometrial", endometrial, (), (draws,))]
    for name, run, before, after in designs:
        for expected in given.expected:
            shares = run(*before, expected, *after)
            if shares is None:
                print(f"{name}: endometrial.csv isn't in LINSEP_DATA")
                break
            failed |= min(shares[:2]) < LEAST
            print(f"{name:<36} {expected:>10} " + " ".join(f"{100 * share:>6.2f} %" for share in shares[:3]) + f" {100 * shares[3]:>7.1f} %",
                  flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
