"""
The gap closes
==============

Training lowers the objective and raises a proven lower bound of it. The optimum is always between the two. It ends when the
gap, their difference as a share of the objective, is at most the one that was asked for.
"""

# %%
# By pass
# -------
import numpy as np

import linsep
from linsep.plot import GapDisplay

rng = np.random.default_rng(0)
X = rng.normal(size=(400, 20))
y = X[:, 0] - X[:, 1] + rng.normal(size=400) > 0
classifier = linsep.MarginClassifier(C=1.0, gap=1e-6, solver="dual").fit(X, y)
GapDisplay.from_estimator(classifier)

# %%
# By pass and by second
# ---------------------
# Seconds depend on the machine. Passes, objective and gap don't.
GapDisplay.from_estimator(classifier, by="both")
