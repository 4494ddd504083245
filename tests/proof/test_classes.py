"""Three classes: every small set against an exact linear programme, and certificates of several classes in both checkers.

The oracle has a block of columns for every class (the certificate has none for the last) and an integer simplex method; the
witness is added up by hand. LINSEP_CLASS_MUTATIONS is how many changes of each certificate are tried [2], LINSEP_CLASS_SHARE
the share of the labellings of five points that are drawn [0.1]; 1: every one."""
import itertools
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

import test_checkers
from test_checkers import mutate, mutations
import read_certificate
import verify_certificate

LINE = [(str(a),) for a in range(4)]
GRID = [(str(a), str(b)) for a in range(3) for b in range(3)]
NAMES = ["a", "b", "c"]


def comparisons(rows, labels, origin, classes=3):
    """(row, class, rival, z) of every row and every class that isn't its own, z over blocks of all classes."""
    for i, (row, y) in enumerate(zip(rows, labels)):
        x = [int(v) for v in row] + ([] if origin else [1])
        for c in range(classes):
            if c != y:
                z = [[0] * len(x) for _ in range(classes)]
                z[y], z[c] = x, [-v for v in x]
                yield i, y, c, sum(z, [])


def separable_count(zs):
    """How many of the vectors z one w can have above 0 with none below: the greatest sum of s with s <= 1, s <= z·w.
    Integers throughout: every pivot multiplies the tableau by its pivot and divides by the one before; Bland's rule."""
    n, d = len(zs), len(zs[0])
    # Columns: s, w + t for w that may be negative, t, slacks; all at least 0. Rows: s - z·(w - t) <= 0, s <= 1.
    table = []
    for i, z in enumerate(zs):
        s = [int(i == j) for j in range(n)]
        table.append(s + [-v for v in z] + [sum(z)] + [int(j == i) for j in range(2 * n)] + [0])
        table.append(s + [0] * (d + 1) + [int(j == n + i) for j in range(2 * n)] + [1])
    basis = [n + d + 1 + (r // 2 if r % 2 == 0 else n + r // 2) for r in range(2 * n)]
    cost = [-1] * n + [0] * (d + 1 + 2 * n + 1)
    before = 1
    while True:
        enter = next((j for j, c in enumerate(cost[:-1]) if c < 0), None)
        if enter is None:
            return Fraction(cost[-1], before)
        rows = [r for r in range(2 * n) if table[r][enter] > 0]
        leave = min(rows, key=lambda r: (Fraction(table[r][-1], table[r][enter]), basis[r]))
        pivot_row, pivot = table[leave], table[leave][enter]
        def cleared(row):
            factor = row[enter]
            return [(pivot * a - factor * b) // before for a, b in zip(row, pivot_row)]
        table = [row if r == leave else cleared(row) for r, row in enumerate(table)]
        cost, basis[leave], before = cleared(cost), enter, pivot


def perceptron_converges(rows, labels, origin, passes=3000, classes=3):
    """The perceptron with one weight vector per class: the own class up, the strongest rival down."""
    x = [[int(v) for v in row] + ([] if origin else [1]) for row in rows]
    w = [[0] * len(x[0]) for _ in range(classes)]
    score = lambda c, i: sum(a * b for a, b in zip(w[c], x[i]))
    for _ in range(passes):
        clean = True
        for i, y in enumerate(labels):
            rival = max((c for c in range(classes) if c != y), key=lambda c: score(c, i))
            if score(y, i) <= score(rival, i):
                clean = False
                w[y] = [a + b for a, b in zip(w[y], x[i])]
                w[rival] = [a - b for a, b in zip(w[rival], x[i])]
        if clean:
            return True
    return False


class Finder:
    def __init__(self, folder):
        self.data = pathlib.Path(folder) / "data.csv"
        self.process = subprocess.Popen([os.environ["LINSEP_FINDER_SERVER"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def certify(self, rows, labels, origin, against=None):
        text = "".join(",".join([*row, NAMES[y]]) + "\n" for row, y in zip(rows, labels))
        self.data.write_text(text, encoding="utf-8")
        question = {"data": str(self.data), "origin": origin, "map": "none", "mistakes": against is not None, "classes": NAMES}
        if against is not None:
            question["against"] = against
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Checkers:
    """Both: the answer of each, with the rows and without."""
    def __init__(self):
        self.process = subprocess.Popen([os.environ["LINSEP_CHECKER_SERVER"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def native(self, certificate, rows, labels):
        data = rows and [[NAMES[y], [[j, v] for j, v in enumerate(row, 1)]] for row, y in zip(rows, labels)]
        question = {"certificate": json.dumps(certificate), "rows": data, "features": len(rows[0]) if rows else 0,
                    "classes": NAMES}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return tuple(self.process.stdout.readline().rstrip("\n").split("\t", 1))

    def python(self, certificate, rows, labels):
        lines = None
        if rows is not None:
            said = {"classes": NAMES, "rows": len(rows), "features": len(rows[0])}
            leaves = [f"{i} {y + 1}" + "".join(f" {j}:{v}" for j, v in enumerate(row, 1) if v != "0")
                      for i, (row, y) in enumerate(zip(rows, labels), 1)]
            lines = iter([json.dumps(said), *leaves])
        try:
            verify_certificate.checker_of(read_certificate.parse(json.dumps(certificate))).check(lines)
            return "valid", ""
        except verify_certificate.NeedsData as missing:
            return "needs data", str(missing)
        except (ValueError, ArithmeticError) as error:
            return "invalid", str(error)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def labellings(size):
    """Every way to give `size` points three classes, up to the classes' names; each class occurs."""
    for labels in itertools.product(range(3), repeat=size):
        met = list(dict.fromkeys(labels))
        if met == [0, 1, 2]:
            yield labels


@unittest.skipUnless("LINSEP_FINDER_SERVER" in os.environ, "LINSEP_FINDER_SERVER is not set")
class SeveralClasses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.finder, self.checkers = Finder(folder.name), Checkers()
        self.addCleanup(self.finder.close)
        self.addCleanup(self.checkers.close)
        self.source = random.Random(int(os.environ.get("LINSEP_SEED", "1")))
        self.each = int(os.environ.get("LINSEP_CLASS_MUTATIONS", "2"))
        self.share = float(os.environ.get("LINSEP_CLASS_SHARE", "0.1"))

    def accepted(self, certificate, rows, labels):
        for ask in (self.checkers.native, self.checkers.python):
            answer, why = ask(certificate, rows, labels)
            self.assertEqual(answer, "valid", f"{why}: {json.dumps(certificate)}")
        self.assertEqual(self.checkers.native(certificate, None, None)[0], self.checkers.python(certificate, None, None)[0])

    def witness_adds_up(self, certificate, pairs):
        total = [Fraction(0)] * len(pairs[0][3])
        for entry in certificate["witness"]:
            z = pairs[entry["row"] - 1][3]
            self.assertGreater(Fraction(entry["alpha"]), 0)
            total = [a + Fraction(entry["alpha"]) * b for a, b in zip(total, z)]
        self.assertFalse(any(total))

    def changes_are_refused(self, certificate, rows, labels):
        """Both checkers agree on what a changed certificate is; it is accepted only where it is still true."""
        for path, value in self.source.sample(changes := list(mutations(certificate)), min(self.each, len(changes))):
            changed = mutate(certificate, path, value)
            answers = [ask(changed, rows, labels) for ask in (self.checkers.native, self.checkers.python)]
            self.assertEqual(answers[0][0], answers[1][0], f"{path} {value}: {answers}: {json.dumps(changed)}")
            if answers[0][0] == "valid":
                self.assertEqual(changed["claim"] in (certificate["claim"], "undecided"), True, json.dumps(changed))

    def check_jointly(self, rows, labels, origin):
        certificate = self.finder.certify(rows, labels, origin)
        pairs = list(comparisons(rows, labels, origin))
        separated = separable_count([z for _, _, _, z in pairs])
        claim = "separable" if separated == len(pairs) else "quasi-separable" if separated else "overlapping"
        what = f"{rows} {labels} {origin}"
        self.assertEqual(certificate["claim"], claim, what)
        if claim != "overlapping":
            self.assertEqual(len(pairs) - certificate["left_at_zero"], separated, what)
        if claim != "separable":
            self.witness_adds_up(certificate, pairs)
        self.accepted(certificate, rows, labels)
        self.changes_are_refused(certificate, rows, labels)
        self.assertEqual(perceptron_converges(rows, labels, origin, 3000 if claim == "separable" else 20), claim == "separable")

    def check_against(self, rows, labels, origin):
        for c in range(3):
            certificate = self.finder.certify(rows, labels, origin, c)
            zs = [[(1 if y == c else -1) * v for v in [*map(int, row), *([] if origin else [1])]] for row, y in zip(rows, labels)]
            separated = separable_count(zs)
            claim = "separable" if separated == len(zs) else "quasi-separable" if separated else "overlapping"
            self.assertEqual(certificate["claim"], claim, f"{rows} {labels} {origin} {c}")
            self.accepted(certificate, rows, labels)
            self.changes_are_refused(certificate, rows, labels)

    def named(self, labels):
        """The classes in another order: which of them is the last, without columns, must not matter."""
        order = self.source.sample(range(3), 3)
        return tuple(order[y] for y in labels)

    def sets(self, points, choose):
        """Every labelling of three and four points, and a share of those of five."""
        for size in range(3, 6):
            for rows in choose(points, size):
                for labels in labellings(size):
                    if size < 5 or self.source.random() < self.share:
                        yield rows, self.named(labels)

    def test_jointly_on_labellings_of_points_of_a_line(self):
        for rows, labels in self.sets(LINE, itertools.combinations_with_replacement):
            for origin in (False, True):
                self.check_jointly(rows, labels, origin)

    def test_jointly_on_labellings_of_points_of_the_grid(self):
        for rows, labels in self.sets(GRID, itertools.combinations):
            self.check_jointly(rows, labels, self.source.random() < 0.2)

    def test_each_class_against_the_rest(self):
        for size in range(3, 6):
            for rows in itertools.combinations(GRID, size):
                for labels in labellings(size):
                    if self.source.random() < 0.15 * max(self.share, 0.3):
                        self.check_against(rows, self.named(labels), self.source.random() < 0.3)

    def test_a_certificate_is_of_its_question_classes_and_rows(self):
        rows, labels = [("0", "0"), ("1", "1"), ("2", "0"), ("1", "0"), ("0", "2")], (0, 1, 2, 2, 0)
        jointly, against = self.finder.certify(rows, labels, False), self.finder.certify(rows, labels, False, 2)
        self.assertEqual(jointly["data"], against["data"], "one root, whatever is asked")
        changes = [("jointly", None), ("jointly", False), ("against_the_rest", "a"), ("data", {**jointly["data"], "classes": ["a", "b"]}),
                   ("data", {**jointly["data"], "classes": ["a", "c", "b"]}), ("data", {**jointly["data"], "negative": "", "positive": ""}),
                   ("data", {**jointly["data"], "classes": ["a", "b", "b"]}), ("map", "products"), ("origin", True)]
        for key, value in changes:
            changed = {name: part for name, part in jointly.items() if name != key} | ({key: value} if value is not None else {})
            for ask in (self.checkers.native, self.checkers.python):
                self.assertEqual(ask(changed, rows, labels)[0], "invalid", f"{key} {value}")
        for changed_labels in ((0, 1, 2, 2, 1), (1, 1, 2, 2, 0)):
            for ask in (self.checkers.native, self.checkers.python):
                self.assertEqual(ask(jointly, rows, changed_labels)[0], "invalid")
        two = {name: part for name, part in against.items() if name != "against_the_rest"}
        for ask in (self.checkers.native, self.checkers.python):
            self.assertEqual(ask(two, rows, labels)[0], "invalid")


if __name__ == "__main__":
    unittest.main()
