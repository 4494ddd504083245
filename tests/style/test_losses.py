"""The lists of losses outside of the core name the same losses as the core's own (src/learn/margin/losses.h)."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def losses():
    """The enumerator, name and facts of each loss, in the order of the file."""
    return re.findall(r'\.loss = Loss::(k\w+),\s*\.name = "([^"]+)",(.*?)\};', text("src/learn/margin/losses.h"), re.DOTALL)


def words(path, pattern):
    return re.findall(r"""["']([a-z-]+)["']""", re.search(pattern, text(path)).group(1))


class Losses(unittest.TestCase):
    def test_every_enumerator_has_facts(self):
        listed = re.search(r"enum class Loss \{(.*?)\}", text("include/linsep/choices.h")).group(1)
        self.assertEqual([enumerator for enumerator, _, _ in losses()], re.findall(r"k\w+", listed))
        self.assertGreaterEqual(len(losses()), 4)

    def test_the_playground_offers_every_loss_of_a_margin(self):
        names = [name for _, name, facts in losses() if ".joint = true" not in facts]
        self.assertEqual(words("web/playground/address.ts", r"export const losses = \[(.*?)\]"), names)

    def test_python_knows_whose_scores_are_log_odds(self):
        names = [name for _, name, facts in losses() if ".joint = true" in facts or ".log_odds = true" in facts]
        self.assertEqual(words("python/linsep/_names.py", r"PROBABILITY_LOSSES = \((.*?)\)"), names)

    def test_the_manual_has_a_row_for_every_loss(self):
        page = text("docs/explanation/margin.md")
        for _, name, _ in losses():
            self.assertIn(f"\n| `{name}` | ", page)


if __name__ == "__main__":
    unittest.main()
