"""Names that would steer a terminal: what people print of an object has them escaped."""

from __future__ import annotations

import ast
import os
import pickle
import warnings
from pathlib import Path

import linsep
import numpy as np
import pytest
from linsep._shown import Shown, shown_lines, shown_text

NAMES = ["red \x1b[31m", "two\nlines", "turned \u202e", "tab\t", "half \udc80"]
PACKAGE = Path(linsep.__file__).parent


def assert_harmless(text: str, lines: int | None = None) -> None:
    for character in "\x1b\u202e\t\r":
        assert character not in text, repr(text)
    assert all(line.isprintable() for line in text.split("\n")), repr(text)
    if lines is not None:
        assert text.count("\n") + 1 == lines, repr(text)


def rows_of(names):
    X = np.array([[0.0, 1], [1, 0], [2, 3], [3, 1], [4, 0], [5, 2]])
    return X, np.array([names[0]] * 3 + [names[1]] * 3)


def test_text_is_escaped_as_by_the_command_line():
    assert shown_text("a\x1b[31m\nb\u202e") == "a\\x1b[31m\\nb\\u202e"
    assert shown_lines("a\nb\x1b") == "a\nb\\x1b"
    assert shown_text("\udc80") == "\\xed\\xb2\\x80"
    assert len(shown_text("x" * 10_000)) == 1998
    assert shown_text(7) == "7"


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[2:4], NAMES[::3]])
def test_a_model_and_rows_are_one_line(names, tmp_path):
    X, y = rows_of(names)
    fitted = linsep.MarginClassifier().fit(X, y)
    fitted.model_.save(tmp_path / "model.json")
    for value in (linsep.Model.load(tmp_path / "model.json"), linsep.rows(X, y, feature_names=names)):
        assert_harmless(repr(value), lines=1)
        assert_harmless(str(value), lines=1)
        assert_harmless(getattr(value, "_repr_html_", lambda: "")())


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[2:4], NAMES[::3]])
def test_a_report_has_the_lines_that_it_has_for_plain_names(names):
    X, y = rows_of(names)
    plain = linsep.check_separation(X, y == names[1], feature_names=["a", "b"])
    report = linsep.check_separation(X, y == names[1], feature_names=names)
    assert_harmless(repr(report), lines=1)
    table = [line for line in str(report).split("\n") if line.startswith("  ") and "goes to" in line]
    assert len(table) == len([line for line in str(plain).split("\n") if "goes to" in line and line.startswith("  ")])
    for text in (str(report), report._repr_html_(), report.summary, *report.causes, *report.advice):
        assert_harmless(text)
    for sentence in (report.summary, *report.causes, *report.advice):
        assert_harmless(sentence, lines=1)
    with pytest.raises(linsep.SeparationError) as caught:
        report.raise_if_separated()
    assert_harmless(str(caught.value), lines=1)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[2:4]])
def test_proofs_and_regressions(names):
    X, y = rows_of(names)
    proof = linsep.certify(linsep.rows(X, y, feature_names=names))
    assert_harmless(repr(proof), lines=1)
    assert_harmless(proof._repr_html_())
    check = proof.verify(linsep.rows(X, y, feature_names=names))
    assert_harmless(repr(check), lines=1)
    assert_harmless(check._repr_html_())
    result = linsep.logit(X, y == names[1], feature_names=names)
    assert_harmless(repr(result), lines=1)
    assert_harmless(str(result), lines=str(linsep.logit(X, y == names[1], feature_names=["a", "b"])).count("\n") + 1)
    assert_harmless(result._repr_html_())


def test_errors_and_warnings_are_one_line():
    for kind in (linsep.UsageError, linsep.InputError):
        assert_harmless(str(kind("no column " + NAMES[0] + NAMES[1])), lines=1)
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        linsep.errors.warn_of_column("column " + "".join(NAMES[:3]))
    assert_harmless(str(met[0].message), lines=1)


def test_nothing_of_the_package_shows_itself_without_being_escaped():
    shows = {"__repr__", "__str__", "_repr_html_"}
    found = 0
    folders = os.walk(PACKAGE, followlinks=True)
    for path in [Path(folder, name) for folder, _, names in folders for name in names if name.endswith(".py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            if shows & {part.name for part in node.body if isinstance(part, ast.FunctionDef)}:
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                assert "Shown" in bases, f"{path.name}: {node.name} isn't derived from Shown"
                found += 1
    assert found >= 8


def test_a_class_that_is_derived_from_it_needs_nothing_else():
    class Hostile(Shown):
        def __repr__(self):
            return "".join(NAMES)

        def __str__(self):
            return "\n".join(NAMES)

    assert_harmless(repr(Hostile()), lines=1)
    assert_harmless(str(Hostile()))
