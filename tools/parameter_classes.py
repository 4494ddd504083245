"""Which parameters each Python estimator has beside its learner's options. Read by make_parameters.py."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """One keyword of an estimator."""

    name: str
    hint: str  # its type for type checkers
    default: str  # as Python source
    constraint: str  # for scikit-learn's validation, as Python source
    kind: str  # its type for people
    text: str
    option: str = ""  # of the core; "": handled in Python


@dataclass(frozen=True)
class Class:
    """One estimator."""

    name: str
    learner: str
    left_out: tuple[str, ...] = ()  # options of the learner that it doesn't have
    selection: tuple[str, ...] = ()  # options of the selection that it has
    own: tuple[str, ...] = ()
    common: tuple[str, ...] = ("fit_intercept", "map")


def _strengths(name: str, text: str, option: str) -> Parameter:
    return Parameter(
        name,
        "npt.ArrayLike | str | None",
        "None",
        '["array-like", str, None]',
        'array-like of float, "FROM:TO:COUNT" or None',
        text,
        option,
    )


# Options whose keyword isn't what the tables alone would make of it, and parameters without an option.
OWN = {
    "lambda": Parameter(
        "alpha",
        "float | None",
        "None",
        '[Interval(Real, 0, None, closed="neither"), None]',
        "float or None",
        "The strength λ of the penalty beside the mean loss, as in SGDClassifier. None: set by C. λ belongs to "
        "the mean, so it keeps its meaning when rows are added: C = 1/(λ·Σ weight).",
        "lambda",
    ),
    "C": Parameter(
        "C",
        "float | None",
        "None",
        '[Interval(Real, 0, None, closed="neither"), None]',
        "float or None",
        "The inverse strength, as in LinearSVC: penalty + C·Σ weight·loss, where the penalty is ½‖θ‖² unless "
        "penalty says otherwise. None: 1, or what alpha says. Setting both C and alpha is an error.",
        "C",
    ),
    "seed": Parameter(
        "random_state",
        "RandomState",
        "1",
        '["random_state"]',
        "int, RandomState instance or None",
        "Seed for the order of rows; the same seed gives the same bits as the command line. "
        "None draws one from numpy's global state.",
        "seed",
    ),
    "C alone": Parameter(
        "C",
        "float",
        "1.0",
        '[Interval(Real, 0, None, closed="neither")]',
        "float",
        "The inverse strength: penalty + C·Σ weight·loss, where the penalty is ½‖θ‖² unless penalty or l1_ratio "
        "says otherwise.",
        "C",
    ),
    "tol": Parameter(
        "tol",
        "float",
        "0.0001",
        '[Interval(Real, 0, None, closed="neither")]',
        "float",
        "Stop when the objective is proven to be within this fraction of the best possible. scikit-learn's tol "
        "bounds the gradient instead, and proves nothing.",
        "gap",
    ),
    "penalty": Parameter(
        "penalty",
        'Literal["l2", "l1", "elasticnet"]',
        '"l2"',
        '[StrOptions({"l2", "l1", "elasticnet"}), Hidden(None)]',
        '{"l2", "l1", "elasticnet"}',
        'The penalty on the weights: "l2" (½‖θ‖²), "l1" (‖θ‖₁), which leaves most weights at exactly 0, or '
        '"elasticnet", a mix of both by l1_ratio.',
        "penalty",
    ),
    "l1-ratio": Parameter(
        "l1_ratio",
        "float | None",
        "None",
        '[Interval(Real, 0, 1, closed="both"), None]',
        "float or None",
        "The share ρ of the L1 part: ρ‖θ‖₁ + (1 − ρ)/2‖θ‖², as in scikit-learn. None: 0.5 with "
        'penalty="elasticnet". With penalty="l2" it is enough by itself: 1 is the L1 penalty, 0 the L2 penalty.',
        "l1-ratio",
    ),
    # scikit-learn's SelectFromModel asks a LogisticRegression whether its l1_ratio is close to 1, which None can't be.
    "l1_ratio or NaN": Parameter(
        "l1_ratio",
        "float | None",
        "np.nan",
        '[Interval(Real, 0, 1, closed="both"), "nan", Hidden(None)]',
        "float",
        "The share ρ of the L1 part: ρ‖θ‖₁ + (1 − ρ)/2‖θ‖², as in scikit-learn. NaN: 0.5 with "
        'penalty="elasticnet". With penalty="l2" it is enough by itself: 1 is the L1 penalty, 0 the L2 penalty.',
        "l1-ratio",
    ),
    "class_weight": Parameter(
        "class_weight",
        'dict[Any, float] | Literal["balanced"] | None',
        "None",
        '[dict, StrOptions({"balanced"}), None]',
        'dict, "balanced" or None',
        'Weights of classes, multiplied into the rows\' weights; "balanced": every class weighs the same.',
    ),
    "copy_X": Parameter(
        "copy_X",
        'bool | Literal["auto"]',
        '"auto"',
        '["boolean", StrOptions({"auto"})]',
        'bool or "auto"',
        "Whether to copy the rows into the order in which they are visited: faster, the same bits, twice the "
        'memory. "auto": if they take less than a quarter of the free memory.',
    ),
    "prove": Parameter(
        "prove",
        "bool",
        "True",
        '["boolean"]',
        "bool",
        "Make a certificate of the separator and of the margin.",
    ),
    "lambdas": _strengths(
        "alphas",
        "The values of λ to try, or FROM:TO:COUNT for so many in equal ratios. None, and no Cs: powers of "
        "ten that suit the data or, where the penalty has an L1 part, 100 values down from the least λ that leaves "
        "every weight at 0.",
        "lambdas",
    ),
    "Cs": _strengths("Cs", "The same by C = 1/(λ·Σ weight). Setting both Cs and alphas is an error.", "Cs"),
    "cv": Parameter(
        "cv",
        "Any",
        "5",
        '[Interval(Integral, 2, 1000, closed="both"), "cv_object"]',
        "int or cross-validation splitter",
        "How many folds, each with its share of every class; or a splitter (or splits) whose test sets "
        "hold every row once.",
        "cv",
    ),
}

COMMON = {
    "fit_intercept": Parameter(
        "fit_intercept",
        "bool",
        "True",
        '["boolean"]',
        "bool",
        "Whether to fit an offset; without one the boundary goes through the origin.",
        "origin",
    ),
    "map": Parameter(
        "map",
        "str",
        '"none"',
        "[str]",
        "str",
        'Train on a map of the features: "products" (x1·x2, …) or "polynomial:DEGREE".',
    ),
    "warm_start": Parameter(
        "warm_start",
        "bool",
        "False",
        '["boolean"]',
        "bool",
        "Start from the classifier of the last fit instead of from 0.",
    ),
    "n_jobs": Parameter(
        "n_jobs",
        "int | None",
        "None",
        "[Integral, None]",
        "int or None",
        "Threads; never changes the result. None: LINSEP_NUM_THREADS, else OMP_NUM_THREADS, else every core "
        "that the process may use. -1: every core.",
    ),
    "time_limit": Parameter(
        "time_limit",
        "float | None",
        "None",
        '[Interval(Real, 0, None, closed="neither"), None]',
        "float or None",
        "Stop training after this many seconds and keep the classifier at that point. Only this parameter "
        "can make two runs differ.",
    ),
    "verbose": Parameter(
        "verbose", "int", "0", '["verbose"]', "int", "1: a line on standard error every second."
    ),
}

CLASSES = (
    Class(
        "MarginClassifier",
        "margin",
        selection=("probabilities",),
        own=("class_weight", "copy_X"),
        common=("fit_intercept", "map", "warm_start"),
    ),
    Class(
        "MarginClassifierCV",
        "margin",
        left_out=("lambda", "C", "group-features"),
        selection=("lambdas", "Cs", "cv", "choose", "one-se", "features", "probabilities"),
        own=("class_weight", "copy_X"),
    ),
    Class(
        "LogisticRegression",
        "margin",
        left_out=("loss", "lambda", "C", "gap", "solver", "l1-ratio"),
        own=("C alone", "l1_ratio or NaN", "tol", "class_weight", "copy_X"),
        common=("fit_intercept",),
    ),
    Class(
        "HardMarginClassifier",
        "margin",
        left_out=("loss", "lambda", "C", "penalty", "l1-ratio", "group-features", "solver"),
        own=("prove",),
    ),
    Class("Perceptron", "perceptron", common=("fit_intercept", "map", "warm_start")),
    Class("KernelPerceptron", "dual", common=("fit_intercept",)),
    Class("BasicLinearClassifier", "basic"),
    Class("LeastSquaresClassifier", "least-squares", own=("class_weight",)),
    Class("PerceptronRegressor", "regression"),
)
