"""What linsep.plot draws in the space of the features and of the weights, and what all displays share."""

import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402

import linsep  # noqa: E402
from linsep import plot  # noqa: E402
from linsep.plot._style import DARK, LIGHT  # noqa: E402

SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
AND, XOR = np.array([-1, -1, -1, 1]), np.array([-1, 1, 1, -1])
FAR = np.array([[-1.0, -1.0], [1.0, 0.0], [-1.0, 10.0]]), np.array([1, -1, 1])
HOSTILE = [
    r"$\frac{",
    "<script>alert(1)</script>",
    "a\nb\u202ec",
    "_hidden",
    "x" * 10_000,
    "",
    "100 % & # ~ \\",
]


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    before = dict(matplotlib.rcParams)
    yield
    assert dict(matplotlib.rcParams) == before
    plt.close("all")


def blobs(classes=2, features=2, rows=30, spread=0.6, labels=None):
    rng = np.random.default_rng(7)
    centres = 3 * np.array([[np.cos(k), np.sin(k)] for k in range(classes)])
    X = np.vstack([rng.normal(0, spread, (rows, features)) for _ in range(classes)])
    X[:, :2] += np.repeat(centres, rows, axis=0)
    return X, np.repeat(np.arange(classes) if labels is None else labels, rows)


def title(display):
    return display.ax_.get_title(loc="left")


def notes(display):
    return [text.get_text() for text in display.ax_.texts if text.get_gid() == "linsep-note"]


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def lines(ax, style):
    return [line for line in ax.lines if line.get_linestyle() == style]


def test_matplotlib_is_imported_only_when_something_is_drawn():
    code = "import sys, linsep.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install linsep\[plot\]"):
        plot.WeightSpaceDisplay.from_rows(SQUARE, AND)


def contrast(one, other):
    def light(colour):
        part = np.array(matplotlib.colors.to_rgb(colour))
        return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4) @ (
            0.2126,
            0.7152,
            0.0722,
        )

    high, low = sorted([light(one), light(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_can_be_read_on_its_ground(palette):
    for colour in (*palette.classes, palette.ink, palette.muted, palette.witness, palette.feasible):
        assert contrast(colour, palette.ground) >= 4.5, colour


def test_the_boundary_of_a_hard_margin_is_where_it_was_computed():
    classifier = linsep.HardMarginClassifier(gap=1e-9).fit(SQUARE, AND)
    display = plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND)
    ends = display.ax_.lines[0].get_xydata()
    assert ends.sum(axis=1) == pytest.approx([1.5, 1.5], abs=1e-6)
    dashed = [line.get_xydata().sum(axis=1) for line in display.ax_.lines[1:]]
    assert sorted(round(float(each[0]), 6) for each in dashed) == [1.0, 2.0]
    assert legend(display) == ["1", "-1", "boundary, z = 0", "z = ±1", "support vector"]
    assert title(display) == "No row is wrong; z = ±1 are 0.7071 apart"
    assert display.support.tolist() == [1, 2, 3]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("x1", "x2")
    assert display.ax_.get_aspect() == 1


def test_a_class_is_told_by_its_shape_as_well_as_by_its_colour():
    X, y = blobs(classes=3, labels=["ash", "beech", "oak"])
    display = plot.BoundaryDisplay.from_estimator(linsep.MarginClassifier().fit(X, y), X, y)
    rows = display.ax_.collections[:3]
    assert len({each.get_paths()[0].vertices.tobytes() for each in rows}) == 3
    assert len({tuple(each.get_edgecolor()[0]) for each in rows}) == 3
    assert legend(display)[:4] == ["oak", "beech", "ash", "boundary"]


def test_regions_of_several_classes_hold_the_rows_predicted_so():
    X, y = blobs(classes=3)
    classifier = linsep.MarginClassifier().fit(X, y)
    display = plot.BoundaryDisplay.from_estimator(classifier, X, y)
    regions = display.ax_.patches
    assert len(regions) == 3
    for place, region in enumerate(regions):
        inside = matplotlib.path.Path(region.get_xy()).contains_points(X)
        assert (classifier.predict(X)[inside] == place).all() and inside.any()


def test_rows_on_the_wrong_side_are_marked_and_counted():
    X, y = blobs()
    y = y.copy()
    y[[3, 40]] = y[[40, 3]]
    display = plot.BoundaryDisplay.from_estimator(linsep.BasicLinearClassifier().fit(X, y), X, y)
    assert title(display) == "2 of 60 rows are wrong"
    marked = display.ax_.collections[-1].get_offsets()
    assert np.array_equal(np.asarray(marked), X[[3, 40]])


def test_more_than_two_features_are_a_slice_at_the_means_of_the_others():
    X, y = blobs(features=4)
    classifier = linsep.MarginClassifier().fit(X, y)
    display = plot.BoundaryDisplay.from_estimator(classifier, X, y, features=(1, 3))
    ends = display.ax_.lines[0].get_xydata()
    rows = np.tile(X.mean(axis=0), (2, 1))
    rows[:, [1, 3]] = ends
    assert classifier.decision_function(rows) == pytest.approx([0, 0], abs=1e-9)
    assert notes(display) == ["The other 2 features are held at their means; rows are projected."]
    assert display.ax_.get_xlabel() == "x2"
    at = X.mean(axis=0) + 0.3
    moved = plot.BoundaryDisplay.from_estimator(classifier, X, y, features=(1, 3), at=at)
    rows[:, 0], rows[:, 2], rows[:, [1, 3]] = at[0], at[2], moved.ax_.lines[0].get_xydata()
    assert classifier.decision_function(rows) == pytest.approx([0, 0], abs=1e-9)


def test_curved_boundaries_and_pipelines_are_drawn_by_their_scores():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kernel = linsep.KernelPerceptron(kernel="polynomial", degree=2).fit(SQUARE, XOR)
    display = plot.BoundaryDisplay.from_estimator(kernel, SQUARE, XOR)
    assert title(display) == "No row is wrong"
    pandas = pytest.importorskip("pandas")
    X, y = blobs(features=3)
    frame = pandas.DataFrame(X, columns=["height", "weight", "age"])
    pipeline = make_pipeline(StandardScaler(), linsep.MarginClassifier()).fit(frame, y)
    display = plot.BoundaryDisplay.from_estimator(pipeline, frame, y, features=("weight", "age"))
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("weight", "age")


def test_one_feature_is_drawn_on_a_line():
    X, y = np.array([[1.0], [2.0], [4.0], [5.0]]), [0, 0, 1, 1]
    display = plot.BoundaryDisplay.from_estimator(linsep.HardMarginClassifier(gap=1e-9).fit(X, y), X, y)
    assert display.ax_.lines[0].get_xdata() == pytest.approx([3, 3], abs=1e-6)


def test_many_rows_are_sampled_and_the_picture_says_so():
    X, y = blobs(rows=2000)
    display = plot.BoundaryDisplay.from_estimator(
        linsep.BasicLinearClassifier().fit(X, y), X, y, most_rows=100
    )
    assert sum(len(each.get_offsets()) for each in display.ax_.collections[:2]) == 100
    assert notes(display) == ["100 of 4,000 rows are shown, drawn at random with seed 1."]


def test_hostile_names_are_drawn_as_they_are():
    pandas = pytest.importorskip("pandas")
    labels = np.array(HOSTILE, dtype=object)
    X, y = blobs(classes=len(labels), features=len(labels), labels=labels)
    frame = pandas.DataFrame(X, columns=HOSTILE)
    classifier = linsep.MarginClassifier().fit(frame, y)
    display = plot.BoundaryDisplay.from_estimator(classifier, frame, y)
    display.figure_.canvas.draw()
    assert {"_hidden", r"\$\frac{", "(no name)", "a bc"} <= set(legend(display))
    assert max(map(len, legend(display))) <= 41
    bars = plot.CoefficientsDisplay.from_estimator(classifier, label="_hidden")
    bars.figure_.canvas.draw()
    assert {"<script>alert(1)</script>", "(no name)"} <= {
        each.get_text() for each in bars.ax_.get_yticklabels()
    }


def test_given_axes_are_used_and_no_other_figure_is_made():
    figure, (left, right) = plt.subplots(1, 2)
    display = plot.WeightSpaceDisplay.from_rows(SQUARE, AND, ax=left)
    assert display.ax_ is left and display.figure_ is figure and not right.has_data()
    divided = plot.MistakesDisplay.from_estimator(linsep.Perceptron().fit(SQUARE, AND), ax=right)
    assert len(divided.axes_) == 2 and divided.figure_ is figure
    assert plt.get_fignums() == [figure.number]


def test_on_a_dark_ground_the_ink_is_light():
    with plt.style.context("dark_background"):
        classifier = linsep.Perceptron().fit(SQUARE, AND)
        display = plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND)
    assert display.ax_.lines[0].get_color() == DARK.ink


def test_what_can_not_be_drawn_is_refused_in_words():
    classifier = linsep.Perceptron().fit(SQUARE, AND)
    for call, words in [
        (
            lambda: plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND[:3]),
            "X has 4 rows, but y has 3",
        ),
        (lambda: plot.BoundaryDisplay.from_estimator(classifier, SQUARE, [0, 1, 2, 3]), "label 0 isn't one of"),
        (
            lambda: plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND, features=("a", "b")),
            "no feature 'a'",
        ),
        (
            lambda: plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND, legend="top"),
            "legend is one of",
        ),
        (
            lambda: plot.BoundaryDisplay.from_estimator(classifier, SQUARE, AND, at=[1, 2, 3]),
            "at holds 3 values",
        ),
        (
            lambda: plot.BoundaryDisplay.from_estimator(DummyClassifier(), SQUARE, AND),
            "has no decision_function",
        ),
        (lambda: plot.WeightSpaceDisplay.from_rows(np.eye(4), AND), "a slice is drawn: from_estimator"),
        (lambda: plot.WeightSpaceDisplay.from_rows(SQUARE, [0, 1, 2, 2]), "two classes, but there are 3"),
        (lambda: plot.HullsDisplay.from_estimator(classifier, SQUARE, AND), "HardMarginClassifier"),
        (lambda: plot.TraceDisplay.from_estimator(classifier), "trace=True"),
        (lambda: plot.GapDisplay.from_estimator(classifier), "has no certified gap"),
        (lambda: plot.PathDisplay.from_estimator(classifier), "MarginClassifierCV"),
        (lambda: plot.ComparisonDisplay.from_estimators([], SQUARE, AND), "no classifiers"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


def test_the_feasible_region_of_and_is_a_triangle():
    display = plot.WeightSpaceDisplay.from_rows(SQUARE, AND)
    assert sorted(display.constraints.feasible_region().round(9).tolist()) == [[0, 1], [1, 0], [1, 1]]
    hatched = [patch for patch in display.ax_.patches if patch.get_hatch()]
    assert len(hatched) == 1 and len(display.ax_.lines) == 3 + 2
    assert title(display) == "Every θ in the hatched region is right on all 4 rows"
    assert notes(display)[0].splitlines()[:2] == [
        "The slice at θ0 = −1 of three weights.",
        "Row 0 has no line: right whatever the two weights are.",
    ]


def test_no_weights_are_feasible_for_xor():
    display = plot.WeightSpaceDisplay.from_rows(SQUARE, XOR)
    assert title(display) == "No θ in this slice is right on all 4 rows"
    assert "feasible for every row" not in legend(display)


def test_weight_space_shows_a_classifier_divided_by_its_offset():
    perceptron = linsep.Perceptron().fit(SQUARE, AND)
    display = plot.WeightSpaceDisplay.from_estimator(perceptron, SQUARE, AND)
    expected = perceptron.coef_[0] / abs(perceptron.intercept_[0])
    assert display.constraints.weights == pytest.approx(expected)
    assert title(display) == "θ is right on all 4 rows"
    assert (display.constraints.values(display.constraints.weights) > 0).all()


def test_weight_space_of_one_feature_and_of_more_than_two():
    one = plot.WeightSpaceDisplay.from_rows([[0.0], [1.0]], [1, -1])
    assert one.ax_.get_xlabel() == "θ0, the intercept" and not one.constraints.is_slice
    X, y = blobs(features=4)
    classifier = linsep.MarginClassifier().fit(X, y)
    more = plot.WeightSpaceDisplay.from_estimator(classifier, X, y)
    scores = np.where(y == 1, 1, -1) * classifier.decision_function(X)
    assert more.constraints.values(more.constraints.weights) == pytest.approx(scores)
    assert "the other 2 weights and the intercept are held" in notes(more)[0]


def test_the_way_of_a_perceptron_is_drawn_from_its_start_to_its_end():
    X, y = FAR
    perceptron = linsep.Perceptron(fit_intercept=False, trace=True).fit(X, y)
    space = plot.WeightSpaceDisplay.from_estimator(perceptron, X, y)
    assert space.constraints.path[[0, -1]].tolist() == [[0, 0], [-6, 5]]
    assert "θ on the way (6 corrections)" in legend(space)
    trace = plot.TraceDisplay.from_estimator(perceptron)
    assert title(trace) == "θ after each of 6 corrections"
    assert trace.trace.rows.tolist() == [-1, 0, 2, 0, 0, 0, 0]
    assert sum(text.arrow_patch is not None for text in trace.ax_.texts if hasattr(text, "arrow_patch")) == 6


def test_a_witness_is_drawn_where_the_hulls_meet():
    display = plot.HullsDisplay.from_rows(SQUARE, XOR, certificate=linsep.certify(SQUARE, XOR))
    assert title(display) == "No linear classifier separates these rows: 4 of them prove it"
    (diamond,) = [line for line in display.ax_.lines if line.get_marker() == "D"]
    assert diamond.get_xydata().tolist() == [[0.5, 0.5]]
    assert legend(display) == ["1", "-1", "in both hulls", "witness (4 rows)"]
    assert len(display.ax_.lines) == 2 + 4 + 1


def test_a_certificate_of_other_rows_is_not_drawn(tmp_path):
    proof = linsep.certify(SQUARE, XOR)
    with pytest.raises(ValueError, match="the certificate isn't about these rows"):
        plot.HullsDisplay.from_rows(SQUARE, AND, certificate=proof)
    proof.save(tmp_path / "proof.json")
    loaded = linsep.Certificate.load(tmp_path / "proof.json")
    assert "4 of them prove it" in title(plot.HullsDisplay.from_rows(SQUARE, XOR, certificate=loaded))
    with pytest.raises(ValueError, match="the certificate isn't about these rows"):
        plot.HullsDisplay.from_rows(SQUARE, AND, certificate=loaded)


def test_what_a_certificate_says_of_other_classifiers_is_said_of_them():
    origin = linsep.certify(SQUARE, XOR, fit_intercept=False)
    display = plot.HullsDisplay.from_rows(SQUARE, XOR, certificate=origin)
    rows = len(origin.witness)
    assert (
        title(display)
        == f"No linear classifier through the origin separates these rows: {rows} of them prove it"
    )
    assert display.common_point is None and f"witness ({rows} row{'s' if rows > 1 else ''})" in legend(
        display
    )
    mapped = plot.HullsDisplay.from_rows(SQUARE, XOR, certificate=linsep.certify(SQUARE, XOR, map="products"))
    assert title(mapped) == "A linear classifier on the map products separates these rows"
    classifier = linsep.HardMarginClassifier(map="products").fit(SQUARE, XOR)
    with pytest.raises(ValueError, match="without a map"):
        plot.HullsDisplay.from_estimator(classifier, SQUARE, XOR)


def test_nearest_points_of_hulls_are_twice_the_margin_apart():
    X, y = blobs()
    classifier = linsep.HardMarginClassifier().fit(X, y)
    display = plot.HullsDisplay.from_estimator(classifier, X, y)
    apart = np.linalg.norm(display.nearest[0] - display.nearest[1])
    assert apart == pytest.approx(2 * classifier.margin_, rel=1e-3)
    assert title(display).startswith("The hulls have no point in common")


def test_hulls_of_more_features_are_called_shadows():
    X, y = blobs(classes=3, features=5)
    display = plot.HullsDisplay.from_rows(X, y)
    assert notes(display) == ["Shadows of hulls in 5 features."]
    assert title(display) == "Convex hulls of 3 classes"
