"""logit: results as Python sees them; tests/logit holds the numbers against others."""

from __future__ import annotations

import math
import os
from pathlib import Path

import linsep
import numpy as np
import pytest
import scipy.sparse as sp

DOSES = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1]


@pytest.fixture(scope="module")
def pd():
    return pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def endometrial(pd):
    path = Path(os.environ.get("LINSEP_DATA", "/nonexistent")) / "endometrial.csv"
    if not path.exists():
        pytest.skip("endometrial.csv isn't in LINSEP_DATA")
    return pd.read_csv(path)


@pytest.fixture(scope="module")
def drawn():
    random = np.random.default_rng(5)
    X = random.normal(size=(200, 3))
    y = (random.random(200) < 1 / (1 + np.exp(-X @ [1, -0.5, 0]))).astype(int)
    return X, y


def test_infinite_estimates_have_one_sided_intervals_and_tests():
    result = linsep.logit(*DOSES, feature_names=["dose", "age"])
    assert result.separation == "quasi-separable"
    assert result.status == {"(intercept)": "finite", "dose": "+infinity", "age": "finite"}
    assert result.params["dose"] == math.inf
    assert math.isnan(result.bse["dose"])
    low, high = result.conf_int()["dose"]
    assert math.isfinite(low) and high == math.inf
    assert 0 < result.pvalues["dose"] < 1
    assert result.certificate.verdict == "quasi-separable"
    assert "infinite: dose" in repr(result)


def test_the_interval_of_an_infinite_estimate_ends_where_its_outcomes_are_unlikely():
    X, y = [[0], [0], [1]], [0, 1, 1]
    for method, ratio in (("mid-p", 9.085), ("face", 6.904), ("profile", 16.924)):
        result = linsep.logit(X, y, sample_weight=[49, 17, 13], infinite_interval=method)
        assert result.odds_ratios()["x1"][1] == pytest.approx(ratio, abs=5e-4)
        assert ("those of infinite coefficients by" in result.summary()) == (method != "profile")
        assert ("(mid-p)" in result.summary()) == (method == "mid-p")


def test_an_undetermined_coefficient_has_every_value_in_its_interval(pd):
    result = linsep.logit([[1, 1], [2, 1], [1, 5], [2, 5], [3, 6]], [0, 0, 1, 1, 1])
    assert result.status["x1"] == "undetermined"
    assert result.conf_int()["x1"] == (-math.inf, math.inf)
    assert result.pvalues["x1"] == 1
    assert result.table.loc["x1", ["chi_square", "or_low", "or_high"]].tolist() == [0, 0, math.inf]


def test_overflow_is_not_infinity(pd):
    X = np.array([[0], [1], [2], [3], [4], [5]]) * 1e-160
    result = linsep.logit(X, [0, 1, 0, 1, 0, 1])
    assert result.aliases == {}
    assert math.isfinite(result.params["x1"]) and result.params["x1"] > 1e150
    assert all(math.isnan(ratio) for ratio in result.odds_ratios()["x1"])
    assert math.isnan(result.table.loc["x1", "odds_ratio"])
    assert "> 1e+308" in result.summary() and "∞" not in result.summary()


def test_without_an_intercept_the_whole_is_tested_against_no_coefficients(drawn):
    X, y = drawn
    assert "Against no coefficients, where every probability is ½: " in linsep.logit(X, y, fit_intercept=False).summary()
    assert "Against the intercept alone: " in linsep.logit(X, y).summary()


def test_probabilities_are_those_of_the_limit():
    result = linsep.logit(*DOSES, feature_names=["dose", "age"])
    p = result.predict_proba([[0, 1], [1, 2], [-1, 2]])
    assert p.shape == (3, 2)
    assert p[0, 1] == pytest.approx(1 / 3)
    assert p[1, 1] == 1
    assert p[2, 1] == 0


def test_layouts_and_threads_change_no_bit(drawn):
    X, y = drawn
    wanted = linsep.logit(X, y).params
    assert linsep.logit(sp.csr_array(X), y, n_jobs=1).params == wanted
    assert linsep.logit(np.asfortranarray(X), y.astype(bool), n_jobs=2).params == wanted


def test_a_constant_column_is_the_intercept(drawn):
    X, y = drawn
    plain, own = linsep.logit(X, y), linsep.logit(np.column_stack([np.ones(len(X)), X]), y)
    assert list(own.params.values()) == list(plain.params.values())
    assert own.overall["degrees"] == plain.overall["degrees"] == 3
    np.testing.assert_array_equal(own.predict_proba(np.column_stack([np.ones(len(X)), X])), plain.predict_proba(X))


def test_weights_and_offset(drawn):
    X, y = drawn
    weight = np.arange(len(y)) % 3
    twice = linsep.logit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    once = linsep.logit(X, y, sample_weight=weight)
    assert list(once.params.values()) == pytest.approx(list(twice.params.values()), rel=1e-9)
    moved = linsep.logit(X, y, offset=X[:, 0])
    assert moved.params["x1"] == pytest.approx(linsep.logit(X, y).params["x1"] - 1, rel=1e-9)
    with pytest.raises(linsep.UsageError, match="offset has 3 numbers"):
        linsep.logit(X, y, offset=[1, 2, 3])


def test_joint_tests(drawn):
    X, y = drawn
    result = linsep.logit(X, y)
    alone = result.lr_test("x1")
    assert alone["p"] == pytest.approx(result.pvalues["x1"], rel=1e-6)
    assert result.lr_test("x1", "x2", "x3") == pytest.approx(
        {name: result.overall[name] for name in ("chi_square", "degrees", "p")}, rel=1e-6
    )
    with pytest.raises(linsep.UsageError, match="nobody isn't one"):
        result.lr_test("nobody")


def test_the_table_in_every_form(pd, drawn):
    result = linsep.logit(*drawn)
    table = result.table
    assert list(table.index) == ["(intercept)", "x1", "x2", "x3"]
    assert table.loc["x1", "odds_ratio"] == pytest.approx(math.exp(result.params["x1"]))
    assert result.odds_ratios()["x1"][0] == pytest.approx(table.loc["x1", "odds_ratio"])
    assert "by maximum likelihood" in result.summary() == str(result)
    assert result.to_latex().startswith("\\begin{tabular}")
    assert result.to_markdown().count("\n") == 6
    assert "<table>" in result._repr_html_()


def test_formulas_and_models(endometrial):
    pytest.importorskip("formulaic")
    sm = pytest.importorskip("statsmodels.api")
    result = linsep.logit("HG ~ NV + PI + EH", endometrial)
    assert result.params["Intercept"] == pytest.approx(4.30451778, abs=1e-8)
    by_profile = linsep.logit("HG ~ NV + PI + EH", endometrial, infinite_interval="profile")
    assert by_profile.conf_int()["NV"] == pytest.approx((1.28411179, math.inf), abs=1e-8)
    assert result.conf_int()["NV"][0] < 1.28
    model = sm.Logit(endometrial.HG, sm.add_constant(endometrial[["PI", "EH"]]))
    fitted = linsep.logit(model)
    assert list(fitted.params.values()) == pytest.approx(list(model.fit(disp=0, tol=1e-14).params), rel=1e-9)


def test_firth(endometrial):
    result = linsep.logit(endometrial[["NV", "PI", "EH"]], endometrial.HG, method="firth")
    assert list(result.params.values()) == pytest.approx([3.77455951, 2.92927330, -0.03475175, -2.60416387], abs=1e-6)
    flic = linsep.logit(endometrial[["NV", "PI", "EH"]], endometrial.HG, method="flic")
    mean = flic.predict_proba(endometrial[["NV", "PI", "EH"]])[:, 1].mean()
    assert mean == pytest.approx(endometrial.HG.mean(), abs=1e-9)


def test_the_forest_has_a_row_per_column_and_arrows_where_estimates_are_infinite():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    display = linsep.plot.forest(linsep.logit(*DOSES, feature_names=["dose", "age"]))
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["dose", "age"]
    markers = [line.get_marker() for line in display.ax_.lines]
    assert markers.count(">") == 1 and markers.count("<") == 0 and markers.count("s") == 1


def test_clusters(drawn, pd):
    X, y = drawn
    site = np.arange(len(y)) // 8
    plain, clustered = linsep.logit(X, y), linsep.logit(X, y, cluster=site)
    assert clustered.params == plain.params
    assert clustered.bse != plain.bse
    words = linsep.logit(X, y, cluster=pd.Series([f"site {g}" for g in site], name="clinic"))
    assert words.bse == clustered.bse
    assert "25 clusters of clinic" in words.summary()
    # A cluster for each row: CR1 is HC1.
    alone = linsep.logit(X, y, cluster=np.arange(len(y)))
    robust = linsep.logit(X, y, robust=True)
    assert list(alone.bse.values()) == pytest.approx(list(robust.bse.values()), rel=1e-10)
    joint = clustered.wald_test("x1", "x2", "x3")
    assert joint["chi_square"] == pytest.approx(clustered.overall["chi_square"])
    assert joint["p"] == pytest.approx(clustered.overall["p"])
    # Likelihood ratios don't depend on standard errors.
    assert clustered.lr_test("x1") == plain.lr_test("x1")


def test_clusters_of_statsmodels(drawn):
    sm = pytest.importorskip("statsmodels.api")
    X, y = drawn
    site = np.random.default_rng(1).integers(0, 30, len(y))
    fit = sm.Logit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": site})
    found = linsep.logit(X, y, cluster=site)
    assert list(found.bse.values()) == pytest.approx(list(fit.bse), rel=1e-6)
    assert list(found.pvalues.values()) == pytest.approx(list(fit.pvalues), abs=1e-6)


def test_a_formula_takes_clusters_from_its_data(drawn, pd):
    pytest.importorskip("formulaic")
    X, y = drawn
    data = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, site=[f"s{i % 9}" for i in range(len(y))])
    data.loc[3, "a"] = np.nan  # formulaic leaves the row out
    found = linsep.logit("y ~ a + b", data, cluster="site")
    assert "Left out: 1 row with a missing value." in found.summary()
    rest = data.drop(index=3)
    wanted = linsep.logit(rest[["a", "b"]], rest["y"], cluster=rest["site"])
    assert list(found.bse.values()) == pytest.approx(list(wanted.bse.values()))


def test_what_is_refused(drawn):
    X, y = drawn
    for options, words in (
        ({"method": "ridge"}, "'ml', 'firth', 'flic' or 'flac'"),
        ({"intervals": "exact"}, "'profile' or 'wald'"),
        ({"infinite_interval": "exact"}, "'mid-p', 'face' or 'profile'"),
        ({"infinite_interval": "face", "method": "firth"}, "leave it out"),
        ({"confidence": 95}, "a share"),
        ({"robust": True, "method": "firth"}, "robust needs"),
    ):
        with pytest.raises(linsep.UsageError, match=words):
            linsep.logit(X, y, **options)
    with pytest.raises(linsep.UsageError, match="needs its data"):
        linsep.logit("y ~ x")
    with pytest.raises(linsep.UsageError, match="not both"):
        linsep.logit(X, y, robust=True, cluster=y)
    with pytest.raises(linsep.UsageError, match="cluster needs method"):
        linsep.logit(X, y, method="firth", cluster=y)
    with pytest.raises(linsep.UsageError, match="no value in row 1"):
        linsep.logit(X, y, cluster=[None] * len(y))
    with pytest.raises(linsep.UsageError, match="cluster has 3 values, X 200 rows"):
        linsep.logit(X, y, cluster=[1, 2, 3])
    with pytest.raises(linsep.UsageError, match="formula"):
        linsep.logit(X, y, cluster="site")


@pytest.fixture(scope="module")
def sm():
    return pytest.importorskip("statsmodels.api")


@pytest.fixture
def frame(drawn, pd):
    X, y = drawn
    group = np.array(list("uvw"))[np.random.default_rng(7).integers(0, 3, len(y))]
    return pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y, g=group)


def assert_same(found, fit):
    assert list(found.params.values()) == pytest.approx(list(fit.params), rel=1e-6)
    assert list(found.bse.values()) == pytest.approx(list(fit.bse), rel=1e-5)


def test_a_models_offset_and_weights_are_taken_over(drawn, sm):
    X, y = drawn
    X = sm.add_constant(X)
    offset, weight = X[:, 2] / 2, np.arange(len(y)) % 3
    found = linsep.logit(sm.Logit(y, X, offset=offset))
    assert_same(found, sm.Logit(y, X, offset=offset).fit(disp=0, tol=1e-12))
    binomial = sm.families.Binomial()
    for options in ({"offset": offset}, {"freq_weights": weight}, {"var_weights": weight}):
        fit = sm.GLM(y, X, family=binomial, **options).fit(tol=1e-12)
        assert_same(linsep.logit(fit), fit)
        assert linsep.logit(fit).log_likelihood == pytest.approx(fit.llf, rel=1e-9)
    model = sm.GLM(y, X, family=binomial, freq_weights=weight, offset=offset)
    assert_same(linsep.logit(model), model.fit(tol=1e-12))
    with pytest.raises(linsep.UsageError, match="the model has an offset of its own: leave out offset"):
        linsep.logit(model, offset=offset)
    with pytest.raises(linsep.UsageError, match="leave out sample_weight"):
        linsep.logit(model, sample_weight=weight)


def test_grouped_counts_are_counted(sm):
    X = sm.add_constant(np.arange(4.0))
    trials, events = np.array([5, 7, 9, 4]), np.array([1, 3, 6, 4])
    binomial = sm.families.Binomial()
    models = (
        sm.GLM(np.column_stack([events, trials - events]), X, family=binomial),
        sm.GLM(events / trials, X, family=binomial, var_weights=trials),
        sm.GLM(events / trials, X, family=binomial, freq_weights=trials),
    )
    y = np.concatenate([np.repeat([1, 0], [k, n - k]) for k, n in zip(events, trials, strict=True)])
    one_by_one = linsep.logit(np.repeat(X, trials, axis=0), y)
    for model in models:
        found = linsep.logit(model)
        assert_same(found, model.fit(tol=1e-12))
        assert list(found.pvalues.values()) == pytest.approx(list(one_by_one.pvalues.values()), rel=1e-6)
        assert found.log_likelihood == pytest.approx(one_by_one.log_likelihood)
        moved = linsep.logit(model, offset=[0.5, 0, 1, 0])
        wanted = linsep.logit(np.repeat(X, trials, axis=0), y, offset=np.repeat([0.5, 0, 1, 0], trials))
        assert list(moved.params.values()) == pytest.approx(list(wanted.params.values()), rel=1e-6)


def test_what_a_model_says_and_logit_has_not_is_refused_by_name(drawn, sm):
    X, y = drawn
    X = sm.add_constant(X)
    binomial, links = sm.families.Binomial, sm.families.links
    model = sm.GLM(y, X, family=binomial())
    for given, words in (
        (sm.Probit(y, X), "link is Probit"),
        (sm.GLM(y, X, family=binomial(link=links.CLogLog())), "link is CLogLog"),
        (sm.GEE(y, X, groups=np.arange(len(y)) // 8, family=binomial()), "GEE has a working correlation"),
        (sm.GLM(y, X, family=binomial(), var_weights=np.full(len(y), 0.5)), "var_weights aren't whole"),
        (sm.Logit(np.clip(y, 0.2, 1), X), "between 0 and 1"),
        (model.fit(scale="X2"), "scale is 1"),
        (model.fit(use_t=True), "use_t=True"),
        (model.fit(cov_type="HC3"), "cov_type='HC3'"),
        (model.fit(cov_type="HAC", cov_kwds={"maxlags": 2}), "cov_type='HAC'"),
        (model.fit_constrained("x1 = 1"), "fit_constrained"),
        (model.fit_regularized(alpha=0.1), "fit_regularized"),
        (sm.Logit(y, X).fit_regularized(alpha=1.0, disp=0), "fit_regularized"),
        (sm.GLM(y, X, family=binomial(), freq_weights=1 + y).fit(cov_type="HC1"), "with weights or grouped counts"),
    ):
        with pytest.raises(linsep.UsageError, match=words):
            linsep.logit(given)


def test_a_results_covariance_is_taken_over(drawn, sm):
    X, y = drawn
    site = np.random.default_rng(1).integers(0, 30, len(y))
    model = sm.Logit(y, sm.add_constant(X))
    clustered = model.fit(disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": site})
    assert_same(linsep.logit(clustered), clustered)
    assert linsep.logit(model.fit(disp=0, cov_type="HC1")).bse == linsep.logit(model, robust=True).bse
    assert linsep.logit(clustered.model).bse == linsep.logit(model).bse


def test_predictions_go_by_name(frame):
    fit = linsep.logit(frame[["a", "b", "c"]], frame.y)
    wanted = fit.predict_proba(frame[["a", "b", "c"]].to_numpy())
    np.testing.assert_array_equal(fit.predict_proba(frame[["c", "g", "a", "b"]]), wanted)
    renamed = linsep.logit(frame[["a", "b"]], frame.y, feature_names=["dose", "age"])
    np.testing.assert_array_equal(renamed.predict_proba(frame[["b", "a"]]), renamed.predict_proba(frame[["a", "b"]]))
    with pytest.raises(linsep.UsageError, match=r"no column 'b', which the regression needs; it has: a and c"):
        fit.predict_proba(frame[["a", "c"]])
    with pytest.raises(linsep.UsageError, match=r"shape \(200, 2\), and the regression has 3 columns: a, b and c"):
        fit.predict_proba(np.zeros((200, 2)))
    with pytest.raises(linsep.UsageError, match="offset has the shape"):
        fit.predict_proba(frame, offset=[1, 2])
    words = frame.assign(a="many")
    with pytest.raises(linsep.UsageError, match="column 'a' of X holds values that aren't numbers"):
        fit.predict_proba(words)
    polars = pytest.importorskip("polars")
    np.testing.assert_array_equal(fit.predict_proba(polars.from_pandas(frame[["c", "b", "a"]])), wanted)


def test_rows_with_a_missing_value_have_no_probability(frame):
    fit = linsep.logit(frame[["a", "b"]], frame.y)
    holes = frame.assign(a=frame.a.where(frame.index != 3), b=frame.b.astype("Float64").where(frame.index != 5))
    assert np.flatnonzero(np.isnan(fit.predict_proba(holes)[:, 1])).tolist() == [3, 5]
    infinite = linsep.logit(*DOSES, feature_names=["dose", "age"])
    assert np.isnan(infinite.predict_proba([[np.nan, 1], [1, np.nan]])).all()


@pytest.mark.parametrize("engine", ["formulaic", "patsy"])
def test_formulas_are_rebuilt(frame, engine):
    pytest.importorskip("formulaic")
    if engine == "patsy":
        formulas = pytest.importorskip("statsmodels.formula.api")
        fit = linsep.logit(formulas.logit("y ~ np.exp(a) + C(g)", frame))
    else:
        fit = linsep.logit("y ~ np.exp(a) + C(g)", frame)
    params = list(fit.params.values())
    at = dict(zip(fit.names, params, strict=True))
    score = params[0] + at["np.exp(a)"] * np.exp(frame.a)
    score += at["C(g)[T.v]"] * (frame.g == "v") + at["C(g)[T.w]"] * (frame.g == "w")
    wanted = 1 / (1 + np.exp(-score))
    some = frame[["g", "c", "a"]].iloc[::-1]  # other columns, another order, and not every level
    np.testing.assert_allclose(fit.predict_proba(some)[::-1, 1], wanted, rtol=1e-12)
    few = frame[frame.g == "w"]
    np.testing.assert_allclose(fit.predict_proba(few)[:, 1], wanted[frame.g == "w"], rtol=1e-12)
    holes = frame.assign(g=frame.g.where(frame.index != 2), a=frame.a.where(frame.index != 4))
    assert np.flatnonzero(np.isnan(fit.predict_proba(holes)[:, 1])).tolist() == [2, 4]
    with pytest.raises(linsep.UsageError, match="X has no column 'a', which the regression needs; it has: g and c"):
        fit.predict_proba(frame[["g", "c"]])
    with pytest.raises(linsep.UsageError, match="z"):
        fit.predict_proba(frame.assign(g="z"))


def test_a_pickled_fit_of_a_formula_predicts_by_the_columns_of_its_matrix(frame):
    import pickle

    formulas = pytest.importorskip("statsmodels.formula.api")
    fit = linsep.logit(formulas.logit("y ~ a + C(g)", frame))
    again = pickle.loads(pickle.dumps(fit))
    assert again.params == fit.params
    with pytest.raises(linsep.UsageError, match="no columns 'Intercept'"):
        again.predict_proba(frame)
