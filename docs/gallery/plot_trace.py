"""
θ on its way
============

Each arrow is one correction of a perceptron. The row with the number next to it was on the wrong side, and was added to θ or
subtracted from it. ``trace=True`` keeps the trace.
"""

# %%
# Two weights
# -----------
import numpy as np

import linsep
from linsep.plot import TraceDisplay

X, y = [[-1.0, -1.0], [1.0, 0.0], [-1.0, 10.0]], [1, -1, 1]
TraceDisplay.from_estimator(linsep.Perceptron(fit_intercept=False, trace=True).fit(X, y))

# %%
# More weights
# ------------
# With more than two features each weight is a line.
rng = np.random.default_rng(3)
X = rng.normal(size=(80, 4))
score = X @ (2.0, -1.0, 0.5, 0.0)
X, score = X[np.abs(score) > 0.5], score[np.abs(score) > 0.5]
TraceDisplay.from_estimator(linsep.Perceptron(trace=True).fit(X, score > 0))
