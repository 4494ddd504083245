"""A step of .ci/run or tools/nightly that fails ends the run. Under `set -e` bash overlooks a failure of the first command of `a && b`."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Steps(unittest.TestCase):
    def test_no_failure_is_overlooked(self):
        for script in (".ci/run", "tools/nightly"):
            text = re.sub(r"^ *#.*", "", (ROOT / script).read_text(encoding="utf-8"), flags=re.MULTILINE)
            self.assertIn("set -euo pipefail", text)
            text = re.sub(r"\bif .*?; then", "", text)
            for _ in range(3):  # parentheses end with the status of all that is in them
                text = re.sub(r"\([^()]*\)", "", text)
            self.assertEqual([line for line in text.splitlines() if "&&" in line], [], script)


if __name__ == "__main__":
    unittest.main()
