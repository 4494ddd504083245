"""Certificate: what is proven about every linear classifier on some rows, to be saved and checked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .. import _core, _html
from .._progress import observer
from .._rows import threads_for
from ..errors import InputError, SystemFailure, UsageError, translate_errors
from .parts import Check
from .rows import core_rows, proof_rows
from .statement import Statement
from .words import counted, proof_in_words

PathLike = str | os.PathLike[str]
_PICKLE_FORMAT = 1


class Certificate(Statement):
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
            text = Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError(
                f"{os.fspath(path)}: not a certificate, which is JSON", file=os.fspath(path)
            ) from None
        except OSError as error:
            raise SystemFailure(f"can't read {os.fspath(path)}: {error.strerror}") from error
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
            The file; it appears whole or not at all.
        """
        text = self.to_json()
        target = Path(path)
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
            draft.replace(target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise SystemFailure(f"can't write {target}: {error.strerror}") from error

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
                    "this certificate is sealed already, with another secret or none", ["secret"]
                )
            return self
        rows = self._rows if X is None else proof_rows(X, y)
        if rows is None:
            raise UsageError("this certificate hasn't got its rows: seal(X, y) puts their digest in")
        if self.verdict == "undecided" and not self._proves_something():
            raise UsageError(f"nothing is proven yet, so there is nothing to keep ({self.stopped_because})")
        if not (check := self.verify(rows, n_jobs=n_jobs)):
            told = f"these aren't the rows of the certificate: {check.reason}"
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

    def verify(
        self,
        X: Any = None,
        y: Any = None,
        *,
        secret: str = "",
        n_jobs: int | None = None,
        progress: Any = None,
    ) -> Check:
        """Check the certificate exactly, as `linsep.verify` does.

        Parameters
        ----------
        X, y : as in `certify`, default=None
            The rows that it speaks of. None: those that were given to `certify`, or of a loaded certificate
            those that it carries.
        secret : str, default=""
            What the rows were salted with, if they were.
        n_jobs : int, default=None
            Threads.
        progress : bool or callable, default=None
            As in `certify`.

        Returns
        -------
        Check
            True where all is proven.
        """
        given = proof_rows(X, y, self._file.reading)
        rows = self._rows if given is None else given
        if rows is None and not self.sealed:
            raise UsageError("this certificate isn't sealed and hasn't got its rows: give X and y")
        core, data, threads = self._core, core_rows(rows), threads_for(n_jobs)
        with translate_errors(), observer(progress) as observe:
            if not self.sealed and len(self.classes) > 2:
                core = _core.seal(core, data, threads=threads)
            if core.sealed:
                found = _core.verify(
                    core, data, secret=secret or self._secret, threads=threads, observe=observe
                )
            else:
                found = _core.check_unsealed(core, data, threads=threads, observe=observe)
        return Check(found["valid"], found["needs_data"], found["reason"], tuple(found["proven"]))

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
