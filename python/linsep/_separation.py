"""check_separation: whether a logistic regression has finite estimates, before it is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _html
from ._inputs import rows
from ._proof import advice as _advice
from ._proof.certificate import Certificate, certify
from ._proof.design import Design, constant_columns, design_of
from ._proof.words import ESTIMATES, INFINITY, counted, listed
from ._rows import Rows
from ._shown import Shown, shown_text
from .errors import LinsepError, UsageError

__all__ = ["SeparationError", "SeparationReport", "check_separation"]

_VERDICTS = {
    "separable": "complete",
    "quasi-separable": "quasi-complete",
    "overlapping": "none",
    "undecided": "undecided",
}
_R_NUMBERS = {"+infinity": np.inf, "-infinity": -np.inf, "finite": 0.0}
_INTERCEPT = "intercept"
_WIDTH = 100  # of a line of a printed report


class SeparationError(LinsepError, ValueError):
    """A regression has no finite estimates, or it isn't known whether it has.

    Parameters
    ----------
    message : str
        The report in words.
    report : SeparationReport or None, default=None
        The report.

    Attributes
    ----------
    report : SeparationReport or None
        The report.

    Examples
    --------
    >>> import linsep
    >>> try:
    ...     linsep.check_separation([[0.0], [1.0]], [0, 1]).raise_if_separated()
    ... except linsep.SeparationError as error:
    ...     print(error.report.verdict)
    complete
    """

    def __init__(self, message: str = "", report: SeparationReport | None = None) -> None:
        super().__init__(message)
        self.report = report


@dataclass(frozen=True, eq=False, repr=False)
class SeparationReport(Shown):
    """What separation does to a regression without a penalty. Made by `check_separation`.

    Attributes
    ----------
    verdict : {"complete", "quasi-complete", "none", "undecided"}
        Complete: some linear classifier gets every row right. Quasi-complete: one is right on some rows and
        has all others on its boundary. None: neither, so that all estimates are finite.
    estimates : dict
        A word per coefficient: "+infinity", "-infinity", "finite", "undetermined" (some directions of
        separation have one sign and some the other, or columns are dependent), "not unique" (columns are
        dependent), "unknown".
    tendency : dict
        1 or -1 for undetermined coefficients: where an ever smaller penalty would send them; computed, not
        proven.
    certificate : Certificate
        The proof.
    classes : tuple
        The two outcomes; the signs are for the second.
    rows : int
        How many rows there are; rows that were left out for missing values, or weigh 0, aren't counted.

    Examples
    --------
    >>> import linsep
    >>> X, ill = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1]
    >>> report = linsep.check_separation(X, ill, feature_names=["dose", "age"])
    >>> report
    SeparationReport(quasi-complete, 5 rows × 2 columns, dose → +∞, 2 rows separated)
    >>> report.coefficients
    {'dose': inf, 'age': 0.0, 'intercept': 0.0}
    """

    verdict: Literal["complete", "quasi-complete", "none", "undecided"]
    estimates: dict[str, str]
    tendency: dict[str, int]
    certificate: Certificate
    classes: tuple[Any, Any]
    rows: int
    _design: Design | None = None

    @property
    def separated(self) -> bool:
        """Whether some estimate is infinite. An error while that is undecided."""
        if self.verdict == "undecided" and not self.certificate.levels:
            raise UsageError(
                "undecided whether the rows are separated: allow more time, or look at .verdict"
            )
        return self.verdict != "none"

    @property
    def infinite(self) -> dict[str, int]:
        """1 or -1 for each coefficient that is proven to go to plus or minus infinity."""
        signs = {"+infinity": 1, "-infinity": -1}
        return {name: signs[word] for name, word in self.estimates.items() if word in signs}

    @property
    def coefficients(self) -> dict[str, float]:
        """0, inf or -inf per coefficient, as R's detect_separation prints them; NaN: none of these."""
        return {name: _R_NUMBERS.get(word, np.nan) for name, word in self.estimates.items()}

    @property
    def estimable(self) -> list[str]:
        """The coefficients that have finite estimates."""
        return [name for name, word in self.estimates.items() if word == "finite"]

    @property
    def undetermined(self) -> list[str]:
        """The coefficients without a finite estimate whose sign isn't proven."""
        return [name for name, word in self.estimates.items() if word == "undetermined"]

    @cached_property
    def separated_rows(self) -> npt.NDArray[Any]:
        """The rows that can be separated: labels of the frame's index, or row numbers from 0 as given."""
        return self._named(self._separated)

    @cached_property
    def overlap_rows(self) -> npt.NDArray[Any]:
        """The rows that can't be separated. The finite estimates depend on them. An error while that is undecided."""
        if self.verdict == "undecided":
            raise UsageError("undecided which rows overlap: allow more time")
        return self._named(np.setdiff1d(self._origin, self._separated))

    @cached_property
    def collinear(self) -> list[list[str]]:
        """Groups of columns of which one is nearly a sum of the others, among those with finite estimates.

        Others leave less than 1e-7 of its length, so that standard errors can't be computed. Floating point,
        not proven; empty where there are too many values to look at (`advice` says so), or only `Rows`.
        """
        return self._collinear or []

    @cached_property
    def _collinear(self) -> list[list[str]] | None:
        return _advice.collinear_columns(self, self._design)

    @property
    def _origin(self) -> npt.NDArray[np.int64]:
        """The row as given of each row of the proof."""
        origin = None if self._design is None else self._design.origin
        return np.arange(self.certificate.rows) if origin is None else origin

    @cached_property
    def _separated(self) -> npt.NDArray[np.int64]:
        found = self.certificate.separated_rows
        assert found is not None  # a report's certificate has its rows
        # A row of both outcomes is two rows of the proof.
        return np.setdiff1d(self._origin[found], np.delete(self._origin, found))

    def _named(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        labels = None if self._design is None else self._design.labels
        return numbers if labels is None else labels[numbers]

    @property
    def title(self) -> str:
        """The verdict as a heading."""
        return _advice.TITLES[self.verdict]

    @cached_property
    def summary(self) -> str:
        """What the verdict means, in a sentence or two."""
        return _advice.summary(self)

    @cached_property
    def causes(self) -> list[str]:
        """A sentence for each column that separates rows by itself; exact."""
        return _advice.causes(self, self._design)

    @cached_property
    def advice(self) -> list[str]:
        """What not to read, and what to do; a sentence each."""
        return _advice.advice(self, self._design)

    def raise_if_separated(self) -> SeparationReport:
        """Raise a SeparationError with the report's words unless all estimates are finite.

        Returns
        -------
        SeparationReport
            Itself.
        """
        if self.verdict != "none":
            raise SeparationError(f"{self.title} {self.summary}", self)
        return self

    def __bool__(self) -> bool:
        raise UsageError("bool(report) is ambiguous: use report.separated")

    def __str__(self) -> str:
        names = [shown_text(name) for name in self.estimates]
        width = max(map(len, names), default=0)
        words = [f"  {name:<{width}}  {ESTIMATES[word]}" for name, word in zip(names, self.estimates.values(), strict=True)]
        above = [fill(sentence, _WIDTH) for sentence in (f"{self.title} {self.summary}", *self.causes)]
        below = [fill(f"- {sentence}", _WIDTH, subsequent_indent="  ") for sentence in self.advice]
        return "\n".join([*above, *words, *below])

    def __repr__(self) -> str:
        parts = [
            self.verdict,
            f"{counted(self.rows, 'row')} × {counted(self.certificate.features, 'column')}",
        ]
        if self.infinite:
            parts.append(
                listed((f"{name} → {INFINITY[sign]}" for name, sign in self.infinite.items()), limit=4)
            )
        if self.verdict == "quasi-complete":
            parts.append(f"{counted(len(self.separated_rows), 'row')} separated")
        return f"SeparationReport({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return _html.report_html(self)


def check_separation(
    X: Any,
    y: Any = None,
    *,
    fit_intercept: bool | Literal["auto"] = "auto",
    feature_names: Sequence[str] | None = None,
    time_limit: float | None = None,
) -> SeparationReport:
    """Say whether a regression of two outcomes (logit, probit) has finite estimates, and prove it.

    Parameters
    ----------
    X : array, sparse matrix, DataFrame, patsy or formulaic matrix, Rows; or a statsmodels model or result
        The design matrix that goes to the regression. Of a model (Logit, Probit, binomial GLM) its own is
        taken, with `y`.
    y : array of two different values, default=None
        The outcomes; the signs are for the greater. None with a model or `Rows`.
    fit_intercept : bool or "auto", default="auto"
        Whether the regression adds an intercept to these columns. "auto": no where X is a model's or a
        formula's matrix or has a constant column, else yes.
    feature_names : sequence of str, default=None
        Of the columns. None: those of X; without any as statsmodels calls them: const, x1, x2 and so on.
    time_limit : float, default=None
        Seconds; then the verdict may be "undecided".

    Returns
    -------
    SeparationReport
        Verdict, coefficients that go to infinity, rows that are separated, advice and proof.

    See Also
    --------
    certify : The same question about classifiers.

    Examples
    --------
    >>> import linsep
    >>> report = linsep.check_separation([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> report.verdict, report.infinite
    ('complete', {'x1': 1, 'intercept': -1})
    """
    if fit_intercept not in (True, False, "auto"):
        raise UsageError(f"fit_intercept is True, False or 'auto', not {fit_intercept!r}", ["fit_intercept"])
    design = None
    if isinstance(X, Rows):
        if y is not None or feature_names is not None:
            raise UsageError(
                "Rows have their outcomes and names: give neither y nor feature_names", ["y", "feature_names"]
            )
        given, adds = X, fit_intercept is not False
    else:
        design = design_of(X, y, feature_names)
        own = (
            design.whole or len(constant_columns(design.X)) > 0
            if fit_intercept == "auto"
            else not fit_intercept
        )
        outcomes = np.array(design.classes)[design.y.astype(np.int64)]
        given, adds = rows(design.X, outcomes, feature_names=design.names, ids=design.ids), not own
    certificate = certify(given, fit_intercept=adds, coefficients=True, time_limit=time_limit)
    if design is not None:
        certificate._facts["outcome"] = design.outcome
    return _report(certificate, design, adds)


def _report(certificate: Certificate, design: Design | None, adds: bool) -> SeparationReport:
    """Return the report on what was proven, with the intercept in the words of a regression."""
    names = certificate.column_names
    offset = certificate.offset_name
    intercept = _INTERCEPT if _INTERCEPT not in names else "intercept of the regression"
    told = certificate.estimates
    if certificate.verdict == "overlapping":
        aliased = certificate.dependent_columns
        told = {name: "not unique" if name in aliased else "finite" for name in (*names, offset)}
    signs = certificate._facts.get("computed_signs", {})
    own = {**{name: name for name in names}, **({offset: intercept} if adds else {})}
    estimates = {own[name]: told.get(name, "unknown") for name in own}
    tendency = {
        own[name]: signs[name] for name in own if estimates[own[name]] == "undetermined" and name in signs
    }
    classes: tuple[Any, Any] = (
        design.classes if design is not None else (certificate.classes[0], certificate.classes[-1])
    )
    counted_rows = (
        certificate.rows if design is None or design.origin is None else len(np.unique(design.origin))
    )
    verdict: Any = _VERDICTS[certificate.verdict]
    return SeparationReport(verdict, estimates, tendency, certificate, classes, counted_rows, design)
