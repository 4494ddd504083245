"""Proofs of more than two classes: all jointly, or one against the rest."""

import linsep
import pytest
from linsep import _core


@pytest.fixture(scope="module")
def rows():
    X, y = linsep.generate("classes", rows=200, features=6, nonzeros=3, classes=3)
    return linsep.rows(X, y)._core


def test_all_classes_are_asked_about_jointly(rows):
    found = _core.certify(rows).certificate
    assert (found.claim, found.classes, found.positive) == ("overlapping", ["1", "2", "3"], "")
    named = _core.witness_rows(found, rows)
    assert all(one["rival"] in found.classes and one["rival"] != one["label"] for one in named)
    assert sum(one["share"] for one in named) == pytest.approx(1)
    assert _core.verify(_core.seal(found, rows), rows)["valid"]


@pytest.mark.parametrize("against", ["1", "2", "3"])
def test_one_class_is_told_from_the_rest(rows, against):
    found = _core.certify(rows, against=against).certificate
    assert found.positive == against
    assert _core.verify(_core.seal(found, rows), rows)["valid"]


def test_a_class_that_is_not_there_is_refused(rows):
    with pytest.raises(_core.Error, match="no class '4'"):
        _core.certify(rows, against="4")
    two = linsep.rows([[0.0], [1.0]], ["a", "b"])._core
    with pytest.raises(_core.Error, match="more than two"):
        _core.certify(two, against="a")
