"""
A boundary and its margin
=========================

Rows of two classes, the half-space that a classifier gives to each, and the planes z = ±1 on either side of its boundary. Rows with
a ring are support vectors. They lie on the margin or within it, and they alone determine the boundary.
"""

# %%
# Separable rows
# --------------
# :class:`linsep.HardMarginClassifier` finds the boundary that is farthest from all rows, and proves it.
import numpy as np

import linsep
from linsep.plot import BoundaryDisplay

rng = np.random.default_rng(4)
X = np.vstack([rng.normal((0, 0), 0.7, (40, 2)), rng.normal((3, 2), 0.7, (40, 2))])
y = np.repeat(["healthy", "ill"], 40)
BoundaryDisplay.from_estimator(linsep.HardMarginClassifier().fit(X, y), X, y)

# %%
# Rows that overlap
# -----------------
# If classes overlap, some rows end up on the wrong side. They have a ring between two bars.
X_near = np.vstack([X[:40], X[40:] - (1.2, 0.9)])
BoundaryDisplay.from_estimator(linsep.MarginClassifier(C=1.0).fit(X_near, y), X_near, y)

# %%
# Three classes
# -------------
# Each class has the largest score in one region of the plane.
X_three = np.vstack([X, rng.normal((0, 3.5), 0.7, (40, 2))])
y_three = np.append(y, np.repeat("unknown", 40))
BoundaryDisplay.from_estimator(linsep.MarginClassifier(C=1.0).fit(X_three, y_three), X_three, y_three)

# %%
# A map makes boundaries curved
# -----------------------------
X_ring = rng.normal(size=(120, 2))
y_ring = np.where((X_ring**2).sum(axis=1) > 1.3, "outside", "inside")
curved = linsep.MarginClassifier(C=100.0, map="polynomial:2").fit(X_ring, y_ring)
BoundaryDisplay.from_estimator(curved, X_ring, y_ring)
