"""Pictures of classifiers, training and proofs: matplotlib Display classes.

Each class is made by ``from_estimator`` or ``from_rows`` (``from_estimators`` for a comparison), which draw
at once. The object keeps what was drawn: ``ax_``, ``figure_``, and ``plot(ax)`` to draw it again elsewhere.
No state of matplotlib is changed; a new figure is made only where no axes are given. matplotlib is imported
when the first picture is drawn.
"""

from __future__ import annotations

from ._boundary import BoundaryDisplay
from ._coefficients import CoefficientsDisplay
from ._comparison import ComparisonDisplay
from ._distances import DistancesDisplay
from ._forest import ForestDisplay, forest
from ._gap import GapDisplay
from ._hulls import HullsDisplay
from ._mistakes import MistakesDisplay
from ._path import PathDisplay
from ._trace import TraceDisplay
from ._weight_space import WeightSpaceDisplay

__all__ = [
    "BoundaryDisplay",
    "CoefficientsDisplay",
    "ComparisonDisplay",
    "DistancesDisplay",
    "ForestDisplay",
    "GapDisplay",
    "HullsDisplay",
    "MistakesDisplay",
    "PathDisplay",
    "TraceDisplay",
    "WeightSpaceDisplay",
    "forest",
]
