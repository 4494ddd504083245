"""Proofs about models of several classes: both checkers accept what an oracle seals, accept nothing false however a file is changed,
and agree.

The oracle works in decimals of 120 digits. Of a softmax it finds the optimum by Newton's method, and knows how near that is by a bound
from shares of its own. Of each class against the rest it is that of two classes (objective.py). A claim within 10^-10 of a bound may be
accepted by one checker alone: shares are rounded from scores, and the two round differently."""
import collections
import copy
import decimal
import functools
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from decimal import Decimal
from fractions import Fraction

import brute
import objective
from objective import CONTEXT, ERROR, decimal_of, dot
from test_checkers import CheckersCase, mutate, mutations, read_certificate, verify_certificate
from test_model_proofs import nudged

check_model = verify_certificate.beside("check_model")
check_several = check_model.several()

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "checker"
NAMES = ["a", "b", "c", "d"]
NEAR = Fraction(1, 10**10)


class Softmax:
    """The objective of all classes together; labels are places of classes."""

    def __init__(self, rows, labels, weights, penalty, origin):
        self.x, self.y, self.penalty, self.origin = [[Fraction(value) for value in row] for row in rows], labels, Fraction(penalty), origin
        self.k, self.d = len(weights), len(rows[0])
        each = [Fraction(weights[y]) for y in labels]
        self.c = [weight / sum(each) for weight in each]

    def scores(self, theta, offsets):
        return [[dot(t, x) + b for t, b in zip(theta, offsets)] for x in self.x]

    def value(self, theta, offsets):
        """Within ERROR."""
        losses = []
        for z, y in zip(self.scores(theta, offsets), self.y):
            top = max(z)
            sizes = [CONTEXT.exp(decimal_of(each - top)) for each in z]
            losses.append(top - z[y] + Fraction(CONTEXT.ln(functools.reduce(CONTEXT.add, sizes))))
        return dot(self.c, losses) + self.penalty / 2 * sum(dot(t, t) for t in theta)

    def shares(self, theta, offsets):
        shares = []
        for z in self.scores(theta, offsets):
            top = max(z)
            sizes = [Fraction(CONTEXT.exp(decimal_of(each - top))) for each in z]
            shares.append([size / sum(sizes) for size in sizes])
        return shares

    def bound(self, shares):
        """No objective is below this, within ERROR. Shares are balanced as the rules say: by the same mixture in every row."""
        have = [dot(self.c, [p[c] for p in shares]) for c in range(self.k)]
        want = [sum((w for w, y in zip(self.c, self.y) if y == c), Fraction(0)) for c in range(self.k)]
        keep = Fraction(1) if self.origin else min(Fraction(1), *(b / a for a, b in zip(have, want) if a))
        rest = [Fraction(0)] * self.k if self.origin else [b - keep * a for a, b in zip(have, want)]
        entropy = -sum((w * sum((a * Fraction(CONTEXT.ln(decimal_of(a))) for a in p if a), Fraction(0)) for w, p in zip(self.c, shares)), Fraction(0))
        length = Fraction(0)
        for c in range(self.k):
            signed = [w * (keep * p[c] + rest[c] - (y == c)) for w, p, y in zip(self.c, shares, self.y)]
            length += sum(dot(signed, column)**2 for column in zip(*self.x))
        return keep * entropy - length / (2 * self.penalty)

    @functools.cached_property
    def least(self):
        """Two numbers with the least objective between them, and the classifier of the second, by Newton's method."""
        size = self.d + (not self.origin)
        points = [[decimal_of(value) for value in x] + [Decimal(1)] * (not self.origin) for x in self.x]
        costs, penalty, zero = list(map(decimal_of, self.c)), decimal_of(self.penalty), Decimal(0)
        with decimal.localcontext(decimal.Context(prec=60, Emin=-10**9, Emax=10**9)):
            w = [zero] * (size * self.k)
            place = lambda c, j: c * size + j

            def losses(w):
                z = [[objective.product(w[c * size:(c + 1) * size], x) for c in range(self.k)] for x in points]
                tops = list(map(max, z))
                sizes = [[(each - top).exp() for each in row] for row, top in zip(z, tops)]
                value = sum((cost * (top + sum(row).ln() - row_z[y]) for cost, top, row, row_z, y in zip(costs, tops, sizes, z, self.y)), zero)
                value += penalty / 2 * sum((w[place(c, j)]**2 for c in range(self.k) for j in range(self.d)), zero)
                return value, [[each / sum(row) for each in row] for row in sizes]

            value, shares = losses(w)
            for _ in range(100):
                slope = [penalty * v if k % size < self.d else zero for k, v in enumerate(w)]
                bend = [[(penalty if j % size < self.d else zero) if j == k else zero for k in range(len(w))] for j in range(len(w))]
                for cost, x, p, y in zip(costs, points, shares, self.y):
                    for c in range(self.k):
                        for j in range(size):
                            slope[place(c, j)] += cost * (p[c] - (c == y)) * x[j]
                            for e in range(self.k):
                                h = cost * p[c] * ((c == e) - p[e]) * x[j]
                                for i in range(size):
                                    bend[place(c, j)][place(e, i)] += h * x[i]
                if max(map(abs, slope)) < Decimal(10)**-45:
                    break
                # The last class's intercept stays: only differences count.
                left = len(w) - (not self.origin)
                step = objective.solved([row[:left] for row in bend[:left]], slope[:left]) + [zero] * (not self.origin)
                length = Decimal(1)
                while length > Decimal(10)**-12:
                    moved = [a - length * b for a, b in zip(w, step)]
                    found = losses(moved)
                    if found[0] <= value:
                        break
                    length /= 2
                w, (value, shares) = moved, found
        theta = [[Fraction(w[place(c, j)]) for j in range(self.d)] for c in range(self.k)]
        offsets = [Fraction(0) if self.origin else Fraction(w[place(c, self.d)]) for c in range(self.k)]
        return self.bound(self.shares(theta, offsets)) - ERROR, self.value(theta, offsets) + ERROR, theta, offsets


@functools.lru_cache(maxsize=100)
def softmax_of(rows, labels, weights, penalty, origin):
    return Softmax(rows, labels, weights, penalty, origin)


def problem_of(proof, rows, labels):
    said = proof["objective"]
    return softmax_of(tuple(rows), tuple(labels), tuple(said["class_weights"]), said["lambda"], proof["origin"])


def classifier(vector, problem):
    theta = [[Fraction(vector.get(f"{c}:{j}", "0")) for j in range(1, problem.d + 1)] for c in range(1, problem.k + 1)]
    return theta, [Fraction(vector.get(f"{c}:offset", "0")) for c in range(1, problem.k + 1)]


def vector_of(source, theta, offsets, origin, moved):
    near = lambda value: brute.plain(repr(float(value) + moved * source.uniform(-1, 1)))
    weights = {f"{c}:{j}": near(value) for c, row in enumerate(theta, 1) for j, value in enumerate(row, 1)}
    return weights | ({} if origin else {f"{c}:offset": near(value) for c, value in enumerate(offsets, 1)})


def rounded(shares):
    """As a witness of scores has them: whole numbers of 2^-40, at least 1, the largest what the others leave."""
    whole = []
    for row in shares:
        parts = [max(1, int(each * objective.SHARE)) for each in row]
        parts[row.index(max(row))] += objective.SHARE - sum(parts)
        whole.append([Fraction(part, objective.SHARE) for part in parts])
    return whole


def data_of(rows, labels):
    data = {"rows": len(rows), "features": len(rows[0]), "reading": {"format": "svmlight"}}
    if isinstance(labels[0], str):
        data["labels"] = [{"name": name, "negative": "-1", "positive": "1"} for name in names_of(labels)]
    else:
        data["classes"] = names_of(labels)
    return data | {"root": brute.data_root([leaf.encode() for leaf in leaves_of(rows, labels)], data, 3)}


def names_of(labels):
    """Of the classes, whose places labels are, or of label columns, for each of which a row's labels have a character."""
    return NAMES[:len(labels[0])] if isinstance(labels[0], str) else NAMES[:max(labels) + 1]


def leaves_of(rows, labels):
    return [f"{i} {y if isinstance(y, str) else y + 1}" + "".join(f" {j}:{brute.plain(v)}" for j, v in enumerate(row, 1) if Decimal(v))
            for i, (row, y) in enumerate(zip(rows, labels), 1)]


def drawn_rows(source):
    classes = source.choice((3, 3, 4))
    rows = [tuple(str(source.randint(-30, 30) / 10) for _ in range(2)) for _ in range(source.randint(classes, 8))]
    return rows, [k % classes for k in range(len(rows))], classes


def drawn_joint(source):
    rows, labels, classes = drawn_rows(source)
    origin = source.random() < 0.3
    said = {"loss": "softmax", "penalty": "l2", "lambda": source.choice(("1/4", "0.01", "3")),
            "class_weights": [source.choice(("1", "1", "5/2")) for _ in range(classes)]}
    proof = {"linsep_certificate": 3, "claim": "near-optimal", "origin": origin, "jointly": True, "objective": said}
    problem = problem_of(proof, rows, labels)
    _, _, theta, offsets = problem.least
    proof["model"] = vector_of(source, theta, offsets, origin, source.choice((0, 1e-9, 1e-4, 1)))
    proof["witness"] = {"offsets": ["0" if origin else brute.plain(repr(float(offset))) for offset in offsets]}
    if source.random() < 0.3:
        proof["reference"] = {"weights": vector_of(source, theta, offsets, origin, source.choice((0, 1e-4))), "lower_by": "0"}
    return rows, labels, seal_joint(proof, rows, labels)


def seal_joint(proof, rows, labels):
    problem = problem_of(proof, rows, labels)
    proof["data"] = data_of(rows, labels)
    model = classifier(proof["model"], problem)
    theta, _ = classifier(proof["reference"]["weights"], problem) if "reference" in proof else model
    value, below = problem.value(*model), problem.bound(rounded(problem.shares(theta, list(map(Fraction, proof["witness"]["offsets"])))))
    room = value * NEAR + Fraction(problem.k, objective.SHARE)  # shares are at least 2^-40, so a tiny loss isn't known better
    proof["at_most"], proof["at_least"] = objective.outward(value, True, room), objective.outward(below, False, room)
    if "reference" in proof:
        lower = value - problem.value(*classifier(proof["reference"]["weights"], problem))
        proof["reference"]["lower_by"] = objective.outward(lower, False, 2 * room)
    return proof


def of_part(said, rows, labels, c):
    """The objective, rows and labels of a part as those of two classes: weights of classes become those of rows, and rows without a label are
    left out."""
    if isinstance(labels[0], str):
        known = [(row, 1 if marks[c] == "+" else -1) for row, marks in zip(rows, labels) if marks[c] != "?"]
        return said, [row for row, _ in known], [sign for _, sign in known]
    if "class_weights" in said:
        said = {name: value for name, value in said.items() if name != "class_weights"} | {"row_weights": tuple(said["class_weights"][y] for y in labels)}
    return said, rows, [1 if y == c else -1 for y in labels]


def drawn_labels(source):
    """As drawn_parts, of label columns."""
    rows, _, columns = drawn_rows(source)
    labels = ["".join("+-?"[(i // 2**c + i // 5) % 2 if i < 6 or source.random() < 0.7 else 2] for c in range(columns)) for i in range(len(rows))]
    for c in range(columns):  # rows of both classes
        for i, mark in ((c, "+"), (c + 1, "-")):
            labels[i % len(rows)] = labels[i % len(rows)][:c] + mark + labels[i % len(rows)][c + 1:]
    return drawn_parts(source, rows, labels)


def drawn_parts(source, rows=None, labels=None):
    if rows is None:
        rows, labels, _ = drawn_rows(source)
    origin, parts, classes = source.random() < 0.3, [], len(names_of(labels))
    by_class = not isinstance(labels[0], str) and source.random() < 0.5 and {"class_weights": [source.choice(("1", "5/2", "0.3", "1/7")) for _ in range(classes)]}
    loss, penalty = source.choice([*objective.LOSS]), source.choice(("1/4", "0.01", "3"))
    for c in range(classes):
        weights = by_class or {"negative_weight": "1", "positive_weight": source.choice(("1", "5/2"))}
        said = {"loss": loss, "penalty": "l2", "lambda": penalty} | copy.deepcopy(weights)
        sides, own, signs = of_part(said, rows, labels, c)
        problem = objective.problem_of(own, signs, sides, origin)
        _, _, shares, theta, offset = problem.least
        moved = source.choice((0, 1e-9, 1e-4, 1))
        model = {str(j): brute.plain(repr(float(v) + moved * source.uniform(-1, 1))) for j, v in enumerate(theta, 1)}
        if not origin:
            model["offset"] = brute.plain(repr(float(offset)))
        witness = {"offset": "0" if origin else brute.plain(repr(float(offset)))}
        if loss == "hinge":
            whole = [round(a * objective.SHARE) for a in shares]
            witness = {"shares": "".join({0: "0", objective.SHARE: "1"}.get(a, "*") for a in whole),
                       "between": [a for a in whole if a not in (0, objective.SHARE)]}
        two = {"linsep_certificate": 3, "claim": "near-optimal", "origin": origin, "objective": sides, "model": model, "witness": witness}
        objective.seal(two, own, signs)
        if "shares" in witness and isinstance(labels[0], str):  # rows without a label have any share
            marks = iter(witness["shares"])
            witness["shares"] = "".join("0" if each[c] == "?" else next(marks) for each in labels)
        parts.append({"label" if isinstance(labels[0], str) else "against_the_rest": NAMES[c], "objective": said} | {name: two[name] for name in ("at_most", "at_least", "model", "witness")})
    return rows, labels, {"linsep_certificate": 3, "claim": "near-optimal", "origin": origin, "data": data_of(rows, labels), "parts": parts}


def false_statement(proof, rows, labels):
    """What a proof says of these rows that isn't so, or None."""
    said, wanted = proof["data"], data_of(rows, labels)
    if proof["linsep_certificate"] != 3 or proof["claim"] != "near-optimal":
        return "claim"
    if any(said.get(name) != wanted.get(name) for name in ("rows", "features", "classes", "labels")):
        return "data"
    if said["root"] != brute.data_root([leaf.encode() for leaf in leaves_of(rows, labels)], said, 3):
        return "root"
    if "parts" not in proof:
        return false_joint_statement(proof, rows, labels)
    if [part["label" if "labels" in said else "against_the_rest"] for part in proof["parts"]] != names_of(labels):
        return "parts"
    for c, part in enumerate(proof["parts"]):
        two = {name: proof[name] for name in ("linsep_certificate", "claim", "origin")} | copy.deepcopy(part)
        two["objective"], own, signs = of_part(part["objective"], rows, labels, c)
        brute.seal(two, own, signs, 2)
        problem = objective.of_proof(two, own, signs)
        if Fraction(part["at_most"]) < problem.value(*objective.classifier(part["model"], 2)) - 2 * ERROR:
            return f"at_most of {c}"
        if Fraction(part["at_least"]) > problem.least[1]:
            return f"at_least of {c}"
    return None


def false_joint_statement(proof, rows, labels):
    said = proof["objective"]
    if proof["jointly"] is not True or said["loss"] != "softmax" or said["penalty"] not in ("l2", "elasticnet"):
        return "objective"
    if "l1_ratio" in said and Fraction(said["l1_ratio"]):
        return None  # the oracle knows the L2 penalty alone
    if Fraction(said["lambda"]) <= 0 or min(map(Fraction, said["class_weights"])) <= 0:
        return "objective"
    problem = problem_of(proof, rows, labels)
    value = problem.value(*classifier(proof["model"], problem))
    if Fraction(proof["at_most"]) < value - 2 * ERROR:
        return "at_most"
    if Fraction(proof["at_least"]) > problem.least[1]:
        return "at_least"
    if "reference" in proof:
        lower = value - problem.value(*classifier(proof["reference"]["weights"], problem))
        if Fraction(proof["reference"]["lower_by"]) > max(Fraction(0), lower + 2 * ERROR):
            return "lower_by"
    return None


def change(source, proof, other):
    """One change of a proof: a bound by a little, a number, a field, or something of another file."""
    kind = source.choice(("bound", "bound", "number", "other", "field", "root"))
    part = source.choice(proof["parts"]) if "parts" in proof else proof
    if kind == "bound":
        name = source.choice(("at_most", "at_least"))
        part[name] = nudged(source, part[name])
    elif kind == "number":
        vectors = [part["model"], *([part["reference"]["weights"]] if "reference" in part else [])]
        lists = [part["witness"][name] for name in ("offsets", "between") if part["witness"].get(name)]
        lists += [part["objective"]["class_weights"]] if "class_weights" in part["objective"] else []
        place = source.choice([*vectors, *lists, part["objective"]])
        if isinstance(place, list):
            k = source.randrange(len(place))
            place[k] = nudged(source, place[k]) if isinstance(place[k], str) else place[k] + source.choice((-1, 1, 2**30))
        else:
            name = source.choice([*place])
            place[name] = nudged(source, place[name]) if isinstance(place[name], str) else place[name][:-1]
    elif kind == "other":
        for name in source.sample(("objective", "model", "witness", "at_most", "at_least"), 2):
            part[name] = copy.deepcopy(source.choice(other["parts"])[name] if "parts" in other else other[name])
    elif kind == "root":
        proof["data"]["root"] = proof["data"]["root"][::-1]
    else:
        changed = mutate(proof, *source.choice(list(mutations(proof))))
        proof.clear()
        proof.update(changed)


def changed_rows(source, rows, labels):
    rows, labels, i = list(rows), list(labels), source.randrange(len(rows))
    if isinstance(labels[i], str):
        c = source.randrange(len(labels[i]))
        labels[i] = labels[i][:c] + source.choice("+-?") + labels[i][c + 1:]
    elif source.random() < 0.5:
        labels[i] = source.choice(range(max(labels) + 1))
    else:
        rows[i] = (str(source.randint(-30, 30) / 10), rows[i][1])
    return rows, labels


class SeveralClasses(CheckersCase):
    def answers(self, proof, rows, labels):
        said, several = data_of(rows, labels), isinstance(labels[0], str)
        said = {name: said[name] for name in ("labels" if several else "classes", "rows", "features")}
        try:
            verify_certificate.checker_of(read_certificate.parse(json.dumps(proof))).check(iter([json.dumps(said), *leaves_of(rows, labels)]))
            answers = {"python": (True, "")}
        except (ValueError, ArithmeticError, verify_certificate.NeedsData) as error:
            answers = {"python": (False, str(error))}
        if "native" in self.checkers:
            process = self.checkers["native"].process
            question = {"certificate": json.dumps(proof), "features": 2, "labels" if several else "classes": names_of(labels),
                        "rows": [[y if several else NAMES[y], [[j, v] for j, v in enumerate(row, 1)]] for row, y in zip(rows, labels)]}
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            answer, reason = process.stdout.readline().rstrip("\n").split("\t", 1)
            answers["native"] = (answer == "valid", reason)
        return answers

    def is_near(self, proof, rows, labels):
        """Whether some claim is as near to a bound as checkers may differ."""
        lines = leaves_of(rows, labels)
        file = read_certificate.parse(json.dumps(proof))
        near = lambda said, bound: abs(said - bound) <= 2 * NEAR * abs(bound) + Fraction(8, objective.SHARE)
        if "parts" in proof:
            parts = [(part, check_model.solve(part, part.rows(iter(lines))).bounds)
                     for part in check_several.Parts(file).parts]
        else:
            joint = check_several.Joint(file)
            parts = [(joint, check_several.solve_joint(joint, check_several.JointRows(iter(lines), 2, max(labels) + 1)).bounds)]
        return any(near(part.at_most, above) or near(part.at_least, below) or near(part.lower_by, lower) for part, (above, below, lower) in parts)

    def check_change(self, proof, rows, labels, counts):
        answers = self.answers(proof, rows, labels)
        accepted, what = [name for name, (valid, _) in answers.items() if valid], f"{answers}\n{rows} {labels}\n{json.dumps(proof)}"
        if accepted:
            self.assertIsNone(false_statement(proof, rows, labels), what)
        if 0 < len(accepted) < len(answers):
            self.assertTrue(self.is_near(proof, rows, labels), what)
        counts["accepted by both" if len(accepted) == len(answers) else "accepted by one" if accepted else "refused"] += 1
        return len(accepted) == len(answers), what

    def check_changes(self, drawn, wanted):
        seed = int(os.environ.get("LINSEP_SEED", "1"))
        source, counts = random.Random(seed), collections.Counter()
        other = drawn(source)[2]
        with self.subTest(seed=seed):
            while counts.total() < wanted:
                rows, labels, honest = drawn(source)
                fine, what = self.check_change(honest, rows, labels, collections.Counter())
                self.assertTrue(fine, what)
                for _ in range(20):
                    proof, given = copy.deepcopy(honest), (rows, labels)
                    try:
                        for _ in range(source.choice((1, 1, 2))):
                            change(source, proof, other)
                    except (KeyError, ValueError, TypeError, IndexError, ZeroDivisionError, AttributeError):
                        continue  # an earlier change took away what this one would change
                    if source.random() < 0.2:
                        given = changed_rows(source, rows, labels)
                        if source.random() < 0.7 and isinstance(proof.get("data"), dict):
                            proof["data"] = data_of(*given)
                    self.check_change(proof, *given, counts)
                other = honest
        self.assertGreater(min(counts["accepted by both"], counts["refused"]), wanted // 30)
        print(f"{counts.total()} changes of proofs about several classes ({drawn.__name__}), seed {seed}: " +
              ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + ", none of them false", file=sys.stderr)

    def test_no_change_makes_a_false_proof_about_all_classes_pass(self):
        """LINSEP_MODEL_MUTATIONS of them."""
        self.check_changes(drawn_joint, int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300")) // 2)

    def test_no_change_makes_a_false_proof_of_each_class_pass(self):
        """LINSEP_MODEL_MUTATIONS of them."""
        self.check_changes(drawn_parts, int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300")) // 2)

    def test_no_change_makes_a_false_proof_of_each_label_column_pass(self):
        """LINSEP_MODEL_MUTATIONS of them."""
        self.check_changes(drawn_labels, int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300")) // 2)

    def test_label_columns_that_say_something_else_are_refused(self):
        rows, labels, honest = drawn_labels(random.Random(3))

        def refused(change):
            proof = copy.deepcopy(honest)
            change(proof)
            answers = self.answers(proof, rows, labels)
            self.assertFalse(any(valid for valid, _ in answers.values()), answers)

        self.assertTrue(all(valid for valid, _ in self.answers(honest, rows, labels).values()))
        refused(lambda f: f["parts"].pop())
        refused(lambda f: f["parts"].reverse())
        refused(lambda f: f["parts"].append(f["parts"][0]))
        refused(lambda f: f["parts"][0].update(label="b"))
        refused(lambda f: f["parts"][0].update(against_the_rest="a"))
        refused(lambda f: f["data"]["labels"].reverse())
        refused(lambda f: f["data"]["labels"][0].update(positive="-1", negative="1"))
        refused(lambda f: f["data"]["labels"][1].update(name="a"))
        refused(lambda f: f["data"].update(classes=["a", "b", "c"]))
        refused(lambda f: f["data"].update(negative="-1", positive="1"))
        refused(lambda f: f["data"].update(labels=[]))
        refused(lambda f: f.update(parts=[]))
        refused(lambda f: f.update(jointly=True))

    def test_a_proof_without_parts_is_refused(self):
        rows, labels, proof = drawn_parts(random.Random(1))
        for fewer in (0, 1, 2):
            proof["parts"] = proof["parts"][:fewer]
            for classes in (proof["data"]["classes"], NAMES[:fewer]):
                proof["data"]["classes"] = classes
                answers = self.answers(proof, rows, labels)
                self.assertFalse(any(valid for valid, _ in answers.values()), answers)

    def test_no_bound_is_above_the_optimum(self):
        """LINSEP_MODEL_MUTATIONS drawn sets."""
        seed = int(os.environ.get("LINSEP_SEED", "1"))
        source, widest = random.Random(seed), 0
        with self.subTest(seed=seed):
            for _ in range(int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300")) // 6):
                rows, labels, proof = drawn_joint(source)
                joint, problem = check_several.Joint(read_certificate.parse(json.dumps(proof))), problem_of(proof, rows, labels)
                above, below, lower_by = check_several.solve_joint(joint, check_several.JointRows(iter(leaves_of(rows, labels)), 2, problem.k)).bounds
                low, high, theta, offsets = problem.least
                self.assertLess(high - low, Fraction(1, 10**25))
                self.assertLessEqual(below, high)
                value = problem.value(*classifier(proof["model"], problem))
                self.assertLessEqual(value, above + ERROR)
                self.assertLessEqual(above - value, value * NEAR + Fraction(problem.k, objective.SHARE))
                self.assertGreaterEqual(lower_by, -above)
                best = vector_of(source, theta, offsets, proof["origin"], 0)
                honest = seal_joint(copy.deepcopy(proof) | {"model": best}, rows, labels) if "reference" not in proof else proof
                widest = max(widest, Fraction(honest["at_most"]) - Fraction(honest["at_least"]) if honest is not proof else 0)
        self.assertLess(widest, Fraction(1, 10**9), "the best classifier's own scores prove it")

    def test_what_follows_is_so_of_the_best_classifier(self):
        source, counts = random.Random(7), collections.Counter()
        for _ in range(40):
            rows, labels, proof = drawn_joint(source)
            joint, problem = check_several.Joint(read_certificate.parse(json.dumps(proof))), problem_of(proof, rows, labels)
            _, _, theta, _ = problem.least
            squared = 2 * (joint.at_most - joint.at_least) / joint.penalty
            model, _ = classifier(proof["model"], problem)
            self.assertLessEqual(sum((a - b)**2 for t, u in zip(model, theta) for a, b in zip(t, u)), squared + Fraction(1, 10**30))
            near = joint.reference if joint.lower_by else joint.classifier
            signs = check_model.certain_signs(near, 2 * (joint.at_most - joint.at_least - joint.lower_by) / joint.penalty)
            for (c, column), sign in signs.items():
                self.assertGreater(sign * theta[c][column], 0)
            counts["signs"] += len(signs)
        self.assertGreater(counts["signs"], 20)


@unittest.skipUnless("LINSEP" in os.environ, "needs the program")
class Program(unittest.TestCase):
    """Models that were trained, through every door: train --proof, certify --model, verify of both, the scripts, a bundle."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def linsep(self, *words, code=0):
        done = subprocess.run([os.environ["LINSEP"], *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def script(self, name, *words):
        done = subprocess.run([sys.executable, "-I", CHECKER / name, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout

    def drawn(self, rows=120, features=4, classes=3, seed=1):
        self.linsep("generate", "classes", "--rows", rows, "--features", features, "--nonzeros", features, "--classes", classes, "--seed", seed, "-o", "rows.svm")

    def check(self, *options, smooth, labels=True):
        """The gap that is proven is the one that training printed."""
        trained = json.loads(self.linsep("train", "rows.svm", *options, "-o", "model.json", "--proof", "proof.json", "--json"))
        gap = max(part["gap"] for part in trained["parts"]) if trained.get("parts") else trained["gap"]
        proven = json.loads(self.linsep("verify", "proof.json", "rows.svm", "--json"))
        self.assertTrue(proven["valid"])
        self.assertLessEqual(proven["gap"], 1.1 * gap + 1e-7, options)
        self.assertEqual(proven["gap"], trained["proven"]["gap"])
        parts = proven.get("parts", [proven])
        self.assertAlmostEqual(sum(float(part["at_most"]) for part in parts), trained["objective"], delta=1e-5 * trained["objective"])
        self.assertEqual([part["class"] for part in parts] if labels else None, proven["classes"] if labels else None)
        self.assertTrue(json.loads(self.linsep("verify", "model.json", "rows.svm", "--json"))["valid"])
        again = json.loads(self.linsep("certify", "rows.svm", "--model", "model.json", "-o", "again.json", "--json"))
        self.assertEqual((again["gap"], again["root"]), (proven["gap"], proven["root"]))
        code, out = self.script("verify_certificate.py", "proof.json", "rows.svm")
        self.assertEqual(code, 0, out)
        self.assertIn(f"the root {proven['root']}", out)
        if smooth:
            self.assertEqual(self.script("check_model.py", "model.json", "rows.svm", "--gap", 1.1 * gap + 1e-7)[0], 0, options)
            self.assertEqual(self.script("check_model.py", "model.json", "rows.svm", "--gap", 1e-15)[0], 1, options)
        return proven

    def test_each_class_against_the_rest(self):
        for rows, features, classes in ((150, 4, 3), (200, 16, 10)):
            self.drawn(rows, features, classes)
            for loss in ("logistic", "squared-hinge", "hinge"):
                proven = self.check("--loss", loss, smooth=loss == "logistic")
                self.assertEqual(proven["gap"], max(part["gap"] for part in proven["parts"]))
                self.assertGreater(sum(part["labels_certain"] for part in proven["parts"]), 0)

    def test_each_class_against_the_rest_by_weights_of_classes(self):
        for rows, features, classes in ((150, 4, 3), (200, 16, 10)):
            self.drawn(rows, features, classes)
            for weights in ("balanced", "1=2,3=0.3"):
                for loss in ("logistic", "squared-hinge", "hinge"):
                    proven = self.check("--loss", loss, "--class-weight", weights, smooth=loss == "logistic")
                    self.assertEqual(len(proven["parts"][0]["class_weights"]), len(proven["parts"]))
                    self.assertGreater(sum(part["labels_certain"] for part in proven["parts"]), 0)
                    code, out = self.script("verify_certificate.py", "proof.json", "rows.svm")
                    certain = [int(word) for word in re.findall("is certain for ([0-9]+) of", out)]
                    self.assertEqual(certain, [part["labels_certain"] for part in proven["parts"]])

    def test_all_classes_together(self):
        for rows, features, classes in ((150, 4, 3), (200, 16, 10)):
            self.drawn(rows, features, classes)
            for more in ((), ("--class-weight", "balanced"), ("--origin",), ("--C", "0.01"), ("--gap", "1e-7")):
                self.check("--loss", "softmax", *more, smooth=True, labels=False)

    def test_penalties_with_an_l1_part(self):
        self.drawn(150, 8, 3)
        for more in (("--penalty", "l1"), ("--penalty", "elasticnet", "--l1-ratio", "0.5")):
            for loss in ("logistic", "softmax"):
                self.check("--loss", loss, *more, "--gap", "1e-6", smooth=True, labels=loss != "softmax")

    def test_bundles_have_what_checks_them(self):
        self.drawn()
        for loss in ("hinge", "softmax"):
            self.linsep("train", "rows.svm", "--loss", loss, "-o", "model.json", "--proof", "appendix.zip", "--quiet")
            self.assertIn("valid", self.linsep("verify", "appendix.zip"))
            code, out = self.script("verify_certificate.py", "appendix.zip")
            self.assertEqual(code, 0, out)
            with zipfile.ZipFile(self.folder / "appendix.zip") as archive:
                archive.extractall(self.folder / loss)
            done = subprocess.run([sys.executable, "verify_certificate.py", "proof.json", "rows.svm"], cwd=self.folder / loss, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_rows_of_several_weights(self):
        self.drawn()
        lines = (self.folder / "rows.svm").read_text().splitlines()
        cells = lambda line: dict(entry.split(":") for entry in line.split()[1:])
        rows = [",".join([line.split()[0], str(k % 3 + 0.5), *(cells(line).get(str(j), "0") for j in range(1, 5))]) for k, line in enumerate(lines)]
        (self.folder / "rows.csv").write_text("\n".join(["label,w,a,b,c,d", *rows]) + "\n")
        for loss in ("logistic", "softmax"):
            words = ("--label", "label", "--weight", "w", "--scale", "none")
            self.linsep("train", "rows.csv", *words, "--loss", loss, "-o", "model.json", "--proof", "proof.json", "--quiet")
            self.assertIn("valid", self.linsep("verify", "proof.json", "rows.csv", "--label", "label", "--weight", "w"))
            self.linsep("verify", "proof.json", "rows.csv", "--label", "label", "--ignore", "w", code=1)
            code, out = self.script("verify_certificate.py", "proof.json", "rows.csv", "--label", "label", "--weight", "w")
            self.assertEqual(code, 0, out)

    def check_labels(self, reading, *options, smooth):
        """As check, of several label columns."""
        trained = json.loads(self.linsep("train", *reading, *options, "-o", "model.json", "--proof", "proof.json", "--json"))
        proven = json.loads(self.linsep("verify", "proof.json", *reading, "--json"))
        self.assertTrue(proven["valid"])
        self.assertEqual([part["label"] for part in proven["parts"]], proven["labels"])
        for part, own in zip(proven["parts"], trained["parts"]):
            self.assertLessEqual(part["gap"], 1.1 * max(own["gap"], 1e-3) + 1e-7)
            self.assertAlmostEqual(float(part["at_most"]), own["objective"], delta=1e-5 * own["objective"])
        self.assertTrue(json.loads(self.linsep("verify", "model.json", *reading, "--json"))["valid"])
        again = json.loads(self.linsep("certify", *reading, "--model", "model.json", "-o", "again.json", "--json"))
        self.assertEqual((again["gap"], again["root"]), (proven["gap"], proven["root"]))
        code, out = self.script("verify_certificate.py", "proof.json", *reading)
        self.assertEqual(code, 0, out)
        certain = [int(word) for word in re.findall("is certain for ([0-9]+) of", out)]
        self.assertEqual(certain, [part["labels_certain"] for part in proven["parts"]])
        if smooth:
            self.assertEqual(self.script("check_model.py", "model.json", *reading, "--gap", 1.1e-3)[0], 0)
            self.assertEqual(self.script("check_model.py", "model.json", *reading, "--gap", 1e-15)[0], 1)
        (self.folder / "leaves.txt").write_text(self.linsep("leaves", *reading, "--row-weights"))
        self.assertEqual(self.script("verify_certificate.py", "proof.json", "leaves.txt")[0], 0)
        return proven

    def drawn_labels(self, rows=120):
        """Rows and their labels in three columns: −1 and 1, and in arrays also 0 for none."""
        source = random.Random(5)
        values = [[source.randint(-30, 30) / 10 for _ in range(4)] for _ in range(rows)]
        return values, [[1 if row[c] + row[3] / 2 + source.gauss(0, 1) > 0 else -1 for c in range(3)] for row in values]

    def test_label_columns(self):
        values, labels = self.drawn_labels()
        lines = [",".join(map(str, [*row, *("yes" if label > 0 else "no" for label in own)])) for row, own in zip(values, labels)]
        (self.folder / "rows.csv").write_text("\n".join(["a,b,c,d,u,v,w", *lines]) + "\n")
        reading = ("rows.csv", "--labels", "w,u,v")
        for loss in ("logistic", "squared-hinge", "hinge"):
            proven = self.check_labels(reading, "--loss", loss, "--scale", "none", smooth=loss == "logistic")
            self.assertEqual(proven["labels"], ["w", "u", "v"])
            done = subprocess.run([os.environ["LINSEP"], "verify", "proof.json", "rows.csv", "--labels", "u,v,w"], cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 1, "the columns are in another order")
        self.linsep("train", *reading, "--loss", "logistic", "--scale", "none", "-o", "model.json", "--proof", "appendix.zip", "--quiet")
        self.assertIn("valid", self.linsep("verify", "appendix.zip"))
        self.assertEqual(self.script("verify_certificate.py", "appendix.zip")[0], 0)

    def test_label_columns_with_rows_that_have_no_label(self):
        values, labels = self.drawn_labels()
        source = random.Random(6)
        labels = [[0 if source.random() < 0.2 else label for label in own] for own in labels]
        for name, kind, rows in (("X.npy", "<f8", values), ("Y.npy", "|i1", labels)):
            header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
            header += " " * (-(len(header) + 11) % 64) + "\n"
            data = b"".join(struct.pack("<d" if kind == "<f8" else "b", value) for row in rows for value in row)
            (self.folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
        for loss in ("logistic", "hinge"):
            self.check_labels(("X.npy", "--labels", "Y.npy"), "--loss", loss, smooth=loss == "logistic")

    def test_a_model_that_was_changed_is_refused(self):
        self.drawn()
        for loss in ("logistic", "softmax"):
            self.linsep("train", "rows.svm", "--loss", loss, "--gap", "1e-6", "-o", "model.json", "--quiet")
            model = json.loads((self.folder / "model.json").read_text())
            model["theta"][1] += 2
            (self.folder / "model.json").write_text(json.dumps(model))
            self.linsep("verify", "model.json", "rows.svm", code=1)
            self.assertEqual(self.script("check_model.py", "model.json", "rows.svm", "--gap", "1e-4")[0], 1)
            found = json.loads(self.linsep("certify", "rows.svm", "--model", "model.json", "-o", "proof.json", "--json"))
            worst = max(found.get("parts", [found]), key=lambda part: part["above_best_at_least"])
            self.assertGreater(worst["above_best_at_least"], 1e-3)
            self.assertIn("valid", self.linsep("verify", "proof.json", "rows.svm"))
            code, out = self.script("verify_certificate.py", "proof.json", "rows.svm")
            self.assertEqual(code, 0, out)

    def test_forgeries_are_refused_by_both(self):
        self.drawn(60)
        (self.folder / "other.svm").write_text((self.folder / "rows.svm").read_text().replace("1:", "1:1", 1))
        for loss in ("hinge", "softmax"):
            self.linsep("train", "rows.svm", "--loss", loss, "-o", "model.json", "--proof", "proof.json", "--quiet")
            file = json.loads((self.folder / "proof.json").read_text())

            def refused(change, rows="rows.svm"):
                changed = copy.deepcopy(file)
                change(changed)
                (self.folder / "forged.json").write_text(json.dumps(changed))
                done = subprocess.run([os.environ["LINSEP"], "verify", "forged.json", rows], cwd=self.folder, capture_output=True, text=True)
                code, out = self.script("verify_certificate.py", "forged.json", rows)
                self.assertEqual((done.returncode != 0, code != 0), (True, True), (loss, done.stdout, out, json.dumps(changed)[:3000]))

            part = lambda f: f["parts"][1] if "parts" in f else f
            refused(lambda f: None, "other.svm")
            refused(lambda f: part(f).update(at_least=part(f)["at_most"]))
            refused(lambda f: part(f).update(at_most="0"))
            refused(lambda f: part(f)["objective"].update({"lambda": "0"}))
            refused(lambda f: part(f)["objective"].update({"lambda": "1/1000000"}))
            refused(lambda f: part(f)["objective"].update(loss="logistic"))
            refused(lambda f: f["data"].update(classes=f["data"]["classes"][::-1]))
            refused(lambda f: f["data"].update(root="0" * 64))
            refused(lambda f: f.update(unknown=1))
            refused(lambda f: f.pop("parts" if "parts" in f else "jointly"))
            if loss == "hinge":
                refused(lambda f: f["parts"].pop())
                refused(lambda f: f["parts"].reverse())
                refused(lambda f: f["parts"].insert(0, f["parts"][0]))
                refused(lambda f: f["parts"][0].update(against_the_rest=f["parts"][1]["against_the_rest"]))
                refused(lambda f: f["parts"][0].update(witness=f["parts"][1]["witness"]))
            else:
                refused(lambda f: f["witness"]["offsets"].pop())
                refused(lambda f: f["witness"].update(offsets=["0", "0", "100"]))
                refused(lambda f: f["witness"].update(scale=2**40 + 1))
                refused(lambda f: f["objective"].update(class_weights=["1", "1"]))
                refused(lambda f: f["objective"].update(class_weights=["1", "1", "0"]))
                refused(lambda f: f["model"].update({"4:1": "1"}))
                refused(lambda f: f["model"].update({"1:1": "5"}))


if __name__ == "__main__":
    unittest.main()
