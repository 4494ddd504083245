"""Sites of several versions in one folder: where each lies, what the list of versions says, where the front page leads."""

import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/join_sites"


class JoinSites(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.pages = self.folder / "pages"

    def site(self, version):
        """An archive of a site with one page."""
        html = self.folder / f"html-{version}"
        html.mkdir()
        (html / "index.html").write_text(version)
        path = self.folder / f"site-{version}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.add(html, ".")
        return path

    def join(self, *sites):
        return subprocess.run([sys.executable, TOOL, self.pages, *sites], capture_output=True, text=True)

    def test_releases_come_newest_first_and_dev_last(self):
        self.site("dev")
        done = self.join(f"dev={self.folder / 'html-dev'}", *(f"{version}={self.site(version)}" for version in ("0.2", "0.10", "0.9")))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads((self.pages / "versions.json").read_text()), [
            {"version": "0.10", "name": "0.10 (newest)"}, {"version": "0.9", "name": "0.9"}, {"version": "0.2", "name": "0.2"},
            {"version": "dev", "name": "dev"}])
        for version in ("0.2", "0.9", "0.10", "dev"):
            self.assertEqual((self.pages / version / "index.html").read_text(), version)
        self.assertIn('href="0.10/"', (self.pages / "index.html").read_text())

    def test_before_the_first_release_there_is_dev(self):
        self.assertEqual(self.join(f"dev={self.site('dev')}").returncode, 0)
        self.assertIn('href="dev/"', (self.pages / "index.html").read_text())

    def test_what_cant_be_joined_is_named(self):
        self.assertIn("VERSION=SITE", self.join("latest=somewhere").stderr)
        (self.folder / "empty").mkdir()
        done = self.join(f"0.2={self.folder / 'empty'}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("empty: there is no index.html", done.stderr)


if __name__ == "__main__":
    unittest.main()
