"""What to use instead of keywords that other estimators have and these don't."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_ENDS = "it stops at a pass without mistakes, or after 'max_iter' passes"
_PENALTY = "there is no penalty; MarginClassifier has one: 'penalty', 'C' or 'alpha'"
_HARD_PENALTY = "the hard margin minimizes ½‖θ‖² alone; MarginClassifier has 'penalty', 'C' and 'alpha'"
_PASSES = {
    "tol": _ENDS,
    "penalty": _PENALTY,
    "alpha": _PENALTY,
    "l1_ratio": _PENALTY,
    "C": _PENALTY,
    "shuffle": 'use order="shuffled"',
    "early_stopping": _ENDS,
    "validation_fraction": _ENDS,
    "n_iter_no_change": _ENDS,
    "class_weight": "corrections on mistakes can't keep the promise that a weight of 2 is the row twice",
    "average": 'use variant="averaged"',
    "learning_rate": "use 'eta0', the size of a correction",
    "coef0": "there is no kernel; KernelPerceptron has 'constant', which the polynomial kernel adds to x·x′",
}
_MARGIN = {
    "tol": "it stops at a proven 'gap': how far the objective may be from the best possible",
    "dual": "use 'solver'",
    "intercept_scaling": "the intercept isn't penalized, so there is nothing to scale",
    "multi_class": 'several classes are trained one against the rest, or together with loss="softmax"',
    "probability": 'use probabilities="platt" or "isotonic", or loss="logistic"',
    "max_fun": "use 'max_iter'",
    "eta0": "there is no learning rate: solvers choose their steps",
    "learning_rate": "there is no learning rate: solvers choose their steps",
    "shuffle": "solvers choose the order of rows by 'random_state'",
    "early_stopping": "it stops at a proven 'gap'; no rows are held out",
}
_MEANS = {
    "tol": "LeastSquaresClassifier has 'tolerance', for matrix=\"cg\"",
    "alpha": "use 'ridge' of LeastSquaresClassifier",
    "random_state": "nothing is drawn at random",
}
_NO_SOLVER = {
    "dual": "there is no solver to choose; MarginClassifier has 'solver'",
    "solver": "there is no solver to choose; MarginClassifier has 'solver'",
}
_LOGISTIC = {
    **_MARGIN,
    **_NO_SOLVER,
    "probability": "predict_proba is always there",
    "gap": "use 'tol', which is the gap here",
    "warm_start": 'MarginClassifier(loss="logistic") has it, for two classes',
    "multi_class": "all classes are trained together",
    "alpha": "use 'C'",
    "loss": "it is the logistic loss; MarginClassifier has others",
}
_HARD = {
    **_MARGIN,
    **_NO_SOLVER,
    **dict.fromkeys(("penalty", "l1_ratio", "C", "alpha"), _HARD_PENALTY),
    "multi_class": "several classes are trained one against the rest",
    "probability": 'rows that are separated have no probabilities; MarginClassifier(loss="logistic") gives some',
}
_KERNEL = {
    **_PASSES,
    "coef0": "use 'constant', which the polynomial kernel adds to x·x′",
    "average": 'Perceptron has variant="averaged"',
    "learning_rate": "the size of a correction doesn't matter, so there is no 'eta0'",
    "eta0": "the size of a correction doesn't matter",
}
_CROSS_VALIDATION = {
    **_MARGIN,
    "l1_ratios": "use 'l1_ratio'; several need GridSearchCV over MarginClassifierCV",
    "scoring": "use 'choose': \"error\" or \"loss\"; other scores need GridSearchCV over MarginClassifier",
    "C": "use 'Cs' for the strengths to try; MarginClassifier has 'C'",
    "alpha": "use 'alphas' for the strengths to try; MarginClassifier has 'alpha'",
    "max_features": "use 'features'",
    "refit": "the chosen strength is always trained on all rows",
}
_BY_CLASS = {
    "LogisticRegression": _LOGISTIC,
    "MarginClassifierCV": _CROSS_VALIDATION,
    "HardMarginClassifier": _HARD,
    "KernelPerceptron": _KERNEL,
    "PerceptronRegressor": {**_PASSES, "average": "the last weights are kept, not their mean"},
}
_BY_LEARNER = {"margin": _MARGIN, "basic": _MEANS, "least-squares": _MEANS}


def unknown_keyword(name: str, unknown: str, learner: str, known: Iterable[str]) -> str:
    """Return a sentence about a keyword that the class `name` doesn't have."""
    hint = _BY_CLASS.get(name, _BY_LEARNER.get(learner, _PASSES)).get(unknown)
    if hint is None:
        from . import _core

        nearest = _core.nearest_word(unknown, list(known))
        hint = f"did you mean {nearest!r}?" if nearest else f"it has {', '.join(sorted(known))}"
    return f"{name} has no parameter {unknown!r}: {hint}"


def by_name(name: str, constraints: Mapping[str, list[Any]], value: object) -> str:
    """Return a sentence about a parameter that was given by position: the one that takes such a word, else the first."""
    choices = {known: getattr(rule, "options", ()) for known, rules in constraints.items() for rule in rules}
    taking = [known for known, options in choices.items() if isinstance(value, str) and value in options]
    keyword = (taking or list(constraints))[0]
    return f"{name}: give parameters by name: {keyword}={value!r}"
