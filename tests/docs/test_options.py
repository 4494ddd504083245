"""Every option that a page shows with a command exists: the command's help has it."""

import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LINSEP", "linsep")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def help_of(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True).stdout


def command_names():
    return re.findall(r"^  ([a-z]+) ", help_of(), re.MULTILINE)


def shown(text, names):
    """The commands in a page's code spans, with their options: `evaluate --cost 5:1`, `linsep train DATA --plan`."""
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        for command in re.split(r"&&|[;|]", span):
            words = command.strip().removeprefix("linsep ").split()
            if words and words[0] in names:
                yield words[0], OPTION.findall(command)


class Options(unittest.TestCase):
    def test_options_in_the_pages_exist(self):
        names, helps, missing, count = command_names(), {}, [], 0
        self.assertIn("train", names)
        for page in pages():
            for name, options in shown(page.read_text(encoding="utf-8"), names):
                for option in options:
                    helps.setdefault(name, set(OPTION.findall(help_of(name))))
                    count += 1
                    if option not in helps[name]:
                        missing.append(f"{page.relative_to(ROOT)}: {name} {option}")
        self.assertEqual(missing, [])
        self.assertGreater(count, 50)

    def test_an_option_that_is_not_there_would_be_found(self):
        text = "as `evaluate --ranking` does, `linsep train D --plan`, `--alone`\n```\n`train --x`\n```\n"
        self.assertEqual(list(shown(text, ["evaluate", "train"])), [("evaluate", ["--ranking"]), ("train", ["--plan"])])


if __name__ == "__main__":
    unittest.main()
