"""
How far rows lie from the boundary
==================================

A histogram of the signed distances. Rows left of 0 are on the wrong side. One class grows upwards and the other downwards. The dashed
line is z = ±1, and rows to its left are within the margin.
"""

# %%
import numpy as np

import linsep
from linsep.plot import DistancesDisplay

rng = np.random.default_rng(1)
X = rng.normal(size=(1500, 5))
y = np.where(X @ (1.0, 1.0, 0.5, 0.2, 0.0) + 0.5 * rng.normal(size=1500) > 0, "yes", "no")
DistancesDisplay.from_estimator(linsep.MarginClassifier(C=1.0).fit(X, y), X, y)

# %%
# A stronger penalty
# ------------------
# A large λ keeps θ short, and a short θ has a wide margin.
DistancesDisplay.from_estimator(linsep.MarginClassifier(alpha=0.3).fit(X, y), X, y)
