"""HTML reprs: what a notebook shows, escaped, without script, in balanced tags."""

from __future__ import annotations

from html.parser import HTMLParser

import linsep
import numpy as np
import pytest
from linsep._html import SHOWN

HOSTILE = "<script>alert('1')</script>"
VOID = {"br", "hr", "img", "input", "meta"}


class Page(HTMLParser):
    """Text and tags of a fragment; complains of tags that aren't closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def shown(value) -> Page:
    page = Page(value._repr_html_())
    assert "script" not in page.tags and page.attributes <= {"class"}
    return page


def hostile_rows(y):
    names = [HOSTILE, '"><img src=x onerror=alert(1)>']
    return linsep.rows(
        [[0.0, 1], [0, 2], [0, 3], [1, 2], [2, 5]],
        y,
        feature_names=names,
        ids=[HOSTILE + str(i) for i in range(5)],
    )


def test_hostile_names_ids_and_classes_are_only_text():
    proof = linsep.certify(hostile_rows([HOSTILE, "b", HOSTILE, "b", "b"]))
    for page in (
        shown(proof),
        shown(linsep.check_separation(hostile_rows([HOSTILE, "b", HOSTILE, "b", "b"]))),
    ):
        assert HOSTILE in page.text and HOSTILE + "0" in page.text
        assert "img" not in page.tags


def test_a_certificate_says_verdict_size_witness_and_how_to_check_it():
    text = shown(linsep.certify([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])).text
    assert text.startswith("Overlapping : no linear classifier separates these rows, and quasi-separation is ruled out")
    assert "4 rows × 2 features, classes 0 and 1 (positive)." in text
    assert "Witness: 4 rows whose classes have a point in common: (x1 = 0.5, x2 = 0.5)" in text
    assert "row (from 0) class weight 0 0 0.5 1 1 0.5 2 1 0.5 3 0 0.5" in text
    assert "certificate.verify()" in text and "isn't sealed" in text


def test_a_sealed_certificate_shows_its_root():
    proof = linsep.certify([[1.0], [3.0]], [0, 1], seal="now")
    text = shown(proof).text
    assert (
        proof.root in text
        and "Geometric margin at least " in text
        and "A perceptron from 0 makes at most" in text
    )


def test_a_report_says_coefficients_and_what_to_do():
    report = linsep.check_separation(
        [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1], feature_names=["dose", "age"]
    )
    text = shown(report).text
    assert text.startswith("Quasi-complete separation. 2 of 5 rows can be separated, the others can't")
    assert "coefficient estimate dose goes to +∞ age finite intercept finite" in text
    assert "The 2 rows that can be separated (from 0) 3 and 4" in text
    assert "report.certificate.save('proof.json')" in text


def test_no_separation_is_said_too():
    text = shown(linsep.check_separation([[0.0], [1], [2], [3]], [0, 1, 0, 1])).text
    assert text.startswith("No separation. Every coefficient has a finite maximum-likelihood estimate.")


def test_long_tables_end_with_a_count():
    X = np.eye(60)
    report = linsep.check_separation(np.vstack([X, -X]), [1] * 60 + [0] * 60)
    page = shown(report)
    assert f"… and {61 - SHOWN} more." in page.text
    assert page.tags.count("tr") < 60


@pytest.mark.parametrize("rows", [None, ([[0.0], [1.0]], [0, 1]), ([[0.0], [9.0]], [0, 1])])
def test_checks_say_what_they_found(rows):
    proof = linsep.Certificate.from_json(linsep.certify([[0.0], [1.0]], [0, 1]).to_json())
    check = proof.verify(*(rows or (None, None)))
    text = shown(check).text
    assert text.startswith("Not proven yet" if check.needs_data else "Valid" if check else "Not valid")


def test_rows_say_what_they_hold(tmp_path):
    (tmp_path / "rows.csv").write_text(f"{HOSTILE},b,c\n1,2,no\n3,4,yes\n5,6,{HOSTILE}\n")
    scanned = linsep.scan(tmp_path / "rows.csv")
    assert shown(scanned).text == "Rows that haven't been read yet."
    text = shown(hostile_rows(["a", HOSTILE, "a", HOSTILE, "a"])).text
    assert text.startswith("Rows : 5 rows × 2 features") and f"Classes: {HOSTILE} and a." in text


def test_undecided_is_said():
    random = np.random.default_rng(1)
    proof = linsep.certify(random.normal(size=(4000, 60)), random.integers(0, 2, 4000), time_limit=1e-9)
    assert shown(proof).text.startswith("Undecided")
