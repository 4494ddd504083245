"""tools/tests_log.py names every test that passed only the second time, however it failed the first."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOG = """\
1/6 Test #1: core/Fails.Once ...................***Failed    0.21 sec
    Start 1: core/Fails.Once
2/6 Test #2: core/Aborts.Once ..................Subprocess aborted***Exception:   0.23 sec
    Test #1: core/Fails.Once ...................   Passed    0.20 sec
    Test #2: core/Aborts.Once ..................   Passed    0.24 sec
3/6 Test #3: core/Crashes.Once .................***Exception: SegFault  0.50 sec
    Test #3: core/Crashes.Once .................   Passed    0.50 sec
4/6 Test #4: core/Hangs.Once ...................***Timeout  60.01 sec
    Test #4: core/Hangs.Once ...................   Passed   12.50 sec
5/6 Test #5: core/Always.Fails .................***Failed    0.21 sec
    Test #5: core/Always.Fails .................***Failed    0.21 sec
6/6 Test #6: core/Passes .......................   Passed    1.00 sec
"""


class TestsLog(unittest.TestCase):
    def test_unsteady_tests_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "tests.log")
            log.write_text(LOG, encoding="utf-8")
            lines = subprocess.run([sys.executable, "-B", ROOT / "tools/tests_log.py", log], check=True, capture_output=True, text=True).stdout.splitlines()
        unsteady = [line.split(": ")[1] for line in lines if line.startswith("passed only the second time")]
        self.assertEqual(unsteady, ["core/Aborts.Once", "core/Crashes.Once", "core/Fails.Once", "core/Hangs.Once"])
        self.assertEqual(lines[4:7], ["6 tests in 15 s; the slowest:", "   12.5 s  core/Hangs.Once", "    1.0 s  core/Passes"])


if __name__ == "__main__":
    unittest.main()
