"""What there is: the options of learners, and versions."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Any

from ._names import python_choice, python_name
from .errors import UsageError

__all__ = ["Option", "options", "show_versions"]


@dataclass(frozen=True)
class Option:
    """One option of a learner.

    Parameters
    ----------
    name : str
        The command line's name.
    keyword : str
        Python's.
    kind : str
        ``"flag"``, ``"integer"``, ``"number"``, ``"choice"``, ``"text"`` or ``"numbers"``.
    default : object
        The default.
    choices : tuple of str
        Of a choice, what can be chosen.
    low, high : float
        Of a number, its range.
    group : str
        What it is about: ``"objective"``, ``"stopping"``, ``"numerics"``, ``"start"`` or ``"reports"``.
    help, details : str
        What it does.
    """

    name: str
    keyword: str
    kind: str
    default: Any
    choices: tuple[str, ...]
    low: float
    high: float
    group: str
    help: str
    details: str


def options(learner: str | type) -> dict[str, Option]:
    """Return the options of a learner, from the table that the command line reads too.

    Parameters
    ----------
    learner : str or type
        ``"perceptron"``, ``"dual"``, ``"basic"``, ``"least-squares"``, ``"margin"`` or ``"regression"``; or
        an estimator's class.

    Returns
    -------
    dict of str to Option
        Options by the command line's name, in the manual's order.

    Examples
    --------
    >>> import linsep
    >>> linsep.options("margin")["gap"].default
    0.001
    >>> linsep.options(linsep.Perceptron)["rate"].keyword
    'eta0'
    """
    from . import _core

    name = learner if isinstance(learner, str) else getattr(learner, "_learner", "")
    tables = {table["name"]: table for table in _core.tables()["learners"]}
    if name not in tables:
        raise UsageError(f"there is no learner {learner!r}: learners are {', '.join(tables)}", ["learner"])
    return {row["name"]: _option(row) for row in tables[name]["options"]}


def _option(row: dict[str, Any]) -> Option:
    choices = tuple(python_choice(choice) for choice in row["choices"])
    default = python_choice(row["default"]) if row["kind"] == "choice" else row["default"]
    same = {key: row[key] for key in ("name", "kind", "low", "high", "group", "help", "details")}
    return Option(keyword=python_name(row["name"]), default=default, choices=choices, **same)


def show_versions() -> None:
    """Print the versions of linsep and of what it stands on, for a report of a fault.

    Examples
    --------
    >>> import linsep
    >>> linsep.show_versions()  # doctest: +ELLIPSIS
    linsep: ...
    """
    import numpy
    import scipy
    import sklearn

    from . import _core

    rows = {
        **{name: str(value) for name, value in _core.versions().items()},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "threads": str(_core.available_threads()),
    }
    for name, value in rows.items():
        print(f"{name}: {value}")
