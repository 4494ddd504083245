"""Tables of pyarrow, polars, pandas and DuckDB, through Arrow's stream protocol: the model of the same table
in CSV."""

import gc
import os
import signal
import threading
import time
import weakref

import linsep
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow isn't installed")
csv = pytest.importorskip("pyarrow.csv")


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("arrow") / "patients.csv"
    linsep.generate("patients", path, rows=400)
    return path


@pytest.fixture(scope="module")
def expected(patients):
    return linsep.MarginClassifier().fit(linsep.scan(patients))


def by_pyarrow(path):
    return csv.read_csv(path)


def by_chunks(path):
    return csv.read_csv(path, read_options=csv.ReadOptions(block_size=4096))


def by_reader(path):
    return csv.read_csv(path).to_reader(max_chunksize=37)


def by_callable(path):
    return lambda: csv.read_csv(path)


def by_dataset_scanner(path):
    dataset = pytest.importorskip("pyarrow.dataset")
    return lambda: dataset.dataset(path, format="csv").scanner().to_reader()


def by_polars(path):
    return pytest.importorskip("polars").read_csv(path, try_parse_dates=True)


def by_pandas(path):
    return pytest.importorskip("pandas").read_csv(path, parse_dates=["admitted"])


def by_pandas_with_an_index(path):
    frame = by_pandas(path)
    return frame.set_index(frame["patient"].rename("row"))


def by_duckdb(path):
    return pytest.importorskip("duckdb").sql(f"select * from read_csv('{path}')")


PRODUCERS = [
    by_pyarrow, by_chunks, by_reader, by_callable, by_dataset_scanner, by_polars, by_pandas,
    by_pandas_with_an_index, by_duckdb,
]  # fmt: skip


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_table_gives_the_model_of_its_file(producer, patients, expected):
    classifier = linsep.MarginClassifier().fit(linsep.scan(producer(patients)))
    assert classifier.model_.to_bytes() == expected.model_.to_bytes()


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_table_is_predicted_as_its_file(producer, patients, expected):
    scores = expected.decision_function(linsep.scan(producer(patients)))
    assert np.array_equal(scores, expected.decision_function(patients))


def test_a_table_without_the_label_is_predicted(patients, expected):
    table = csv.read_csv(patients).drop_columns(["outcome"])
    assert np.array_equal(expected.predict(linsep.scan(table)), expected.predict(patients))


def test_a_table_is_trained_on_again_and_for_another_purpose(patients):
    stream = linsep.scan(by_reader(patients))  # can be read once, and is kept
    first = linsep.MarginClassifier().fit(stream)
    means = linsep.BasicLinearClassifier().fit(stream)
    assert (
        means.model_.to_bytes() == linsep.BasicLinearClassifier().fit(linsep.scan(patients)).model_.to_bytes()
    )
    assert linsep.MarginClassifier().fit(stream).model_.to_bytes() == first.model_.to_bytes()


def test_a_callable_is_called_whenever_rows_are_read_anew(patients):
    calls = []

    def open_table():
        calls.append(1)
        return csv.read_csv(patients)

    rows = linsep.scan(open_table)
    assert not calls
    linsep.MarginClassifier().fit(rows)
    linsep.MarginClassifier(C=2.0).fit(rows)
    assert len(calls) == 1
    linsep.BasicLinearClassifier().fit(rows)
    assert len(calls) == 2


def test_columns_are_taken_as_they_are_named(patients):
    table = csv.read_csv(patients)
    rows = linsep.scan(
        table, label="outcome", category=["age"], number="marker", ignore=["admitted"], only=True
    )
    linsep.MarginClassifier().fit(rows)
    assert "age       category" in rows.account and "ward      left out" in rows.account


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_of_parquet_and_arrow_are_read_by_pyarrow(ending, patients, expected, tmp_path):
    table = csv.read_csv(patients)
    paths = [tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"]
    for path, part in zip(paths, [table.slice(0, 150), table.slice(150)], strict=True):
        if ending == "parquet":
            pytest.importorskip("pyarrow.parquet").write_table(part, path)
        else:
            with pa.ipc.new_file(path, table.schema) as file:
                file.write_table(part)
    classifier = linsep.MarginClassifier().fit(linsep.scan(paths))
    assert classifier.model_.to_bytes() == expected.model_.to_bytes()
    assert classifier.predict(str(paths[0])).shape == (150,)


def test_a_parquet_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OSError, match="none"):
        linsep.MarginClassifier().fit(tmp_path / "none.parquet")


def test_a_dictionary_is_a_category_and_a_null_a_hole():
    table = pa.table({
        "colour": pa.array(["red", "green", None, "red", "green"]).dictionary_encode(),
        "size": pa.array([1.0, None, 3.0, 4.0, 5.0]),
        "y": ["a", "b", "a", "b", "a"],
    })  # fmt: skip
    rows = linsep.scan(table, label="y", min_count=1)
    linsep.MarginClassifier().fit(rows)
    assert "1 missing" in rows.account and "colour  category" in rows.account


def test_vectors_of_fixed_size_are_features():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 8)).astype(np.float32)
    y = np.where(X[:, 0] + 0.1 * X[:, 1] > 0, "up", "down")
    table = pa.table({"embedding": pa.FixedSizeListArray.from_arrays(X.ravel(), 8), "y": y})
    of_table = linsep.MarginClassifier().fit(linsep.scan(table, label="y"))
    of_arrays = linsep.MarginClassifier().fit(X, y)
    assert np.array_equal(of_table.coef_, of_arrays.coef_)
    assert np.array_equal(of_table.predict(linsep.scan(table)), of_arrays.predict(X))


def test_numbers_in_arrow_are_proven_as_in_arrays():
    from linsep import _core

    X = np.array([[0.1, 1.0], [0.25, -1.0], [0.5, 3.0]])
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "y": [0, 1, 0]})
    rows = linsep.scan(table, label="y", scale="none")._core
    found = _core.certify(rows).certificate
    assert _core.verify(_core.seal(found, rows), rows)["valid"]


def test_what_the_producer_says_is_told():
    def batches():
        yield pa.record_batch({"x": [1.0], "y": ["a"]})
        raise ValueError("the connection was lost")

    schema = pa.schema([("x", pa.float64()), ("y", pa.string())])
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(linsep.InputError, match="the connection was lost"):
        linsep.MarginClassifier().fit(linsep.scan(reader))


def test_an_interrupt_ends_a_stream_soon():
    sent = []

    def batches():
        for _ in range(1000):  # ten seconds of them
            time.sleep(0.01)
            yield pa.record_batch({"x": [1.0, 2.0], "y": ["a", "b"]})

    def send():
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    schema = pa.schema([("x", pa.float64()), ("y", pa.string())])
    rows = linsep.scan(pa.RecordBatchReader.from_batches(schema, batches()))
    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(KeyboardInterrupt):
        linsep.MarginClassifier().fit(rows)
    assert time.monotonic() - sent[0] < 3  # of ten; half a second on a quiet machine
    sender.join()


def test_what_a_callable_raises_is_raised():
    def open_table():
        raise ConnectionError("no route to host")

    with pytest.raises(ConnectionError, match="no route to host"):
        linsep.MarginClassifier().fit(linsep.scan(open_table))
    with pytest.raises(linsep.UsageError, match="without __arrow_c_stream__"):
        linsep.MarginClassifier().fit(linsep.scan(lambda: 3))


def test_a_column_that_cannot_be_read_is_named():
    table = pa.table({"x": [[["deep"]]], "y": ["a"]})
    with pytest.raises(linsep.InputError, match="'x'"):
        linsep.MarginClassifier().fit(linsep.scan(table))


def test_a_table_lives_no_longer_than_its_rows(patients):
    table = csv.read_csv(patients)
    before = pa.total_allocated_bytes()
    rows = linsep.scan(table)
    linsep.MarginClassifier().fit(rows)
    watched = weakref.ref(table)
    del table, rows
    gc.collect()
    assert watched() is None
    assert pa.total_allocated_bytes() < before
