"""logit: logistic regression with standard errors, tests and intervals, after separation is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import chdtrc, expit

from . import _core
from ._inputs import rows as rows_of
from ._rows import threads_for
from ._progress import observer
from ._proof.certificate import Certificate, certify
from ._proof.design import Design, constant_columns, design_of
from ._proof.models import errors_of, refuse_other_models
from ._proof.predictors import columns_of
from ._proof.rows import core_rows
from ._shown import Shown
from .errors import UsageError, translate_errors

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LogitResult", "logit"]

_NUMBERS = ("estimate", "standard_error", "z", "wald_p", "chi_square", "p", "low", "high")
_INTERCEPT = "(intercept)"


@dataclass(frozen=True, eq=False, repr=False)
class LogitResult(Shown):
    """A fitted logistic regression. Made by `logit`.

    Attributes
    ----------
    names : list of str
        Of the coefficients, the intercept first where there is one.
    status : dict
        By name: "finite", "+infinity", "-infinity", "undetermined" or "aliased". Infinite ones are proven.
    params, bse : dict
        Estimates and standard errors. Infinite estimates have no standard error: NaN.
    pvalues : dict
        Of likelihood-ratio tests, infinite estimates included; with Wald intervals those of Wald's tests.
    separation : {"overlapping", "quasi-separable", "separable"}
        The verdict, proven exactly.
    log_likelihood, null_log_likelihood, aic, bic : float
        Of the limit, where estimates are infinite.
    overall : dict
        The test against the intercept alone, or without one against no coefficients: "chi_square",
        "degrees", "p".
    covariance : ndarray
        Of the finite estimates, in the order of `names`; NaN elsewhere.
    aliases : dict
        Columns that were left out because they depend on others: their names, and those of the others.

    Examples
    --------
    >>> import linsep
    >>> X, died = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1]
    >>> result = linsep.logit(X, died, feature_names=["dose", "age"])
    >>> result.params["dose"], round(result.conf_int()["dose"][0], 4)
    (inf, -3.9345)
    """

    names: list[str]
    status: dict[str, str]
    params: dict[str, float]
    bse: dict[str, float]
    pvalues: dict[str, float]
    separation: Literal["overlapping", "quasi-separable", "separable"]
    log_likelihood: float
    null_log_likelihood: float
    aic: float
    bic: float
    overall: dict[str, float]
    covariance: npt.NDArray[np.float64]
    aliases: dict[str, list[str]]
    _facts: dict[str, Any]
    _call: dict[str, Any]
    _design: Design

    @property
    def table(self) -> pd.DataFrame:
        """All numbers as a pandas DataFrame, a row per coefficient."""
        import pandas as pd

        coefficients = self._facts["coefficients"]
        frame = pd.DataFrame(
            {
                "status": [each["status"] for each in coefficients],
                **{name: [each[name] for each in coefficients] for name in _NUMBERS},
            },
            index=self.names,
        )
        for name, source in (("odds_ratio", "estimate"), ("or_low", "low"), ("or_high", "high")):
            frame[name] = [_odds(number) for number in frame[source]]
        return frame

    def conf_int(self) -> dict[str, tuple[float, float]]:
        """Return the intervals: one-sided where an estimate is infinite.

        Returns
        -------
        dict
            By name, both ends.
        """
        return {each["name"]: (each["low"], each["high"]) for each in self._facts["coefficients"]}

    def odds_ratios(self) -> dict[str, tuple[float, float, float]]:
        """Return odds ratios per unit of a column, with their intervals.

        Returns
        -------
        dict
            By name without the intercept: the odds ratio and both ends. NaN where a number is too large or too
            small for a float though the coefficient is finite.
        """
        return {
            each["name"]: tuple(_odds(each[name]) for name in ("estimate", "low", "high"))  # type: ignore[misc]
            for each in self._facts["coefficients"]
            if not each["intercept"]
        }

    def lr_test(self, *names: str) -> dict[str, float]:
        """Test coefficients jointly by the likelihood ratio; fits the regression without them.

        Parameters
        ----------
        *names : str
            Of the columns.

        Returns
        -------
        dict
            "chi_square", "degrees" and "p".
        """
        unknown = [name for name in names if name not in self._design.names or name == self._constant]
        if unknown or not names:
            raise UsageError(f"lr_test takes names of columns; {', '.join(unknown) or 'nothing'} isn't one")
        places = sorted(self._design.names.index(name) for name in names)
        call = {**self._call, "profile": False, "robust": False, "cluster": None}
        found = _run(self._design, call, [places])["terms"][0]
        return {name: found[name] for name in ("chi_square", "degrees", "p")}

    def wald_test(self, *names: str) -> dict[str, float]:
        """Test coefficients jointly by Wald's test, with the standard errors that were asked for.

        Parameters
        ----------
        *names : str
            Of finite coefficients.

        Returns
        -------
        dict
            "chi_square", "degrees" and "p".
        """
        bad = [name for name in names if self.status.get(name) != "finite"]
        if bad or not names:
            raise UsageError(f"wald_test takes names of finite coefficients; {', '.join(bad) or 'nothing'} isn't one")
        places = sorted({self.names.index(name) for name in names})
        estimates = np.array([self.params[self.names[place]] for place in places])
        covariance = self.covariance[np.ix_(places, places)]
        unit = np.sqrt(np.diag(covariance))
        z = estimates / unit
        chi_square = float(z @ np.linalg.solve(covariance / np.outer(unit, unit), z))
        return {"chi_square": chi_square, "degrees": len(places), "p": float(chdtrc(len(places), chi_square))}

    def predict_proba(self, X: Any, *, offset: Any = None) -> npt.NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame
            The columns that the regression was fitted to: of a DataFrame by their names, whatever their order,
            or what a formula needs; of an array by their position.
        offset : array or number, default=None
            Added to the scores. None: 0, also where the regression was fitted with an offset.

        Returns
        -------
        ndarray of shape (n_rows, 2)
            In the limit where estimates are infinite: 0 or 1 where these columns decide; NaN where they
            contradict each other, a column counts whose coefficient the rows don't determine, or a value is
            missing.
        """
        values = columns_of(self._design, X)
        score = np.zeros(len(values))
        if offset is not None:
            added = np.asarray(offset, dtype=np.float64)
            if added.shape not in ((), (len(values),)):
                raise UsageError(f"offset has the shape {added.shape}, X {len(values)} rows", ["offset"])
            score += added
        up, down, open_ = (np.zeros(len(values), dtype=bool) for _ in range(3))
        for each in self._facts["coefficients"]:
            column = np.ones(len(values)) if each["column"] is None else values[:, each["column"]]
            if each["status"] == "finite":
                score += each["estimate"] * column
            elif each["status"] in ("+infinity", "-infinity"):
                sign = 1 if each["status"] == "+infinity" else -1
                up |= sign * column > 0
                down |= sign * column < 0
            elif each["status"] == "undetermined":
                open_ |= column != 0
        p = expit(score)
        p = np.where(up & ~down, 1.0, np.where(down & ~up, 0.0, p))
        p[(up & down) | open_ | np.isnan(values).any(axis=1)] = np.nan
        return np.column_stack([1 - p, p])

    @property
    def _constant(self) -> str | None:
        place = self._call["constant"]
        return None if place is None else self._design.names[place]

    @property
    def certificate(self) -> Certificate:
        """The proof of the verdict, and of every infinite coefficient; found again for this."""
        outcomes = np.array(self._design.classes)[self._design.y.astype(np.int64)]
        given = rows_of(self._design.X, outcomes, feature_names=self._design.names, ids=self._design.ids)
        adds = not self._call["origin"] and self._call["constant"] is None
        return certify(given, fit_intercept=adds, coefficients=True)

    def summary(self) -> str:
        """Return the table and what is known of the fit, in words.

        Returns
        -------
        str
            Lines.
        """
        return str(self._facts["words"])

    def to_latex(self) -> str:
        """Return the table in LaTeX.

        Returns
        -------
        str
            A tabular.
        """
        return str(self._facts["latex"])

    def to_markdown(self) -> str:
        """Return the table in Markdown.

        Returns
        -------
        str
            Lines.
        """
        return str(self._facts["markdown"])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        infinite = [name for name, word in self.status.items() if word.endswith("infinity")]
        words = f", infinite: {', '.join(infinite)}" if infinite else ""
        return f"LogitResult({self.separation}, {len(self.names)} coefficients{words})"

    def _repr_html_(self) -> str:
        head, *lines = (line.strip("| ").split(" | ") for line in self.to_markdown().splitlines())
        above, below = (part for at, part in enumerate(self.summary().split("\n\n")) if at != 1)
        cells = lambda words, tag: "".join(f"<{tag}>{escape(word)}</{tag}>" for word in words)  # noqa: E731
        body = "".join(f"<tr>{cells(line, 'td')}</tr>" for line in lines[1:])
        return (
            f"<p>{escape(above)}</p><table><thead><tr><th></th>{cells(head, 'th')}</tr></thead>"
            f"<tbody>{body}</tbody></table><p>{escape(below)}</p>"
        )


@translate_errors()
def logit(
    X: Any,
    y: Any = None,
    *,
    method: Literal["ml", "firth", "flic", "flac"] = "ml",
    intervals: Literal["profile", "wald"] = "profile",
    infinite_interval: Literal["mid-p", "face", "profile"] = "mid-p",
    confidence: float = 0.95,
    robust: bool = False,
    cluster: Any = None,
    fit_intercept: bool | Literal["auto"] = "auto",
    sample_weight: Any = None,
    offset: Any = None,
    feature_names: Sequence[str] | None = None,
    n_jobs: int | None = None,
    progress: Any = None,
) -> LogitResult:
    """Fit a logistic regression, with tests and intervals that hold under separation.

    Separation is decided exactly first, so that no number is given for a coefficient that has none.

    Parameters
    ----------
    X : array, sparse matrix, DataFrame, patsy or formulaic matrix; a statsmodels model or result; or a formula
        The columns. Of a model (Logit, binomial GLM) its own are taken, with `y`. A formula such as
        ``"HG ~ NV + PI"`` takes its columns from `y`, a DataFrame, and needs formulaic.
    y : array of two different values, or the DataFrame of a formula, default=None
        The outcomes; probabilities are of the greater. None with a model.
    method : {"ml", "firth", "flic", "flac"}, default="ml"
        Maximum likelihood; Firth's penalized likelihood; and that with mean probabilities repaired.
    intervals : {"profile", "wald"}, default="profile"
        Profile intervals and likelihood-ratio tests, or Wald's, which are faster.
    infinite_interval : {"mid-p", "face", "profile"}, default="mid-p"
        Where the interval of an infinite coefficient ends. "mid-p" and "face" take the end from the probability of
        the outcomes that are fitted perfectly, "face" without the mid-p correction and so wider; "profile" takes
        it from the profile likelihood, which is too narrow.
    confidence : float, default=0.95
        Of the intervals.
    robust : bool, default=False
        Sandwich standard errors (HC1: times n/(n - k)), with Wald tests and intervals.
    cluster : array, or a column's name with a formula, default=None
        Cluster-robust standard errors, with Wald tests and intervals: rows with the same value, such as the
        patients of a clinic, may depend on each other. CR1, as in statsmodels: times G/(G - 1)·(n - 1)/(n - k)
        for G clusters.
    fit_intercept : bool or "auto", default="auto"
        Whether an intercept is added. "auto": no where X is a model's or a formula's matrix or has a constant
        column, else yes.
    sample_weight : array, default=None
        How often each row counts.
    offset : array, default=None
        Added to the score, with a coefficient of 1.
    feature_names : sequence of str, default=None
        Of the columns. None: those of X.
    n_jobs : int, default=None
        Threads; they change no result. None: one per core.
    progress : bool or callable, default=None
        As in `certify`.

    Returns
    -------
    LogitResult
        Table, tests, intervals, probabilities.

    See Also
    --------
    check_separation : Whether estimates are finite, with advice.
    LogisticRegression : Penalized, for prediction.

    Examples
    --------
    >>> import linsep
    >>> X, ill = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1, 1]
    >>> result = linsep.logit(X, ill)
    >>> round(result.params["x1"], 6), round(result.pvalues["x1"], 6)
    (1.090426, 0.169633)
    """
    incomplete = 0
    label = cluster if isinstance(cluster, str) else getattr(cluster, "name", None)
    if isinstance(X, str):
        data = y
        X, y = _matrices(X, data)
        incomplete = len(data) - len(X)
        if isinstance(cluster, str):
            cluster = data[cluster].loc[X.index]
    if isinstance(cluster, str):
        raise UsageError("cluster is an array with a value for each row; a column's name needs a formula", ["cluster"])
    if fit_intercept not in (True, False, "auto"):
        raise UsageError(f"fit_intercept is True, False or 'auto', not {fit_intercept!r}", ["fit_intercept"])
    if intervals not in ("profile", "wald"):
        raise UsageError(f"intervals is 'profile' or 'wald', not {intervals!r}", ["intervals"])
    if infinite_interval not in ("mid-p", "face", "profile"):
        raise UsageError(
            f"infinite_interval is 'mid-p', 'face' or 'profile', not {infinite_interval!r}", ["infinite_interval"]
        )
    if not 0.5 <= confidence < 1:
        raise UsageError(f"confidence is a share from 0.5 to 1, not {confidence!r}", ["confidence"])
    if robust and cluster is not None:
        raise UsageError("use robust or cluster, not both: clusters are robust too", ["robust", "cluster"])
    if (robust or cluster is not None) and method != "ml":
        name = "robust" if robust else "cluster"
        raise UsageError(f"{name} needs method='ml'", [name])
    if infinite_interval != "mid-p" and (method != "ml" or intervals == "wald" or robust or cluster is not None):
        raise UsageError(
            "infinite_interval is about profile intervals by maximum likelihood: leave it out", ["infinite_interval"]
        )
    design = design_of(X, y, feature_names)
    if y is None:
        refuse_other_models(getattr(X, "model", X))
        if not robust and cluster is None:
            robust, cluster = errors_of(X, design.weight is not None)
        sample_weight = _of_rows(design, sample_weight, design.weight, "sample_weight", "weights or grouped counts")
        offset = _of_rows(design, offset, design.offset, "offset", "an offset")
        if cluster is not None:
            cluster = _of_rows(design, cluster, None, "cluster", "")
    constant = constant_columns(design.X)
    own = design.whole or len(constant) > 0 if fit_intercept == "auto" else not fit_intercept
    call = {
        "method": method,
        "origin": own and len(constant) == 0,
        "constant": int(constant[0]) if own and len(constant) > 0 else None,
        "confidence": confidence,
        "profile": intervals == "profile" and not robust and cluster is None,
        "infinite_interval": infinite_interval,
        "robust": robust,
        "cluster": None if cluster is None else _cluster_numbers(cluster),
        "incomplete": incomplete,
        "cluster_name": "rows" if label is None else str(label),
        "sample_weight": sample_weight,
        "offset": offset,
        "n_jobs": n_jobs,
        "progress": progress,
    }
    facts = _run(design, call, [])
    coefficients = facts["coefficients"]
    names = [each["name"] for each in coefficients]
    p = "p" if call["profile"] else "wald_p"
    return LogitResult(
        names,
        {each["name"]: each["status"] for each in coefficients},
        {each["name"]: each["estimate"] for each in coefficients},
        {each["name"]: each["standard_error"] for each in coefficients},
        {each["name"]: each[p] for each in coefficients},
        facts["separation"],
        facts["log_likelihood"],
        facts["null_log_likelihood"],
        facts["aic"],
        facts["bic"],
        facts["overall"],
        np.asarray(facts["covariance"]),
        {each["name"]: list(each["depends_on"]) for each in facts["aliases"]},
        facts,
        call,
        design,
    )


def _odds(number: float) -> float:
    """Return e^number: 0 or infinite of an infinite number alone, NaN beyond what a float holds."""
    if np.isinf(number):
        return np.inf if number > 0 else 0.0
    with np.errstate(over="ignore", under="ignore"):
        ratio = float(np.exp(number))
    return ratio if np.isfinite(ratio) and ratio >= np.finfo(float).tiny else np.nan


def _matrices(formula: str, data: Any) -> tuple[Any, Any]:
    """Return the design matrix and the outcomes of a formula."""
    try:
        import formulaic
    except ImportError:
        raise UsageError("a formula needs the package formulaic: pip install formulaic", ["X"]) from None
    if data is None:
        raise UsageError("a formula needs its data: logit(formula, data)", ["y"])
    left, right = formulaic.model_matrix(formula, data)
    return right, left.iloc[:, -1]


def _of_rows(design: Design, given: Any, own: Any, name: str, told: str) -> Any:
    """Return what a model says of its rows, or what is given for each of them."""
    if given is None:
        return own
    if own is not None:
        raise UsageError(f"the model has {told} of its own: leave out {name}", [name])
    if design.origin is None:
        return given
    values = np.asarray(given)
    if len(values) <= design.origin.max():
        raise UsageError(f"{name} has {len(values)} values, the model more rows", [name])
    return values[design.origin]


def _cluster_numbers(cluster: Any) -> npt.NDArray[np.uint32]:
    """Return a number for each row: the same for equal values."""
    values = np.asarray(cluster)
    if values.ndim != 1:
        raise UsageError(f"cluster has a value for each row; its shape is {values.shape}", ["cluster"])
    missing = [place for place, value in enumerate(values.tolist()) if value is None or value != value]
    if missing:
        raise UsageError(f"cluster has no value in row {missing[0] + 1}", ["cluster"])
    _, numbers = np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)
    return numbers.astype(np.uint32)


def _run(design: Design, call: dict[str, Any], terms: list[list[int]]) -> dict[str, Any]:
    """Fit the regression of a design; `terms`, places of columns, are tested jointly.

    A constant column is the intercept: that is what the other coefficients are compared with.
    """
    kept = [place for place in range(len(design.names)) if place != call["constant"]]
    values = design.X[:, kept] if call["constant"] is not None else design.X
    names, offset = [design.names[place] for place in kept], None
    intercept = _INTERCEPT if call["constant"] is None else design.names[call["constant"]]
    if call["offset"] is not None:
        column = np.asarray(call["offset"], dtype=np.float64).reshape(-1, 1)
        if len(column) != values.shape[0]:
            raise UsageError(f"offset has {len(column)} numbers, X {values.shape[0]} rows", ["offset"])
        offset = len(names)
        names.append("offset" if "offset" not in names else "offset of the score")
        values = sp.hstack([values, column]).tocsr() if sp.issparse(values) else np.hstack([values, column])
    if call["cluster"] is not None and len(call["cluster"]) != values.shape[0]:
        raise UsageError(f"cluster has {len(call['cluster'])} values, X {values.shape[0]} rows", ["cluster"])
    outcomes = np.array(design.classes)[design.y.astype(np.int64)]
    given = rows_of(values, outcomes, sample_weight=call["sample_weight"], feature_names=names)
    with observer(call["progress"]) as observe:
        facts = _core.logit(
            core_rows(given),
            names=[*names, intercept],
            outcome=design.outcome,
            method=call["method"],
            origin=call["origin"],
            confidence=call["confidence"],
            profile=call["profile"],
            infinite_interval=call["infinite_interval"],
            robust=call["robust"],
            cluster=call["cluster"],
            cluster_name=call["cluster_name"],
            incomplete=call["incomplete"],
            offset=offset,
            terms=[[kept.index(place) for place in term] for term in terms],
            threads=threads_for(call["n_jobs"]),
            observe=observe,
        )
    for each in facts["coefficients"]:
        each["intercept"] = each["column"] == len(names)
        each["column"] = call["constant"] if each["intercept"] else kept[each["column"]]
    return dict(facts)
