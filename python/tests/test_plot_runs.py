"""What linsep.plot draws about runs and weights: mistakes, gap, distances, path, trace, coefficients."""

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402

import linsep  # noqa: E402
from linsep import plot  # noqa: E402
from linsep.plot._distances import round_edges  # noqa: E402
from linsep.plot._plane import box_around, clipped_line, corners, cut, hull  # noqa: E402

SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
AND, XOR = np.array([-1, -1, -1, 1]), np.array([-1, 1, 1, -1])


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    plt.close("all")


def drawn(rows=200, features=4):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, features))
    return X, np.where(X[:, 0] - 0.5 * X[:, 1] + 0.6 * rng.normal(size=rows) > 0, "yes", "no")


def title(display):
    return display.ax_.get_title(loc="left")


def notes(ax):
    return [text.get_text() for text in ax.texts if text.get_gid() == "linsep-note"]


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def heights(ax):
    return [patch.get_height() for patch in ax.patches]


def test_mistakes_by_pass_their_sum_and_their_bound():
    perceptron = linsep.Perceptron().fit(SQUARE, AND)
    display = plot.MistakesDisplay.from_estimator(perceptron, certificate=linsep.certify(SQUARE, AND))
    upper, lower = display.axes_
    assert heights(upper) == perceptron.history_["mistakes"].tolist() and sum(heights(upper)) == 18
    total, bound = lower.lines
    assert total.get_ydata().tolist() == [0, *np.cumsum(perceptron.history_["mistakes"])]
    assert 51 <= bound.get_ydata()[0] < 52
    assert title(display) == "18 mistakes in 9 passes; the theory allows at most 51"
    assert [text.get_text() for text in lower.texts] == ["at most (R/γ)² = 51"]


def test_a_bound_is_drawn_only_where_it_is_proven(tmp_path):
    perceptron = linsep.Perceptron().fit(SQUARE, AND)
    proof = linsep.certify(SQUARE, AND)
    proof.save(tmp_path / "proof.json")
    text = (tmp_path / "proof.json").read_text(encoding="utf-8")
    loaded = linsep.Certificate.from_json(text)
    drawn = plot.MistakesDisplay.from_estimator(perceptron, certificate=loaded, X=SQUARE, y=AND)
    assert title(drawn) == "18 mistakes in 9 passes; the theory allows at most 51"
    with pytest.raises(ValueError, match="can't be checked without its rows: give X and y"):
        plot.MistakesDisplay.from_estimator(perceptron, certificate=loaded)
    bound = str(proof.exact_bounds["mistake_bound"])
    forged = linsep.Certificate.from_json(text.replace(f'"mistake_bound": "{bound}"', '"mistake_bound": "19"'))
    assert forged.mistake_bound == 19
    with pytest.raises(ValueError, match="a perceptron could make more mistakes"):
        plot.MistakesDisplay.from_estimator(perceptron, certificate=forged, X=SQUARE, y=AND)
    with pytest.raises(ValueError, match="isn't about the rows that the perceptron was fitted to"):
        other = linsep.certify([[0.0, 1.0], [3.0, 1.0]], [-1, 1])
        plot.MistakesDisplay.from_estimator(perceptron, certificate=other)


def test_a_bound_far_above_is_said_and_not_drawn():
    display = plot.MistakesDisplay.from_estimator(linsep.Perceptron().fit(SQUARE, AND), bound=1000.5)
    lower = display.axes_[1]
    assert len(lower.lines) == 1 and lower.get_ylim()[1] < 30
    assert lower.texts[0].get_text() == "at most (R/γ)² = 1,000: far above this picture"


def test_mistakes_of_many_passes_are_grouped():
    with pytest.warns(match="converging"):
        perceptron = linsep.Perceptron(max_iter=500).fit(SQUARE, XOR)
    display = plot.MistakesDisplay.from_estimator(perceptron)
    assert len(display.ax_.patches) == 167 and sum(heights(display.ax_)) == perceptron.mistakes_
    assert notes(display.axes_[1]) == ["A bar is the sum over 3 passes."]
    assert title(display).endswith("and no pass without one")


def test_mistakes_of_a_learner_that_counts_none_are_refused():
    with pytest.raises(ValueError, match="for perceptrons"):
        plot.MistakesDisplay.from_estimator(linsep.BasicLinearClassifier().fit(SQUARE, AND))


def test_the_objective_is_never_below_its_bound_and_ends_within_the_gap():
    classifier = linsep.MarginClassifier(gap=1e-5).fit(*drawn())
    display = plot.GapDisplay.from_estimator(classifier)
    above, below = (line.get_ydata() for line in display.ax_.lines)
    assert (above >= below).all()
    assert above[-1] == pytest.approx(classifier.objective_)
    assert 1 - below[-1] / above[-1] <= 1e-5
    gap, asked = display.axes_[1].lines
    assert display.axes_[1].get_yscale() == "log" and asked.get_ydata()[0] == 1e-5
    assert legend(display) == ["objective", "at least (proven)"]


def test_the_gap_is_drawn_by_pass_by_second_or_both():
    classifier = linsep.MarginClassifier().fit(*drawn())
    display = plot.GapDisplay.from_estimator(classifier, by="both")
    assert [ax.get_xlabel() for ax in display.axes_] == ["", "", "pass", "seconds"]
    assert display.axes_[1].lines[0].get_xdata().tolist() == classifier.history_["seconds"].tolist()
    with pytest.raises(ValueError, match="by is"):
        display.plot(by="hours")


def test_distances_count_every_row_once_with_the_wrong_ones_left_of_0():
    X, y = drawn()
    classifier = linsep.MarginClassifier().fit(X, y)
    display = plot.DistancesDisplay.from_estimator(classifier, X, y)
    bars = [(patch.get_x(), patch.get_height()) for patch in display.ax_.patches]
    assert sum(abs(height) for _, height in bars) == len(y)
    assert sum(height for _, height in bars if height > 0) == (y == "yes").sum()
    wrong = (classifier.predict(X) != y).sum()
    assert sum(abs(height) for x, height in bars if x < -1e-12) == wrong > 0
    assert title(display).startswith(f"{wrong} of 200 rows are wrong; the closest correct row is ")
    norm = np.linalg.norm(classifier.coef_)
    assert display.ax_.lines[2].get_xdata()[0] == pytest.approx(1 / norm)
    assert "wrong side" in legend(display)


def test_distances_need_a_boundary():
    X = np.array([[1.0, 2.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match="θ is 0"):
        plot.DistancesDisplay.from_estimator(linsep.BasicLinearClassifier().fit(X, [0, 1]), X, [0, 1])


@pytest.mark.parametrize("scale", [1e-9, 1.0, 37.0, 1e12])
def test_bins_have_one_round_width_and_0_is_an_edge(scale):
    values = scale * np.random.default_rng(0).normal(size=500)
    edges = round_edges(values, 60)
    assert len(edges) - 1 <= 60 and edges[0] <= values.min() and values.max() < edges[-1]
    assert np.abs(edges).min() == 0
    digits = f"{np.diff(edges)[0]:.6e}"
    assert digits[0] in "125" and digits[1:].startswith(".000000")


def test_the_path_shows_held_out_errors_and_the_chosen_penalty():
    X, y = drawn()
    classifier = linsep.MarginClassifierCV(alphas=[1, 0.1, 0.01, 0.001], cv=4).fit(X, y)
    display = plot.PathDisplay.from_estimator(classifier, rows=len(X))
    held_out, training, ring, _ = display.ax_.lines
    assert held_out.get_ydata().tolist() == classifier.path_["error"].tolist()
    assert training.get_ydata() == pytest.approx(classifier.path_["mistakes"] / 200)
    assert ring.get_xdata() == classifier.alpha_
    assert display.ax_.get_xscale() == "log" and len(display.ax_.collections) == 1
    assert notes(display.ax_) == ["Band: one standard error of the mean of 4 folds."]
    (upper,) = display.ax_.child_axes
    display.figure_.canvas.draw()
    assert sorted(upper.get_xlim()) == pytest.approx(
        sorted(1 / (200 * edge) for edge in display.ax_.get_xlim())
    )
    loss = plot.PathDisplay.from_estimator(classifier, what="loss")
    assert loss.ax_.get_ylabel() == "held-out loss" and len(loss.ax_.lines) == 3


def test_a_trace_of_many_weights_is_drawn_line_by_line():
    X, y = drawn(rows=60, features=12)
    perceptron = linsep.Perceptron(trace=True, max_iter=1000).fit(X, np.where(X[:, 0] > 0, "yes", "no"))
    display = plot.TraceDisplay.from_estimator(perceptron)
    assert len(display.ax_.lines) == 8 + 1 and legend(display)[-1] == "intercept θ0"
    assert notes(display.ax_) == ["The 8 heaviest of 12 weights."]
    ends = [line.get_ydata()[-1] for line in display.ax_.lines[:8]]
    assert np.abs(ends).tolist() == sorted(np.abs(perceptron.coef_[0]), reverse=True)[:8]
    pair = plot.TraceDisplay.from_estimator(perceptron, kind="path", features=(0, 5))
    assert pair.ax_.get_xlabel() == "θ1, the weight of x1" and "Two of 12 weights." in notes(pair.ax_)[0]


def test_the_heaviest_weights_come_first_and_the_rest_is_said():
    X, y = drawn(features=30)
    classifier = linsep.MarginClassifier(alpha=0.01).fit(X, y)
    display = plot.CoefficientsDisplay.from_estimator(classifier, most=5)
    widths = [patch.get_width() for patch in display.ax_.patches]
    heaviest = np.argsort(-np.abs(classifier.coef_[0]))[:5]
    assert widths == classifier.coef_[0][heaviest].tolist()
    assert [each.get_text() for each in display.ax_.get_yticklabels()] == [
        f"x{column + 1}" for column in heaviest
    ]
    assert notes(display.ax_)[0].startswith("The rest: 25 weights, ")
    assert [bool(patch.get_hatch()) for patch in display.ax_.patches] == [width < 0 for width in widths]


def test_coefficients_without_a_finite_estimate_are_arrows():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"age": [31, 42, 53, 47, 40, 61], "dose": [0, 0, 0, 0, 1, 2]})
    y = ["no", "yes", "no", "yes", "yes", "yes"]
    report = linsep.check_separation(X, y)
    classifier = linsep.MarginClassifier(loss="logistic").fit(X, y)
    display = plot.CoefficientsDisplay.from_estimator(classifier, infinite=report)
    assert title(display) == "1 coefficient has no finite estimate"
    assert [each.get_text() for each in display.ax_.get_yticklabels()] == ["dose", "age"]
    assert "+∞" in [text.get_text() for text in display.ax_.texts]
    assert len(display.ax_.patches) == 1


def test_weights_of_one_of_several_classes_are_chosen_by_its_label():
    X, _ = drawn(rows=90)
    y = np.repeat(["a", "b", "c"], 30)
    X[:30, 0] += 4
    X[30:60, 1] += 4
    classifier = linsep.MarginClassifier().fit(X, y)
    display = plot.CoefficientsDisplay.from_estimator(classifier, label="b")
    assert sorted(display.weights) == sorted(classifier.coef_[1])
    assert display.ax_.get_xlabel() == "← the rest      weight      b →"
    with pytest.raises(ValueError, match="label 'z' isn't one of"):
        plot.CoefficientsDisplay.from_estimator(classifier, label="z")


@pytest.fixture(scope="module")
def three():
    X, y = linsep.generate("comparison")
    learners = {"perceptron": linsep.Perceptron(), "basic": linsep.BasicLinearClassifier(),
                "least squares": linsep.LeastSquaresClassifier()}  # fmt: skip
    return {name: learner.fit(X, y) for name, learner in learners.items()}, X, y


def test_classifiers_are_compared_side_by_side(three):
    display = plot.ComparisonDisplay.from_estimators(*three)
    assert [ax.get_title(loc="left") for ax in display.axes_] == [
        "perceptron\n0 of 150 wrong",
        "basic\n13 of 150 wrong",
        "least squares\n7 of 150 wrong",
    ]
    assert len(display.figure_.axes) == 3
    columns = plot.ComparisonDisplay.from_estimators(*three, columns=2)
    assert len(columns.figure_.axes) == 3 and columns.axes_[2].get_legend() is None


def test_classifiers_are_compared_in_one_picture(three):
    display = plot.ComparisonDisplay.from_estimators(*three, together=True)
    styles = {(line.get_color(), line.get_linestyle()) for line in display.ax_.lines}
    assert len(display.ax_.lines) == 3 and len(styles) == 3
    assert legend(display)[1:3] == ["basic: 13 of 150 wrong", "least squares: 7 of 150 wrong"]
    assert title(display) == "perceptron is wrong on 0 rows, basic on 13"


def test_a_line_is_clipped_to_its_box():
    box = (0.0, 2.0, 0.0, 1.0)
    assert sorted(clipped_line((1, 1, -1), box).round(12).tolist()) == [[0, 1], [1, 0]]
    assert clipped_line((0, 1, -0.5), box).tolist() in ([[2, 0.5], [0, 0.5]], [[0, 0.5], [2, 0.5]])
    assert clipped_line((1, 1, -9), box) is None and clipped_line((0, 0, 1), box) is None


def test_cutting_a_polygon_keeps_the_side_that_is_asked_for():
    square = corners((0, 1, 0, 1))
    assert sorted(cut(square, 1, 0, -0.25).tolist()) == [[0.25, 0], [0.25, 1], [1, 0], [1, 1]]
    assert len(cut(square, 1, 0, -2)) == 0 and len(cut(square, 0, 0, 1)) == 4


def test_a_hull_is_that_of_scipy():
    from scipy.spatial import ConvexHull

    points = np.random.default_rng(1).integers(0, 12, size=(60, 2)).astype(float)
    assert sorted(hull(points).tolist()) == sorted(
        np.unique(points[ConvexHull(points).vertices], axis=0).tolist()
    )
    assert len(hull(np.array([[0.0, 0], [1, 1], [2, 2], [1, 1]]))) == 2


@pytest.mark.parametrize(
    "points", [np.zeros((3, 2)), np.array([[1e300, 0], [-1e300, 1]]), np.array([[np.nan, 1.0]])]
)
def test_a_box_always_has_an_area(points):
    box = box_around(points)
    assert np.isfinite(box).all() and box[1] > box[0] and box[3] > box[2]
