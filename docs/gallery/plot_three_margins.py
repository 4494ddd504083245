"""
What the penalty does to the margin
===================================

Three strengths of the penalty on the same rows. A large C follows every row and has a narrow margin. A small C lets rows into a
wide margin and hardly moves when one of them does.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np

import linsep
from linsep.plot import BoundaryDisplay, ComparisonDisplay, DistancesDisplay

rng = np.random.default_rng(8)
X = np.vstack([rng.normal((0, 0), 0.9, (45, 2)), rng.normal((2.4, 1.6), 0.9, (45, 2))])
y = np.repeat([-1, 1], 45)
strengths = {f"C = {C:g}": linsep.MarginClassifier(C=C).fit(X, y) for C in (100, 0.1, 0.01)}
ComparisonDisplay.from_estimators(strengths, X, y)

# %%
# In axes of your own
# -------------------
# Every display draws into the axes that you give, so you can combine pictures.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.6), layout="constrained")
classifier = strengths["C = 0.1"]
BoundaryDisplay.from_estimator(classifier, X, y, ax=left, legend="below")
DistancesDisplay.from_estimator(classifier, X, y, ax=right, title="", legend="below")
