"""What people see of an object: no name in it steers a terminal, adds a line to a repr or turns text around."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from . import _core

__all__ = ["Shown", "shown_lines", "shown_text"]


def shown_text(value: object) -> str:
    """Return the text of a value in one line, escaped and cut as the command line does it.

    Parameters
    ----------
    value : object
        A name, or words with names in them.

    Returns
    -------
    str
        What a terminal may show.
    """
    return _core.shown_text(str(value).encode("utf-8", "surrogatepass"))


def shown_lines(value: object) -> str:
    """Return the same of several lines, of which nothing is cut."""
    return _core.shown_lines(str(value).encode("utf-8", "surrogatepass"))


class Shown:
    """Base class of all that people print: what ``repr``, ``str`` and notebooks get is escaped.

    A class derived from it writes ``__repr__``, ``__str__`` and ``_repr_html_`` as ever. Names in several lines
    go through `shown_text` or `listed` besides, because here nobody can tell a newline of a name from others.
    """

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name, escaped in (("__repr__", shown_text), ("__str__", shown_lines), ("_repr_html_", shown_lines)):
            if name in cls.__dict__:
                setattr(cls, name, _escaping(cls.__dict__[name], escaped))


def _escaping(method: Callable[[Any], str], escaped: Callable[[object], str]) -> Callable[[Any], str]:
    @wraps(method)
    def show(self: Any) -> str:
        return escaped(method(self))

    return show
