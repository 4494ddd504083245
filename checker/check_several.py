"""The rules for models of several classes: each class against the rest, and all classes together (softmax). check_model.py and
verify_certificate.py use it.

Against the rest: a proof has a part for each class, which is one about two classes, by the rules of check_model.py.

Together: z_ic = theta_c·x_i + offset_c is the score of row i for class c, and y the row's own class. The objective is (1/W)·Σ w_i·(ln Σ_c exp(z_ic) − z_iy)
+ lambda·(r·|theta|₁ + (1 − r)/2·|theta|²), w_i the weight of the row times that of its class and W their sum. For any shares p_ic >= 0 with
Σ_c p_ic = 1 in every row and Σ_i w_i·(p_ic − [y = c]) = 0 for every class (unless through the origin) no objective is below
(1/W)·Σ w_i·h(p_i) − |v|²/(2·lambda·W²), where v_c = Σ_i w_i·(p_ic − [y = c])·x_i and h(p) = −Σ_c p_c·ln p_c. Shares follow from scores by floating-point
arithmetic, because any will do. Their sums by class are made exact by mixing every row's shares with the same ones: h is concave. Why that suffices:
docs/explanation/proof-rules.md."""
import collections
import json
import math
import types
from fractions import Fraction

import check_model
from check_model import (COUNT, EXACT, FLAG, PROOF, SHARE, TEXT, UNIT, Model, Proof, against_the_rest, aligned, certain_signs, follows, found,
                         gap_of, label_column, listed_weights, minus_log, outward, require, root_above, same_class, solve)
from read_certificate import WEIGHED_LEAF, Fields, Invalid, NeedsData, Reader, Tree, ascend, need

COMMON = ("linsep_certificate", "claim", "origin", "data")
PART = {name: shape for name, shape in PROOF.items() if name not in COMMON} | {"against_the_rest?": TEXT, "label?": TEXT, "objective": {
    "loss": TEXT, "penalty": TEXT, "lambda": EXACT, "negative_weight?": EXACT, "positive_weight?": EXACT, "class_weights?": [EXACT],
    "offset_penalty?": EXACT, "l1_ratio?": EXACT}}
SEVERAL = {name: PROOF[name] for name in COMMON} | {"parts": []}
LABELS = PROOF["data"] | {"labels?": [{"name": TEXT, "negative": TEXT, "positive": TEXT}]}
JOINT = {name: PROOF[name] for name in COMMON} | {
    "jointly": FLAG, "objective": {"loss": TEXT, "penalty": TEXT, "lambda": EXACT, "class_weights": [EXACT], "l1_ratio?": EXACT},
    "at_most": EXACT, "at_least": EXACT, "model": {"": EXACT}, "reference?": {"weights": {"": EXACT}, "lower_by": EXACT},
    "witness": {"offsets": [EXACT], "scale?": COUNT}}


def proof_of(file):
    """A proof about a model of several classes, which is checked like one of two."""
    return (Parts if "parts" in file else Joint)(file)


class Parts:
    """A proof for each class against the rest, or for each label column."""

    def __init__(self, file):
        need(file.keys() == SEVERAL.keys(), "a field is missing or unknown")
        parts, self.file, self.data = file["parts"], file, file["data"]
        self.labels = "labels" in self.data
        need(type(parts) is list and all(isinstance(part, dict) and not part.keys() & {*COMMON} for part in parts), "a part isn't one")
        common = {name: file[name] for name in COMMON}
        self.parts = [Proof(Fields(common | part), {name: PROOF[name] for name in COMMON} | PART | {"data": LABELS}) for part in parts]
        need(self.parts, "there are no parts")  # which say what the data are
        wanted = [column["name"] for column in self.data["labels"]] if self.labels else self.data["classes"]
        need(self.labels or len(wanted) > 2, "parts are of more than two classes, or of label columns")
        self.names = [part.file["label" if self.labels else "against_the_rest"] for part in self.parts]
        need(self.names == wanted, "there isn't a part for each class or label column")

    def check(self, lines=None, as_encoded=False):
        if lines is None:
            raise NeedsData("a proof about a model is checked against its rows")
        lines = list(lines)
        for part, name in zip(self.parts, map(self.called, self.names)):
            try:
                part.check(iter(lines), as_encoded)
            except Invalid as problem:
                raise Invalid(f"of {name}: {problem}") from None

    def called(self, name):
        return f"the label {name}" if self.labels else f"{name} against the rest"

    def columns_used(self):
        return self.parts[0].columns_used()

    def sentences(self):
        claim, _, *rows = self.parts[0].subject()
        yield claim
        yield f"of {len(self.parts)} label columns, {', '.join(self.names)}" if self.labels else f"of {len(self.parts)} classes, each against the rest"
        yield from rows
        for part, name in zip(self.parts, map(self.called, self.names)):
            for sentence in part.statements():
                yield f"{name}: {sentence}"
        yield of_all([gap_of(part.at_most, part.at_least) for part in self.parts])


def of_all(gaps):
    return f"so the objective of each of the {len(gaps)} classifiers is within {outward(100 * max(gaps), 3, True)} % of the best possible"


def has_several(text):
    """Whether a model has a score for each class or label column."""
    file = json.loads(text)
    return isinstance(file, dict) and file.get("form") in ("classes", "labels")


def judged(text, lines):
    """As check_model.judged, of a model of several classes or label columns."""
    file, lines = json.loads(text, parse_float=str), list(lines)
    said = json.loads(lines[0])
    labels, ours, size = file["form"] == "labels", file["classes"], file["features"]
    names = file["labels"] if labels else ours
    if labels:
        columns = said.get("labels", [])
        need([column["name"] for column in columns] == names, f"the label columns of the model are {', '.join(names)}, and the data have others")
        theirs = [column[side] for column in columns for side in ("negative", "positive")]
    else:
        theirs = said.get("classes", [])
    need(len(theirs) == len(ours) and all(map(same_class, theirs, ours)), f"the classes of the data are {', '.join(theirs)}, those of the model "
         f"{', '.join(ours)}")
    need(len(file["theta"]) == size * len(names) and len(file["offsets"]) == len(names), "the number of weights isn't that of the features")
    raw = file.get("table") and "table" not in said and said.get("reading", {}).get("format") == "csv"
    require(not raw, "the model was trained on a table: encode its rows first (encode_rows.py model.json data.csv --label LABEL)")
    if file["options"]["loss"] == "softmax":
        return of_joint_model(file, lines)
    weights = None if labels else class_weights(file["options"]["class-weight"], ours, totals_of(lines[1:], len(ours)))
    file["options"]["class-weight"] = ""
    gaps, sentences = [], []
    for c, name in enumerate(names):
        part = file | {"form": "linear", "classes": ["the rest", "the class"], "theta": file["theta"][c * size:(c + 1) * size], "offset": file["offsets"][c]}
        model = Model(json.dumps(part))
        rows = check_model.Rows(iter(lines[1:]), size, label_column(c, len(names)) if labels else against_the_rest(c + 1, weights))
        solved = solve(model, rows)
        above, below, _ = solved.bounds
        gaps.append(gap_of(above, below))
        for sentence in (*found(above, below, model.origin), *follows(model, rows, solved, above, below, Fraction(0))):
            sentences.append(f"{f'the label {name}' if labels else f'{name} against the rest'}: {sentence}")
    return max(gaps), *sentences, of_all(gaps)


def totals_of(leaves, classes):
    """What the rows of each class weigh."""
    totals = [Fraction(0)] * classes
    for leaf in leaves:
        match = WEIGHED_LEAF.fullmatch(leaf.removesuffix("\n"))
        need(match and match[2].isdecimal() and int(match[2]) <= classes, "a leaf is not canonical")
        totals[int(match[2]) - 1] += Fraction(match["weight"] or 1)
    return totals


def class_weights(given, names, totals):
    """The weights that --class-weight gives to classes of these names, whose rows weigh so much."""
    if given == "balanced":
        need(all(totals), "a class has no rows")
        return [sum(totals) / (len(totals) * total) for total in totals]
    named = dict(pair.rsplit("=", 1) for pair in given.split(",")) if given else {}
    weights = [next((Fraction(weight) for label, weight in named.items() if same_class(label, name)), Fraction(1)) for name in names]
    need(min(weights) > 0, "the weights of classes must be above 0")
    return weights


# All classes together.

def shares_of(scores):
    """exp(z_c) over their sum, as whole numbers of SHARE, at least 1 each; the largest is what the others leave."""
    top = max(scores)
    sizes = [math.exp(max(-700.0, score - top)) for score in scores]
    total, largest = sum(sizes), scores.index(top)
    shares = [max(1, int(SHARE * size / total)) for size in sizes]
    shares[largest] += SHARE - sum(shares)
    return shares


def bent(step):
    """At least e^d − 1 for every d <= step, as parts of UNIT. REQUIRES: step <= UNIT. It is d + d² from −1/2 to 1, and below −1/4 before that."""
    return -(UNIT // 4) if step <= -UNIT // 2 else step + step * step // UNIT + 1


def loss_above(scores, own):
    """ln Σ exp(z_c) − z_own, from above; `scores` are z_c·UNIT, at least, and at most one more. Shares p near those of the scores are those of the scores
    ln p_c, whose logarithm of the sum is 0. So it is a + ln Σ p_c·exp(d_c) with d_c = z_c − a − ln p_c, and ln x <= x − 1."""
    scores = [score + (c != own) for c, score in enumerate(scores)]
    shares = shares_of([score / UNIT for score in scores])
    steps = [score + minus_log(share)[1] for score, share in zip(scores, shares)]
    base = steps[shares.index(max(shares))]
    if max(steps) - base > UNIT:
        base = max(steps)
    return base - scores[own] + sum(share * bent(step - base) for share, step in zip(shares, steps)) // SHARE + 1


def loss_below(scores, own):
    """The same from below, by the tangent: ln Σ exp(z_c) >= Σ p_c·(z_c − ln p_c) for any shares p."""
    scores = [score + (c == own) for c, score in enumerate(scores)]
    shares = shares_of([score / UNIT for score in scores])
    return max(0, sum(share * (score + minus_log(share)[0]) for share, score in zip(shares, scores)) // SHARE - scores[own])


def entropy_below(shares):
    return sum(share * minus_log(share)[0] for share in shares if share) // SHARE


class JointRows:
    """Rows as whole numbers: the place of the own class, columns with values times 10^`digits`, and the weight, `one` of which make 1."""

    def __init__(self, lines, features, classes):
        read, weights, self.digits, self.tree, self.last, self.features = [], [], 0, Tree(), "", features
        for line in lines:
            self.last = leaf = line.removesuffix("\n")
            self.tree.add(leaf)
            match = WEIGHED_LEAF.fullmatch(leaf)
            need(match and match[2].isdecimal() and int(match[2]) <= classes, "a leaf is not canonical")
            entries = [entry.split(":") for entry in match[4].split()]
            weights.append(match["weight"] or 1)
            columns = [int(column) for column, _ in entries]
            need(ascend(columns) and (not columns or columns[-1] <= features), "a row has a feature that the model hasn't, or one twice")
            need(int(match[1]) == len(read) + 1, "a leaf is of another row")
            self.digits = max([self.digits, *(len(value.partition(".")[2]) for _, value in entries)])
            read.append((int(match[2]) - 1, columns, [value for _, value in entries]))
        whole = lambda value: int(value.replace(".", "")) * 10 ** (self.digits - len(value.partition(".")[2]))
        self.rows = [(own, [(column - 1, whole(value)) for column, value in zip(columns, values)]) for own, columns, values in read]
        self.weights, self.one = aligned(weights)
        self.counts = [Fraction(0)] * classes
        for weight, (own, _, _) in zip(self.weights, read):
            self.counts[own] += Fraction(weight, self.one)
        need(any(self.counts), "all rows have weight 0")


class JointClassifier:
    """Weights (class, column) and intercepts as whole numbers of one part, `one` of which make 1."""

    def __init__(self, weights, offsets, origin):
        theta, self.one = aligned([*weights.values(), *offsets])
        self.theta, self.offsets = dict(zip(weights, theta)), theta[len(weights):]
        need(not origin or not any(self.offsets), "a classifier through the origin has an intercept")

    def scores(self, rows):
        """Of every row for each class, times one·10^digits, without the intercepts."""
        by_column = collections.defaultdict(list)
        for (c, column), weight in self.theta.items():
            by_column[column].append((c, weight))
        for _, entries in rows.rows:
            sums = [0] * len(self.offsets)
            for column, value in entries:
                for c, weight in by_column[column]:
                    sums[c] += weight * value
            yield sums

    def size(self, ratio):
        """r·|theta|₁ + (1 − r)/2·|theta|²"""
        absolute, squares = sum(map(abs, self.theta.values())), sum(weight * weight for weight in self.theta.values())
        return ratio * Fraction(absolute, self.one) + (1 - ratio) * Fraction(squares, 2 * self.one**2)


class Joint(Reader):
    """A proof about a model of all classes together."""

    def __init__(self, file):
        super().__init__(file, JOINT, (3,))
        objective, witness = file["objective"], file["witness"]
        need(file["claim"] == "near-optimal" and self.joint, "no rules are known for this claim")
        penalty = "elasticnet" if "l1_ratio" in objective else "l2"
        need(objective["loss"] == "softmax" and objective["penalty"] == penalty, "no rules are known for this objective")
        self.through_origin, classes = file["origin"], len(self.classes)
        self.weights, self.penalty = list(map(Fraction, objective["class_weights"])), Fraction(objective["lambda"])
        self.l1_ratio = Fraction(objective.get("l1_ratio", 0))
        need(len(self.weights) == classes and min(self.weights) > 0 and self.penalty > 0, "lambda and the weights of classes must be above 0")
        need(0 <= self.l1_ratio <= 1, "no rules are known for this penalty")
        self.classifier = self.classifier_of(file["model"])
        self.reference = self.classifier_of(file["reference"]["weights"]) if "reference" in file else None
        self.lower_by = Fraction(file["reference"]["lower_by"] if "reference" in file else 0)
        need(self.lower_by >= 0, "the difference to the reference is below 0")
        self.at_most, self.at_least = Fraction(file["at_most"]), Fraction(file["at_least"])
        self.offsets_of_shares, self.scale = list(map(Fraction, witness["offsets"])), witness.get("scale", 0) or SHARE
        need(len(self.offsets_of_shares) == classes, "there isn't an intercept for each class")
        need(not self.through_origin or not any(self.offsets_of_shares), "a classifier through the origin has an intercept")
        need(self.scale <= SHARE, "shares are multiplied by more than 1")

    def classifier_of(self, vector):
        weights, offsets = {}, [Fraction(0)] * len(self.classes)
        for name, number in vector.items():
            own, _, column = name.partition(":")
            known = own.isdecimal() and own[:1] != "0" and own.isascii() and 0 < int(own) <= len(self.classes)
            if known and column == "offset":
                offsets[int(own) - 1] = Fraction(number)
                continue
            known = known and column.isdecimal() and column.isascii() and column[:1] != "0" and int(column) <= self.raw
            need(known, "there is no such column")
            weights[int(own) - 1, int(column) - 1] = Fraction(number)
        return JointClassifier(weights, offsets, self.through_origin)

    def weigh(self, counts):
        return self.weights, self.penalty

    def check(self, lines=None, as_encoded=False):
        if lines is None:
            raise NeedsData("a proof about a model is checked against its rows")
        self.as_encoded = as_encoded
        self.compare_head(next(lines, "0"))
        rows = JointRows(lines, self.raw, len(self.classes))
        self.compare_root(rows.tree, len(rows.rows), rows.last)
        need(rows.rows, "it is about no rows")
        solved = solve_joint(self, rows)
        above, below, lower_by = solved.bounds
        need(above <= self.at_most, "the model's objective may be higher than the proof says")
        need(below >= self.at_least, "some classifier's objective may be lower than the proof says")
        need(not self.lower_by or lower_by >= self.lower_by, "the reference's objective may be nearer to the model's than the proof says")
        self.following = list(follows_joint(self, rows, solved, self.at_most, self.at_least, self.lower_by))

    def sentences(self):
        claim, _, *rows = self.subject()
        yield claim
        yield f"of {len(self.classes)} classes together"
        yield from rows
        objective = self.file["objective"]
        yield (f"objective: mean softmax loss, {listed_weights(self.classes, objective['class_weights'])}"
               f", and the penalty {objective['penalty']} with lambda {objective['lambda']}"
               + f", the share of the L1 part {objective.get('l1_ratio')}" * bool(self.l1_ratio))
        yield from found(self.at_most, self.at_least, self.through_origin)
        if 0 < self.lower_by < self.at_most:
            least = self.lower_by / (self.at_most - self.lower_by)
            yield (f"and at least {outward(100 * least, 3, False)} % above it: the reference's objective is lower by at least "
                   f"{outward(self.lower_by, 9, False)}")
        yield from self.following


def solve_joint(model, rows):
    """The three bounds, as check_model.solve has them, and what the second was found by."""
    weights, penalty = model.weigh(rows.counts)
    of_class, _ = aligned(weights)
    whole = [weight * of_class[own] for weight, (own, _) in zip(rows.weights, rows.rows)]  # of the rows, all times the same
    total, tens = sum(whole), 10**rows.digits

    def objective_of(classifier, scores, loss):
        one, losses = classifier.one * tens, 0
        shifts = [offset * tens for offset in classifier.offsets]
        for weight, (own, _), row in zip(whole, rows.rows, scores):
            losses += weight * loss([(score + shift) * UNIT // one for score, shift in zip(row, shifts)], own)
        return Fraction(losses, UNIT * total) + penalty * classifier.size(model.l1_ratio)

    scored, lower_by = model.classifier, Fraction(0)
    scores = list(scored.scores(rows))
    objective = objective_of(scored, scores, loss_above)
    if model.reference:
        lower_by, scored = objective_of(scored, scores, loss_below), model.reference
        scores = list(scored.scores(rows))
        lower_by -= objective_of(scored, scores, loss_above)
    one, offsets = scored.one * tens, model.offsets_of_shares
    if offsets is None:
        offsets = balancing_offsets([[score / one for score in row] for row in scores], [own for own, _ in rows.rows], [weight / total for weight in whole],
                                    [float(Fraction(offset, scored.one)) for offset in scored.offsets], model.through_origin)
    shifts = [offset.numerator * one // offset.denominator for offset in offsets]
    shares = [shares_of([(score + shift) / one for score, shift in zip(row, shifts)]) for row in scores]
    scale = SHARE if model.scale is None else model.scale
    solved = joint_bound(model, rows, [scaled(row, own, scale) for row, (own, _) in zip(shares, rows.rows)], whole, penalty)
    if model.scale is None and 0 < solved.shorter < 1:
        scale = int(solved.shorter * SHARE)
        solved = joint_bound(model, rows, [scaled(row, own, scale) for row, (own, _) in zip(shares, rows.rows)], whole, penalty)
    solved.penalty, solved.bounds = penalty, (objective, max(solved.bound, Fraction(0)), lower_by)
    return solved


def scaled(shares, own, scale):
    """Those of the other classes are multiplied by scale/SHARE, and the own class has what is left."""
    if scale == SHARE:
        return shares
    smaller = [share * scale // SHARE for share in shares]
    smaller[own] += SHARE - sum(smaller)
    return smaller


def joint_bound(model, rows, shares, weights, penalty):
    """No classifier's objective is below `bound`; `weights` are those of the rows. Shares become keep·p + (1 − keep)·s, with the same s for all rows, so that those of a class have
    its rows' weight as their sum; h of that is at least keep·h(p). `shorter`: what an L1 penalty alone multiplied v by."""
    classes, tens, total = len(rows.counts), 10**rows.digits, sum(weights)
    entropy, sums, wanted, of_all_rows = 0, [0] * classes, [0] * classes, collections.defaultdict(int)
    by_share, of_own = [[collections.defaultdict(int) for _ in range(classes)] for _ in range(2)]
    for weight, (own, entries), row in zip(weights, rows.rows, shares):
        wanted[own] += weight * SHARE
        entropy += weight * entropy_below(row)
        for c, share in enumerate(row):
            sums[c] += weight * share
        for column, value in entries:
            of_all_rows[column] += weight * value
            of_own[own][column] += weight * value
            for c, share in enumerate(row):
                by_share[c][column] += weight * share * value
    keep = Fraction(1) if model.through_origin else min(Fraction(1), *(Fraction(a, b) for a, b in zip(wanted, sums) if b))
    a, b = keep.numerator, keep.denominator
    # v in parts, of which b·total·SHARE·tens make 1.
    rest = [0 if model.through_origin else b * want - a * have for want, have in zip(wanted, sums)]
    slopes = [a * total * by_share[c][column] + rest[c] * of_all_rows[column] - SHARE * b * total * of_own[c][column]
              for c in range(classes) for column in of_all_rows]
    unit = b * total * SHARE * tens
    gain = keep * Fraction(entropy, UNIT * total)
    allowed = penalty * model.l1_ratio * total * unit
    solved = types.SimpleNamespace(shorter=Fraction(1), keep=keep)
    if model.l1_ratio == 1:
        solved.shorter = min(Fraction(1), allowed / max([*map(abs, slopes), 1]))
        solved.bound = solved.shorter * gain
        return solved
    parts = allowed.denominator
    length = sum(max(0, abs(slope) * parts - allowed.numerator)**2 for slope in slopes)
    solved.bound = gain - Fraction(length, (unit * parts * total)**2) / (2 * penalty * (1 - model.l1_ratio))
    return solved


def follows_joint(model, rows, solved, at_most, at_least, lower_by):
    """What is true of every classifier whose objective is the least, in words."""
    bend = solved.penalty * (1 - model.l1_ratio)
    if not bend:
        return
    classifier = model.reference if lower_by else model.classifier
    certain, weights = len(certain_signs(classifier, 2 * (at_most - at_least - lower_by) / bend)), rows.features * len(rows.counts)
    yield (f"every weight of the best possible classifier is within {outward(root_above(2 * (at_most - at_least) / bend), 3, True)} of the "
           f"model's, and {certain} of {weights} signs are certain")


class JointModel:
    """What a model file says of a classifier of all classes together. Raises Unknown."""

    offsets_of_shares = reference = scale = None

    def __init__(self, file):
        options, size = file["options"], file["features"]
        require(file["learner"] == "margin" and not file["regression"] and file["map"] == "none", "only models that the learner margin made without "
                "a map can be checked")
        require(options["penalty"] in ("l2", "l1", "elasticnet"), f"the penalty {options['penalty']} can't be checked")
        ratio = Fraction(options.get("l1-ratio", 0))
        need(0 <= ratio <= 1 and (options["penalty"] != "l1" or ratio in (0, 1)), "the penalty is no mix of both")
        self.l1_ratio = {"l1": Fraction(1), "elasticnet": ratio or Fraction(1, 2), "l2": ratio}[options["penalty"]]
        self.through_origin, self.options, self.classes = file["origin"], options, file["classes"]
        weights = {(k // size, k % size): Fraction(weight) for k, weight in enumerate(file["theta"]) if Fraction(weight)}
        self.classifier = JointClassifier(weights, list(map(Fraction, file["offsets"])), self.through_origin)

    def weigh(self, counts):
        weights = class_weights(self.options["class-weight"], self.classes, counts)
        penalty, inverse = Fraction(self.options["lambda"]), Fraction(self.options["C"])
        need(all(counts) and inverse > 0 and penalty >= 0, "a class has no rows, C isn't above 0, or lambda is below 0")
        return weights, penalty or 1 / (inverse * sum(weight * count for weight, count in zip(weights, counts)))


def of_joint_model(file, lines):
    model = JointModel(file)
    rows = JointRows(iter(lines[1:]), file["features"], len(file["classes"]))
    need(rows.rows, "there are no rows")
    solved = solve_joint(model, rows)
    above, below, _ = solved.bounds
    return gap_of(above, below), *found(above, below, model.through_origin), *follows_joint(model, rows, solved, above, below, Fraction(0))


def balancing_offsets(scores, labels, weights, offsets, origin):
    """The intercepts at which the shares of each class have its rows' weight as their sum, as near as floating-point numbers get to it: Newton's
    method, with steps that are halved until the loss doesn't rise."""
    if origin:
        return [Fraction(0)] * len(offsets)
    classes = len(offsets)

    def loss(offsets):
        value = 0.0
        for weight, row, own in zip(weights, scores, labels):
            z = [score + offset for score, offset in zip(row, offsets)]
            top = max(z)
            value += weight * (top + math.log(sum(math.exp(each - top) for each in z)) - z[own])
        return value

    best = loss(offsets)
    for _ in range(30):
        slope, bend = [0.0] * classes, [[0.0] * classes for _ in range(classes)]
        for weight, row, own in zip(weights, scores, labels):
            z = [score + offset for score, offset in zip(row, offsets)]
            top = max(z)
            sizes = [math.exp(each - top) for each in z]
            total = sum(sizes)
            for c, size in enumerate(sizes):
                share = size / total
                slope[c] += weight * (share - (c == own))
                bend[c][c] += weight * share
                for k in range(classes):
                    bend[c][k] -= weight * share * sizes[k] / total
        step = solved_equations([row[:-1] for row in bend[:-1]], slope[:-1]) if classes > 1 else []
        length = 1.0
        while length > 1e-6:
            moved = [offset - length * each for offset, each in zip(offsets, [*step, 0.0])]
            value = loss(moved)
            if value <= best:
                break
            length /= 2
        else:
            break
        done, offsets, best = max(map(abs, step)) < 1e-13 * (1 + max(map(abs, offsets))), moved, value
        if done:
            break
    return list(map(Fraction, offsets))


def solved_equations(matrix, right):
    """By elimination; a row without a pivot has the solution 0."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if abs(rows[k][k]) < 1e-300:
            continue
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[-1] / row[k] if abs(row[k]) >= 1e-300 else 0.0 for k, row in enumerate(rows)]
