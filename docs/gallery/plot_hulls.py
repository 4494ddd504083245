"""
Hulls and witnesses
===================

Rows can be separated if and only if the convex hulls of their classes have no point in common. The diamond is such a point, and the
spokes lead to the few rows that it is a weighted mean of. They prove that no linear classifier gets all rows right.
"""

# %%
# XOR
# ---
# Both hulls are diagonals of a square, and they cross in the middle.
import numpy as np

import linsep
from linsep.plot import HullsDisplay

X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, 1, 1, -1]
HullsDisplay.from_rows(X, y, certificate=linsep.certify(X, y))

# %%
# Many rows
# ---------
# In the plane, at most four rows are needed for the proof.
rng = np.random.default_rng(16)
X = np.vstack([rng.normal((0, 0), 1.0, (40, 2)), rng.normal((2.6, 1.3), 1.0, (40, 2))])
y = np.repeat(["a", "b"], 40)
HullsDisplay.from_rows(X, y, certificate=linsep.certify(X, y))

# %%
# Hulls that are apart
# --------------------
# The segment between the nearest points of the hulls is twice the margin, and the boundary cuts it in half.
X = np.vstack([X[:40], X[40:] + (4, 2)])
HullsDisplay.from_estimator(linsep.HardMarginClassifier().fit(X, y), X, y)
