"""check_separation: what is told before a regression, by array, DataFrame, formula and model."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path

import linsep
import numpy as np
import pytest
import scipy.sparse as sp

PATIENTS = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1]


@pytest.fixture(scope="module")
def pd():
    return pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def sm():
    return pytest.importorskip("statsmodels.api")


@pytest.fixture(scope="module")
def endometrial(pd):
    folder = os.environ.get("LINSEP_DATA")
    path = Path(folder or "") / "endometrial.csv"
    if not folder or not path.exists():
        pytest.skip("LINSEP_DATA names no folder with endometrial.csv")
    return pd.read_csv(path)


def fitted(model):
    """Return a fit without a word about separation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(disp=0, maxiter=200)


def test_a_column_that_separates_some_rows_goes_to_infinity():
    report = linsep.check_separation(*PATIENTS, feature_names=["dose", "age"])
    assert report.verdict == "quasi-complete" and report.separated
    assert report.infinite == {"dose": 1}
    assert report.coefficients == {"dose": np.inf, "age": 0, "intercept": 0}
    assert report.estimable == ["age", "intercept"]
    assert report.separated_rows.tolist() == [3, 4] and report.overlap_rows.tolist() == [0, 1, 2]
    assert report.causes == ["2 rows have dose above 0, and y = 1 in all of them."]
    assert repr(report) == "SeparationReport(quasi-complete, 5 rows × 2 columns, dose → +∞, 2 rows separated)"
    assert report.certificate.verify()


def test_signs_are_for_the_greater_outcome():
    X, y = PATIENTS
    report = linsep.check_separation(X, ["ill" if not each else "a well one" for each in y])
    assert report.classes == ("a well one", "ill") and report.infinite == {"x1": -1}


def test_complete_separation_has_no_finite_estimate():
    report = linsep.check_separation([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert report.verdict == "complete" and report.estimable == []
    assert report.coefficients == {"x1": np.inf, "intercept": -np.inf}
    assert report.overlap_rows.tolist() == []
    assert "no finite maximum-likelihood estimate" in report.summary


def test_overlap_means_finite_estimates():
    report = linsep.check_separation([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    assert report.verdict == "none" and not report.separated and report.infinite == {}
    assert report.raise_if_separated() is report
    assert report.estimable == ["x1", "intercept"] and report.overlap_rows.tolist() == [0, 1, 2, 3]
    assert set(report.coefficients.values()) == {0.0}


def test_a_report_is_neither_true_nor_false():
    with pytest.raises(linsep.UsageError, match=r"report\.separated"):
        bool(linsep.check_separation(*PATIENTS))


def test_raise_if_separated_says_what_is_wrong():
    with pytest.raises(linsep.SeparationError, match=r"Quasi-complete separation\. .*x1 → \+∞") as caught:
        linsep.check_separation(*PATIENTS).raise_if_separated()
    assert caught.value.report.infinite == {"x1": 1} and isinstance(caught.value, ValueError)


def test_a_constant_column_is_not_counted_twice():
    X, y = np.column_stack([np.ones(5), PATIENTS[0]]), PATIENTS[1]
    report = linsep.check_separation(X, y)
    assert report.coefficients == {"const": 0, "x1": np.inf, "x2": 0}
    assert report.certificate.origin
    split = sp.csr_array((np.full(10, 0.5), np.zeros(10, dtype=int), np.arange(0, 11, 2)), shape=(5, 1))
    for sparse in (
        sp.csr_array(X),
        sp.csc_array(X),
        sp.hstack([split, sp.csr_array(X[:, 1:])], format="csc"),
    ):
        assert linsep.check_separation(sparse, y).coefficients == report.coefficients
    # Asked for another intercept, neither of the two can be told from the other.
    both = linsep.check_separation(X, y, fit_intercept=True)
    assert both.undetermined == ["const", "intercept"] and both.infinite == {"x1": 1}
    assert any("linearly dependent" in sentence for sentence in both.advice)


def test_dependent_columns_without_separation_are_not_unique():
    X = np.array([[0.0, 0.0, 1.0], [1, 2, 0], [2, 4, 1], [3, 6, 0], [1, 2, 3]])
    report = linsep.check_separation(X, [0, 1, 0, 1, 0], feature_names=["a", "b", "c"])
    assert report.undetermined[:2] == ["a", "b"] and any(
        "rank 3 of 4" in sentence for sentence in report.advice
    )
    dependent = linsep.check_separation(X[:, :2], [0, 1, 0, 1, 0], feature_names=["a", "b"])
    assert dependent.verdict == "none" and dependent.estimates == {
        "a": "not unique",
        "b": "not unique",
        "intercept": "finite",
    }
    assert dependent.advice == ["Leave out one of a and b: no data could tell their coefficients apart."]


def test_without_an_intercept_the_boundary_goes_through_the_origin():
    X, y = [[1.0], [2.0], [3.0]], [0, 0, 1]
    assert linsep.check_separation(X, y).verdict == "complete"
    assert linsep.check_separation(X, y, fit_intercept=False).verdict == "none"


def test_data_frames_bring_their_names_and_labels(pd):
    frame = pd.DataFrame(PATIENTS[0], columns=["dose", "age"], index=list("abcde"))
    report = linsep.check_separation(frame, pd.Series(PATIENTS[1], name="ill", index=frame.index))
    assert report.infinite == {"dose": 1}
    assert report.certificate.witness["id"].tolist() == ["a", "b", "c"]
    assert report.causes == ["2 rows have dose above 0, and ill = 1 in all of them."]


def test_outcomes_may_be_booleans_words_categories_or_a_frame(pd):
    X, y = PATIENTS
    words = np.array(["no", "yes"])[y]
    for given in (
        np.array(y, dtype=bool),
        words,
        pd.Series(words, dtype="category"),
        pd.DataFrame({"y": y}),
        np.array(y, dtype=float),
    ):
        assert linsep.check_separation(X, given).infinite == {"x1": 1}


def test_polars_frames_bring_their_names():
    pl = pytest.importorskip("polars")
    report = linsep.check_separation(
        pl.DataFrame(PATIENTS[0], schema=["dose", "age"], orient="row"), pl.Series("ill", PATIENTS[1])
    )
    assert report.infinite == {"dose": 1} and "ill = 1" in report.causes[0]


def test_formulas_bring_their_names_and_their_intercept(pd):
    patsy, formulaic = pytest.importorskip("patsy"), pytest.importorskip("formulaic")
    frame = pd.DataFrame(PATIENTS[0], columns=["dose", "age"]).assign(ill=PATIENTS[1])
    outcome, matrix = patsy.dmatrices("ill ~ dose + age", frame)
    assert linsep.check_separation(matrix, outcome).coefficients == {"Intercept": 0, "dose": np.inf, "age": 0}
    outcome, matrix = patsy.dmatrices("ill ~ dose + age", frame, return_type="dataframe")
    assert linsep.check_separation(matrix, outcome).coefficients == {"Intercept": 0, "dose": np.inf, "age": 0}
    matrix = formulaic.model_matrix("dose + age", frame)
    assert linsep.check_separation(matrix, frame.ill).coefficients == {
        "Intercept": 0,
        "dose": np.inf,
        "age": 0,
    }
    # The formula leaves the intercept out, so there is none.
    report = linsep.check_separation(patsy.dmatrix("0 + dose + age", frame), frame.ill)
    assert list(report.estimates) == ["dose", "age"] and report.certificate.origin


@pytest.mark.parametrize("kind", ["Logit", "Probit", "GLM"])
def test_statsmodels_models_are_asked_for_their_matrix(sm, pd, kind):
    frame = pd.DataFrame(PATIENTS[0], columns=["dose", "age"], dtype=float)
    outcome = pd.Series(PATIENTS[1], name="ill")
    given = {"family": sm.families.Binomial()} if kind == "GLM" else {}
    model = getattr(sm, kind)(outcome, sm.add_constant(frame), **given)
    report = linsep.check_separation(model)
    assert report.coefficients == {"const": 0, "dose": np.inf, "age": 0}
    assert report.certificate.origin and "ill = 1" in report.causes[0]
    without = getattr(sm, kind)(outcome, frame, **given)
    assert list(linsep.check_separation(without).estimates) == ["dose", "age"]


def test_results_and_formula_models_are_taken_too(sm, pd):
    formulas = pytest.importorskip("statsmodels.formula.api")
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3, 4, 5], "y": [0, 0, 1, 0, 1, 1]})
    model = formulas.logit("y ~ x", frame)
    assert linsep.check_separation(model).estimable == ["Intercept", "x"]
    assert linsep.check_separation(fitted(model)).verdict == "none"


def test_a_binomial_row_of_both_outcomes_overlaps(sm):
    X = sm.add_constant(np.array([0.0, 1.0, 2.0, 3.0]))
    successes = np.array([[0, 5], [2, 3], [4, 1], [5, 0]])
    report = linsep.check_separation(sm.GLM(successes, X, family=sm.families.Binomial()))
    assert report.verdict == "none" and report.rows == 4
    # All trials of either kind on one side: separated, but for the row between them.
    successes = np.array([[0, 5], [0, 3], [2, 1], [5, 0]])
    report = linsep.check_separation(sm.GLM(successes, X, family=sm.families.Binomial()))
    assert report.verdict == "quasi-complete"
    assert report.separated_rows.tolist() == [0, 1, 3] and report.overlap_rows.tolist() == [2]


WITH_A_GAP = np.array([[0, 1.0], [0, 2], [np.nan, 9], [0, 3], [1, 2], [2, 5]]), np.array([0.0, 1, 0, 0, 1, 1])


def test_rows_keep_their_numbers_where_missing_values_were_dropped(sm, pd):
    X, y = WITH_A_GAP  # row 2 has no dose
    report = linsep.check_separation(sm.Logit(y, sm.add_constant(X, has_constant="add"), missing="drop"))
    assert report.rows == 5
    assert report.separated_rows.tolist() == [4, 5] and report.overlap_rows.tolist() == [0, 1, 3]
    assert report.certificate.witness["id"].tolist() == ["0", "1", "3"]
    assert "can be separated (from 0)" in report._repr_html_() and "4 and 5" in report._repr_html_()


def test_rows_of_frames_go_by_their_index(sm, pd):
    formulas = pytest.importorskip("statsmodels.formula.api")
    X, y = WITH_A_GAP
    frame = pd.DataFrame(X, columns=["dose", "age"]).assign(ill=y)
    by_formula = linsep.check_separation(formulas.logit("ill ~ dose + age", frame))
    by_model = linsep.check_separation(sm.Logit(frame.ill, frame[["dose", "age"]].assign(one=1), missing="drop"))
    complete = frame.dropna()
    by_frame = linsep.check_separation(complete[["dose", "age"]], complete.ill)
    for report in (by_formula, by_model, by_frame, pickle.loads(pickle.dumps(by_frame))):
        assert report.separated_rows.tolist() == [4, 5] and report.overlap_rows.tolist() == [0, 1, 3]
        assert frame.loc[report.separated_rows, "dose"].tolist() == [1, 2]
        assert "(by the index)" in report._repr_html_()
    named = complete.set_index(pd.Index(["ann", "bob", "dan", "eve", "fay"]))
    assert linsep.check_separation(named[["dose", "age"]], named.ill).separated_rows.tolist() == ["eve", "fay"]
    later = complete.reset_index(drop=True).set_index(pd.RangeIndex(100, 105))
    assert linsep.check_separation(later[["dose", "age"]], later.ill).separated_rows.tolist() == [103, 104]
    # Labels that don't tell rows apart are no names.
    twice = complete.set_index(pd.Index([7, 7, 8, 8, 8]))
    assert linsep.check_separation(twice[["dose", "age"]], twice.ill).separated_rows.tolist() == [3, 4]


@pytest.mark.parametrize("kind", ["freq_weights", "var_weights"])
def test_rows_of_weight_0_are_no_rows(sm, kind):
    X, y = sm.add_constant(np.array(PATIENTS[0], dtype=float)), np.array(PATIENTS[1], dtype=float)
    X, y = np.vstack([X, [[1, 3, 3]]]), np.append(y, 0)  # the last row would overlap with dose
    model = sm.GLM(y, X, family=sm.families.Binomial(), **{kind: np.array([1, 1, 1, 1, 1, 0])})
    report = linsep.check_separation(model)
    assert report.rows == 5 and report.infinite == {"x1": 1}
    assert report.separated_rows.tolist() == [3, 4] and report.overlap_rows.tolist() == [0, 1, 2]
    assert "2 of 5 rows can be separated" in report.summary and "5 rows" in repr(report)


def collinear_rows(rows=200):
    """Return x1, x2, x3 and x4 = x1 + x2 as doubles add it, with outcomes that overlap."""
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, 3))
    y = (X[:, 0] + random.normal(size=rows) > 0).astype(int)
    return np.column_stack([X, X[:, 0] + X[:, 1]]), y


def test_nearly_collinear_columns_are_named_where_standard_errors_do_not_exist(sm):
    X, y = collinear_rows()
    report = linsep.check_separation(X, y)
    assert report.verdict == "none" and set(report.estimates.values()) == {"finite"}  # exactly: 0.1 + 0.2 isn't 0.3
    assert report.collinear == [["x1", "x2", "x4"]]
    assert report.summary.endswith("estimate, but x1, x2 and x4 are nearly collinear.")
    assert "standard errors and tests of x1, x2 and x4" in report.advice[0]
    assert not any("as usual" in sentence for sentence in report.advice)
    for same in (sm.Logit(y, sm.add_constant(X)), None):
        again = linsep.check_separation(same) if same is not None else linsep.check_separation(sp.csr_array(X), y)
        assert again.collinear == [["x1", "x2", "x4"]]
    # What linsep.logit leaves out is named: a part in a million isn't enough for it.
    X[:, 3] += 1e-6 * np.random.default_rng(2).normal(size=len(X))
    assert linsep.check_separation(X, y).collinear == [["x1", "x2", "x4"]]
    assert linsep.logit(X, y).aliases == {"x4": ["x1", "x2"]}
    # A part in a thousand that others don't explain is enough for standard errors.
    X[:, 3] += 1e-3 * np.random.default_rng(2).normal(size=len(X))
    plain = linsep.check_separation(X, y)
    assert plain.collinear == [] and "as usual" in plain.advice[0]


def test_near_collinearity_is_of_the_scaled_columns_and_of_float32_too():
    X, y = collinear_rows()
    scaled = X * [1e-9, 1e12, 1, 1e5]
    assert linsep.check_separation(scaled, y).collinear == [["x1", "x2", "x4"]]
    single = X[:, :3].astype(np.float32)
    single = np.column_stack([single, single[:, 0] + single[:, 1]])
    assert linsep.check_separation(single, y).collinear == [["x1", "x2", "x4"]]
    nearly_constant = 1e9 + X[:, :1]
    report = linsep.check_separation(nearly_constant, y)
    assert report.collinear == [["x1", "intercept"]] and "subtract its mean" in report.advice[0]


def test_the_finite_estimates_of_separated_rows_are_looked_at_too():
    X, y = collinear_rows()
    dose = np.where((y == 1) & (np.arange(len(y)) % 5 == 0), 1.0, 0.0)
    report = linsep.check_separation(np.column_stack([dose, X]), y)
    assert report.infinite == {"x1": 1} and report.collinear == [["x2", "x3", "x5"]]
    assert "nearly constant" in report.advice[-1]


def test_formulas_and_missing_values_are_refused_with_what_to_do(pd):
    with pytest.raises(linsep.UsageError, match=r"X is text.*smf\.logit\('y ~ dose', data\)"):
        linsep.check_separation("y ~ dose", [0, 1])
    frame = pd.DataFrame({"dose": [0.0, np.nan, 2.0, 3.0]}, index=["ann", "bob", "cid", "dan"])
    with pytest.raises(linsep.UsageError, match=r'X is NaN in 1 row: bob\. Leave.*missing="drop"'):
        linsep.check_separation(frame, [0, 1, 0, 1])


def test_other_regressions_are_refused(sm):
    X, y = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 0, 1])
    for model in (sm.OLS(y, X), sm.GLM(y, X, family=sm.families.Poisson()), sm.Poisson(y, X)):
        with pytest.raises(linsep.UsageError, match="isn't a regression of two outcomes"):
            linsep.check_separation(model)
    with pytest.raises(linsep.UsageError, match="all outcomes"):
        linsep.check_separation(sm.Logit(np.ones(4), X))


def test_what_is_wrong_with_the_arguments_is_said(pd):
    X, y = PATIENTS
    with pytest.raises(linsep.UsageError, match="y is missing"):
        linsep.check_separation(X)
    with pytest.raises(linsep.UsageError, match="3 different values"):
        linsep.check_separation(X, [0, 1, 2, 0, 1])
    with pytest.raises(linsep.UsageError, match="1 different"):
        linsep.check_separation(X, [1] * 5)
    with pytest.raises(linsep.UsageError, match=r"no label in row 3"):
        linsep.check_separation(X, [0, 1, np.nan, 0, 1])
    with pytest.raises(linsep.UsageError, match="row"):
        linsep.check_separation(X, np.array(["a", "b", None, "a", "b"], dtype=object))
    with pytest.raises(linsep.UsageError, match="5 rows"):
        linsep.check_separation(X, [0, 1])
    with pytest.raises(linsep.UsageError, match="more than one column"):
        linsep.check_separation(X, y, feature_names=["a", "a"])
    with pytest.raises(linsep.UsageError, match="3 names for 2 columns"):
        linsep.check_separation(X, y, feature_names=list("abc"))
    with pytest.raises(linsep.UsageError, match="fit_intercept"):
        linsep.check_separation(X, y, fit_intercept="yes")
    with pytest.raises(linsep.UsageError, match=r"columns that aren't numbers: 'town' .*get_dummies"):
        linsep.check_separation(pd.DataFrame({"a": range(5), "town": list("abcab")}), y)
    with pytest.raises(ValueError, match=r"NaN|finite"):
        linsep.check_separation(np.array(X, dtype=float) * np.nan, y)


def test_undecided_is_not_taken_for_no():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(4000, 60)), random.integers(0, 2, 4000)
    report = linsep.check_separation(X, y, time_limit=1e-9)
    assert report.verdict == "undecided" and "Allow more time" in report.advice[0]
    with pytest.raises(linsep.UsageError, match="undecided whether"):
        _ = report.separated
    with pytest.raises(linsep.SeparationError, match="Undecided"):
        report.raise_if_separated()


def test_the_proof_can_be_checked_with_what_was_given(pd, sm):
    X, y = pd.DataFrame(PATIENTS[0], columns=["dose", "age"]), np.array(["no", "yes"])[PATIENTS[1]]
    report = linsep.check_separation(X, y)
    assert linsep.verify(report.certificate, X, y) and linsep.verify(report.certificate.seal(), X, y)
    model = sm.Logit(PATIENTS[1], sm.add_constant(X.astype(float)))
    proof = linsep.Certificate.from_json(linsep.check_separation(model).certificate.to_json())
    assert linsep.verify(proof, model.exog, model.endog)
    plain = linsep.check_separation(PATIENTS[0], PATIENTS[1]).certificate.seal()
    assert linsep.verify(plain, *PATIENTS)


def test_reports_can_be_pickled():
    report = pickle.loads(pickle.dumps(linsep.check_separation(*PATIENTS)))
    assert report.infinite == {"x1": 1} and report.separated_rows.tolist() == [3, 4]
    assert str(report).startswith("Quasi-complete separation.")


def test_endometrial_is_quasi_complete_by_nv(endometrial, sm):
    X, y = endometrial[["NV", "PI", "EH"]], endometrial["HG"]
    report = linsep.check_separation(X, y)
    assert report.verdict == "quasi-complete" and report.infinite == {"NV": 1}
    assert report.coefficients == {"NV": np.inf, "PI": 0, "EH": 0, "intercept": 0}
    assert (
        len(report.separated_rows) == 13
        and (X["NV"] == 1).to_numpy().nonzero()[0].tolist() == report.separated_rows.tolist()
    )
    assert report.causes == ["13 rows have NV above 0, and HG = 1 in all of them."]
    with_const = linsep.check_separation(sm.Logit(y, sm.add_constant(X)))
    assert with_const.coefficients == {"const": 0, "NV": np.inf, "PI": 0, "EH": 0}


def test_finite_estimates_are_those_of_the_overlapping_rows(endometrial, sm):
    X, y = sm.add_constant(endometrial[["NV", "PI", "EH"]]), endometrial["HG"]
    report = linsep.check_separation(sm.Logit(y, X))
    all_rows = fitted(sm.Logit(y, X))
    rest = fitted(sm.Logit(y.iloc[report.overlap_rows], X[report.estimable].iloc[report.overlap_rows]))
    assert np.allclose(all_rows.params[report.estimable], rest.params, atol=1e-4)
    assert all_rows.params["NV"] > 10 and all_rows.bse["NV"] > 1000


def test_verdicts_agree_with_what_statsmodels_runs_into(sm):
    random = np.random.default_rng(7)
    seen = set()
    for _ in range(60):
        X = sm.add_constant(random.integers(0, 3, size=(12, 2)).astype(float), has_constant="add")
        y = (X[:, 1] + random.normal(size=12) * random.choice([0.3, 1.5]) > 1).astype(float)
        if len(set(y)) < 2 or np.linalg.matrix_rank(X) < 3:
            continue
        report = linsep.check_separation(sm.Logit(y, X))
        seen.add(report.verdict)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = sm.GLM(y, X, family=sm.families.Binomial()).fit(maxiter=25)
        # Twenty-five steps of Newton's method converge to 0.01 or run away.
        settled = np.abs(result.params).max() < 12 and result.converged
        assert settled == (not report.separated), (X, y, report)
    assert seen == {"complete", "quasi-complete", "none"}
