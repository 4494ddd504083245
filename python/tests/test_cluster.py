"""linsep.cluster: the rows of several processes give what one process makes of all of them."""

from __future__ import annotations

import os
import pickle
import signal
from pathlib import Path

import linsep
import numpy as np
import pytest
import workers
from linsep import cluster
from scipy import sparse
from sklearn.base import clone

pa = pytest.importorskip("pyarrow")


def data(rows=400, features=30, sparsely=True, classes=2, seed=3):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, features))
    y = np.argmax(X[:, :classes] + 0.8 * random.normal(size=(rows, classes)), axis=1)
    if sparsely:
        X[random.random(X.shape) < 0.8] = 0
        return sparse.csr_matrix(X), y
    return X, y


def share(comm, X, y, weight=None, bounds=None):
    """This worker's part, of uneven sizes, in two batches."""
    bounds = bounds or [len(y) * k * (k + 1) // (comm.size * (comm.size + 1)) for k in range(comm.size + 1)]
    begin, end = bounds[comm.rank], bounds[comm.rank + 1]
    middle = (begin + end) // 2
    for part in (slice(begin, middle), slice(middle, end)):
        yield (X[part], y[part]) if weight is None else (X[part], y[part], weight[part])


def fit_all(comm, cases):
    """The model of every case: an estimator, rows, and what `cluster.fit` is told besides."""
    made = {}
    for name, (estimator, rows, told) in cases.items():
        told = dict(told)
        batches = share(comm, *rows, bounds=told.pop("bounds", None))
        fitted = cluster.fit(clone(estimator), batches, comm, **told)
        made[name] = (fitted.model_.to_bytes(), fitted.classes_.tolist(), fitted.n_iter_)
    return made


def answered(answers):
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


def margin(**options):
    """With a solver for several workers, as the default is for them."""
    solver = "planes" if options.get("loss", "hinge") == "hinge" else "auto"
    return linsep.MarginClassifier(**{"n_jobs": 1, "solver": solver, **options})


def fit_cases():
    few, dense, many = data(), data(sparsely=False), data(classes=4)
    X, y = few
    words = np.array(["no", "yes"])[y]
    weight = np.random.default_rng(1).integers(0, 4, size=len(y)).astype(float)
    in_order = np.argsort(y, kind="stable")
    cases = {}
    for name, rows in {"sparse": few, "dense": dense, "four classes": many}.items():
        for loss in ("hinge", "squared_hinge", "logistic"):
            cases[f"{loss}, {name}"] = (margin(loss=loss), rows, {})
    cases["l1"] = (margin(loss="logistic", penalty="l1"), few, {})
    cases["balanced"] = (margin(class_weight="balanced"), few, {})
    cases["platt"] = (margin(probabilities="platt"), few, {})
    cases["words"] = (margin(), (X, words), {})
    cases["weights"] = (margin(), (X, y, weight), {})
    cases["float32"] = (margin(), (X.astype(np.float32), y), {})
    cases["no rows in the middle"] = (margin(), few, {"bounds": [0, 100, 100, len(y)]})
    cases["no rows at the ends"] = (margin(loss="logistic"), dense, {"bounds": [0, 0, len(y), len(y)]})
    cases["skewed"] = (margin(), few, {"bounds": [0, 1, len(y) - 2, len(y)]})
    cases["a class in a worker"] = (margin(), (X[in_order], y[in_order]), {})
    return cases


@pytest.fixture(scope="module")
def fitted():
    return answered(workers.run(3, fit_all, fit_cases()))


@pytest.mark.parametrize("name", fit_cases())
def test_the_same_bytes_as_one_process(fitted, name):
    estimator, rows, _ = fit_cases()[name]
    expected = clone(estimator).fit(*rows)
    for made in fitted:
        model, classes, passes = made[name]
        assert classes == expected.classes_.tolist()
        assert passes == expected.n_iter_
        assert model == expected.model_.to_bytes()


def test_one_worker_is_a_cluster_too():
    X, y = data()
    with cluster.connect(lambda text: [text], 0, 1) as comm:
        made = cluster.fit(margin(), (X, y), comm)
    assert made.model_.to_bytes() == margin().fit(X, y).model_.to_bytes()
    with pytest.raises(linsep.UsageError, match="closed"):
        comm.all_gather(b"")


def block(number, rows=10_000):
    """Sparse rows of 20 values each, made fast."""
    random = np.random.default_rng(number)
    column = (random.integers(0, 5, size=(rows, 20)) + 5 * np.arange(20)).astype(np.int32)
    value = random.normal(size=(rows, 20))
    X = sparse.csr_matrix((value.ravel(), column.ravel(), 20 * np.arange(rows + 1)), shape=(rows, 100))
    return X, (value[:, 0] + random.normal(size=rows) > 0).astype(int)


def in_pages(comm, folder, beyond):
    batches = (block(number) for number in (range(10) if comm.rank == 0 else range(10, 30)))
    resident = int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
    memory = resident + beyond if beyond else None
    shared = cluster.rows(batches, comm, memory=memory, pages=folder)
    nameless = [os.readlink(file) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    paged = any(name.startswith(str(folder)) and name.endswith("(deleted)") for name in nameless)
    return margin(loss="logistic", gap=0.05).fit(shared).model_.to_bytes(), paged


def test_rows_beyond_the_memory_stay_on_disk(tmp_path):
    blocks = [block(number) for number in range(30)]  # 78 MB, of which a worker has two thirds
    X, y = sparse.vstack([X for X, _ in blocks]), np.concatenate([y for _, y in blocks])
    expected = margin(loss="logistic", gap=0.05).fit(X, y).model_.to_bytes()
    assert answered(workers.run(2, in_pages, tmp_path, 64 << 20)) == [(expected, True)] * 2
    assert answered(workers.run(2, in_pages, tmp_path, 0)) == [(expected, False)] * 2
    assert os.listdir(tmp_path) == [], "the file has no name"


def others(comm, X, y):
    perceptron = cluster.fit(linsep.Perceptron(n_jobs=1, max_iter=3), share(comm, X, y), comm)
    least_squares = cluster.fit(linsep.LeastSquaresClassifier(n_jobs=1), share(comm, X, y), comm)
    return perceptron.model_.to_bytes(), least_squares.model_.to_bytes(), least_squares.coef_


def test_learners_whose_bits_depend_on_the_number_of_workers():
    first, second = answered(workers.run(2, others, *data()))
    assert first[:2] == second[:2]
    assert np.allclose(first[2], linsep.LeastSquaresClassifier().fit(*data()).coef_, rtol=1e-6)


def vectors(X, y, dense_every=3):
    """Rows as Spark hands them out: structs, some dense and some sparse."""
    X = sparse.csr_matrix(X)
    kinds = []
    for i in range(X.shape[0]):
        row = X[i]
        if dense_every and i % dense_every == 0:
            kinds.append({"type": 1, "size": None, "indices": None, "values": row.toarray()[0].tolist()})
        else:
            kinds.append({"type": 0, "size": X.shape[1], "indices": row.indices.tolist(), "values": row.data.tolist()})
    of_vector = pa.struct(
        [("type", pa.int8()), ("size", pa.int32()), ("indices", pa.list_(pa.int32())), ("values", pa.list_(pa.float64()))]
    )
    return pa.table({"features": pa.array(kinds, of_vector), "label": pa.array(y)})


@pytest.mark.parametrize("dense_every", [0, 1, 3])
def test_vectors_of_spark(dense_every):
    X, y = data(rows=120)
    expected = margin().fit(X.toarray() if dense_every == 1 else X, y).model_.to_bytes()
    table = vectors(X, y, dense_every)
    with cluster.connect(lambda text: [text], 0, 1) as comm:
        batches = table.slice(0, 50).to_batches() + table.slice(50).to_batches(max_chunksize=17)
        assert cluster.fit(margin(), batches, comm).model_.to_bytes() == expected
        assert cluster.fit(margin(), table, comm).model_.to_bytes() == expected
        reader = pa.RecordBatchReader.from_batches(table.schema, batches)
        assert cluster.fit(margin(), reader, comm).model_.to_bytes() == expected


def test_lists_and_columns():
    X, y = data(rows=120, features=4, sparsely=False)
    words = np.array(["b", "a"])[y]
    expected = margin().fit(X, words)
    columns = {f"x{k}": X[:, k] for k in range(4)}
    table = pa.table({**columns, "lists": pa.array(X.tolist()), "label": words, "truth": y == 1})
    with cluster.connect(lambda text: [text], 0, 1) as comm:
        of_lists = cluster.fit(margin(), table, comm, features="lists")
        of_columns = cluster.fit(margin(), table, comm, features=list(columns))
        of_truth = cluster.fit(margin(), table, comm, features="lists", label="truth")
    assert of_lists.model_.to_bytes() == expected.model_.to_bytes()
    assert of_columns.coef_.tolist() == expected.coef_.tolist()
    assert of_columns.feature_names_in_.tolist() == list(columns)
    assert of_truth.classes_.tolist() == [False, True]


@pytest.mark.parametrize(
    "break_it, told",
    [
        (lambda t: t.set_column(0, "features", pa.array([None] + t["features"].to_pylist()[1:], t["features"].type)), "has no value"),
        (lambda t: t.set_column(1, "label", pa.array([1.0, None] + [0.0] * (len(t) - 2))), "row 2: this row has no label"),
        (lambda t: t.set_column(1, "label", pa.array(["a", None] + ["b"] * (len(t) - 2))), "row 2: this row has no label"),
        (lambda t: t.set_column(0, "features", pa.array([[1.0, float("nan")]] + [[0.5, 2.0]] * (len(t) - 1))), "row 1, column 2"),
        (lambda t: t.set_column(0, "features", pa.array([[1.0], [1.0, 2.0]] * (len(t) // 2))), "a row has 1 features, and another 2"),
        (lambda t: t.set_column(0, "features", pa.array(["words"] * len(t))), "holds string"),
        (lambda t: t.drop_columns(["label"]), "there is no column 'label'"),
        (lambda t: t.slice(0, 0), "no worker has a row"),
        (lambda t: t.set_column(1, "label", pa.array([1] * len(t))), "all are of class 1"),
    ],
)
def test_what_is_missing_is_refused(break_it, told):
    with pytest.raises(linsep.LinsepError, match=told):
        with cluster.connect(lambda text: [text], 0, 1) as comm:
            cluster.fit(margin(), break_it(vectors(*data(rows=60))), comm)


def proofs(comm, cases):
    made = []
    for table, asked in cases:
        size = len(table) // comm.size + 1
        part = table.slice(comm.rank * size, size)
        certificate = cluster.certify(part, comm, features=["x0", "x1"], ids="name", asked=asked)
        made.append(pickle.dumps(certificate))
    return made


def test_the_same_certificate_as_of_one_process():
    random = np.random.default_rng(5)
    X = random.normal(size=(90, 2))
    scores, noise = np.column_stack([X, -X.sum(axis=1)]), random.normal(size=(90, 3))
    of_two = [X[:, 0] > 0.1, X[:, 0] + noise[:, 0] > 0]
    of_three = [np.argmax(scores, axis=1), np.argmax(scores + noise, axis=1), np.digitize(X[:, 0], [-0.5, 0.5])]
    asked = [(y, {}) for y in [*of_two, *of_three]] + [(y, {"against": k}) for y in of_three for k in (0, 1)]
    asked.append((of_three[1], {"against": 2, "mistakes": True, "coefficients": True}))
    cases, expected = [], []
    for y, question in asked:
        names = [f"row {k}" for k in range(90)]
        cases.append((pa.table({"x0": X[:, 0], "x1": X[:, 1], "label": y.astype(int), "name": names}), question))
        rows = linsep.rows(X, y.astype(int), feature_names=["x0", "x1"], ids=names)
        expected.append(linsep.certify(rows, seal="now", **question))
    for answer in answered(workers.run(3, proofs, cases)):
        for made, one in zip(map(pickle.loads, answer), expected, strict=True):
            assert made.to_json() == one.to_json()
            assert made == one
            assert made.witness.tolist() == one.witness.tolist()
    verdicts = [one.verdict for one in expected]
    assert verdicts[:5] == ["separable", "overlapping", "separable", "overlapping", "separable"]
    assert expected[1].witness["id"][0].startswith("row ")
    assert expected[3].jointly and expected[3].witness["rival"][0] in ("0", "1", "2")
    assert {one.against_the_rest for one in expected[5:]} == {"0", "1", "2"}


def bad_row(comm, X, y):
    X = X.toarray()
    if comm.rank == 1:
        X[3, 2] = np.inf
    cluster.fit(margin(), (X, y), comm)


def test_a_bad_row_is_the_same_error_on_all_workers():
    for error in workers.run(2, bad_row, *data(rows=40)):
        assert isinstance(error, linsep.InputError)
        assert "the rows of worker 1" in str(error) and "row 4, column 3" in str(error)


def other_columns(comm, X, y):
    cluster.fit(margin(), (X[:, : 30 - comm.rank], y), comm)


def test_workers_that_have_different_columns():
    for error in workers.run(2, other_columns, *data(rows=40)):
        assert isinstance(error, linsep.InputError)
        assert "the rows of worker 1 differ from those of worker 0: features 29 instead of 30" in str(error)


def raising(comm, X, y):
    if comm.rank == 1:
        raise RuntimeError("the disk is full")
    cluster.fit(margin(), (X, y), comm)


def test_a_failure_names_the_worker():
    first, second = workers.run(2, raising, *data(rows=40))
    assert isinstance(first, linsep.SystemFailure)
    assert "worker 1 failed: RuntimeError: the disk is full" in str(first)
    assert isinstance(second, RuntimeError)


def killed(comm, X, y):
    rows = cluster.rows((X, y), comm)
    if comm.rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    cluster.bare_passes(rows, 1_000_000, 10)


def test_a_killed_worker_is_named():
    first, second = workers.run(2, killed, *data(rows=40))
    assert second is None
    assert isinstance(first, linsep.SystemFailure) and "worker 1" in str(first)


def ports_in_use(comm):
    """The ports of this process's connections: its own ends and the others'."""
    import re

    own = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")}
    inodes = {found[1] for link in own if (found := re.match(r"socket:\[(\d+)\]", link))}
    ports = []
    for line in open("/proc/self/net/tcp").read().splitlines()[1:]:
        fields = line.split()
        if fields[9] in inodes:
            ports.append({int(fields[1].split(":")[1], 16), int(fields[2].split(":")[1], 16)})
    return ports


def test_ports():
    for ports in answered(workers.run(3, ports_in_use, ports=(28400, 28430))):
        assert len(ports) >= 4, "two connections with each of the others"
        assert all(any(28400 <= port <= 28430 for port in ends) for ends in ports)
    errors = workers.run(2, ports_in_use, ports="28400-28401")  # two for each would be needed
    assert any(isinstance(error, linsep.SystemFailure) and "from 28400 to 28401" in str(error) for error in errors)
    with pytest.raises(linsep.UsageError, match="20000-20100"):
        cluster.connect(lambda text: [text] * 2, 0, 2, ports="all")


def test_versions_must_be_the_same():
    def all_gather(mine):
        return [mine, mine.replace(cluster.VERSION, "0.0.1")]

    with pytest.raises(linsep.UsageError, match="worker 1 has 0.0.1"):
        cluster.connect(all_gather, 0, 2)


def interrupted(comm, X, y, path, kill):
    """Trains with a checkpoint after each pass; worker 1 is killed in the midst."""
    estimator = margin(loss="logistic", gap=1e-9)

    def observe(record):
        if kill and comm.rank == 1 and record["pass_ended"] and record["pass"] >= 4:
            os.kill(os.getpid(), signal.SIGKILL)

    rows = cluster.rows(share(comm, X, y), comm)
    options = {name: value for name, value in estimator._core_options().items() if name != "probabilities"}
    outcome = linsep._core.fit(
        rows._core, "margin", options, observe=observe, checkpoint=str(path), every="1", threads=1
    )
    return outcome.model.to_bytes(), outcome.notes


def test_a_run_resumes_from_its_checkpoint(tmp_path):
    X, y = data(rows=3000)
    expected = margin(loss="logistic", gap=1e-9).fit(X, y).model_.to_bytes()
    first, second = workers.run(2, interrupted, X, y, tmp_path / "state", True)
    assert isinstance(first, linsep.LinsepError | linsep._core.Error) and second is None
    assert os.listdir(tmp_path)
    resumed = answered(workers.run(2, interrupted, X, y, tmp_path / "state", False))
    assert "the run resumes after pass" in resumed[0][1][0]
    assert [model for model, _ in resumed] == [expected] * 2


def patients(rows):
    random = np.random.default_rng(7)
    age = random.normal(50, 15, size=rows).round(1)
    ward = np.array(["a", "b", "c", "d"])[random.integers(0, 4, size=rows)]
    ill = np.where(age + 10 * (ward == "b") + 10 * random.normal(size=rows) > 55, "ill", "well")
    ages = pa.array([None if k % 11 == 0 else value for k, value in enumerate(age)], pa.float64())
    return pa.table({"age": ages, "ward": ward, "note": ward, "state": ill})


def encode(comm, table, bounds):
    begin, end = bounds[comm.rank], bounds[comm.rank + 1]
    batches = table.slice(begin, end - begin).to_batches(max_chunksize=97)
    fitted = cluster.fit(margin(loss="logistic"), batches, comm, features=["age", "ward"], label="state")
    return fitted.model_.to_bytes(), fitted.classes_.tolist(), fitted.predict(table.select(["ward", "age"])).tolist()


@pytest.mark.parametrize("bounds", [[0, 500, 1200], [0, 0, 1200], [0, 3, 1200]])
def test_raw_columns_are_encoded_as_in_one_process(bounds):
    table = patients(1200)
    expected = margin(loss="logistic").fit(linsep.scan(table.drop_columns(["note"]), label="state"))
    for model, classes, predicted in answered(workers.run(2, encode, table, bounds)):
        assert model == expected.model_.to_bytes()
        assert classes == ["ill", "well"]
        assert predicted == expected.predict(table.select(["age", "ward"])).tolist()
