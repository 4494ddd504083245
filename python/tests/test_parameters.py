"""Parameters come from the core's tables, and mistakes in them are explained."""

import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

import linsep

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "make_parameters.py"
CLASSES = [
    linsep.MarginClassifier,
    linsep.MarginClassifierCV,
    linsep.LogisticRegression,
    linsep.HardMarginClassifier,
    linsep.Perceptron,
    linsep.KernelPerceptron,
    linsep.BasicLinearClassifier,
    linsep.LeastSquaresClassifier,
    linsep.PerceptronRegressor,
]
X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [3.0, 2.0], [2.0, 3.0]])
Y = np.array([0, 0, 0, 1, 1, 1])


def test_the_parameters_are_what_the_tool_writes():
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def checkout(tmp_path):
    """A checkout without a build: the tool, what it reads and what it writes."""
    (tmp_path / "tools").mkdir()
    for name in ("make_parameters.py", "parameter_classes.py"):
        shutil.copy(TOOL.with_name(name), tmp_path / "tools")
    (tmp_path / "python" / "linsep").mkdir(parents=True)
    for name in ("__init__.py", "_names.py", "_parameters.py"):
        shutil.copy(TOOL.parents[1] / "python" / "linsep" / name, tmp_path / "python" / "linsep")
    return tmp_path


def run_tool(checkout, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, checkout / "tools" / "make_parameters.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_the_tool_finds_the_built_module_by_itself(checkout):
    package = pathlib.Path(linsep.__file__).parent
    if not list(package.glob("_core*.so")):
        pytest.skip("the module isn't beside the package")
    (checkout / "build" / "dev" / "python").mkdir(parents=True)
    (checkout / "build" / "dev" / "python" / "linsep").symlink_to(package)
    written = checkout / "python" / "linsep" / "_parameters.py"
    right = written.read_text(encoding="utf-8")
    done = run_tool(checkout, "--check")
    assert done.returncode == 0, done.stderr
    written.write_text("", encoding="utf-8")
    assert run_tool(checkout, "--check").returncode == 1
    assert run_tool(checkout).returncode == 0
    assert written.read_text(encoding="utf-8") == right


def test_without_a_built_module_the_tool_says_what_to_build(checkout):
    done = run_tool(checkout)
    if done.returncode == 0:
        pytest.skip("linsep is installed for this Python")
    assert done.returncode == 1
    assert "cmake --build --preset dev --target linsep_python" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_tool_can_be_executed():
    assert os.access(TOOL, os.X_OK)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_default_is_the_tables(kind):
    defaults = {name: p.default for name, p in inspect.signature(kind).parameters.items()}
    table = linsep.options(kind)
    for keyword, option in kind._options.items():
        if kind is linsep.MarginClassifier and option == "C":
            assert defaults[keyword] is None and table[option].default == 1  # None, so that alpha beside C is noticed
        elif option in table and option not in ("origin", "lambda", "l1-ratio", "init") and keyword != "tol":
            assert defaults[keyword] == table[option].default, keyword
    assert defaults["fit_intercept"] is True


@pytest.mark.parametrize("kind", CLASSES)
def test_a_clone_has_the_same_parameters(kind):
    estimator = kind(n_jobs=1, verbose=0)
    assert clone(estimator).get_params() == estimator.get_params()


@pytest.mark.parametrize(
    ("kind", "keyword", "says"),
    [
        (linsep.MarginClassifier, "tol", "'gap'"),
        (linsep.MarginClassifier, "dual", "'solver'"),
        (linsep.MarginClassifier, "max_itr", "'max_iter'"),
        (linsep.MarginClassifierCV, "scoring", "'choose'"),
        (linsep.MarginClassifierCV, "C", "'Cs'"),
        (linsep.MarginClassifierCV, "l1_ratios", "'l1_ratio'"),
        (linsep.HardMarginClassifier, "penalty", "MarginClassifier has 'penalty'"),
        (linsep.Perceptron, "tol", "'max_iter'"),
        (linsep.Perceptron, "penalty", "MarginClassifier"),
        (linsep.LeastSquaresClassifier, "alpha", "'ridge'"),
        (linsep.LogisticRegression, "dual", "no solver to choose; MarginClassifier has 'solver'"),
        (linsep.HardMarginClassifier, "dual", "no solver to choose; MarginClassifier has 'solver'"),
    ],
)
def test_an_unknown_keyword_says_what_to_use(kind, keyword, says):
    with pytest.raises(TypeError, match=f"no parameter '{keyword}'.*{says}"):
        kind(**{keyword: 1})
    with pytest.raises(ValueError, match=f"Invalid parameter '{keyword}'.*{says}"):
        kind().set_params(**{keyword: 1})


def test_alpha_and_C_are_the_same_strength():
    by_c = linsep.MarginClassifier(C=2.0, gap=1e-10).fit(X, Y)
    by_alpha = linsep.MarginClassifier(alpha=1 / (2.0 * len(X)), gap=1e-10).fit(X, Y)
    assert by_c.alpha_ == pytest.approx(by_alpha.alpha_)
    assert by_c.C_ == pytest.approx(2.0)
    np.testing.assert_allclose(by_c.coef_, by_alpha.coef_, rtol=1e-6)


@pytest.mark.parametrize("strength", [2.0, 1, 1.0])
def test_alpha_and_C_together_are_refused(strength):
    with pytest.raises(linsep.UsageError, match="'alpha' and 'C'"):
        linsep.MarginClassifier(alpha=0.1, C=strength).fit(X, Y)


@pytest.mark.parametrize("kind", CLASSES)
def test_what_is_advised_for_a_keyword_is_there(kind):
    from linsep import _hints

    known = inspect.signature(kind).parameters
    own = _hints._BY_CLASS.get(kind.__name__, _hints._BY_LEARNER.get(kind._learner, _hints._PASSES))
    for keyword, hint in own.items():
        advised = re.findall(r"use '(\w+)'|use (\w+)=", hint)
        if keyword in known or any(other.__name__ in hint for other in CLASSES):
            continue  # never asked, or it is about another class
        for word in {name for pair in advised for name in pair if name}:
            assert word in known, (keyword, hint)


def test_parameters_are_given_by_name():
    with pytest.raises(TypeError, match=r"MarginClassifier: give parameters by name: loss='hinge'"):
        linsep.MarginClassifier("hinge")
    with pytest.raises(TypeError, match=r"Perceptron: give parameters by name: max_iter=10"):
        linsep.Perceptron(10)


@pytest.mark.parametrize("kind", [linsep.MarginClassifier, linsep.MarginClassifierCV, linsep.LogisticRegression])
def test_no_penalty_is_advised_that_is_refused(kind):
    with pytest.raises(ValueError, match="'penalty' parameter") as caught:
        kind(penalty="L1").fit(X, Y)
    assert "None" not in str(caught.value)


def test_a_random_state_gives_one_draw_and_a_seed_itself():
    def shuffled(state):
        return linsep.Perceptron(order="shuffled", random_state=state).fit(X, Y).model_.options["seed"]

    assert shuffled(7) == 7
    assert shuffled(np.random.RandomState(3)) == shuffled(np.random.RandomState(3))
    np.random.seed(5)
    drawn = shuffled(None)
    np.random.seed(5)
    assert shuffled(None) == drawn


def test_errors_of_the_core_speak_of_python_keywords():
    with pytest.raises(linsep.UsageError) as caught:
        linsep.MarginClassifierCV(alphas=[0.1], Cs=[1.0], cv=2).fit(X, Y)
    assert "'alphas' and 'Cs'" in str(caught.value)
    assert caught.value.options == ("alphas", "Cs")


def test_options_are_those_of_the_command_line():
    assert list(linsep.options("basic")) == ["origin"]
    assert linsep.options(linsep.MarginClassifier)["loss"].choices[1] == "squared_hinge"
    with pytest.raises(linsep.UsageError, match="learners are perceptron"):
        linsep.options("forest")


def test_show_versions_names_the_packages(capsys):
    linsep.show_versions()
    assert {"linsep", "numpy", "scikit-learn"} <= {
        line.split(":")[0] for line in capsys.readouterr().out.splitlines()
    }


def test_what_the_page_for_users_of_scikit_learn_offers_is_there():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "howto" / "coming-from-scikit-learn.md"
    if not page.exists():
        pytest.skip("the pages aren't beside the tests")
    table = page.read_text(encoding="utf-8").split("## Estimators")[1].split("\n## ")[0]
    offered = [re.findall(r"`([^`]+)`", line.split(" | ")[1]) for line in table.splitlines() if line.count(" | ") > 1]
    made = 0
    for words in (word for cell in offered for word in cell):
        found = re.fullmatch(r"([A-Z]\w+)\((.*)\)(?:\.(\w+))?", words)
        if found is None or not hasattr(linsep, found[1]):
            continue
        estimator = eval(f"linsep.{found[1]}({found[2]})", {"linsep": linsep})
        assert found[3] is None or hasattr(estimator, found[3]), words
        made += 1
    assert made > 5
