"""Generated data sets: the rows of the command line, in arrays and in files."""

import os
import signal
import threading
import time

import linsep
import numpy as np
import pytest
import scipy.sparse as sp
from command_line import needs_command_line, run
from linsep import _core

KINDS = [info["name"] for info in _core.tables()["generators"]]
TABLES = ["messages", "patients", "table"]


def options_of(kind):
    return {
        option["name"]
        for info in _core.tables()["generators"]
        if info["name"] == kind
        for option in info["options"]
    }


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in TABLES])
def test_arrays_are_what_the_file_holds(kind, tmp_path):
    options = {"rows": 40} if "rows" in options_of(kind) else {}
    X, y = linsep.generate(kind, **options)
    linsep.generate(kind, tmp_path / "rows.svm", **options)
    lines = (tmp_path / "rows.svm").read_text().splitlines()
    assert [int(line.split()[0]) for line in lines] == y.tolist()
    dense = X.toarray() if sp.issparse(X) else X
    for row, line in zip(dense, lines, strict=True):
        expected = np.zeros(X.shape[1])
        for entry in line.split()[1:]:
            column, value = entry.split(":")
            expected[int(column) - 1] = float(value)
        assert row.tolist() == expected.tolist()


@needs_command_line
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_that_of_the_command_line(kind, tmp_path):
    options = {"rows": 40} if "rows" in options_of(kind) else {}
    linsep.generate(kind, tmp_path / "python", **options)
    run("generate", kind, "-o", tmp_path / "command", *(["--rows", 40] if options else []))
    assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()


def test_a_longer_set_begins_with_the_shorter_one():
    short, long = (
        linsep.generate("noisy", rows=10, random_state=3),
        linsep.generate("noisy", rows=50, random_state=3),
    )
    assert np.array_equal(long.X[:10], short.X) and np.array_equal(long.y[:10], short.y)
    assert not np.array_equal(linsep.generate("noisy", rows=10, random_state=4).X, short.X)


def test_separable_rows_are_separable_and_noisy_ones_not():
    assert linsep.certify(*linsep.generate("separable", rows=100)).verdict == "separable"
    assert linsep.certify(*linsep.generate("noisy", rows=100, flip_rows=[3])).verdict != "separable"


def test_threads_change_no_byte(tmp_path):
    linsep.generate("sparse", tmp_path / "one.svm", rows=5000, n_jobs=1)
    linsep.generate("sparse", tmp_path / "four.svm", rows=5000, n_jobs=4)
    assert (tmp_path / "one.svm").read_bytes() == (tmp_path / "four.svm").read_bytes()


def test_what_makes_no_sense_is_refused(tmp_path):
    with pytest.raises(linsep.UsageError, match="did you mean 'noisy'"):
        linsep.generate("noisi")
    with pytest.raises(linsep.UsageError, match="has no option 'marign'"):
        linsep.generate("separable", marign=0.1)
    with pytest.raises(linsep.UsageError, match="'flip'"):
        linsep.generate("noisy", flip=2.0)
    with pytest.raises(linsep.UsageError, match="give a file"):
        linsep.generate("patients")
    with pytest.raises(linsep.UsageError, match="'format' takes"):
        linsep.generate("xor", tmp_path / "xor.txt", format="xls")
    with pytest.raises(linsep.SystemFailure):
        linsep.generate("xor", tmp_path / "nowhere" / "xor.svm")
    with pytest.raises(TypeError, match="progress takes"):
        linsep.generate("xor", progress="yes")


def test_progress_is_told(tmp_path, capsys):
    told = []
    linsep.generate("sparse", tmp_path / "rows.svm", rows=20_000, progress=told.append)
    assert told[-1]["phase"] == "generating" and told[-1]["rows"] == told[-1]["rows_in_all"] == 20_000
    linsep.generate("sparse", tmp_path / "rows.svm", rows=20, progress=True)
    assert capsys.readouterr().out == ""


def test_what_progress_raises_is_raised_and_leaves_no_file(tmp_path):
    def refuse(record):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        linsep.generate("sparse", tmp_path / "rows.svm", rows=200_000, progress=refuse)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", [None, "rows.svm"])
def test_an_interrupt_ends_it_soon(path, tmp_path):
    sent = []

    def send():
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        linsep.generate("sparse", path and tmp_path / path, rows=20_000_000)
    assert time.monotonic() - sent[0] < 3  # half a second on a quiet machine
    sender.join()
    assert os.listdir(tmp_path) == []
