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
    assert result.conf_int()["NV"] == pytest.approx((1.28411179, math.inf), abs=1e-8)
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
