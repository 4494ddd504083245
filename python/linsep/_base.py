"""What all estimators share: parameters to options, training, attributes after it, state for pickles."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _inputs, _rows
from ._callbacks import CallbackSupportMixin, Reporter
from ._hints import by_name, unknown_keyword
from ._model import Model
from ._names import RENAMED, core_choice
from .errors import translate_errors, warn_caller

if TYPE_CHECKING:
    from . import _core

    Trained = tuple[_core.Outcome, Any]  # how it went, and what is to be raised afterwards

STATE_FORMAT = 1
HISTORY = np.dtype(
    [
        ("pass", np.int64),
        ("seconds", np.float64),
        ("mistakes", np.float64),
        ("objective", np.float64),
        ("gap", np.float64),
        ("residual", np.float64),
    ]
)


def seed_of(random_state: Any) -> int:
    """Return the seed: an integer as it is, else one draw."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def records(rows: list[dict[str, Any]], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return dicts as a structured array, NaN where a number is missing."""
    table = np.zeros(len(rows), dtype=dtype)
    for name in dtype.names or ():
        table[name] = [np.nan if row.get(name) is None else row[name] for row in rows]
    return table


def in_python(sentence: str) -> str:
    """Return a sentence of the core with Python's names for options and commands."""
    sentence = sentence.replace("`linsep certify DATA`", "linsep.certify(X, y)").replace(
        "'hard'", "HardMarginClassifier"
    )
    return re.sub(r"'([a-z-]+)'", lambda found: f"'{RENAMED.get(found[1], found[1])}'", sentence)


def ending(reason: str, passes: int) -> str:
    """Return why a run ended before its stopping rule held, in words."""
    after = "1 pass" if passes == 1 else f"{passes} passes"
    enough = f"{after} {'was' if passes == 1 else 'were'} not enough"
    words = {"passes": enough, "time": f"out of time after {after}"}
    return words.get(reason, f"more than {after} would not help")


class LinsepEstimator(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators; the parameters come from the classes of ``_parameters``."""

    _learner: ClassVar[str]
    _options: ClassVar[dict[str, str]]
    _parameter_constraints: ClassVar[dict[str, list[Any]]]
    __signature__: ClassVar[inspect.Signature]
    _fixed: ClassVar[dict[str, Any]] = {}  # options of the core that the class itself decides

    fit_intercept: bool
    n_jobs: int | None
    time_limit: float | None
    verbose: int
    model_: Model
    n_iter_: int
    stopped_because_: str

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        written = inspect.signature(cls.__init__)  # else `help` would show the one of __new__
        cls.__signature__ = written.replace(parameters=list(written.parameters.values())[1:])

    def __new__(cls, *args: Any, **given: Any) -> Self:
        if args:
            raise TypeError(by_name(cls.__name__, cls._parameter_constraints, args[0]))
        for name in given.keys() - cls._parameter_constraints.keys():
            known = inspect.signature(cls.__init__).parameters
            if name not in known and all(p.kind is not p.VAR_KEYWORD for p in known.values()):
                names = [other for other in known if other != "self"]
                raise TypeError(unknown_keyword(cls.__name__, name, cls._learner, names))
        return cast(Self, super().__new__(cls))

    def set_params(self, **params: Any) -> Self:
        """Set parameters of this estimator.

        Parameters
        ----------
        **params : dict
            Parameters by name.

        Returns
        -------
        self : estimator instance
            The estimator itself.
        """
        known = self._get_param_names()
        for name in params:
            if name.partition("__")[0] not in known:
                sentence = unknown_keyword(type(self).__name__, name, self._learner, known)
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}: {sentence}")
        super().set_params(**params)
        return self

    def _core_options(self) -> dict[str, Any]:
        """Return the parameters as options of the core."""
        options: dict[str, Any] = dict(self._fixed)
        for keyword, option in self._options.items():
            value = getattr(self, keyword)
            if option == "origin":
                value = not value
            elif option == "seed":
                value = seed_of(value)
            elif isinstance(value, str):
                value = core_choice(value)
            elif isinstance(value, np.generic):
                value = value.item()
            elif option == "init" and value is not None:
                value = np.asarray(value, dtype=np.float64).ravel().tolist()
            if value is not None:
                options[option] = value
        return options

    def _call_core(self, rows: _core.Rows, options: dict[str, Any], **more: Any) -> Trained:
        """Train, and return the outcome and what is to be raised after it is kept."""
        from . import _core

        outcome = _core.fit(rows, self._learner, options, **more)
        return outcome, outcome.pending

    def _run_limits(self) -> dict[str, Any]:
        limits: dict[str, Any] = {"threads": _rows.threads_for(self.n_jobs), "time_limit": self.time_limit}
        if hasattr(self, "map"):
            limits["map"] = self.map
        return limits

    def _train(
        self, rows: _core.Rows, X: Any, y: Any, *, warn: bool = True, changed: Any = None, **more: Any
    ) -> None:
        """Train on rows and keep what comes out of it, also after an interrupt, which is raised then."""
        reporter = Reporter(self, X, y, self._passes_at_most())
        options = {**self._core_options(), **(changed or {})}
        with translate_errors():
            outcome, pending = self._call_core(
                rows, options, observe=reporter.observer, **self._run_limits(), **more
            )
        self._keep(outcome, rows, X)
        if pending is not None:
            raise pending
        reporter.end()
        if warn:
            self._warn(outcome)

    def _passes_at_most(self) -> int | None:
        return None

    def _keep(self, outcome: _core.Outcome, rows: _core.Rows, X: Any) -> None:
        """Set the attributes that every estimator has after training on rows, which came from X."""
        model = outcome.model
        self.model_ = Model(model)
        self.n_iter_ = max(1, outcome.passes)
        self.stopped_because_ = outcome.reason
        self.stop_code_ = outcome.advice_code
        self.stop_sentence_ = in_python(outcome.advice_sentence)
        self.history_ = records(outcome.history, HISTORY)
        self._keep_weights(model)
        if _rows.is_rows(X):
            self._keep_features(model)
        else:
            self.n_features_in_ = model.features

    def _keep_features(self, model: _core.Model) -> None:
        """Set `n_features_in_` and `feature_names_in_`; of a table the raw columns count."""
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = len(model.table_columns) if model.has_table else model.features
        names = model.table_columns if model.table_header else model.feature_names
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)

    @property
    def coef_names_(self) -> npt.NDArray[Any]:
        """Names of the columns of `coef_`, with a map and of a table."""
        if "coef_" not in vars(self) or not (self.model_._core.has_table or self.model_._core.map != "none"):
            raise AttributeError(f"this {type(self).__name__} has no 'coef_names_': it has neither a map nor a table")
        return np.array(self.model_._core.feature_names_out(), dtype=object)

    def _keep_weights(self, model: _core.Model) -> None:
        """Set `coef_` and `intercept_`; a dual or voted model has none."""
        for name in ("coef_", "intercept_"):
            self.__dict__.pop(name, None)
        theta = np.array(model.theta)
        if theta.size == 0 or model.form in ("dual", "voted"):
            return
        self.coef_: npt.NDArray[np.float64] = np.atleast_2d(theta)
        self.intercept_: Any = np.atleast_1d(np.array(model.offsets))

    def _warn(self, outcome: _core.Outcome) -> None:
        """Warn where training ended before its stopping rule held."""
        if outcome.reason in ("passes", "time", "stalled"):
            ended = ending(outcome.reason, outcome.passes)
            warn_caller(
                ConvergenceWarning(
                    f"{type(self).__name__} stopped without converging: {ended}. {self._advice()}"
                )
            )

    def _advice(self) -> str:
        return "Raise 'max_iter'."

    def _scores(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the scores of rows, (n,) or (n, k)."""
        check_is_fitted(self)
        rows = self._rows_to_predict(X)
        with translate_errors():
            return self.model_._core.score(rows, threads=_rows.threads_for(self.n_jobs))

    def _rows_to_predict(self, X: Any) -> _core.Rows:
        if _inputs.is_source(X) or self.model_._core.has_table:
            with translate_errors():
                return _inputs.rows_for(self.model_, X)
        X = _inputs.validated(self, X, reset=False, labelled=False)
        with translate_errors():
            return _inputs.prepared(self, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"X_types": ["2darray", "sparse"]}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        model = state.pop("model_", None)
        if model is not None:
            state["_model_file"] = model.to_bytes()
        state["_linsep_format"] = STATE_FORMAT
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        found = state.pop("_linsep_format", 0)
        if found != STATE_FORMAT:
            raise ValueError(
                f"this pickle has format {found}, and this linsep reads {STATE_FORMAT}: fit it again"
            )
        data = state.pop("_model_file", None)
        super().__setstate__(state)
        if data is not None:
            self.model_ = Model.from_bytes(data)
