"""TableClassifier: raw tables, with words, categories, dates and missing values, for any classifier of linsep."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from ._base import LinsepEstimator
from ._classifier import available
from ._inputs import is_table, refuse_missing_labels
from ._margin import MarginClassifier
from ._older import checked_weights
from ._read_options import Columns, Dates
from ._scan import scan
from .errors import UsageError

__all__ = ["TableClassifier"]


def _column_names(X: Any) -> list[str]:
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return [str(name) for name in names]


def _whole(X: Any) -> Any:
    """Return a table with its rows: a query of polars or DuckDB is run."""
    if type(X).__name__ == "LazyFrame" and hasattr(X, "collect"):
        return X.collect()
    if type(X).__module__.partition(".")[0] in ("duckdb", "_duckdb") and hasattr(X, "to_arrow_table"):
        return X.to_arrow_table()
    if getattr(getattr(X, "columns", None), "nlevels", 1) > 1:
        raise UsageError("the columns of X have several levels: join them, as in X.columns.map('_'.join)", ["X"])
    return X


def _with_columns(X: Any, more: dict[str, Any]) -> Any:
    """Return a table of polars, pandas or pyarrow with columns behind its own."""
    if hasattr(X, "with_columns"):
        import polars

        return X.with_columns([polars.Series(name, values.tolist()) for name, values in more.items()])
    if hasattr(X, "assign"):
        return X.assign(**more)
    for name, values in more.items():
        X = X.append_column(name, [values.tolist()])
    return X


def _unused(name: str, names: list[str]) -> str:
    while name in names:
        name += "_"
    return name


def _class_name(value: Any) -> str:
    """Return a class's name as a text file would have it."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _require_probabilities(estimator: Any) -> None:
    """Refuse a classifier without probabilities, in its own words."""
    inner = getattr(estimator, "estimator_", estimator.estimator)
    inner = MarginClassifier() if inner is None else inner
    try:
        inner.predict_proba  # noqa: B018
    except AttributeError as error:
        own = f"this {type(inner).__name__} has no 'predict_proba': "
        raise UsageError(str(error).removeprefix(own)) from None


class TableClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of raw tables: encodes the columns of a DataFrame, then trains.

    Does for a DataFrame what :func:`scan` does for a file, as an estimator for grid searches and pipelines. Numbers
    are scaled, words become categories or terms, dates become their parts, and missing values are marked. Everything
    is fitted on the rows of ``fit`` alone and kept in the model.

    Parameters
    ----------
    estimator : classifier of linsep or None, default=None
        The classifier to train on the encoded rows. None: ``MarginClassifier()``.
    number, category, text : str, int or list of them, default=()
        Columns that hold numbers, categories or text. The rest is inferred from the first rows.
    date : str, int, list of them, or dict, default=()
        Columns with dates; a dict gives each column's format, ``{"when": "%d.%m.%Y"}``.
    ignore : str, int or list of them, default=()
        Columns to leave out.
    only : bool, default=False
        Leave out the columns that aren't named.
    scale : {"auto", "none", "deviation", "standard", "max_abs"}, default="auto"
        How numbers are scaled; "auto": by their standard deviation for a soft margin, else not at all.
    missing : {"indicator", "mean", "refuse"}, default="indicator"
        Missing numbers and dates: fill in the mean and add an indicator feature, only fill in the mean, or
        refuse them.
    missing_words : str or list of str, default=()
        More words that mean a missing value in columns of numbers and dates.
    min_count : int, default=2
        Rows in which a category or term must occur to get a weight of its own.
    words, chars : str, int, tuple of two int, or None
        Terms of texts: runs of this many words, or of characters within a word, as "1-2" or (1, 2). None: none.
    weighting : {"tfidf", "tf", "counts", "presence"}, default="tfidf"
        How terms are weighted: √count·idf, √count, count, or 1.
    bits : int, default=0
        Hash categories and terms into 2**bits weights, bits from 10 to 28. 0: don't hash.
    cross : str or list of str, default=()
        Products of columns: ``"a*b"``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    estimator_ : classifier of linsep
        The fitted classifier; its ``model_`` takes raw tables, also on the command line.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of str
        Their names.
    account_ : str
        What was found in each column, and what was made of it.

    See Also
    --------
    scan : Rows of a file or table, for one fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.model_selection import GridSearchCV
    >>> from linsep import MarginClassifier, TableClassifier
    >>> frame = pd.DataFrame({"dose": [1.0, None, 3.0, 4.0] * 5, "ward": ["north", "south"] * 10})
    >>> ill = [False, False, True, True] * 5
    >>> search = GridSearchCV(TableClassifier(MarginClassifier()), {"estimator__C": [0.1, 1.0, 10.0]}, cv=2)
    >>> search.fit(frame, ill).predict(frame[:4])
    array([False, False,  True,  True])
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        number: Columns = (),
        category: Columns = (),
        text: Columns = (),
        date: Dates = (),
        ignore: Columns = (),
        only: bool = False,
        scale: Literal["auto", "none", "deviation", "standard", "max_abs"] = "auto",
        missing: Literal["indicator", "mean", "refuse"] = "indicator",
        missing_words: Any = (),
        min_count: int = 2,
        words: Any = "1-2",
        chars: Any = None,
        weighting: Literal["tfidf", "tf", "counts", "presence"] = "tfidf",
        bits: int = 0,
        cross: Any = (),
    ) -> None:
        self.estimator = estimator
        self.number = number
        self.category = category
        self.text = text
        self.date = date
        self.ignore = ignore
        self.only = only
        self.scale = scale
        self.missing = missing
        self.missing_words = missing_words
        self.min_count = min_count
        self.words = words
        self.chars = chars
        self.weighting = weighting
        self.bits = bits
        self.cross = cross

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # tables only
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Encode the columns and train.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or pyarrow.Table
            The rows, as they are.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            Weights; a weight of 2 is the row twice, 0 is the row gone.

        Returns
        -------
        self : TableClassifier
            The fitted estimator.
        """
        X = _whole(X)
        if not is_table(X):
            raise TypeError(
                f"X is a DataFrame of pandas or polars, or a pyarrow.Table, not {type(X).__name__}: arrays of "
                "numbers go to the classifier itself"
            )
        estimator = MarginClassifier() if self.estimator is None else self.estimator
        if not isinstance(estimator, LinsepEstimator):
            raise TypeError(
                f"'estimator' is a classifier of linsep, such as MarginClassifier(), not {type(estimator).__name__}: "
                "for others, encode the columns with scikit-learn's make_column_transformer"
            )
        refuse_missing_labels(y)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        classes, place = np.unique(y, return_inverse=True)
        called = [_class_name(value) for value in classes.tolist()]
        names = _column_names(X)
        label, weight = _unused("label", names), None
        more: dict[str, Any] = {label: np.array(called, dtype=object)[place]}
        if sample_weight is not None:
            weight = _unused("weight", names)
            more[weight] = checked_weights(sample_weight, y)
        options = {name: value for name, value in self.get_params(deep=False).items() if name != "estimator"}
        rows = scan(_with_columns(X, more), label=label, weight=weight, classes=called, **options)
        rows.classes_ = classes
        self.estimator_ = clone(estimator).fit(rows)
        self.classes_ = classes
        self.account_ = rows.account
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the classes of rows.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or pyarrow.Table
            The rows; columns are found by name.

        Returns
        -------
        ndarray of shape (n_rows,)
            Of each row the class with the greatest score.
        """
        check_is_fitted(self)
        found: npt.NDArray[Any] = self.estimator_.predict(_whole(X))
        return found

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the scores of rows.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or pyarrow.Table
            The rows; columns are found by name.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            Of two classes at least 0 for ``classes_[1]``; of several a score for each.
        """
        check_is_fitted(self)
        found: npt.NDArray[np.float64] = self.estimator_.decision_function(_whole(X))
        return found

    @available(_require_probabilities)
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Predict the probabilities of classes, where the classifier has them.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or pyarrow.Table
            The rows; columns are found by name.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        found: npt.NDArray[np.float64] = self.estimator_.predict_proba(_whole(X))
        return found
