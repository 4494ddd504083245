"""The finder beside a plain exact linear programme, solved by QSopt_ex: the same verdicts and numbers of rows.

The greatest sum of s_i with z_i·w ≥ s_i and 0 ≤ s_i ≤ 1 is the number of rows that some w separates while all margins
are at least 0: all of them, some, or none.
"""
import csv
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from fractions import Fraction

import test_finder

STEP = str(5**200).rjust(200, "0")  # the digits of 2^-200


def touching_sets(step):
    """Hulls that touch at 0; the first row moves by `step`. The same sets as in src/train/certify/certify_test.cc."""
    yield [[step], ["1"], ["0"], ["-1"]], [1, 1, -1, -1]
    yield [["0", step], ["0", "1"], ["3", "2"], ["-1", "0"], ["1", "0"], ["0", "-1"]], [1, 1, 1, -1, -1, -1]
    yield [["0", "0", step], ["5", "1", "1"], ["-1", "-1", "0"], ["2", "-1", "0"], ["-1", "2", "0"],
           ["0", "0", "-1"]], [1, 1, -1, -1, -1, -1]


def programme(rows, labels):
    lines = ["Maximize", " obj: " + " + ".join(f"s{i}" for i in range(len(rows))), "Subject To"]
    for i, (row, y) in enumerate(zip(rows, labels)):
        terms = [f"{'-' if value.startswith('-') != (y < 0) else '+'} {value.lstrip('-')} w{j}"
                 for j, value in enumerate([*row, "1"]) if Fraction(value)]
        lines.append(f" c{i}: {' '.join(terms)} - s{i} >= 0")
    lines += ["Bounds", *(f" w{j} free" for j in range(len(rows[0]) + 1)), *(f" 0 <= s{i} <= 1" for i in range(len(rows)))]
    return "\n".join([*lines, "End", ""])


@unittest.skipUnless(shutil.which("esolver") and "LINSEP_FINDER_SERVER" in os.environ, "needs QSopt_ex's esolver")
class ExactProgramme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.finder = test_finder.Finder(folder.name)
        self.addCleanup(self.finder.close)

    def separated_rows(self, rows, labels):
        (self.folder / "rows.lp").write_text(programme(rows, labels), encoding="utf-8")
        subprocess.run(["esolver", "-L", "-O", "rows.sol", "rows.lp"], cwd=self.folder, capture_output=True, check=False)
        return Fraction(re.search(r"Value = *(\S+)", (self.folder / "rows.sol").read_text(encoding="utf-8"))[1])

    def compare(self, rows, labels):
        certificate = self.finder.certify(rows, labels)
        separated = self.separated_rows(rows, labels)
        verdict = {0: "overlapping", len(rows): "separable"}.get(separated, "quasi-separable")
        self.assertEqual(certificate["claim"], verdict)
        if verdict == "quasi-separable":
            self.assertEqual(len(rows) - certificate["left_at_zero"], separated)
        return verdict

    def test_touching_hulls_moved_by_the_least_amount(self):
        for step, verdict in (("0." + STEP, "separable"), ("0", "quasi-separable"), ("-0." + STEP, "overlapping")):
            for rows, labels in touching_sets(step):
                self.assertEqual(self.compare(rows, labels), verdict)

    def test_drawn_sets(self):
        source = random.Random(3)
        for _ in range(25):
            rows = [[f"{source.randint(-9, 9) / 10}" for _ in range(3)] for _ in range(source.randint(4, 12))]
            self.compare(rows, [1 if sum(map(float, row)) + source.gauss(0, 0.3) > 0 else -1 for row in rows])

    @unittest.skipUnless("LINSEP_DATA" in os.environ, "LINSEP_DATA is not set")
    def test_endometrial(self):
        with open(pathlib.Path(os.environ["LINSEP_DATA"]) / "endometrial.csv", encoding="utf-8") as file:
            table = list(csv.reader(file))[1:]
        rows, labels = [row[:-1] for row in table], [1 if row[-1] == "1" else -1 for row in table]
        self.assertEqual(self.compare(rows, labels), "quasi-separable")
        self.assertEqual(self.separated_rows(rows, labels), 13)


if __name__ == "__main__":
    unittest.main()
