"""Model: what training leaves behind, the same as the command's model file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._shown import Shown
from .errors import UsageError, translate_errors

if TYPE_CHECKING:
    from . import _core

__all__ = ["Model"]


class Model(Shown):
    """A trained model, read-only: the content of a model file.

    Estimators have one as ``model_``. The same model is the same file, whether Python or the command
    ``linsep`` wrote it.

    Parameters
    ----------
    core : _core.Model
        The core's value. Use :meth:`load`, :meth:`from_json` or :meth:`from_bytes`, or fit an estimator.

    Attributes
    ----------
    learner : str
        The learner that made it, by the command line's name.
    options : dict
        Its options, complete, by the command line's names.
    form : str
        ``"linear"``, ``"dual"``, ``"voted"``, ``"classes"`` or ``"labels"``.
    classes : list of str
        Names of the classes; of two the negative one first. Empty in a regression.
    feature_names : list of str
        Names of the features, of a table those that its columns became; empty where they have none.
    features : int
        How many features a row has.
    training : dict
        How the run went that made it, by its own account: ``stopped``, ``objective``, ``bound``, ``gap`` and
        ``root``, if they are known. A file can be edited; ``linsep verify`` checks a model on its rows.

    See Also
    --------
    load : The estimator of a model file.

    Examples
    --------
    >>> from linsep import Model, Perceptron
    >>> model = Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"]).model_
    >>> model
    Model(perceptron, linear, 2 features, classes no and yes)
    >>> Model.from_json(model.to_json()) == model
    True
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    @staticmethod
    @translate_errors()
    def load(path: str | os.PathLike[str]) -> Model:
        """Read a model file.

        Parameters
        ----------
        path : str or path-like
            The file, JSON or binary.

        Returns
        -------
        Model
            The model.
        """
        from . import _core

        return Model(_core.load_model(os.fspath(path)))

    @staticmethod
    @translate_errors()
    def from_json(text: str) -> Model:
        """Read a model from the text of its file.

        Parameters
        ----------
        text : str
            The text.

        Returns
        -------
        Model
            The model.
        """
        from . import _core

        return Model(_core.model_from_json(text))

    @staticmethod
    @translate_errors()
    def from_bytes(data: bytes) -> Model:
        """Read a model from the bytes of its file, JSON or binary.

        Parameters
        ----------
        data : bytes
            The bytes.

        Returns
        -------
        Model
            The model.
        """
        from . import _core

        return Model(_core.model_from_bytes(data))

    @translate_errors()
    def save(self, path: str | os.PathLike[str], format: Literal["auto", "json", "binary"] = "auto") -> None:
        """Write the model file; it appears whole or not at all.

        Parameters
        ----------
        path : str or path-like
            The file.
        format : {"auto", "json", "binary"}, default="auto"
            "auto": JSON when the model is small or the path ends in .json, else a JSON header and raw arrays.
        """
        self._core.save(os.fspath(path), format)

    @translate_errors()
    def to_json(self) -> str:
        """Return the text of the model's file.

        Returns
        -------
        str
            JSON.
        """
        return self._core.to_json()

    @translate_errors()
    def to_bytes(self) -> bytes:
        """Return the bytes of the model's binary file.

        Returns
        -------
        bytes
            The bytes.
        """
        return self._core.to_bytes()

    @translate_errors()
    def explain(self, X: Any, row: int = 0) -> dict[str, Any]:
        """Say why a row has its score: the parts that it is the sum of.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features) or (n_features,), DataFrame, Rows or path
            Rows, or one. Of a model that encodes a table: a table with its columns, or a file.
        row : int, default=0
            Which of them, from 0.

        Returns
        -------
        dict
            The score, the offset and by column the parts, the heaviest first.
        """
        from . import _inputs, _rows

        if self._core.has_table or isinstance(X, str | os.PathLike):
            if not _inputs.is_source(X) and not _inputs.is_table(X):
                _inputs.refuse_arrays_for_tables(self)
            rows = len(X) if _inputs.is_table(X) and hasattr(X, "__len__") else None
            if rows is not None and not 0 <= row < rows:
                raise UsageError(f"there is no row {row}: rows count from 0 to {rows - 1}", ["row"])
            X = _inputs.source_rows(X)
        if not _rows.is_rows(X):
            X = _rows.prepare(np.atleast_2d(X) if not hasattr(X, "shape") or len(X.shape) == 1 else X)
            if not 0 <= row < X.rows:
                raise UsageError(f"there is no row {row}: rows count from 0 to {X.rows - 1}", ["row"])
        return self._core.explain(_rows.core_rows(X), row)

    @property
    def learner(self) -> str:
        """The learner that made it."""
        return self._core.learner

    @property
    def options(self) -> dict[str, Any]:
        """The learner's options, complete."""
        return dict(self._core.options)

    @property
    def form(self) -> str:
        """How scores come about."""
        return self._core.form

    @property
    def classes(self) -> list[str]:
        """Names of the classes."""
        return list(self._core.classes)

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        if self._core.has_table and self._core.map == "none":
            return list(self._core.feature_names_out())
        return list(self._core.feature_names)

    @property
    def features(self) -> int:
        """How many features a row has."""
        return self._core.features

    @property
    def training(self) -> dict[str, Any]:
        """How the run went that made it, by its own account."""
        return dict(self._core.training)

    @property
    def theta(self) -> npt.NDArray[np.float64]:
        """Weights of the mapped features, (k, m) for several classes; empty if there are none."""
        return self._core.theta

    @property
    def offsets(self) -> npt.NDArray[np.float64]:
        """The intercept, or one for each class."""
        return self._core.offsets

    @property
    def threshold(self) -> float:
        """The score from which on a row is of the positive class."""
        return self._core.threshold

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        classes = self.classes
        which = f"classes {' and '.join(classes)}" if len(classes) == 2 else f"{len(classes)} classes"
        kind = "regression" if self._core.regression else which
        return f"Model({self.learner}, {self.form}, {self.features} features, {kind})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)
