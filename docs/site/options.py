"""The one table of options for command line, Python and C++, from the option tables that all three are made from."""

import inspect
import re

# The learners of the tables, as Python and C++ call them.
LEARNERS = {
    "margin": ("MarginClassifier", "Margin"),
    "perceptron": ("Perceptron", "Perceptron"),
    "dual": ("KernelPerceptron", "DualPerceptron"),
    "basic": ("BasicLinearClassifier", "Basic"),
    "least-squares": ("LeastSquaresClassifier", "LeastSquares"),
    "regression": ("PerceptronRegressor", "Regression"),
}
SELECTION = ("MarginClassifierCV", "Selection")
IN_PYTHON = {"hard": "class `HardMarginClassifier`", "positive-weight": "`class_weight`", "negative-weight": "`class_weight`",
             "origin": "`fit_intercept` (the opposite)", "cv": "`cv`", "multiclass": "`multiclass`"}


def cell(text):
    """Text in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def values(option):
    """What an option can be, and its default."""
    kind, default = option["kind"], option["default"]
    if kind == "flag":
        return "on or off"
    if kind == "choice":
        return ", ".join(f"**{word}**" if word == default else word for word in option["choices"])
    if kind in ("integer", "number"):
        low, high = option["low"], option["high"]
        bound = f"{'above' if option['above_low'] else 'from'} {low:g}" if low > float("-inf") else "any number"
        bound += f" to {high:g}" if high < 1e12 else ""
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        return f"**{shown}**; {bound}"
    return f"**{default}**" if default else "text" if kind == "text" else "numbers"


def fields(text, struct):
    """The names of the fields of a struct of a header."""
    body = re.search(rf"struct {struct}\b[^{{;]*{{(.*?)\n}};", text, re.DOTALL)
    return set(re.findall(r"(\w+) = ", body.group(1))) if body else set()


def cpp_name(option, struct, header, map_header):
    """How C++ says an option of a learner."""
    name = option.replace("-", "_")
    if name in fields(header, struct):
        return f"`.{name}`"
    if struct == "DualPerceptron" and name in fields(map_header, "Kernel"):
        return f"`.kernel.{name}`"
    return f'`{{"{option}", …}}`'


def rows(table, name, python, cpp):
    """The rows of a learner's table. `python` is the class's parameters, `cpp` says an option in C++."""
    for option in table:
        known = name(option["name"])
        here = IN_PYTHON.get(option["name"]) or (f"`{known}`" if known in python else "–")
        text = cell(option["help"]) + (" " + cell(option["details"]) if option["details"] else "")
        yield f"| `--{option['name']}` | {here} | {cpp(option['name'])} | {values(option)} | {text} |"


def text_of(root):
    """The page's tables."""
    import linsep
    from linsep import _core
    from linsep._names import python_name

    tables = _core.tables()
    specs = (root / "include/linsep/specs.h").read_text(encoding="utf-8")
    maps = (root / "include/linsep/model.h").read_text(encoding="utf-8")
    head = ["| command line | Python | C++ | values, **default** | |", "|---|---|---|---|---|"]
    lines = []
    for learner in sorted(tables["learners"], key=lambda learner: list(LEARNERS).index(learner["name"])):
        python, cpp = LEARNERS[learner["name"]]
        parameters = inspect.signature(getattr(linsep, python).__init__).parameters
        lines += [f"## {learner['name']}", "", cell(learner["help"]), ""]
        if learner["formula"]:
            lines += ["```text", learner["formula"], "```", ""]
        lines += [f"`linsep train --learner {learner['name']}` · {{py:class}}`linsep.{python}` · {{cpp:class}}`linsep::{cpp}`", "", *head]
        lines += rows(learner["options"], python_name, parameters, lambda name, cpp=cpp: cpp_name(name, cpp, specs, maps))
        lines.append("")
    parameters = inspect.signature(linsep.MarginClassifierCV.__init__).parameters
    lines += ["## Choosing λ, and probabilities", "", "`linsep train --cv 5` · {py:class}`linsep.MarginClassifierCV` · "
              "{cpp:func}`linsep::select`", "", *head]
    lines += rows(tables["selection"], python_name, parameters, lambda name: f'`{{"{name}", …}}`')
    lines += ["", "## Columns of tables", "", "`linsep train TABLE` · {py:func}`linsep.scan` · `linsep/table/options.h`", "",
              "| command line, Python, C++ | values, **default** | |", "|---|---|---|"]
    lines += [f"| `--{option['name']}`, `{python_name(option['name'])}` | {values(option)} | {cell(option['help'])} |"
              for option in tables["tables"]]
    return "\n".join(lines)


def write(stage):
    """The page of all options."""
    stage.document(stage.root / "docs/reference/options.md", "reference/options.md")
    text = (stage.folder / "reference/options.md").read_text(encoding="utf-8")
    stage.text("reference/options.md", text.replace("% made: options", text_of(stage.root)))
