"""Whatever layout, type or order arrays have: the answer of a dense float64 copy, or one of our errors."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import linsep
from linsep import _core

NIGHTLY = bool(os.environ.get("LINSEP_NIGHTLY"))
examples = settings(
    max_examples=1500 if NIGHTLY else 150, deadline=None, derandomize=not NIGHTLY, database=None
)

FLOATS = ["f4", "f8", "f2", ">f4", ">f8", "g"]
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"]


# Values whose sums are exact in every type, so that equal rows give equal weights to the last bit.
@st.composite
def tables(draw, types=(*FLOATS, *INTEGERS)):
    rows, columns = draw(st.integers(4, 12)), draw(st.integers(1, 6))
    dtype = np.dtype(draw(st.sampled_from(types)))
    least, most = {"b": (0, 1), "u": (0, 7)}.get(dtype.kind, (-7, 7))
    numbers = st.integers(least, most)
    cells = draw(st.lists(numbers, min_size=rows * columns, max_size=rows * columns))
    return np.array(cells, dtype=np.float64).reshape(rows, columns).astype(dtype)


def unaligned(x):
    memory = np.zeros(x.nbytes + 1, dtype=np.uint8)
    shifted = memory[1:].view(x.dtype).reshape(x.shape)
    shifted[...] = x
    return shifted


def among_others(x):
    wide = np.full((x.shape[0], x.shape[1] + 3), 9, dtype=x.dtype)
    wide[:, 1 : 1 + x.shape[1]] = x
    return wide[:, 1 : 1 + x.shape[1]]


def field_of_records(x):
    records = np.zeros(x.shape, dtype=[("tag", "u1"), ("value", x.dtype)])
    records["value"] = x
    return records["value"]


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


DENSE = {
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "columns among others": among_others,
    "every second row": lambda x: np.repeat(x, 2, axis=0)[::2],
    "every second column": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "rows backwards": lambda x: x[::-1].copy()[::-1],
    "columns backwards": lambda x: x[:, ::-1].copy()[:, ::-1],
    "unaligned": unaligned,
    "a field of records": field_of_records,
    "read-only": read_only,
    "a list of lists": lambda x: x.astype(np.float64).tolist(),
}


def places_of_rows(s, arrange):
    """Return the places of a CSR's values, row by row, each row's as `arrange` has them."""
    ends = zip(s.indptr[:-1], s.indptr[1:], strict=True)
    return np.concatenate([arrange(np.arange(first, end)) for first, end in ends]).astype(int)


def duplicated(x):
    s = sparse.csr_array(x.astype(np.float64))
    places = places_of_rows(s, lambda row: np.tile(row, 2))
    s.data, s.indices, s.indptr = s.data[places] / 2, s.indices[places], 2 * s.indptr
    return s


def unsorted(x, claim_sorted=False):
    s = sparse.csr_array(x.astype(np.float64))
    places = places_of_rows(s, lambda row: row[::-1])
    s.data, s.indices = s.data[places], s.indices[places]
    s.has_sorted_indices = s.has_canonical_format = claim_sorted
    return s


def with_columns(x, kind):
    s = sparse.csr_array(x)
    s.indices, s.indptr = s.indices.astype(kind), s.indptr.astype(kind)
    return s


def with_zeros_kept(x):
    s = sparse.csr_array(np.ones(x.shape))
    s.data = x.astype(np.float64).ravel().copy()
    return s


SPARSE = {
    "CSR, int32": lambda x: with_columns(x, np.int32),
    "CSR, int64": lambda x: with_columns(x, np.int64),
    "a CSR matrix": sparse.csr_matrix,
    "CSC": sparse.csc_array,
    "COO": sparse.coo_array,
    "LIL": sparse.lil_array,
    "zeros kept": with_zeros_kept,
    "unsorted": unsorted,
    "unsorted, said to be sorted": lambda x: unsorted(x, claim_sorted=True),
    "each value in two halves": duplicated,
}

LABELS = {
    "numbers": [-3, 8],
    "floats": [0.0, 1.0],
    "booleans": [False, True],
    "words": ["no", "yes"],
    "objects": np.array(["a", "b"], dtype=object),
    "three classes": [4, 5, 9],
}


@st.composite
def tasks(draw, table):
    x = draw(table)
    names = np.asarray(LABELS[draw(st.sampled_from(sorted(LABELS)))])
    place = np.arange(len(x)) % len(names)
    weight = draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(x), max_size=len(x)))
    return x, names[np.array(draw(st.permutations(place.tolist())))], weight


def same_answer(laid_out, plain, y, weight):
    """Of the perceptron to the last bit; means are divided, so theirs to rounding."""
    for made, more, off in [
        (linsep.Perceptron(max_iter=4, order="shuffled"), {}, 0),
        (linsep.BasicLinearClassifier(), {} if weight is None else {"sample_weight": weight}, 1e-13),
    ]:
        wanted = type(made)(**made.get_params()).fit(plain, y, **more)
        told = made.set_params(n_jobs=2).fit(laid_out, y, **more)
        np.testing.assert_array_equal(told.classes_, wanted.classes_)
        np.testing.assert_allclose(told.coef_, wanted.coef_, rtol=off, atol=off)
        np.testing.assert_allclose(
            told.decision_function(laid_out), told.decision_function(plain), rtol=1e-12, atol=1e-12
        )


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@examples
@given(layout=st.sampled_from(sorted(DENSE)), task=tasks(tables()))
def test_dense_rows_of_any_layout_give_the_answer_of_a_plain_copy(layout, task):
    x, y, weight = task
    laid_out = DENSE[layout](x)
    before = np.array(laid_out, copy=True)
    same_answer(laid_out, np.array(x, dtype=np.float64, order="C"), y, weight)
    np.testing.assert_array_equal(np.asarray(laid_out), before)


@examples
@given(layout=st.sampled_from(sorted(SPARSE)), task=tasks(tables(types=["f4", "f8"])))
def test_sparse_rows_of_any_layout_give_the_answer_of_a_dense_copy(layout, task):
    x, y, weight = task
    laid_out = SPARSE[layout](x)
    if laid_out.format == "csr":
        before = [a.copy() for a in (laid_out.data, laid_out.indices, laid_out.indptr)]
    same_answer(laid_out, np.array(x, dtype=np.float64, order="C"), y, weight)
    if laid_out.format == "csr":
        for array, copy in zip((laid_out.data, laid_out.indices, laid_out.indptr), before, strict=True):
            np.testing.assert_array_equal(array, copy)


def offset(at, value):
    def change(s):
        s.indptr = s.indptr.copy()
        s.indptr[at] = value

    return change


def column(value):
    def change(s):
        s.indices = s.indices.copy()
        s.indices[len(s.indices) // 2] = value

    return change


def entry(value):
    def change(s):
        s.data = s.data.copy()
        s.data[len(s.data) // 2] = value

    return change


def cut(name):
    def change(s):
        setattr(s, name, getattr(s, name)[:-1].copy())

    return change


BROKEN = {
    "a column too far": column(1000),
    "a column far beyond 32 bits": column(2**40),
    "a negative column": column(-1),
    "an offset past the end": offset(-1, 10**6),
    "an offset far past the end": offset(1, 2**62),
    "offsets that descend": offset(1, 10**4),
    "a negative offset": offset(0, -5),
    "a negative offset within": offset(2, -(2**60)),
    "a column less": cut("indices"),
    "a value less": cut("data"),
    "an offset less": cut("indptr"),
    "NaN": entry(np.nan),
    "infinity": entry(np.inf),
}


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("sorted_rows", [True, False])
def test_a_broken_csr_is_refused(fault, kind, sorted_rows):
    s = sparse.random_array((9, 7), density=0.6, format="csr", rng=np.random.default_rng(3))
    if not sorted_rows:
        s = unsorted(s.toarray())
    s.indices, s.indptr = s.indices.astype(kind), s.indptr.astype(kind)
    y = np.arange(9) % 2
    try:
        BROKEN[fault](s)
    except OverflowError:
        pytest.skip("the number doesn't fit into 32 bits")
    for estimator in (linsep.Perceptron(max_iter=2), linsep.MarginClassifier(max_iter=2)):
        with pytest.raises(ValueError):
            estimator.fit(s, y)
        assert not hasattr(estimator, "model_")
        with pytest.raises(ValueError):
            type(estimator)(max_iter=2).fit(np.eye(7), np.arange(7) % 2).predict(s)


@pytest.mark.parametrize(
    "weight", [[1, 1, -1, 1], [1, 1, np.nan, 1], [1, 1, np.inf, 1], [1, 1, 1], [0, 0, 0, 0]]
)
def test_impossible_weights_are_refused(weight):
    with pytest.raises(ValueError):
        linsep.MarginClassifier().fit(np.eye(4), [0, 1, 0, 1], sample_weight=weight)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_the_core_names_row_and_column_of_a_value_that_is_not_finite(value, dtype):
    x = np.ones((5, 3), dtype=dtype)
    x[3, 1] = value
    with pytest.raises(_core.Error, match="row 4, column 2"):
        _core.rows_of_dense(x)


def test_the_core_refuses_arrays_that_would_have_to_be_copied():
    x = np.ones((4, 3))
    for wrong in (
        x[0],
        x[:, ::2],
        x[::-1],
        np.asfortranarray(x),
        np.broadcast_to(x[0], (4, 3)),
        x.astype("i4"),
        x.astype(">f2"),
        unaligned(x),
        "text",
        None,
    ):
        with pytest.raises((_core.Error, TypeError)):
            _core.rows_of_dense(wrong)
    start, columns, values = np.array([0, 1, 2]), np.array([0, 1], dtype=np.int32), np.ones(2)
    assert _core.rows_of_csr(start, columns, values, 2).rows == 2
    for wrong in (
        (start.astype(np.int32), columns, values),
        (start, columns.astype(np.int16), values),
        (start, columns, values.astype(np.float16)),
        (start[::-1], columns, values),
        (start, np.repeat(columns, 2)[::2], values),
        (np.zeros(0, dtype=np.int64), columns, values),
        (start, columns[:1], values),
    ):
        with pytest.raises(_core.Error):
            _core.rows_of_csr(*wrong, 2)
    with pytest.raises((_core.Error, TypeError)):
        _core.rows_of_csr(start, columns, values, 2**32)


@pytest.mark.parametrize(
    "label",
    [np.array([1, -1, 0], "i1"), np.array([1.0, np.nan, -1]), np.array([1, -1], "i1"), np.ones(3, "i4")],
)
def test_the_core_refuses_impossible_labels(label):
    with pytest.raises(_core.Error):
        _core.rows_of_dense(np.ones((3, 2)), label=label, classes=["a", "b"])


def test_rows_keep_their_arrays_alive():
    def made():
        return _core.rows_of_dense(
            np.arange(60000.0).reshape(20000, 3),
            label=np.tile(np.array([1, -1], "i1"), 10000),
            classes=["a", "b"],
        )

    kept = made()
    again = [made() for _ in range(5)]
    model = _core.fit(kept, "basic", {}).model
    assert all(_core.fit(rows, "basic", {}).model == model for rows in again)


def test_a_copy_of_more_than_100_mb_is_told():
    x = np.zeros((110, 120_000), order="F")
    x[::2, 0] = 1
    with pytest.warns(linsep.CopyWarning, match="106 MB were copied: Fortran order became C order"):
        linsep.rows(x, np.arange(110) % 2)


def test_arrays_of_pandas_and_memory_maps_are_taken(tmp_path):
    pandas = pytest.importorskip("pandas")
    x = np.random.default_rng(0).normal(size=(40, 3))
    y = x[:, 0] > 0
    wanted = linsep.BasicLinearClassifier().fit(x, y).coef_
    np.save(tmp_path / "x.npy", x)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert np.array_equal(linsep.BasicLinearClassifier().fit(mapped, y).coef_, wanted)
    frame = pandas.DataFrame(x, columns=["a", "b", "c"])
    fitted = linsep.BasicLinearClassifier().fit(frame, pandas.Series(y))
    assert np.array_equal(fitted.coef_, wanted)
    assert fitted.model_.feature_names == ["a", "b", "c"]
