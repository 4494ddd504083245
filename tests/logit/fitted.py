"""Runs `linsep logit` on rows and reads its answer."""
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.path.abspath(os.environ["LINSEP"])


def number(value):
    """A number of the program's JSON: None is none, "infinity" is one."""
    return math.nan if value is None else float(value)


def fit_file(path, *options):
    done = subprocess.run([PROGRAM, "logit", str(path), "--json", *options], capture_output=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    answer = json.loads(done.stdout)
    for each in answer["coefficients"]:
        for name, value in each.items():
            if name not in ("name", "status", "column"):
                each[name] = number(value)
    return answer


def fit_rows(x, y, *options):
    """Features are called x0, x1, …"""
    lines = [",".join([f"x{j}" for j in range(len(x[0]))] + ["y"])]
    lines += [",".join([*map(repr, map(plain, row)), str(int(label))]) for row, label in zip(x, y)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_text("\n".join(lines) + "\n")
        return fit_file(path, "--label", "y", *options)


def fit_counts(counts, *options):
    """One feature x0. `counts`: its value, the class and in how many rows both are."""
    lines = ["x0,y,n"] + [f"{x},{y},{n}" for x, y, n in counts if n > 0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.csv"
        path.write_text("\n".join(lines) + "\n")
        return fit_file(path, "--label", "y", "--weight", "n", *options)


def plain(value):
    return int(value) if float(value).is_integer() else float(value)


_asked = []


def asked_sets(usual):
    """How many sets to draw: `--sets N`, or as many as usual."""
    if "--sets" in sys.argv:
        at = sys.argv.index("--sets")
        _asked.append(int(sys.argv[at + 1]))
        del sys.argv[at:at + 2]
    return _asked[0] if _asked else usual
