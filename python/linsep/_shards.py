"""A worker's rows on their way into the core: arrays, and the columns of Arrow record batches."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ._layout import CopyLog, as_csr
from .errors import InputError, UsageError

Array = npt.NDArray[Any]


@dataclass
class Arrived:
    """Some rows: dense values of shape (n, d), or sparse ones by offsets and columns."""

    value: Array
    features: int
    start: Array | None = None
    column: Array | None = None
    label: Array | None = None  # numbers, or places in `words`
    words: list[str] = field(default_factory=list)
    label_type: str = ""
    weight: Array | None = None
    ids: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.value) if self.start is None else len(self.start) - 1

    def facts(self) -> dict[str, Any]:
        """Return what must be the same in all rows of all workers."""
        return {
            "features": self.features,
            "dense": self.start is None,
            "double": self.value.dtype != np.float32,
            "weighted": self.weight is not None,
            "label_type": self.label_type,
            "names": self.names,
        }

    def for_core(self, dense: bool, double: bool) -> dict[str, Any]:
        """Return the rows in the layout that all have, as the core takes them."""
        rows = self._as_dense() if dense else self._as_sparse()
        kind = np.float64 if double else np.float32
        return {
            "rows": self.rows,
            "features": self.features,
            "start": None if dense else np.ascontiguousarray(rows.start, dtype=np.uint64),
            "column": None if dense else np.ascontiguousarray(rows.column, dtype=np.uint32),
            "value": np.ascontiguousarray(rows.value, dtype=kind).reshape(-1),
            "label": None if self.label is None else np.ascontiguousarray(self.label, dtype=np.float64),
            "words": self.words,
            "weight": None if self.weight is None else np.ascontiguousarray(self.weight, dtype=np.float64),
            "ids": self.ids,
        }

    def _as_dense(self) -> Arrived:
        if self.start is None:
            return self
        value = np.zeros((self.rows, self.features), dtype=self.value.dtype)
        value[np.repeat(np.arange(self.rows), np.diff(self.start)), self.column] = self.value
        return Arrived(value, self.features)

    def _as_sparse(self) -> Arrived:
        if self.start is not None:
            return self
        row, column = np.nonzero(self.value)
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=self.rows))])
        return Arrived(self.value[row, column], self.features, start, column)


def arriving(batches: Iterator[Any], **columns: Any) -> Iterator[Any]:
    """Yield the facts of the first rows (None where there are none), then all rows."""
    found = (rows for rows in _all(batches, **columns) if rows.rows)
    first = next(found, None)
    yield None if first is None else first.facts()
    if first is not None:
        yield first
        yield from found


def batches_of(source: Any) -> Iterator[Any]:
    """Return record batches, or tuples of arrays, of whatever holds them."""
    if hasattr(source, "to_batches"):  # a table
        source = source.to_batches()
    elif hasattr(source, "__arrow_c_stream__"):
        import pyarrow as pa

        source = pa.RecordBatchReader.from_stream(source)
    return iter([source] if isinstance(source, tuple) else source)


class Counted:
    """Batches, and how many rows they had."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self._batches:
            self.rows += batch.num_rows
            yield batch


def is_raw(batch: Any, features: str | Sequence[str]) -> bool:
    """Whether a record batch has columns of features that must be encoded."""
    if isinstance(batch, tuple) or isinstance(features, str):
        return False
    import pyarrow as pa

    kinds = [batch.schema.field(name).type for name in features if name in batch.schema.names]
    numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    return not all(any(check(kind) for check in numbers) for kind in kinds)


SAMPLE_BYTES = 1 << 20  # of CSV, by which the core tells what columns hold


class RawTable:
    """A worker's raw columns, kept in a file without a name, so that they can be gone through again."""

    def __init__(self, batches: Iterator[Any], names: Sequence[str], folder: str | None) -> None:
        import pyarrow as pa

        self.table: Any = None
        with tempfile.NamedTemporaryFile(dir=folder, prefix="linsep-", suffix=".arrow") as file:
            writer = None
            for batch in batches:
                batch = batch.select(list(names))
                writer = writer or pa.ipc.new_file(file, batch.schema)
                writer.write_batch(batch)
            if writer is not None:
                writer.close()
                file.flush()
                self.table = pa.ipc.open_file(pa.memory_map(file.name)).read_all()

    def first_rows(self) -> bytes:
        """Return as many rows as the core looks at, and whether these are all."""
        import pyarrow as pa
        from pyarrow import csv

        if self.table is None:
            return b""
        rows, text = 256, 0
        while rows < len(self.table) and text <= SAMPLE_BYTES:
            rows *= 2
            sink = io.BytesIO()
            csv.write_csv(_plain(self.table.slice(0, rows)), sink)
            text = len(sink.getvalue())
        first = self.table.slice(0, rows)
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, first.schema.with_metadata({"whole": str(int(len(first) == len(self.table)))})) as out:
            out.write_table(first)
        return sink.getvalue()


def _plain(table: Any) -> Any:
    """Return a table that can be written as CSV: lists aren't."""
    import pyarrow as pa

    return table.select([field.name for field in table.schema if not pa.types.is_nested(field.type)])


def sample_of(pieces: list[bytes]) -> tuple[Any, bool]:
    """Return the first rows of all workers, and whether there are no more."""
    import pyarrow as pa

    tables, whole = [], True
    for piece in filter(None, pieces):
        with pa.ipc.open_stream(piece) as reader:
            table = reader.read_all()
        tables.append(table.replace_schema_metadata(None))
        whole = table.schema.metadata[b"whole"] == b"1"
        if not whole:
            break
    return pa.concat_tables(tables), whole


class Reader:
    """What the core calls for the next rows; knows up to two of the classes that these have."""

    def __init__(self, rows: Iterator[Arrived], dense: bool, double: bool) -> None:
        self._rows, self._dense, self._double = rows, dense, double
        self.classes: list[str | float] = []

    def __call__(self) -> dict[str, Any] | None:
        arrived = next(self._rows, None)
        if arrived is None:
            return None
        if len(self.classes) < 2 and arrived.label is not None:
            found = [arrived.words[int(k)] if arrived.words else k for k in np.unique(arrived.label) if k == k]
            self.classes = list(dict.fromkeys([*self.classes, *found]))[:2]
        return arrived.for_core(self._dense, self._double)


def _all(batches: Iterator[Any], **columns: Any) -> Iterator[Arrived]:
    float32 = columns.pop("float32")
    for batch in batches:
        arrived = of_arrays(*batch) if isinstance(batch, tuple) else of_record_batch(batch, **columns)
        if float32:
            arrived.value = arrived.value.astype(np.float32, copy=False)
        yield arrived


def of_arrays(X: Any, y: Any = None, sample_weight: Any = None) -> Arrived:
    """Return rows of arrays."""
    if sparse.issparse(X):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        start, column, value = as_csr(X, CopyLog())
        arrived = Arrived(value, X.shape[1], start, column)
    else:
        value = np.asarray(X)
        if value.ndim != 2:
            raise UsageError(f"rows are arrays of two dimensions, not {value.ndim}", ["batches"])
        kept = value.dtype in (np.float32, np.float64)
        arrived = Arrived(value if kept else value.astype(np.float64), value.shape[1])
    if y is not None:
        y = np.asarray(y)
        kinds = {"b": "bool", "i": "integer", "u": "integer", "f": "number"}
        arrived.label_type = kinds.get(y.dtype.kind, "text")
        if arrived.label_type in ("integer", "number"):
            arrived.label = y.astype(np.float64)
        else:
            words, arrived.label = np.unique(y.astype(str), return_inverse=True)
            arrived.words = words.tolist()
    if sample_weight is not None:
        arrived.weight = np.asarray(sample_weight, dtype=np.float64)
    return arrived


def of_record_batch(
    batch: Any, *, label: str | None, features: str | Sequence[str], weight: str | None, ids: str | None
) -> Arrived:
    """Return rows of an Arrow record batch."""

    def column(name: str) -> Any:
        if name not in batch.schema.names:
            raise UsageError(f"there is no column {name!r}; the columns are {', '.join(batch.schema.names)}")
        return batch.column(name)

    if isinstance(features, str):
        arrived = _of_vectors(column(features), features)
    else:
        arrived = _of_numbers([column(name) for name in features], list(features))
    if label is not None:
        _take_labels(arrived, column(label), label)
    if weight is not None:
        arrived.weight = _numbers(column(weight), weight)
    if ids is not None:
        arrived.ids = ["" if value is None else str(value) for value in column(ids).to_pylist()]
    return arrived


def _numbers(column: Any, name: str) -> Array:
    """Return a column of numbers; a missing one is NaN."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_decimal(kind) or pa.types.is_boolean(kind):
        column = column.cast(pa.float64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InputError(f"column {name!r} holds {kind}, not numbers")
    values: Array = column.to_numpy(zero_copy_only=False)
    return values if values.dtype == np.float32 else values.astype(np.float64, copy=False)


def label_type_of(kind: Any) -> str:
    """Return what a column of labels holds: "bool", "integer", "number" or "text"."""
    import pyarrow as pa

    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    return "bool" if pa.types.is_boolean(kind) else "text"


def _take_labels(arrived: Arrived, column: Any, name: str) -> None:
    import pyarrow as pa

    kind = column.type
    arrived.label_type = label_type_of(kind)
    if arrived.label_type in ("integer", "number"):
        arrived.label = _numbers(column, name)
        return
    if arrived.label_type == "bool":
        column = column.cast(pa.int8())
        arrived.words, places = ["False", "True"], column
    else:
        encoded = column if pa.types.is_dictionary(kind) else column.cast(pa.string()).dictionary_encode()
        arrived.words, places = [str(word) for word in encoded.dictionary.to_pylist()], encoded.indices
    arrived.label = places.cast(pa.float64()).to_numpy(zero_copy_only=False)


def _of_numbers(columns: list[Any], names: list[str]) -> Arrived:
    values = [_numbers(column, name) for column, name in zip(columns, names, strict=True)]
    return Arrived(np.column_stack(values), len(names), names=names)


def _of_vectors(column: Any, name: str) -> Arrived:
    """Return rows of lists, or of Spark's vectors: structs of type, size, indices and values."""
    import pyarrow as pa

    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0]) + 1
        raise InputError(f"column {name!r}: row {row} of a batch has no value; leave such rows out or fill them in")
    kind = column.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _of_lists(column, name)
    if pa.types.is_struct(kind) and {"type", "size", "indices", "values"} <= {each.name for each in kind}:
        return _of_spark_vectors(dict(zip((each.name for each in kind), column.flatten(), strict=True)), name)
    raise InputError(f"column {name!r} holds {kind}: expected lists of numbers, or vectors of Spark")


def _lengths(lists: Any) -> Array:
    import pyarrow.compute as pc

    lengths: Array = pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths


def _one_length(lengths: Array, name: str) -> int:
    features = int(lengths[0]) if len(lengths) else 0
    if (lengths != features).any():
        row = int(np.flatnonzero(lengths != features)[0])
        raise InputError(f"column {name!r}: a row has {features} features, and another {int(lengths[row])}")
    return features


def _of_lists(lists: Any, name: str) -> Arrived:
    features = _one_length(_lengths(lists), name)
    return Arrived(_numbers(lists.flatten(), name).reshape(len(lists), features), features)


def _of_spark_vectors(parts: dict[str, Any], name: str) -> Arrived:
    dense = parts["type"].to_numpy(zero_copy_only=False) == 1
    lengths, values = _lengths(parts["values"]), _numbers(parts["values"].flatten(), name)
    size = parts["size"].fill_null(0).to_numpy(zero_copy_only=False)
    features = _one_length(np.where(dense, lengths, size), name)
    if dense.all():
        return Arrived(values.reshape(len(lengths), features), features)
    start = np.concatenate([[0], np.cumsum(lengths)])
    indices = parts["indices"].flatten().to_numpy(zero_copy_only=False)
    if not dense.any():
        return Arrived(values, features, start, indices)
    of_dense = np.repeat(dense, lengths)
    column = np.arange(len(values)) - np.repeat(start[:-1], lengths)
    column[~of_dense] = indices
    kept = ~of_dense | (values != 0)
    counts = np.add.reduceat(kept, start[:-1]) if len(values) else np.zeros(len(lengths), dtype=np.int64)
    counts[lengths == 0] = 0
    return Arrived(values[kept], features, np.concatenate([[0], np.cumsum(counts)]), column[kept])
