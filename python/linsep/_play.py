"""The playground: one HTML file that the wheel brings, in the browser."""

from __future__ import annotations

import os
import pathlib
import sysconfig
import tempfile
import webbrowser
from collections.abc import Iterator

from .errors import SystemFailure, UsageError

__all__ = ["play"]

_VARIABLE = "LINSEP_PLAY_PAGE"


def _places() -> Iterator[pathlib.Path]:
    """Where the page can be: the wheel and ``cmake --install`` put it into share/linsep of their prefix."""
    named = os.environ.get(_VARIABLE)
    if named:
        yield pathlib.Path(named)
        return
    yield pathlib.Path(sysconfig.get_path("data"), "share/linsep/play.html")
    for folder in pathlib.Path(__file__).resolve().parents[1:5]:
        yield folder / "share/linsep/play.html"


def _page() -> bytes:
    places = list(_places())
    for place in places:
        if place.is_file():
            return place.read_bytes()
    raise SystemFailure(
        f"{places[0]}: the playground's page isn't there: build it with "
        "`cmake --preset wasm && cmake --build --preset wasm`, then open build/wasm/play.html "
        f"or set {_VARIABLE} to its path"
    )


def play(path: str | os.PathLike[str] | None = None) -> str:
    """Open the playground in a browser, or write it to a file.

    It is one HTML file, with linsep inside it as WebAssembly, and needs no network.

    Parameters
    ----------
    path : path-like or None, default=None
        A file to be written; then nothing is opened. None: a temporary file is written, and the browser
        opens it.

    Returns
    -------
    str
        The file that was written.

    Examples
    --------
    >>> import linsep
    >>> linsep.play()                # doctest: +SKIP
    '/tmp/linsep-play-u1tzs8n0.html'
    >>> linsep.play("play.html")     # doctest: +SKIP
    'play.html'
    """
    page = _page()
    if path is not None:
        if not os.fspath(path):
            raise UsageError("'path' is empty", ["path"])
        pathlib.Path(path).write_bytes(page)
        return os.fspath(path)
    number, name = tempfile.mkstemp(prefix="linsep-play-", suffix=".html")
    with os.fdopen(number, "wb") as file:
        file.write(page)
    if not webbrowser.open(pathlib.Path(name).as_uri()):
        raise SystemFailure(f"no browser could be started: open {name} in one")
    return name
