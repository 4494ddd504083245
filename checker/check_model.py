#!/usr/bin/env python3
"""Checks how far a trained model is from the best possible one, exactly, with nothing but Python's standard library.

    check_model.py model.json data.csv     rows in svmlight, CSV, TSV or .npy files, read by read_rows.py and its options
    check_model.py model.json leaves.txt   rows as `linsep leaves` writes them; -: standard input

Rows of a table are encoded first: encode_rows.py model.json data.csv --label LABEL > rows.svm. Logistic and squared-hinge models are
checked from the model and the rows alone, and so are softmax models. Of more than two classes check_several.py has the rules. Proofs about
models, also of the hinge, are checked by these rules too, but verify_certificate.py reads them. Exit code 0: the bounds are proven, 1: they
don't prove the gap that --gap asks for, 2: this kind of model can't be checked, 3: a file can't be read.

The objective is (1/W)·Σ w_i·loss(m_i) + (lambda/2)·(|theta|² + k·offset²), m_i = y_i·(theta·x_i + offset), w_i the weight of the row
times that of its class and W their sum; k is 0 unless a proof says otherwise. It is bounded from above on the model, and from below for every classifier: for
any shares a_i within the loss's range with Σ w_i·a_i·y_i = 0, no objective is below (1/W)·Σ w_i·h(a_i) − |Σ w_i·a_i·y_i·x_i|²/(2·lambda·W²),
where h(a) is a (hinge, 0 ≤ a ≤ 1), a − a²/4 (squared hinge, a ≥ 0) or the entropy −a·ln a − (1−a)·ln(1−a) (logistic, 0 ≤ a ≤ 1). With k > 0
the sum may be any, and (Σ w_i·a_i·y_i)²/(2·k·lambda·W²) is taken off. The shares are a proof's, or follow from scores by floating-point
arithmetic, because any will do. All else is whole numbers, logarithms between two of them. Why that suffices:
docs/explanation/proof-rules.md."""
import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # this folder, which may have a json.py of its own
import argparse
import collections
import json
import math
import os
import re
import types
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache


def beside(name):
    """A script of this folder, from its source and never a compiled copy."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    if name not in sys.modules:
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec"), vars(sys.modules.setdefault(name, types.ModuleType(name))))
    return sys.modules[name]


beside("read_rows"), beside("read_certificate")
import read_rows
from read_certificate import SHAPE, WEIGHED_LEAF, NeedsData, Reader, Tree, ascend, need, shown

SHARE = 1 << 40  # a share is a whole number of these parts of 1
BITS = 72  # margins and logarithms are whole numbers of 2^-BITS
UNIT = 1 << BITS
POINTS = [int((1 + Decimal(2 * k + 1) / 256).ln(Context(prec=40)) * (1 << 80)) for k in range(128)]
LOG_TWO = int(Decimal(2).ln(Context(prec=40)) * (1 << 80))


class Unknown(ValueError):
    """A kind of model that this script has no rules for."""


def require(condition, message):
    if not condition:
        raise Unknown(message)


def outward(number, digits, up):
    """An exact number of at most so many digits, rounded up or down: what is said of it stays true."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    rounded = context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize()
    return f"{rounded:f}" if -6 < rounded.adjusted() < digits else str(rounded).lower()


def minus_log(share):
    """-ln(share/SHARE) in units of 2^-BITS, from below and from above: by the nearest of 128 points c and artanh's series at
    (x - c)/(x + c), which is at most 2^-9. In units of 2^-80 the error is below 100."""
    if share == SHARE:
        return 0, 0
    length = share.bit_length()
    x = share << (80 - length)  # from 2^79 to 2^80
    point = x >> 72 & 127
    c = (1 << 79) + (2 * point + 1 << 71)
    term = total = (x - c << 80) // (x + c)
    square = term * term >> 80
    for n in (3, 5, 7, 9):
        term = term * square >> 80
        total += term // n
    value = (41 - length) * LOG_TWO - POINTS[point] - 2 * total >> 80 - BITS
    return max(0, value - 2), value + 3


class Hinge:
    most = SHARE

    @staticmethod
    def loss(margin):
        """An upper bound at margin/UNIT, in parts of UNIT."""
        return max(0, UNIT - margin)

    @staticmethod
    def loss_below(margin):
        """A lower bound at all margins from margin/UNIT to (margin + 1)/UNIT."""
        return max(0, UNIT - margin - 1)

    @staticmethod
    def gain(shares, factor):
        """Σ weight·h(factor·share/SHARE) of pairs (share, weight), from below, as a fraction."""
        return factor * Fraction(sum(share * weight for share, weight in shares), SHARE)

    middle, bucket = SHARE, 24

    @staticmethod
    def cost_of_no_margin(share):
        """loss(0) - h(share/SHARE), at least. A margin of 0, or one of the sign that isn't the share's, costs so much. The sign is that
        of `middle` - share."""
        return Fraction(max(0, SHARE - share), SHARE)


class SquaredHinge:
    most = 1 << 56
    middle, bucket, concavity = 2 * SHARE, 26, Fraction(1, 2)

    @staticmethod
    def cost_of_no_margin(share):
        return Fraction(2 * SHARE - share, 2 * SHARE) ** 2

    @staticmethod
    def loss(margin):
        return -(max(0, UNIT - margin) ** 2 // -UNIT)

    @staticmethod
    def loss_below(margin):
        return max(0, UNIT - margin - 1) ** 2 // UNIT

    @staticmethod
    def share(margin):
        return round(min(SquaredHinge.most, 2 * SHARE * max(0.0, 1 - margin)))

    @staticmethod
    def gain(shares, factor):
        squares = sum(share * share * weight for share, weight in shares)
        return Hinge.gain(shares, factor) - factor**2 * Fraction(squares, 4 * SHARE**2)


class Logistic:
    most = SHARE
    middle, bucket, concavity = SHARE // 2, 24, 4

    @staticmethod
    def cost_of_no_margin(share):
        entropy = 0
        if 0 < share < SHARE:
            entropy = (share * minus_log(share)[1] + (SHARE - share) * minus_log(SHARE - share)[1]) // SHARE + 1
        return Fraction(max(0, minus_log(SHARE // 2)[0] - entropy), UNIT)

    @staticmethod
    def loss(margin):
        """By the tangent at a nearby point m_a = ln((1-a)/a), where the loss is -ln(1-a), and half the largest curvature in
        between: at most 1/4, and at most e^|step| <= 1 + 2*|step| times a and 1 - a."""
        share = Logistic.share(margin / UNIT)
        of, of_rest = minus_log(share), minus_log(SHARE - share)
        step, most_step = margin - (of[1] - of_rest[0]), margin - (of[0] - of_rest[1])
        if step > UNIT:
            return of_rest[1]  # the loss falls
        if step < -UNIT:
            return of_rest[1] - step  # and is never steeper than 1
        length = max(abs(step), abs(most_step))
        curvature = min(UNIT // 4, min(share, SHARE - share) * (UNIT + 2 * length) // SHARE + 1)
        return of_rest[1] - share * step // SHARE + length**2 * curvature // (2 * UNIT**2) + 2

    @staticmethod
    def loss_below(margin):
        """The tangent itself."""
        share = Logistic.share(margin / UNIT)
        of, of_rest = minus_log(share), minus_log(SHARE - share)
        return max(0, of_rest[0] - share * (margin + 1 - of[0] + of_rest[1]) // SHARE - 1)

    @staticmethod
    def share(margin):
        return min(SHARE - 1, max(1, round(SHARE / (1 + math.exp(max(-700.0, min(700.0, margin)))))))

    @staticmethod
    def gain(shares, factor):
        """The entropy h is concave and 0 at 0: h(factor·a) is at least factor·h(a)."""
        total = 0
        for share, weight in shares:
            if 0 < share < SHARE:
                total += weight * ((share * minus_log(share)[0] + (SHARE - share) * minus_log(SHARE - share)[0]) // SHARE)
        return factor * Fraction(total, UNIT)


LOSSES = {"hinge": Hinge, "logistic": Logistic, "squared-hinge": SquaredHinge}


def aligned(numbers):
    """Exact numbers as whole numbers of one part: these, and how many make 1."""
    numbers = [Fraction(number) for number in numbers]
    one = math.lcm(*(number.denominator for number in numbers))
    return [number.numerator * (one // number.denominator) for number in numbers], one


def same_class(a, b):
    return a == b or all(map(read_rows.NUMBER.fullmatch, (a.encode(), b.encode()))) and Decimal(a) == Decimal(b)


class Classifier:
    """Weights and intercept as whole numbers of one part, `one` of which make 1. Of a vector in a proof or of a list."""

    def __init__(self, weights, offset, origin):
        by_column = isinstance(weights, dict)
        (*theta, self.offset), self.one = aligned([*(weights.values() if by_column else weights), offset])
        self.theta = collections.defaultdict(int, zip(weights if by_column else range(len(theta)), theta))
        need(not origin or not self.offset, "a classifier through the origin has an intercept")

    def squared_length(self):
        return Fraction(sum(theta * theta for theta in self.theta.values()), self.one**2)

    def absolute_sum(self):
        return Fraction(sum(abs(theta) for theta in self.theta.values()), self.one)


class Model:
    """What a model file says of the classifier and of what it was trained for. Raises Unknown."""

    shares = offset_of_shares = reference = scale = None
    offset_penalty = 0

    def __init__(self, text):
        file = json.loads(text, parse_float=str)
        need("linsep_certificate" not in file, "it is a proof: verify_certificate.py checks it")
        need(file.get("format") == "linsep model", "not a model file as JSON")
        options = file["options"]
        known = file["learner"] == "margin" and file["form"] == "linear" and not file["regression"] and len(file["classes"]) == 2
        require(known and file["map"] == "none" and not options["hard"], "only linear models of one label per row that the learner "
                "margin made without a map and without --hard can be checked")
        require(options["loss"] in LOSSES and options["loss"] != "hinge", f"a model of the loss {options['loss']} doesn't hold what "
                "proves it: `linsep certify DATA --model MODEL -o proof.json` writes a proof")
        require(options["penalty"] in ("l2", "l1", "elasticnet"), f"the penalty {options['penalty']} can't be checked")
        ratio = Fraction(options.get("l1-ratio", 0))
        need(0 <= ratio <= 1 and (options["penalty"] != "l1" or ratio in (0, 1)), "the penalty is no mix of both")
        self.l1_ratio = {"l1": Fraction(1), "elasticnet": ratio or Fraction(1, 2), "l2": ratio}[options["penalty"]]
        self.loss, self.classes, self.features = LOSSES[options["loss"]], file["classes"], file["features"]
        need(len(file["theta"]) == self.features, "the number of weights isn't that of the features")
        self.origin, self.table = file["origin"], file.get("table")
        self.classifier = Classifier(file["theta"], file["offset"], self.origin)
        self.weights = [Fraction(options[name]) for name in ("negative-weight", "positive-weight")]
        need(min(self.weights) > 0 and Fraction(options["C"]) > 0 and Fraction(options["lambda"]) >= 0,
             "C and the weights of classes must be above 0, and lambda at least 0")
        self.inverse_c, self.penalty = 1 / Fraction(options["C"]), Fraction(options["lambda"])
        self.class_weight = options["class-weight"]

    def rows(self, lines):
        """The rows that leaves are of."""
        said = json.loads(next(lines))
        need("classes" not in said, "the data have more than two classes")
        raw = self.table and "table" not in said and said.get("reading", {}).get("format") == "csv"
        require(not raw, "the model was trained on a table: encode its rows first (encode_rows.py model.json data.csv --label LABEL)")
        turned = [same_class(said[name], self.classes[k]) for name, k in (("negative", 1), ("positive", 0))]
        straight = [same_class(said[name], self.classes[k]) for name, k in (("negative", 0), ("positive", 1))]
        need(all(turned) != all(straight), f"the classes of the data are {said['negative']} and {said['positive']}, those of "
             f"the model {' and '.join(self.classes)}")
        return Rows(lines, self.features, two_classes("-1" if all(turned) else "+1"))

    def weigh(self, counts):
        """The weights of both classes, whose rows weigh so much, lambda, and what all rows weigh."""
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


TEXT, COUNT, FLAG = (SHAPE[name] for name in ("claim", "left_at_zero?", "origin"))
EXACT = SHAPE["levels?"][0][""]
PROOF = {"linsep_certificate": COUNT, "claim": TEXT, "origin": FLAG, "data": SHAPE["data"],
         "objective": {"loss": TEXT, "penalty": TEXT, "lambda": EXACT, "negative_weight": EXACT, "positive_weight": EXACT,
                       "offset_penalty?": EXACT, "l1_ratio?": EXACT},
         "at_most": EXACT, "at_least": EXACT, "model": {"": EXACT}, "reference?": {"weights": {"": EXACT}, "lower_by": EXACT},
         "witness": {"offset?": EXACT, "scale?": COUNT, "shares?": TEXT, "between?": [COUNT]}}


class Proof(Reader):
    """A proof about a model, checked like a certificate: by `check`, which raises Invalid or NeedsData. Then `sentences` says what is proven."""

    def __init__(self, file, shape=PROOF):
        super().__init__(file, shape, (3,))
        objective, self.witness = file["objective"], file["witness"]
        need(file["claim"] == "near-optimal", "no rules are known for this claim")
        self.l1_ratio = Fraction(objective.get("l1_ratio", 0))
        penalty = "elasticnet" if "l1_ratio" in objective else "l2"
        need(objective["penalty"] == penalty and objective["loss"] in LOSSES, "no rules are known for this objective")
        self.loss, self.classifier = LOSSES[objective["loss"]], self.classifier_of(file["model"])
        self.reference = self.classifier_of(file["reference"]["weights"]) if "reference" in file else None
        self.lower_by = Fraction(file["reference"]["lower_by"] if "reference" in file else 0)
        need(self.lower_by >= 0, "the difference to the reference is below 0")
        sides, by_class = ("negative_weight", "positive_weight"), "class_weights" in objective
        need(not by_class or not {*sides} & objective.keys(), "rows have weights by their class or by their side, not both")
        need(by_class or {*sides} <= objective.keys(), "there are no weights of classes")
        self.weights = [Fraction(1)] * 2 if by_class else [Fraction(objective[name]) for name in sides]
        self.class_weights = list(map(Fraction, objective["class_weights"])) if by_class else [Fraction(1)] * len(self.classes)
        need(len(self.class_weights) == len(self.classes), "there isn't a weight for each class")
        self.penalty, self.offset_penalty = Fraction(objective["lambda"]), Fraction(objective.get("offset_penalty", 0))
        need(self.penalty > 0 and min(*self.weights, *self.class_weights) > 0, "lambda and the weights of classes must be above 0")
        need(self.offset_penalty >= 0, "the intercept's penalty is below 0")
        need(0 <= self.l1_ratio <= 1 and not (self.l1_ratio and self.offset_penalty), "no rules are known for this penalty")
        need(not self.origin or not self.offset_penalty, "a classifier through the origin has no intercept")
        self.at_most, self.at_least = Fraction(file["at_most"]), Fraction(file["at_least"])
        need(self.witness.keys() in ({"offset"}, {"offset", "scale"}, {"shares", "between"}), "the witness is either an offset or shares")
        need("shares" in self.witness or self.loss is not Hinge, "the hinge needs shares")
        self.offset_of_shares = Fraction(self.witness["offset"]) if "offset" in self.witness else None
        self.scale = self.witness.get("scale", 0) or SHARE
        need(self.scale <= SHARE, "shares are multiplied by more than 1")
        need(not self.origin or not self.offset_of_shares, "a classifier through the origin has an intercept")

    def asked_label(self):
        if "labels" not in self.data:
            return need("label" not in self.file, "the rows don't have several labels")
        names = [column["name"] for column in self.data["labels"]]
        need(not {"classes", "negative", "positive"} & self.data.keys(), "rows have either several labels or one")
        need(len({*names}) == len(names), "two label columns have the same name")
        need(self.file["label"] in names, "there is no such label column")
        self.place = names.index(self.file["label"])
        return self.data["labels"][self.place]

    def classifier_of(self, vector):
        weights = dict(self.vector(vector))
        offset = weights.pop("offset", 0)
        return Classifier({int(name) - 1: weight for name, weight in weights.items()}, offset, self.origin)

    def weigh(self, counts):
        return self.weights, self.penalty, sum(weight * count for weight, count in zip(self.weights, counts))

    @property
    def shares(self):
        """One for each row, in their order; None where they follow from scores."""
        if "shares" not in self.witness:
            return None
        between = iter(self.witness["between"])
        need({*self.witness["shares"]} <= {*"01*"}, "a share is none of 0, 1 and *")
        shares = [next(between, None) if mark == "*" else SHARE * "01".index(mark) for mark in self.witness["shares"]]
        need(None not in shares and next(between, None) is None, "there are shares of no row, or too few")
        need(all(0 <= share <= self.loss.most for share in shares), "a share is beyond the loss's range")
        return shares

    def rows(self, lines):
        """The rows that leaves are of."""
        if "labels" in self.data:
            return Rows(lines, self.d, label_column(self.place, len(self.data["labels"])))
        return Rows(lines, self.d, against_the_rest(self.positive, self.class_weights) if self.several else two_classes())

    def check(self, lines=None, as_encoded=False):
        if lines is None:
            raise NeedsData("a proof about a model is checked against its rows")
        self.as_encoded = as_encoded
        self.compare_head(next(lines, "0"))
        rows = self.rows(lines)
        self.compare_root(rows.tree, len(rows.rows), rows.last)
        solved = solve(self, rows)
        above, below, lower_by = solved.bounds
        need(above <= self.at_most, "the model's objective may be higher than the proof says")
        need(below >= self.at_least, "some classifier's objective may be lower than the proof says")
        need(not self.lower_by or lower_by >= self.lower_by, "the reference's objective may be nearer to the model's than the proof says")
        self.following = list(follows(self, rows, solved, self.at_most, self.at_least, self.lower_by))

    def sentences(self):
        yield from self.subject()
        yield from self.statements()

    def statements(self):
        """What is proven, without the rows that it is about."""
        objective, (negative, positive) = self.file["objective"], (("the rest", self.classes[self.positive - 1]) if self.several else self.classes)
        weighed = (listed_weights(self.classes, objective["class_weights"]) if "class_weights" in objective else
                   f"rows of {negative} with the weight {objective['negative_weight']} and those of {positive} with {objective['positive_weight']}")
        yield (f"objective: mean {objective['loss']} loss, {weighed}, and the penalty {objective['penalty']} with lambda {objective['lambda']}"
               + f", the share of the L1 part {objective.get('l1_ratio')}" * bool(self.l1_ratio)
               + f", the intercept's times {self.offset_penalty}" * bool(self.offset_penalty))
        yield from found(self.at_most, self.at_least, self.origin)
        if 0 < self.lower_by < self.at_most:
            least = self.lower_by / (self.at_most - self.lower_by)
            yield (f"and at least {outward(100 * least, 3, False)} % above it: the reference's objective is lower by at least "
                   f"{outward(self.lower_by, 9, False)}")
        yield from self.following


def gap_of(above, below):
    return (above - below) / above if above else Fraction(0)


def found(above, below, origin):
    """What bounds say, in rounded figures that are true too."""
    gap = gap_of(above, below)
    yield f"the model's objective is at most {outward(above, 9, True)}"
    yield f"no linear classifier{' through the origin' * origin} has an objective below {outward(below, 9, False)} on these rows"
    yield f"so its objective is within {outward(100 * gap, 3, True)} % of the best possible"


def listed_weights(classes, weights):
    return "rows of " + ", ".join(f"{name} with the weight {weight}" for name, weight in zip(classes, weights))


# What the label of a leaf says: whether the row is of the positive class, and by what its weight is multiplied.

def two_classes(positive="+1"):
    def read(label):
        need(label in ("+1", "-1"), "a leaf is not canonical")
        return label == positive, 1
    return read


def against_the_rest(positive, weights):
    """The class of that number against all others; every class has a weight."""
    def read(label):
        need(label.isdecimal() and int(label) <= len(weights), "a leaf is not canonical")
        return int(label) == positive, weights[int(label) - 1]
    return read


def label_column(place, count):
    """One of so many columns, from 0. Without a label in it the row doesn't count."""
    def read(label):
        need({*label} <= {*"+-?"} and len(label) == count, "a leaf is not canonical")
        return label[place] == "+", int(label[place] != "?")
    return read


class Rows:
    """Rows as whole numbers: columns, values times 10^`digits`, whether the row is of the model's positive class, and its weight, `one` of
    which make 1."""

    def __init__(self, lines, features, read_label=two_classes()):
        read, weights, self.digits, self.tree, self.last, self.features = [], [], 0, Tree(), "", features
        for line in lines:
            self.last = leaf = line.removesuffix("\n")
            self.tree.add(leaf)
            match = WEIGHED_LEAF.fullmatch(leaf)
            need(match, "a leaf is not canonical")
            entries, (side, factor) = [entry.split(":") for entry in match[4].split()], read_label(match[2])
            weights.append(Fraction(match["weight"] or 1) * factor)
            columns = [int(column) for column, _ in entries]
            need(ascend(columns) and (not columns or columns[-1] <= features), "a row has a feature that the model hasn't, or one twice")
            self.digits = max([self.digits, *(len(value.partition(".")[2]) for _, value in entries)])
            need(int(match[1]) == len(read) + 1, "a leaf is of another row")
            read.append((side, columns, [value for _, value in entries]))
        power = cache(lambda value: int(value.replace(".", "")) * 10 ** (self.digits - len(value.partition(".")[2])))
        self.rows = [(side, [(column - 1, power(value)) for column, value in zip(columns, values)]) for side, columns, values in read]
        self.weights, self.one = aligned(weights)
        self.counts = [Fraction(sum(weight for weight, (side, _) in zip(self.weights, self.rows) if side is which), self.one)
                       for which in (False, True)]
        need(any(self.counts), "all rows have weight 0")


def balancing_offset(model, scores, labels, costs):
    """The intercept at which both classes' shares have the same sum, as near as floating-point numbers get to it."""
    low, high = -max(scores) - 40.0, -min(scores) + 40.0
    for _ in range(70):
        middle = (low + high) / 2
        excess = sum((1 if y else -1) * cost * model.loss.share((z + middle) * (1 if y else -1)) for z, y, cost in zip(scores, labels, costs))
        low, high = (middle, high) if excess > 0 else (low, middle)
    return Fraction((low + high) / 2)


def lower_bound(model, rows, shares):
    """No classifier's objective is below `bound`. An L1 penalty multiplied all shares by `shorter`, which `factors` of both classes hold
    too. The slope of a column is at most so many parts of `part`."""
    weights, penalty, total = model.weigh(rows.counts)
    tens = 10**rows.digits * rows.one
    # The heavier class's shares are all taken a little smaller, so that both classes have the same sum.
    of_class = [[(share, own) for share, own, (side, _) in zip(shares, rows.weights, rows.rows) if side == which] for which in (False, True)]
    sums = [weight * sum(share * own for share, own in each) / rows.one for weight, each in zip(weights, of_class)]
    balance = [Fraction(1), Fraction(1)]
    free_offset = not model.origin and not model.offset_penalty
    if free_offset and sums[0] != sums[1]:
        heavier = sums[1] > sums[0]
        balance[heavier] = sums[not heavier] / sums[heavier]
    gain = sum(weight * model.loss.gain(each, factor) for weight, each, factor in zip(weights, of_class, balance)) / rows.one
    columns = [collections.defaultdict(int), collections.defaultdict(int)]
    for (side, entries), share, own in zip(rows.rows, shares, rows.weights):
        if share and own:
            into, times = columns[side], share * own
            for column, value in entries:
                into[column] += times * value
    unit = math.lcm(*((weight * factor).denominator for weight, factor in zip(weights, balance)))
    negative, positive = (int(weight * factor * unit) for weight, factor in zip(weights, balance))
    slope_of = {column: abs(positive * columns[1][column] - negative * columns[0][column]) for column in {*columns[0], *columns[1]}}
    slopes, part = slope_of.values(), Fraction(1, unit * SHARE * tens)
    found = types.SimpleNamespace(weights=weights, penalty=penalty, total=total, shares=shares, factors=balance, slopes=slope_of, part=part,
                                  shorter=Fraction(1))
    allowed = Fraction(penalty * model.l1_ratio * total * unit * SHARE * tens)  # by the L1 part of the penalty
    if model.l1_ratio == 1:  # all shares are taken smaller, so that no slope is above that
        shorter = min(Fraction(1), allowed / max([*slopes, 1]))
        found.factors, found.part = [shorter * factor for factor in balance], shorter * part
        found.bound, found.shorter = shorter * gain / total, shorter
        return found
    parts = allowed.denominator
    beyond = (slope * parts - allowed.numerator for slope in slopes if slope > allowed)
    length = Fraction(sum(excess * excess for excess in beyond), (unit * SHARE * tens * parts) ** 2)
    if model.offset_penalty:
        length += ((sums[1] - sums[0]) / SHARE) ** 2 / model.offset_penalty
    found.bound = gain / total - length / (2 * penalty * (1 - model.l1_ratio) * total**2)
    return found


def bounds(model, rows):
    """Three fractions: the model's objective is at most the first, no classifier's is below the second, and that of a proof's
    reference is lower than the model's by at least the third; 0 without a reference."""
    return solve(model, rows).bounds


def solve(model, rows):
    """The three bounds, and what the second one was found by."""
    weights, penalty, total = model.weigh(rows.counts)
    tens = 10**rows.digits
    sides = [side for side, _ in rows.rows]

    def scores_of(classifier):
        return [sum(classifier.theta[column] * value for column, value in entries) for _, entries in rows.rows]

    def objective_of(classifier, scores, loss):
        sums, shift, one = [0, 0], classifier.offset * tens, classifier.one * tens
        for score, side, own in zip(scores, sides, rows.weights):
            sums[side] += own * loss((score + shift if side else -score - shift) * UNIT // one)
        squares = classifier.squared_length() + model.offset_penalty * Fraction(classifier.offset, classifier.one) ** 2
        size = model.l1_ratio * classifier.absolute_sum() + (1 - model.l1_ratio) * squares / 2
        return sum(weight * each for weight, each in zip(weights, sums)) / (UNIT * rows.one * total) + penalty * size

    scores = scores_of(model.classifier)
    objective = objective_of(model.classifier, scores, model.loss.loss)
    scored, lower_by = model.classifier, Fraction(0)
    if model.reference:
        lower_by = objective_of(scored, scores, model.loss.loss_below)
        scored, scores = model.reference, scores_of(model.reference)
        lower_by -= objective_of(scored, scores, model.loss.loss)

    shares = model.shares
    if shares is None:
        offset, one = model.offset_of_shares, scored.one * tens
        if offset is None:
            offset = Fraction(0) if model.origin else balancing_offset(
                model, [score / one for score in scores], sides, [float(weights[side] * own / rows.one) for side, own in zip(sides, rows.weights)])
        shift = offset.numerator * one // offset.denominator
        shares = [model.loss.share((score + shift if side else -score - shift) / one) for score, side in zip(scores, sides)]
        if model.scale is not None:
            shares = [share * model.scale // SHARE for share in shares]
    need(len(shares) == len(sides), "there isn't a share for each row")
    found = lower_bound(model, rows, shares)
    if model.scale is None and 0 < found.shorter < 1:  # h(t·a) is more than t·h(a)
        scale = int(found.shorter * SHARE)
        found = lower_bound(model, rows, [share * scale // SHARE for share in shares])
    found.bounds = objective, max(found.bound, Fraction(0)), lower_by
    return found


def follows(model, rows, solved, at_most, at_least, lower_by):
    """What is true of every classifier whose objective is the least, in words (proof-rules.md, "What follows about the best
    classifier")."""
    features, apart, bend = rows.features, at_most - at_least - lower_by, solved.penalty * (1 - model.l1_ratio)
    if bend:
        certain = len(certain_signs(model.reference if lower_by else model.classifier, 2 * apart / bend))
        yield (f"every weight of the best possible classifier is within {outward(root_above(2 * (at_most - at_least) / bend), 3, True)} of the "
               f"model's, and {certain} of {features} {'sign is' if features == 1 else 'signs are'} certain")
    labels = sum(map(abs, certain_labels(model.loss, rows, solved, apart)))
    yield f"the best possible classifier's label is certain for {labels} of {len(rows.rows)} {'row' if len(rows.rows) == 1 else 'rows'}"
    if model.l1_ratio:
        zeros = zero_columns(model, rows, solved, apart)
        yield f"{len(zeros)} of {features} {'weight is' if features == 1 else 'weights are'} 0 in every optimum"


def certain_signs(classifier, squared):
    """By column, from 0: those of weights that a distance with that square doesn't reach 0 from."""
    weights = {column: Fraction(theta, classifier.one) for column, theta in classifier.theta.items()}
    return {column: 1 if weight > 0 else -1 for column, weight in weights.items() if weight * weight > squared}


def root_above(number):
    """At least the square root, and near it."""
    context = Context(prec=30, rounding=ROUND_CEILING)
    return Fraction(context.next_plus(context.sqrt(context.divide(Decimal(number.numerator), Decimal(number.denominator)))))


def certain_labels(loss, rows, solved, apart):
    """The sign that each row's margin has by every best classifier, as far as its share shows it, else 0. Shares of a bucket are taken
    for the one at its edge, and weights for the power of 2 below them, as in C++."""
    most, width = [apart * solved.total / weight for weight in solved.weights], 1 << loss.bucket

    def power(own):
        """The largest k for which the row weighs at least 2^k."""
        k = own.bit_length() - rows.one.bit_length()
        return min(k - (own << max(0, -k) < rows.one << max(0, k)), 31)

    @cache
    def sign(side, k, bucket):
        low, high = math.floor(solved.factors[side] * bucket * width), math.ceil(solved.factors[side] * ((bucket + 1) * width - 1))
        spend = most[side] / Fraction(2) ** k
        right = bucket < 1 << 16 and high < loss.middle and loss.cost_of_no_margin(high) > spend
        return right - (low > loss.middle and loss.cost_of_no_margin(low) > spend)

    return [sign(side, power(own), min(share >> loss.bucket, 1 << 16)) if own and solved.bound >= 0 and power(own) >= -32 else 0
            for share, own, (side, _) in zip(solved.shares, rows.weights, rows.rows)]


def zero_columns(model, rows, solved, apart):
    """The columns, from 0, whose weight is 0 in every optimum."""
    if not model.l1_ratio or model.loss is Hinge or solved.bound < 0:
        return []
    squares = collections.defaultdict(int)
    for own, (side, entries) in zip(rows.weights, rows.rows):
        for column, value in entries:
            squares[column] += solved.weights[side] * own * value * value
    moved = 2 * apart / (model.loss.concavity * solved.total)
    room = (solved.penalty * model.l1_ratio - solved.slopes.get(column, 0) * solved.part / solved.total for column in range(rows.features))
    return [column for column, left in enumerate(room) if left > 0 and left**2 * 100**rows.digits * rows.one > moved * squares[column]]


def judged(text, lines):
    """Of a model's text and the lines of leaves: the gap that is proven, and what to say."""
    model = Model(text)
    rows = model.rows(lines)
    solved = solve(model, rows)
    above, below, _ = solved.bounds
    return gap_of(above, below), *found(above, below, model.origin), *follows(model, rows, solved, above, below, Fraction(0))


def several():
    """The rules for models of several classes: check_several.py, which uses those here."""
    sys.modules.setdefault("check_model", sys.modules[__name__])
    return beside("check_several")


def proof_of(file):
    """A proof about a model of two classes, of several, or of several label columns."""
    return several().proof_of(file) if {"classes", "labels"} & file["data"].keys() else Proof(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a model file of linsep, as JSON")
    parser.add_argument("rows", nargs="+", help="data files, or their leaves; -: leaves on standard input")
    parser.add_argument("--gap", type=Fraction, help="the greatest distance from the optimum that is accepted, as a fraction of the objective")
    options = read_rows.add_options(parser).parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with open(options.model, encoding="utf-8") as file:
            text = file.read()
        options.row_weights = True
        lines = read_rows.checked_lines(options.rows, options)
        judge = several().judged if several().has_several(text) else judged
        gap, *said = judge(text, lines)
    except Unknown as error:
        return print("can't be checked:", shown(str(error))) or 2
    except (ValueError, ArithmeticError, KeyError, TypeError, OSError, RecursionError, read_rows.zlib.error, EOFError) as error:
        return print("can't be read:", shown(str(error))) or 3
    print(*map(shown, said), sep="\n")
    return int(options.gap is not None and gap > options.gap)


if __name__ == "__main__":
    sys.exit(main())
