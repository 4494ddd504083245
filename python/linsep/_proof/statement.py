"""What a certificate states: verdict, bounds, witness and coefficients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import translate_errors
from .exact import root_above, root_below
from .file import ProofFile, Weights
from .parts import MistakeBounds
from .rows import core_rows
from .witness import common_point, witness_table


class Statement:
    """The read-only side of a `Certificate`.

    Parameters
    ----------
    core : object
        The core's value.
    rows : Rows, default=None
        What it speaks of, where that is at hand.
    facts : dict, default=None
        What is known besides: how the run ended, ids of rows.
    """

    def __init__(self, core: Any, rows: Any = None, facts: dict[str, Any] | None = None) -> None:
        self._core = core
        self._rows = rows
        self._facts = facts or {}
        self._secret = ""  # of the rows' salt; never pickled

    @property
    def verdict(self) -> str:
        """ "separable", "quasi-separable", "overlapping" or "undecided"."""
        return str(self._core.claim)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(
            self._core.rows if self._rows is None else max(self._core.rows, core_rows(self._rows).rows)
        )

    @property
    def features(self) -> int:
        """How many features the rows have, before a map."""
        return int(self._core.features)

    @property
    def classes(self) -> tuple[str, ...]:
        """The negative class and the positive one; in a file about more than two classes all of them."""
        return tuple(self._file.classes)

    @property
    def jointly(self) -> bool:
        """Of more than two classes: whether it is about classifiers with one score per class."""
        return self._file.jointly

    @property
    def against_the_rest(self) -> str | None:
        """With more than two classes: the one that the proof tells from all others together, if it is about that."""
        return self._file.against_the_rest

    @property
    def origin(self) -> bool:
        """Whether only classifiers through the origin were asked about."""
        return bool(self._core.origin)

    @property
    def map(self) -> str:
        """The feature map."""
        return str(self._core.map)

    @property
    def sealed(self) -> bool:
        """Whether there is a digest of the rows."""
        return bool(self._core.sealed)

    @property
    def without_rows(self) -> bool:
        """Whether `verify` and `seal` must be given the rows: they aren't at hand."""
        return self._rows is None

    @property
    def root(self) -> str:
        """The digest of the rows, 64 hexadecimal digits; "" if it isn't sealed."""
        return str(self._core.root)

    @property
    def stopped_because(self) -> str:
        """ "converged", or what ran out."""
        return str(self._facts.get("reason") or self._core.stopped_because or "converged")

    @property
    def history(self) -> list[dict[str, Any]]:
        """A record per pass; empty in a certificate that was read from a file."""
        return list(self._facts.get("history", []))

    @property
    def levels(self) -> list[Weights]:
        """Weight vectors in order of importance: on a row the first that isn't 0 has the right sign."""
        return self._file.levels()

    @property
    def left_at_zero(self) -> int:
        """How many rows (jointly: comparisons) all levels are 0 on; 0 if there are no levels."""
        return int(self._core.left_at_zero)

    @property
    def column_names(self) -> list[str]:
        """What the features are called; without names x1, x2, …"""
        return [self._file.column_name(str(column)) for column in range(1, self.features + 1)]

    @property
    def offset_name(self) -> str:
        """What the constant is called: "offset", unless a feature has that name."""
        return self._file.column_name("offset")

    @property
    def dependent_columns(self) -> set[str]:
        """Columns that others add up to on every row that the levels leave at zero, and these others."""
        sums = self._file.dependent()
        return {*sums, *(name for weights in sums.values() for name in weights)}

    @property
    def about(self) -> tuple[str, ...]:
        """The label, the columns used and how they were encoded, and those left out, in words."""
        reading, lines = self._file.reading, []
        if "label" in reading:
            lines.append(f"label: {reading['label']}")
        if self._file.table:
            with translate_errors():
                columns = _core.table_columns(self._core)
            lines += [f"column {each['name']}: {each['kind']}, {each['encoding']}" for each in columns]
            if not columns:
                lines.append(f"encoded by the table {self._file.table}")
        elif reading.get("header"):
            lines.append(f"columns, numbers as written: {', '.join(self._file.names)}")
        elif self._file.named and not reading:
            lines.append(f"columns, numbers as stored: {', '.join(self._file.names)}")
        if "left_out" in reading:
            lines.append(f"columns left out: {', '.join(reading['left_out']) or 'none'}")
        if self._file.version == 1:
            lines.append("names not bound: a file of version 1")
        return tuple(lines)

    @property
    def exact_bounds(self) -> dict[str, Fraction]:
        """What is proven of "at_least_squared", "at_most_squared", "radius_squared" and "mistake_bound"."""
        return self._file.margin()

    @property
    def margin(self) -> float | None:
        """A lower bound on the largest geometric margin. None if no single separator is known."""
        return self._rounded("at_least_squared", root_below)

    @property
    def margin_at_most(self) -> float | None:
        """No separator has a greater geometric margin."""
        return self._rounded("at_most_squared", root_above)

    @property
    def radius(self) -> float | None:
        """No row has a greater norm."""
        return self._rounded("radius_squared", root_above)

    @property
    def mistake_bound(self) -> int | None:
        """A perceptron from 0 makes at most this many mistakes on these rows, in any order."""
        bound = self.exact_bounds.get("mistake_bound")
        return None if bound is None else int(bound)

    @property
    def estimates(self) -> dict[str, str]:
        """Proven words per coefficient: "+infinity", "-infinity", "finite" or "undetermined"."""
        return self._file.estimates()

    @property
    def infinite(self) -> dict[str, int]:
        """1 or -1 for each coefficient that is proven to go to plus or minus infinity."""
        signs = {"+infinity": 1, "-infinity": -1}
        return {name: signs[word] for name, word in self.estimates.items() if word in signs}

    @property
    def mistake_bounds(self) -> MistakeBounds | None:
        """Bounds on the least number of mistakes, with ``certify(mistakes=True)``."""
        packing = self._file.packing()
        at_most, weights = self._file.mistakes_at_most()
        if not packing and at_most is None:
            return None
        return MistakeBounds(len(packing), at_most, tuple(dict(each) for each in packing), weights)

    @cached_property
    def witness(self) -> npt.NDArray[Any]:
        """Rows whose classes have a point in common: row, id, class, alpha (exact), share of its class."""
        return witness_table(self._file, self._row_names(), self.origin)

    @cached_property
    def common_point(self) -> npt.NDArray[np.float64] | None:
        """The point of both hulls that the witness shows, rounded; None if there is none."""
        told = np.asarray(self._facts.get("common_point", ()), dtype=np.float64)
        if len(told):
            return told
        if self.origin or self.map != "none" or self.jointly:
            return None
        return common_point(self._file, self.witness, self.features)

    @cached_property
    def separated_rows(self) -> npt.NDArray[np.int64] | None:
        """The rows that `levels` separate; None if that isn't known: in a file, or jointly."""
        if not self._core.levels:
            return np.arange(0)
        if self.verdict == "separable":
            return np.arange(self.rows)
        if "separated_rows" in self._facts:
            return np.asarray(self._facts["separated_rows"], dtype=np.int64)
        if self._rows is None or self.jointly:
            return None
        with translate_errors():
            found = _core.separated_rows(self._core, core_rows(self._rows), self.rows)
        return np.array([each["row"] for each in found], dtype=np.int64)

    @cached_property
    def _file(self) -> ProofFile:
        names = [] if self._rows is None else list(self._rows.feature_names)
        classes = [] if self._rows is None else [str(name) for name in self._rows.classes]
        return ProofFile(self._core.to_json(), names, classes)

    def _row_names(self) -> dict[int, tuple[str, str]]:
        """Return class and id of the witness's rows, out of its own rows or of those it carries."""
        if "names" not in self._facts:
            if self._rows is None:
                return {row: (label, "") for row, (label, _) in self._file.leaves().items()}
            with translate_errors():
                found = _core.witness_rows(self._core, core_rows(self._rows))
            self._facts["names"] = {each["row"]: (each["label"], each["id"]) for each in found}
        names: dict[int, tuple[str, str]] = self._facts["names"]
        return names

    def _proves_something(self) -> bool:
        return bool(self._core.levels or self._core.witness or self.exact_bounds)

    def _rounded(self, name: str, root: Callable[[Fraction], float]) -> float | None:
        square = self.exact_bounds.get(name)
        return None if square is None else root(square)
