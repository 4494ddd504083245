"""linsep.audit of statsmodels: its results against its own objective and against one written out with NumPy."""

import numpy as np
import pytest

import linsep

sm = pytest.importorskip("statsmodels.api")

RNG = np.random.default_rng(11)
X = RNG.normal(size=(120, 4)) * [1.0, 2.0, 0.5, 1.0]
Y = (X @ [1.0, -0.5, 1.0, 0.0] + 0.7 + RNG.normal(size=120) > 0).astype(float)
EXOG = sm.add_constant(X)
LOGIT = sm.Logit(Y, EXOG)
GLM = sm.GLM(Y, EXOG, family=sm.families.Binomial())
ALL_BUT_THE_CONSTANT = np.array([0.0, 1.0, 1.0, 1.0, 1.0])


def objective(theta, alpha, l1_ratio, exog=EXOG):
    """GLM.fit_regularized's: -loglike/n + Σ alpha·((1 − ρ)/2·θ² + ρ·|θ|)."""
    mean = np.logaddexp(0, -(2 * Y - 1) * (exog @ theta)).mean()
    return mean + np.sum(alpha * ((1 - l1_ratio) / 2 * theta**2 + l1_ratio * np.abs(theta)))


def least_nearby(theta, alpha, l1_ratio):
    return min(objective(theta + 0.02 * RNG.normal(size=5), alpha, l1_ratio) for _ in range(200))


@pytest.mark.parametrize("alpha", [3.0, 3 * ALL_BUT_THE_CONSTANT], ids=["all columns", "free constant"])
def test_logit(alpha):
    results = LOGIT.fit_regularized(alpha=alpha, disp=0, acc=1e-12, trim_mode="off")
    audit = linsep.audit(results)
    assert audit.objective == pytest.approx(results.mle_retvals["fopt"], rel=1e-12)
    assert audit.gap < 1e-6
    assert audit.at_least <= least_nearby(results.params, np.asarray(alpha) / 120, 1.0)
    assert audit.features == (5 if np.ndim(alpha) == 0 else 4)
    assert audit.verify()


@pytest.mark.parametrize("l1_ratio", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("alpha", [0.05, 0.05 * ALL_BUT_THE_CONSTANT], ids=["all columns", "free constant"])
def test_glm(alpha, l1_ratio):
    results = GLM.fit_regularized(alpha=alpha, L1_wt=l1_ratio)
    audit = linsep.audit(results, alpha=alpha, l1_ratio=l1_ratio)
    assert audit.objective == pytest.approx(objective(results.params, alpha, l1_ratio), rel=1e-12)
    assert audit.gap < 1e-5
    assert audit.at_least <= least_nearby(results.params, alpha, l1_ratio)
    if l1_ratio == 1:
        assert linsep.audit(results, alpha=alpha) == audit
    assert not linsep.audit(results, alpha=np.asarray(alpha) * 1.5, l1_ratio=l1_ratio).gap < 1e-4


def test_its_rows_are_those_of_the_results():
    results = LOGIT.fit_regularized(alpha=3.0, disp=0)
    assert linsep.audit(results).verify(EXOG, Y)
    assert not linsep.audit(results).verify(X, Y)
    free = LOGIT.fit_regularized(alpha=3 * ALL_BUT_THE_CONSTANT, disp=0)
    assert linsep.audit(free).verify(X, Y)
    twice = sm.Logit(Y, np.column_stack([X, np.full(120, 2.0)])).fit_regularized(alpha=[3.0, 3.0, 3.0, 3.0, 0.0], disp=0)
    assert linsep.audit(twice).objective == pytest.approx(twice.mle_retvals["fopt"], rel=1e-9)


def test_a_formula():
    pandas = pytest.importorskip("pandas")
    formula = pytest.importorskip("statsmodels.formula.api")
    data = pandas.DataFrame({"y": Y, "a": X[:, 0], "b": X[:, 1]})
    results = formula.logit("y ~ a + b", data).fit_regularized(alpha=1.0, disp=0)
    assert linsep.audit(results).objective == pytest.approx(results.mle_retvals["fopt"], rel=1e-12)


def test_one_that_stopped_early_is_far_from_the_best():
    with pytest.warns(UserWarning):
        results = LOGIT.fit_regularized(alpha=3.0, disp=0, maxiter=2)
    audit = linsep.audit(results)
    assert audit.above_best[0] > 0.001
    assert "above the best possible one" in repr(audit)
    assert audit.verify()


def refused():
    yield LOGIT, {}, "check_separation"
    yield LOGIT.fit(disp=0), {}, "check_separation"
    yield GLM.fit(), {}, "linsep.logit"
    yield LOGIT.fit_regularized(alpha=0, disp=0), {}, "without a penalty"
    yield GLM.fit_regularized(alpha=0.1), {}, "give them as alpha and l1_ratio"
    yield GLM.fit_regularized(alpha=0.1), {"alpha": [0.1, 0.2]}, "5 numbers"
    yield GLM.fit_regularized(alpha=0.1), {"alpha": -0.1}, "at least 0"
    yield GLM.fit_regularized(alpha=0.1), {"alpha": 0.1, "l1_ratio": 2}, "from 0 to 1"
    yield GLM.fit_regularized(alpha=0.1, refit=True), {"alpha": 0.1}, "without a penalty"
    yield LOGIT.fit_regularized(alpha=1, disp=0), {"alpha": 1}, "keep their alpha"
    yield LOGIT.fit_regularized(alpha=[1, 1, 1, 1, 2], disp=0), {}, "differ by column"
    yield LOGIT.fit_regularized(alpha=[1, 0, 1, 1, 1], disp=0), {}, "isn't its constant"
    yield LOGIT.fit_regularized(alpha=1, disp=0), {"X": EXOG}, "leave out X and y"
    yield sm.Probit(Y, EXOG).fit_regularized(alpha=1, disp=0), {}, "Known of statsmodels"
    family = sm.families.Binomial(sm.families.links.Probit())
    yield sm.GLM(Y, EXOG, family=family).fit_regularized(alpha=0.1), {"alpha": 0.1}, "Probit"
    weighted = sm.GLM(Y, EXOG, family=sm.families.Binomial(), freq_weights=np.arange(1, 121))
    yield weighted.fit_regularized(alpha=0.1), {"alpha": 0.1}, "freq_weights"
    moved = sm.GLM(Y, EXOG, family=sm.families.Binomial(), offset=np.ones(120))
    yield moved.fit_regularized(alpha=0.1), {"alpha": 0.1}, "offset"
    shares = sm.GLM(np.clip(Y, 0.25, 0.75), EXOG, family=sm.families.Binomial())
    yield shares.fit_regularized(alpha=0.1), {"alpha": 0.1}, "shares"


@pytest.mark.filterwarnings("ignore")
def test_what_no_proof_can_be_about_says_what_to_do():
    for given, options, words in refused():
        with pytest.raises(linsep.UsageError, match=words):
            linsep.audit(given, **options)
