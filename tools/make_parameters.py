#!/usr/bin/env python3
"""Writes the parameters of the Python estimators from the core's option tables.

    tools/make_parameters.py            write python/linsep/_parameters.py
    tools/make_parameters.py --check    write nothing; exit with 1 if it would differ

For each estimator `_parameters.py` gets a class with a literal `__init__` (type checkers and IDEs see it),
scikit-learn's `_parameter_constraints`, and which option of the core each keyword is; `TEXTS` says what each keyword
means, for the docstrings (python/linsep/_docs.py). What each option is called in Python stands in
python/linsep/_names.py; which parameters a class has beside its learner's options stands in tools/parameter_classes.py.

The tables are those of the built module: of the package on PYTHONPATH, else of the newest build in build/. Build it
before, with `cmake --build --preset dev --target linsep_python`.
"""

import importlib
import math
import os
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "linsep"


def built_packages() -> list[pathlib.Path]:
    """The folders of build/ with a built module, the newest first."""
    modules = sorted(ROOT.glob("build/*/python/linsep/_core*.so"), key=lambda file: file.stat().st_mtime)
    return [module.parents[1] for module in reversed(modules)]


def explain_missing(error: ImportError) -> str:
    """What to build, or which Python to take, if the module can't be imported."""
    built = built_packages()
    if not built:
        return (
            "make_parameters.py: linsep's Python module isn't built. Build it and run this again:\n"
            "  tools/setup        (once: it makes build/test-venv)\n"
            "  cmake --preset dev && cmake --build --preset dev --target linsep_python"
        )
    return (
        f"make_parameters.py: {sys.executable} can't import the module in {built[0]}: {error}\n"
        "Use the Python that it was built for:\n"
        "  build/test-venv/bin/python tools/make_parameters.py"
    )


sys.dont_write_bytecode = True  # a __pycache__ in python/linsep would make CMake configure again
if "PYTHONPATH" not in os.environ:
    sys.path[1:1] = map(str, built_packages()[:1])
sys.path.append(str(ROOT / "python"))

try:
    _core = importlib.import_module("linsep._core")
except ImportError as missing:
    sys.exit(explain_missing(missing))

from parameter_classes import CLASSES, COMMON, OWN, Parameter  # noqa: E402

from linsep._names import ALIASES, python_choice, python_name  # noqa: E402

WIDTH = 110
HEAD = '''"""The estimators' parameters. Written by tools/make_parameters.py from the option tables."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils._param_validation import Hidden, Interval, StrOptions

RandomState = int | np.random.RandomState | None
'''


def number(value: float) -> str:
    """A bound or default as Python writes it."""
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e16 else repr(float(value))


def interval(kind: str, option: dict) -> str:
    low = None if option["low"] is None or math.isinf(option["low"]) else option["low"]
    high = None if option["high"] is None or math.isinf(option["high"]) else option["high"]
    open_low = option["above_low"] or low is None
    closed = {(True, True): "neither", (True, False): "right", (False, True): "left", (False, False): "both"}
    bounds = ["None" if bound is None else number(bound) for bound in (low, high)]
    return f'Interval({kind}, {bounds[0]}, {bounds[1]}, closed="{closed[open_low, high is None]}")'


def choices_of(option: dict) -> list[str]:
    words = [python_choice(choice) for choice in option["choices"]]
    return [*words, *(alias for alias, choice in ALIASES.items() if choice in words)]


def quoted(words: list[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def from_option(option: dict) -> Parameter:
    """The parameter that an option of the tables becomes."""
    name, kind, default = python_name(option["name"]), option["kind"], option["default"]
    text = " ".join(part for part in (option["help"], option["details"]) if part)
    common = {"name": name, "option": option["name"], "text": text}
    if kind == "flag":
        return Parameter(
            **common, hint="bool", default=repr(bool(default)), constraint='["boolean"]', kind="bool"
        )
    if kind == "integer":
        return Parameter(
            **common,
            hint="int",
            default=number(default),
            kind="int",
            constraint=f"[{interval('Integral', option)}]",
        )
    if kind == "number":
        return Parameter(
            **common,
            hint="float",
            default=repr(float(default)),
            kind="float",
            constraint=f"[{interval('Real', option)}]",
        )
    if kind == "choice":
        words = choices_of(option)
        for choice in option["choices"]:
            common["text"] = common["text"].replace(f" {choice}:", f" {python_choice(choice)}:")
        common["text"] += "".join(
            f' "{alias}" is another name for "{choice}".' for alias, choice in ALIASES.items() if choice in words
        )
        return Parameter(
            **common,
            hint=f"Literal[{quoted(words)}]",
            default=f'"{python_choice(default)}"',
            constraint=f"[StrOptions({{{quoted(words)}}})]",
            kind="{" + quoted(words) + "}",
        )
    if kind == "numbers":
        return Parameter(
            **common,
            hint="npt.ArrayLike | None",
            default="None",
            constraint='["array-like", None]',
            kind="array-like of shape (n_features,) or None",
        )
    raise SystemExit(f"{option['name']}: no rule for an option of kind {kind}")


def parameters_of(spec, tables: dict) -> list[Parameter]:
    """All parameters of a class: its learner's options in the table's order, its own, the common ones."""
    learner = next(learner for learner in tables["learners"] if learner["name"] == spec.learner)
    options = [
        *learner["options"],
        *(option for option in tables["selection"] if option["name"] in spec.selection),
    ]
    left_out = {*spec.left_out, "origin", "positive-weight", "negative-weight", "class-weight", "hard"}
    found = [
        OWN.get(option["name"]) or from_option(option) for option in options if option["name"] not in left_out
    ]
    own = [OWN[name] for name in spec.own]
    return [*found, *own, *(COMMON[name] for name in (*spec.common, "n_jobs", "time_limit", "verbose"))]


def wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def class_text(spec, parameters: list[Parameter]) -> str:
    """The class that holds a literal __init__."""
    lines = [
        "",
        "",
        f"class {spec.name}Parameters:",
        f'    """Parameters of :class:`linsep.{spec.name}`."""',
        "",
    ]
    lines += [
        f'    _learner: ClassVar[str] = "{spec.learner}"',
        "    # Keyword: the core's option.",
        "    _options: ClassVar[dict[str, str]] = {",
    ]
    lines += [f'        "{p.name}": "{p.option}",' for p in parameters if p.option]
    lines += ["    }", "    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"]
    lines += [f'        "{p.name}": {p.constraint},' for p in parameters]
    lines += ["    }", "", "    def __init__(", "        self,", "        *,"]
    lines += [f"        {p.name}: {p.hint} = {p.default}," for p in parameters]
    lines += ["    ) -> None:"]
    lines += [f"        self.{p.name} = {p.name}" for p in parameters]
    return "\n".join(lines) + "\n"


def texts_text(parameters: dict[str, list[Parameter]]) -> str:
    """What each keyword means: under its name as most classes have it, under "Class.name" where one differs."""
    found: dict[str, str] = {}
    texts = {
        (name, p.name): f"{p.kind}, default={p.default}\n{wrapped(p.text, '    ')}" for name, own in parameters.items() for p in own
    }
    for (_, keyword), _ in texts.items():
        meanings = [text for (_, other), text in texts.items() if other == keyword]
        found[keyword] = max(meanings, key=meanings.count)
    found |= {f"{name}.{keyword}": text for (name, keyword), text in texts.items() if text != found[keyword]}
    lines = [f'    "{keyword}": """{text}""",' for keyword, text in found.items()]
    return "\n\n# What each keyword means; where a class differs, under its name.\nTEXTS = {\n" + "\n".join(lines) + "\n}\n"


def output() -> str:
    tables = _core.tables()
    parameters = {spec.name: parameters_of(spec, tables) for spec in CLASSES}
    return HEAD + "".join(class_text(spec, parameters[spec.name]) for spec in CLASSES) + texts_text(parameters)


def main() -> int:
    path, text = PACKAGE / "_parameters.py", output()
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in sys.argv[1:]:
        print("python/linsep/_parameters.py: not what tools/make_parameters.py writes; run it", file=sys.stderr)
        return 1
    path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
