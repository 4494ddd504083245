"""Names of options and choices: the option tables' spelling and Python's, both ways.

The tables are the core's (``squared-hinge``, ``passes``); Python has keywords (``squared_hinge``,
``max_iter``). These rules are the only text about options that is kept in Python; the rest is generated from
the tables.
"""

from __future__ import annotations

RENAMED = {
    "passes": "max_iter",
    "seed": "random_state",
    "lambda": "alpha",
    "lambdas": "alphas",
    "rate": "eta0",
    "origin": "fit_intercept",
    "time": "time_limit",
    "threads": "n_jobs",
    "class-weight": "class_weight",
    "hard": "HardMarginClassifier",
    "positive-weight": "class_weight",
    "negative-weight": "class_weight",
}


# Names of choices that others have for the same.
ALIASES = {"log_loss": "logistic"}

# Losses whose scores are log odds; with the others the planes z = ±1 are the margin.
PROBABILITY_LOSSES = ("logistic", "softmax")


def python_name(option: str) -> str:
    """Return the Python keyword of an option of the tables."""
    return RENAMED.get(option, option.replace("-", "_"))


def python_choice(choice: str) -> str:
    """Return Python's spelling of a choice (``squared-hinge`` becomes ``squared_hinge``)."""
    return choice.replace("-", "_")


def core_choice(choice: str) -> str:
    """Return the tables' spelling of a choice."""
    return ALIASES.get(choice, choice).replace("_", "-")
