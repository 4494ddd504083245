"""README, the site's front page and docs/README.md open with the same five doors, and the first pages are plain Markdown."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOORS = re.compile(r"\| You … \| Start here \|\n.*?\n\n", re.DOTALL)


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


if __name__ == "__main__":
    unittest.main()
