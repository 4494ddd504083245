"""The R package prints by say() alone (r/R/shown.R), which escapes names; cat() would hand them to the terminal as they are."""

import re
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "r" / "R"
WRITES = re.compile(r"(?<![\w.])(cat|message|writeLines|print\.default)\(")

PRINTS = re.compile(r"(?<![\w.])print(?:Coefmat)?\(")


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

    def test_tables_are_printed_with_shown_names(self):
        lines = [line for path in sorted(PACKAGE.glob("*.R")) for line in path.read_text(encoding="utf-8").splitlines()]
        prints = [line.strip() for line in lines if PRINTS.search(line.split("#")[0])]
        self.assertEqual(len(prints), 4, prints)
        for line in prints:
            name = re.match(r"printCoefmat\((\w+),", line)
            given = any(f"{name[1]} <- with_shown_names(" in other for other in lines) if name else "(with_shown_names(" in line
            self.assertTrue(given, line)

    def test_a_call_would_be_found(self):
        self.assertTrue(WRITES.search('  cat("x", name)'))
        self.assertFalse(WRITES.search("predict_cat(x)"))


if __name__ == "__main__":
    unittest.main()
