"""Callbacks during a fit: scikit-learn's (experimental since 1.9, so all of it is here), and ``verbose``.

The task "fit" has a subtask for each pass. A hook that takes ``metadata`` gets ``{"progress": record}`` with
the pass's figures (pass, seconds, mistakes, objective, gap, residual), and True from ``on_fit_task_end``
stops the run after this pass. Without ``sklearn.callback`` estimators work, but have no ``set_callbacks``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from sklearn.base import _fit_context

try:
    from sklearn.callback import CallbackSupportMixin
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """In place of scikit-learn's where it has none."""


__all__ = ["CallbackSupportMixin", "Reporter", "fitting"]

Method = TypeVar("Method", bound=Callable[..., Any])
SHOWN = ("objective", "gap", "mistakes", "residual")


def fitting(method: Method) -> Method:
    """Decorate ``fit`` or ``partial_fit``: validates parameters, and takes callbacks down at the end."""
    return cast(Method, _fit_context(prefer_skip_nested_validation=True)(method))


class Reporter:
    """Tells callbacks and standard error how a fit goes.

    Parameters
    ----------
    estimator : LinsepEstimator
        The estimator that is fitted.
    X, y : object
        What it is fitted to, for callbacks.
    max_subtasks : int or None
        At most so many passes; None: not known.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, max_subtasks: int | None) -> None:
        self._estimator = estimator
        self._data = {"X": X, "y": y}
        self._root: Any = None
        self._pass: Any = None
        self._told = time.monotonic()
        if hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx"):
            self._root = estimator._init_callback_context(task_name="fit", max_subtasks=max_subtasks)
            self._root.call_on_fit_task_begin(estimator=estimator, **self._data)

    @property
    def observer(self) -> Callable[[dict[str, Any]], bool] | None:
        """What the core should call, or None when nobody listens."""
        return self._observe if self._root is not None or self._estimator.verbose else None

    def _observe(self, record: dict[str, Any]) -> bool:
        if self._estimator.verbose:
            self._print(record)
        if self._root is None or record["phase"] != "training":
            return False
        if self._pass is None:
            self._pass = self._root.subcontext(task_name="pass")
            self._pass.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return bool(record["pass_ended"]) and self._end_pass(record)

    def _end_pass(self, record: dict[str, Any] | None) -> bool:
        task, self._pass = self._pass, None
        metadata = None if record is None else {"progress": record}
        return bool(task.call_on_fit_task_end(estimator=self._estimator, metadata=metadata, **self._data))

    def _print(self, record: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._told < 1:
            return
        self._told = now
        known = [f"{name} {record[name]:.6g}" for name in SHOWN if record.get(name) is not None]
        rows = "" if record["pass_ended"] else f", row {record['rows']}"
        line = ", ".join([f"pass {record['pass']}{rows}", *known, f"{record['seconds']:.1f} s"])
        print(f"{type(self._estimator).__name__}: {record['phase']}, {line}", file=sys.stderr)

    def end(self) -> None:
        """Tell callbacks that the fit has ended; the estimator is fitted by now."""
        if self._root is None:
            return
        if self._pass is not None:
            self._end_pass(None)
        self._root.call_on_fit_task_end(
            estimator=self._estimator, reconstruction_attributes=dict, **self._data
        )
