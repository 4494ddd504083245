"""An update of a document rewrites what differs and keeps "…" elsewhere."""
import doctest
import pathlib
import subprocess
import sys
import tempfile
import unittest

import run_python
from run_commands import matches
from shown import merged


def lines(text):
    return text.strip("\n").splitlines()


class Merged(unittest.TestCase):
    def check(self, shown, real, expected, mark="…"):
        new = merged(lines(shown), lines(real), mark, spans=mark == "...")
        self.assertEqual(new, lines(expected))
        if mark == "…":
            self.assertTrue(matches(new, lines(real)))

    def test_output_that_matches_stays(self):
        self.check("Read in … s.\n…\nlast", "Read in 0.02 s.\na\nb\nlast", "Read in … s.\n…\nlast")

    def test_a_changed_line_is_rewritten_and_other_lines_keep_their_marks(self):
        self.check("12 rows\nRead in … s.\nTrained in … s.", "13 rows\nRead in 0.02 s.\nTrained in 1.5 s.",
                   "13 rows\nRead in … s.\nTrained in … s.")

    def test_a_mark_within_a_changed_line_stays(self):
        self.check("pages.svm: 120 rows × 3 features, … s", "pages.svm: 7,140 rows × 3 features, 0.013 s",
                   "pages.svm: 7,140 rows × 3 features, … s")

    def test_figures_that_were_cut_stay_cut(self):
        self.check("objective 0.049…, gap …", "objective 0.05173241, gap 0.00098", "objective 0.051…, gap …")

    def test_lines_that_were_left_out_stay_out(self):
        rows = "\n".join(f"  row {k}: {k * k}" for k in range(80))
        self.check("80 rows of a table\n  row 0: 0\n…\n  row 79: 6241\nWritten to out.csv.",
                   "80 rows in a table\n" + rows + "\nWrote out.csv.",
                   "80 rows in a table\n  row 0: 0\n…\n  row 79: 6241\nWrote out.csv.")

    def test_a_new_line_is_shown(self):
        self.check("first …\nlast", "first 1\nnew\nlast", "first …\nnew\nlast")

    def test_a_line_that_is_gone_goes(self):
        self.check("first …\nold\nlast", "first 1\nlast", "first …\nlast")

    def test_a_mark_goes_if_nothing_beside_it_is_left(self):
        self.check("old words … here", "quite another sentence", "quite another sentence")
        self.check("one\n…\ntwo", "alpha\nbeta\ngamma", "alpha\nbeta\ngamma")

    def test_marks_at_the_ends_stay(self):
        self.check("…\nTraining error 0.1: 1 of 10 wrong.", "a\nb\nTraining error 0.2: 2 of 10 wrong.",
                   "…\nTraining error 0.2: 2 of 10 wrong.")
        self.check("Model a\n…", "Model b\nx\ny", "Model b\n…")

    def test_blanks_within_a_line_count(self):
        self.check("  a   1  …", "  a    10  0.5", "  a    10  …")

    def test_sessions_have_three_dots(self):
        self.check("array([1, ..., 9])\n12", "array([1, 2, 3, 9])\n13", "array([1, ..., 9])\n13", "...")
        self.check("array([1, ..., 9])\n12", "array([1, 2,\n       3, 9])\n13", "array([1, ..., 9])\n13", "...")
        self.check("Traceback (most recent call last):\n    ...\nUsageError: old",
                   "Traceback (most recent call last):\n    ...\nUsageError: new",
                   "Traceback (most recent call last):\n    ...\nUsageError: new", "...")


class Update(unittest.TestCase):
    """The whole way: a program, a document, `--update`."""

    def test_a_document_keeps_its_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tell"
            program.write_text("#!/bin/sh\nseq -f 'row %g' 40\necho '40 rows in 0.25 s'\n")
            program.chmod(0o755)
            document = pathlib.Path(folder) / "page.md"
            page = "# Page\n\n```console\n$ tell\nrow 1\n…\n{} rows in … s\n$ tell | wc -l\n41\n```\n"
            document.write_text(page.format(39), encoding="utf-8")
            tool = pathlib.Path(__file__).with_name("run_commands.py")
            command = [sys.executable, "-B", tool, "--program", program, "--update", document]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("1 updated", done.stdout)
            self.assertEqual(document.read_text(encoding="utf-8"), page.format(40))

    def test_a_session_keeps_its_marks(self):
        text = ">>> print('a 1', *range(9), 'end', sep='\\n')\na 2\n...\nend\n"
        example = doctest.DocTestParser().get_examples(text)[0]
        real = "a 1\n" + "".join(f"{k}\n" for k in range(9)) + "\nend\n"
        self.assertEqual(run_python.updated(example, real), ["a 1", "...", "end"])


if __name__ == "__main__":
    unittest.main()
