"""How far a trained classifier is from the best possible one, proven: audit, and what it returns."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .. import _core, _inputs
from .._progress import observer
from .._rows import is_rows, threads_for
from .._shown import Shown, shown_text
from ..errors import SystemFailure, UsageError, translate_errors
from .exact import exact
from .likelihoods import fitted_likelihood, is_of_statsmodels
from .objectives import JointObjective, Objective, Trained, objective_of, objectives_of
from .parts import Check
from .rows import core_rows, proof_rows

__all__ = ["Audit", "audit"]

PathLike = str | os.PathLike[str]


class Audit(Shown):
    """How far a classifier's objective is from the best possible one on some rows; made by `audit`.

    What is proven: the classifier's objective is at most `objective`, and no linear classifier's on the same rows is
    below `at_least`. `save` writes the proof, which anybody can check with `linsep.verify`, the command
    ``linsep verify`` or a script that needs Python alone.

    Parameters
    ----------
    core : object
        The core's value. Audits are made by `audit`, `load` and `from_json`.
    rows : Rows, default=None
        What it is about, where that is at hand.

    Examples
    --------
    >>> import linsep
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> audit = linsep.audit(LogisticRegression().fit(X, y), X, y)
    >>> audit.gap < 1e-6, bool(audit.verify())
    (True, True)
    """

    def __init__(self, core: _core.ModelProof, rows: Any = None) -> None:
        self._core = core
        self._rows = rows

    @classmethod
    def load(cls, path: PathLike) -> Audit:
        """Read a proof from a file of `save` or of ``linsep certify --model``.

        Nothing of it is believed before it is checked (`verify`).

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        Audit
            Without the rows.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise SystemFailure(f"can't read {os.fspath(path)}: {error.strerror}") from error
        return cls.from_json(text, name=os.fspath(path))

    @classmethod
    def from_json(cls, text: str, *, name: str = "the proof") -> Audit:
        """Read a proof from text.

        Parameters
        ----------
        text : str
            What `to_json` wrote.
        name : str, default="the proof"
            What errors call it.

        Returns
        -------
        Audit
            As `load` returns it.
        """
        with translate_errors():
            return cls(_core.model_proof_from_json(text, name))

    @property
    def objective(self) -> float:
        """The classifier's objective, mean loss plus penalty, is at most this.

        Of several classes against the rest, this and all else is about the classifier with the largest gap (`parts`).
        """
        return _outward(self._core.at_most, up=True)

    @property
    def at_least(self) -> float:
        """No linear classifier's objective on these rows is below this."""
        return _outward(self._core.at_least, up=False)

    @property
    def gap(self) -> float:
        """The objective is at most this share of it above the best possible one."""
        return self._core.gap

    @property
    def above_best(self) -> tuple[float, float]:
        """The share of the best possible objective by which this one is above it, at least and at most.

        The first is above 0 only if linsep trained for the same objective and found a better classifier, which is then
        part of the proof.
        """
        return self._core.above_best

    @property
    def weights_within(self) -> float:
        """No weight of the best possible classifier is further than this from the classifier's.

        Infinite with an L1 penalty alone.
        """
        return self._core.weights_within

    @property
    def certain_signs(self) -> np.ndarray[Any, Any]:
        """By column, the sign of the best possible classifier's weight if it is certain: 1 or -1; else 0.

        Of more than two classes a row for each class.
        """
        signs = np.asarray(self._core.certain_signs, dtype=np.int8)
        return signs if signs.size == self.features else signs.reshape(-1, self.features)

    @property
    def parts(self) -> dict[str, Audit]:
        """The audit of each class's classifier against the rest, or of each label's; empty of two classes, and of all classes together."""
        return dict(zip(self._core.part_names, map(Audit, self._core.parts), strict=True))

    @property
    def rows(self) -> int:
        """How many rows it is about."""
        return self._core.rows

    @property
    def features(self) -> int:
        """How many columns they have."""
        return self._core.features

    @property
    def proof(self) -> dict[str, Any]:
        """The certificate: what its file holds. Numbers that prove are text."""
        proof: dict[str, Any] = json.loads(self._core.to_json())
        return proof

    def to_json(self) -> str:
        """Return the proof as the text of its file.

        Returns
        -------
        str
            JSON, the same bytes as ``linsep certify --model -o`` writes of the same rows and weights.
        """
        return self._core.to_json()

    def save(self, path: PathLike) -> None:
        """Write the proof to a file that a stranger can check.

        Parameters
        ----------
        path : str or path
            The file; it appears whole or not at all.
        """
        target = Path(path)
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            draft.write_bytes(self.to_json().encode())
            draft.replace(target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise SystemFailure(f"can't write {target}: {error.strerror}") from error

    def verify(
        self,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        n_jobs: int | None = None,
        progress: Any = None,
    ) -> Check:
        """Check the proof exactly, with arithmetic that shares no code with training.

        Parameters
        ----------
        X, y, sample_weight : as in `audit`, default=None
            The rows that it is about, and their weights. None: those that were given to `audit`.
        n_jobs : int, default=None
            Threads.
        progress : bool or callable, default=None
            As in `certify`.

        Returns
        -------
        Check
            True if both bounds are proven. Then it also has `certain_labels` and `zeros`: what they say about the best
            possible classifier.
        """
        given = proof_rows(X, y, sample_weight=sample_weight)
        rows = self._rows if given is None else given
        if rows is None:
            return Check(False, True, "a proof about a model is checked against its rows: give X and y", ())
        data, threads = core_rows(rows), threads_for(n_jobs)
        with translate_errors(), observer(progress) as observe:
            found = _core.verify_model_proof(self._core, data, threads=threads, observe=observe)
        several = bool(found["labels_of_parts"]) or self._core.joint
        labels = found["certain_labels"] if found["valid"] and not several else None
        return Check(found["valid"], False, found["reason"], tuple(found["proven"]), (), labels, tuple(found["zeros"]))

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, Audit) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._core)

    def __getstate__(self) -> dict[str, Any]:
        return {"json": self.to_json()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._rows = None
        with translate_errors():
            self._core = _core.model_proof_from_json(state["json"], "the pickle")

    def __repr__(self) -> str:
        return f"Audit({self._core.words})"


def _outward(text: str, *, up: bool) -> float:
    """Return a double that isn't below (above) an exact number."""
    value = exact(text)
    near = float(value)
    if (Fraction(near) < value) if up else (Fraction(near) > value):
        return float(np.nextafter(near, np.inf if up else -np.inf))
    return near


@translate_errors()
def audit(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    alpha: Any = None,
    l1_ratio: float | None = None,
    gap: float = 1e-3,
    n_jobs: int | None = None,
    progress: Any = None,
) -> Audit:
    """Say how far a trained classifier is from the best possible one, and prove it.

    A ConvergenceWarning says that a solver stopped early, not what that cost. This compares the classifier's objective
    with the least one that any linear classifier has on the same rows. The objective follows from the estimator's
    parameters. If the classifier's own scores prove little, linsep trains for the same objective.

    Parameters
    ----------
    estimator : estimator, Pipeline or Model
        Fitted on these rows: LogisticRegression, LinearSVC, SVC with a linear kernel or SGDClassifier of scikit-learn,
        alone, as the last step of a Pipeline, or as the best of a search; what ``fit_regularized`` of statsmodels' Logit
        or binomial GLM returned; or linsep's own. It has a penalty.
    X : array, sparse matrix, DataFrame or Rows, default=None
        The rows that it was fitted on. Of a Pipeline: before its first step. None of statsmodels, whose results hold
        them.
    y : array, default=None
        Their classes. None where X holds them (`linsep.rows`, `linsep.scan`).
    sample_weight : array, default=None
        The weights that the rows had in fit. The proof binds them: a check needs the same ones.
    alpha, l1_ratio : float or array, float, default=None
        What GLM.fit_regularized of statsmodels was given as ``alpha`` and ``L1_wt``, which its results don't keep.
        Without `l1_ratio` it is 1.
    gap : float, default=1e-3
        Train only if the classifier's own scores prove a larger gap than this.
    n_jobs : int, default=None
        Threads; never changes the answer.
    progress : bool or callable, default=None
        As in `certify`.

    Returns
    -------
    Audit
        Both bounds, with the proof.

    See Also
    --------
    certify : What any linear classifier could do on some rows.

    Examples
    --------
    >>> import linsep, numpy, warnings
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = linsep.generate("noisy", rows=500, features=4, seed=1)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     stopped = LogisticRegression(max_iter=2).fit(100 * X, y)
    >>> audit = linsep.audit(stopped, 100 * X, y)
    >>> audit.above_best[0] > 0.01
    True
    """
    if X is None and not is_of_statsmodels(estimator):
        raise UsageError("X is missing: give X and y as they were given to fit", ["X"])
    estimator, X = _last_step(estimator, X)
    model = getattr(getattr(estimator, "model_", estimator), "_core", None)
    if isinstance(model, _core.Model):
        rows = proof_rows(X, y, sample_weight=sample_weight)
        with observer(progress) as observe:
            return Audit(
                _core.audit_model(core_rows(rows), model, gap=gap, threads=threads_for(n_jobs), observe=observe), rows
            )
    if is_of_statsmodels(estimator):
        if sample_weight is not None:
            raise UsageError("models of statsmodels have no weights of rows: leave out sample_weight", ["sample_weight"])
        fitted = fitted_likelihood(estimator, X, alpha, l1_ratio)
        weights = _written(fitted.theta, float(0), True)
        if not fitted.origin:
            weights.append((len(fitted.theta), fitted.offset))
        with observer(progress) as observe:
            common = _common(len(fitted.theta), fitted.origin, gap, n_jobs, observe)
            return Audit(_proven_one(fitted.objective, core_rows(fitted.rows), weights, common), fitted.rows)
    if alpha is not None or l1_ratio is not None:
        raise UsageError("alpha and l1_ratio are those of GLM.fit_regularized: other estimators keep their own", ["alpha"])
    if not hasattr(estimator, "fit"):
        raise UsageError(f"{type(estimator).__name__} isn't an estimator", ["estimator"])
    theta, offsets = _weights_of(estimator)
    rows, given = _rows_for(estimator, X, y, sample_weight)
    features = theta.shape[1]
    if core_rows(rows).features not in (-1, features):
        raise UsageError(f"the estimator was fitted on {features} features, and X has {core_rows(rows).features}", ["X"])
    origin = not estimator.fit_intercept if hasattr(estimator, "fit_intercept") else False
    weights = [_written(row, offset, origin) for row, offset in zip(theta, offsets, strict=True)]
    with observer(progress) as observe:
        common = _common(features, origin, gap, n_jobs, observe)
        return Audit(_proven(estimator, core_rows(rows), given, weights, common), rows)


def _common(features: int, origin: bool, gap: float, n_jobs: int | None, observe: Any) -> dict[str, Any]:
    return {"features": features, "origin": origin, "gap": gap, "threads": threads_for(n_jobs), "observe": observe}


def _proven_one(objective: Objective, rows: Any, weights: list[tuple[int, str]], common: dict[str, Any]) -> Any:
    """Return the core's proof about the weights of a classifier of two classes."""
    return _core.audit_weights(
        rows,
        weights,
        loss=objective.loss,
        penalty=str(objective.penalty),
        class_weights=tuple(map(str, objective.class_weights)),
        intercept_penalty=str(objective.intercept_penalty),
        l1_ratio=str(objective.l1_ratio),
        **common,
    )


def _proven(estimator: Any, rows: Any, given: Trained, weights: list[list[tuple[int, str]]], common: dict[str, Any]) -> Any:
    """Return the core's proof about weights, which are listed for one class or for each."""
    if len(weights) == 1:
        return _proven_one(objective_of(estimator, given), rows, weights[0], common)
    objectives = objectives_of(estimator, given)
    if isinstance(objectives, JointObjective):
        block = common["features"] + (not common["origin"])
        return _core.audit_softmax(
            rows,
            [(c * block + column, weight) for c, part in enumerate(weights) for column, weight in part],
            penalty=str(objectives.penalty),
            class_weights=list(map(str, objectives.class_weights)),
            l1_ratio=str(objectives.l1_ratio),
            **common,
        )
    return _core.audit_classes(
        rows,
        weights,
        loss=objectives[0].loss,
        penalties=[str(objective.penalty) for objective in objectives],
        class_weights=[tuple(map(str, objective.class_weights)) for objective in objectives],
        intercept_penalty=str(objectives[0].intercept_penalty),
        l1_ratio=str(objectives[0].l1_ratio),
        **common,
    )


def _written(theta: Any, offset: float, origin: bool) -> list[tuple[int, str]]:
    """Return weights by column as decimals, the intercept behind the last column."""
    weights = [(j, repr(float(theta[j]))) for j in np.flatnonzero(theta).tolist()]
    return weights if origin else [*weights, (len(theta), repr(float(offset)))]


def _last_step(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Return the estimator that a Pipeline or a search ends in, and X as that one sees it."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps") and hasattr(estimator, "named_steps"):
            if len(estimator.steps) > 1:
                if is_rows(X):
                    raise UsageError("of a Pipeline X is an array or a DataFrame, which its steps transform", ["X"])
                X = estimator[:-1].transform(X)
            estimator = estimator.steps[-1][1]
        else:
            return estimator, X


def _weights_of(estimator: Any) -> tuple[Any, Any]:
    """Return a row of weights and an intercept, or one for each of several classes."""
    kind = type(estimator).__name__
    if not hasattr(estimator, "coef_"):
        if hasattr(estimator, "classes_"):
            raise UsageError(f"{kind} has no coef_: an audit is about linear classifiers", ["estimator"])
        raise UsageError(f"this {kind} isn't fitted: fit it on X and y first", ["estimator"])
    theta = estimator.coef_
    theta = np.atleast_2d(theta.toarray() if sparse.issparse(theta) else theta)
    classes = len(getattr(estimator, "classes_", ()))
    if len(theta) != (1 if classes == 2 else classes) and kind != "SVC":
        raise UsageError(f"this {kind} has {len(theta)} rows of weights and {classes} classes", ["estimator"])
    offsets = np.ravel(getattr(estimator, "intercept_", 0.0)).astype(float)
    offsets = np.broadcast_to(offsets, len(theta)) if len(offsets) == 1 else offsets
    if not (np.all(np.isfinite(theta)) and np.all(np.isfinite(offsets))):
        raise UsageError(f"this {kind} has weights that aren't finite", ["estimator"])
    return theta, offsets


def _rows_for(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Trained]:
    """Return the rows, and what the estimator was given besides their values."""
    if is_rows(X):
        raise UsageError("give X and y as they were given to fit: the rows of another tool's estimator are arrays", ["X"])
    if y is None:
        raise UsageError("y is missing: give the classes of the rows", ["y"])
    classes, place = np.unique(np.asarray(y), return_inverse=True)
    if not np.array_equal(classes, estimator.classes_):
        told = ", ".join(shown_text(each) for each in classes.tolist()[:4])
        raise UsageError(f"y has other classes than the estimator was fitted on: {told}", ["y"])
    weights = None if sample_weight is None else np.ravel(np.asarray(sample_weight, dtype=np.float64))
    return _inputs.rows(X, y, sample_weight=weights), Trained(np.ravel(place), weights)
