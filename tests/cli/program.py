"""Runs the built program in a folder of its own and reads its answers."""

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(os.environ["LINSEP"])


def slack():
    """How many times longer than alone something may take: by what others leave of the processors now, and left of late."""
    began, busy = time.monotonic(), time.thread_time()
    while time.thread_time() - busy < 0.1:
        pass
    now = (time.monotonic() - began) / 0.1
    return max(now, 1 + max(0.0, os.getloadavg()[0] / (os.cpu_count() or 1) - 0.5))


class CommandLineTest(unittest.TestCase):
    """Each test has an empty working directory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments, stdin="", code=0, environment=None):
        """Runs `linsep ARGUMENTS` and checks the exit code."""
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            timeout=300,
        )
        self.assertEqual(done.returncode, code, f"linsep {arguments}: {done.stderr.decode()}")
        return done

    def words(self, *arguments, **how):
        return self.run_program(*arguments, **how).stdout.decode()

    def answer(self, *arguments, **how):
        """The one JSON object that a verb prints under --json."""
        done = self.run_program(*arguments, "--json", **how)
        self.assertEqual(done.stderr, b"")
        lines = done.stdout.decode().splitlines()
        self.assertEqual(len(lines), 1)
        return json.loads(lines[0])

    def complaint(self, *arguments, code, **how):
        """The message of a run that must fail. Nothing may have been printed as a result."""
        done = self.run_program(*arguments, code=code, **how)
        self.assertEqual(done.stdout, b"")
        return done.stderr.decode()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def read(self, name):
        return (self.folder / name).read_text()

    def read_lines(self, name):
        return [json.loads(line) for line in self.read(name).splitlines()]

    def generate(self, *arguments):
        """Writes a generated set and returns the file's name."""
        name = arguments[0] + ".svm"
        self.run_program("generate", *arguments, "-o", name)
        return name
