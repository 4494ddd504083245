"""Booleans are one encoding, whatever a table is read from: CSV, Parquet, Arrow, pandas, polars, DuckDB."""

import json
import os
import shutil
import subprocess

import linsep
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow isn't installed")
pd = pytest.importorskip("pandas")

random = np.random.default_rng(3)
COUNT = 300
SMOKER = [None if random.random() < 0.1 else bool(random.random() < 0.4) for _ in range(COUNT)]
OLD = [bool(random.random() < 0.5) for _ in range(COUNT)]
AGE = random.normal(50, 15, COUNT).round(1).tolist()
LABELS = [
    "ill" if (smoker is True) * 2 + old * 1.5 + age / 30 + random.normal(0, 0.3) > 3.2 else "well"
    for smoker, old, age in zip(SMOKER, OLD, AGE, strict=True)
]


def arrow():
    return pa.table({"smoker": pa.array(SMOKER, pa.bool_()), "age": AGE, "old": OLD, "label": LABELS})


def text(words):
    def write(folder):
        said = {True: words[0], False: words[1], None: ""}
        rows = zip(SMOKER, AGE, OLD, LABELS, strict=True)
        lines = [f"{said[smoker]},{age},{said[old]},{label}\n" for smoker, age, old, label in rows]
        (folder / "rows.csv").write_text("smoker,age,old,label\n" + "".join(lines))
        return folder / "rows.csv"

    return write


def parquet(folder):
    import pyarrow.parquet

    pyarrow.parquet.write_table(arrow(), folder / "rows.parquet")
    return folder / "rows.parquet"


def pandas(_):
    return pd.DataFrame({"smoker": pd.array(SMOKER, "boolean"), "age": AGE, "old": OLD, "label": LABELS})


def duckdb(folder):
    return pytest.importorskip("duckdb").sql(f"select * from '{parquet(folder)}'")


def numbers(_):
    """0 and 1 in place of booleans: what a database without booleans has."""
    smoker = [None if one is None else int(one) for one in SMOKER]
    return pa.table({"smoker": smoker, "age": AGE, "old": list(map(int, OLD)), "label": LABELS})


READERS = {
    "csv": text(("true", "false")),
    "csv of pandas": text(("True", "False")),
    "csv of R": text(("TRUE", "FALSE")),
    "parquet": parquet,
    "arrow": lambda _: arrow(),
    "arrow with a dictionary": lambda _: arrow().set_column(
        2, "old", pa.DictionaryArray.from_arrays(pa.array(list(map(int, OLD)), pa.int8()), pa.array([False, True]))
    ),
    "arrow with words": lambda _: arrow().set_column(2, "old", pa.array(list(map(str, OLD)))),
    "pandas": pandas,
    "pandas with objects": lambda _: pandas(_).assign(smoker=np.array(SMOKER, object)),
    "polars": lambda _: pytest.importorskip("polars").from_arrow(arrow()),
    "duckdb": duckdb,
}  # fmt: skip


def scan(table):
    return linsep.scan(table, label="label")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The same table by every reader; nothing where its package isn't installed."""
    found = {}
    for name, read in {**READERS, "numbers": numbers}.items():
        try:
            found[name] = read(tmp_path_factory.mktemp("rows"))
        except pytest.skip.Exception:
            continue
    return found


@pytest.fixture(scope="module")
def labels(tables):
    return linsep.MarginClassifier(loss="logistic").fit(scan(tables["csv"])).predict(scan(tables["csv"]))


@pytest.mark.parametrize("reader", READERS)
def test_a_model_of_every_reader_predicts_the_same_from_all_others(reader, tables, labels):
    if reader not in tables:
        pytest.skip("its package isn't installed")
    model = linsep.MarginClassifier(loss="logistic").fit(scan(tables[reader]))
    assert model.coef_names_.tolist() == ["smoker", "smoker is missing", "age", "old"]
    assert set(labels) == {"ill", "well"}
    for table in tables.values():
        np.testing.assert_array_equal(model.predict(scan(table)), labels)


@pytest.mark.parametrize("reader", READERS)
def test_models_of_all_readers_are_the_same(reader, tables):
    if reader not in tables:
        pytest.skip("its package isn't installed")
    fits = [linsep.MarginClassifier(loss="logistic").fit(scan(tables[name])) for name in ("csv", reader)]
    np.testing.assert_array_equal(fits[0].coef_, fits[1].coef_)
    np.testing.assert_array_equal(fits[0].intercept_, fits[1].intercept_)


def test_booleans_alone_are_a_table_too(tmp_path):
    flags = pa.table({"a": [True, False, True, False] * 5, "b": [True, True, False, False] * 5, "label": ["x", "y", "y", "y"] * 5})
    frame = flags.to_pandas()
    frame.to_csv(tmp_path / "flags.csv", index=False)
    fits = [linsep.MarginClassifier().fit(scan(table)) for table in (flags, frame, tmp_path / "flags.csv")]
    for model in fits:
        assert model.coef_names_.tolist() == ["a", "b"]
        np.testing.assert_array_equal(model.coef_, fits[0].coef_)
        for table in (flags, frame, tmp_path / "flags.csv"):
            np.testing.assert_array_equal(model.predict(scan(table)), frame["label"])


def test_exported_sql_reads_booleans_words_and_numbers(tables, labels):
    database = pytest.importorskip("duckdb")
    model = linsep.MarginClassifier(loss="logistic").fit(scan(tables["parquet"]))
    query = linsep.to_sql(model, table="rows").rstrip().rstrip(";")
    said = "case {0} when true then 'True' when false then 'FALSE' end"
    words = f"{said.format('smoker')} as smoker, age, {said.format('old')} as old, label"
    for columns in ("*", words, "smoker::int as smoker, age, old::double as old, label"):
        connection = database.connect()
        connection.execute(f"create table rows as select {columns} from '{tables['parquet']}'")
        found = connection.sql(query).fetchall()
        np.testing.assert_array_equal([row[4] for row in found], labels)


def test_a_word_that_is_no_boolean_is_refused(tables, tmp_path):
    model = linsep.MarginClassifier().fit(scan(tables["csv"]))
    path = tmp_path / "rows.csv"
    path.write_text("smoker,age,old,label\ntrue,50,yes,ill\n")
    with pytest.raises(linsep.InputError, match="expected true or false in column 'old', found 'yes'"):
        model.predict(scan(path))


# Labels: those of CSV are as pandas writes them, Parquet and Arrow have booleans.


def labelled_tables(folder):
    import pyarrow.parquet

    flags = [label == "ill" for label in LABELS]
    table = pa.table({"age": AGE, "old": OLD, "label": flags})
    pyarrow.parquet.write_table(table, folder / "rows.parquet")
    table.to_pandas().to_csv(folder / "rows.csv", index=False)
    for name, words in {"r.csv": ("TRUE", "FALSE"), "json.csv": ("true", "false")}.items():
        table.to_pandas().assign(label=np.where(flags, *words)).to_csv(folder / name, index=False)
    return {"parquet": folder / "rows.parquet", "arrow": table, **{name: folder / name for name in ("rows.csv", "r.csv", "json.csv")}}


@pytest.mark.parametrize("reader", ["parquet", "arrow", "rows.csv", "r.csv", "json.csv"])
def test_labels_that_are_booleans_are_the_same_in_every_reader(reader, tmp_path):
    tables = labelled_tables(tmp_path)
    model = linsep.MarginClassifier(loss="logistic").fit(scan(tables[reader]))
    assert model.classes_.tolist() == [False, True]
    share = model.score(scan(tables[reader]))
    assert share > 0.6
    for name, table in tables.items():
        assert model.score(scan(table)) == share, name
        again = linsep.MarginClassifier(loss="logistic", warm_start=True).fit(scan(tables[reader]))
        np.testing.assert_allclose(again.fit(scan(table)).coef_, model.coef_, rtol=0.05)


@pytest.mark.parametrize("trained", ["rows.csv", "rows.parquet", "r.csv"])
def test_the_command_line_takes_labels_in_every_spelling(trained, tmp_path):
    labelled_tables(tmp_path)
    found = os.environ.get("LINSEP") or shutil.which("linsep")
    if not found:
        pytest.skip("the program linsep isn't there: set LINSEP")

    def run(*arguments, code=0):
        done = subprocess.run([found, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        if "module for Parquet" in done.stderr:
            pytest.skip("this build has no module for Parquet")
        assert done.returncode == code, done.stderr
        return done.stdout

    run("train", trained, "--label", "label", "--loss", "logistic", "-o", "m.json")
    judged = [json.loads(run("evaluate", name, "-m", "m.json", "--json")) for name in ("rows.csv", "rows.parquet", "r.csv")]
    assert {one["mistakes"] for one in judged} == {judged[0]["mistakes"]}
    assert 0 < judged[0]["mistakes"] < COUNT / 2
    for name in ("rows.csv", "rows.parquet", "r.csv"):
        run("train", name, "--label", "label", "--loss", "logistic", "--init", "m.json", "--table", "m.json", "-o", "next.json")
    (tmp_path / "other.csv").write_text("age,old,label\n50,true,yes\n40,false,no\n")
    run("evaluate", "other.csv", "-m", "m.json", code=3)
