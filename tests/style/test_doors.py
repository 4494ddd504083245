"""README, the site's front page and docs/README.md open with the same five doors, the first pages are plain Markdown, and README's
figures of speed are those of docs/reference/benchmarks.md."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOORS = re.compile(r"\| You … \| Start here \|\n.*?\n\n", re.DOTALL)
NUMBER = re.compile(r"\d[\d.,]*\d")  # of two digits or more


def doors(path):
    return DOORS.search((ROOT / path).read_text(encoding="utf-8")).group(0)


class Doors(unittest.TestCase):
    def test_three_pages_have_the_same_ones(self):
        inside = doors("docs/README.md")
        self.assertEqual(inside.count("](start/"), 5)
        self.assertEqual(doors("docs/index.md"), inside)
        self.assertEqual(doors("README.md").replace("](docs/", "]("), inside)

    def test_code_hosts_show_the_first_pages_as_they_are_meant(self):
        pages = [ROOT / "README.md", ROOT / "docs/README.md", ROOT / "docs/index.md", *sorted((ROOT / "docs/start").glob("*.md"))]
        for page in pages:
            found = re.findall(r"^(?::::.*|```\{.*|% .*)|\{[\w:]+\}`.*", page.read_text(encoding="utf-8"), re.MULTILINE)
            self.assertEqual(found, [], page.relative_to(ROOT))

    def test_figures_of_speed_are_those_of_the_benchmarks(self):
        measured = set(NUMBER.findall((ROOT / "docs/reference/benchmarks.md").read_text(encoding="utf-8")))
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        shown = NUMBER.findall(re.search(r"## How fast\n(.*?)\n## ", readme, re.DOTALL).group(1))
        shown += NUMBER.findall(re.search(r"A logistic model of .*", (ROOT / "docs/index.md").read_text(encoding="utf-8")).group(0))
        self.assertGreater(len(shown), 8)
        self.assertEqual([number for number in shown if number not in measured], [])


if __name__ == "__main__":
    unittest.main()
