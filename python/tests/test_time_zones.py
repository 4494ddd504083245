"""Dates are local times, whatever a table is read from: CSV, Parquet, Arrow, pandas, polars, DuckDB."""

import datetime

import linsep
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow isn't installed")
pd = pytest.importorskip("pandas")

SHIFT = datetime.timedelta(hours=2)
TIMES = [datetime.datetime(2024, 3, 30, 21) + datetime.timedelta(minutes=35 * k) for k in range(400)]
LABELS = ["late" if time.hour >= 22 or time.weekday() == 5 else "early" for time in TIMES]


def arrow(zone=None, shift=datetime.timedelta(0)):
    """A table whose times are `shift` behind in UTC."""
    when = pa.array([time - shift for time in TIMES], pa.timestamp("us")).cast(pa.timestamp("us", zone))
    return pa.table({"when": when, "label": LABELS})


def text(folder, ending):
    path = folder / "times.csv"
    path.write_text("when,label\n" + "".join(f"{t.isoformat()}{ending},{y}\n" for t, y in zip(TIMES, LABELS, strict=True)))
    return path


def parquet(folder, table):
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, folder / "times.parquet")
    return folder / "times.parquet"


def duckdb(folder):
    return pytest.importorskip("duckdb").sql(f"select \"when\"::timestamp as \"when\", label from '{parquet(folder, arrow())}'")


def pandas(zone):
    frame = pd.DataFrame({"when": pd.to_datetime(TIMES), "label": LABELS})
    return frame.assign(when=frame["when"].dt.tz_localize(zone))


READERS = {
    "csv": lambda folder: text(folder, ""),
    "csv with Z": lambda folder: text(folder, "Z"),
    "csv with +02:00": lambda folder: text(folder, "+02:00"),
    "arrow": lambda _: arrow(),
    "arrow in UTC": lambda _: arrow("UTC"),
    "arrow with +02:00": lambda _: arrow("+02:00", SHIFT),
    "arrow with -02:00": lambda _: arrow("-02:00", -SHIFT),
    "parquet": lambda folder: parquet(folder, arrow()),
    "parquet in UTC": lambda folder: parquet(folder, arrow("UTC")),
    "parquet with +02:00": lambda folder: parquet(folder, arrow("+02:00", SHIFT)),
    "pandas": lambda _: pandas(None),
    "pandas in UTC": lambda _: pandas("UTC"),
    "pandas with +02:00": lambda _: pandas(datetime.timezone(SHIFT)),
    "polars": lambda _: pytest.importorskip("polars").from_arrow(arrow()),
    "polars in UTC": lambda _: pytest.importorskip("polars").from_arrow(arrow("UTC")),
    "duckdb": duckdb,
}  # fmt: skip


def fitted(table):
    return linsep.MarginClassifier(loss="logistic").fit(linsep.scan(table, label="label"))


@pytest.fixture(scope="module")
def csv(tmp_path_factory):
    """A model of the CSV, its file and its predictions."""
    path = text(tmp_path_factory.mktemp("times"), "")
    model = fitted(path)
    return model, path, model.predict(linsep.scan(path, label="label"))


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_reads_the_same_times(reader, csv, tmp_path):
    model, path, labels = csv
    assert set(labels) == {"early", "late"}
    np.testing.assert_array_equal(model.predict(linsep.scan(READERS[reader](tmp_path), label="label")), labels)
    other = fitted(READERS[reader](tmp_path))
    assert other.coef_names_.tolist() == model.coef_names_.tolist()
    np.testing.assert_array_equal(other.coef_, model.coef_)
    np.testing.assert_array_equal(other.predict(linsep.scan(path, label="label")), labels)


def test_named_zones_are_refused_until_they_are_converted(csv, tmp_path):
    model, _, labels = csv
    frame = pandas(None)
    frame["when"] = frame["when"].dt.tz_localize("Europe/Oslo", nonexistent="shift_forward", ambiguous=True)
    polars = pytest.importorskip("polars")
    tables = [frame, pa.Table.from_pandas(frame), parquet(tmp_path, pa.Table.from_pandas(frame)), polars.from_pandas(frame)]
    for table in tables:
        for use in (fitted, lambda table: model.predict(linsep.scan(table, label="label"))):
            with pytest.raises(linsep.InputError, match="column 'when' holds times in the time zone Europe/Oslo") as caught:
                use(table)
            assert "frame['when'].dt.tz_localize(None)" in str(caught.value)
    # A column that isn't used may have any zone.
    linsep.MarginClassifier().fit(linsep.scan(frame.assign(x=range(len(frame))), label="label", ignore=["when"]))
    local = frame.assign(when=frame["when"].dt.tz_localize(None))
    found = model.predict(linsep.scan(local, label="label"))
    skipped = np.array([time.month == 3 and time.day == 31 and time.hour == 2 for time in TIMES])  # shifted forward
    np.testing.assert_array_equal(found[~skipped], labels[~skipped])


def test_monday_in_oslo_is_a_monday():
    frame = pd.DataFrame({"when": pd.date_range("2020-01-06", periods=70, tz="Europe/Oslo")})
    frame["label"] = np.where(frame["when"].dt.dayofweek == 0, "monday", "other")
    with pytest.raises(linsep.InputError, match="Europe/Oslo"):
        fitted(frame)
    frame["when"] = frame["when"].dt.tz_localize(None)
    model = linsep.MarginClassifier(loss="logistic", C=100).fit(linsep.scan(frame, label="label"))
    np.testing.assert_array_equal(model.predict(linsep.scan(frame, label="label")), frame["label"])


def test_duckdb_hands_moments_on_in_the_zone_of_its_session(csv):
    model, _, labels = csv
    connection = pytest.importorskip("duckdb").connect()
    table = arrow("UTC")
    connection.register("times", table)
    connection.execute("set TimeZone = 'Europe/Oslo'")
    with pytest.raises(linsep.InputError, match="Europe/Oslo"):
        model.predict(linsep.scan(connection.sql("select * from times"), label="label"))
    local = connection.sql("select \"when\" at time zone 'UTC' as \"when\", label from times")
    np.testing.assert_array_equal(model.predict(linsep.scan(local, label="label")), labels)
