"""What estimators promise after fit: attributes, weights, warnings, warm starts."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import linsep

RNG = np.random.default_rng(1)
X = RNG.normal(size=(80, 4))
Y = (X[:, 0] - X[:, 1] + 0.3 * RNG.normal(size=80) > 0).astype(int)
Y3 = np.digitize(X[:, 0], [-0.5, 0.5])
SEPARABLE = (X[:, 0] - X[:, 1] > 0).astype(int)
CLASSIFIERS = [
    linsep.MarginClassifier(),
    linsep.MarginClassifierCV(cv=3, alphas=[0.1, 0.01]),
    linsep.HardMarginClassifier(),
    linsep.Perceptron(),
    linsep.KernelPerceptron(),
    linsep.BasicLinearClassifier(),
    linsep.LeastSquaresClassifier(),
]
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@quiet
@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=str)
def test_scores_are_theta_times_x_plus_the_offset(estimator):
    estimator.fit(X, SEPARABLE)
    scores = estimator.decision_function(X)
    assert scores.shape == (80,)
    if hasattr(estimator, "coef_"):
        np.testing.assert_allclose(
            scores, X @ estimator.coef_[0] + estimator.intercept_, rtol=1e-9, atol=1e-9
        )
    np.testing.assert_array_equal(estimator.predict(X), estimator.classes_[(scores >= 0).astype(int)])


@quiet
@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=str)
def test_sparse_and_dense_rows_of_either_precision_agree(estimator):
    small = X.astype(np.float32)
    expected = estimator.fit(small.astype(np.float64), SEPARABLE).decision_function(X)
    for rows in (small, sparse.csr_array(small), sparse.csc_matrix(small), np.asfortranarray(small)):
        found = estimator.fit(rows, SEPARABLE).decision_function(X)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@quiet
@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=str)
def test_history_has_a_record_per_pass(estimator):
    estimator.fit(X, SEPARABLE)
    assert estimator.history_.dtype.names == ("pass", "seconds", "mistakes", "objective", "gap", "residual")
    assert estimator.stopped_because_ == "converged"
    assert estimator.n_iter_ >= 1


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
def test_the_margin_says_how_good_its_answer_is(loss):
    classifier = linsep.MarginClassifier(loss=loss, C=0.5, gap=1e-6).fit(X, Y)
    margins = (2 * Y - 1) * classifier.decision_function(X)
    cost = {
        "hinge": np.maximum(0, 1 - margins),
        "squared_hinge": np.maximum(0, 1 - margins) ** 2,
        "logistic": np.log1p(np.exp(-margins)),
    }[loss]
    objective = cost.mean() + classifier.alpha_ / 2 * np.sum(classifier.coef_**2)
    assert classifier.objective_ == pytest.approx(objective, rel=1e-9)
    assert classifier.gap_ <= 1e-6
    assert classifier.C_ == pytest.approx(0.5)
    assert classifier.solver_ and classifier.solver_because_
    assert classifier.stop_code_ == "gap_reached"


def test_several_classes_have_an_objective_and_a_gap_each():
    classifier = linsep.MarginClassifier().fit(X, Y3)
    assert classifier.decision_function(X).shape == (80, 3)
    assert classifier.coef_.shape == (3, 4) and classifier.intercept_.shape == (3,)
    assert classifier.objective_.shape == classifier.gap_.shape == (3,)
    assert np.all(classifier.gap_ <= 1e-3)


def test_a_gap_that_is_not_reached_warns_with_what_helps():
    with pytest.warns(linsep.GapWarning, match="allow more 'max_iter', or ask for a larger 'gap'") as caught:
        classifier = linsep.MarginClassifier(max_iter=1, gap=1e-12).fit(X, Y)
    assert caught[0].message.code == "passes" == classifier.stop_code_
    assert caught[0].message.gap == classifier.gap_ > 1e-12
    assert caught[0].filename == __file__


def test_a_gap_of_which_nothing_is_known_says_so():
    with pytest.warns(linsep.GapWarning, match="best possible: out of time after 0 passes") as caught:
        linsep.MarginClassifier(time_limit=1e-9).fit(X, Y)
    assert caught[0].message.code == "time"


def test_badly_scaled_columns_are_named():
    with pytest.warns(linsep.GapWarning) as caught:
        linsep.MarginClassifier(max_iter=3, gap=1e-9).fit(X * [1e9, 1.0, 1.0, 1.0], Y)
    assert caught[0].message.code == "badly_scaled"
    assert "x1" in str(caught[0].message)


def test_a_perceptron_that_did_not_converge_names_certify():
    with pytest.warns(ConvergenceWarning, match=r"linsep\.certify\(X, y\)"):
        classifier = linsep.Perceptron(max_iter=3).fit(X, Y)
    assert classifier.stopped_because_ == "passes" and classifier.n_iter_ == 3


@quiet
def test_a_time_limit_keeps_the_classifier_of_the_moment():
    rows = RNG.normal(size=(20000, 20))
    labels = RNG.integers(0, 2, size=20000)
    classifier = linsep.Perceptron(max_iter=10**9, time_limit=0.2).fit(rows, labels)
    assert classifier.stopped_because_ == "time"
    assert classifier.predict(rows).shape == (20000,)


def test_a_weight_of_two_is_the_row_twice_and_zero_is_the_row_gone():
    weight = RNG.integers(0, 4, size=80)
    for kind in (linsep.MarginClassifier, linsep.BasicLinearClassifier, linsep.LeastSquaresClassifier):
        more = {"gap": 1e-10} if kind is linsep.MarginClassifier else {}
        weighted = kind(**more).fit(X, Y, sample_weight=weight)
        repeated = kind(**more).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
        np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-5)


def test_weights_of_classes_are_weights_of_their_rows():
    by_class = linsep.MarginClassifier(class_weight={0: 1.0, 1: 3.0}).fit(X, Y)
    by_row = linsep.MarginClassifier().fit(X, Y, sample_weight=np.where(Y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(by_class.coef_, by_row.coef_)


def test_bad_weights_are_refused():
    with pytest.raises(ValueError, match="[Nn]egative"):
        linsep.MarginClassifier().fit(X, Y, sample_weight=np.where(np.arange(80) == 3, -1.0, 1.0))
    with pytest.raises(ValueError, match="at least two classes"):
        linsep.MarginClassifier().fit(X, Y, sample_weight=Y)


def test_one_class_is_refused_in_words():
    with pytest.raises(ValueError, match="at least two classes, but there is only one class, 0"):
        linsep.Perceptron().fit(X, np.zeros(80, dtype=int))


def test_probabilities_of_a_logistic_loss_are_its_sigmoid():
    classifier = linsep.MarginClassifier(loss="logistic").fit(X, Y)
    probabilities = classifier.predict_proba(X)
    np.testing.assert_allclose(
        probabilities[:, 1], 1 / (1 + np.exp(-classifier.decision_function(X))), rtol=1e-12
    )
    np.testing.assert_allclose(np.exp(classifier.predict_log_proba(X)), probabilities)


@pytest.mark.parametrize(
    "parameters", [{"loss": "logistic"}, {"loss": "softmax"}, {"probabilities": "platt"}], ids=str
)
def test_probabilities_of_several_classes_sum_to_one(parameters):
    classifier = linsep.MarginClassifier(**parameters).fit(X, Y3)
    probabilities = classifier.predict_proba(X)
    assert probabilities.shape == (80, 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.parametrize("kind", ["platt", "isotonic"])
def test_probabilities_can_be_fitted_to_any_loss(kind):
    classifier = linsep.MarginClassifier(probabilities=kind).fit(X, Y)
    assert ((classifier.predict_proba(X)[:, 1] > 0.5) == Y).mean() > 0.8
    assert not hasattr(linsep.MarginClassifier().fit(X, Y), "predict_proba")


def test_a_cross_validation_keeps_the_best_strength():
    classifier = linsep.MarginClassifierCV(alphas=[1.0, 0.1, 0.01], cv=4).fit(X, Y)
    assert classifier.path_["alpha"].tolist() == [1.0, 0.1, 0.01]
    assert classifier.path_["error"][classifier.chosen_] == classifier.path_["error"].min()
    assert classifier.alpha_ == classifier.path_["alpha"][classifier.chosen_]
    assert classifier.folds_ == 4


def test_folds_may_be_given_by_a_splitter():
    from sklearn.model_selection import KFold, ShuffleSplit

    found = linsep.MarginClassifierCV(alphas=[1.0, 0.1], cv=KFold(4)).fit(X, Y)
    again = linsep.MarginClassifierCV(alphas=[1.0, 0.1], cv=list(KFold(4).split(X))).fit(X, Y)
    np.testing.assert_array_equal(found.path_["error"], again.path_["error"])
    assert found.folds_ == 4
    with pytest.raises(linsep.UsageError, match="test set"):
        linsep.MarginClassifierCV(cv=ShuffleSplit(3, random_state=0)).fit(X, Y)


def test_a_hard_margin_is_proven_from_both_sides():
    classifier = linsep.HardMarginClassifier(gap=1e-6).fit(X, SEPARABLE)
    distances = classifier.distances(X, SEPARABLE)
    assert distances.distance.min() >= classifier.margin_ * (1 - 1e-6)
    assert classifier.margin_ <= classifier.margin_most_ <= classifier.margin_ * (1 + 1e-5)
    assert set(classifier.hull_weights_["row"]) <= set(classifier.support(X, SEPARABLE, tolerance=0.01))


def test_rows_that_are_not_separable_are_refused_with_a_proof():
    with pytest.raises(linsep.NotSeparableError, match="MarginClassifier") as caught:
        linsep.HardMarginClassifier().fit(X, Y)
    assert caught.value.certificate is not None


def test_distances_and_support_follow_from_the_scores():
    classifier = linsep.MarginClassifier().fit(X, Y)
    found = classifier.distances(X, Y)
    margins = (2 * Y - 1) * classifier.decision_function(X)
    np.testing.assert_allclose(found.margin, margins)
    np.testing.assert_allclose(found.distance, margins / np.linalg.norm(classifier.coef_))
    assert found.mistakes == np.sum(margins <= 0) and found.inside == np.sum(margins < 1)
    assert classifier.support(X, Y).tolist() == np.flatnonzero(margins <= 1.001).tolist()


@quiet
def test_a_warm_start_goes_on_from_the_last_fit():
    once = linsep.Perceptron(max_iter=6).fit(X, Y)
    twice = linsep.Perceptron(max_iter=3, warm_start=True).fit(X, Y).fit(X, Y)
    np.testing.assert_allclose(once.coef_, twice.coef_)
    margin = linsep.MarginClassifier(warm_start=True, gap=1e-6).fit(X, Y)
    assert margin.fit(X, Y).gap_ <= 1e-6
    with pytest.raises(ValueError, match="warm_start"):
        margin.fit(X[:, :2], Y)


@quiet
@pytest.mark.parametrize("y", [Y, Y3], ids=["two classes", "three classes"])
def test_a_partial_fit_is_one_pass(y):
    whole = linsep.Perceptron(max_iter=1).fit(X, y)
    parts = linsep.Perceptron()
    for begin in range(0, 80, 20):
        parts.partial_fit(X[begin : begin + 20], y[begin : begin + 20], classes=np.unique(y))
    np.testing.assert_array_equal(whole.coef_, parts.coef_)
    np.testing.assert_array_equal(whole.intercept_, parts.intercept_)


def test_partial_fit_says_what_it_cannot_do():
    for parameters in ({"variant": "averaged"}, {"multiclass": "joint"}):
        assert not hasattr(linsep.Perceptron(**parameters), "partial_fit")
        with pytest.raises(AttributeError) as caught:
            linsep.Perceptron(**parameters).partial_fit(X, Y, classes=[0, 1])
        assert next(iter(parameters)) in str(caught.value)
    with pytest.raises(ValueError, match="classes"):
        linsep.Perceptron().partial_fit(X, Y)
    with pytest.raises(ValueError, match=r"doesn't have: \[5\]"):
        linsep.Perceptron().partial_fit(X[:2], [0, 5], classes=[0, 1])


def test_a_trace_is_kept_when_asked_for():
    classifier = linsep.Perceptron(trace=True).fit(X, SEPARABLE)
    assert len(classifier.trace_) == classifier.mistakes_ == classifier.mistakes_by_row_.sum()
    np.testing.assert_array_equal(classifier.trace_[-1]["theta"], classifier.coef_[0])
    assert not hasattr(linsep.Perceptron().fit(X, SEPARABLE), "trace_")


def test_a_dual_perceptron_counts_mistakes_by_row():
    dual = linsep.KernelPerceptron().fit(X, SEPARABLE)
    primal = linsep.Perceptron().fit(X, SEPARABLE)
    np.testing.assert_array_equal(dual.mistakes_by_row_, primal.mistakes_by_row_)
    np.testing.assert_array_equal(dual.predict(X), primal.predict(X))


def test_a_map_gives_names_to_the_weights():
    classifier = linsep.BasicLinearClassifier(map="products").fit(X[:, :2], Y)
    assert classifier.coef_.shape == (1, len(classifier.coef_names_))
    assert classifier.coef_names_[0] == "x1"


def test_a_regression_follows_its_target():
    target = X @ [1.0, -2.0, 0.0, 0.5] + 3
    regressor = linsep.PerceptronRegressor(max_iter=500, residual_bound=1e-9).fit(X, target)
    assert regressor.score(X, target) > 0.999
    assert regressor.intercept_ == pytest.approx(3, abs=1e-3)


def test_a_model_explains_a_rows_score():
    classifier = linsep.MarginClassifier().fit(X, Y)
    why = classifier.model_.explain(X, 3)
    total = why["offset"] + sum(column["total"] for column in why["columns"])
    assert total == pytest.approx(classifier.decision_function(X)[3])


def test_nothing_is_predicted_before_fit():
    for estimator in [*CLASSIFIERS, linsep.PerceptronRegressor()]:
        with pytest.raises(NotFittedError):
            type(estimator)().predict(X)


def test_threads_change_no_bit():
    one = linsep.MarginClassifier(n_jobs=1).fit(X, Y3)
    four = linsep.MarginClassifier(n_jobs=4).fit(X, Y3)
    np.testing.assert_array_equal(one.coef_, four.coef_)


@pytest.fixture
def svmlight(tmp_path):
    path = tmp_path / "rows.svm"
    lines = [
        f"{2 * y - 1} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(x))
        for x, y in zip(X, Y, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@quiet
@pytest.mark.parametrize(
    "estimator", [linsep.MarginClassifier(), linsep.Perceptron(), linsep.BasicLinearClassifier()], ids=str
)
def test_a_file_and_rows_give_the_same_bits_as_arrays(estimator, svmlight):
    expected = estimator.fit(X.astype(np.float32), Y).coef_
    rows = linsep.rows(X.astype(np.float32), Y)
    np.testing.assert_array_equal(estimator.fit(rows).coef_, expected)
    assert estimator.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(estimator.predict(rows), estimator.predict(X.astype(np.float32)))
    np.testing.assert_array_equal(estimator.fit(svmlight).coef_, expected)
    assert estimator.classes_.tolist() == [-1, 1]
    assert estimator.distances(svmlight).mistakes == estimator.distances(rows_of_signs()).mistakes
    np.testing.assert_array_equal(estimator.predict(svmlight), estimator.predict(X.astype(np.float32)))


def rows_of_signs():
    return linsep.rows(X.astype(np.float32), 2 * Y - 1)


def test_labels_beside_rows_are_refused(svmlight):
    with pytest.raises(linsep.UsageError, match="'y' is part of the rows"):
        linsep.Perceptron().fit(svmlight, Y)
    with pytest.raises(linsep.UsageError, match="'sample_weight' is part of the rows"):
        linsep.MarginClassifier().fit(linsep.rows(X, Y), sample_weight=np.ones(80))


def test_class_weights_of_a_file_go_by_name(svmlight):
    by_name = linsep.MarginClassifier(class_weight={1: 3.0, -1: 1.0}, gap=1e-9).fit(svmlight)
    by_row = linsep.MarginClassifier(gap=1e-9).fit(
        X.astype(np.float32), Y, sample_weight=np.where(Y == 1, 3.0, 1.0)
    )
    np.testing.assert_allclose(by_name.coef_, by_row.coef_, rtol=1e-4)


def test_a_table_is_predicted_from_tables(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(
        "colour,size,label\n"
        + "".join(f"{'red' if y else 'blue'},{x[0]},{y}\n" for x, y in zip(X, Y, strict=True))
    )
    classifier = linsep.MarginClassifier().fit(path)
    assert classifier.predict(path).tolist() == Y.tolist()
    with pytest.raises(linsep.UsageError, match="linsep.scan"):
        classifier.predict([[1.0, 2.0, 3.0]])


def test_weights_of_rows_play_their_part_in_corrections_when_asked_to():
    weight = np.where(Y == 1, 4.0, 1.0)
    rows = linsep.rows(X, Y, sample_weight=weight)
    plain = linsep.Perceptron(max_iter=2, weighted=False)
    heavy = linsep.Perceptron(max_iter=2, weighted=True)
    with pytest.warns(ConvergenceWarning):
        assert not np.array_equal(plain.fit(rows).coef_, heavy.fit(rows).coef_)


def test_a_regression_without_a_bound_does_not_warn(recwarn):
    linsep.PerceptronRegressor(max_iter=3).fit(X, X[:, 0])
    assert not recwarn.list
    with pytest.warns(ConvergenceWarning, match="residual_bound"):
        linsep.PerceptronRegressor(max_iter=3, residual_bound=1e-30).fit(X, X[:, 0])


def test_estimators_fit_and_predict_from_many_threads_to_the_same_bits():
    expected = linsep.MarginClassifier().fit(X, Y)
    with ThreadPoolExecutor(4) as pool:
        fitted = list(pool.map(lambda _: linsep.MarginClassifier().fit(X, Y), range(8)))
        scores = list(pool.map(lambda _: expected.decision_function(X), range(8)))
    assert all(np.array_equal(one.coef_, expected.coef_) for one in fitted)
    assert all(np.array_equal(one, expected.decision_function(X)) for one in scores)


def test_fits_under_assume_finite_and_copies_of_rows_change_no_bit():
    expected = linsep.MarginClassifier(copy_X=False).fit(X, Y).coef_
    with sklearn.config_context(assume_finite=True):
        np.testing.assert_array_equal(linsep.MarginClassifier(copy_X=True).fit(X, Y).coef_, expected)
