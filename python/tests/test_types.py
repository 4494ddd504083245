"""The annotations of the package, as mypy reads them: a correct file of a user passes, and wrong calls are found."""
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy")
HERE = pathlib.Path(__file__).resolve().parent


def mypy(file: pathlib.Path, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """mypy's answer on one file of a user, who has the package installed."""
    package = str(pathlib.Path(os.environ["PYTHONPATH"].split(os.pathsep)[0]).resolve())
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={folder}", str(file)]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": package}, cwd=folder, capture_output=True, text=True)


def test_a_users_file_passes(tmp_path):
    run = mypy(HERE / "typed_user.py", tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_wrong_call_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import linsep\n\nlinsep.MarginClassifier(C='ten')\nverdict: int = linsep.certify([[0.0]], [1]).verdict\n")
    run = mypy(wrong, tmp_path)
    assert run.returncode == 1
    assert [line.split(":")[1] for line in run.stdout.splitlines() if ": error:" in line] == ["3", "4"], run.stdout
