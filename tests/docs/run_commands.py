#!/usr/bin/env python3
"""Runs the commands that a document shows and compares their output.

A command is a line that begins with "$ " in a block fenced by ```console; the lines up to the next command are its output.
All commands of a document run in order in one temporary folder, with the given program first on PATH. A command must end
with 0. Output that isn't shown isn't compared. In shown output "…" stands for any text within its line, and a line of
nothing but "…" for any number of lines. The folder holds the .csv files that the document links to. A document whose commands
name "$LINSEP_DATA/FILE" is skipped (77) if that isn't there, and so is one whose commands import numpy if this Python, which is
also theirs, has none.

    run_commands.py --program build/release/linsep README.md
    run_commands.py --program build/release/linsep --update README.md     # rewrites the shown lines that differ; "…" stays (shown.py)
"""
import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from linked import linked_rows
from shown import merged

SKIPPED = 77


class Command:
    """A command with the document's lines of its output: lines[begin:end]."""

    def __init__(self, text, number):
        self.text = text
        self.number = number  # line in the document, from 1
        self.begin = self.end = number
        self.shown = []


def commands_of(lines):
    """The commands of a document, in order."""
    found, inside, current = [], False, None
    for number, line in enumerate(lines, start=1):
        if line.startswith("```"):
            inside, current = line.strip() == "```console", None
        elif inside and line.startswith("$ "):
            current = Command(line[2:], number)
            found.append(current)
        elif inside and current is not None and not current.shown and current.text.endswith("\\"):
            current.text = current.text[:-1] + line.removeprefix("> ")
            current.begin = current.end = number
        elif inside and current is not None:
            current.shown.append(line)
            current.end = number
    for command in found:  # an empty line before the next command is for the eye
        while command.shown and not command.shown[-1].strip():
            command.shown.pop()
            command.end -= 1
    return found


def matches(shown, real):
    """Whether the real lines are what the shown lines say."""
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r" *\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in real)) is not None


def updated(shown, real):
    """The lines that an update shows."""
    new = merged(shown, real)
    return new if matches(new, real) else real


def run(command, folder, program):
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", HOME=folder,
                       PATH=os.pathsep.join([str(program.parent), os.path.dirname(sys.executable), os.environ["PATH"]]))
    done = subprocess.run(["bash", "-c", "set -o pipefail\n" + command.text], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the linsep to run")
    parser.add_argument("--update", action="store_true", help="rewrite the shown lines that differ from the real ones")
    parser.add_argument("document", type=pathlib.Path)
    given = parser.parse_args()
    lines = given.document.read_text(encoding="utf-8").splitlines()
    commands = commands_of(lines)
    for name in re.findall(r"\$LINSEP_DATA/([\w.]+)", "\n".join(command.text for command in commands)):
        if not (pathlib.Path(os.environ.get("LINSEP_DATA") or "/nowhere") / name).is_file():
            print(f"{given.document.name}: skipped, as {name} isn't in LINSEP_DATA")
            return SKIPPED
    if any("import numpy" in command.text for command in commands) and importlib.util.find_spec("numpy") is None:
        print(f"{given.document.name}: skipped, as there is no numpy")
        return SKIPPED
    failures, changes = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in linked_rows(given.document):
            shutil.copy(path, folder)
        for command in commands:
            code, real = run(command, folder, given.program.resolve())
            place = f"{given.document.name}:{command.number}: $ {command.text}"
            if code != 0:
                failures += 1
                print(f"{place}\nended with {code}:", *real, sep="\n  ")
            elif command.shown and not matches(command.shown, real):
                if given.update:
                    changes.append((command, real))
                    continue
                failures += 1
                print(f"{place}\nshown:", *command.shown, sep="\n  ")
                print("real:", *real, sep="\n  ")
    for command, real in reversed(changes):
        lines[command.begin:command.end] = updated(command.shown, real)
    if changes:
        given.document.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{given.document.name}: {len(commands)} commands, {failures} failed, {len(changes)} updated")
    return 1 if failures or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
