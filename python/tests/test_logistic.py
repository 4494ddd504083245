"""LogisticRegression: scikit-learn's coefficients and probabilities, with a proven gap."""

import linsep
import numpy as np
import pytest
import sklearn.linear_model
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def scaled(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine])
@pytest.mark.parametrize(
    "more", [{}, {"C": 0.05}, {"class_weight": "balanced"}, {"class_weight": {0: 3.0, 1: 0.5, 2: 1.0}},
             {"fit_intercept": False}], ids=str
)
def test_coefficients_and_probabilities_are_scikit_learns(load, more):
    X, y = scaled(load)
    if len(np.unique(y)) == 2 and isinstance(more.get("class_weight"), dict):
        more = {"class_weight": {0: 3.0, 1: 0.5}}
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-10, max_iter=100000, **more).fit(X, y)
    ours = linsep.LogisticRegression(tol=1e-10, **more).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    # Offsets of several classes may all be moved by the same number.
    np.testing.assert_allclose(
        ours.intercept_ - ours.intercept_.mean() * (len(ours.intercept_) > 1),
        theirs.intercept_ - theirs.intercept_.mean() * (len(theirs.intercept_) > 1),
        atol=1e-4,
    )
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_weights_of_rows_are_scikit_learns():
    X, y = scaled(load_iris)
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-10, max_iter=10000).fit(X, y, sample_weight=weight)
    ours = linsep.LogisticRegression(tol=1e-10).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


def test_tol_is_the_gap_that_is_proven():
    X, y = scaled(load_breast_cancer)
    for tol in (1e-2, 1e-6):
        assert linsep.LogisticRegression(tol=tol).fit(X, y).gap_ <= tol
    with pytest.warns(linsep.GapWarning, match="a larger 'tol'"):
        linsep.LogisticRegression(tol=1e-9, max_iter=2).fit(X, y)


def test_it_takes_files_and_rows(tmp_path):
    linsep.generate("classes", tmp_path / "rows.svm", rows=200, features=20, nonzeros=5)
    by_path = linsep.LogisticRegression().fit(tmp_path / "rows.svm")
    assert by_path.predict_proba(tmp_path / "rows.svm").shape == (200, len(by_path.classes_))


def test_what_it_does_not_have_is_said():
    with pytest.raises(linsep.UsageError, match="large 'C'"):
        linsep.LogisticRegression(penalty=None).fit([[0.0], [1.0]], [0, 1])
    for keyword, says in (("solver", "no solver to choose"), ("gap", "'tol'"), ("dual", "'solver'")):
        with pytest.raises(TypeError, match=f"no parameter '{keyword}'.*{says}"):
            linsep.LogisticRegression(**{keyword: 1})


def test_log_loss_is_the_logistic_loss():
    X, y = scaled(load_breast_cancer)
    expected = linsep.MarginClassifier(loss="logistic").fit(X, y)
    for loss in ("log_loss", "softmax"):
        same = linsep.MarginClassifier(loss=loss).fit(X, y)
        assert same.model_ == expected.model_
        assert same.predict_proba(X).shape == (len(y), 2)
    flowers, kind = scaled(load_iris)
    assert linsep.MarginClassifier(loss="log_loss").fit(flowers, kind).coef_.shape == (3, 4)
    assert linsep.MarginClassifierCV(loss="log_loss", alphas=[0.1, 0.01], cv=2).fit(X, y).predict_proba(X).shape[1] == 2


@pytest.mark.parametrize("kind", [linsep.MarginClassifier, linsep.MarginClassifierCV])
def test_probabilities_that_are_not_there_say_how_to_get_them(kind):
    assert not hasattr(kind(), "predict_proba")
    for estimator in (kind(), kind(loss="squared_hinge").fit([[0.0], [1.0]] * 10, [0, 1] * 10)):
        with pytest.raises(AttributeError, match=r'loss="logistic".*probabilities="platt".*LogisticRegression'):
            estimator.predict_proba  # noqa: B018
        with pytest.raises(AttributeError, match="LogisticRegression"):
            estimator.predict_log_proba  # noqa: B018


def test_a_pipeline_is_not_exported_and_the_message_says_what_is():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), linsep.LogisticRegression()).fit(X, y)
    for export in (linsep.to_onnx, linsep.to_sql, linsep.to_c):
        with pytest.raises(TypeError, match=r"pipeline\[-1\].*TableClassifier"):
            export(pipeline)
        assert len(export(pipeline[-1])) > 200
    with pytest.raises(TypeError, match="expected a fitted estimator of linsep"):
        linsep.to_onnx(sklearn.linear_model.LogisticRegression(max_iter=1000).fit(X, y))
