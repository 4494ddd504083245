"""Progress of calls that take ``progress=True`` or a callable: a line on standard error, or dictionaries."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

Record = dict[str, Any]
Observer = Callable[[Record], object]

_EVERY_SECONDS = 0.2


def _sentence(record: Record) -> str:
    rows, in_all = record["rows"], record["rows_in_all"]
    text = f"{record['phase']}: {rows:,}"
    if in_all > 0:
        text += f" of {in_all:,}"
    text += " rows"
    if record["phase"] in ("training", "certifying") and record["pass"] > 1:
        text += f", pass {record['pass']:,}"
    return text


class _Line:
    """One line that is drawn anew, at most five times a second, and wiped at the end."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.drawn = 0
        self.last = time.monotonic()

    def __call__(self, record: Record) -> None:
        now = time.monotonic()
        if now - self.last < _EVERY_SECONDS:
            return
        self.last = now
        text = _sentence(record)
        self.stream.write("\r" + text.ljust(self.drawn))
        self.stream.flush()
        self.drawn = len(text)

    def wipe(self) -> None:
        if self.drawn:
            self.stream.write("\r" + " " * self.drawn + "\r")
            self.stream.flush()


@contextmanager
def observer(progress: bool | Observer | None) -> Iterator[Observer | None]:
    """Yield what the core's ``observe`` takes: None, the callable, or for True a line on standard error."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        line = _Line(sys.stderr)
        try:
            yield line
        finally:
            line.wipe()
    elif callable(progress):
        # A call that has no passes to stop takes no answer: what the callable returns counts for nothing.
        yield progress
    else:
        raise TypeError(f"progress takes True, False, None or a callable, not {type(progress).__name__}")
