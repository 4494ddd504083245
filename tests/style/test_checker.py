"""checker/ stands alone: it imports Python's standard library and itself, and nothing imports it that writes the program's
tables. checker.sha256 has the digests of its scripts as they are, and the release's files include all of them."""

import ast
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "checker").glob("*.py")}


def imported(text):
    """The modules that a script imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


class Alone(unittest.TestCase):
    def test_scripts_import_the_standard_library_and_each_other(self):
        known = {*sys.stdlib_module_names, "compression", *SCRIPTS}
        for name, text in SCRIPTS.items():
            self.assertLessEqual({*imported(text)}, known, name)
            self.assertNotIn("sys.path.insert", text)

    def test_no_tool_imports_them(self):
        for tool in (ROOT / "tools").glob("*.py"):
            self.assertFalse({*imported(tool.read_text(encoding="utf-8"))} & {*SCRIPTS}, tool.name)
        self.assertFalse({path.name for path in (ROOT / "tools").glob("*.py")} & {path.name for path in (ROOT / "checker").glob("*.py")})


class Digests(unittest.TestCase):
    def test_they_are_current(self):
        ended = subprocess.run([sys.executable, ROOT / "tools/make_digests.py", "--check"], check=False)
        self.assertEqual(ended.returncode, 0, "run tools/make_digests.py")

    def test_they_are_of_every_script(self):
        digests = (ROOT / "checker/checker.sha256").read_text(encoding="ascii")
        self.assertEqual({line.split()[1] for line in digests.splitlines()}, {f"{name}.py" for name in SCRIPTS})

    def test_the_release_publishes_what_they_are_of(self):
        release = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
        self.assertIn("cp checker/*.py checker/checker.sha256 programs", release)


if __name__ == "__main__":
    unittest.main()
