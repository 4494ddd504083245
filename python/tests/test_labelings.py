"""Several labelings of the same rows in one fit: the columns of a matrix, of which a 0 beside signs is no label."""

import pickle

import numpy as np
import pytest

import linsep

RNG = np.random.default_rng(11)
X = RNG.normal(size=(300, 40)).astype(np.float32)
SIGNS = np.where(X @ RNG.normal(size=(40, 4)) + 3 * RNG.normal(size=(300, 4)) > 0, 1, -1)
GAPS = np.where(RNG.random(SIGNS.shape) < 0.3, 0, SIGNS)

ESTIMATORS = [
    linsep.MarginClassifier(),
    linsep.MarginClassifier(loss="logistic"),
    linsep.MarginClassifier(loss="squared_hinge", n_jobs=2, copy_X=False),
    linsep.MarginClassifier(loss="logistic", penalty="l1"),
]


def fresh(estimator, **changed):
    return type(estimator)(**{**estimator.get_params(), **changed})


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("x", [X, X.astype(np.float16), X.astype(np.float64)], ids=["float32", "float16", "float64"])
def test_each_is_trained_as_if_alone(estimator, x):
    fitted = fresh(estimator).fit(x, GAPS)
    assert fitted.coef_.shape == (4, 40)
    assert fitted.gap_.shape == fitted.intercept_.shape == (4,)
    for k in range(4):
        known = GAPS[:, k] != 0
        alone = fresh(estimator).fit(x, SIGNS[:, k], sample_weight=known.astype(float))
        assert np.array_equal(fitted.coef_[k], alone.coef_[0])
        assert fitted.intercept_[k] == alone.intercept_[0]
        # And as if the other rows weren't there, to what the gap allows.
        fewer = fresh(estimator, gap=1e-6).fit(x[known], SIGNS[known, k])
        assert fitted.objective_[k] == pytest.approx(fewer.objective_, rel=1.1e-3)
        assert np.array_equal(fitted.decision_function(x)[:, k], alone.decision_function(x))


def test_predictions_have_the_classes_of_the_matrix():
    for y in (SIGNS, GAPS, (SIGNS > 0).astype(int), SIGNS > 0, SIGNS.astype(float)):
        fitted = linsep.MarginClassifier(loss="logistic").fit(X, y)
        predicted = fitted.predict(X)
        assert predicted.shape == y.shape
        assert predicted.dtype == y.dtype
        assert len(fitted.classes_) == 4
        assert fitted.classes_[0].tolist() == ([-1, 1] if (y == -1).any() else [0, 1])
        positive = fitted.decision_function(X) >= 0
        assert np.array_equal(predicted == 1, positive)
        known = y != 0 if (y == -1).any() else np.ones_like(positive)
        assert fitted.score(X, y) == pytest.approx(np.mean((predicted == y)[known]))
        assert np.array_equal(fitted.predict_proba(X) >= 0.5, positive)


def test_rows_and_a_file_give_the_same_bits(tmp_path):
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "Y.npy", GAPS)
    ours = linsep.MarginClassifier(loss="logistic").fit(X, GAPS)
    made = linsep.rows(X, GAPS)
    scanned = linsep.scan(tmp_path / "X.npy", labels=str(tmp_path / "Y.npy"))
    for rows in (made, scanned):
        same = linsep.MarginClassifier(loss="logistic").fit(rows)
        assert np.array_equal(same.coef_, ours.coef_)
        assert [pair.tolist() for pair in same.classes_] == [[-1, 1]] * 4
        assert same.score(rows) == ours.score(X, GAPS)


def test_a_frame_names_its_labelings():
    pandas = pytest.importorskip("pandas")
    y = pandas.DataFrame(SIGNS, columns=["noun", "verb", "plural", "past"])
    assert linsep.MarginClassifier().fit(X, y).model_._core.labels == ["noun", "verb", "plural", "past"]


def test_an_estimator_is_pickled_and_started_from():
    fitted = linsep.MarginClassifier(loss="logistic", warm_start=True).fit(X, GAPS)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict(X), fitted.predict(X))
    assert np.max(again.fit(X, GAPS).gap_) <= 1e-3
    with pytest.raises(ValueError, match="warm_start"):
        again.fit(X, GAPS[:, :3])


def test_a_column_vector_is_one_labeling():
    with pytest.warns(Warning, match="column-vector"):
        assert linsep.MarginClassifier().fit(X, SIGNS[:, :1]).coef_.shape == (1, 40)


def test_what_cannot_be_labelings_is_refused():
    fit = linsep.MarginClassifier().fit
    with pytest.raises(ValueError, match="must hold -1 and 1, and 0 for no label; or 0 and 1"):
        fit(X, SIGNS + 5)
    with pytest.raises(ValueError, match="must hold -1 and 1"):
        fit(X, np.where(SIGNS > 0, "yes", "no"))
    with pytest.raises(ValueError, match="column 2 of y needs rows of both classes, but there is no -1"):
        fit(X, np.where(np.arange(4) == 2, np.abs(GAPS), GAPS))
    with pytest.raises(ValueError, match="y has no label in row .*in several columns 0 says that a row has none"):
        fit(X, np.where(GAPS == 0, np.nan, GAPS))
    with pytest.raises(linsep.UsageError, match="class_weight"):
        linsep.MarginClassifier(class_weight="balanced").fit(X, SIGNS)
    with pytest.raises(linsep.UsageError, match="distances"):
        fit(X, SIGNS).distances(X, SIGNS[:, 0])
    with pytest.raises(linsep.UsageError, match="one label per row"):
        linsep.certify(linsep.rows(X, SIGNS))
    with pytest.raises(ValueError, match="1d array"):
        linsep.Perceptron().fit(X, SIGNS)
    with pytest.raises(ValueError, match=r"shape \(300, 4\)"):
        fit(X, SIGNS).score(X, SIGNS[:, 0])
