"""The R package prints by say() alone (r/R/shown.R), which escapes names; cat() would hand them to the terminal as they are."""

import re
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "r" / "R"
WRITES = re.compile(r"(?<![\w.])(cat|message|writeLines|print\.default)\(")


class PrintingTest(unittest.TestCase):
    def test_no_code_but_say_writes_words(self):
        found = [
            f"{path.name}:{number}: {line.strip()}"
            for path in sorted(PACKAGE.glob("*.R"))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if WRITES.search(line.split("#")[0])
        ]
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("shown.R:"), found)

    def test_a_call_would_be_found(self):
        self.assertTrue(WRITES.search('  cat("x", name)'))
        self.assertFalse(WRITES.search("predict_cat(x)"))


if __name__ == "__main__":
    unittest.main()
