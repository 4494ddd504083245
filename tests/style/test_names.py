"""Learners and solvers are told apart by their entries, so no code compares a value with one of their names.

What a new learner or solver must touch is its own file and a list (CONTRIBUTING.md). A comparison somewhere else would
be one more place, which nothing would point out.
"""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRY = re.compile(r'(?:LearnerEntry|SolverEntry) kEntry = \{\s*(?:\.info =\s*\{)?\.name = "([^"]+)"')
# "x" == name, name != "x", case-like chains through find or starts_with, in either order.
COMPARISON = r'[=!]=\s*(?:std::string(?:_view)?[({{]\s*)?"(?:{names})"|"(?:{names})"\s*[=!]='


def sources():
    for top in ("src", "apps"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".cc", ".h"} and not path.name.endswith("_test.cc"):
                yield path


def names_in_entries():
    return sorted({name for path in sources() for name in ENTRY.findall(path.read_text(encoding="utf-8"))})


def comparisons(text, names):
    return [match.group() for match in re.finditer(COMPARISON.format(names="|".join(map(re.escape, names))), text)]


class NamesTest(unittest.TestCase):
    def test_every_learner_and_solver_has_an_entry(self):
        names = names_in_entries()
        for name in ("perceptron", "dual", "basic", "least-squares", "margin", "regression"):
            self.assertIn(name, names)
        for name in ("interior", "newton", "planes", "nearest-points", "hard-descent"):
            self.assertIn(name, names)

    def test_no_code_compares_their_names(self):
        names = names_in_entries()
        found = [
            f"{path.relative_to(ROOT)}: {comparison}"
            for path in sources()
            for comparison in comparisons(path.read_text(encoding="utf-8"), names)
        ]
        self.assertEqual(found, [], "ask the entry instead (src/learn/entry.h, src/learn/margin/solvers.h)")

    def test_a_comparison_would_be_found(self):
        for text in ('learner == "margin"', 'if ("dual" != name)', 'x == std::string_view("newton")'):
            self.assertEqual(len(comparisons(text, ["dual", "margin", "newton"])), 1, text)
        self.assertEqual(comparisons('spec.learner = "margin";', ["margin"]), [])


if __name__ == "__main__":
    unittest.main()
