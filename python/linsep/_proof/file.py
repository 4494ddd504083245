"""What a certificate's JSON says, with columns by name, rows from 0 and numbers as Fractions.

The file's rules stand in docs/reference/formats/certificate.md. Nothing here checks a proof: the core and
checker/verify_certificate.py do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .exact import exact

Weights = dict[str, Fraction]


class ProofFile:
    """The parts of a certificate, read once from its text.

    Parameters
    ----------
    text : str
        The JSON.
    names : sequence of str
        Of the features, where the file doesn't say: one that isn't sealed yet.
    classes : sequence of str
        Likewise, the negative class first.
    """

    def __init__(self, text: str, names: Sequence[str] = (), classes: Sequence[str] = ()) -> None:
        self._file: dict[str, Any] = json.loads(text)
        data = self._file["data"]
        self.names = _told_apart(data.get("names") or list(names))
        self.jointly: bool = self._file.get("jointly", False)
        self.against_the_rest: str | None = self._file.get("against_the_rest")
        self.reading: dict[str, Any] = data.get("reading", {})
        self.named: bool = "names" in data
        self.table: str = data.get("table", "")
        self.version: int = self._file["linsep_certificate"]
        told = data.get("classes") or [data.get("negative", ""), data.get("positive", "")]
        self.classes: list[str] = told if any(told) else list(classes)

    def column_name(self, key: str) -> str:
        """Return what "3" (the third feature), "2*5" (a product) or "2:3" (of a class's score) is called."""
        owner, colon, column = key.rpartition(":")
        if colon:
            return f"{self.column_name(column)} of {self.classes[int(owner) - 1]}"
        if column == "offset":
            return "offset" if "offset" not in self.names else "offset of the classifier"
        return "·".join(self._feature(int(factor)) for factor in column.split("*"))

    def _feature(self, number: int) -> str:
        return self.names[number - 1] if number <= len(self.names) else f"x{number}"

    def levels(self) -> list[Weights]:
        """Return the levels, each a weight per column that has one."""
        return [self._weights(level) for level in self._file.get("levels", [])]

    def witness_size(self) -> int:
        """Return how many rows (or comparisons) the witness has, without reading their numbers."""
        return len(self._file.get("witness", []))

    def witness(self) -> list[tuple[int, Fraction]]:
        """Return row (or comparison, jointly) from 0 and alpha."""
        return self._alphas(self._file.get("witness", []))

    def packing(self) -> list[list[tuple[int, Fraction]]]:
        """Return the witnesses that share no row."""
        return [self._alphas(each) for each in self._file.get("mistakes", {}).get("witnesses", [])]

    def mistakes_at_most(self) -> tuple[int | None, Weights]:
        """Return how many mistakes the classifier makes that was found, and its weights."""
        mistakes = self._file.get("mistakes", {})
        return mistakes.get("at_most"), self._weights(mistakes.get("weights", {}))

    def margin(self) -> dict[str, Fraction]:
        """Return what is proven of at_least_squared, at_most_squared, radius_squared, mistake_bound."""
        return {name: exact(text) for name, text in self._file.get("margin", {}).items() if name != "alpha"}

    def estimates(self) -> dict[str, str]:
        """Return "+infinity", "-infinity", "finite" or "undetermined" per column, where it is proven."""
        lists = self._file.get("coefficients", {})
        words = {
            "plus_infinity": "+infinity",
            "minus_infinity": "-infinity",
            "finite": "finite",
            "undetermined": "undetermined",
        }
        found = {key: word for name, word in words.items() for key in lists.get(name, ())}
        return {self.column_name(key): found[key] for key in sorted(found, key=_column_order)}

    def dependent(self) -> dict[str, Weights]:
        """Return the columns that are sums of others on every row that the levels leave at zero."""
        columns = self._file.get("span", {}).get("dependent", {})
        return {self.column_name(key): self._weights(weights) for key, weights in columns.items()}

    def row_of(self, number: int) -> int:
        """Return the row of the data that a row of the certificate is, or jointly a comparison of it."""
        return number // (len(self.classes) - 1) if self.jointly else number

    def rival_of(self, number: int, label: str) -> str:
        """Return the class that a comparison, of a row of the class `label`, compares with."""
        return [name for name in self.classes if name != label][number % (len(self.classes) - 1)]

    def leaves(self) -> dict[int, tuple[str, dict[str, Fraction]]]:
        """Return class and values of every row that the certificate carries."""
        found = {}
        for carried in self._file.get("rows", []):
            number, label, *entries = carried["leaf"].partition(" #")[0].split(" ")
            pairs = (entry.split(":") for entry in entries)
            values = {self.column_name(column): exact(value) for column, value in pairs}
            place = ("-1", "+1").index(label) if len(self.classes) == 2 else int(label) - 1
            found[int(number) - 1] = (self.classes[place], values)
        return found

    def _weights(self, vector: dict[str, str]) -> Weights:
        keys = sorted(vector, key=_column_order)
        return {self.column_name(key): exact(vector[key]) for key in keys}

    @staticmethod
    def _alphas(entries: list[dict[str, Any]]) -> list[tuple[int, Fraction]]:
        return [(entry["row"] - 1, exact(entry["alpha"])) for entry in entries]


def _column_order(key: str) -> tuple[int, bool, int, list[int]]:
    """Return what columns are sorted by: class, the offset last, few factors before many, number."""
    owner, _, column = key.rpartition(":")
    factors = [] if column == "offset" else [int(factor) for factor in column.split("*")]
    return int(owner or 0), column == "offset", len(factors), factors


def _told_apart(names: list[str]) -> list[str]:
    """Return the names, those that stand more than once with their column's number from 0."""
    if len(set(names)) == len(names):
        return names
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name} (column {place})" for place, name in enumerate(names)]
