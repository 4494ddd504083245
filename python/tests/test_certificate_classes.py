"""certify with more than two classes: one score per class, and one class against the rest."""

from __future__ import annotations

from itertools import product

import exact_oracle
import linsep
import numpy as np
import pytest

LINE = [(0,), (1,), (2,), (3,)]


def labellings():
    """Yield every labelling of the points that has all three classes."""
    for places in product(range(3), repeat=len(LINE)):
        if len(set(places)) == 3:
            yield places


def test_every_labelling_jointly_gets_the_verdict_of_the_oracle():
    seen = set()
    for places in labellings():
        proof = linsep.certify(np.array(LINE, dtype=float), places)
        assert proof.jointly and proof.verdict == exact_oracle.verdict(
            exact_oracle.comparisons_of(LINE, places, 3)
        )
        assert proof.verify()
        seen.add(proof.verdict)
    assert len(seen) >= 2


@pytest.mark.parametrize("against", [0, 1, 2])
def test_every_labelling_of_a_class_against_the_rest_gets_the_verdict_of_the_oracle(against):
    for places in labellings():
        proof = linsep.certify(np.array(LINE, dtype=float), places, against=against)
        labels = [1 if place == against else -1 for place in places]
        assert proof.against_the_rest == str(against)
        assert proof.verdict == exact_oracle.verdict(exact_oracle.rows_of(LINE, labels, True))
        assert proof.verify()


def test_a_class_in_the_middle_is_only_jointly_separable():
    X, y = [[1.0], [2], [4], [5], [8], [9]], ["small", "small", "medium", "medium", "large", "large"]
    proof = linsep.certify(X, y)
    assert proof.verdict == "separable" and proof.classes == ("large", "medium", "small")
    assert proof.levels[0]["x1 of large"] > proof.levels[0]["x1 of medium"] > 0
    assert proof.separated_rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert "Weights of the scores" in proof._repr_html_()
    middle = linsep.certify(X, y, against="medium")
    assert middle.verdict == "overlapping" and "class medium against the other 2" in middle._repr_html_()
    assert linsep.certify(X, y, against="small").infinite == {"x1": -1, "offset": 1}


def test_a_joint_witness_names_rows_and_the_classes_they_are_compared_with():
    proof = linsep.certify([[1.0], [2], [3], [4]], list("abca"))
    assert repr(proof) == "Certificate(overlapping, 4 rows × 1 feature, witness of 5 comparisons)"
    told = [(entry["row"], entry["class"], entry["rival"]) for entry in proof.witness]
    assert told == [(0, "a", "b"), (1, "b", "c"), (2, "c", "a"), (3, "a", "b"), (3, "a", "c")]
    again = linsep.Certificate.from_json(proof.to_json())
    assert again == proof and again.witness.tolist() == proof.witness.tolist()
    assert again.verify() and "compared with" in again._repr_html_()


def test_changed_arrays_are_noticed_before_sealing():
    X = np.array([[1.0], [2], [4], [5], [8], [9]])
    proof = linsep.certify(X, list("aabbcc"))
    X[0] = 7
    with pytest.raises(linsep.InputError, match="changed"):
        proof.seal()


def test_a_class_that_is_not_there_is_refused():
    with pytest.raises(linsep.UsageError, match="no class 'd'"):
        linsep.certify([[1.0], [2], [3]], list("abc"), against="d")
    with pytest.raises(linsep.UsageError, match="more than two classes"):
        linsep.certify([[1.0], [2]], list("ab"), against="a")
