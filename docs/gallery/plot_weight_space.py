"""
Weight space
============

In weight space, a classifier is a point and each row a line with a good side. The region that is good for every row is hatched. A
perceptron stops as soon as θ is in it.
"""

# %%
# AND
# ---
# The truth table of AND has two features and an intercept, so three weights. This is the slice at θ0 = −1. Row 0 is (0, 0), which
# θ0 < 0 alone satisfies, so it has no line.
import linsep
from linsep.plot import WeightSpaceDisplay

X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, -1, -1, 1]
WeightSpaceDisplay.from_estimator(linsep.Perceptron().fit(X, y), X, y)

# %%
# XOR
# ---
# No weight vector gets all four rows of XOR right, in this slice or in any other.
WeightSpaceDisplay.from_rows(X, [-1, 1, 1, -1])

# %%
# The way of a perceptron
# -----------------------
# Without an intercept there are only two weights. A correction may fall short. Row 0 needs four in a row.
X, y = [[-1.0, -1.0], [1.0, 0.0], [-1.0, 10.0]], [1, -1, 1]
perceptron = linsep.Perceptron(fit_intercept=False, trace=True).fit(X, y)
WeightSpaceDisplay.from_estimator(perceptron, X, y)
