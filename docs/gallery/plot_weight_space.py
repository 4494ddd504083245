"""
Weight space
============

Seen from the weights, a classifier is a point and each row a line with a good side. What is good for every row is hatched: a
perceptron stops as soon as θ is in there.
"""

# %%
# AND
# ---
# The truth table of AND has two features and an offset, so three weights: this is the slice at θ0 = −1. Row 0 is (0, 0), which
# θ0 < 0 alone satisfies; it has no line.
import linsep
from linsep.plot import WeightSpaceDisplay

X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, -1, -1, 1]
WeightSpaceDisplay.from_estimator(linsep.Perceptron().fit(X, y), X, y)

# %%
# XOR
# ---
# There is no weight vector that is right on all four rows of XOR, in this slice or in any other.
WeightSpaceDisplay.from_rows(X, [-1, 1, 1, -1])

# %%
# The way of a perceptron
# -----------------------
# Without an offset two weights are all there is. A correction may fall short: row 0 needs four in a row.
X, y = [[-1.0, -1.0], [1.0, 0.0], [-1.0, 10.0]], [1, -1, 1]
perceptron = linsep.Perceptron(fit_intercept=False, trace=True).fit(X, y)
WeightSpaceDisplay.from_estimator(perceptron, X, y)
