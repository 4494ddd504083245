"""L1 and elastic-net penalties: weights of exactly 0, scikit-learn's optimum, a proven gap, helpful errors."""

import pickle

import linsep
import numpy as np
import pytest
import sklearn.linear_model
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

GAP = 1e-6
LOSSES = {
    "logistic": lambda margin: np.logaddexp(0, -margin),
    "squared_hinge": lambda margin: np.maximum(0, 1 - margin) ** 2,
}


def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def objective(X, y, estimator, loss, C, ratio, weight=None):
    """Mean loss + λ·penalty, worked out from the coefficients alone."""
    weight = np.ones(len(y)) if weight is None else weight
    theta = np.ravel(estimator.coef_)
    margin = np.where(y == np.max(y), 1, -1) * (X @ theta + np.ravel(estimator.intercept_)[0])
    penalty = ratio * np.abs(theta).sum() + (1 - ratio) / 2 * theta @ theta
    return (C * (weight * LOSSES[loss](margin)).sum() + penalty) / (C * weight.sum())


def saga(C, ratio, **more):
    return sklearn.linear_model.LogisticRegression(
        C=C, l1_ratio=ratio, solver="saga", tol=1e-7, max_iter=100_000, **more
    )


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.1])
def test_the_optimum_is_sagas(C, ratio):
    X, y = cancer()
    theirs = objective(X, y, saga(C, ratio).fit(X, y), "logistic", C, ratio)
    for ours in (
        linsep.MarginClassifier(loss="logistic", penalty="elasticnet", l1_ratio=ratio, C=C, gap=GAP),
        linsep.LogisticRegression(penalty="elasticnet", l1_ratio=ratio, C=C, tol=GAP),
        linsep.LogisticRegression(l1_ratio=ratio, C=C, tol=GAP),
    ):
        ours.fit(X, y)
        mine = objective(X, y, ours, "logistic", C, ratio)
        assert ours.gap_ <= GAP
        assert mine == pytest.approx(ours.objective_, rel=1e-9)
        assert mine * (1 - ours.gap_) <= theirs, "the proven lower bound"
        assert mine <= theirs * (1 + GAP)


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_through_the_origin_the_optimum_is_liblinears(C, loss):
    X, y = cancer()
    how = {"C": C, "fit_intercept": False, "tol": 1e-8, "max_iter": 100_000}
    if loss == "logistic":
        theirs = sklearn.linear_model.LogisticRegression(l1_ratio=1, solver="liblinear", **how).fit(X, y)
    else:
        theirs = LinearSVC(penalty="l1", loss="squared_hinge", dual=False, **how).fit(X, y)
    ours = linsep.MarginClassifier(loss=loss, penalty="l1", C=C, gap=GAP, fit_intercept=False).fit(X, y)
    wanted = objective(X, y, theirs, loss, C, 1)
    assert ours.objective_ * (1 - ours.gap_) <= wanted
    assert ours.objective_ <= wanted * (1 + GAP)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=0.02)


def test_most_weights_are_exactly_0_and_a_stronger_penalty_leaves_fewer():
    X, y = cancer()
    counts = [
        np.count_nonzero(linsep.MarginClassifier(loss="logistic", penalty="l1", C=C).fit(X, y).coef_)
        for C in (10.0, 0.1, 0.01, 1e-4)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[1] < X.shape[1] / 2
    assert counts[-1] == 0
    assert np.count_nonzero(linsep.MarginClassifier(loss="logistic", C=0.01).fit(X, y).coef_) == X.shape[1]


@pytest.mark.parametrize("ratio", [1.0, 0.3])
def test_sparse_rows_weights_of_rows_and_of_classes(ratio):
    rng = np.random.default_rng(3)
    dense = rng.normal(size=(300, 60)) * (rng.random((300, 60)) < 0.2)
    y = (dense[:, 0] - dense[:, 1] + 0.3 * rng.normal(size=300) > 0).astype(int)
    weight = rng.integers(0, 4, 300).astype(float)
    how = {"C": 0.5, "l1_ratio": ratio}
    ours = linsep.LogisticRegression(tol=GAP, **how).fit(sparse.csr_matrix(dense), y, sample_weight=weight)
    again = linsep.LogisticRegression(tol=GAP, **how).fit(dense, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, again.coef_, atol=1e-12)
    theirs = saga(0.5, ratio).fit(dense, y, sample_weight=weight)
    assert ours.objective_ <= objective(dense, y, theirs, "logistic", 0.5, ratio, weight) * (1 + GAP)
    balanced = linsep.LogisticRegression(tol=GAP, class_weight={0: 2.0, 1: 0.5}, **how).fit(dense, y)
    theirs = saga(0.5, ratio, class_weight={0: 2.0, 1: 0.5}).fit(dense, y)
    classes = np.where(y == 0, 2.0, 0.5)
    assert balanced.objective_ <= objective(dense, y, theirs, "logistic", 0.5, ratio, classes) * (1 + GAP)


def test_the_ways_to_say_the_same_give_the_same_bits():
    X, y = cancer()

    def weights(**how):
        return linsep.MarginClassifier(loss="logistic", **how).fit(X, y).coef_

    np.testing.assert_array_equal(weights(penalty="l1"), weights(l1_ratio=1))
    np.testing.assert_array_equal(weights(penalty="l1"), weights(penalty="elasticnet", l1_ratio=1))
    np.testing.assert_array_equal(weights(penalty="l1"), weights(penalty="l1", l1_ratio=1))
    np.testing.assert_array_equal(weights(penalty="elasticnet"), weights(l1_ratio=0.5))
    np.testing.assert_array_equal(weights(), weights(penalty="elasticnet", l1_ratio=0))
    np.testing.assert_array_equal(weights(), weights(l1_ratio=0.0))


@pytest.mark.parametrize("kind", [linsep.MarginClassifier, linsep.MarginClassifierCV, linsep.LogisticRegression])
def test_mistakes_say_what_to_do(kind):
    X, y = [[0.0], [1.0]] * 5, [0, 1] * 5
    with pytest.raises(linsep.UsageError, match="'penalty' can't be None.*a large 'C'"):
        kind(penalty=None).fit(X, y)
    for ratio in (0, 0.5):
        with pytest.raises(linsep.UsageError, match=r"leave out 'l1_ratio', or use penalty=\"elasticnet\"") as caught:
            kind(penalty="l1", l1_ratio=ratio).fit(X, y)
        assert caught.value.options == ("penalty", "l1_ratio")
    with pytest.raises(ValueError, match="'penalty' parameter of .* must be .*'elasticnet'"):
        kind(penalty="lasso").fit(X, y)
    with pytest.raises(ValueError, match=r"'l1_ratio' parameter of .* in the range \[0.0, 1.0\]|\[0, 1\]"):
        kind(penalty="elasticnet", l1_ratio=1.5).fit(X, y)


def test_a_solver_without_an_l1_part_is_refused_by_name():
    with pytest.raises(linsep.UsageError, match="'solver' newton.*"):
        linsep.MarginClassifier(loss="logistic", penalty="l1", solver="newton").fit([[0.0], [1.0]], [0, 1])


def test_clones_grids_and_pipelines_know_the_penalty(tmp_path):
    X, y = cancer()
    estimator = linsep.LogisticRegression(penalty="elasticnet", l1_ratio=0.25)
    assert clone(estimator).get_params() == estimator.get_params()
    assert estimator.get_params()["l1_ratio"] == 0.25
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), linsep.LogisticRegression(penalty="elasticnet")),
        {"logisticregression__l1_ratio": [0.0, 0.5, 1.0], "logisticregression__C": [0.01, 0.1]},
        cv=3,
    ).fit(X, y)
    assert grid.best_score_ > 0.9
    fitted = grid.best_estimator_[-1]
    fitted.model_.save(tmp_path / "model")
    np.testing.assert_array_equal(linsep.load(tmp_path / "model").coef_, fitted.coef_)


def test_cross_validation_takes_the_penalty():
    X, y = cancer()
    found = linsep.MarginClassifierCV(loss="logistic", penalty="l1", alphas=[0.3, 0.03, 0.003], cv=3).fit(X, y)
    one = linsep.MarginClassifier(loss="logistic", penalty="l1", alpha=found.alpha_, gap=GAP).fit(X, y)
    assert found.objective_ <= one.objective_ * (1 + 1e-3)
    assert found.solver_ == one.solver_ == "working-set"
    assert 0 < np.count_nonzero(found.coef_) < X.shape[1]


@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_several_classes_together_are_sagas(ratio):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    theirs = saga(0.1, ratio).fit(X, y)
    ours = linsep.LogisticRegression(C=0.1, l1_ratio=ratio, tol=GAP).fit(X, y)

    def value(estimator):
        scores = X @ estimator.coef_.T + estimator.intercept_
        loss = logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]
        penalty = ratio * np.abs(estimator.coef_).sum() + (1 - ratio) / 2 * (estimator.coef_**2).sum()
        return loss.mean() + penalty / (0.1 * len(y))

    assert value(ours) * (1 - GAP) <= value(theirs)
    assert value(ours) <= value(theirs) * (1 + GAP)
    assert np.count_nonzero(ours.coef_) < ours.coef_.size


def test_grouped_features_are_in_every_class_or_in_none():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    found = linsep.LogisticRegression(C=0.03, penalty="l1", group_features=True).fit(X, y)
    used = np.count_nonzero(found.coef_, axis=0)
    assert set(used) == {0, 3}
    with pytest.raises(linsep.UsageError, match="'group_features' needs 'penalty'"):
        linsep.LogisticRegression(group_features=True).fit(X, y)


def test_several_classes_are_each_against_the_rest():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    y = np.argmax(X[:, :3], axis=1)
    found = linsep.MarginClassifier(loss="logistic", penalty="l1", C=0.1, gap=GAP).fit(X, y)
    for k in range(3):
        alone = linsep.MarginClassifier(loss="logistic", penalty="l1", C=0.1, gap=GAP).fit(X, y == k)
        np.testing.assert_allclose(found.coef_[k], alone.coef_[0], atol=1e-3)
    assert np.all(np.count_nonzero(found.coef_, axis=1) < 20)


def drawn(rows=400, features=40):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(rows, features))
    return X, X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=rows) > 0


@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_the_path_begins_where_every_weight_is_0_and_holds_every_classifier(ratio):
    X, y = drawn()
    search = linsep.MarginClassifierCV(loss="logistic", l1_ratio=ratio, cv=3).fit(X, y)
    assert len(search.path_) == 100
    assert search.path_["alpha"][0] / search.path_["alpha"][-1] == pytest.approx(100)
    slopes = X.T @ (y - y.mean()) / len(y)
    assert search.path_["alpha"][0] == pytest.approx(np.abs(slopes).max() / ratio)
    assert search.coef_path_.shape == (100, 40)
    assert search.intercept_path_.shape == (100,)
    np.testing.assert_array_equal(search.path_["features"], np.count_nonzero(search.coef_path_, axis=1))
    assert search.path_["features"][0] == 0
    np.testing.assert_array_equal(search.coef_path_[search.chosen_], search.coef_[0])
    assert search.intercept_path_[search.chosen_] == search.intercept_[0]
    again = pickle.loads(pickle.dumps(search))
    np.testing.assert_array_equal(again.coef_path_, search.coef_path_)


def test_one_standard_error_and_a_number_of_features_leave_fewer():
    X, y = drawn()
    how = {"loss": "logistic", "penalty": "l1", "cv": 5}
    best = linsep.MarginClassifierCV(**how).fit(X, y)
    simple = linsep.MarginClassifierCV(one_se=True, **how).fit(X, y)
    few = linsep.MarginClassifierCV(features=2, **how).fit(X, y)
    assert simple.alpha_ > best.alpha_
    assert np.count_nonzero(simple.coef_) < np.count_nonzero(best.coef_)
    assert np.count_nonzero(few.coef_) <= 2
    with pytest.raises(linsep.UsageError, match="'features' needs a penalty"):
        linsep.MarginClassifierCV(features=2).fit(X, y)


def test_a_path_of_several_classes_has_a_classifier_of_each():
    X, _ = drawn(300, 12)
    y = np.argmax(X[:, :3], axis=1)
    search = linsep.MarginClassifierCV(loss="logistic", penalty="l1", alphas="0.2:0.01:5", cv=2).fit(X, y)
    shape = (len(search.path_), 3, 12)
    assert search.coef_path_.shape == shape and search.intercept_path_.shape == shape[:2]
    np.testing.assert_array_equal(search.coef_path_[search.chosen_], search.coef_)
    used = np.any(search.coef_path_ != 0, axis=1)
    np.testing.assert_array_equal(search.path_["features"], used.sum(axis=1))


def test_without_an_l1_part_there_is_no_path_of_weights():
    X, y = drawn(60, 3)
    search = linsep.MarginClassifierCV(alphas=[0.1, 0.01], cv=2).fit(X, y)
    with pytest.raises(AttributeError, match="'coef_path_': it is kept when the penalty has an L1 part"):
        search.coef_path_  # noqa: B018
    assert not hasattr(search, "proven_zeros_")
    assert search.path_["features"].tolist() == [3, 3]


def test_zeros_that_are_proven_are_zeros_of_the_optimum():
    X, y = drawn()
    rough = linsep.LogisticRegression(penalty="l1", C=0.1, tol=1e-4).fit(X, y)
    exact = linsep.LogisticRegression(penalty="l1", C=0.1, tol=1e-12).fit(X, y)
    assert rough.proven_zeros_.shape == rough.coef_.shape
    assert 0 < rough.proven_zeros_.sum() <= exact.proven_zeros_.sum() <= np.sum(exact.coef_ == 0)
    assert not np.any(exact.coef_[rough.proven_zeros_])
    assert not hasattr(linsep.LogisticRegression().fit(X, y), "proven_zeros_")


@pytest.mark.parametrize("how", [{"penalty": "l1"}, {"penalty": "elasticnet"}, {"l1_ratio": 0.25}, {"l1_ratio": 1.0}], ids=str)
def test_a_model_file_knows_the_penalty_and_what_is_proven(how, tmp_path):
    X, y = drawn()
    fitted = linsep.MarginClassifier(loss="logistic", C=0.1, **how).fit(X, y)
    fitted.model_.save(tmp_path / "model")
    found = linsep.load(tmp_path / "model")
    assert found.get_params() == fitted.get_params()
    np.testing.assert_array_equal(found.proven_zeros_, fitted.proven_zeros_)
    np.testing.assert_array_equal(found.fit(X, y).coef_, fitted.coef_)


def test_the_path_is_drawn_with_the_number_of_features_on_top():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from linsep import plot

    X, y = drawn()
    search = linsep.MarginClassifierCV(loss="logistic", penalty="l1", cv=3).fit(X, y)
    display = plot.PathDisplay.from_estimator(search)
    (upper,) = display.ax_.child_axes
    assert upper.get_xlabel() == "features with a weight"
    display.figure_.canvas.draw()
    shown = [tick.get_text() for tick in upper.get_xticklabels()]
    assert shown[-1] == "0" or shown[0] == "0"
    assert str(search.path_["features"][-1]) in shown
    assert display.ax_.get_title(loc="left").endswith(f"{np.count_nonzero(search.coef_)} features")


@pytest.mark.parametrize("how", [{"penalty": "l1"}, {"l1_ratio": 1}, {"penalty": "l1", "l1_ratio": None}], ids=str)
def test_features_can_be_selected_by_an_l1_penalty(how):
    from sklearn.feature_selection import SelectFromModel

    X = np.random.default_rng(0).normal(size=(60, 4))
    y = X[:, 0] > 0
    if how.get("l1_ratio", 1) is not None:
        chosen = SelectFromModel(linsep.LogisticRegression(C=0.3, **how)).fit(X, y)
        assert chosen.threshold_ == 1e-5
        np.testing.assert_array_equal(chosen.get_support(), chosen.estimator_.coef_[0] != 0)
    assert np.isnan(linsep.LogisticRegression().l1_ratio)
    wanted = linsep.LogisticRegression(C=0.3, penalty="l1").fit(X, y).coef_
    np.testing.assert_array_equal(linsep.LogisticRegression(C=0.3, **how).fit(X, y).coef_, wanted)
