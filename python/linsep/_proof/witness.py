"""The witness of a certificate as a table, and the point that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .file import ProofFile

_FIELDS: list[tuple[str, type]] = [
    ("row", np.int64),
    ("id", object),
    ("class", object),
    ("alpha", object),
    ("share", np.float64),
]


def witness_table(file: ProofFile, names: Mapping[int, tuple[str, str]], origin: bool) -> npt.NDArray[Any]:
    """Return a record per row of the witness.

    Parameters
    ----------
    file : ProofFile
        The certificate.
    names : mapping
        Class and id of rows of the data.
    origin : bool
        Shares are of all rows then, else of the row's side.

    Returns
    -------
    structured array
        row, id, class, alpha, share; jointly also rival.
    """
    entries = [(number, file.row_of(number), alpha) for number, alpha in file.witness()]
    labels = [names.get(row, ("", ""))[0] for _, row, _ in entries]
    sides = sides_of(file, labels, origin)
    sums = [Fraction(0), Fraction(0)]
    for (_, _, alpha), side in zip(entries, sides, strict=True):
        sums[side] += alpha
    table = np.empty(len(entries), dtype=_FIELDS + ([("rival", object)] if file.jointly else []))
    for place, (number, row, alpha) in enumerate(entries):
        label, name = names.get(row, ("", ""))
        record = (row, name, label, alpha, _ratio(alpha, sums[sides[place]]))
        table[place] = (*record, file.rival_of(number, label)) if file.jointly else record
    return table


def _ratio(part: Fraction, whole: Fraction) -> float:
    """Return their ratio, rounded; a Fraction of it would be reduced first, which takes long where digits are many."""
    return (part.numerator * whole.denominator) / (part.denominator * whole.numerator)


def sides_of(file: ProofFile, labels: list[str], origin: bool) -> list[int]:
    """Return which of two sums the row of each label counts in; it is one sum through the origin."""
    positive = file.against_the_rest or (file.classes[-1] if file.classes else None)
    return [int(label == positive and not origin and not file.jointly) for label in labels]


def common_point(file: ProofFile, table: npt.NDArray[Any], features: int) -> npt.NDArray[np.float64] | None:
    """Return the point of both hulls by the rows that a certificate carries; None where some are missing."""
    leaves = file.leaves()
    if not len(table) or any(int(row) not in leaves for row in table["row"]):
        return None
    sides = np.array(sides_of(file, table["class"].tolist(), origin=False))
    point = [Fraction(0)] * features
    places = {file.column_name(str(column + 1)): column for column in range(features)}
    of_one_side = table[sides == sides[0]]
    whole = sum(of_one_side["alpha"], Fraction(0))
    for entry in of_one_side:
        for name, value in leaves[int(entry["row"])][1].items():
            point[places[name]] += entry["alpha"] / whole * value
    return np.array([float(value) for value in point])
