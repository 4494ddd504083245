"""Every script of the gallery runs and draws without a warning; the docstrings of displays are complete."""

import doctest
import importlib
import inspect
import runpy
import warnings
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402

from linsep import plot  # noqa: E402

SCRIPTS = sorted((Path(__file__).resolve().parents[2] / "docs" / "gallery").glob("plot_*.py"))
# Sections that not every docstring needs, and descriptions that begin with a choice or a Greek letter.
ALLOWED = {"GL01", "GL08", "SA01", "SA04", "ES01", "EX01", "RT02", "PR08"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_without_a_warning(script, monkeypatch):
    monkeypatch.chdir(script.parent)  # as when the gallery is made
    if "pandas" in script.read_text(encoding="utf-8"):
        pytest.importorskip("pandas")
    plt.close("all")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            runpy.run_path(str(script))
        except SystemExit as end:
            assert end.code in (0, None)
            pytest.skip("what the script needs isn't here")
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    assert plt.get_fignums()
    plt.close("all")


def test_there_is_a_script_for_every_display():
    text = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
    assert all(f"{name}.from_" in text for name in plot.__all__ if name.endswith("Display"))


@pytest.mark.parametrize("name", [name for name in plot.__all__ if name.endswith("Display")])
def test_a_display_is_documented_with_an_example_that_runs(name):
    display = getattr(plot, name)
    module = importlib.import_module(display.__module__)
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
    plt.close("all")
    validate = pytest.importorskip("numpydoc.validate").validate
    members = [
        member for member, value in inspect.getmembers(display, callable) if not member.startswith("_")
    ]
    for path in (name, *(f"{name}.{member}" for member in members)):
        errors = [error for error in validate(f"linsep.plot.{path}")["errors"] if error[0] not in ALLOWED]
        assert not errors, (path, errors)
