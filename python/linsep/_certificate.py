"""certify and verify: finding proofs about every linear classifier, and checking them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from . import _core
from ._progress import observer
from ._proof.certificate import Certificate, PathLike
from ._proof.parts import Check, MistakeBounds
from ._proof.rows import core_model, core_rows, proof_rows
from ._rows import threads_for
from .errors import UsageError, translate_errors

__all__ = ["Certificate", "Check", "MistakeBounds", "certify", "verify"]


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
    ``certify(linsep.scan("file.csv"))``.

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
        Work out every coefficient's estimate, also of so many rows that it takes longer than the verdict.
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
        Seconds; then the certificate says what is proven by then. Gives up that two runs return the same.
    seal : {"when_saved", "now"}, default="when_saved"
        When the digest of all rows is worked out, which takes longer than certifying. Until then the
        certificate refers to X.
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
    facts = {
        "reason": found.reason,
        "history": list(found.history),
        "common_point": np.asarray(found.common_point, dtype=np.float64),
        "computed_signs": {
            each["name"]: each["computed_sign"] for each in found.estimates if each["computed_sign"]
        },
    }
    certificate = Certificate(found.certificate, rows, facts)
    return certificate.seal(n_jobs=n_jobs, progress=progress) if seal == "now" else certificate


@translate_errors()
def verify(
    certificate: Certificate | PathLike,
    X: Any = None,
    y: Any = None,
    *,
    secret: str = "",
    n_jobs: int | None = None,
    progress: Any = None,
) -> Check:
    """Check a certificate exactly, by arithmetic that shares nothing with what found it.

    Parameters
    ----------
    certificate : Certificate, str or path
        A certificate or its file.
    X, y : as in `certify`, default=None
        The rows that it speaks of. Without them only what the carried rows prove is checked. Values count as
        stored: for a proof about a text file give the path, which is read as the certificate says.
    secret : str, default=""
        What the rows were salted with, if they were (`Certificate.seal`, ``linsep certify --salt``).
    n_jobs : int, default=None
        Threads.
    progress : bool or callable, default=None
        As in `certify`.

    Returns
    -------
    Check
        True where all is proven.

    Examples
    --------
    >>> import linsep
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> proof = linsep.certify(X, y)
    >>> bool(linsep.verify(proof, X, y)), bool(linsep.verify(proof, X, [0, 1, 1, 1]))
    (True, False)
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.load(certificate)
    return certificate.verify(X, y, secret=secret, n_jobs=n_jobs, progress=progress)
