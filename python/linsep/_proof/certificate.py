"""Certificates, what is proven about every linear classifier on some rows; certify finds them, verify checks them."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeVar

import numpy as np

from .. import _core, _html
from .._progress import observer
from .._rows import threads_for
from .._scan import scan
from .._shown import Shown
from ..errors import InputError, SystemFailure, UsageError, translate_errors, warn_caller
from .audit import Audit
from .parts import Check
from .rows import core_model, core_rows, proof_rows
from .statement import Statement
from .words import counted, proof_in_words

PathLike = str | os.PathLike[str]
_PICKLE_FORMAT = 1
Verifier = TypeVar("Verifier", bound=Callable[..., Check])

# What `verify` takes and returns, as a method and as a function.
_CHECKING = """\
as_encoded : bool, default=False
    Read a path, and encode the columns of a table, as the certificate says: its label, columns and encoding are
    accepted unseen, and the answer's `about` says so. False: reads like `scan`; a certificate about another label,
    other columns or another encoding isn't accepted.
secret : str, default=""
    The secret that the rows were salted with, if any (`Certificate.seal`, ``linsep certify --salt``).
n_jobs : int, default=None
    Threads.
progress : bool or callable, default=None
    As in `certify`.

Returns
-------
Check
    True if everything is proven."""


def _with_checking(function: Verifier) -> Verifier:
    """Complete the docstring of a function that checks a certificate."""
    if function.__doc__:  # not under python -OO
        function.__doc__ = inspect.cleandoc(function.__doc__).replace("{checking}", _CHECKING) + "\n"
    return function


class Certificate(Statement, Shown):
    """What is proven about every linear classifier on some rows; made by `certify` and `Certificate.load`.

    Rows count from 0. Columns go by their names, without names "x1", "x2", …; the constant is "offset".
    Numbers that prove are :class:`fractions.Fraction`; rounded ones are floats, rounded so that what they
    bound stays true. A certificate is *sealed* with a digest of the rows when it is saved or pickled: until
    then it refers to the arrays that it was made of, and keeps them alive. Two certificates are equal when
    they say the same of the same rows.

    Parameters
    ----------
    core : object
        The core's value. Certificates are made by `certify`, `load` and `from_json`.
    rows : Rows, default=None
        What it speaks of, where that is at hand.
    facts : dict, default=None
        What is known besides: how the run ended, ids of rows.

    Examples
    --------
    >>> import linsep
    >>> xor = linsep.certify([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor
    Certificate(overlapping, 4 rows × 2 features, witness of 4 rows)
    >>> xor.common_point.tolist()
    [0.5, 0.5]
    """

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def load(cls, path: PathLike) -> Certificate:
        """Read a certificate from a file of `save` or of ``linsep certify -o``.

        Nothing of it is believed before it is checked (`verify`).

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        Certificate
            Sealed, without the rows.
        """
        try:
            read = Path(path).read_bytes()
        except OSError as error:
            raise SystemFailure(f"can't read {os.fspath(path)}: {error.strerror}") from error
        if read.startswith(b"PK\3\4"):
            with translate_errors():
                return cls(_core.certificate_from_bundle(read, os.fspath(path)))
        try:
            text = read.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{os.fspath(path)}: not a certificate: it isn't JSON", file=os.fspath(path)) from None
        return cls.from_json(text, name=os.fspath(path))

    @classmethod
    def from_json(cls, text: str, *, name: str = "the certificate") -> Certificate:
        """Read a certificate from text.

        Parameters
        ----------
        text : str
            What `to_json` wrote.
        name : str, default="the certificate"
            What errors call it.

        Returns
        -------
        Certificate
            As `load` returns it.
        """
        with translate_errors():
            return cls(_core.certificate_from_json(text, name))

    def to_json(self) -> str:
        """Return the certificate as the text of its file; seals it where it isn't.

        Returns
        -------
        str
            JSON, the same bytes as ``linsep certify -o`` writes of the same rows.
        """
        self.seal(secret=self._secret)
        return str(self._core.to_json())

    def save(self, path: PathLike) -> None:
        """Write the certificate to a file that a stranger can check; seals it where it isn't.

        Parameters
        ----------
        path : str or path
            The file; it appears whole or not at all. A name that ends with ".zip": a bundle for reviewers, see
            `bundle`.
        """
        target = Path(path)
        content = self.bundle() if target.suffix == ".zip" else self.to_json().encode()
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            draft.write_bytes(content)
            draft.replace(target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise SystemFailure(f"can't write {target}: {error.strerror}") from error

    def bundle(self) -> bytes:
        """Return a zip file with all that a reviewer needs to check it without linsep.

        It holds the certificate, the rows as the proof sees them, scripts that check it with Python's standard
        library alone, and README.html, which says how. The same rows give the same bytes.

        A proof about arrays is about their binary numbers, which no CSV file shows. That of the bundle is about
        decimals: each number as the shortest decimal that reads back as it (0.1 for 0.1). They are certified
        anew, with the arguments that `certify` was given, and the page says so.

        Returns
        -------
        bytes
            What ``save("appendix.zip")`` writes.
        """
        rows = self._rows
        if rows is None:
            raise UsageError("a bundle needs the rows, which this certificate no longer has: certify them again")
        if self._secret:
            raise UsageError("a bundle shows every row, but a salt hides them: certify them again without a secret")
        self.seal()
        if self._file.table or self._file.reading:
            with translate_errors():
                return bytes(_core.bundle(self._core, core_rows(rows)))
        return self._bundle_of_decimals(rows)

    def _bundle_of_decimals(self, rows: Any) -> bytes:
        with translate_errors(), TemporaryDirectory() as folder:
            kind, label, text = _core.shortest_text(core_rows(rows), label=self._facts.get("outcome", "y"))
            path = Path(folder) / "rows"
            path.write_bytes(text)
            columns = {"label": label, "header": True, "delimiter": ","} if kind == "csv" else {}
            decimals = scan(path, format=kind, classes=self.classes, **columns)
            proof = certify(decimals, **self._facts["asked"]).seal()
            other = self.verdict if self.verdict != proof.verdict else ""
            if other:
                told = f"the decimals of the bundle are {proof.verdict}, the binary numbers of the arrays {other}"
                warnings.warn(f"{told}: the bundle proves the former", stacklevel=4)
            return bytes(_core.bundle(proof._core, core_rows(decimals), shortest=True, of_stored=other))

    def seal(
        self,
        X: Any = None,
        y: Any = None,
        *,
        secret: str = "",
        n_jobs: int | None = None,
        progress: Any = None,
    ) -> Certificate:
        """Put in the digest of the rows, and the rows that the proof names, where that isn't done yet.

        Parameters
        ----------
        X, y : as in `certify`, default=None
            The rows it speaks of. None: the arrays that were given to `certify`.
        secret : str, default=""
            64 lower-case hexadecimal digits, as ``secrets.token_hex(32)`` makes them. They salt every row:
            those that the proof doesn't show can't be guessed then. Checking it against the rows needs the
            secret.
        n_jobs : int, default=None
            Threads.
        progress : bool or callable, default=None
            As in `certify`.

        Returns
        -------
        Certificate
            Itself.
        """
        if self.sealed:
            if secret != self._secret:
                raise UsageError(
                    "this certificate is already sealed, with another secret or none", ["secret"]
                )
            return self
        rows = self._rows if X is None else proof_rows(X, y)
        if rows is None:
            raise UsageError("this certificate no longer has its rows: seal(X, y) adds their digest")
        if self.verdict == "undecided" and not self._proves_something():
            raise UsageError(f"nothing is proven yet, so there is nothing to save ({self.stopped_because})")
        if not (check := self.verify(rows, n_jobs=n_jobs)):
            told = f"the certificate is about other rows: {check.reason}"
            if X is None:
                told = "the arrays were changed since they were certified: certify them again"
            raise UsageError(told)
        self._rows = rows
        self._row_names()
        data, threads = core_rows(rows), threads_for(n_jobs)
        with translate_errors(), observer(progress) as observe:
            self._core = _core.seal(self._core, data, secret=secret, threads=threads, observe=observe)
        self._secret = secret
        self.__dict__.pop("_file", None)
        return self

    @_with_checking
    def verify(
        self,
        X: Any = None,
        y: Any = None,
        *,
        as_encoded: bool = False,
        secret: str = "",
        n_jobs: int | None = None,
        progress: Any = None,
    ) -> Check:
        """Check the certificate exactly, like `linsep.verify`.

        Parameters
        ----------
        X, y : as in `certify`, default=None
            The rows that the certificate is about. None: the rows given to `certify`; for a loaded certificate,
            those that it contains.
        {checking}
        """
        given = proof_rows(X, y)
        rows = self._rows if given is None else given
        if rows is None and not self.sealed:
            raise UsageError("this certificate isn't sealed and no longer has its rows: give X and y")
        core, data, threads = self._core, core_rows(rows), threads_for(n_jobs)
        with translate_errors(), observer(progress) as observe:
            if core.sealed:
                found = _core.verify(
                    core,
                    data,
                    as_encoded=as_encoded or given is None,
                    secret=secret or self._secret,
                    threads=threads,
                    observe=observe,
                )
            else:
                found = _core.check_unsealed(core, data, threads=threads, observe=observe)
        reason, about = found["reason"], list(self.about) if core.sealed else []
        if found.get("of_arrays"):
            reason += "; it is about arrays in memory: give these, or certify the file with linsep.certify(path)"
        elif found.get("other_reading"):
            accept = "" if as_encoded else ", or accept its encoding with as_encoded=True"
            reason += f"; read the rows as it says with linsep.scan{accept}"
        if dropped := found.get("dropped"):
            about.append(f"{counted(dropped, 'row')} without a label left out")
        if self._file.named and rows is not None and not len(rows.feature_names):
            about.append("names not bound: the rows have none")
        if as_encoded:
            about.append("read and encoded as the certificate says (as_encoded)")
        return Check(found["valid"], found["needs_data"], reason, tuple(found["proven"]), tuple(about))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Certificate):
            return NotImplemented
        if (self.verdict, self.rows, self._core.witness) != (other.verdict, other.rows, other._core.witness):
            return False
        return bool(self.seal(secret=self._secret)._core == other.seal(secret=other._secret)._core)

    def __getstate__(self) -> dict[str, Any]:
        separated = self.separated_rows if self._core.levels and self.verdict != "separable" else None
        if self._rows is not None:
            self.seal(secret=self._secret)
        facts = self._facts if separated is None else {**self._facts, "separated_rows": separated}
        return {"format": _PICKLE_FORMAT, "json": str(self._core.to_json()), "facts": facts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["format"] != _PICKLE_FORMAT:
            raise InputError(
                f"a pickled certificate of format {state['format']}, which this linsep can't read"
            )
        self._rows, self._facts, self._secret = None, state["facts"], ""
        with translate_errors():
            self._core = _core.certificate_from_json(state["json"], "the pickle")

    def __repr__(self) -> str:
        size = f"{counted(self.rows, 'row')} × {counted(self.features, 'feature')}"
        return f"Certificate({self.verdict}, {size}, {proof_in_words(self)})"

    def _repr_html_(self) -> str:
        return _html.certificate_html(self)


@translate_errors()
def certify(
    X: Any,
    y: Any = None,
    *,
    fit_intercept: bool = True,
    map: str = "none",
    coefficients: bool = False,
    mistakes: bool = False,
    mistake_limit: int | None = None,
    guide: Any = None,
    against: Any = None,
    time_limit: float | None = None,
    seal: Literal["when_saved", "now"] = "when_saved",
    n_jobs: int | None = None,
    progress: Any = None,
) -> Certificate:
    """Decide whether any linear classifier separates the rows, and prove the answer.

    Values count as stored: a float32 0.1 isn't one tenth. For decimals use
    ``certify(linsep.scan("file.csv"))``. The verdict is about all rows, whatever they weigh: a UserWarning says how many
    weigh 0.

    Parameters
    ----------
    X : array, sparse matrix, DataFrame, Rows, or path
        The rows.
    y : array, default=None
        The classes; of two the greater one is positive. None where X holds them (`linsep.rows`,
        `linsep.scan`).
    fit_intercept : bool, default=True
        False: only classifiers through the origin.
    map : str, default="none"
        "products" or "polynomial:K" ask about a map of the features.
    coefficients : bool, default=False
        Also prove for every coefficient whether its estimate is finite, even if that takes longer than the
        verdict.
    mistakes : bool, default=False
        Also bound the least number of mistakes of any linear classifier.
    mistake_limit : int, default=None
        Stop when this many are proven.
    guide : estimator or Model, default=None
        With `mistakes`: a linear classifier whose mistakes are explained. None: the best of a few that are
        trained.
    against : class, default=None
        Of more than two classes: ask whether this one can be told from all others together. None: whether
        some classifier with one linear score per class has the greatest score at the own class of every row.
    time_limit : float, default=None
        Stop after this many seconds; the certificate says what is proven by then. Two runs may then differ.
    seal : {"when_saved", "now"}, default="when_saved"
        When to compute the digest of all rows, which takes longer than certifying. Until then the certificate
        refers to X.
    n_jobs : int, default=None
        Threads; never changes the answer.
    progress : bool or callable, default=None
        True: a line a second on stderr. A callable gets a dict per step of the run and may return True to end
        it.

    Returns
    -------
    Certificate
        The verdict and what proves it.

    See Also
    --------
    check_separation : The same in the words of a regression.
    verify : Check a certificate.

    Examples
    --------
    >>> import linsep
    >>> linsep.certify([[0.0], [1.0], [3.0]], [0, 0, 1])
    Certificate(separable, 3 rows × 1 feature, margin at least 0.990243)
    """
    if seal not in ("when_saved", "now"):
        raise UsageError(f"seal is 'when_saved' or 'now', not {seal!r}", ["seal"])
    rows = proof_rows(X, y)
    with observer(progress) as observe:
        found = _core.certify(
            core_rows(rows),
            origin=not fit_intercept,
            map=map,
            coefficients=coefficients,
            mistakes=mistakes,
            mistake_limit=mistake_limit or 0,
            guide=core_model(guide),
            against=None if against is None else str(against),
            threads=threads_for(n_jobs),
            time_limit=time_limit,
            observe=observe,
        )
    pending: Any = found.pending
    if pending is not None:
        del found  # else the exception's traceback would hold it, and it the exception
        raise pending
    if found.warning:
        warn_caller(UserWarning(found.warning))
    facts: dict[str, Any] = {
        "asked": {
            "fit_intercept": fit_intercept,
            "map": map,
            "coefficients": coefficients,
            "mistakes": mistakes,
            "mistake_limit": mistake_limit,
            "against": None if against is None else str(against),
            "time_limit": time_limit,
        },
        "outcome": str(getattr(y, "name", None) or "y"),
        "reason": found.reason,
        "history": list(found.history),
        "common_point": np.asarray(found.common_point, dtype=np.float64),
        "computed_signs": {
            each["name"]: each["computed_sign"] for each in found.estimates if each["computed_sign"]
        },
    }
    certificate = Certificate(found.certificate, rows, facts)
    return certificate.seal(n_jobs=n_jobs, progress=progress) if seal == "now" else certificate


def _load(path: PathLike) -> Certificate | Audit:
    """Read a proof of either kind."""
    with suppress(OSError, ValueError):  # what is wrong with the file is said below
        read = Path(path).read_bytes()
        if b"near-optimal" in read and json.loads(read).get("claim") == "near-optimal":
            return Audit.load(path)
    return Certificate.load(path)


@translate_errors()
@_with_checking
def verify(
    certificate: Certificate | Audit | PathLike,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    as_encoded: bool = False,
    secret: str = "",
    n_jobs: int | None = None,
    progress: Any = None,
) -> Check:
    """Check a certificate exactly, with arithmetic that shares no code with the search.

    Parameters
    ----------
    certificate : Certificate, Audit, str or path
        A certificate or a proof about a model (`audit`), or the file of one.
    X, y : as in `certify`, default=None
        The rows that the certificate is about. None: checks only what the rows in the certificate prove. Values count
        as stored: for a proof about a text file give the path, or `linsep.scan` of it with the options for its label
        and columns.
    sample_weight : array, default=None
        For a proof about a model: the weights of the rows.
    {checking}

    Examples
    --------
    >>> import linsep
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> proof = linsep.certify(X, y)
    >>> bool(linsep.verify(proof, X, y)), bool(linsep.verify(proof, X, [0, 1, 1, 1]))
    (True, False)
    """
    if isinstance(certificate, str | os.PathLike):
        certificate = _load(certificate)
    if isinstance(certificate, Audit):
        if as_encoded or secret:
            raise UsageError("a proof about a model takes neither as_encoded nor secret", ["as_encoded", "secret"])
        return certificate.verify(X, y, sample_weight=sample_weight, n_jobs=n_jobs, progress=progress)
    if sample_weight is not None:
        raise UsageError("weights don't matter to this certificate: leave out sample_weight", ["sample_weight"])
    return certificate.verify(X, y, as_encoded=as_encoded, secret=secret, n_jobs=n_jobs, progress=progress)
