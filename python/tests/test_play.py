"""The playground from Python. The page is a stand-in; web/tests/play.test.mjs opens the real one."""

import pathlib
import subprocess
import sys
import webbrowser

import pytest

import linsep

PAGE = b"<!doctype html><title>A stand-in for the playground</title>\n"


@pytest.fixture(autouse=True)
def page(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    monkeypatch.setenv("LINSEP_PLAY_PAGE", str(path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return path


def test_a_temporary_file_is_opened(monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    path = pathlib.Path(linsep.play())
    assert opened == [path.as_uri()] and path.suffix == ".html" and path.read_bytes() == PAGE


def test_a_file_of_ones_own_is_kept_and_nothing_is_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda address: pytest.fail("a browser was opened"))
    assert linsep.play(tmp_path / "mine.html") == str(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_bytes() == PAGE


def test_without_a_browser_the_file_is_named(monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    with pytest.raises(linsep.SystemFailure, match=r"no browser could be started: open \S+\.html in one"):
        linsep.play()


def test_a_page_that_is_not_there_is_an_error_that_helps(page):
    page.unlink()
    with pytest.raises(linsep.SystemFailure, match="cmake --build --preset wasm"):
        linsep.play()


def test_the_module_as_a_command(tmp_path, page):
    command = [sys.executable, "-m", "linsep", "play", "-o", "mine.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "The playground is mine.html\n", "")
    assert (tmp_path / "mine.html").read_bytes() == PAGE
    page.unlink()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 4 and done.stderr.startswith(f"linsep: {page}: the playground's page isn't there")
