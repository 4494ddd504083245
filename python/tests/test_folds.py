"""Cross-validation by any splitter of scikit-learn whose test sets hold every row once."""

import linsep
import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, ShuffleSplit, StratifiedKFold


@pytest.fixture(scope="module")
def data():
    X, y = linsep.generate("noisy", rows=150, features=4, flip=0.1)
    return X, np.where(y > 0, "yes", "no")


def errors_by_hand(X, y, splits, alphas):
    errors = []
    for alpha in alphas:
        wrong = 0
        for train, test in splits:
            classifier = linsep.MarginClassifier(loss="logistic", alpha=alpha, gap=1e-10, n_jobs=1).fit(
                X[train], y[train]
            )
            wrong += np.sum(classifier.predict(X[test]) != y[test])
        errors.append(wrong / len(y))
    return errors


@pytest.mark.parametrize(
    "cv",
    [
        KFold(3),
        KFold(5, shuffle=True, random_state=2),
        StratifiedKFold(4),
        PredefinedSplit(np.arange(150) % 3),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_a_splitter_decides_which_rows_are_held_out(data, cv):
    X, y = data
    alphas = [1.0, 0.01]
    found = linsep.MarginClassifierCV(loss="logistic", alphas=alphas, cv=cv, gap=1e-10, n_jobs=1).fit(X, y)
    assert found.folds_ == cv.get_n_splits(X, y)
    assert found.path_["error"].tolist() == errors_by_hand(X, y, list(cv.split(X, y)), alphas)


def test_splits_may_be_given_as_they_are(data):
    X, y = data
    splits = list(GroupKFold(3).split(X, y, groups=np.arange(150) // 10))
    found = linsep.MarginClassifierCV(alphas=[0.1, 0.01], cv=splits, n_jobs=1).fit(X, y)
    assert found.folds_ == 3


def test_splits_that_hold_out_a_row_twice_or_never_are_refused(data):
    X, y = data
    with pytest.raises(linsep.UsageError, match="'cv'"):
        linsep.MarginClassifierCV(alphas=[0.1], cv=ShuffleSplit(3, random_state=1)).fit(X, y)


def test_folds_of_a_splitter_change_no_bit_with_the_threads(data):
    X, y = data
    one = linsep.MarginClassifierCV(alphas=[0.1, 0.01], cv=KFold(3), n_jobs=1).fit(X, y)
    two = linsep.MarginClassifierCV(alphas=[0.1, 0.01], cv=KFold(3), n_jobs=2).fit(X, y)
    assert one.model_.to_bytes() == two.model_.to_bytes() and one.path_.tolist() == two.path_.tolist()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [linsep.MarginClassifierCV, linsep.MarginClassifier])
def test_folds_say_what_solved_it_and_why_it_stopped(kind, classes):
    X, _ = linsep.generate("noisy", rows=150, features=4, flip=0.1)
    y = np.digitize(X[:, 0] + 0.1 * X[:, 1], [0.0, 1.0][: classes - 1])
    classifier = kind(probabilities="platt", n_jobs=1).fit(X, y)
    assert classifier.solver_ and classifier.solver_because_
    assert classifier.stop_code_ == "gap_reached" and classifier.stop_sentence_.startswith("Objective within ")
    assert classifier.alpha_ * classifier.C_ * len(X) == pytest.approx(1)


def test_one_pass_is_one(data):
    with pytest.warns(linsep.GapWarning, match="1 pass was not enough"):
        linsep.MarginClassifierCV(alphas=[0.1], cv=3, max_iter=1, gap=1e-12, n_jobs=1).fit(*data)
