"""`linsep play`: where the page is looked for, what is written, what is opened. The page here is a stand-in that says so, and so is the
browser; web/tests/play.test.mjs opens the real page in real ones."""

import os
import shutil
import stat
import subprocess
import sys
import unittest

from program import PROGRAM, CommandLineTest

PAGE = "<!doctype html><title>A stand-in for the playground</title>\n"


@unittest.skipUnless(sys.platform == "linux", "the stand-in for a browser is a script")
class Play(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.page = self.folder / "page.html"
        self.page.write_text(PAGE)
        self.environment = {"LINSEP_PLAY_PAGE": str(self.page), "TMPDIR": str(self.temporary), "PATH": str(self.folder / "bin")}

    def browser(self, script):
        """Puts a script where the program looks for what opens pages."""
        opener = self.folder / "bin/xdg-open"
        opener.parent.mkdir()
        opener.write_text("#!/bin/sh\n" + script)
        opener.chmod(0o755)

    def test_a_temporary_file_is_opened(self):
        self.browser(f'printf %s "$1" > "{self.folder}/opened"\n')
        text = self.words("play", environment=self.environment)
        (written,) = self.temporary.iterdir()
        self.assertEqual(text, f"The playground is {written}\n")
        self.assertEqual(self.read("opened"), str(written))
        self.assertEqual((written.suffix, written.read_text()), (".html", PAGE))
        self.assertEqual(stat.S_IMODE(written.stat().st_mode), 0o600)

    def test_without_a_browser_the_file_is_named_and_stays(self):
        for script in (None, "exit 3\n"):
            if script:
                self.browser(script)
            done = self.run_program("play", code=4, environment=self.environment)
            written = max(self.temporary.iterdir(), key=lambda path: path.stat().st_mtime_ns)
            self.assertIn(f"no browser could be started: open {written} in one", done.stderr.decode())
            self.assertEqual(written.read_text(), PAGE)

    def test_a_file_of_ones_own_is_kept_and_nothing_is_opened(self):
        self.browser(f': > "{self.folder}/opened"\n')
        self.assertEqual(self.words("play", "-o", "mine.html", environment=self.environment), "")
        self.assertEqual(self.read("mine.html"), PAGE)
        self.assertEqual(self.words("play", "-o", "-", environment=self.environment), PAGE)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse((self.folder / "opened").exists())

    def test_a_page_that_is_not_there_is_an_error_that_helps(self):
        where = str(self.folder / "nowhere.html")
        text = self.complaint("play", "-o", "mine.html", code=3, environment={"LINSEP_PLAY_PAGE": where})
        self.assertEqual(text.splitlines()[0], f"linsep: {where}: the playground's page isn't there")
        self.assertIn("cmake --build --preset wasm", text)
        self.assertFalse((self.folder / "mine.html").exists())

    def test_the_page_is_found_beside_the_program_and_through_a_link_to_it(self):
        program = self.folder / "prefix/bin/linsep"
        program.parent.mkdir(parents=True)
        shutil.copy(PROGRAM, program)
        (self.folder / "link").symlink_to(program)
        environment = {key: value for key, value in os.environ.items() if key != "LINSEP_PLAY_PAGE"}
        for place in ("prefix/share/linsep/play.html", "prefix/bin/play.html"):
            page = self.folder / place
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(PAGE + place)
            for name in (program, self.folder / "link"):
                done = subprocess.run([name, "play", "-o", "-"], env=environment, capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout, PAGE + place)
            page.unlink()


if __name__ == "__main__":
    unittest.main()
