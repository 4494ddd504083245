"""What linsep raises and warns of.

Everything that linsep itself refuses is a :class:`LinsepError`. Bad data that scikit-learn has words for
keeps scikit-learn's exceptions (``ValueError``, ``TypeError``, ``NotFittedError``).
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from ._names import python_name
from ._shown import shown_text

__all__ = [
    "ColumnWarning",
    "CopyWarning",
    "GapWarning",
    "InputError",
    "LinsepError",
    "NotSeparableError",
    "SystemFailure",
    "UsageError",
    "translate_errors",
]


class LinsepError(Exception):
    """Base class of all errors of linsep.

    Parameters
    ----------
    message : str, default=""
        The sentence.

    Examples
    --------
    >>> import linsep
    >>> issubclass(linsep.UsageError, linsep.LinsepError)
    True
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shown_text(message))


class UsageError(LinsepError, ValueError):
    """An option or a call that makes no sense.

    Parameters
    ----------
    message : str
        The sentence, with options by their Python names.
    options : sequence of str, default=()
        The keywords that the sentence is about.

    Attributes
    ----------
    options : tuple of str
        The keywords that the sentence is about.

    Examples
    --------
    >>> from linsep import MarginClassifier, UsageError
    >>> try:
    ...     MarginClassifier(alpha=0.1, C=2.0).fit([[0.0], [1.0]], [0, 1])
    ... except UsageError as error:
    ...     print(error)
    'alpha' and 'C' set the same thing, alpha = 1/(C·rows): use only one of them
    """

    def __init__(self, message: str = "", options: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.options = tuple(options)


class InputError(LinsepError, ValueError):
    """Data or a file that can't be read as what it should be.

    Parameters
    ----------
    message : str
        The sentence, which begins with the place where there is one.
    file : str or None, default=None
        The file.
    line, column : int, default=0
        The place in the file, from 1; 0 where it isn't known.

    Attributes
    ----------
    file : str or None
        The file.
    line, column : int
        The place in the file, from 1; 0 where it isn't known.

    Examples
    --------
    >>> import linsep
    >>> linsep.InputError("rows.svm:3: 'x' is no number", file="rows.svm", line=3).line
    3
    """

    def __init__(self, message: str = "", file: str | None = None, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column


class SystemFailure(LinsepError, OSError):
    """The disk, the memory or another process failed.

    Parameters
    ----------
    message : str, default=""
        The sentence.

    Examples
    --------
    >>> import linsep
    >>> issubclass(linsep.SystemFailure, OSError)
    True
    """


class NotSeparableError(LinsepError, ValueError):
    """No linear classifier separates the rows, and that is proven.

    Parameters
    ----------
    message : str
        The sentence.
    certificate : Certificate or None, default=None
        The proof.

    Attributes
    ----------
    certificate : Certificate or None
        The proof: a point that both classes' hulls have in common.

    Examples
    --------
    >>> import linsep
    >>> try:
    ...     linsep.HardMarginClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    ... except linsep.NotSeparableError as error:
    ...     print("refused")
    refused
    """

    def __init__(self, message: str = "", certificate: Any = None) -> None:
        super().__init__(message)
        self.certificate = certificate


class GapWarning(ConvergenceWarning):  # type: ignore[misc]
    """Training ended before the gap that was asked for; the text says why and what helps.

    Parameters
    ----------
    message : str
        The sentence.
    code : str, default=""
        Why, for a program: ``"passes"``, ``"time"``, ``"rounding"``, ``"badly_scaled"``,
        ``"separable_no_optimum"``.
    gap : float, default=nan
        The gap that was reached; of several classes the greatest.

    Attributes
    ----------
    code : str
        Why, for a program.
    gap : float
        The gap that was reached.

    Examples
    --------
    >>> import warnings, linsep
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = linsep.MarginClassifier(max_iter=1, gap=1e-12).fit([[0.0], [1.0], [2.0], [1.5]], [0, 0, 1, 0])
    >>> caught[0].category.__name__
    'GapWarning'
    """

    def __init__(self, message: str = "", code: str = "", gap: float = float("nan")) -> None:
        super().__init__(message)
        self.code = code
        self.gap = gap


class ColumnWarning(UserWarning):
    """A column isn't as it was in training, or as it is written; the text says which and in how many rows.

    More than a tenth of the rows have values never seen in training, or no value though all rows had one in training;
    or no row has a value. Or numbers of a file are so small that they are read as 0. The command line warns of the
    same.

    Examples
    --------
    >>> import linsep
    >>> issubclass(linsep.ColumnWarning, UserWarning)
    True
    """


class CopyWarning(UserWarning):
    """More than 100 MB were copied, since the core can't take the array as it is; the text says why.

    Examples
    --------
    >>> import linsep
    >>> issubclass(linsep.CopyWarning, UserWarning)
    True
    """


# Frames of these aren't the user's: scikit-learn decorates fit.
_INNER = tuple(
    os.path.join(os.path.dirname(sys.modules[name].__file__ or ""), "") for name in ("sklearn", __package__)
)


def warn_caller(warning: Warning) -> None:
    """Warn of the line that called linsep, or scikit-learn, from outside of both."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INNER):
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def warn_of_column(sentence: str) -> None:
    """Warn of a column that isn't as it was in training, or as it is written."""
    warn_caller(ColumnWarning(shown_text(sentence)))


def _placed(file: str | None, line: int, column: int, text: str) -> str:
    if not file:
        return text
    place = ":".join([file, *(str(number) for number in (line, column if line else 0) if number)])
    return f"{place}: {text}"


_ADVISED = re.compile(r"(?<=; say |; use )\{\} .+?(?=;|$)")
_VALUE = re.compile(r"\{\} ('[^']*'|[^\s,;]+)")


def _filled(sentence: str, options: Sequence[str]) -> str:
    """Put the options' Python names into the "{}" of a sentence; a "{}" behind the last is text.

    Options with values that are advised, as in "use {} age or {} 'n. a.'", become keywords: category='age'.
    """
    sentence = _ADVISED.sub(lambda advice: _VALUE.sub(_keyword, advice[0]), sentence)
    first, *others = sentence.split("{}")
    names = [
        python_name(option) if piece.startswith("=") else f"'{python_name(option)}'"
        for option, piece in zip(options, others, strict=False)
    ]
    names += ["{}"] * len(others)
    return first + "".join(name + piece for name, piece in zip(names, others, strict=False))


def _keyword(value: re.Match[str]) -> str:
    return "{}=" + (value[1] if value[1].startswith("'") else f"'{value[1]}'")


_FORMAT = re.compile(r"has the Arrow format '([^']*)'")
_KINDS = {
    "n": "nothing but missing values", "z": "bytes", "Z": "bytes", "vz": "bytes", "w:": "bytes", "tt": "times of day",
    "tD": "durations", "ti": "calendar intervals", "+l": "lists", "+L": "lists", "+vl": "lists", "+vL": "lists",
    "+w": "lists", "+s": "structs", "+m": "maps", "+u": "unions",
}  # fmt: skip


def _kind(letters: re.Match[str]) -> str:
    """Return what a column holds, where Arrow has letters for it."""
    begun = [kind for start, kind in _KINDS.items() if letters[1].startswith(start) and (start != "n" or letters[1] == "n")]
    return f"holds {begun[0]}" if begun else letters[0]


def translated(error: Any) -> BaseException:
    """Return linsep's exception for an error of the core, its options renamed to Python's keywords."""
    sentence = error.sentence or str(error)
    sentence = _FORMAT.sub(_kind, _filled(sentence, error.options))
    text = _placed(error.file, error.line, error.column, sentence)
    if error.kind == "usage":
        return UsageError(text, [python_name(option) for option in error.options])
    if error.kind == "input":
        return InputError(text, error.file or None, error.line, error.column)
    if error.kind == "system":
        return SystemFailure(text)
    if error.kind == "interrupted":
        return KeyboardInterrupt()
    return LinsepError(f"{text}. This is a bug in linsep: please report it")


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise linsep's exceptions for errors of the core inside; also a decorator, ``@translate_errors()``.

    Yields
    ------
    None
        Nothing.
    """
    from . import _core

    try:
        yield
    except _core.Error as error:
        raise translated(error) from None
