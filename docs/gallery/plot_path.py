"""
Choosing the penalty
====================

The held-out error for each λ of a path, with one standard error to either side and the λ that was kept. The
training error goes on falling after the held-out error has stopped.
"""

# %%
import numpy as np

import linsep
from linsep.plot import PathDisplay

rng = np.random.default_rng(5)
X = rng.normal(size=(160, 40))
y = X[:, 0] + X[:, 1] + 1.2 * rng.normal(size=160) > 0
classifier = linsep.MarginClassifierCV(cv=5).fit(X, y)
PathDisplay.from_estimator(classifier, rows=len(X))

# %%
# By the loss
# -----------
# The loss is smoother than the error, and it grows again when θ is too long.
PathDisplay.from_estimator(classifier, what="loss")

# %%
# Fewer features
# --------------
# With an L1 penalty most weights are exactly 0. The upper edge counts the others. ``one_se`` keeps the largest λ that is within one
# standard error of the best.
sparse = linsep.MarginClassifierCV(loss="logistic", penalty="l1", choose="loss", one_se=True, cv=5).fit(X, y)
PathDisplay.from_estimator(sparse)
