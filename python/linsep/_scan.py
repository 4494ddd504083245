"""Rows of files and Arrow streams, which are read when they are first used; and files of pages."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from . import _core
from ._progress import Observer, observer
from ._read_options import Column, Columns, Dates, read_options, table_options
from ._rows import Rows, threads_for
from .errors import UsageError, translate_errors

__all__ = ["Conversion", "convert", "scan"]

Path = str | os.PathLike[str]


def _is_stream(source: Any) -> bool:
    return hasattr(source, "__arrow_c_stream__") or (
        callable(source) and not isinstance(source, (str, os.PathLike))
    )


def _producer(source: Any) -> Any:
    """Return what hands out the stream; a pandas index that isn't a mere count would become a column."""
    if type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "reset_index"):
        _refuse_mixed(source)
        return _with_dates(source).reset_index(drop=True)
    return source


def _with_dates(frame: Any) -> Any:
    """Return a frame of pandas whose periods are the dates on which they begin: Arrow would have numbers."""
    periods = [name for name, dtype in zip(frame.columns, frame.dtypes, strict=True) if str(dtype).startswith("period")]
    if not periods:
        return frame
    made = frame.copy(deep=False)
    for name in periods:
        made[name] = made[name].dt.to_timestamp()
    return made


def _refuse_mixed(frame: Any) -> None:
    """Refuse columns of objects that Arrow has no one type for, such as numbers and words."""
    for place, (name, dtype) in enumerate(zip(frame.columns, frame.dtypes, strict=True)):
        if dtype != object:
            continue
        import pyarrow

        column = frame.iloc[:, place]
        try:
            pyarrow.array(column, from_pandas=True)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
            first = {type(value).__name__: (row, value) for row, value in reversed([*enumerate(column, 1)])}
            missing = [kind for kind, (_, value) in first.items() if value is None or value != value]
            kinds = sorted((row, kind, value) for kind, (row, value) in first.items() if kind not in missing)
            told = " and ".join(f"{value!r} ({kind}) in row {row:,}" for row, kind, value in kinds[:2])
            raise UsageError(
                f"column {str(name)!r} holds values of different types, {told}: make them one type, as by "
                f"frame[{str(name)!r}].astype('string') or pandas.to_numeric"
            ) from None


def _paths(source: Any) -> list[str]:
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    try:
        paths = [os.fspath(path) for path in source]
    except TypeError:
        raise TypeError(
            "expected a path, paths, an object with __arrow_c_stream__ (a table of pyarrow, polars, pandas "
            f"or DuckDB) or a callable that returns one, not {type(source).__name__}"
        ) from None
    if not paths:
        raise UsageError("no file is named")
    return paths


_ARROW_FILES = {".parquet": "parquet", ".arrow": "ipc", ".feather": "ipc", ".ipc": "ipc"}


def _arrow_files(paths: list[str]) -> Callable[[], Any] | None:
    """Return what opens Parquet or Arrow files by pyarrow; None for other files, and where it isn't
    installed."""
    formats = {_ARROW_FILES.get(os.path.splitext(path)[1].lower()) for path in paths}
    if len(formats) != 1 or None in formats or not importlib.util.find_spec("pyarrow"):
        return None

    def opened() -> Any:
        from pyarrow import dataset

        return dataset.dataset(paths, format=formats.copy().pop()).scanner().to_reader()

    return opened


@translate_errors()
def scan(
    source: Path | Iterable[Path] | Callable[[], Any] | Any,
    *,
    label: Column | None = None,
    labels: Columns | None = None,
    weight: Column | None = None,
    id: Column | None = None,
    ignore: Columns = (),
    classes: Sequence[str] | None = None,
    positive: str | int | None = None,
    format: Literal["auto", "svmlight", "csv", "tsv"] = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
    label_sets: bool = False,
    drop_missing_labels: bool = False,
    double: bool = False,
    memory: int | str | None = None,
    cache: bool = False,
    n_jobs: int | None = None,
    number: Columns = (),
    category: Columns = (),
    text: Columns = (),
    date: Dates = (),
    only: bool = False,
    scale: Literal["auto", "none", "deviation", "standard", "max_abs"] = "auto",
    missing: Literal["indicator", "mean", "refuse"] = "indicator",
    missing_words: str | Iterable[str] = (),
    min_count: int = 2,
    words: str | int | Sequence[int] | None = "1-2",
    chars: str | int | Sequence[int] | None = None,
    weighting: Literal["tfidf", "tf", "counts", "presence"] = "tfidf",
    norm: bool = True,
    bits: int = 0,
    signed: bool = False,
    terms: int = 1 << 22,
    names: int = 1 << 18,
    cross: str | Iterable[str] = (),
    decimal: Literal["auto", ".", ","] = "auto",
) -> Rows:
    """Return rows of a file, of files, or of a table in memory, for ``fit``, ``predict`` and ``certify``.

    Nothing is read until the rows are used. Text is read as the command ``linsep`` reads it, so
    ``fit(scan("rows.csv"))`` gives the same model as ``linsep train rows.csv``, and a proof is about the decimals
    as written. Columns of a table that aren't numbers become features too: categories, texts and dates. The
    encoding is kept in the model, so ``predict`` takes raw columns.

    Parameters
    ----------
    source : path-like, iterable of path-like, object with ``__arrow_c_stream__``, or callable
        Files, read as one: svmlight, CSV and TSV, plain or compressed; page files; Parquet and Arrow by pyarrow;
        arrays that are mapped: ``X.npy``, ``data.npz:X``, ``data.safetensors:X``.
        Or a table of pyarrow, polars, pandas or DuckDB. Or a callable that returns such a table; it is called
        whenever the rows are read, so they needn't stay in memory.
    label : str or int, optional
        The label's column, by name or number from 1. Default: the one called ``label``, else the last. With arrays:
        a file of labels, as ``y.npy``.
    labels : str, int or list of them, optional
        Several label columns of two classes each. With arrays: a file with a matrix of them.
    weight, id : str or int, optional
        The column with row weights; the column that identifies rows, which isn't a feature.
    ignore : str, int or list of them, default=()
        Columns to leave out.
    classes : sequence of str, optional
        The two classes, negative first, or more. Default: those in the data.
    positive : str, optional
        Which class is positive. Default: the larger number or later word.
    format : {"auto", "svmlight", "csv", "tsv"}, default="auto"
        Of a text file; "auto": by its name or its first line.
    header : bool, optional
        Whether the first line names the columns. Default: if one of its features isn't a number.
    delimiter : str, optional
        The character between fields, or ``"tab"``.
    label_sets : bool, default=False
        Labels such as 1,3,7 are sets: the row has each of these labels.
    drop_missing_labels : bool, default=False
        Leave out rows whose label is empty, NA, NaN, null or ?; else the first of them is an error.
    double : bool, default=False
        Keep values as 64-bit numbers instead of 32-bit.
    memory : int or str, optional
        The most memory for this process, such as "500M" or "2G"; rows that don't fit stay on disk. Default: all
        rows are held in memory.
    cache : bool, default=False
        Cache the rows of each file in a page file beside it, and use that while it is up to date.
    n_jobs : int or None, default=None
        Threads for reading; never changes the result.
    number, category, text : str, int or list of them, default=()
        Columns of a table that hold numbers, categories or text. The rest is inferred from the first rows.
    date : str, int, list of them, or dict, default=()
        Columns with dates; a dict gives each column's format, ``{"when": "%d.%m.%Y"}``.
    only : bool, default=False
        Leave out the columns that aren't named.
    scale : {"auto", "none", "deviation", "standard", "max_abs"}, default="auto"
        How numbers are scaled; "auto": by their standard deviation for a soft margin, else not at all.
    missing : {"indicator", "mean", "refuse"}, default="indicator"
        Missing numbers and dates: fill in the mean and add an indicator feature, only fill in the mean, or refuse
        them.
    missing_words : str or list of str, default=()
        More words that mean a missing value in columns of numbers and dates.
    min_count : int, default=2
        Rows in which a category or term must occur to get a weight of its own.
    words, chars : str, int, tuple of two int, or None
        Terms of texts: runs of this many words, or of characters within a word, as "1-2" or (1, 2). None: none.
    weighting : {"tfidf", "tf", "counts", "presence"}, default="tfidf"
        How terms are weighted: √count·idf, √count, count, or 1.
    norm : bool, default=True
        Scale the terms of each text to length 1.
    bits : int, default=0
        Hash categories and terms into 2**bits weights, bits from 10 to 28. 0: don't hash.
    signed : bool, default=False
        With hashing: give half of the terms a negative sign.
    terms, names : int
        The most categories or terms in a column, beyond which they are hashed; with hashing, the most weights
        whose terms are remembered.
    cross : str or list of str, default=()
        Products of columns: ``"a*b"``.
    decimal : {"auto", ".", ","}, default="auto"
        The decimal separator of numbers.

    Returns
    -------
    Rows
        What every function that takes ``X, y`` also takes, without ``y``.

    See Also
    --------
    rows : Arrays, checked once for many fits.
    convert : Rows as a page file, which needs no parsing.

    Examples
    --------
    >>> import linsep, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "patients.csv")
    >>> linsep.generate("patients", path, rows=500)
    >>> patients = linsep.scan(path, positive="disease", category=["ward", "sex"])
    >>> classifier = linsep.MarginClassifier(loss="logistic").fit(patients)
    >>> classifier.predict(linsep.scan(path)).shape
    (500,)
    """
    read = read_options(
        label=label, labels=labels, weight=weight, id=id, ignore=ignore, classes=classes, positive=positive,
        format=format, header=header, delimiter=delimiter, label_sets=label_sets,
        drop_missing_labels=drop_missing_labels, double=double, memory=memory, cache=cache,
        threads=threads_for(n_jobs),
    )  # fmt: skip
    table = table_options(
        number=number, category=category, text=text, date=date, only=only, scale=scale, missing=missing,
        missing_words=missing_words, min_count=min_count, words=words, chars=chars, weighting=weighting,
        norm=norm, bits=bits, signed=signed, terms=terms, names=names, cross=cross, decimal=decimal,
    )  # fmt: skip
    if _is_stream(source):
        return Rows(_core.scan_arrow(_producer(source), read, table, f"the {type(source).__name__}"))
    paths = _paths(source)
    if opened := _arrow_files(paths):
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        return Rows(_core.scan_arrow(opened, read, table, paths[0] + more))
    return Rows(_core.scan(paths, read, table))


class Conversion(NamedTuple):
    """What a page file holds.

    Parameters
    ----------
    rows, features, nonzeros : int
        Its rows, the features that they have, and their entries other than 0.
    pages, bytes : int
        The pages and the length of the file.
    """

    rows: int
    features: int
    nonzeros: int
    pages: int
    bytes: int


@translate_errors()
def convert(
    source: Path | Iterable[Path],
    output: Path,
    *,
    label: Column | None = None,
    weight: Column | None = None,
    id: Column | None = None,
    ignore: Columns = (),
    format: Literal["auto", "svmlight", "csv", "tsv"] = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
    drop_missing_labels: bool = False,
    double: bool = False,
    n_jobs: int | None = None,
    progress: bool | Observer | None = None,
) -> Conversion:
    """Write the rows of files as a page file, which needs no parsing and need not fit into memory.

    Parameters
    ----------
    source : path-like or iterable of path-like
        Files whose rows follow one another.
    output : path-like
        The page file; it appears whole or not at all.
    label, weight, id : str or int, optional
        The label's column, one with row weights, and one that names rows, as of :func:`scan`.
    ignore : str, int or list of them, default=()
        Columns to leave out. Those of a table are encoded as :func:`scan` does it, without scaling.
    format : {"auto", "svmlight", "csv", "tsv"}, default="auto"
        Of a text file; "auto": by its name or its first line.
    header : bool, optional
        Whether the first line names the columns.
    delimiter : str, optional
        What stands between fields.
    drop_missing_labels : bool, default=False
        Leave out rows without a label.
    double : bool, default=False
        Values as 64-bit numbers, which proofs want.
    n_jobs : int or None, default=None
        Threads that read.
    progress : bool, callable or None, default=None
        True draws a line on standard error; a callable is given a dictionary now and then.

    Returns
    -------
    Conversion
        How many rows, features and entries there are, and what they take.

    Examples
    --------
    >>> import linsep, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> linsep.generate("noisy", os.path.join(folder, "rows.svm"), rows=100)
    >>> linsep.convert(os.path.join(folder, "rows.svm"), os.path.join(folder, "rows.lsp")).rows
    100
    """
    read = read_options(
        label=label, weight=weight, id=id, ignore=ignore, format=format, header=header, delimiter=delimiter,
        drop_missing_labels=drop_missing_labels, double=double, threads=threads_for(n_jobs),
    )  # fmt: skip
    with observer(progress) as observe:
        made = _core.convert(_paths(source), os.fspath(output), read, table={}, observe=observe)
    return Conversion(made["rows"], made["features"], made["nonzeros"], made["pages"], made["bytes"])
