"""The Unicode table of words says of every code point what Python's `unicodedata` says."""
import pathlib
import subprocess
import sys
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/make_unicode_table.py"


class UnicodeTable(unittest.TestCase):
    def test_agrees_with_unicodedata_on_all_code_points(self):
        run = subprocess.run([sys.executable, "-B", TOOL, "--check"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout[:2000])
        self.assertIn(" 0 differ", run.stdout)


if __name__ == "__main__":
    unittest.main()
