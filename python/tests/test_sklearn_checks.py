"""scikit-learn's own checks of estimators, on every class."""

import pathlib
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

import linsep

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning"),
]

# The checks compare weighted with repeated rows at a relative difference of 1e-7, so the gap is far below the
# default. The squared hinge's last passes only fight rounding.
ESTIMATORS = [
    linsep.MarginClassifier(loss="hinge", gap=1e-10),
    linsep.MarginClassifier(loss="squared_hinge", gap=1e-14, max_iter=300),
    linsep.MarginClassifier(loss="logistic", gap=1e-10),
    linsep.LogisticRegression(),
    linsep.MarginClassifierCV(loss="logistic", gap=1e-10, alphas=[0.1, 0.01], cv=3, choose="loss"),
    linsep.Perceptron(),
    linsep.Perceptron(variant="averaged"),
    linsep.Perceptron(multiclass="joint", order="shuffled"),
    linsep.KernelPerceptron(),
    linsep.KernelPerceptron(kernel="gaussian"),
    linsep.BasicLinearClassifier(),
    linsep.LeastSquaresClassifier(),
    linsep.LeastSquaresClassifier(ridge=1.0),
    linsep.PerceptronRegressor(),
    linsep.TableClassifier(),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def within_the_gap(_estimator):
    names = ("dense", "sparse")
    return dict.fromkeys(
        [f"check_sample_weight_equivalence_on_{name}_data" for name in names],
        "two answers within a gap of 1e-3 differ by more than 1e-7",
    )


# scikit-learn expects the same of its own LinearSVC.
@parametrize_with_checks(
    [linsep.MarginClassifier(), linsep.MarginClassifierCV()], expected_failed_checks=within_the_gap, xfail_strict=True
)
def test_scikit_learns_checks_at_the_default_gap(estimator, check):
    check(estimator)


class OnSeparableRows(linsep.HardMarginClassifier):
    """A hard margin whose rows are made separable: labels become those of a linear classifier."""

    def fit(self, X, y=None):
        try:
            return super().fit(X, y)
        except linsep.NotSeparableError:
            labels = linsep.LeastSquaresClassifier(fit_intercept=self.fit_intercept).fit(X, y).predict(X)
            if len(np.unique(labels)) < 2:
                first = np.asarray(X.todense() if sparse.issparse(X) else X)[:, 0]
                labels = np.where(first == first.max(), *np.unique(y))
            return super().fit(X, labels)


# Checks whose rows no linear classifier separates.
REFUSED = [
    "check_classifier_data_not_an_array",
    "check_classifiers_train",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag",
    "check_estimators_dtypes",
    "check_estimators_nan_inf",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_supervised_y_2d",
]


def not_separable(_estimator):
    return dict.fromkeys(REFUSED, "the check's rows aren't separable, and saying so is the answer")


@parametrize_with_checks(
    [linsep.HardMarginClassifier()], expected_failed_checks=not_separable, xfail_strict=True
)
def test_scikit_learns_checks_of_the_hard_margin(estimator, check):
    check(estimator)


@parametrize_with_checks([OnSeparableRows()])
def test_scikit_learns_checks_of_the_hard_margin_on_separable_rows(estimator, check):
    check(estimator)


def test_the_page_names_every_check_that_is_expected_to_fail():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "howto" / "coming-from-scikit-learn.md"
    if not page.exists():
        pytest.skip("the pages aren't beside the tests")
    section = page.read_text(encoding="utf-8").split("## scikit-learn's checks")[1].split("\n## ")[0]
    named = set(re.findall(r"`(check_\w+)`", section)) - {"check_estimator"}  # which runs them all
    assert named == {*REFUSED, *within_the_gap(None)}
