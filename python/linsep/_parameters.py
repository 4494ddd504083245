"""The estimators' parameters. Written by tools/make_parameters.py from the option tables."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils._param_validation import Hidden, Interval, StrOptions

RandomState = int | np.random.RandomState | None


class MarginClassifierParameters:
    """Parameters of :class:`linsep.MarginClassifier`."""

    _learner: ClassVar[str] = "margin"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "loss": "loss",
        "alpha": "lambda",
        "C": "C",
        "penalty": "penalty",
        "l1_ratio": "l1-ratio",
        "group_features": "group-features",
        "gap": "gap",
        "solver": "solver",
        "random_state": "seed",
        "probabilities": "probabilities",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "loss": [StrOptions({"hinge", "squared_hinge", "logistic", "softmax", "log_loss"})],
        "alpha": [Interval(Real, 0, None, closed="neither"), None],
        "C": [Interval(Real, 0, None, closed="neither"), None],
        "penalty": [StrOptions({"l2", "l1", "elasticnet"}), Hidden(None)],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), None],
        "group_features": ["boolean"],
        "gap": [Interval(Real, 0, None, closed="neither")],
        "solver": [StrOptions({"auto", "dual", "interior", "newton", "planes", "working_set", "columns"})],
        "random_state": ["random_state"],
        "probabilities": [StrOptions({"none", "platt", "isotonic"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "copy_X": ["boolean", StrOptions({"auto"})],
        "fit_intercept": ["boolean"],
        "map": [str],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 5000,
        loss: Literal["hinge", "squared_hinge", "logistic", "softmax", "log_loss"] = "hinge",
        alpha: float | None = None,
        C: float | None = None,
        penalty: Literal["l2", "l1", "elasticnet"] = "l2",
        l1_ratio: float | None = None,
        group_features: bool = False,
        gap: float = 0.001,
        solver: Literal["auto", "dual", "interior", "newton", "planes", "working_set", "columns"] = "auto",
        random_state: RandomState = 1,
        probabilities: Literal["none", "platt", "isotonic"] = "none",
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        copy_X: bool | Literal["auto"] = "auto",
        fit_intercept: bool = True,
        map: str = "none",
        warm_start: bool = False,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.loss = loss
        self.alpha = alpha
        self.C = C
        self.penalty = penalty
        self.l1_ratio = l1_ratio
        self.group_features = group_features
        self.gap = gap
        self.solver = solver
        self.random_state = random_state
        self.probabilities = probabilities
        self.class_weight = class_weight
        self.copy_X = copy_X
        self.fit_intercept = fit_intercept
        self.map = map
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class MarginClassifierCVParameters:
    """Parameters of :class:`linsep.MarginClassifierCV`."""

    _learner: ClassVar[str] = "margin"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "loss": "loss",
        "penalty": "penalty",
        "l1_ratio": "l1-ratio",
        "gap": "gap",
        "solver": "solver",
        "random_state": "seed",
        "alphas": "lambdas",
        "Cs": "Cs",
        "cv": "cv",
        "choose": "choose",
        "one_se": "one-se",
        "features": "features",
        "probabilities": "probabilities",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "loss": [StrOptions({"hinge", "squared_hinge", "logistic", "softmax", "log_loss"})],
        "penalty": [StrOptions({"l2", "l1", "elasticnet"}), Hidden(None)],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), None],
        "gap": [Interval(Real, 0, None, closed="neither")],
        "solver": [StrOptions({"auto", "dual", "interior", "newton", "planes", "working_set", "columns"})],
        "random_state": ["random_state"],
        "alphas": ["array-like", str, None],
        "Cs": ["array-like", str, None],
        "cv": [Interval(Integral, 2, 1000, closed="both"), "cv_object"],
        "choose": [StrOptions({"error", "loss"})],
        "one_se": ["boolean"],
        "features": [Interval(Integral, 0, 1000000000, closed="both")],
        "probabilities": [StrOptions({"none", "platt", "isotonic"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "copy_X": ["boolean", StrOptions({"auto"})],
        "fit_intercept": ["boolean"],
        "map": [str],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 5000,
        loss: Literal["hinge", "squared_hinge", "logistic", "softmax", "log_loss"] = "hinge",
        penalty: Literal["l2", "l1", "elasticnet"] = "l2",
        l1_ratio: float | None = None,
        gap: float = 0.001,
        solver: Literal["auto", "dual", "interior", "newton", "planes", "working_set", "columns"] = "auto",
        random_state: RandomState = 1,
        alphas: npt.ArrayLike | str | None = None,
        Cs: npt.ArrayLike | str | None = None,
        cv: Any = 5,
        choose: Literal["error", "loss"] = "error",
        one_se: bool = False,
        features: int = 0,
        probabilities: Literal["none", "platt", "isotonic"] = "none",
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        copy_X: bool | Literal["auto"] = "auto",
        fit_intercept: bool = True,
        map: str = "none",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.loss = loss
        self.penalty = penalty
        self.l1_ratio = l1_ratio
        self.gap = gap
        self.solver = solver
        self.random_state = random_state
        self.alphas = alphas
        self.Cs = Cs
        self.cv = cv
        self.choose = choose
        self.one_se = one_se
        self.features = features
        self.probabilities = probabilities
        self.class_weight = class_weight
        self.copy_X = copy_X
        self.fit_intercept = fit_intercept
        self.map = map
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class LogisticRegressionParameters:
    """Parameters of :class:`linsep.LogisticRegression`."""

    _learner: ClassVar[str] = "margin"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "penalty": "penalty",
        "group_features": "group-features",
        "random_state": "seed",
        "C": "C",
        "l1_ratio": "l1-ratio",
        "tol": "gap",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "penalty": [StrOptions({"l2", "l1", "elasticnet"}), Hidden(None)],
        "group_features": ["boolean"],
        "random_state": ["random_state"],
        "C": [Interval(Real, 0, None, closed="neither")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), "nan", Hidden(None)],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "copy_X": ["boolean", StrOptions({"auto"})],
        "fit_intercept": ["boolean"],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 5000,
        penalty: Literal["l2", "l1", "elasticnet"] = "l2",
        group_features: bool = False,
        random_state: RandomState = 1,
        C: float = 1.0,
        l1_ratio: float | None = np.nan,
        tol: float = 0.0001,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        copy_X: bool | Literal["auto"] = "auto",
        fit_intercept: bool = True,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.penalty = penalty
        self.group_features = group_features
        self.random_state = random_state
        self.C = C
        self.l1_ratio = l1_ratio
        self.tol = tol
        self.class_weight = class_weight
        self.copy_X = copy_X
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class HardMarginClassifierParameters:
    """Parameters of :class:`linsep.HardMarginClassifier`."""

    _learner: ClassVar[str] = "margin"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "gap": "gap",
        "random_state": "seed",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "gap": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "prove": ["boolean"],
        "fit_intercept": ["boolean"],
        "map": [str],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 5000,
        gap: float = 0.001,
        random_state: RandomState = 1,
        prove: bool = True,
        fit_intercept: bool = True,
        map: str = "none",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.gap = gap
        self.random_state = random_state
        self.prove = prove
        self.fit_intercept = fit_intercept
        self.map = map
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class PerceptronParameters:
    """Parameters of :class:`linsep.Perceptron`."""

    _learner: ClassVar[str] = "perceptron"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "order": "order",
        "random_state": "seed",
        "eta0": "rate",
        "weighted": "weighted",
        "init": "init",
        "init_offset": "init-offset",
        "variant": "variant",
        "multiclass": "multiclass",
        "trace": "trace",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "order": [StrOptions({"given", "shuffled", "drawn"})],
        "random_state": ["random_state"],
        "eta0": [Interval(Real, 0, None, closed="neither")],
        "weighted": ["boolean"],
        "init": ["array-like", None],
        "init_offset": [Interval(Real, None, None, closed="neither")],
        "variant": [StrOptions({"last", "averaged", "voted"})],
        "multiclass": [StrOptions({"rest", "joint"})],
        "trace": ["boolean"],
        "fit_intercept": ["boolean"],
        "map": [str],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 100,
        order: Literal["given", "shuffled", "drawn"] = "given",
        random_state: RandomState = 1,
        eta0: float = 1.0,
        weighted: bool = False,
        init: npt.ArrayLike | None = None,
        init_offset: float = 0.0,
        variant: Literal["last", "averaged", "voted"] = "last",
        multiclass: Literal["rest", "joint"] = "rest",
        trace: bool = False,
        fit_intercept: bool = True,
        map: str = "none",
        warm_start: bool = False,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.order = order
        self.random_state = random_state
        self.eta0 = eta0
        self.weighted = weighted
        self.init = init
        self.init_offset = init_offset
        self.variant = variant
        self.multiclass = multiclass
        self.trace = trace
        self.fit_intercept = fit_intercept
        self.map = map
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class KernelPerceptronParameters:
    """Parameters of :class:`linsep.KernelPerceptron`."""

    _learner: ClassVar[str] = "dual"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "order": "order",
        "random_state": "seed",
        "kernel": "kernel",
        "degree": "degree",
        "constant": "constant",
        "gamma": "gamma",
        "trace": "trace",
        "gram_cache": "gram-cache",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "order": [StrOptions({"given", "shuffled", "drawn"})],
        "random_state": ["random_state"],
        "kernel": [StrOptions({"linear", "polynomial", "gaussian"})],
        "degree": [Interval(Integral, 1, 100, closed="both")],
        "constant": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "trace": ["boolean"],
        "gram_cache": [Interval(Real, 0, 1000000000, closed="both")],
        "fit_intercept": ["boolean"],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 100,
        order: Literal["given", "shuffled", "drawn"] = "given",
        random_state: RandomState = 1,
        kernel: Literal["linear", "polynomial", "gaussian"] = "linear",
        degree: int = 2,
        constant: float = 1.0,
        gamma: float = 1.0,
        trace: bool = False,
        gram_cache: float = 256.0,
        fit_intercept: bool = True,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.order = order
        self.random_state = random_state
        self.kernel = kernel
        self.degree = degree
        self.constant = constant
        self.gamma = gamma
        self.trace = trace
        self.gram_cache = gram_cache
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class BasicLinearClassifierParameters:
    """Parameters of :class:`linsep.BasicLinearClassifier`."""

    _learner: ClassVar[str] = "basic"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_intercept": ["boolean"],
        "map": [str],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        map: str = "none",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.map = map
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class LeastSquaresClassifierParameters:
    """Parameters of :class:`linsep.LeastSquaresClassifier`."""

    _learner: ClassVar[str] = "least-squares"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "matrix": "matrix",
        "ridge": "ridge",
        "tolerance": "tolerance",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "matrix": [StrOptions({"auto", "identity", "diagonal", "full", "cg"})],
        "ridge": [Interval(Real, 0, None, closed="left")],
        "tolerance": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "fit_intercept": ["boolean"],
        "map": [str],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 1000,
        matrix: Literal["auto", "identity", "diagonal", "full", "cg"] = "auto",
        ridge: float = 0.0,
        tolerance: float = 1e-08,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        fit_intercept: bool = True,
        map: str = "none",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.matrix = matrix
        self.ridge = ridge
        self.tolerance = tolerance
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.map = map
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


class PerceptronRegressorParameters:
    """Parameters of :class:`linsep.PerceptronRegressor`."""

    _learner: ClassVar[str] = "regression"
    # Keyword: the core's option.
    _options: ClassVar[dict[str, str]] = {
        "max_iter": "passes",
        "order": "order",
        "random_state": "seed",
        "rule": "rule",
        "eta0": "rate",
        "weighted": "weighted",
        "residual_bound": "residual-bound",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "order": [StrOptions({"given", "shuffled", "drawn"})],
        "random_state": ["random_state"],
        "rule": [StrOptions({"signed", "squared"})],
        "eta0": [Interval(Real, 0, None, closed="neither")],
        "weighted": ["boolean"],
        "residual_bound": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "map": [str],
        "n_jobs": [Integral, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 100,
        order: Literal["given", "shuffled", "drawn"] = "given",
        random_state: RandomState = 1,
        rule: Literal["signed", "squared"] = "signed",
        eta0: float = 0.01,
        weighted: bool = False,
        residual_bound: float = 0.0,
        fit_intercept: bool = True,
        map: str = "none",
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.order = order
        self.random_state = random_state
        self.rule = rule
        self.eta0 = eta0
        self.weighted = weighted
        self.residual_bound = residual_bound
        self.fit_intercept = fit_intercept
        self.map = map
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose


# What each keyword means; where a class differs, under its name.
TEXTS = {
    "max_iter": """int, default=5000
    At most this many passes over the rows.""",
    "loss": """{"hinge", "squared_hinge", "logistic", "softmax", "log_loss"}, default="hinge"
    What a row's margin m costs. hinge: max(0, 1 − m). squared_hinge: max(0, 1 − m)². logistic: log(1 + e^−m).
    softmax: log Σ e^z − z of its own class, of all classes' scores z together. "log_loss" is another name for
    "logistic".""",
    "alpha": """float or None, default=None
    The strength λ of the penalty beside the mean loss, as in SGDClassifier. None: set by C. λ belongs to the
    mean, so it keeps its meaning when rows are added: C = 1/(λ·Σ weight).""",
    "C": """float or None, default=None
    The inverse strength, as in LinearSVC: penalty + C·Σ weight·loss, where the penalty is ½‖θ‖² unless
    penalty says otherwise. None: 1, or what alpha says. Setting both C and alpha is an error.""",
    "penalty": """{"l2", "l1", "elasticnet"}, default="l2"
    The penalty on the weights: "l2" (½‖θ‖²), "l1" (‖θ‖₁), which leaves most weights at exactly 0, or
    "elasticnet", a mix of both by l1_ratio.""",
    "l1_ratio": """float or None, default=None
    The share ρ of the L1 part: ρ‖θ‖₁ + (1 − ρ)/2‖θ‖², as in scikit-learn. None: 0.5 with
    penalty="elasticnet". With penalty="l2" it is enough by itself: 1 is the L1 penalty, 0 the L2 penalty.""",
    "group_features": """bool, default=False
    Loss softmax with an L1 part: keep or drop a feature for all classes at once. The L1 part is then ρ·Σ_j
    ‖Θ_j‖₂, Θ_j the weights of feature j in all classes.""",
    "gap": """float, default=0.001
    Stop once the objective is proven to be within this fraction of the best possible. The gap is (primal −
    dual)/primal of the stated objective, intercept not penalized, with a bound on rounding added. With the
    penalty l2 it bounds the distance of the weights too: ‖θ − θ*‖² ≤ 2·gap·objective/λ.""",
    "solver": """{"auto", "dual", "interior", "newton", "planes", "working_set", "columns"}, default="auto"
    The solver; auto picks one that suits the data. dual: coordinate descent on the dual. interior: an
    interior-point method for few features. newton: Newton's method, with exact Hessians for few features,
    else conjugate gradients. planes: cutting planes with a line search. working_set: proximal Newton steps on
    the columns that matter, for penalties with an L1 part. columns: the same steps on a copy of the rows by
    columns, for one worker.""",
    "random_state": """int, RandomState instance or None, default=1
    Seed for the order of rows; the same seed gives the same bits as the command line. None draws one from
    numpy's global state.""",
    "probabilities": """{"none", "platt", "isotonic"}, default="none"
    Fit probabilities to the scores of held-out rows: a sigmoid (platt), or any increasing function
    (isotonic).""",
    "class_weight": """dict, "balanced" or None, default=None
    Weights of classes, multiplied into the rows' weights; "balanced": every class weighs the same.""",
    "copy_X": """bool or "auto", default="auto"
    Whether to copy the rows into the order in which they are visited: faster, the same bits, twice the
    memory. "auto": if they take less than a quarter of the free memory.""",
    "fit_intercept": """bool, default=True
    Whether to fit an offset; without one the boundary goes through the origin.""",
    "map": """str, default="none"
    Train on a map of the features: "products" (x1·x2, …) or "polynomial:DEGREE".""",
    "warm_start": """bool, default=False
    Start from the classifier of the last fit instead of from 0.""",
    "n_jobs": """int or None, default=None
    Threads; never changes the result. None: LINSEP_NUM_THREADS, else OMP_NUM_THREADS, else every core that
    the process may use. -1: every core.""",
    "time_limit": """float or None, default=None
    Stop training after this many seconds and keep the classifier at that point. Only this parameter can make
    two runs differ.""",
    "verbose": """int, default=0
    1: a line on standard error every second.""",
    "alphas": """array-like of float, "FROM:TO:COUNT" or None, default=None
    The values of λ to try, or FROM:TO:COUNT for so many in equal ratios. None, and no Cs: powers of ten that
    suit the data or, where the penalty has an L1 part, 100 values down from the least λ that leaves every
    weight at 0.""",
    "Cs": """array-like of float, "FROM:TO:COUNT" or None, default=None
    The same by C = 1/(λ·Σ weight). Setting both Cs and alphas is an error.""",
    "cv": """int or cross-validation splitter, default=5
    How many folds, each with its share of every class; or a splitter (or splits) whose test sets hold every
    row once.""",
    "choose": """{"error", "loss"}, default="error"
    What cross-validation minimizes: held-out error or loss.""",
    "one_se": """bool, default=False
    Keep the largest λ whose held-out value is within one standard error of the lowest.""",
    "features": """int, default=0
    Keep a model with at most this many features: the best by cross-validation, or else the largest. Needs a
    penalty with an L1 part.""",
    "tol": """float, default=0.0001
    Stop when the objective is proven to be within this fraction of the best possible. scikit-learn's tol
    bounds the gradient instead, and proves nothing.""",
    "prove": """bool, default=True
    Make a certificate of the separator and of the margin.""",
    "order": """{"given", "shuffled", "drawn"}, default="given"
    Rows as given, shuffled anew in each pass, or drawn at random with replacement.""",
    "eta0": """float, default=1.0
    The learning rate η: a mistake adds η·y·x to θ. Rows of weight 0 are left out.""",
    "weighted": """bool, default=False
    Multiply each correction by the row's weight. Otherwise weights other than 0 are ignored. A row of weight
    0 is left out in any case. A row of weight w corrects w times as far as one of weight 1, which is not the
    same as w copies of it: copies would be corrected one after the other, each seeing the last.""",
    "init": """array-like of shape (n_features,) or None, default=None
    Start from these weights, one per feature; by default from 0.""",
    "init_offset": """float, default=0.0
    Start from this intercept.""",
    "variant": """{"last", "averaged", "voted"}, default="last"
    Which classifier to keep: the last, the average over all steps, or a vote of all steps (which stores the
    row of every mistake).""",
    "multiclass": """{"rest", "joint"}, default="rest"
    With more than two classes: one classifier per class against the rest, or all of them trained jointly.""",
    "trace": """bool, default=False
    Record θ after every mistake, until 8,388,608 numbers are kept.""",
    "kernel": """{"linear", "polynomial", "gaussian"}, default="linear"
    x·x′, (x·x′ + constant)^degree, or exp(−gamma·‖x − x′‖²). Rows of weight 0 are left out; other weights are
    ignored.""",
    "degree": """int, default=2
    The power of the polynomial kernel.""",
    "constant": """float, default=1.0
    The constant that the polynomial kernel adds to x·x′.""",
    "gamma": """float, default=1.0
    How fast the Gaussian kernel falls off.""",
    "gram_cache": """float, default=256.0
    Megabytes for keeping kernel values between passes; never changes the result.""",
    "matrix": """{"auto", "identity", "diagonal", "full", "cg"}, default="auto"
    The matrix M: the identity, the diagonal of the scatter matrix, all of it, or all of it by conjugate
    gradients (one pass per step). auto: full up to 2,000 features, then cg.""",
    "ridge": """float, default=0.0
    Added to the diagonal of M; the intercept is not penalized.""",
    "tolerance": """float, default=1e-08
    cg stops when ‖b − M·θ‖ ≤ tolerance·‖b‖.""",
    "rule": """{"signed", "squared"}, default="signed"
    Correct by the residual, θ += η·(y − z)·x, or by its square, θ += η·(y − z)²·x.""",
    "residual_bound": """float, default=0.0
    Stop after a pass whose sum of squared residuals is at most this.""",
    "LogisticRegression.C": """float, default=1.0
    The inverse strength: penalty + C·Σ weight·loss, where the penalty is ½‖θ‖² unless penalty or l1_ratio
    says otherwise.""",
    "LogisticRegression.l1_ratio": """float, default=np.nan
    The share ρ of the L1 part: ρ‖θ‖₁ + (1 − ρ)/2‖θ‖², as in scikit-learn. NaN: 0.5 with penalty="elasticnet".
    With penalty="l2" it is enough by itself: 1 is the L1 penalty, 0 the L2 penalty.""",
    "Perceptron.max_iter": """int, default=100
    At most this many passes over the rows.""",
    "KernelPerceptron.max_iter": """int, default=100
    At most this many passes over the rows.""",
    "KernelPerceptron.trace": """bool, default=False
    Record α·y after every mistake, until 8,388,608 numbers are kept.""",
    "LeastSquaresClassifier.max_iter": """int, default=1000
    At most this many passes over the rows.""",
    "PerceptronRegressor.max_iter": """int, default=100
    At most this many passes over the rows.""",
    "PerceptronRegressor.eta0": """float, default=0.01
    The learning rate η. Rows of weight 0 are left out.""",
}
