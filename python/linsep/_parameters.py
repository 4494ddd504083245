"""The estimators' parameters. Written by tools/make_parameters.py from the option tables."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils._param_validation import Interval, StrOptions

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
        "gap": "gap",
        "solver": "solver",
        "random_state": "seed",
        "probabilities": "probabilities",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "loss": [StrOptions({"hinge", "squared_hinge", "logistic", "softmax"})],
        "alpha": [Interval(Real, 0, None, closed="neither"), None],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gap": [Interval(Real, 0, None, closed="neither")],
        "solver": [StrOptions({"auto", "dual", "interior", "newton", "planes"})],
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
        loss: Literal["hinge", "squared_hinge", "logistic", "softmax"] = "hinge",
        alpha: float | None = None,
        C: float = 1.0,
        gap: float = 0.001,
        solver: Literal["auto", "dual", "interior", "newton", "planes"] = "auto",
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
        "gap": "gap",
        "solver": "solver",
        "random_state": "seed",
        "alphas": "lambdas",
        "Cs": "Cs",
        "cv": "cv",
        "choose": "choose",
        "probabilities": "probabilities",
        "fit_intercept": "origin",
    }
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_iter": [Interval(Integral, 1, 1000000000000000, closed="both")],
        "loss": [StrOptions({"hinge", "squared_hinge", "logistic", "softmax"})],
        "gap": [Interval(Real, 0, None, closed="neither")],
        "solver": [StrOptions({"auto", "dual", "interior", "newton", "planes"})],
        "random_state": ["random_state"],
        "alphas": ["array-like", str, None],
        "Cs": ["array-like", str, None],
        "cv": [Interval(Integral, 2, 1000, closed="both"), "cv_object"],
        "choose": [StrOptions({"error", "loss"})],
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
        loss: Literal["hinge", "squared_hinge", "logistic", "softmax"] = "hinge",
        gap: float = 0.001,
        solver: Literal["auto", "dual", "interior", "newton", "planes"] = "auto",
        random_state: RandomState = 1,
        alphas: npt.ArrayLike | str | None = None,
        Cs: npt.ArrayLike | str | None = None,
        cv: Any = 5,
        choose: Literal["error", "loss"] = "error",
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
        self.gap = gap
        self.solver = solver
        self.random_state = random_state
        self.alphas = alphas
        self.Cs = Cs
        self.cv = cv
        self.choose = choose
        self.probabilities = probabilities
        self.class_weight = class_weight
        self.copy_X = copy_X
        self.fit_intercept = fit_intercept
        self.map = map
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
