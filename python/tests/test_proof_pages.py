"""Docstrings about proofs and separation are complete, and their examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest

MODULES = [
    "_separation",
    *(f"_proof.{name}" for name in ("certificate", "exact", "parts", "words")),
]
PUBLIC = [
    "linsep._proof.certificate.certify",
    "linsep._proof.certificate.verify",
    "linsep._proof.certificate.Certificate",
    "linsep._proof.statement.Statement",
    "linsep._proof.parts.Check",
    "linsep._proof.parts.MistakeBounds",
    "linsep._separation.SeparationError",
    "linsep._separation.SeparationReport",
    "linsep._separation.check_separation",
]
# Sections that not every docstring needs; descriptions that begin with a number or a choice.
ALLOWED = {"GL01", "GL08", "SA01", "SA04", "ES01", "EX01", "RT02", "PR08", "SS02", "SS03", "SS05", "GL03"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name):
    failed, tried = doctest.testmod(importlib.import_module(f"linsep.{name}"))
    assert tried and failed == 0


def names():
    for name in PUBLIC:
        yield name
        module, _, word = name.rpartition(".")
        value = getattr(importlib.import_module(module), word)
        for member, found in inspect.getmembers(value) if inspect.isclass(value) else []:
            if (
                not member.startswith("_")
                and member in vars(value)
                and (callable(found) or isinstance(found, property))
            ):
                yield f"{name}.{member}"


@pytest.mark.parametrize("name", list(names()))
def test_docstrings_follow_numpydoc(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    # Values that the package makes have their fields under Attributes.
    allowed = ALLOWED | (
        {"PR01"} if name.rpartition(".")[2] in ("Check", "MistakeBounds", "SeparationReport") else set()
    )
    assert [error for error in validate(name)["errors"] if error[0] not in allowed] == []
