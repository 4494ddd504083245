"""What the finder proves of every small set: both checkers accept it, and nothing false that is made from it."""
import itertools
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import brute
import test_checkers

GRID = [(str(a), str(b)) for a in range(3) for b in range(3)]
CUBE = [(str(a), str(b), str(c)) for a in range(2) for b in range(2) for c in range(2)]


class Finder:
    """`certify` behind a pipe, reading CSV files."""

    def __init__(self, folder):
        self.data = pathlib.Path(folder) / "data.csv"
        self.process = subprocess.Popen([os.environ["LINSEP_FINDER_SERVER"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def certify(self, rows, labels, kind="none", origin=False, estimates=False):
        self.data.write_text("".join(",".join([*row, str(y)]) + "\n" for row, y in zip(rows, labels)), encoding="utf-8")
        question = {"data": str(self.data), "origin": origin, "map": kind, "mistakes": True, "estimates": estimates}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@unittest.skipUnless("LINSEP_FINDER_SERVER" in os.environ, "LINSEP_FINDER_SERVER is not set")
class EverySmallSet(test_checkers.CheckersCase):
    """Of two labellings that differ only in the names of the classes one is drawn, and of sets of five points a third.
    LINSEP_EVERY_MUTATION says how many changes of each certificate are tried [1], and that every set is taken with both labellings:
    there are 20,740 certificates then."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.finder = Finder(folder.name)
        self.addCleanup(self.finder.close)
        self.each = int(os.environ.get("LINSEP_EVERY_MUTATION", "1"))
        self.every = "LINSEP_EVERY_MUTATION" in os.environ
        self.source = random.Random(int(os.environ.get("LINSEP_SEED", "1")))

    def check(self, rows, labels, kind, origin):
        certificate = self.finder.certify(rows, labels, kind, origin)
        self.assertIn(certificate["claim"], ("separable", "quasi-separable", "overlapping"))
        self.assertIsNone(brute.false_statement(certificate, rows, labels), json.dumps(certificate))
        self.accept(certificate, rows, labels)
        changes = list(test_checkers.mutations(certificate))
        for path, value in self.source.sample(changes, min(self.each, len(changes))):
            self.check_mutation(certificate, path, value, rows, labels)

    def labellings(self, size):
        for labels in itertools.product((-1, 1), repeat=size - 1):
            pair = [(1, *labels), (-1, *(-y for y in labels))]
            yield from pair if self.every else [self.source.choice(pair)]

    def check_every_set(self, points):
        for size in range(1, 6):
            for rows in itertools.combinations(points, size):
                if size == 5 and not self.every and self.source.random() >= 1 / 3:
                    continue
                for labels in self.labellings(size):
                    for origin in (False, True):
                        self.check(rows, labels, "none", origin)

    def test_every_labelling_of_at_most_five_points_of_the_grid(self):
        self.check_every_set(GRID)

    def test_every_labelling_of_at_most_five_corners_of_the_cube(self):
        self.check_every_set(CUBE)

    def test_every_labelling_of_four_grid_points_through_products(self):
        for rows in itertools.combinations(GRID, 4):
            for labels in itertools.product((-1, 1), repeat=4):
                if self.source.random() < 0.2:
                    self.check(rows, labels, "products", False)


if __name__ == "__main__":
    unittest.main()
