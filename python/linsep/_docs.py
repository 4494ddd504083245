"""Docstrings of estimators: parts that many of them share are written once and put in when a class is defined."""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

from ._parameters import TEXTS

Estimator = TypeVar("Estimator")

ATTRIBUTES = """\
n_features_in_ : int
    The number of features.
feature_names_in_ : ndarray of str
    Their names, if X has names.
n_iter_ : int
    Passes over the rows.
stopped_because_ : str
    ``"converged"``, ``"passes"``, ``"time"``, ``"interrupted"`` or ``"stalled"``.
stop_code_, stop_sentence_ : str
    Why it stopped, for programs and for people, with what would help.
history_ : structured ndarray
    A record per pass: pass, seconds, mistakes, objective, gap, residual.
model_ : Model
    The model file's content."""


def entries(section: str) -> dict[str, str]:
    """Return the entries of a numpydoc section by name, in order."""
    return {found[1]: found[0] for found in re.finditer(r"^(\w[\w, ]*) : .*(?:\n(?:    .*)?)*", section, re.MULTILINE)}


def parameters_of(estimator: type) -> str:
    """Return the section about the keywords of a class; what a keyword means to this class alone comes first."""
    return "\n".join(
        f"{name} : {TEXTS.get(f'{estimator.__name__}.{name}') or TEXTS[name]}"
        for name in inspect.signature(estimator).parameters
    )


def documented(estimator: type[Estimator]) -> type[Estimator]:
    """Complete the docstring of a class: parameters, and attributes that every estimator has."""
    if estimator.__doc__:  # not under python -OO
        before, _, after = inspect.cleandoc(estimator.__doc__).partition("Attributes\n----------\n")
        own, gap, rest = after.partition("\n\n")
        attributes = entries(own)
        listed = [own, *(text.rstrip() for name, text in entries(ATTRIBUTES).items() if name not in attributes)]
        estimator.__doc__ = (
            f"{before}Parameters\n----------\n{parameters_of(estimator)}\n\n"
            "Attributes\n----------\n" + "\n".join(listed) + f"{gap}{rest}\n"
        )
    return estimator
