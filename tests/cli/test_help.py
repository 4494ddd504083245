"""Help that a person can learn from, and completion."""

import shlex
import subprocess
import unittest

from program import PROGRAM, CommandLineTest

VERBS = ["train", "predict", "evaluate", "certify", "logit", "verify", "inspect", "generate"]


class Help(CommandLineTest):
    def test_the_first_help_lists_every_verb_and_shows_a_session(self):
        text = self.words("--help")
        for verb in VERBS:
            self.assertIn(f"\n  {verb} ", text)
        self.assertIn("A first session", text)
        self.assertEqual(self.words("help"), text)

    def test_the_first_session_runs_as_it_is_shown(self):
        lines = self.words("--help").split("A first session:\n")[1].split("\n\n")[0].splitlines()
        self.assertEqual(len(lines), 10)
        for line in lines:
            if line.lstrip().startswith("#"):
                continue  # what the line before it does
            command = line.replace("linsep ", shlex.quote(PROGRAM) + " ")
            done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)

    def test_every_verb_has_two_or_more_examples(self):
        for verb in VERBS:
            text = self.words(verb, "--help")
            self.assertEqual(text, self.words("help", verb))
            examples = text.split("Examples:\n")[1]
            self.assertGreaterEqual(examples.count(f"linsep {verb} "), 2)

    def test_options_are_grouped_by_learner(self):
        text = self.words("train", "--help")
        self.assertIn("Options of every learner:", text)
        for option in ("--passes", "--rate", "--kernel", "--online", "--label", "--log"):
            self.assertIn(option, text)

    def test_help_fits_in_a_hundred_columns(self):
        for verb in VERBS:
            for line in self.words(verb, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_the_version(self):
        self.assertRegex(self.words("--version"), r"^linsep \d+\.\d+\.\d+(\.dev)?\n$")


class Completion(CommandLineTest):
    def complete(self, *words):
        script = self.words("completion", "bash")
        typed = " ".join(map(shlex.quote, words))
        ask = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _linsep; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, check=True).stdout.split()

    def test_commands_options_and_words(self):
        self.assertEqual(self.complete("linsep", "ev"), ["evaluate"])
        self.assertIn("--learner", self.complete("linsep", "train", "x.svm", "--l"))
        self.assertEqual(self.complete("linsep", "train", "--learner", "ba"), ["basic"])
        self.assertEqual(self.complete("linsep", "generate", "x"), ["xor"])


if __name__ == "__main__":
    unittest.main()
