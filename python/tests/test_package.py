"""The package: what it has, and that importing it is quick."""

import ast
import inspect
import pathlib
import subprocess
import sys

import pytest

import linsep


@pytest.mark.parametrize("name", linsep.__all__)
def test_every_public_name_is_there(name):
    if name == "plot":
        pytest.importorskip("matplotlib")
    assert inspect.ismodule(getattr(linsep, name)) or getattr(linsep, name).__doc__
    assert name in dir(linsep)


def test_completion_offers_public_names_only():
    assert {name for name in dir(linsep) if not name.startswith("__")} == set(linsep.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        linsep.Forest  # noqa: B018


def test_type_checkers_see_every_public_name():
    tree = ast.parse(pathlib.Path(linsep.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = [alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(seen) == linsep.__all__


def child(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_it_takes_little_longer_than_scikit_learn():
    code = (
        "import time, sklearn.linear_model, sklearn.model_selection\n"
        "begin = time.process_time()\n"
        "import linsep; linsep.MarginClassifier\n"
        "print(time.process_time() - begin)"
    )
    assert min(float(child(code)) for _ in range(3)) < 0.15


def test_fitting_imports_no_optional_package_that_scikit_learn_does_not():
    code = (
        "import sys; from sklearn.linear_model import LinearRegression\n"
        "LinearRegression().fit([[0.0], [1.0]], [0, 1]); before = set(sys.modules)\n"
        "import linsep; linsep.MarginClassifier().fit([[0.0], [1.0]], [0, 1])\n"
        "print(*{'matplotlib', 'pandas', 'polars', 'pyarrow', 'onnx'} & set(sys.modules) - before)"
    )
    assert child(code) == ""


def test_help_shows_the_parameters_of_an_estimator():
    import inspect

    shown = inspect.signature(linsep.MarginClassifier)
    assert shown.parameters["C"].default is None and "given" not in shown.parameters
