"""Proofs about models: both checkers accept what an oracle seals, accept nothing false however a file is changed, and agree.

A proof is changed in a few places: any field as those of certificates are; bounds, lambda, weights of classes and the model by
a little; shares; parts of another file; the root. Or its rows are. The oracle (objective.py) knows every objective and every
optimum to 35 digits, so it tells a claim that is false in its fourteenth.

The checkers compute the same bounds by different arithmetic. A claim within 10^-13 of a bound, or 10^-16 if that is more, may be
accepted by one alone, and is true if it is. Nowhere else do they differ, and what says less than an honest proof of the same model is accepted by both."""
import collections
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

import brute
import objective
from test_checkers import CheckersCase, leaf_lines, mutate, mutations, read_certificate, verify_certificate

check_model = verify_certificate.beside("check_model")

NEAR = Fraction(1, 10**13)
SEALED = Fraction(3, 10**12)  # the room that the program leaves in the last digits


def drawn_problem(source):
    rows = [tuple(str(source.randint(-30, 30) / 10) for _ in range(2)) for _ in range(source.randint(2, 8))]
    labels = [source.choice((-1, 1)) for _ in rows]
    if source.random() < 0.95:
        labels[:2] = [1, -1]
    said = {"loss": source.choice([*objective.LOSS]), "penalty": "l2", "lambda": source.choice(("1/4", "0.01", "3", "1/1000")),
            "negative_weight": source.choice(("1", "1", "0.3")), "positive_weight": source.choice(("1", "1", "5/2"))}
    origin = source.random() < 0.3
    kind = source.choice(("plain", "plain", "elasticnet", "offset"))
    if kind == "elasticnet":
        said |= {"penalty": kind, "l1_ratio": source.choice(("1", "1/2", "0.05"))}
    elif kind == "offset" and not origin:
        said["offset_penalty"] = source.choice(("1", "1/100"))
    return rows, labels, said, origin


def drawn_vector(source, theta, offset, origin):
    """A classifier, near the one that is given or not."""
    moved = source.choice((0, 0, 1e-9, 1e-4, 1))
    weights = {str(j): float(v) + moved * source.uniform(-1, 1) for j, v in enumerate(theta, 1)}
    if not origin:
        weights["offset"] = float(offset) + moved * source.uniform(-1, 1)
    return {name: brute.plain(repr(value)) for name, value in weights.items() if value}


def witness_of(source, problem, shares, offset):
    if problem.loss != "hinge" and source.random() < 0.6:
        return {"offset": "0" if problem.origin else brute.plain(repr(float(offset)))}
    if source.random() < 0.3:
        shares = [a * Fraction(source.randint(0, 1000), 1000) for a in shares]
    parts = [min(round(a * objective.SHARE), objective.MOST[problem.loss] * objective.SHARE) for a in shares]
    return {"shares": "".join({0: "0", objective.SHARE: "1"}.get(a, "*") for a in parts),
            "between": [a for a in parts if a not in (0, objective.SHARE)]}


def drawn_proof(source):
    """Rows, labels and an honest proof: of a good model or a bad one, by the best shares or by others."""
    rows, labels, said, origin = drawn_problem(source)
    problem = objective.problem_of(rows, labels, said, origin)
    _, _, shares, theta, offset = problem.least
    proof = {"linsep_certificate": 3, "claim": "near-optimal", "origin": origin, "objective": said,
             "model": drawn_vector(source, theta, offset, origin), "witness": witness_of(source, problem, shares, offset)}
    if source.random() < 0.3:
        proof["reference"] = {"weights": drawn_vector(source, theta, offset, origin), "lower_by": "0"}
    return rows, labels, objective.seal(proof, rows, labels)


def nudged(source, text):
    """The number, a little larger or smaller: by its last digit or by a part of it."""
    number = Fraction(text)
    if source.random() < 0.3 and "/" not in text:
        return brute.plain(str(number_of_last_digit(text, source.choice((-1, 1)))))
    part = source.choice((-1, 1)) * Fraction(source.randint(1, 9), 10**source.randint(1, 16))
    return str(number * (1 + part))


def number_of_last_digit(text, step):
    places = len(text.partition(".")[2])
    scaled = int(text.replace(".", "")) + step
    return f"{scaled}e-{places}"


def change_bound(source, proof, other):
    name = source.choice(("at_most", "at_least", *["lower_by"] * ("reference" in proof)))
    place = proof["reference"] if name == "lower_by" else proof
    place[name] = nudged(source, place[name])


def change_objective(source, proof, other):
    name = source.choice(("lambda", "negative_weight", "positive_weight", "loss", "origin", *({*proof["objective"]} & {"l1_ratio", "offset_penalty"})))
    if name == "origin":
        proof["origin"] = not proof["origin"]
    elif name == "loss":
        proof["objective"][name] = source.choice([*objective.LOSS])
    else:
        proof["objective"][name] = nudged(source, proof["objective"][name])


def change_model(source, proof, other):
    vector = proof["reference"]["weights"] if "reference" in proof and source.random() < 0.5 else proof["model"]
    name = source.choice([*vector])
    vector[name] = nudged(source, vector[name])


def change_witness(source, proof, other):
    witness = proof["witness"]
    if "offset" in witness:
        witness["offset"] = nudged(source, witness["offset"])
        return
    kind = source.choice(("mark", "between", "more"))
    if kind == "mark":
        k = source.randrange(len(witness["shares"]))
        witness["shares"] = witness["shares"][:k] + source.choice("01*") + witness["shares"][k + 1:]
    elif kind == "between" and witness["between"]:
        k = source.randrange(len(witness["between"]))
        witness["between"][k] = source.choice((witness["between"][k] + source.choice((-1, 1)), source.randrange(2**40), 2**40, 2**56, 2**57))
    else:
        witness["between"].append(source.randrange(2**40))


def take_from_other(source, proof, other):
    for name in source.sample(("objective", "model", "witness", "at_most", "at_least", "data", "origin", "reference"), source.choice((1, 1, 2, 3))):
        proof.pop(name, None)
        if name in other:
            proof[name] = copy.deepcopy(other[name])


def change_root(source, proof, other):
    root, k = proof["data"]["root"], source.randrange(64)
    proof["data"]["root"] = root[:k] + format(int(root[k], 16) ^ source.randint(1, 15), "x") + root[k + 1:]


def change_field(source, proof, other):
    changed = mutate(proof, *source.choice(list(mutations(proof))))
    proof.clear()
    proof.update(changed)


CHANGES = {"bound": change_bound, "objective": change_objective, "model": change_model, "witness": change_witness,
           "other file": take_from_other, "root": change_root, "field": change_field}


def changed_rows(source, rows, labels):
    rows, labels, i = list(rows), list(labels), source.randrange(len(rows))
    if source.random() < 0.5:
        labels[i] = -labels[i]
    else:
        j = source.randrange(2)
        rows[i] = rows[i][:j] + (str(source.randint(-30, 30) / 10),) + rows[i][j + 1:]
    return rows, labels


def says_less(proof, honest):
    """Whether a proof differs from an honest one by weaker bounds alone."""
    said = lambda file: [file.get("at_most"), file.get("at_least"), file.get("reference", {}).get("lower_by", "0")]
    rest = lambda file: {name: value for name, value in file.items() if name not in ("at_most", "at_least", "reference")}
    shape = lambda file: (file.get("reference", {}).keys(), file.get("reference", {}).get("weights"))
    try:
        if rest(proof) != rest(honest) or shape(proof) != shape(honest) or not all(map(read_certificate.exact, said(proof))):
            return False
    except AttributeError:
        return False
    (at_most, *least), (honest_at_most, *honest_least) = (list(map(Fraction, said(file))) for file in (proof, honest))
    return at_most >= honest_at_most and least[1] >= 0 and all(a <= b for a, b in zip(least, honest_least))


def is_near(proof, rows, labels):
    """Whether a claim is as near to a bound as checkers may differ."""
    problem, vectors = objective.of_proof(proof, rows, labels), [proof["model"], proof.get("reference", {}).get("weights", {})]
    blur = [problem.blur(*objective.classifier(vector, len(rows[0]))) for vector in vectors]
    proof = check_model.Proof(read_certificate.parse(json.dumps(proof)))
    above, below, lower_by = check_model.bounds(proof, check_model.Rows(leaf_lines(proof.data, rows, labels), proof.d))
    return (abs(proof.at_most - above) <= NEAR * above + blur[0] or abs(proof.at_least - below) <= NEAR * below or
            abs(proof.lower_by - lower_by) <= 10 * NEAR * above + sum(blur))


class ModelProofs(CheckersCase):
    def answers(self, proof, rows, labels):
        return {name: checker.ask(proof, rows, labels) for name, checker in self.checkers.items()}

    def check_change(self, proof, honest, rows, labels):
        """How many checkers accept."""
        answers = self.answers(proof, rows, labels)
        accepted = sum(valid for valid, _ in answers.values())
        what = f"{answers}\n{rows} {labels}\n{json.dumps(proof)}"
        if accepted:
            self.assertIsNone(objective.false_statement(proof, rows, labels), what)
        if accepted != len(answers):
            self.assertFalse(honest and says_less(proof, honest), what)
        if 0 < accepted < len(answers):
            self.assertTrue(is_near(proof, rows, labels), what)
        return accepted

    def test_no_change_makes_a_false_proof_pass(self):
        """LINSEP_MODEL_MUTATIONS of them."""
        seed, wanted = int(os.environ.get("LINSEP_SEED", "1")), int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300"))
        source, counts = random.Random(seed), collections.Counter()
        drawn = lambda: drawn_proof(source)
        other = drawn()[2]
        with self.subTest(seed=seed):
            while counts["asked"] < wanted:
                rows, labels, honest = drawn()
                self.assertEqual(self.check_change(honest, honest, rows, labels), len(self.checkers), "an honest proof is refused")
                counts["honest"] += 1
                for _ in range(20):
                    proof, given = copy.deepcopy(honest), (rows, labels)
                    for kind in source.choices([*CHANGES], (6, 3, 3, 3, 3, 1, 4), k=source.choice((1, 1, 1, 2))):
                        try:
                            CHANGES[kind](source, proof, other)
                        except (KeyError, ValueError, TypeError, IndexError, ZeroDivisionError, AttributeError):
                            pass  # an earlier change took away what this one would change
                    if source.random() < 0.3:
                        given = changed_rows(source, rows, labels)
                        if source.random() < 0.7 and proof.get("linsep_certificate") == 3:
                            objective.seal(proof, *given, bounds=False)
                    accepted = self.check_change(proof, honest if given == (rows, labels) else None, *given)
                    counts["asked"] += 1
                    counts["accepted by all" if accepted == len(self.checkers) else "accepted by some" if accepted else "refused"] += 1
                other = honest
        print(f"{counts['asked']} changes of {counts['honest']} proofs about models, seed {seed}: " +
              ", ".join(f"{count} {name}" for name, count in sorted(counts.items()) if name not in ("asked", "honest")) +
              ", none of them false", file=sys.stderr)


class WhatFollows(CheckersCase):
    """What proofs say about the best classifier, against the one that the oracle finds."""

    def of_script(self, proof, rows, labels):
        """Squared distance of weights or None, signs, signs of margins, columns that are 0."""
        proof = check_model.Proof(read_certificate.parse(json.dumps(proof)))
        proof.check(iter([json.dumps(proof.data), *leaf_lines(proof.data, rows, labels)]))
        leaves = check_model.Rows(leaf_lines(proof.data, rows, labels), proof.d)
        solved, apart = check_model.solve(proof, leaves), proof.at_most - proof.at_least
        bend, zeros = proof.penalty * (1 - proof.l1_ratio), check_model.zero_columns(proof, leaves, solved, apart - proof.lower_by)
        near = proof.reference if proof.lower_by else proof.classifier
        signs = check_model.certain_signs(near, 2 * (apart - proof.lower_by) / bend) if bend else {}
        return 2 * apart / bend if bend else None, signs, check_model.certain_labels(proof.loss, leaves, solved, apart - proof.lower_by), zeros

    def check_proof(self, proof, rows, labels, counts):
        squared, signs, margins, zeros = self.of_script(proof, rows, labels)
        problem, what = objective.of_proof(proof, rows, labels), f"{rows} {labels}\n{json.dumps(proof)}"
        self.assertIsNone(objective.false_statement(proof, rows, labels), what)
        _, _, _, theta, offset = problem.least
        model, _ = objective.classifier(proof["model"], len(rows[0]))
        room = Fraction(1, 10**30)  # the oracle's optimum is one to 35 digits
        if squared is not None:
            self.assertLessEqual(sum((a - b)**2 for a, b in zip(model, theta)), squared + room, what)
        for column, sign in signs.items():
            self.assertGreater(sign * theta[column], 0, what)
        for column in zeros:
            self.assertLess(abs(theta[column]), room**Fraction(1, 2), what)
        for sign, margin in zip(margins, problem.margins(theta, offset)):
            self.assertFalse(sign and sign * margin <= 0, what)
        if "native" in self.checkers:
            valid, reason = self.checkers["native"].ask(proof, rows, labels)
            if not valid:  # a bound that is as near as checkers may differ
                self.assertTrue(is_near(proof, rows, labels), what)
                return
            said = json.loads(reason.split("\t")[1])
            self.assertEqual(said["within"] is None, squared is None, what)
            if squared is not None:
                self.assertGreaterEqual(Fraction(said["within"])**2, squared, what)
                self.assertLessEqual(said["within"], float(squared)**0.5 * (1 + 1e-12), what)
            self.assertEqual(said["signs"], [signs.get(j, 0) for j in range(len(model))], what)
            self.assertEqual(said["labels"], sum(map(abs, margins)), what)
            self.assertEqual(said["zeros"], zeros, what)
        counts.update(signs=len(signs), labels=sum(map(abs, margins)), zeros=len(zeros), weights=len(model), rows=len(rows),
                      mistakes=margins.count(-1))

    def test_it_is_so_of_the_best_classifier(self):
        """LINSEP_MODEL_MUTATIONS of them."""
        seed, wanted = int(os.environ.get("LINSEP_SEED", "1")), int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300"))
        source, counts = random.Random(seed), collections.Counter()
        with self.subTest(seed=seed):
            for _ in range(wanted):
                rows, labels, proof = drawn_proof(source)
                self.check_proof(proof, rows, labels, counts)
            self.assertGreater(min(counts[name] for name in ("signs", "labels", "zeros", "mistakes")), wanted // 30)
            print(f"what follows from {wanted} proofs about models, seed {seed}: " + ", ".join(f"{count} {name}" for name, count in counts.items()) +
              ", all of them so of the best classifier", file=sys.stderr)


def said_by(model, labels):
    """What a model file is about, or None: the objective as a proof says it."""
    options = model["options"]
    if (model["learner"], model["form"], model["map"]) != ("margin", "linear", "none"):
        return None
    if options["penalty"] not in ("l2", "l1", "elasticnet"):
        return None
    part = Fraction(options.get("l1-ratio", 0))
    ratio = {"l1": Fraction(1), "elasticnet": part or Fraction(1, 2), "l2": part}[options["penalty"]]
    if model["regression"] or options["hard"] or options["loss"] not in objective.LOSS or len(model["theta"]) != model["features"] != 2:
        return None
    weights = {sign: Fraction(options[name]) for sign, name in ((-1, "negative-weight"), (1, "positive-weight"))}
    if options["class-weight"]:
        return None  # test_check_model.py and the program's own tests know these
    penalty = Fraction(options["lambda"]) or 1 / (Fraction(options["C"]) * sum(weights[y] for y in labels))
    said = {"loss": options["loss"], "penalty": "l2", "lambda": str(penalty), "negative_weight": str(weights[-1]), "positive_weight": str(weights[1])}
    return said | {"penalty": "elasticnet", "l1_ratio": str(ratio)} if ratio else said


@unittest.skipUnless("LINSEP" in os.environ, "needs the program")
class ModelFiles(unittest.TestCase):
    """Model files that were changed: whatever the script and `linsep certify --model` say of them is true."""

    def linsep(self, *words):
        return subprocess.run([os.environ["LINSEP"], *words], cwd=self.folder, capture_output=True, text=True)

    def bounds_of_script(self, text, rows, labels):
        """None where it refuses."""
        try:
            model = check_model.Model(text)
            said = {"rows": len(rows), "features": 2, "negative": "-1", "positive": "1"}
            return check_model.bounds(model, model.rows(iter([json.dumps(said), *leaf_lines(said, rows, labels)])))
        except (ValueError, ArithmeticError, KeyError, TypeError, AttributeError):
            return None

    def proof_of_program(self, text):
        (self.folder / "changed.json").write_text(text, encoding="utf-8")
        done = self.linsep("certify", "rows.svm", "--model", "changed.json", "-o", "proof.json", "--quiet")
        self.assertIn(done.returncode, (0, 2, 3), f"{done.stderr}\n{text}")
        proof = None if done.returncode else json.loads((self.folder / "proof.json").read_text(encoding="utf-8"))
        return proof if proof and proof["linsep_certificate"] == 3 else None  # else it is one of separability

    def check_change(self, text, rows, labels):
        """Whether the script and the program say something of the model."""
        found, proof = self.bounds_of_script(text, rows, labels), self.proof_of_program(text)
        model = json.loads(text, parse_float=str)
        what = f"{found} {proof}\n{rows} {labels}\n{text}"
        if proof:
            self.assertIsNone(objective.false_statement(proof, rows, labels), what)
        if found:
            said = said_by(model, labels)
            self.assertIsNotNone(said, what)
            told = {"objective": said, "origin": model["origin"],
                    "model": {str(j): value for j, value in enumerate(model["theta"], 1)} | {"offset": model["offset"]}}
            problem = objective.of_proof(told, rows, labels)
            self.assertLessEqual(problem.value(*objective.classifier(told["model"], 2)), found[0] + objective.ERROR, what)
            self.assertLessEqual(found[1], problem.least[1], what)
        if found and proof:
            at_most, at_least = Fraction(proof["at_most"]), Fraction(proof["at_least"])
            self.assertLessEqual(abs(at_most - found[0]), SEALED * at_most, what)
            self.assertGreaterEqual(at_least, found[1] - SEALED * at_most, what)
        return bool(found), bool(proof)

    def test_nothing_false_is_said_of_a_model_that_was_changed(self):
        """LINSEP_MODEL_MUTATIONS, a third of them."""
        seed, wanted = int(os.environ.get("LINSEP_SEED", "1")), int(os.environ.get("LINSEP_MODEL_MUTATIONS", "300")) // 3
        source, counts = random.Random(seed), collections.Counter()
        with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            while counts.total() < wanted:
                rows, labels, said, origin = drawn_problem(source)
                if len(set(labels)) < 2:
                    continue
                lines = ("".join(f" {j}:{value}" for j, value in enumerate(row, 1)) for row in rows)
                (self.folder / "rows.svm").write_text("".join(f"{y}{line}\n" for y, line in zip(labels, lines)), encoding="utf-8")
                done = self.linsep("train", "rows.svm", "--loss", said["loss"], "--C", source.choice(("0.1", "1", "10")), "--quiet",
                                   "-o", "model.json", *["--origin"] * origin)
                self.assertEqual(done.returncode, 0, done.stderr)
                model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
                changes = [change for change in mutations(model)
                           if change[0][0] in ("options", "theta", "offset", "origin", "classes", "features", "form", "learner")]
                for change in source.sample(changes, min(20, len(changes))):
                    counts[self.check_change(json.dumps(mutate(model, *change)), rows, labels)] += 1
        print(f"{counts.total()} changes of models, seed {seed}: {counts[True, True]} judged by both, {counts[True, False]} by the script alone, "
              f"{counts[False, True]} by the program alone, nothing false", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
