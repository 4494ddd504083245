"""Workflows take every action at a commit with its version beside it, ask for the rights they need, and keep no secrets."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+")


class Workflows(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreater(len(WORKFLOWS), 0)

    def test_actions_are_pinned_and_the_same_everywhere(self):
        pins = {}
        for path in WORKFLOWS:
            for action in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
                self.assertRegex(action, rf"\A{PINNED.pattern}\Z", path.name)
                name, pin = action.split("@")
                self.assertEqual(pins.setdefault("/".join(name.split("/")[:2]), pin), pin, f"{path.name}: {name}")

    def test_rights_are_asked_for(self):
        for path in WORKFLOWS:
            self.assertRegex(path.read_text(encoding="utf-8"), r"(?m)^permissions:( \{\}|\n  contents: read)$", path.name)

    def test_there_are_no_secrets(self):
        for path in WORKFLOWS:
            self.assertNotIn("secrets.", path.read_text(encoding="utf-8"), path.name)


if __name__ == "__main__":
    unittest.main()
