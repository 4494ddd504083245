"""linsep: linear classification that says how good its answer is, and proves it.

Estimators in scikit-learn's manner, proofs of (non-)separability, and what reads and writes the same files as
the command ``linsep``. Names are imported when they are first used, so that ``import linsep`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0.dev"

if TYPE_CHECKING:
    from . import errors as errors
    from . import export as export
    from . import plot as plot
    from ._classifier import Distances as Distances
    from ._evaluate import evaluate as evaluate
    from ._generate import generate as generate
    from ._hard_margin import HardMarginClassifier as HardMarginClassifier
    from ._info import Option as Option
    from ._info import options as options
    from ._info import show_versions as show_versions
    from ._inputs import rows as rows
    from ._kernel_perceptron import KernelPerceptron as KernelPerceptron
    from ._load import load as load
    from ._logit import LogitResult as LogitResult
    from ._logit import logit as logit
    from ._logistic import LogisticRegression as LogisticRegression
    from ._margin import MarginClassifier as MarginClassifier
    from ._margin_cv import MarginClassifierCV as MarginClassifierCV
    from ._means import BasicLinearClassifier as BasicLinearClassifier
    from ._means import LeastSquaresClassifier as LeastSquaresClassifier
    from ._model import Model as Model
    from ._perceptron import Perceptron as Perceptron
    from ._play import play as play
    from ._proof.audit import Audit as Audit
    from ._proof.audit import audit as audit
    from ._proof.certificate import Certificate as Certificate
    from ._proof.certificate import certify as certify
    from ._proof.certificate import verify as verify
    from ._proof.parts import Check as Check
    from ._regression import PerceptronRegressor as PerceptronRegressor
    from ._rows import Rows as Rows
    from ._scan import Conversion as Conversion
    from ._scan import convert as convert
    from ._scan import scan as scan
    from ._separation import SeparationError as SeparationError
    from ._separation import SeparationReport as SeparationReport
    from ._separation import check_separation as check_separation
    from ._table import TableClassifier as TableClassifier
    from .errors import ColumnWarning as ColumnWarning
    from .errors import CopyWarning as CopyWarning
    from .errors import GapWarning as GapWarning
    from .errors import InputError as InputError
    from .errors import LinsepError as LinsepError
    from .errors import NotSeparableError as NotSeparableError
    from .errors import SystemFailure as SystemFailure
    from .errors import UsageError as UsageError
    from .export import to_c as to_c
    from .export import to_onnx as to_onnx
    from .export import to_sql as to_sql

# Where each public name is defined; "" is a module of that name.
_PLACES = {
    "Audit": "_proof.audit",
    "BasicLinearClassifier": "_means",
    "Certificate": "_proof.certificate",
    "Check": "_proof.parts",
    "ColumnWarning": "errors",
    "Conversion": "_scan",
    "CopyWarning": "errors",
    "Distances": "_classifier",
    "GapWarning": "errors",
    "HardMarginClassifier": "_hard_margin",
    "InputError": "errors",
    "KernelPerceptron": "_kernel_perceptron",
    "LeastSquaresClassifier": "_means",
    "LinsepError": "errors",
    "LogisticRegression": "_logistic",
    "LogitResult": "_logit",
    "MarginClassifier": "_margin",
    "MarginClassifierCV": "_margin_cv",
    "Model": "_model",
    "NotSeparableError": "errors",
    "Option": "_info",
    "Perceptron": "_perceptron",
    "PerceptronRegressor": "_regression",
    "Rows": "_rows",
    "SeparationError": "_separation",
    "SeparationReport": "_separation",
    "SystemFailure": "errors",
    "TableClassifier": "_table",
    "UsageError": "errors",
    "audit": "_proof.audit",
    "certify": "_proof.certificate",
    "check_separation": "_separation",
    "convert": "_scan",
    "errors": "",
    "evaluate": "_evaluate",
    "export": "",
    "generate": "_generate",
    "load": "_load",
    "logit": "_logit",
    "options": "_info",
    "play": "_play",
    "plot": "",
    "rows": "_inputs",
    "scan": "_scan",
    "show_versions": "_info",
    "to_c": "export",
    "to_onnx": "export",
    "to_sql": "export",
    "verify": "_proof.certificate",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_PLACES[name] or name}")
    value = getattr(module, name) if _PLACES[name] else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
