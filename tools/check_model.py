#!/usr/bin/env python3
"""Checks how far a trained model is from the best possible one, exactly, with nothing but Python's standard library.

    check_model.py model.json data.csv         of rows in svmlight, CSV, TSV or .npy files, read by read_rows.py and its options
    check_model.py model.json leaves.txt       of rows as `linsep leaves` writes them; -: standard input

Rows of a table are encoded first: encode_rows.py model.json data.csv --label LABEL > rows.svm. Logistic and squared-hinge models of two classes
with the L2 penalty are checked. Exit code 0: the bounds are proven, 1: they don't prove the gap that --gap asks for,
2: this kind of model can't be checked, 3: a file can't be read.

The objective is (1/W)·Σ w_i·loss(m_i) + (lambda/2)·|theta|², m_i = y_i·(theta·x_i + offset), w_i the weight of the row's class and W
their sum. It is bounded from above on the model, and from below for every classifier: for any a_i within the loss's range
with Σ w_i·a_i·y_i = 0, no objective is below (1/W)·Σ w_i·h(a_i) − |Σ w_i·a_i·y_i·x_i|²/(2·lambda·W²), where h(a) is
a − a²/4 (squared hinge, a ≥ 0) or the entropy −a·ln a − (1−a)·ln(1−a) (logistic, 0 ≤ a ≤ 1). The a_i follow from the model's scores
by floating-point arithmetic, because any will do. All else is whole numbers, but for ln and exp: the loss is convex, so a chord
between two points of a grid is above it, and the entropy is concave, so a chord is below it."""
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # this folder, which may have a json.py of its own
import argparse
import collections
import json
import math
import os
import types
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

for name in ("read_rows", "read_certificate"):  # from their sources here, never a compiled copy
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    if name not in sys.modules:
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec"), vars(sys.modules.setdefault(name, types.ModuleType(name))))
import read_rows
from read_certificate import LEAF, shown

SHARE = 1 << 20  # a_i is a whole number of these parts of 1
GRID = 1 << 12  # points of the loss's grid within 1
UNIT = 1 << 64  # what bounds of logarithms are whole numbers of
FORTY = Context(prec=40, traps=[])  # digits of a logarithm, before it is rounded outwards


class Unknown(ValueError):
    """A kind of model that this script has no rules for."""


def need(condition, message, kind=ValueError):
    if not condition:
        raise kind(message)


def whole(value, rounding):
    """Rounded outwards, the error of a value of 30 digits included."""
    return int((value * UNIT).to_integral_value(rounding)) + (8 if rounding == ROUND_CEILING else -8)


@cache
def logistic_above(place):
    """ln(1 + e^−m) at m = place/GRID."""
    with localcontext(FORTY):
        m = Decimal(abs(place)) / GRID
        return whole((1 + (-m).exp()).ln() + (m if place < 0 else 0), ROUND_CEILING)


@cache
def entropy_below(place):
    """−a·ln a − (1−a)·ln(1−a) at a = place/SHARE."""
    if place in (0, SHARE):
        return 0
    with localcontext(FORTY):
        a = Decimal(place) / SHARE
        return whole(-a * a.ln() - (1 - a) * (1 - a).ln(), ROUND_FLOOR)


class Logistic:
    @staticmethod
    def share(margin):
        return round(SHARE / (1 + math.exp(max(-700.0, min(700.0, margin)))))

    @staticmethod
    def loss(margin, one):
        """An upper bound at margin/one, in parts of UNIT."""
        place, rest = divmod(margin * GRID, one)
        if place >= 60 * GRID:  # the loss falls, so it is below its value at 60
            return logistic_above(60 * GRID)
        low, high = logistic_above(place), logistic_above(place + 1)
        return low - (low - high) * rest // one + 1

    @staticmethod
    def gain(counts, balance):
        """Σ h(k·balance/SHARE) over shares k and how many rows have each, from below, in parts of UNIT."""
        total = 0
        for share, count in counts.items():
            place, rest = divmod(share * balance.numerator, balance.denominator)
            low = entropy_below(place)
            if rest:
                low += (entropy_below(place + 1) - low) * rest // balance.denominator
            total += count * low
        return Fraction(total, UNIT)


class SquaredHinge:
    @staticmethod
    def share(margin):
        return round(2 * SHARE * max(0.0, 1 - margin))

    @staticmethod
    def loss(margin, one):
        return -((max(0, one - margin) ** 2 * UNIT) // -(one * one))

    @staticmethod
    def gain(counts, balance):
        shares = sum(share * count for share, count in counts.items())
        squares = sum(share * share * count for share, count in counts.items())
        return balance * Fraction(shares, SHARE) - balance**2 * Fraction(squares, 4 * SHARE**2)


LOSSES = {"logistic": Logistic, "squared-hinge": SquaredHinge}


def aligned(numbers):
    """Floats as whole numbers of one power of two: these, and how many make 1."""
    ratios = [float(number).as_integer_ratio() for number in numbers]
    one = max([denominator for _, denominator in ratios], default=1)
    return [numerator * (one // denominator) for numerator, denominator in ratios], one


def same_class(a, b):
    return a == b or all(map(read_rows.NUMBER.fullmatch, (a.encode(), b.encode()))) and Decimal(a) == Decimal(b)


class Model:
    """What a model file says of the classifier and of what it was trained for. Raises Unknown."""

    def __init__(self, text):
        file = json.loads(text)
        need(isinstance(file, dict) and file.get("format") == "linsep model", "not a model file as JSON")
        options = file["options"]
        known = file["learner"] == "margin" and file["form"] == "linear" and not file["regression"] and len(file["classes"]) == 2
        need(known and file["map"] == "none" and not options["hard"], "only linear models of two classes that the learner "
             "margin made without a map and without --hard can be checked", Unknown)
        need(options["loss"] in LOSSES, f"a model of the loss {options['loss']} doesn't hold what proves it", Unknown)
        need(options["penalty"] == "l2", f"the penalty {options['penalty']} can't be checked", Unknown)
        self.loss, self.classes, self.features = LOSSES[options["loss"]], file["classes"], file["features"]
        need(len(file["theta"]) == self.features, "the number of weights isn't that of the features")
        (*self.theta, self.offset), self.one = aligned([*file["theta"], file["offset"]])
        self.origin, self.table = file["origin"], file.get("table")
        self.weights = [Fraction(options[name]) for name in ("negative-weight", "positive-weight")]
        need(not self.origin or not self.offset, "a classifier through the origin has an offset")
        self.inverse_c, self.penalty = 1 / Fraction(options["C"]), Fraction(options["lambda"])
        self.class_weight = options["class-weight"]

    def weigh(self, counts):
        """The weights of both classes, of so many rows, and lambda."""
        weights, given = list(self.weights), self.class_weight
        if given == "balanced":
            total = sum(weight * count for weight, count in zip(weights, counts))
            weights = [total / (2 * count) for count in counts]  # n/(k·n_c), on top of the other weights: w·n/(k·w·n_c)
        elif given:
            named = dict(pair.rsplit("=", 1) for pair in given.split(","))
            for k, name in enumerate(self.classes):
                weights[k] *= next((Fraction(weight) for label, weight in named.items() if same_class(label, name)), 1)
        total = sum(weight * count for weight, count in zip(weights, counts))
        return weights, self.penalty or self.inverse_c / total, total


class Rows:
    """Rows as whole numbers: columns, values times 10^`digits`, and whether the row is of the model's positive class."""

    def __init__(self, lines, model):
        said = json.loads(next(lines))
        need("classes" not in said, "the data have more than two classes")
        raw = model.table and "table" not in said and said.get("reading", {}).get("format") == "csv"
        need(not raw, "the model was trained on a table: encode its rows first (encode_rows.py model.json data.csv --label LABEL)", Unknown)
        turned = [same_class(said[name], model.classes[k]) for name, k in (("negative", 1), ("positive", 0))]
        straight = [same_class(said[name], model.classes[k]) for name, k in (("negative", 0), ("positive", 1))]
        need(all(turned) != all(straight), f"the classes of the data are {said['negative']} and {said['positive']}, those of "
             f"the model {' and '.join(model.classes)}")
        positive = "-1" if all(turned) else "+1"
        read, self.digits = [], 0
        for line in lines:
            match = LEAF.fullmatch(line.rstrip("\n"))
            need(match and match[2] in ("+1", "-1"), "a leaf is not canonical")
            entries = [entry.split(":") for entry in match[3].split()]
            need(not entries or int(entries[-1][0]) <= model.features, "a row has a feature that the model hasn't")
            self.digits = max([self.digits, *(len(value.partition(".")[2]) for _, value in entries)])
            read.append((match[2] == positive, entries))
        power = cache(lambda value: int(value.replace(".", "")) * 10 ** (self.digits - len(value.partition(".")[2])))
        self.rows = [(side, [(int(column) - 1, power(value)) for column, value in entries]) for side, entries in read]
        self.counts = [sum(side is which for side, _ in self.rows) for which in (False, True)]


def check(model, rows):
    """Two fractions: the model's objective is at most the first, and no classifier's is below the second."""
    weights, penalty, total = model.weigh(rows.counts)
    tens = 10**rows.digits
    one = model.one * tens
    above, counts = [0, 0], [collections.Counter(), collections.Counter()]
    shares = []
    for side, entries in rows.rows:
        score = sum(model.theta[column] * value for column, value in entries) + model.offset * tens
        margin = score if side else -score
        above[side] += model.loss.loss(margin, one)
        shares.append(model.loss.share(margin / one))
        counts[side][shares[-1]] += 1
    objective = sum(weight * loss for weight, loss in zip(weights, above)) / (UNIT * total)
    objective += penalty * Fraction(sum(theta * theta for theta in model.theta), 2 * model.one**2)

    # The heavier class's shares are all taken a little smaller, so that both classes have the same sum.
    sums = [weight * sum(share * count for share, count in each.items()) for weight, each in zip(weights, counts)]
    balance = [Fraction(1), Fraction(1)]
    if not model.origin and sums[0] != sums[1]:
        heavier = sums[1] > sums[0]
        balance[heavier] = sums[not heavier] / sums[heavier]
    gain = sum(weight * model.loss.gain(each, factor) for weight, each, factor in zip(weights, counts, balance))
    columns = [collections.defaultdict(int), collections.defaultdict(int)]
    for (side, entries), share in zip(rows.rows, shares):
        if share:
            into = columns[side]
            for column, value in entries:
                into[column] += share * value
    unit = math.lcm(*((weight * factor).denominator for weight, factor in zip(weights, balance)))
    negative, positive = (int(weight * factor * unit) for weight, factor in zip(weights, balance))
    square = sum((positive * columns[1][column] - negative * columns[0][column]) ** 2 for column in {*columns[0], *columns[1]})
    bound = gain / total - Fraction(square, (unit * SHARE * tens) ** 2) / (2 * penalty * total**2)
    return objective, max(bound, Fraction(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a model file of linsep, as JSON")
    parser.add_argument("rows", nargs="+", help="data files, or their leaves; -: leaves on standard input")
    parser.add_argument("--gap", type=Fraction, help="the greatest distance from the optimum that is accepted, as a fraction of the objective")
    options = read_rows.add_options(parser).parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with open(options.model, encoding="utf-8") as file:
            model = Model(file.read())
        above, below = check(model, Rows(read_rows.checked_lines(options.rows, options), model))
    except Unknown as error:
        return print("can't be checked:", shown(str(error))) or 2
    except (ValueError, ArithmeticError, KeyError, TypeError, OSError, RecursionError, read_rows.zlib.error, EOFError) as error:
        return print("can't be read:", shown(str(error))) or 3
    gap = (above - below) / above if above else Fraction(0)
    print(f"the model's objective is at most {float(above):.9g}")
    print(f"no linear classifier's objective on these rows is below {float(below):.9g}")
    print(f"so the model is within {100 * float(gap):.3g} % of the best possible")
    return int(options.gap is not None and gap > options.gap)


if __name__ == "__main__":
    sys.exit(main())
