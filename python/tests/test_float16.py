"""Arrays of float16 and bfloat16: no copy, and to the last bit what float32 of the same values gives."""

import numpy as np
import pytest

import linsep

RNG = np.random.default_rng(3)
HALF = RNG.normal(size=(600, 40)).astype(np.float16)
SINGLE = HALF.astype(np.float32)
TWO = np.where(SINGLE @ RNG.normal(size=40) + RNG.normal(size=600) > 0, "yes", "no")
FOUR = np.digitize(SINGLE @ RNG.normal(size=40), [-4, 0, 4])

ESTIMATORS = [
    linsep.MarginClassifier(),
    linsep.MarginClassifier(copy_X=False),
    linsep.MarginClassifier(loss="logistic", n_jobs=2),
    linsep.MarginClassifier(loss="softmax"),
    linsep.Perceptron(max_iter=5),
]


@pytest.mark.filterwarnings("ignore:Perceptron stopped")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("y", [TWO, FOUR], ids=["two classes", "four"])
def test_models_and_scores_are_those_of_float32(estimator, y):
    if y is TWO and estimator.get_params().get("loss") == "softmax":
        pytest.skip("of two classes the loss is called logistic")
    half, single = (type(estimator)(**estimator.get_params()).fit(x, y) for x in (HALF, SINGLE))
    assert np.array_equal(half.coef_, single.coef_)
    assert np.array_equal(half.intercept_, single.intercept_)
    for x in (HALF, HALF[::3], HALF[:1]):
        assert np.array_equal(half.decision_function(x), single.decision_function(x.astype(np.float32)))
        assert np.array_equal(half.predict(x), single.predict(x.astype(np.float32)))


def test_rows_and_proofs_are_those_of_float32():
    for x in (HALF[:60], HALF):  # separable, and not
        half, single = (linsep.certify(linsep.rows(rows, TWO[: len(x)])) for rows in (x, x.astype(np.float32)))
        assert half.verdict == single.verdict
        assert half.to_json() == single.to_json()


def test_subnormal_numbers_and_the_greatest_count():
    x = np.array([[6e-8], [-6e-8], [65504], [-65504]], dtype=np.float16)
    y = [1, 0, 1, 0]
    made = linsep.rows(x, y)
    assert made.rows == 4
    halves, singles = (linsep.Perceptron(max_iter=3).fit(v, y).coef_ for v in (x, x.astype(np.float32)))
    assert np.array_equal(halves, singles)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused_by_row_and_column(wrong):
    x = HALF.copy()
    x[17, 2] = wrong
    for use in (lambda: linsep.MarginClassifier().fit(x, TWO), lambda: linsep.rows(x, TWO)):
        with pytest.raises(ValueError, match="row 18, column 3: (NaN|infinity) is not a finite number"):
            use()


def test_changed_arrays_are_refused():
    x = HALF.copy()
    made = linsep.rows(x, TWO)
    x[3, 3] += 1
    with pytest.raises(linsep.InputError, match="changed"):
        linsep.MarginClassifier().fit(made)


def bfloat16_of(single):
    """The bits of the nearest bfloat16 toward 0, and their values as float32."""
    bits = (single.view(np.uint32) >> 16).astype(np.uint16)
    return bits, (bits.astype(np.uint32) << 16).view(np.float32)


def test_bits_viewed_as_v2_are_bfloat16(tmp_path):
    bits, single = bfloat16_of(SINGLE)
    half = bits.view("V2")
    for estimator in (linsep.MarginClassifier(), linsep.MarginClassifier(loss="logistic")):
        ours, same = (type(estimator)(**estimator.get_params()).fit(x, TWO) for x in (half, single))
        assert np.array_equal(ours.coef_, same.coef_)
        assert np.array_equal(ours.decision_function(half[::2]), same.decision_function(single[::2]))
    assert linsep.certify(half, TWO).to_json() == linsep.certify(single, TWO).to_json()
    np.save(tmp_path / "X.npy", half)  # what is saved without a type of its own is read as bfloat16
    assert np.array_equal(linsep.MarginClassifier().fit(np.load(tmp_path / "X.npy"), TWO).coef_,
                          linsep.MarginClassifier().fit(single, TWO).coef_)


def test_arrays_of_ml_dtypes_are_bfloat16(tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = SINGLE.astype(ml_dtypes.bfloat16)
    ours = linsep.MarginClassifier().fit(x, TWO)
    assert np.array_equal(ours.coef_, linsep.MarginClassifier().fit(x.astype(np.float32), TWO).coef_)
    np.save(tmp_path / "X.npy", x)
    np.save(tmp_path / "y.npy", (TWO == "yes").astype(int))
    scanned = linsep.scan(tmp_path / "X.npy", label=str(tmp_path / "y.npy"))
    assert np.array_equal(linsep.MarginClassifier().fit(scanned).coef_, ours.coef_)
    safetensors = pytest.importorskip("safetensors.numpy")
    safetensors.save_file({"X": x, "y": (TWO == "yes").astype(int)}, tmp_path / "data.safetensors")
    path = str(tmp_path / "data.safetensors")
    scanned = linsep.scan(path + ":X", label=path + ":y")
    assert np.array_equal(linsep.MarginClassifier().fit(scanned).coef_, ours.coef_)


def test_nothing_is_copied():
    x = HALF.copy()
    x.flags.writeable = False
    before = x.tobytes()
    made = linsep.rows(x, TWO)
    assert made._core.in_memory
    linsep.MarginClassifier(loss="logistic").fit(made)
    assert x.tobytes() == before
