"""The command line, for tests that compare with it."""

import os
import shutil
import subprocess

import pytest

PROGRAM = os.environ.get("LINSEP") or shutil.which("linsep") or ""
needs_command_line = pytest.mark.skipif(
    not os.path.exists(PROGRAM), reason="the command linsep isn't built (LINSEP)"
)


def run(*arguments):
    """Return what `linsep` prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def trained(path, model, *arguments):
    """Return the bytes of the model that `linsep train` makes of a file."""
    run("train", path, "-o", model, "--quiet", *arguments)
    return model.read_bytes()
