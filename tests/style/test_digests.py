"""tools/checker.sha256 has the digests of the checker's scripts as they are, and the release's files include all of them."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Digests(unittest.TestCase):
    def test_they_are_current(self):
        ended = subprocess.run([sys.executable, ROOT / "tools/make_digests.py", "--check"], check=False)
        self.assertEqual(ended.returncode, 0, "run tools/make_digests.py")

    def test_the_release_publishes_what_they_are_of(self):
        release = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
        for name in ("tools/checker.sha256", "tools/verify_certificate.py", "tools/read_certificate.py", "tools/read_rows.py"):
            self.assertIn(name, release)


if __name__ == "__main__":
    unittest.main()
