"""Estimators inside scikit-learn's own: pipelines, searches, calibration, metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import linsep

X, Y = make_classification(n_samples=120, n_features=6, n_informative=4, random_state=0)
X3, Y3 = make_classification(n_samples=150, n_features=6, n_informative=4, n_classes=3, random_state=0)
SKLEARN = tuple(map(int, sklearn.__version__.split(".")[:2]))
WEIGHT = np.random.default_rng(0).integers(0, 3, size=len(Y)).astype(float)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_a_pipeline_of_text():
    texts = ["good film", "fine film", "bad film", "awful film"]
    pipeline = make_pipeline(TfidfVectorizer(), linsep.MarginClassifier())
    assert pipeline.fit(texts, [1, 1, 0, 0]).predict(["a good one", "an awful one"]).tolist() == [1, 0]


def test_a_grid_search_in_two_processes():
    search = GridSearchCV(
        linsep.MarginClassifier(), {"C": [0.01, 1.0], "loss": ["hinge", "logistic"]}, cv=3, n_jobs=2
    )
    search.fit(X, Y)
    alone = GridSearchCV(
        linsep.MarginClassifier(), {"C": [0.01, 1.0], "loss": ["hinge", "logistic"]}, cv=3
    ).fit(X, Y)
    assert search.best_params_ == alone.best_params_
    np.testing.assert_array_equal(search.best_estimator_.coef_, alone.best_estimator_.coef_)


def test_calibration_gives_probabilities_to_a_classifier_without():
    assert not hasattr(linsep.MarginClassifier(), "predict_proba")
    calibrated = CalibratedClassifierCV(linsep.MarginClassifier(), cv=3).fit(X, Y)
    assert calibrated.predict_proba(X).shape == (len(X), 2)


@pytest.mark.parametrize("estimator", [linsep.HardMarginClassifier(), linsep.KernelPerceptron()], ids=str)
def test_two_class_learners_take_several_by_scikit_learns_wrapper(estimator):
    centres = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    rows = np.vstack([centre + [[0, 0], [1, 0], [0, 1]] for centre in centres])
    y = np.repeat([0, 1, 2], 3)
    assert OneVsRestClassifier(estimator).fit(rows, y).predict(rows).tolist() == y.tolist()
    with pytest.raises(ValueError, match="Only binary classification"):
        estimator.fit(rows, y)


def test_several_label_columns_by_scikit_learns_wrapper():
    both = np.column_stack([Y, X[:, 0] > 0])
    assert MultiOutputClassifier(linsep.MarginClassifier()).fit(X, both).predict(X).shape == both.shape


@pytest.mark.skipif(SKLEARN < (1, 8), reason="a search in older scikit-learn doesn't ask a pipeline's last step what it wants")
def test_weights_are_routed_through_a_pipeline_and_a_search():
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = (
            linsep.MarginClassifier()
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=True)
        )
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=True), classifier)
        search = GridSearchCV(pipeline, {"marginclassifier__C": [0.1, 1.0]}, cv=3)
        search.fit(X, Y, sample_weight=WEIGHT)
        unweighted = clone_of(pipeline).set_params(**search.best_params_).fit(X, Y)
        assert not np.array_equal(search.best_estimator_[-1].coef_, unweighted[-1].coef_)


def clone_of(estimator):
    return sklearn.base.clone(estimator)


def test_a_learner_without_weights_has_no_request_for_them():
    assert not hasattr(linsep.Perceptron(), "set_fit_request")
    with sklearn.config_context(enable_metadata_routing=True):
        assert hasattr(linsep.Perceptron(), "set_score_request")


def test_cross_validation_of_several_classes():
    scores = cross_validate(linsep.LeastSquaresClassifier(), X3, Y3, cv=3)["test_score"]
    assert scores.min() > 0.5


def test_data_frames_keep_their_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    classifier = linsep.MarginClassifier().fit(frame, Y)
    assert classifier.feature_names_in_.tolist() == list(frame.columns)
    assert classifier.model_.feature_names == list(frame.columns)
    np.testing.assert_array_equal(classifier.coef_, linsep.MarginClassifier().fit(X, Y).coef_)
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[frame.columns[::-1]])


def test_a_text_column_is_refused_by_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [1.0, 2.0], "colour": ["red", "blue"]})
    with pytest.raises(TypeError, match="'colour'.*OneHotEncoder"):
        linsep.MarginClassifier().fit(frame, [0, 1])


def test_polars_frames_are_taken_and_their_text_refused():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [0.0, 1.0, 3.0], "b": [1, 2, 3]})
    fitted = linsep.Perceptron().fit(frame, [0, 0, 1])
    if SKLEARN >= (1, 9) or hasattr(frame, "__dataframe__"):  # how older scikit-learn reads names, and polars 2 hasn't it
        assert fitted.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(TypeError, match="'c'"):
        linsep.Perceptron().fit(frame.with_columns(c=polars.Series(["x", "y", "z"])), [0, 0, 1])
