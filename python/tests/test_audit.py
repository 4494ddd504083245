"""linsep.audit: scikit-learn's estimators against objectives written out with NumPy, and against their own parameters."""

import math
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, LogisticRegressionCV, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import linsep

RNG = np.random.default_rng(7)
X = RNG.normal(size=(150, 4)) * [1.0, 2.0, 0.5, 1.0]
Y = np.where(X @ [1.0, -0.5, 2.0, 0.0] + 0.7 + RNG.normal(size=150) > 0, "ill", "well")  # "well" is positive
SIGN = np.where(Y == "well", 1.0, -1.0)


def losses(name, margins):
    if name == "logistic":
        return np.logaddexp(0, -margins)
    slack = np.maximum(0, 1 - margins)
    return slack if name == "hinge" else slack**2


def objective(estimator, loss, penalty, weights=(1.0, 1.0), intercept_penalty=0.0, rows=X, l1_ratio=0.0):
    """The mean loss of weighted rows plus penalty·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖² + intercept_penalty/2·θ0²); ρ is l1_ratio."""
    theta, offset = np.ravel(estimator.coef_), float(np.ravel(estimator.intercept_)[0])
    weight = np.where(SIGN > 0, weights[1], weights[0])
    mean = np.average(losses(loss, SIGN * (rows @ theta + offset)), weights=weight)
    l1 = l1_ratio * np.abs(theta).sum()
    return mean + penalty * (l1 + (1 - l1_ratio) / 2 * theta @ theta + intercept_penalty / 2 * offset**2)


def balanced():
    positive = np.count_nonzero(SIGN > 0)
    return 150 / (2 * (150 - positive)), 150 / (2 * positive)


def total(weights):
    positive = np.count_nonzero(SIGN > 0)
    return (150 - positive) * weights[0] + positive * weights[1]


def cases():
    tight = {"tol": 1e-8, "max_iter": 100_000}
    two = (2.0, 0.5)
    yield "logistic", LogisticRegression(C=0.3, **tight), "logistic", 1 / (0.3 * 150), (1, 1), 0
    yield "no intercept", LogisticRegression(fit_intercept=False, **tight), "logistic", 1 / 150, (1, 1), 0
    named = {"ill": 2.0, "well": 0.5}
    yield "named weights", LogisticRegression(class_weight=named, **tight), "logistic", 1 / total(two), two, 0
    both = balanced()
    yield "balanced", LogisticRegression(class_weight="balanced", C=2.0, **tight), "logistic", 1 / (2 * total(both)), both, 0
    yield "liblinear", LogisticRegression(solver="liblinear", **tight), "logistic", 1 / 150, (1, 1), 1
    scaled = LogisticRegression(solver="liblinear", intercept_scaling=4.0, **tight)
    yield "scaled intercept", scaled, "logistic", 1 / 150, (1, 1), 1 / 16
    yield "squared hinge", LinearSVC(C=0.5, **tight), "squared-hinge", 1 / 75, (1, 1), 1
    yield "hinge", LinearSVC(loss="hinge", C=0.1, intercept_scaling=0.5, **tight), "hinge", 1 / 15, (1, 1), 4
    yield "svc without intercept", LinearSVC(fit_intercept=False, **tight), "squared-hinge", 1 / 150, (1, 1), 0
    yield "weighted svc", LinearSVC(class_weight="balanced", **tight), "squared-hinge", 1 / total(both), both, 1
    yield "svc", SVC(kernel="linear", C=0.2, tol=1e-8), "hinge", 1 / 30, (1, 1), 0
    sgd = {"alpha": 0.01, "random_state": 1, "max_iter": 5000, "tol": None}
    yield "sgd", SGDClassifier(loss="log_loss", **sgd), "logistic", 0.01, (1, 1), 0
    yield "sgd hinge", SGDClassifier(loss="hinge", **sgd), "hinge", 0.01, (1, 1), 0
    yield "sgd squared", SGDClassifier(loss="squared_hinge", **sgd), "squared-hinge", 0.01, (1, 1), 0
    yield "weighted sgd", SGDClassifier(loss="log_loss", class_weight=named, **sgd), "logistic", 1.5 / total(two), two, 0


@pytest.mark.parametrize("case", cases(), ids=lambda case: case[0])
def test_the_objective_is_what_the_estimator_minimizes(case):
    _, estimator, loss, penalty, weights, intercept_penalty = case
    with warnings.catch_warnings(action="ignore"):
        estimator.fit(X, Y)
    audit = linsep.audit(estimator, X, Y)
    own = objective(estimator, loss, penalty, weights, intercept_penalty)
    assert audit.objective == pytest.approx(own, rel=1e-12)
    assert audit.objective >= own * (1 - 1e-13)
    assert audit.verify()
    # Each was trained for it: it is near the optimum. An intercept or a weight that is taken otherwise shows.
    assert audit.gap < (0.02 if "sgd" in case[0] else 2e-3)
    assert audit.at_least <= own
    for _ in range(50):
        moved = type("Moved", (), {})()
        moved.coef_ = estimator.coef_ + 0.05 * RNG.normal(size=(1, 4))
        moved.intercept_ = np.ravel(estimator.intercept_) + (0.05 * RNG.normal() if np.any(estimator.intercept_) else 0.0)
        assert audit.at_least <= objective(moved, loss, penalty, weights, intercept_penalty)


def l1_cases():
    tight = {"tol": 1e-9, "max_iter": 100_000}
    part = {"penalty": "elasticnet", "solver": "saga", **tight}
    yield "l1", LogisticRegression(C=0.1, l1_ratio=1.0, **part), "logistic", 1 / 15, (1, 1), 1.0
    yield "half", LogisticRegression(C=0.1, l1_ratio=0.5, class_weight={"ill": 2.0}, **part), "logistic", 10 / total((2, 1)), (2, 1), 0.5
    lasso = LogisticRegression(C=0.1, penalty="l1", solver="liblinear", fit_intercept=False, **tight)
    yield "liblinear", lasso, "logistic", 1 / 15, (1, 1), 1.0
    svc = LinearSVC(C=0.05, penalty="l1", dual=False, fit_intercept=False, **tight)
    yield "svc", svc, "squared-hinge", 1 / 7.5, (1, 1), 1.0
    sgd = {"alpha": 0.02, "random_state": 1, "max_iter": 5000, "tol": None}
    yield "sgd", SGDClassifier(loss="log_loss", penalty="l1", **sgd), "logistic", 0.02, (1, 1), 1.0
    yield "sgd hinge", SGDClassifier(penalty="l1", **sgd), "hinge", 0.02, (1, 1), 1.0
    yield "sgd hinge elastic net", SGDClassifier(penalty="elasticnet", l1_ratio=0.4, **sgd), "hinge", 0.02, (1, 1), 0.4
    mixed = SGDClassifier(loss="squared_hinge", penalty="elasticnet", l1_ratio=0.3, learning_rate="adaptive", eta0=0.01, **sgd)
    yield "sgd elastic net", mixed, "squared-hinge", 0.02, (1, 1), 0.3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", l1_cases(), ids=lambda case: case[0])
def test_an_l1_part_of_the_penalty(case):
    name, estimator, loss, penalty, weights, l1_ratio = case
    noise = np.column_stack([X, np.random.default_rng(5).normal(size=(150, 3))])
    estimator.fit(noise, Y)
    audit = linsep.audit(estimator, noise, Y, gap=1e-6)
    own = objective(estimator, loss, penalty, weights, rows=noise, l1_ratio=l1_ratio)
    assert audit.objective == pytest.approx(own, rel=1e-12)
    assert audit.gap < (0.02 if "sgd" in name else 1e-5)
    assert float(Fraction(audit.proof["objective"]["l1_ratio"])) == l1_ratio
    assert audit.verify()


def test_a_solver_that_stopped_early_is_far_from_the_best():
    scaled = X * [1000.0, 1.0, 1.0, 0.001]
    with pytest.warns(UserWarning, match="converge"):
        early = LogisticRegression(max_iter=5).fit(scaled, Y)
    late = LogisticRegression(max_iter=100_000, tol=1e-10, solver="newton-cholesky").fit(scaled, Y)
    poor, good = linsep.audit(early, scaled, Y), linsep.audit(late, scaled, Y)
    least, most = poor.above_best
    ratio = objective(early, "logistic", 1 / 150, rows=scaled) / objective(late, "logistic", 1 / 150, rows=scaled) - 1
    assert 0 < least <= ratio * (1 + 1e-6)
    assert ratio * (1 - 1e-3) <= most <= least + 2e-3
    assert poor.at_least == pytest.approx(good.objective, rel=2e-3)
    assert good.above_best[0] == 0
    assert "above the best possible one" in repr(poor)
    assert "proven within" in repr(good)
    assert poor.verify()
    assert not poor.verify(scaled, np.roll(Y, 1))


def test_files_and_pickles(tmp_path):
    estimator = LogisticRegression(max_iter=1000).fit(X, Y)
    audit = linsep.audit(estimator, X, Y)
    path = tmp_path / "proof.json"
    audit.save(path)
    loaded = linsep.Audit.load(path)
    assert loaded == audit
    assert hash(loaded) == hash(audit)
    assert audit.proof["claim"] == "near-optimal"
    assert Fraction(audit.proof["at_least"]) >= Fraction(audit.at_least)
    assert Fraction(audit.proof["at_most"]) <= Fraction(audit.objective)
    assert linsep.verify(path, X, Y)
    assert linsep.verify(audit)
    assert not linsep.verify(loaded)
    assert linsep.verify(loaded).needs_data
    again = pickle.loads(pickle.dumps(audit))
    assert again == audit
    text = path.read_text(encoding="utf-8").replace('"at_least": "0.', '"at_least": "1.')
    path.write_text(text, encoding="utf-8")
    assert not linsep.verify(path, X, Y)
    with pytest.raises(linsep.UsageError, match="as_encoded"):
        linsep.verify(audit, as_encoded=True)
    with pytest.raises(linsep.SystemFailure):
        linsep.verify(tmp_path / "missing.json")


def test_pipelines_and_searches():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, Y)
    alone = linsep.audit(pipeline[-1], pipeline[:-1].transform(X), Y)
    assert linsep.audit(pipeline, X, Y) == alone
    search = GridSearchCV(pipeline, {"logisticregression__C": [0.1, 1.0]}).fit(X, Y)
    found = linsep.audit(search, X, Y)
    assert found == linsep.audit(search.best_estimator_, X, Y)
    with pytest.raises(linsep.UsageError, match="Pipeline"):
        linsep.audit(pipeline, linsep.rows(X, Y))


def test_sparse_rows_are_the_same_rows():
    estimator = LogisticRegression(max_iter=1000).fit(X, Y)
    assert linsep.audit(estimator, sparse.csr_matrix(X), Y) == linsep.audit(estimator, X, Y)


def test_linseps_own():
    estimator = linsep.LogisticRegression(C=0.5).fit(X, Y)
    audit = linsep.audit(estimator, X, Y)
    assert audit.objective == pytest.approx(objective(estimator, "logistic", 1 / 75), rel=1e-9)
    assert audit.gap <= 1e-3
    assert linsep.audit(estimator.model_, X, Y) == audit
    for loss in ("hinge", "squared_hinge"):
        assert linsep.audit(linsep.MarginClassifier(loss=loss).fit(X, Y), X, Y).verify()


def test_what_follows_about_the_best_classifier():
    near = LogisticRegression(tol=1e-10, max_iter=10_000).fit(X, Y)
    audit = linsep.audit(near, X, Y, gap=1e-9)
    best = LogisticRegression(tol=1e-14, max_iter=100_000, solver="newton-cholesky").fit(X, Y)
    assert np.linalg.norm(best.coef_ - near.coef_) <= audit.weights_within < 0.01
    certain = audit.certain_signs
    assert np.count_nonzero(certain) >= 3
    assert np.all((certain == 0) | (certain == np.sign(best.coef_[0])))
    check = audit.verify()
    assert 140 <= check.certain_labels <= 150
    assert check.zeros == ()
    assert linsep.Audit.from_json(audit.to_json()).verify().certain_labels is None
    noise = np.column_stack([X, RNG.normal(size=(150, 6))])
    sparse_model = linsep.LogisticRegression(penalty="l1", C=0.1, tol=1e-8).fit(noise, Y)
    audit = linsep.audit(sparse_model, noise, Y)
    assert math.isinf(audit.weights_within)
    assert not np.any(audit.certain_signs)
    zeros = list(audit.verify().zeros)
    assert len(zeros) >= 3
    assert not np.any(np.asarray(sparse_model.coef_)[0][zeros])


def test_search_with_its_own_folds():
    found = LogisticRegressionCV(Cs=[0.1, 1.0], max_iter=1000, scoring="accuracy").fit(X, Y)
    assert linsep.audit(found, X, Y).objective == pytest.approx(objective(found, "logistic", 1 / (150 * found.C_[0])))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (LogisticRegression(penalty="l1", solver="liblinear"), "fit_intercept=False"),
        (LogisticRegression(C=math.inf), "no penalty"),
        (SGDClassifier(loss="modified_huber"), "loss='modified_huber'"),
        (LinearSVC(penalty="l1", dual=False), "fit_intercept=False"),
        (RidgeClassifier(), "RidgeClassifier isn't an estimator whose objective is known"),
        (RandomForestClassifier(n_estimators=2), "RandomForestClassifier has no coef_"),
        (CalibratedClassifierCV(LinearSVC()), "CalibratedClassifierCV has no coef_"),
        (SVC(kernel="rbf"), "has no coef_"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_no_proof_can_be_about_is_refused_by_name(estimator, words):
    with pytest.raises(linsep.UsageError, match=words):
        linsep.audit(estimator.fit(X, Y), X, Y)


def test_other_refusals():
    with pytest.raises(linsep.UsageError, match="isn't fitted"):
        linsep.audit(LogisticRegression(), X, Y)
    three = np.arange(150) % 3
    with pytest.raises(linsep.UsageError, match="each pair of classes"):
        linsep.audit(SVC(kernel="linear").fit(X, three), X, three)
    estimator = LogisticRegression(max_iter=1000).fit(X, Y)
    with pytest.raises(linsep.UsageError, match="other classes"):
        linsep.audit(estimator, X, SIGN)
    with pytest.raises(linsep.UsageError, match="4 features"):
        linsep.audit(estimator, X[:, :3], Y)
    for wrong in ({"alpha": 0.1}, {"l1_ratio": 0.5}):
        with pytest.raises(linsep.UsageError, match="GLM.fit_regularized"):
            linsep.audit(estimator, X, Y, **wrong)
    for missing in ((), (X,)):
        with pytest.raises(linsep.UsageError, match="is missing"):
            linsep.audit(estimator, *missing)
    with pytest.raises(linsep.UsageError, match="isn't an estimator"):
        linsep.audit("model.json", X, Y)
    with pytest.raises(linsep.UsageError):
        linsep.audit(LinearRegression().fit(X, SIGN), X, SIGN)


THREE = np.arange(150) % 3


def softmax_value(estimator, X, place, weights, penalty):
    z = X @ estimator.coef_.T + estimator.intercept_
    top = z.max(axis=1)
    losses = top + np.log(np.exp(z - top[:, None]).sum(axis=1)) - z[np.arange(len(z)), place]
    cost = weights[place]
    return (cost * losses).sum() / cost.sum() + penalty / 2 * (estimator.coef_**2).sum()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "estimator",
    [SGDClassifier(penalty="l1", alpha=0.02, random_state=1), LogisticRegression(penalty="elasticnet", l1_ratio=0.6, C=0.1, solver="saga", max_iter=3000)],
    ids=lambda value: type(value).__name__,
)
def test_an_l1_part_of_the_penalty_with_several_classes(estimator):
    found = linsep.audit(estimator.fit(X, THREE), X, THREE, gap=1e-3)
    ratio = 1 if isinstance(estimator, SGDClassifier) else 0.6
    proofs = found.proof.get("parts", [found.proof])
    assert len(proofs) == (3 if ratio == 1 else 1)
    assert all(float(Fraction(proof["objective"]["l1_ratio"])) == ratio for proof in proofs)
    assert found.verify()


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 2.0, 1: 0.5}], ids=str)
def test_all_classes_together(class_weight):
    place = np.minimum(THREE, np.arange(150) // 40)
    estimator = LogisticRegression(C=0.5, class_weight=class_weight, max_iter=2000, tol=1e-8).fit(X, place)
    found = linsep.audit(estimator, X, place)
    counts = np.bincount(place)
    weights = len(place) / (3 * counts) if class_weight == "balanced" else np.array([1.0, 1.0, 1.0])
    if isinstance(class_weight, dict):
        weights = np.array([2.0, 0.5, 1.0])
    value = softmax_value(estimator, X, place, weights, 1 / (0.5 * (weights * counts).sum()))
    assert found.objective == pytest.approx(value, rel=1e-9)
    assert found.gap < 1e-6
    assert found.parts == {}
    assert found.certain_signs.shape == (3, 4)
    assert found.verify()
    assert linsep.verify(found, X, place).certain_labels is None
    assert linsep.Audit.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "estimator",
    [LinearSVC(C=0.3, class_weight="balanced", tol=1e-6, max_iter=10**5), SGDClassifier(loss="log_loss", random_state=1, class_weight={0: 3.0})],
    ids=lambda value: type(value).__name__,
)
def test_each_class_against_the_rest(estimator):
    estimator.fit(X, THREE)
    found = linsep.audit(estimator, X, THREE)
    assert list(found.parts) == ["0", "1", "2"]
    assert found.gap == max(part.gap for part in found.parts.values())
    assert found.verify()
    for c, part in enumerate(found.parts.values()):
        alone = type(estimator)(**estimator.get_params())
        weight = {"balanced": 1.0, None: 1.0}.get(alone.class_weight) if not isinstance(alone.class_weight, dict) else alone.class_weight.get(c, 1.0)
        alone.set_params(class_weight={0: 1.0, 1: weight}).fit(X, THREE == c)
        alone.coef_, alone.intercept_ = estimator.coef_[c : c + 1], estimator.intercept_[c : c + 1]
        assert part.objective == pytest.approx(linsep.audit(alone, X, THREE == c).objective, rel=1e-9)


def test_own_models_of_several_classes():
    for loss in ("hinge", "logistic", "softmax"):
        estimator = linsep.MarginClassifier(loss=loss, gap=1e-4).fit(X, THREE)
        found = linsep.audit(estimator, X, THREE)
        assert found.gap <= 1.1e-4 + 1e-7
        assert bool(found.parts) == (loss != "softmax")
        assert found.verify()
        assert linsep.verify(found, X, THREE)
        assert not linsep.verify(found, X, (THREE + 1) % 3)


def test_own_models_of_several_labels():
    labels = np.column_stack([SIGN, np.where(THREE == 1, 1, -1), np.where(np.arange(150) % 7 == 0, 0, SIGN)])
    for loss in ("hinge", "logistic"):
        estimator = linsep.MarginClassifier(loss=loss, gap=1e-4).fit(X, labels)
        found = linsep.audit(estimator, X, labels)
        assert list(found.parts) == ["1", "2", "3"]
        assert found.gap <= 1.1e-4 + 1e-7
        assert found.verify()
        assert linsep.verify(found, X, labels)
        other = labels.copy()
        other[1, 2] = 0
        assert not linsep.verify(found, X, other)
        assert linsep.Audit.from_json(found.to_json()) == found


def test_threads_change_nothing():
    estimator = LogisticRegression(max_iter=3).fit(X, Y)
    assert linsep.audit(estimator, X, Y, n_jobs=1) == linsep.audit(estimator, X, Y, n_jobs=3)


@pytest.mark.parametrize("estimator", [LogisticRegression(tol=1e-10), LogisticRegression(class_weight="balanced", tol=1e-10)])
def test_weights_of_rows_are_bound(estimator, tmp_path):
    X, y = linsep.generate("noisy", rows=120, features=3, seed=1)
    X, y = np.asarray(X), np.asarray(y)
    weights = np.random.default_rng(1).integers(0, 9, len(y)) / 3
    audit = linsep.audit(estimator.fit(X, y, sample_weight=weights), X, y, sample_weight=weights)
    assert audit.gap < 1e-6
    assert audit.verify() and audit.verify(X, y, sample_weight=weights)
    other = weights.copy()
    other[7] += 0.001
    for wrong in (None, 2 * weights, other):
        assert not audit.verify(X, y, sample_weight=wrong)
    audit.save(tmp_path / "proof.json")
    assert linsep.verify(tmp_path / "proof.json", X, y, sample_weight=weights)
    assert not linsep.verify(tmp_path / "proof.json", X, y)
    with pytest.raises(linsep.errors.UsageError):
        linsep.verify(linsep.certify(X, y), X, y, sample_weight=weights)
