"""How to read files, as keywords of ``scan`` and ``convert`` and as the options of the extension module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core
from .errors import UsageError

Column = str | int
Columns = Column | Iterable[Column]
Dates = Columns | Mapping[str, str]

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def _bytes(memory: int | str | None) -> int:
    """Return bytes of 500_000_000, "500M" or "2G"; 0 for None."""
    if memory is None:
        return 0
    if isinstance(memory, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([KMGT]?)B?\s*", memory)
        if not found:
            raise UsageError(
                f"'memory' takes bytes, or a size such as '500M' or '2G', not {memory!r}", ["memory"]
            )
        memory = int(float(found[1]) * (1 << _UNITS[found[2]]))
    if memory < 1:
        raise UsageError(f"'memory' takes a number of bytes above 0, not {memory}", ["memory"])
    return memory


def _name(column: Column) -> str:
    """Return a column by its name, or by its number from 1."""
    return column if isinstance(column, str) else str(int(column))


def _names(columns: Columns) -> list[str]:
    return [_name(columns)] if isinstance(columns, (str, int)) else [_name(column) for column in columns]


def _term_range(words: str | int | Sequence[int] | None) -> str:
    """Return the option's text of "1-2", 2, (1, 2) or None."""
    if words is None:
        return "none"
    return str(words) if isinstance(words, (str, int)) else "-".join(str(number) for number in words)


def table_options(**given: Any) -> dict[str, Any]:
    """Return the options of tables by the core's names; those at their defaults are left out."""
    defaults = {option["name"]: option["default"] for option in _core.tables()["tables"]}
    chosen: dict[str, Any] = {}
    for keyword, value in given.items():
        name = keyword.replace("_", "-")
        if name in ("number", "category", "text", "cross", "missing-words"):
            value = _names(value)
        elif name == "date":
            value = dict(value) if isinstance(value, Mapping) else _names(value)
        elif name in ("words", "chars"):
            value = _term_range(value)
        elif name == "norm":
            name, value = "no-norm", not value
        elif isinstance(value, str):
            value = value.replace("_", "-")
        if value != defaults[name] and value not in ([], {}):
            chosen[name] = value
    return chosen


def read_options(**given: Any) -> dict[str, Any]:
    """Return the options of reading by the core's names; those that aren't said are left out."""
    read = {name: value for name, value in given.items() if value is not None}
    for name in ("label", "weight", "id"):
        if name in read:
            read[name] = _name(read[name])
    for name in ("labels", "ignore", "classes"):
        if name in read:
            read[name] = _names(read[name])
    if "positive" in read:
        read["positive"] = str(read["positive"])
    read["double_values"] = read.pop("double", False)
    read["memory"] = _bytes(read.get("memory"))
    return read
