"""What separation means for a regression, and what to do about it, in plain words."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .._shown import shown_text
from .collinear import collinear
from .design import Design, constant_columns
from .words import INFINITY, counted, ended_early, listed

SeparationReport = Any  # that of `_separation`, which asks for this advice

TITLES = {
    "complete": "Complete separation.",
    "quasi-complete": "Quasi-complete separation.",
    "none": "No separation.",
    "undecided": "Undecided.",
}
_EXPLAINED = 5  # infinite coefficients for which the cause is looked for
_RANKED = 5_000_000  # values of the largest matrix whose rank is computed


def summary(report: SeparationReport) -> str:
    """Return the verdict's meaning in a sentence or two."""
    if report.verdict == "undecided":
        separated = "Some rows are separated, so that some estimates are infinite. "
        known = separated if report.certificate.levels else ""
        return f"{known}Nothing else is proven; {ended_early(report.certificate)}."
    if report.verdict == "none":
        if aliased := _aliased(report):
            dependent = f"the columns {listed(aliased)} are linearly dependent"
            return f"The likelihood has a maximum, but not at a single point: {dependent}."
        told = "Every coefficient has a finite maximum-likelihood estimate"
        near = "; ".join(f"{listed(group)} are nearly collinear" for group in report.collinear)
        return f"{told}, but {near}." if near else f"{told}."
    rows = counted(report.rows, "row")
    told = f"Some linear classifier gets all {rows} right"
    if report.verdict == "quasi-complete":
        told = f"{len(report.separated_rows):,} of {rows} can be separated, the others can't"
    told += ", so that the regression has no finite maximum-likelihood estimate"
    if report.infinite:
        told += f": {listed(f'{name} → {INFINITY[sign]}' for name, sign in report.infinite.items())}"
    if report.estimable:
        told += f"; {listed(report.estimable)} {'stays' if len(report.estimable) == 1 else 'stay'} finite"
    return f"{told}."


def advice(report: SeparationReport, design: Design | None) -> list[str]:
    """Return sentences: what not to read, and what to do."""
    if report.verdict == "undecided":
        return ["Allow more time: check_separation(…, time_limit=None)."]
    if report.verdict == "none":
        if aliased := _aliased(report):
            return [f"Leave out one of {listed(aliased)}: no data could tell their coefficients apart."]
        usual = "If the fit converged, read its estimates, standard errors and tests as usual."
        return _near(report) if report.collinear else [usual, *_near(report)]
    names = [*report.infinite, *report.undetermined]
    columns = [
        name for name in names if design is None or (name in design.names and name not in _constants(design))
    ]
    told = [
        f"Don't read the estimate, standard error or Wald test of {listed(names, 4) or 'any coefficient'}: they only reflect when the iterations stopped."
    ]
    if report.undetermined:
        told.append(_undetermined(report, design))
    told.append(
        "Penalize the fit, which makes every estimate finite: linsep.MarginClassifier(loss='logistic') or "
        "Firth's penalized likelihood. Profile likelihood gives intervals, Wald's method doesn't."
    )
    told.append(
        f"Or leave out {listed(columns, 4) or 'a column'}; or, if a column stands for a level of a "
        "category, merge that level with another. Either asks another question of the data."
    )
    if report.verdict == "quasi-complete" and report.estimable:
        told.append(
            f"The finite estimates are those of the regression of {listed(report.estimable, 4)} on the rows "
            "that can't be separated: report.overlap_rows, report.estimable."
        )
        told += _near(report)
    return told


def collinear_columns(report: SeparationReport, design: Design | None) -> list[list[str]] | None:
    """Return groups of nearly dependent columns with finite estimates; None where too much was to look at."""
    aliased = {*_aliased(report)}
    if design is None or report.verdict == "undecided" or not report.estimable:
        return []
    values, names = design.X, list(report.estimates)
    if report.verdict != "none":
        kept = np.delete(np.arange(values.shape[0]), report.certificate.separated_rows)
        values = (sp.csr_array(values) if sp.issparse(values) else values)[kept]
        values = values[:, [place for place, name in enumerate(design.names) if name in report.estimable]]
        names = report.estimable
    groups = collinear(values, names)
    return None if groups is None else [group for group in groups if not aliased.issuperset(group)]


def _near(report: SeparationReport) -> list[str]:
    """Return what to do about columns that are nearly collinear."""
    if report._collinear is None:
        return ["Near collinearity of columns wasn't checked: there are too many values."]
    told = []
    for group in report.collinear:
        told.append(
            f"Don't read the standard errors and tests of {listed(group)}: but for 3 parts in a million one of "
            "them is a sum of the others, and few digits of their coefficients are right. Leave one "
            "out, as linsep.logit does; or, if one is nearly constant, subtract its mean."
        )
    return told


def causes(report: SeparationReport, design: Design | None) -> list[str]:
    """Return a sentence for infinite coefficients whose column alone separates rows; exact, by signs."""
    told: list[str] = []
    if design is None:
        return told
    constant = _constants(design)
    for name, sign in list(report.infinite.items())[:_EXPLAINED]:
        if name in constant or name not in design.names:
            continue
        column = _column(design.X, design.names.index(name))
        side = np.where(design.y, 1, -1) * sign * np.sign(column)
        if (side < 0).any():
            continue
        for class_place, word in (
            (1, "above" if sign > 0 else "below"),
            (0, "below" if sign > 0 else "above"),
        ):
            number = int(((side > 0) & (design.y == bool(class_place))).sum())
            if number:
                having = "has" if number == 1 else "have"
                value = design.classes[class_place]
                outcome = f"{shown_text(design.outcome)} = {f'{value:g}' if isinstance(value, float) else shown_text(value)}"
                them = "it" if number == 1 else "all of them"
                told.append(f"{counted(number, 'row')} {having} {shown_text(name)} {word} 0, and {outcome} in {them}.")
    return told


def _aliased(report: SeparationReport) -> list[str]:
    return [name for name, word in report.estimates.items() if word == "not unique"]


def _constants(design: Design) -> set[str]:
    return {design.names[column] for column in constant_columns(design.X)}


def _undetermined(report: SeparationReport, design: Design | None) -> str:
    """Return what can be said of coefficients whose sign separation doesn't tell."""
    told = f"Separation alone doesn't determine where {listed(report.undetermined, 4)} would go"
    if design is not None and design.X.shape[0] * design.X.shape[1] <= _RANKED:
        rank, columns = _rank(design, adds_one=not report.certificate.origin)
        if rank < columns:
            return f"{told}: the columns are linearly dependent (rank {rank} of {columns}). Leave one out."
    signs = [f"{name} to {INFINITY[sign]}" for name, sign in report.tendency.items()]
    if not signs:
        return f"{told}."
    return f"{told}. As the penalty shrinks to 0: {listed(signs, 4)} (computed, not proven)."


def _rank(design: Design, adds_one: bool) -> tuple[int, int]:
    """Return the rank, in floating point, and the number of columns, an added intercept counted."""
    values = design.X.toarray() if sp.issparse(design.X) else design.X
    values = np.column_stack([values, np.ones(len(values))]) if adds_one else values
    scale = np.abs(values).max(axis=0)
    return int(np.linalg.matrix_rank(values / np.where(scale > 0, scale, 1))), values.shape[1]


def _column(values: Any, column: int) -> Any:
    return sp.csc_array(values)[:, [column]].toarray()[:, 0] if sp.issparse(values) else values[:, column]
