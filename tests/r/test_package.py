"""The R package: assembled, installed, its own tests, and the session that the documentation shows."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/howto/r.md"


def has_packages(*names: str) -> bool:
    if shutil.which("R") is None:
        return False
    listed = ", ".join(f'"{name}"' for name in names)
    wanted = f"quit(status = !all(c({listed}) %in% rownames(installed.packages())))"
    return subprocess.run(["Rscript", "--vanilla", "-e", wanted], capture_output=True).returncode == 0


def shown_session(page: str) -> list[str]:
    """The lines of every block of R, in order: up to the first block with a package that isn't installed."""
    lines = []
    for block in re.findall(r"^```rconsole\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        packages = set(re.findall(r"^> library\((\w+)\)", block, re.MULTILINE)) - {"linsep"}
        if packages and not has_packages(*packages):
            break
        lines += block.splitlines()
    return lines


def differences(shown: list[str], real: list[str]) -> list[str]:
    """Of two sessions; in shown lines "…" stands for any text."""
    pattern = [".*".join(map(re.escape, line.rstrip().split("…"))) for line in shown if line.strip()]
    pairs = zip_longest(pattern, real, fillvalue="(nothing)")
    return [f"shown: {wanted}\nreal:  {line}" for wanted, line in pairs if not re.fullmatch(wanted, line)]


@unittest.skipUnless(has_packages("cpp11", "BH", "testthat"), "R with cpp11, BH and testthat isn't installed")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        done = subprocess.run([ROOT / "tools/make_r_package", cls.folder], check=True, text=True, capture_output=True)
        tarball = done.stdout.strip()
        # Compiled for a test: quickly, and by ccache where it is there.
        compiler = "ccache g++" if shutil.which("ccache") else "g++"
        makevars = cls.folder / "Makevars"
        makevars.write_text(f"CXX20 = {compiler}\nCXX20FLAGS = -O1 -Wall -Wextra\n")
        (cls.folder / "library").mkdir()
        cls.environment = dict(os.environ, R_MAKEVARS_USER=str(makevars), R_LIBS_USER=str(cls.folder / "library"), MAKEFLAGS="-j2",
                               CCACHE_NOHASHDIR="1", LC_ALL="C.UTF-8")
        install = ["R", "CMD", "INSTALL", f"--library={cls.folder / 'library'}", "--no-test-load", tarball]
        cls.install = subprocess.run(install, env=cls.environment, text=True, capture_output=True)
        if cls.install.returncode != 0:
            raise AssertionError(cls.install.stdout + cls.install.stderr)

    def r(self, *arguments, **options):
        return subprocess.run(["R", "--vanilla", "--quiet", *arguments], env=self.environment, text=True, capture_output=True,
                              cwd=self.folder, **options)

    def test_compiles_without_warnings_of_our_own_sources(self):
        ours = [line for line in self.install.stderr.splitlines() if "warning:" in line and "library/headers" not in line]
        self.assertEqual(ours, [])

    def test_its_own_tests_pass(self):
        tests = self.folder / "linsep/tests/testthat"
        script = f'testthat::test_dir("{tests}", package = "linsep", load_package = "installed", reporter = "summary", stop_on_failure = TRUE)'
        done = self.r("-e", script)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_session_of_the_documentation(self):
        shown = shown_session(PAGE.read_text())
        given = [line[2:] for line in shown if line.startswith(("> ", "+ "))]
        self.assertGreater(len(given), 5)
        done = self.r("--no-readline", input="\n".join(given) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        real = [line.rstrip() for line in done.stdout.splitlines() if line.rstrip() not in ("", ">")]
        self.assertEqual(differences(shown, real), [])


if __name__ == "__main__":
    unittest.main()
