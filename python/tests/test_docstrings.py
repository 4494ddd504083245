"""Every public docstring is complete, and its examples run."""

import doctest
import importlib
import inspect

import pytest

import linsep

OWN = [
    "_classifier",
    "_generate",
    "_hard_margin",
    "_info",
    "_kernel_perceptron",
    "_load",
    "_logistic",
    "_margin",
    "_margin_cv",
    "_means",
    "_model",
    "_perceptron",
    "_play",
    "_regression",
    "_scan",
    "_table",
    "errors",
    "export",
    "mlflow",
]
# Sections that not every docstring needs (extended summary, See Also, Examples of methods); and descriptions
# that begin with the name of a choice or a Greek letter.
ALLOWED = {"GL01", "GL08", "SA01", "SA04", "ES01", "EX01", "RT02", "PR08"}


def public_objects():
    for name in OWN:
        module = importlib.import_module(f"linsep.{name}")
        for word in module.__all__:
            value = getattr(module, word)
            yield f"{value.__module__}.{word}"
            if not inspect.isclass(value):
                continue
            for method, found in inspect.getmembers(value):
                own = (getattr(found, "__module__", None) or "").startswith("linsep")
                if own and callable(found) and not method.startswith("_"):
                    yield f"{value.__module__}.{word}.{method}"


@pytest.mark.parametrize("name", OWN)
def test_examples_run(name):
    module = importlib.import_module(f"linsep.{name}")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", sorted(set(public_objects())))
def test_docstrings_follow_numpydoc(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    found = [error for error in validate(name)["errors"] if error[0] not in ALLOWED]
    assert not found, found


def test_every_class_has_an_example():
    functions = ["load", "options", "show_versions"]
    estimators = [
        name for name in linsep.__all__ if name.endswith(("Classifier", "CV", "Perceptron", "Regressor", "Regression"))
    ]
    assert len(estimators) == 10
    for word in [*estimators, *functions, "Model"]:
        assert ">>> " in inspect.getdoc(getattr(linsep, word)), word
