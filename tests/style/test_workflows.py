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

    def test_packages_are_pinned_by_hash(self):
        """Whatever builds a release: all but the wheel itself, which is tried by its path, and what it needs there."""
        for path in [*WORKFLOWS, ROOT / "tools/setup", ROOT / "tools/make_wheels"]:
            text = path.read_text(encoding="utf-8").replace("\\\n", " ")
            for command in re.findall(r"(?:pip\"?|uv pip) (?:install|download) [^\n]*", text):
                tries = re.search(r"--no-index|chosen|mypy|numpy==|requirement=|\$\{@:3\}", command)
                self.assertTrue("--require-hashes" in command or tries, f"{path.name}: {command}")
            self.assertNotRegex(text, r"environment \S+ \S+ [a-z]", path.name)

    def test_every_requirement_has_its_hashes(self):
        files = sorted((ROOT / "tools/requirements").glob("*.txt"))
        self.assertGreater(len(files), 0)
        for path in files:
            for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
                self.assertRegex(line, r"\A(#.*|[a-z0-9-]+==\S+( +--hash=sha256:[0-9a-f]{64})+)\Z", path.name)

    def test_the_wheel_that_was_built_is_tried(self):
        """By its path: an index may have another of this name."""
        for path in [*WORKFLOWS, ROOT / "tools/make_wheels"]:
            for command in re.findall(r"install [^\n]*", path.read_text(encoding="utf-8")):
                self.assertNotRegex(command, r"\blinsep\s*$", path.name)


if __name__ == "__main__":
    unittest.main()
