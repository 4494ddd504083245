"""Every file that the commands of commands.txt write is the same bytes on every machine (sums.txt).

LINSEP names the program and LINSEP_RUNNER what runs it, such as "qemu-aarch64 -L /usr/aarch64-linux-gnu" for another machine's
program. With --renew, writes the sums of what comes out now instead; with --list, prints the files that differ.
"""

import hashlib
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
SUMS = HERE / "sums.txt"
RUNNER = shlex.split(os.environ.get("LINSEP_RUNNER", ""))
PROGRAM = os.path.abspath(os.environ["LINSEP"])


def commands():
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield shlex.split(line.lstrip("!")), 3 if line.startswith("!") else 0


def run(folder, words, code):
    """Runs one command; faults, if any."""
    printed = None
    if ">" in words:
        words, printed = words[:words.index(">")], words[-1]
    done = subprocess.run([*RUNNER, PROGRAM, *words], cwd=folder, capture_output=True)
    if printed:
        (folder / printed).write_bytes(done.stdout)
    for path in folder.iterdir():  # page files keep the time of the text they are made of
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return [] if done.returncode == code else [f"linsep {shlex.join(words)}: code {done.returncode}: {done.stderr.decode()}"]


def battery():
    """The SHA-256 of every file written, by name, and faults."""
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for words, code in commands():
            faults += run(folder, words, code)
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}, faults


def wanted():
    return dict(reversed(line.split("  ")) for line in SUMS.read_text().splitlines())


class Battery(unittest.TestCase):
    def test_every_file_is_the_same(self):
        sums, faults = battery()
        self.assertFalse(faults, "\n".join(faults))
        self.assertGreaterEqual(len(sums), 54)
        self.assertEqual(sorted(sums.items() ^ wanted().items()), [])


if __name__ == "__main__":
    if "--renew" in sys.argv or "--list" in sys.argv:
        sums, faults = battery()
        print(*faults, sep="\n", end="")
        if "--renew" in sys.argv and not faults:
            SUMS.write_text("".join(f"{sum}  {name}\n" for name, sum in sums.items()))
        differing = sorted({name for name, _ in sums.items() ^ wanted().items()})
        print(f"{len(sums)} files, {len(differing)} differ", *differing, sep="\n  ")
    else:
        unittest.main()
