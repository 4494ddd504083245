"""Arrays, `scan` and the command line are three ways to the same model, down to the last bit."""

import linsep
import numpy as np
import pytest
from command_line import needs_command_line, trained

ROWS = 600


@pytest.fixture(scope="module", name="rare")
def fixture_rare(tmp_path_factory):
    """Rows of which few are positive, as arrays and as the same numbers in a file."""
    random = np.random.default_rng(4)
    X = random.normal(size=(ROWS, 3)).astype(np.float32)
    y = np.where(X @ [1.0, -0.5, 0.3] + random.normal(size=ROWS) > 2.4, 1, -1)
    path = tmp_path_factory.mktemp("rare") / "rows.svm"
    lines = (
        " ".join([str(label), *(f"{place}:{value!s}" for place, value in enumerate(row, start=1))])
        for row, label in zip(X, y, strict=True)
    )
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return X, y, path


CASES = [
    ("balanced", "balanced", {}),
    ("balanced", "balanced", {"probabilities": "platt"}),
    ("balanced", "balanced", {"probabilities": "isotonic"}),
    ("balanced", "balanced", {"loss": "logistic", "probabilities": "platt"}),
    ({1: 20.0, -1: 0.5}, "1=20.0,-1=0.5", {"probabilities": "platt"}),
]


@needs_command_line
@pytest.mark.parametrize(("weights", "text", "more"), CASES, ids=str)
def test_class_weights_give_the_same_bits_by_all_three(weights, text, more, rare, tmp_path):
    X, y, path = rare
    options = [word for name, value in more.items() for word in (f"--{name}", value)]
    expected = trained(path, tmp_path / "model", "--class-weight", text, *options)
    (tmp_path / "model").unlink()
    for source in ((X, y), (linsep.rows(X, y),), (linsep.scan(path),), (path,)):
        classifier = linsep.MarginClassifier(class_weight=weights, **more).fit(*source)
        classifier.model_.save(tmp_path / "python")
        assert (tmp_path / "python").read_bytes() == expected, type(source[0])


@needs_command_line
def test_a_search_with_class_weights_gives_the_same_bits_by_all_three(rare, tmp_path):
    X, y, path = rare
    options = ("--class-weight", "balanced", "--cv", "3", "--Cs", "0.1,1", "--probabilities", "platt")
    expected = trained(path, tmp_path / "model", *options)
    for source in ((X, y), (linsep.rows(X, y),), (path,)):
        search = linsep.MarginClassifierCV(
            class_weight="balanced", cv=3, Cs=[0.1, 1.0], probabilities="platt"
        ).fit(*source)
        search.model_.save(tmp_path / "python")
        assert (tmp_path / "python").read_bytes() == expected, type(source[0])


@pytest.mark.parametrize("how", ["platt", "isotonic"])
@pytest.mark.parametrize("weights", [None, "balanced", {1: 30.0}])
def test_probabilities_are_those_of_the_rows_whatever_the_classes_weigh(how, weights, rare):
    X, y, path = rare
    share = np.mean(y == 1)
    for source in ((X, y), (path,)):
        classifier = linsep.MarginClassifier(class_weight=weights, probabilities=how).fit(*source)
        assert classifier.predict_proba(X)[:, 1].mean() == pytest.approx(share, rel=0.15)


def test_weights_of_classes_go_by_the_class_or_by_its_name(rare, tmp_path):
    X, y, path = rare
    expected = linsep.MarginClassifier(class_weight={1: 5.0}).fit(X, y).coef_
    for weights in ({1: 5.0}, {1.0: 5.0}, {"1": 5.0}, {1: 5.0, -1: 1.0}, {1: 5.0, -1: 1.0, 7: 2.0}):
        np.testing.assert_array_equal(linsep.MarginClassifier(class_weight=weights).fit(path).coef_, expected)
    words = np.where(y > 0, "yes, of course", "no")
    by_word = linsep.MarginClassifier(class_weight={"yes, of course": 5.0}).fit(X, words)
    np.testing.assert_array_equal(by_word.coef_, expected)
    with pytest.raises(linsep.UsageError, match=r"'class_weight' has \[7\], and the classes are \[-1, 1\]"):
        linsep.MarginClassifier(class_weight={7: 2.0}).fit(X, y)
